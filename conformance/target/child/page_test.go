package child

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/linearizability"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/sequential"
)

// python returns the command of the child in Python.
func python(t *testing.T) func() *exec.Cmd {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil {
		if tier.Required("python") {
			t.Fatalf("SPINDLE_REQUIRE wants python: %v", err)
		}
		t.Skipf("the child in Python was not tried: %v", err)
	}
	return func() *exec.Cmd { return exec.Command(path, "testdata/child.py") }
}

// page returns the exchange of PROTOCOL.md: the hello, and questions and answers
// in turn.
func page(t testing.TB) (hello string, questions, answers []string) {
	t.Helper()
	text, err := os.ReadFile("PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if said, ok := strings.CutPrefix(line, "< "); ok {
			answers = append(answers, said)
		} else if asked, ok := strings.CutPrefix(line, "> "); ok {
			questions = append(questions, asked)
		}
	}
	if len(questions) == 0 || len(answers) != len(questions)+1 {
		t.Fatalf("PROTOCOL.md has %d questions and %d lines of the child", len(questions), len(answers))
	}
	return answers[0], questions, answers[1:]
}

func TestPageFitsSchema(t *testing.T) {
	hello, questions, answers := page(t)
	for kind, lines := range map[string][]string{"greeting": {hello}, "question": questions, "answer": answers} {
		for _, line := range lines {
			if err := compile(t, kind).Validate(instance(t, line)); err != nil {
				t.Errorf("%.200s: %v", line, err)
			}
			if err := kinds[kind]([]byte(line)); err != nil {
				t.Errorf("%.200s: the reader says %v", line, err)
			}
		}
	}
}

// same reports what differs between two answers, besides the stamps of a clock.
func same(t *testing.T, got, want string) {
	t.Helper()
	var texts [2][]byte
	for i, line := range []string{got, want} {
		var a Answer
		if err := json.Unmarshal([]byte(line), &a); err != nil || a.History == nil {
			t.Fatalf("%.200s: %v; want a history", line, err)
		}
		if a.History.Clock != record.ClockOrder {
			a.History.Clock = ""
			for j := range a.History.Ops {
				a.History.Ops[j].Call, a.History.Ops[j].Return = 0, 0
			}
		}
		texts[i], _ = json.Marshal(a)
	}
	if !bytes.Equal(texts[0], texts[1]) {
		t.Errorf("got\n%s, want\n%s", texts[0], texts[1])
	}
}

// The exchange of the page is what a queue in Go and the one in Python say.
func TestPageInGo(t *testing.T) {
	_, questions, answers := page(t)
	var out strings.Builder
	err := Serve(strings.NewReader(strings.Join(questions, "\n")+"\n"), &out, Hello{Name: "x"}, queue.Single(func() *fifo { return &fifo{} }))
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(out.String()), "\n")[1:] {
		same(t, line, answers[i])
	}
}

func TestPageInPython(t *testing.T) {
	hello, questions, answers := page(t)
	cmd := python(t)()
	cmd.Stdin = strings.NewReader(strings.Join(questions, "\n") + "\n")
	cmd.Stderr = t.Output()
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	said := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(said) != 1+len(answers) {
		t.Fatalf("%d lines, want %d", len(said), 1+len(answers))
	}
	got, err := readHello([]byte(said[0]))
	want, err2 := readHello([]byte(hello))
	if got.Version = want.Version; err != nil || err2 != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("hello %+v, %v; the page has %+v, %v", got, err, want, err2)
	}
	for i, line := range said[1:] {
		same(t, line, answers[i])
	}
}

// The child in Python is a right queue: every witness that judges histories says
// so, of calls in a fixed order and of threads.
func TestPythonIsRight(t *testing.T) {
	c, err := Start(t.Context(), python(t), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	rules := sequential.RulesOf(spec.FIFO, 0)
	for i := range 60 {
		s := anyScenario(rand.New(rand.NewPCG(1, uint64(i))), i%2 == 0)
		h, err := c.Run(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		asked := 0
		for t := range s.Threads {
			asked += s.Calls(t)
		}
		if len(h.Ops) != asked {
			t.Errorf("%d calls of %d", len(h.Ops), asked)
		}
		if vs := sequential.Conserve(h); len(vs) > 0 {
			t.Error(vs)
		}
		if s.Order != nil {
			if vs, stopped := sequential.Replay(h, rules); len(vs) > 0 || stopped >= 0 {
				t.Error(vs)
			}
		}
		if r := linearizability.Check(h, linearizability.Options{Rules: rules}); r.Verdict != linearizability.Ok {
			t.Errorf("%+v", r.Explanation())
		}
	}
}

// anyScenario draws one of puts, gets, steals and looks by two owners and a
// thief, in a fixed order or by threads.
func anyScenario(r *rand.Rand, ordered bool) record.Scenario {
	s := record.Scenario{Name: "any", Seed: record.Seed(r.Uint64()), Ps: 2, Threads: []record.Thread{{P: 0}, {P: 1}, {P: record.None}}}
	for i := range s.Threads {
		letters := []string{"pppgggsel", "ppggses", "sel"}[i]
		var script strings.Builder
		for range 1 + r.IntN(12) {
			script.WriteByte(letters[r.IntN(len(letters))])
		}
		s.Threads[i].Script = script.String()
		if !ordered {
			s.Threads[i].Repeat = 1 + r.IntN(5)
		}
		for range s.Calls(i) {
			if ordered {
				s.Order = append(s.Order, i)
			}
		}
	}
	if !ordered && r.IntN(2) == 0 { // another owner of P0, and quiet calls of all
		s.Shared = true
		s.Threads = append(s.Threads, record.Thread{P: 0, Script: "pg"})
		s.Before, s.After = "T0:pp T2:s T1:p T3:p", "T1:ge T3:g T0:l T2:s0"
	}
	r.Shuffle(len(s.Order), func(i, j int) { s.Order[i], s.Order[j] = s.Order[j], s.Order[i] })
	return s
}

// TestServeQuiet: a child in Go makes quiet calls, whatever else it says that it can do.
func TestServeQuiet(t *testing.T) {
	for _, caps := range []queue.Capabilities{{}, {Len: true}} {
		var out strings.Builder
		if err := Serve(strings.NewReader(""), &out, Hello{Name: "x", Capabilities: caps}, queue.Single(func() *fifo { return &fifo{} })); err != nil {
			t.Fatal(err)
		}
		if h, err := readHello([]byte(strings.TrimSpace(out.String()))); err != nil || !h.Capabilities.Quiet {
			t.Errorf("%+v: expected quiet calls in the hello, saw %+v, %v", caps, h, err)
		}
	}
}
