package mutants

import "github.com/spindle-go/spindle/internal/overlay"

// What stands between a child process and the judges: each of these believes a
// child too much, blames it for what it did not do, or is held up by it.
var childProcess = []Judge{
	// The client: whose end it was, and who waits for whom.
	client("J-501", "the end of the run is taken for a child's hang", "^TestRunEnds$",
		"client.go", "Client.ask", `case ctx.Err() != nil:`, `case false:`),
	client("J-502", "time in which the suite was stopped counts", "^TestSuiteStopped$",
		"client.go", "Client.ask", `awake.WithTimeout(ctx, c.o.Timeout)`, `context.WithTimeout(ctx, c.o.Timeout)`),
	client("J-503", "a child that was ended is asked again", "^TestHang$|^TestBrokenProtocol$|^TestCrash$",
		"client.go", "Client.Run", `		c.p = nil
`, ``),
	client("J-504", "a child that broke the protocol is not ended", "^TestGrandchild$",
		"client.go", "Client.Run", `		c.p.kill()
`, ``),
	client("J-505", "a question has the number that a child expects", "^TestPredictable$",
		"client.go", "Client.Run", `1 + rand.IntN(1<<31-1)`, `c.starts + 0*rand.IntN(2)`),
	client("J-506", "what a child says unasked is kept for the next question", "^TestSpeaksUnasked$",
		"process.go", "process.ask", `len(early) > 0`, `len(early) > 1<<20`),
	client("J-507", "who holds a dead child's output holds the suite", "^TestGrandchild$",
		"process.go", "process.hear", `gone, late = nil, time.After(toLetGo)`, `gone = nil`),
	client("J-508", "what a child leaves in its group lives on", "^TestGrandchild$",
		"process.go", "startProcess", `p.end(true)`, `_ = p`),
	client("J-509", "a child that dies in the middle of a line broke the protocol", "^TestCrash$|^TestDeaths$",
		"process.go", "process.death", `!state.Success()`, `false`),
	client("J-510", "a child that ends in order in the middle of a line has crashed", "^TestBrokenProtocol$",
		"process.go", "process.death", `when != "without an answer"`, `false`),
	client("J-511", "a child that closes its output is waited for", "^TestDeaths$",
		"process.go", "process.death", `	case <-time.After(toDie):
		return protocolError("expected an answer, saw the child close its output, %s, and live on", when)
`, ``),

	// What a child says.
	client("J-512", "an answer to another question is taken", "^TestPredictable$",
		"answer.go", "readAnswer", `case a.Seq != q.Seq:`, `case a.Seq == 0:`),
	client("J-513", "an answer may be nothing, or two things", "^TestBrokenProtocol$",
		"answer.go", "readAnswer", `case answered == (a.Error != ""):`, `case answered && a.Seq < 0:`),
	client("J-514", "the scenario is the one that the child says it was asked", "^TestSameAsInProcess$",
		"answer.go", "readAnswer", `h.Scenario = *q.Scenario`, `_ = h`),
	client("J-515", "a put may accept more than it was given", "^TestBrokenProtocol$",
		"answer.go", "checkAnswers", `op.Count > len(op.In)`, `op.Count < 0`),
	client("J-516", "the capacity of a history is not held against the hello", "^TestBrokenProtocol$",
		"answer.go", "checkAnswers", `h.Capacity != capacity`, `h.Capacity < 0`),
	client("J-517", "the capacity that was asked for is not held against the history", "^TestCapacity$",
		"answer.go", "capacity", `s.Capacity > 0 && caps.Resize`, `false`),
	client("J-518", "a hello may have any capacity", "^TestBadStart$",
		"answer.go", "Hello.check", `c > mostRing`, `false`),
	client("J-519", "a capacity that can be set may be any number", "^TestBadStart$",
		"answer.go", "Hello.check", `(c < 2 || c&(c-1) != 0)`, `c < 2`),
	client("J-520", "a name may be any text", "^TestBadStart$",
		"answer.go", "Hello.check", `case !name.MatchString(h.Name):`, `case h.Name == "":`),
	client("J-521", "a child's version is shown as it is", "^TestHello$",
		"answer.go", "Hello.check", `printable.Line(h.Version, 200)`, `h.Version`),
	client("J-522", "a child's errors are shown as they are", "^TestLaterFields$",
		"answer.go", "Answer.result", `printable.Line(a.Error, mostText)`, `a.Error`),
	client("J-523", "a child of another protocol is taken", "^TestBadStart$",
		"answer.go", "readHello", `case version.Hello.Protocol != Version:`, `case version.Hello.Protocol < 1:`),
	client("J-524", "an answer may be as long as it likes", "^TestBounds$",
		"answer.go", "boundsOf", `min(line, int64(most))`, `max(line, int64(most))`),
	client("J-525", "an answer may take as much memory as it likes", "^TestBounds$",
		"answer.go", "boundsOf", `min(memory, mostMemory)`, `max(memory, 1<<40)`),
	client("J-526", "calls that no script has are no part of the bounds", "^TestBounds$",
		"answer.go", "boundsOf", `2 * (calls + puts)`, `calls`),

	// JSON.
	strict("J-527", "a key may come twice", "^TestStricter$", "structs.go", "structReader", `seen&bit != 0`, `false`),
	strict("J-528", "an unknown key may come twice", "^TestStricter$", "scan.go", "keys.add", `bytes.Equal(other, key)`, `bytes.Equal(other, key) && false`),
	strict("J-529", "a key in another case is an unknown one", "^TestStricter$", "structs.go", "structReader", `strings.EqualFold(f.key, string(key))`, `false`),
	strict("J-530", "there is no limit of depth", "^TestLimits$", "decode.go", "decoder.elements", `d.depth == 0`, `d.depth == -1<<40`),
	strict("J-531", "what a list grows by is not counted", "^TestLimits$", "types.go", "sliceReader", `more * size`, `0*more*size`),
	strict("J-532", "what a list of ids takes is not counted", "^TestLimits$", "types.go", "readIDs", `8 * n`, `0 * n`),
	strict("J-533", "what is no UTF-8 is taken", "^TestStricter$", "scan.go", "decoder.strange", `r == utf8.RuneError && n == 1`, `r < 0`),
	strict("J-534", "half of a surrogate pair is taken", "^TestStricter$", "scan.go", "decoder.escape", `ok && utf16.IsSurrogate(r)`, `false && utf16.IsSurrogate(r)`),
	strict("J-535", "what follows the value is not looked at", "^TestMalformed$", "decode.go", "Decode", `d.at < len(text)`, `false`),
	strict("J-536", "numbers of more than 64 bits wrap", "^TestMalformed$", "scan.go", "decoder.unsigned", `n > (1<<64-1-uint64(c))/10`, `false`),
	strict("J-537", "an unknown key is an error", "^TestUnknownIsIgnored$", "structs.go", "structReader", `return d.skip()`, `return d.expected("a known key")`),
	strict("J-538", "a line may be longer than the limit", "^TestLines$", "lines.go", "Lines.Next", `len(l.buf)+len(part) > most+1 || `, ``),
	strict("J-539", "a line without its end is a line", "^TestLines$", "lines.go", "Lines.Next", `return l.buf, io.ErrUnexpectedEOF`, `return l.buf, nil`),

	// The clock that counts what was run, and what may be shown.
	{
		ID: "J-540", Title: "a tick that comes late counts in full",
		Edits: []overlay.Edit{{File: "internal/awake/awake.go", Func: "meter.count", Old: `min(max(now.Sub(m.last)-lost, 0), 2*m.period)`, New: `now.Sub(m.last) - lost`}},
		Room:  "./internal/awake", Tests: "^TestMeter$",
	},
	{
		ID: "J-541", Title: "every tick counts in full, none is two",
		Edits: []overlay.Edit{{File: "internal/awake/awake.go", Func: "meter.count", Old: `2*m.period)`, New: `m.period/2)`}},
		Room:  "./internal/awake", Tests: "^TestMeter$",
	},
	{
		ID: "J-546", Title: "the time that other processes have taken counts",
		Edits: []overlay.Edit{{File: "internal/awake/awake.go", Func: "meter.count", Old: `-lost, 0)`, New: `-0*lost, 0)`}},
		Room:  "./internal/awake", Tests: "^TestLost$",
	},
	{
		ID: "J-547", Title: "what threads wait side by side is lost one after the other",
		Edits: []overlay.Edit{{File: "internal/cputime/lost.go", Func: "lostBy", Old: `max(waited, t.waited)`, New: `waited+t.waited`}},
		Room:  "./internal/cputime", Tests: "^TestLost$",
	},
	{
		ID: "J-542", Title: "characters that cannot be seen are shown",
		Edits: []overlay.Edit{{File: "internal/printable/printable.go", Func: "character", Old: `case !strconv.IsPrint(r):`, New: `case !strconv.IsPrint(r) && r < 0:`}},
		Room:  "./internal/printable", Tests: "^TestLine$",
	},
	{
		ID: "J-543", Title: "a text may begin with a command of CI",
		Edits: []overlay.Edit{{File: "internal/printable/printable.go", Func: "character", Old: `(i == 0 || s[i-1] == ' ')`, New: `i > 0 && s[i-1] == ' '`}},
		Room:  "./internal/printable", Tests: "^TestLine",
	},
	{
		ID: "J-544", Title: "a seed is written as a number that other languages round",
		Edits: []overlay.Edit{{File: "spec/record/forms.go", Func: "Seed.String", Old: `"0x" + strconv.FormatUint(uint64(s), 16)`, New: `strconv.FormatUint(uint64(s), 10)`}},
		Room:  "./spec/record", Tests: "^TestTextForms$",
	},
	{
		ID: "J-545", Title: "any text is an object",
		Edits: []overlay.Edit{{File: "spec/record/forms.go", Func: "Object.UnmarshalText", Old: `string(text) == name`, New: `len(text) > 0 && text[0] == name[0]`}},
		Room:  "./spec/record", Tests: "^TestTextForms$",
	},
}

// client is a change of how a child is asked and heard.
func client(id, title, tests, file, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title,
		Edits: []overlay.Edit{{File: "conformance/target/child/" + file, Func: fn, Old: old, New: new}},
		Room:  "./conformance/target/child", Tests: tests,
	}
}

// strict is a change of how JSON is read.
func strict(id, title, tests, file, fn, old, new string) Judge {
	return Judge{
		ID: id, Title: title,
		Edits: []overlay.Edit{{File: "internal/strictjson/" + file, Func: fn, Old: old, New: new}},
		Room:  "./internal/strictjson", Tests: tests,
	}
}
