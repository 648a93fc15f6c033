package instrument

import "strings"

// The standard library is not rewritten. What its functions do to what they are
// passed, and what threads can meet in inside of it, stands here, with the reason.
// A package that is not here counts as one that has something inside.

// An effect says what a call does with an operand: the function of package hook
// that tells it. The empty one is nothing that another thread could notice.
type effect string

const (
	nothing     effect = ""
	reads       effect = "Reads"    // and surely does
	writes      effect = "Writes"   // and surely does
	mayRead     effect = "MayRead"  // what the operand points to
	mayWrite    effect = "MayWrite" // likewise
	mayReadAll  effect = "MayReadAll"
	mayWriteAll effect = "MayWriteAll"
	formats     effect = "Formats"
	calls       effect = "Calls" // which methods, its own type decides
)

// ofPart is an effect on what an operand is or holds, when it is only known what the call
// does with a part of it.
var ofPart = map[effect]effect{
	reads: mayReadAll, mayRead: mayReadAll, mayReadAll: mayReadAll,
	writes: mayWriteAll, mayWrite: mayWriteAll, mayWriteAll: mayWriteAll,
	calls: mayWriteAll, formats: mayReadAll,
}

// A std says what a package of the standard library does.
type std struct {
	args   effect // of functions and methods, on their arguments
	recv   effect // of methods, on their receivers
	inside string // what threads can meet in
	why    string

	// By name, "Sort" or "Builder.Len": what is otherwise than above.
	except map[string]exception
}

// An exception is of one function.
type exception struct {
	recv, first, rest effect
	chance            bool // what it returns goes by chance, or time
	quiet             bool // it does not come to what is inside
}

// each gives several functions one exception.
func each(names string, e exception, more ...map[string]exception) map[string]exception {
	all := make(map[string]exception)
	for _, name := range strings.Fields(names) {
		all[name] = e
	}
	for _, m := range more {
		for name, e := range m {
			all[name] = e
		}
	}
	return all
}

var (
	asksOnly = exception{recv: reads}
	changes  = exception{recv: writes, first: mayRead, rest: mayRead}
	chance   = exception{chance: true, quiet: true}
	quiet    = exception{quiet: true}
	appends  = exception{first: mayWrite, rest: mayRead}
)

// values is a package of functions of values: two threads share nothing by them.
var values = std{why: "functions of values"}

// data is a package whose functions read their arguments and whose methods
// change their receivers, without anything inside.
var data = std{args: mayRead, recv: mayWriteAll, why: "no state but in its values"}

var stds = map[string]std{
	"cmp": values, "math": values, "math/bits": values, "math/cmplx": values, "unicode": values, "unicode/utf8": values,
	"unicode/utf16": values, "html": values, "path": values, "unsafe": values, "structs": values, "go/version": values,
	"iter": {why: "its coroutines are controlled"},
	"testing": {why: "the log of a test has a lock, and no thread reads it; what is logged is read",
		except: each("common.Log common.Logf common.Error common.Errorf common.Fatal common.Fatalf common.Skip common.Skipf", exception{first: formats, rest: formats}, each("AllocsPerRun B.Loop B.ResetTimer B.StartTimer B.StopTimer B.Elapsed", exception{chance: true}))},
	"unique":     {args: mayReadAll, why: "its map is in nobody's sight"},
	"embed":      {why: "files that never change"},
	"crypto/md5": data, "crypto/sha1": data, "crypto/sha256": data, "crypto/sha512": data, "crypto/sha3": data, "crypto/subtle": data, "crypto/hmac": data,
	"hash": data, "hash/adler32": data, "hash/crc32": data, "hash/crc64": data, "hash/fnv": data,
	"encoding/ascii85": data, "encoding/base32": data, "encoding/base64": data, "encoding/hex": data, "encoding/pem": data, "encoding/csv": data,
	"encoding/binary": {args: mayWriteAll, recv: mayWriteAll, why: data.why},
	"encoding/json":   {args: mayWriteAll, recv: mayWriteAll, why: "its caches of types are in nobody's sight"},
	"encoding/xml":    {args: mayWriteAll, recv: mayWriteAll, why: "its caches of types are in nobody's sight"},
	"encoding/gob":    {args: mayWriteAll, recv: mayWriteAll, why: "its caches of types are in nobody's sight"},
	"net/url":         data, "net/netip": values, "text/scanner": data, "text/tabwriter": data, "index/suffixarray": data,
	"math/big":     {args: mayReadAll, recv: mayWriteAll, why: data.why},
	"bufio":        {args: mayWrite, recv: mayWriteAll, why: data.why},
	"io":           {args: calls, recv: mayWriteAll, why: "what it does is done by its arguments; a pipe is channels", except: each("ReadFull ReadAtLeast CopyBuffer", exception{first: calls, rest: mayWrite})},
	"regexp":       {args: mayRead, why: "an expression does not change", except: each("Regexp.Longest", exception{recv: writes})},
	"time":         {why: "times are values", inside: "timers", except: each("Now Since Until", chance, each(timeQuiet, quiet))},
	"math/rand":    {recv: mayWriteAll, args: mayWriteAll, why: "a Rand is a value, and what has none goes by chance", except: random},
	"math/rand/v2": {recv: mayWriteAll, args: mayWriteAll, why: "a Rand is a value, and what has none goes by chance", except: random},
	"hash/maphash": {args: mayRead, recv: mayWriteAll, why: "its seeds go by chance",
		except: each("MakeSeed String Bytes Comparable WriteComparable Hash.Sum64 Hash.Sum Hash.Seed Hash.WriteString Hash.Write Hash.WriteByte", exception{recv: mayWriteAll, first: mayWriteAll, chance: true})},
	"crypto/rand":    {inside: "the system", why: "it goes by chance", except: each("Read Int Prime Text", exception{first: mayWriteAll, rest: mayWriteAll, chance: true, quiet: true})},
	"context":        {inside: "locks and goroutines", args: nothing, why: "a context has a lock, and its cancellation goes to others", except: each("Background TODO WithValue", quiet)},
	"expvar":         {inside: "locks and atomics", args: mayWriteAll, why: "variables are for all"},
	"log":            {inside: "locks", args: mayRead, why: "a logger has a lock, and a writer"},
	"log/slog":       {inside: "locks", args: mayRead, why: "a handler has a lock, and a writer"},
	"os":             {inside: "files and the environment", args: mayWriteAll, why: "they are for all", except: each("Getpid Getppid Hostname Getuid Getgid CreateTemp MkdirTemp", chance, each("Exit", quiet))},
	"runtime":        {inside: "the garbage collector", why: "finalizers and statistics", except: each("NumGoroutine ReadMemStats NumCgoCall", chance, each("Caller Callers CallersFrames Frames.Next FuncForPC Func.Name Func.FileLine GC GOMAXPROCS Gosched KeepAlive NumCPU Stack Version Goexit", quiet))},
	"weak":           {inside: "the garbage collector", why: "it says when something goes", except: each("Pointer.Value", exception{chance: true})},
	"reflect":        {args: mayReadAll, recv: nothing, inside: "values of reflection", why: "what a Value points to cannot be told", except: each("TypeOf TypeFor ValueOf DeepEqual Zero New", exception{first: mayReadAll, rest: mayReadAll, quiet: true})},
	"errors":         {args: calls, why: "it asks errors by their methods", except: each("As", exception{first: calls, rest: mayWrite})},
	"container/heap": {args: calls, why: "what it does is done by methods of its argument"},
	"container/ring": {args: mayWriteAll, recv: mayWriteAll, why: data.why, except: each("Ring.Len Ring.Do", exception{recv: mayReadAll})},
	"container/list": {args: mayWriteAll, recv: mayWriteAll, why: data.why,
		except: each("List.Len List.Front List.Back Element.Next Element.Prev", asksOnly, each("List.PushBack List.PushFront List.Init", exception{recv: writes, first: nothing}))},
	"strings": {args: mayRead, recv: mayWriteAll, why: "strings do not change",
		except: each("Builder.Len Builder.Cap Builder.String", asksOnly, each("Builder.Write Builder.WriteString Builder.WriteByte Builder.WriteRune Builder.Reset", changes), each("Replacer.Replace Replacer.WriteString", exception{}))},
	"bytes": {args: mayRead, recv: mayWriteAll, why: data.why,
		except: each("Buffer.Len Buffer.Cap Buffer.String Buffer.Bytes Buffer.Available", asksOnly, each("Buffer.Write Buffer.WriteString Buffer.WriteByte Buffer.WriteRune Buffer.Reset Buffer.ReadByte Buffer.ReadRune Buffer.Next", changes), each("Buffer.Read", exception{recv: writes, first: mayWrite}))},
	"strconv": {args: mayRead, why: "functions of values", except: each("AppendInt AppendUint AppendFloat AppendBool AppendQuote AppendQuoteRune AppendQuoteToASCII", appends)},
	"fmt": {args: formats, why: "its pool is in nobody's sight",
		except: each("Sscan Sscanf Sscanln Fscan Fscanf Fscanln Scan Scanf Scanln", exception{first: mayWriteAll, rest: mayWrite}, each("Fprint Fprintf Fprintln", exception{first: calls, rest: formats}), each("Append Appendf Appendln", exception{first: mayWrite, rest: formats}))},
	"slices": {args: mayRead, why: data.why,
		except: each("Sort SortFunc SortStableFunc Reverse", exception{first: mayWrite, rest: nothing}, each("Insert Delete DeleteFunc Replace Compact CompactFunc AppendSeq", appends))},
	"sort": {args: calls, why: "what is not done here is done by methods of its argument",
		except: each("Ints Strings Float64s Slice SliceStable", exception{first: mayWrite}, each("SearchInts SearchStrings SearchFloat64s IntsAreSorted StringsAreSorted Float64sAreSorted SliceIsSorted", exception{first: mayRead, rest: mayRead}))},
	"maps": {args: mayRead, why: data.why, except: each("Copy Insert DeleteFunc", exception{first: mayWrite, rest: mayRead})},
}

var random = each("Int IntN Int31 Int31n Int32 Int32N Int63 Int63n Int64 Int64N Intn Uint Uint32 Uint32N Uint64 Uint64N UintN N Float32 Float64 NormFloat64 ExpFloat64 Perm Shuffle Seed Read", chance)

// timeQuiet are the functions and methods of package time that have nothing to do
// with timers.
const timeQuiet = `Date Unix UnixMilli UnixMicro Parse ParseInLocation ParseDuration FixedZone
	Duration.Abs Duration.Hours Duration.Microseconds Duration.Milliseconds Duration.Minutes Duration.Nanoseconds Duration.Round Duration.Seconds Duration.String Duration.Truncate
	Month.String Weekday.String Location.String
	Time.Add Time.AddDate Time.After Time.AppendFormat Time.Before Time.Clock Time.Compare Time.Date Time.Day Time.Equal Time.Format Time.GoString Time.Hour Time.ISOWeek Time.In Time.IsZero
	Time.Local Time.Location Time.Minute Time.Month Time.Nanosecond Time.Round Time.Second Time.String Time.Sub Time.Truncate Time.UTC Time.Unix Time.UnixMicro Time.UnixMilli Time.UnixNano Time.Weekday Time.Year Time.YearDay Time.Zone`

// stdOf returns what a package of the standard library does.
func stdOf(path string) std {
	if s, ok := stds[path]; ok {
		return s
	}
	if first, _, _ := strings.Cut(path, "/"); first == "internal" || first == "vendor" || strings.Contains(path, "/internal/") {
		return std{args: mayWriteAll, recv: mayWriteAll, why: "what it has inside counts for who imports it"}
	}
	return std{args: mayWriteAll, recv: mayWriteAll, inside: "the insides", why: "nobody has looked"}
}
