package std

// Input and output, errors, words, and what is the system's.

var _ = add("errors", `
	Formats: AsType Is Join Unwrap
	Formats MayWrite: As
	MayRead: errorString.Error joinError.Error joinError.Unwrap
`)

var _ = add("fmt", `
	Formats: Errorf Print Printf Println Sprint Sprintf Sprintln
	Calls Formats: Fprint Fprintf Fprintln
	MayAppend Formats: Append Appendf Appendln
	MayWrite: Scan Scanf Scanln Sscan Sscanf Sscanln
	Calls MayWrite: Fscan Fscanf Fscanln
	Calls: FormatString
	MayRead: wrapError.Error wrapError.Unwrap wrapErrors.Error wrapErrors.Unwrap
`)

var _ = add("testing", `
	Formats: common.Error common.Errorf common.Fatal common.Fatalf common.Log common.Logf common.Skip common.Skipf
	chance: AllocsPerRun B.Elapsed B.Loop B.ResetTimer B.StartTimer B.StopTimer
`)

var _ = add("io", `
	Calls: Copy CopyN ReadAll WriteString
	Calls Calls MayWrite: CopyBuffer
	Calls MayWrite: ReadAtLeast ReadFull
	Nothing: LimitReader MultiReader MultiWriter NewOffsetWriter NewSectionReader NopCloser TeeReader
	MayWriteAll MayWrite: LimitedReader.Read SectionReader.Read
	MayWriteAll MayRead: OffsetWriter.Write OffsetWriter.WriteAt
	Reads: SectionReader.Size
`)

var _ = add("bufio", `
	Nothing: NewReadWriter NewReader NewReaderSize NewScanner NewWriter NewWriterSize
	MayRead: ScanBytes ScanLines ScanRunes ScanWords
	Reads: Reader.Buffered Reader.Size Scanner.Bytes Scanner.Err Writer.Available Writer.AvailableBuffer Writer.Buffered Writer.Size
	ReadsAll: Scanner.Text
	MayWriteAll MayWrite: Reader.Read
	MayWriteAll MayRead: Writer.Write
`)

// A context takes its own lock: what it does to itself needs no other order.
var _ = add("context", `
	quiet: Background TODO
	Nothing quiet: WithValue
	Nothing: Cause WithCancel WithCancelCause WithoutCancel
	Nothing: cancelCtx.Done cancelCtx.Err cancelCtx.String cancelCtx.Value emptyCtx.Value valueCtx.String valueCtx.Value
	Nothing: withoutCancelCtx.Deadline withoutCancelCtx.Done withoutCancelCtx.Err withoutCancelCtx.String withoutCancelCtx.Value
`)

var _ = add("log", `
	Formats: Fatal Fatalf Fatalln Panic Panicf Panicln Print Printf Println
	Nothing: New Logger.Flags Logger.Output Logger.Prefix Logger.SetFlags Logger.SetOutput Logger.SetPrefix Logger.Writer
	MayWriteAll Formats: Logger.Fatal Logger.Fatalf Logger.Fatalln Logger.Panic Logger.Panicf Logger.Panicln Logger.Print Logger.Printf Logger.Println
`)

var _ = add("log/slog", `
	Formats: Debug Error Info Warn
	Nothing Formats: DebugContext ErrorContext InfoContext WarnContext
	MayWriteAll Formats: Logger.Debug Logger.Error Logger.Info Logger.Warn
	MayWriteAll Nothing Formats: Logger.DebugContext Logger.ErrorContext Logger.InfoContext Logger.WarnContext
`)

// The variables are atomics and maps with locks.
var _ = add("expvar", `
	Nothing: Float.Add Float.Set Float.String Float.Value Int.Add Int.Set Int.String Int.Value String.Set String.String String.Value
	Nothing: Map.Add Map.AddFloat Map.Delete Map.Do Map.Get Map.Init Map.Set Map.String Publish
`)

var _ = add("os", `
	chance: CreateTemp Getgid Getpid Getppid Getuid Hostname MkdirTemp
	quiet: Exit
	Formats quiet: IsExist IsNotExist IsPermission IsTimeout
	MayRead: WriteFile
	Nothing MayRead: File.Write File.WriteAt
	Nothing MayWrite: File.Read File.ReadAt
	Nothing: File.Close File.Fd File.Name File.Seek File.Stat File.Sync File.WriteString
`)

var _ = add("io/fs", `MayRead quiet: PathError.Error PathError.Timeout PathError.Unwrap`)

var _ = add("reflect", `
	quiet: New TypeFor Zero
	MayReadAll quiet: DeepEqual TypeOf ValueOf
`)

var _ = add("runtime", `
	chance: NumCgoCall
	chance quiet: NumGoroutine
	MayWrite chance: ReadMemStats
	quiet: Caller FuncForPC GC GOMAXPROCS Goexit Gosched NumCPU Version Frames.Next
	Nothing quiet: KeepAlive Func.FileLine Func.Name
	MayRead quiet: CallersFrames
	MayWrite quiet: Callers Stack
`)

// A stack is words about the goroutine that asks.
var _ = add("runtime/debug", `quiet: PrintStack Stack`)

var _ = add("weak", `
	Nothing: Make
	Nothing chance: Pointer.Value
`)

var _ = add("unique", `MayRead: Make`)

var _ = add("embed", `Nothing: FS.Open FS.ReadDir FS.ReadFile`)
