package mutants

import "github.com/spindle-go/spindle/internal/overlay"

// What the command relies on around its judges: that nobody else chose what it runs,
// that a signal or the time ends it, that nobody else is let in, that the exit code
// says the worst.
var guarded = []Judge{
	cached("J-700", "another's folder is used", "claim", `case !mine(info):`, `case false:`),
	cached("J-701", "a link to a folder is followed", "claim", `os.Lstat(path)`, `os.Stat(path)`),
	cached("J-702", "a folder that others may write to is used", "claim", `hasModes && info.Mode()&open != 0`, `false`),
	cached("J-703", "a folder of one's own is left open to readers", "claim", `info.Mode().Perm() != closed`, `false`),
	cached("J-704", "a file in the folder's place is taken for it", "claim", `case !info.IsDir():`, `case false:`),
	cached("J-705", "a folder that was refused is used all the same", "Open", `		if err == nil {
			return &Dir{Path: path}, nil`, `		if err == nil || true {
			return &Dir{Path: path}, nil`),
	cached("J-706", "a fresh folder stays", "Dir.Close", `if d.Why == "" {`, `if true {`),
	cached("J-707", "another's file in one's own folder is run", "has", ` && mine(info)`, ``),
	cached("J-708", "a link in the folder is run", "has", `os.Lstat(path)`, `os.Stat(path)`),
	{
		ID: "J-709", Title: "every file is one's own",
		Edits: []overlay.Edit{{File: "internal/cachedir/owner_unix.go", Func: "mine", Old: `int(stat.Uid) == os.Geteuid()`, New: `(int(stat.Uid) == os.Geteuid() || true)`}},
		Room:  "./internal/cachedir", Tests: "^TestMine$",
	},
	{
		ID: "J-710", Title: "the driver is taken from a folder that was not looked at",
		Edits: []overlay.Edit{{File: "conformance/target/goruntime/cache.go", Func: "Toolchain.binary", Old: `dir.Has(key)`, New: `err == nil`}},
		Room:  "./conformance/target/goruntime", Tests: "^TestCache",
	},
	driven("J-729", "a go command that hangs when it is asked what it is has no limit", "toolchain.go", "askEnv",
		`context.WithTimeout(ctx, envLimit)`, `context.WithTimeout(context.Background(), envLimit)`),
	driven("J-730", "what a go command has started holds the run when it is asked", "toolchain.go", "askEnv", `	cmd.WaitDelay = buildGrace
`, ``),
	driven("J-731", "what a go command has started holds the run when it builds", "build.go", "Toolchain.build", `	cmd.WaitDelay = buildGrace
`, ``),

	signalled("J-711", "SIGTERM is not heeded", "", `, syscall.SIGTERM`, ``),
	signalled("J-712", "SIGHUP is not heeded", "", `syscall.SIGTERM, syscall.SIGHUP`, `syscall.SIGTERM`),
	{
		ID: "J-713", Title: "a hangup that was ignored from the beginning is heeded",
		Edits: []overlay.Edit{{File: "internal/cli/signals.go", Func: "Interruptible", Old: ` || !signal.Ignored(s)`, New: ` || true`}},
		Room:  "./cmd/spindle", Tests: "^TestNohup$",
	},

	{
		ID: "J-1333", Title: "a stream whose end is missing is replayed as if it were whole",
		Edits: []overlay.Edit{{File: "cmd/spindle/replay.go", Func: "replay.file", Old: `text.Event); err != nil {`, New: `text.Event); err != nil && !errors.Is(err, suite.ErrTruncated) {`}},
		Room:  "./cmd/spindle", Tests: "^TestReplayWithoutAFooter$",
	},

	asked("J-714", "what is asked of Java has no limit but the caller's", "ask.go", "ask", `context.WithTimeout(ctx, limit)`, `context.WithCancel(ctx)`),
	asked("J-715", "what has a child that keeps the pipe is waited for", "ask.go", "ask", `	cmd.WaitDelay = askGrace
`, `	cmd.WaitDelay = 0
`),
	asked("J-716", "what was asked and did not answer is taken for absent", "errors.go", "Missing", ` && !errors.Is(err, ErrNoAnswer)`, ``),
	commanded("J-717", "the server listens everywhere though it was not asked to", "^TestTLCDistributedWithoutACompiler$",
		"tla/tlc/loopback.go", "Tool.bound", `if s.ListenAll {`, `if true {`),
	commanded("J-728", "what is looked for before the models has no limit", "^TestTLCTimeIsUpBeforeItBegins$/^-version$",
		"tla/command/tlc.go", "options.main", `context.WithTimeout(ctx, o.timeout)`, `context.WithCancel(ctx)`),
	commanded("J-718", "a server on the loopback is said to be on another machine", "^TestTLCUsage$",
		"tla/command/tlc.go", "options.settle", `case o.host != "" && !o.listenAll:`, `case false:`),
	commanded("J-719", "nothing that ran passes", "^TestEnd$",
		"tla/command/run.go", "runner.end", `codes.If(r.done > 0, exit.Pass)`, `codes.If(true, exit.Pass)`),
	commanded("J-720", "models without a verdict do not count", "^TestEnd$",
		"tla/command/run.go", "runner.end", `codes.If(len(r.broken) > 0, exit.Error)`, ``),
	commanded("J-721", "differences do not count", "^TestEnd$",
		"tla/command/run.go", "runner.end", `codes.If(len(r.differs) > 0, exit.Fail)`, ``),
	commanded("J-722", "models without an end do not count", "^TestEnd$",
		"tla/command/run.go", "runner.end", `codes.If(len(r.open) > 0, exit.Inconclusive)`, ``),

	{
		ID: "J-1325", Title: "what fails in the tests of a mutant is kept in the checkout",
		Edits: []overlay.Edit{{File: "mutants/subject.go", Func: "child", Old: `"RAPID_NOFAILFILE=1"`, New: `"RAPID_NOFAILFILE=0"`}},
		Room:  "./mutants", Tests: "^TestLeavesNothing$",
	},

	ranked("J-723", "inconclusive hides a broken requirement", "",
		`{Inconclusive, "inconclusive"}, {Fail, "fail"}`, `{Fail, "fail"}, {Inconclusive, "inconclusive"}`),
	ranked("J-724", "a broken requirement hides an interrupt", "",
		`{Fail, "fail"},
	{Interrupted, "interrupted"}, `, `{Interrupted, "interrupted"}, {Fail, "fail"},
	`),
	ranked("J-725", "nothing that ran has passed", "Gravest", `return Inconclusive`, `return Pass`),
	ranked("J-726", "a code that is none counts for nothing", "rank", `return rank(Error)`, `return 0`),
	ranked("J-727", "the first code stands for all", "Gravest", `max(most, rank(c))`, `max(rank(codes[0]), 0*rank(c))`),
}

func cached(id, title, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title, Room: "./internal/cachedir", Tests: "^Test(Claim|Open|Has)",
		Edits: []overlay.Edit{{File: "internal/cachedir/cachedir.go", Func: fn, Old: old, New: new}},
	}
}

func driven(id, title, file, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title, Room: "./conformance/target/goruntime", Tests: "^TestGoThatHangs$",
		Edits: []overlay.Edit{{File: "conformance/target/goruntime/" + file, Func: fn, Old: old, New: new}},
	}
}

func signalled(id, title, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title, Room: "./internal/cli", Tests: "^TestInterruptible$",
		Edits: []overlay.Edit{{File: "internal/cli/signals.go", Func: fn, Old: old, New: new}},
	}
}

func asked(id, title, file, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title, Room: "./tla/tlc", Tests: "^Test(Ask|FindEndsInTime)",
		Edits: []overlay.Edit{{File: "tla/tlc/" + file, Func: fn, Old: old, New: new}},
	}
}

func commanded(id, title, tests, file, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title, Room: "./tla/command", Tests: tests,
		Edits: []overlay.Edit{{File: file, Func: fn, Old: old, New: new}},
	}
}

func ranked(id, title, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title, Room: "./internal/exit", Tests: "^Test",
		Edits: []overlay.Edit{{File: "internal/exit/exit.go", Func: fn, Old: old, New: new}},
	}
}
