package tla

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/spindle-go/spindle/tla/tlc"
)

const rowConfig = `\* Is it so?
\* expect: holds, 10 generated, 5 distinct, depth 3
\* asks: Safe
\* module: MCSched; set: full; seconds: 8
SPECIFICATION Spec
INVARIANTS Safe
`

func TestParseRow(t *testing.T) {
	good := Model{Name: "m", Module: "MCSched", Set: Full, Asks: "Safe", Generated: 10, Distinct: 5, Depth: 3, Seconds: 8}
	for _, c := range []struct {
		old, new string
		want     func(*Model)
	}{
		{"", "", func(*Model) {}},
		{"holds, 10 generated, 5 distinct, depth 3", "violates Safe, 45 states", func(m *Model) {
			m.Violates, m.Depth, m.Generated, m.Distinct = "Safe", 45, 0, 0
		}},
		{"seconds: 8", "seconds: 8; heap: 9000; judge: machine", func(m *Model) { m.HeapMB, m.MachineAlone = 9000, true }},
		{"\n", "\r\n", func(*Model) {}},
		{", 10 generated, 5 distinct, depth 3", "", func(m *Model) { m.Generated, m.Distinct, m.Depth = 0, 0, 0 }},
		{"\\* expect: holds, 10 generated, 5 distinct, depth 3\n", "", func(m *Model) {
			m.Absent, m.Generated, m.Distinct, m.Depth = true, 0, 0, 0
		}},
		{"\\* asks: Safe\n", "", func(m *Model) { m.Asks = "" }},
		{"asks: Safe", "asks: Safe Other", func(m *Model) { m.Asks = "Safe Other" }},
	} {
		want := good
		c.want(&want)
		got, err := parseRow("m", strings.ReplaceAll(rowConfig, c.old, c.new))
		if c.old == "" {
			got, err = parseRow("m", rowConfig)
		}
		if err != nil || !reflect.DeepEqual(*got, want) {
			t.Errorf("%q for %q: expected %+v, saw %+v, %v", c.new, c.old, want, got, err)
		}
	}
	if got, err := parseRow("m", "\\* Is it so?\nSPECIFICATION Spec\n"); err != nil || *got != (Model{Name: "m", Absent: true}) {
		t.Errorf("a head that says nothing: saw %+v, %v", got, err)
	}
}

// What is nearly a head is none: a row that were passed over would be a question that
// nobody asks.
func TestParseRowIsStrict(t *testing.T) {
	const second = `\* expect: holds, 10 generated, 5 distinct, depth 3` + "\n"
	const asks = `\* asks: Safe` + "\n"
	const third = `\* module: MCSched; set: full; seconds: 8` + "\n"
	for _, c := range []struct{ old, new, want string }{
		{"holds, 10 generated", "holds, 10 states", `cfg/m.cfg:2: malformed: expected "holds, N generated, N distinct, depth N" or "violates PROPERTY, N states" with numbers above 0, saw "holds, 10 states,`},
		{"holds", "hold", "cfg/m.cfg:2: "},
		{", 10 generated, 5 distinct, depth 3", " ", "cfg/m.cfg:2: "},
		{", 10 generated, 5 distinct, depth 3", ",", "cfg/m.cfg:2: "},
		{"10", "0", "cfg/m.cfg:2: "},
		{"10", "010", "cfg/m.cfg:2: "},
		{"10", "1e3", "cfg/m.cfg:2: "},
		{"10", "10,000", "cfg/m.cfg:2: "},
		{"10", "99999999999999999999", "value out of range"},
		{", depth 3", "", "cfg/m.cfg:2: "},
		{"depth 3", "depth 3 ", "cfg/m.cfg:2: "},
		{"depth 3", "depth 0", "cfg/m.cfg:2: "},
		{"holds, 10 generated, 5 distinct, depth 3", "violates Safe", "cfg/m.cfg:2: "},
		{"holds, 10 generated, 5 distinct, depth 3", "violates , 4 states", "cfg/m.cfg:2: "},
		{third, "", "cfg/m.cfg:4: malformed: expected a line `\\* module: MODULE; set: SET; seconds: N`, saw none"},
		{"module: MCSched; ", "module: set: full; ", "cfg/m.cfg:4: malformed: expected module"},
		{"module: MCSched", "module: ", "cfg/m.cfg:4: "},
		{"set: full; ", "", `cfg/m.cfg:4: malformed: set: expected one of [gate full night], saw ""`},
		{"set: full", "set: always", `saw "always"`},
		{"; seconds: 8", "", `cfg/m.cfg:4: malformed: seconds: expected a number above 0, saw ""`},
		{"seconds: 8", "seconds: 0", `saw "0"`},
		{"seconds: 8", "seconds: 8 s", `saw "seconds: 8 s"`},
		{"seconds: 8", "seconds: 8; seconds: 9", `each once and as NAME: VALUE with "; " between, saw "seconds: 9"`},
		{"seconds: 8", "seconds: 8; hours: 1", `saw "hours: 1"`},
		{"seconds: 8", "seconds: 8; judge", `saw "judge"`},
		{"seconds: 8", "seconds: 8; heap: 0", `heap: expected MiB above 0, saw "0"`},
		{"seconds: 8", "seconds: 8; judge: tlc", `judge: expected machine, which is the Go machine alone, or nothing, saw "tlc"`},
		{second, second + second, "cfg/m.cfg:3: malformed: expected the lines"},
		{third, third + third, "cfg/m.cfg:5: malformed: expected the lines"},
		{second + asks + third, third + second, "cfg/m.cfg:3: malformed: expected the lines"},
		{second, `\* More of it.` + "\n" + second, "cfg/m.cfg:3: "},
		{`\* Is it so?` + "\n", "", "cfg/m.cfg:1: "},
		{"INVARIANTS", second + "INVARIANTS", "cfg/m.cfg:6: "},
		{asks, asks + asks, "cfg/m.cfg:4: malformed: expected the lines"},
		{second + asks, asks + second, "cfg/m.cfg:3: malformed: expected the lines"},
		{asks + third, third + asks, "cfg/m.cfg:4: malformed: expected the lines"},
		{"asks: Safe", "asks: ", "cfg/m.cfg:3: malformed: expected names with a blank between two behind"},
		{"asks: Safe", "asks: Safe  Other", "cfg/m.cfg:3: "},
		{"asks: Safe", "asks: Safe ", "cfg/m.cfg:3: "},
	} {
		text := strings.Replace(rowConfig, c.old, c.new, 1)
		got, err := parseRow("m", text)
		if err == nil || !errors.Is(err, tlc.ErrFormat) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: expected %q, saw %+v, %v", c.new, c.old, c.want, got, err)
		}
	}
}

// Every row is read, and one that cannot be is an error, never a row less.
func TestRows(t *testing.T) {
	files, err := Files.ReadDir("cfg")
	if err != nil {
		t.Fatal(err)
	}
	models, err := Models(Files)
	if err != nil || len(models) != len(files) || len(models) == 0 {
		t.Errorf("expected a row of each of %d files, saw %d, %v", len(files), len(models), err)
	}
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	dir := fstest.MapFS{"cfg/a.cfg": file(rowConfig), "cfg/b.cfg": file("\\* Is it so?\nSPECIFICATION Spec\n"), "cfg/c.cfg": file(rowConfig)}
	if models, err = Models(dir); err != nil || len(models) != 2 || models[1].Name != "c" {
		t.Errorf("expected the rows of a and c, saw %v, %v", models, err)
	}
	dir["cfg/a.cfg"] = file(strings.Replace(rowConfig, "holds", "hold", 1))
	if models, err = Models(dir); err == nil || !strings.Contains(err.Error(), "cfg/a.cfg:2") {
		t.Errorf("expected an error about cfg/a.cfg, saw %v, %v", models, err)
	}
}

func TestUpdate(t *testing.T) {
	holds := func(change func(*tlc.Result)) *tlc.Result {
		r := &tlc.Result{Outcome: tlc.Holds, Generated: 12, Distinct: 6, Depth: 4, Workers: 1}
		change(r)
		return r
	}
	falls := func(change func(*tlc.Result)) *tlc.Result {
		r := &tlc.Result{Outcome: tlc.Violated, Property: "Safe", Generated: 7, Distinct: 3, Workers: 1, Trace: make([]tlc.State, 2)}
		change(r)
		return r
	}
	as := func(*tlc.Result) {}
	const line = "holds, 10 generated, 5 distinct, depth 3"
	violated := strings.Replace(rowConfig, line, "violates Safe, 45 states", 1)
	same := strings.Replace(rowConfig, line, "holds, 12 generated, 6 distinct, depth 4", 1)
	silent := strings.Replace(rowConfig, `\* expect: `+line+"\n", "", 1)
	for _, c := range []struct {
		name, text string
		r          *tlc.Result
		from, to   string // what is changed in text
		err        string
	}{
		{"the numbers", rowConfig, holds(as), line, "holds, 12 generated, 6 distinct, depth 4", ""},
		{"the same numbers", rowConfig, holds(func(r *tlc.Result) { r.Generated, r.Distinct, r.Depth = 10, 5, 3 }), "", "", ""},
		{"a depth that is not exact", rowConfig, holds(func(r *tlc.Result) { r.Workers = 2 }), line, "holds, 12 generated, 6 distinct, depth 3", ""},
		{"the length of a counterexample", violated, falls(as), "45", "2", ""},
		{"of a circle that another found", violated, falls(func(r *tlc.Result) { r.Workers = 0 }), "", "", ""},
		{"nothing yet", silent, holds(as), `\* asks`, `\* expect: holds, 12 generated, 6 distinct, depth 4` + "\n" + `\* asks`, ""},
		{"nothing yet, nor what it asks", strings.Replace(silent, `\* asks: Safe`+"\n", "", 1), holds(as), `\* module`, `\* expect: holds, 12 generated, 6 distinct, depth 4` + "\n" + `\* asks: Safe` + "\n" + `\* module`, ""},
		{"what it asks", strings.Replace(same, "asks: Safe", "asks: Other", 1), holds(as), "asks: Other", "asks: Safe", ""},
		{"what it asks, where nothing is noted", strings.Replace(same, `\* asks: Safe`+"\n", "", 1), holds(as), `\* module`, `\* asks: Safe` + "\n" + `\* module`, ""},
		{"the same in another order", strings.NewReplacer("asks: Safe", "asks: Other Safe", "INVARIANTS Safe", "INVARIANTS Safe Other").Replace(same), holds(as), "", "", ""},
		{"line ends of Windows", strings.ReplaceAll(rowConfig, "\n", "\r\n"), holds(as), line, "holds, 12 generated, 6 distinct, depth 4", ""},

		{"what held falls", rowConfig, falls(as), "", "", `expected that it holds, saw violates Safe; no other verdict is written: if it is right, put into cfg/m.cfg: \* expect: violates Safe, 2 states`},
		{"what fell holds", violated, holds(as), "", "", `saw holds; no other verdict is written: if it is right, put into cfg/m.cfg: \* expect: holds, 12 generated`},
		{"another property", violated, falls(func(r *tlc.Result) { r.Property = "Other" }), "", "", `expected that it violates Safe, saw violates Other; no other verdict is written: if it is right, put into cfg/m.cfg: \* expect: violates Other, 2 states`},
		{"one of two properties", violated, falls(func(r *tlc.Result) { r.Property, r.Candidates = "", []string{"Safe", "B"} }), "", "", "saw violates one of [Safe B]; no other verdict is written"},
		{"nothing yet, and it falls", silent, falls(as), "", "", `put into cfg/m.cfg: \* expect: violates Safe, 2 states`},
		{"nothing yet, and the depth is not exact", silent, holds(func(r *tlc.Result) { r.Workers = 2 }), "", "", "no other verdict is written"},
		{"no end", rowConfig, holds(func(r *tlc.Result) { r.Outcome = tlc.TimedOut }), "", "", "expected that it holds, saw timed out; no other verdict is written"},
		{"a simulation", rowConfig, holds(func(r *tlc.Result) { r.Outcome = tlc.Simulated }), "", "", "no other verdict is written"},
		{"a deadlock", rowConfig, falls(func(r *tlc.Result) { r.Outcome, r.Property = tlc.Deadlock, "" }), "", "", "no other verdict is written"},
		{"nothing of a module", "\\* Is it so?\nSPECIFICATION Spec\n", holds(as), "", "", "expected the question on the first line of cfg/m.cfg and on the second `\\* module: ; set: SET; seconds: N`"},
	} {
		row, err := parseRow("m", c.text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := (&Task{Model: *row, Config: c.text}).Update(c.r)
		want := c.text
		if c.from != "" {
			want = strings.Replace(c.text, c.from, c.to, 1)
		}
		if c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) || c.err == "" && (err != nil || got != want) {
			t.Errorf("%s: expected %q, %q, saw %q, %v", c.name, want, c.err, got, err)
		}
		if c.err != "" && strings.Contains(err.Error(), expectMark) != strings.Contains(c.err, expectMark) {
			t.Errorf("%s: expected a line to put there where there is one alone, saw %v", c.name, err)
		}
	}
}
