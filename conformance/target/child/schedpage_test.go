package child

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/conformance/target/sched"
	"github.com/spindle-go/spindle/internal/strictjson"
	"github.com/spindle-go/spindle/spec/record"
)

// schedulerPage returns the lines of the exchange of SCHEDULERS.md: "< " and what the child says, "> " and what it is asked.
func schedulerPage(t testing.TB) (lines []string) {
	t.Helper()
	text, err := os.ReadFile("SCHEDULERS.md")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "< {") || strings.HasPrefix(line, "> {") {
			lines = append(lines, line)
		}
	}
	if len(lines) < 9 {
		t.Fatalf("SCHEDULERS.md has an exchange of %d lines", len(lines))
	}
	return lines
}

// schedulerKinds says where the schema has a kind of line, and what reads it.
var schedulerKinds = map[string]func(line []byte) error{
	"greeting": func(line []byte) error { _, err := readSchedulerHello(line); return err },
	"question": func(line []byte) error {
		var q schedulerQuestion
		if err := strictjson.Decode(line, &q, strictjson.Limits{}); err != nil || q.Graph == nil {
			return err
		}
		_, err := (&record.TaskGraph{Workers: q.Graph.Workers, Outside: q.Graph.Outside, Tasks: q.Graph.Tasks}).Program()
		return err
	},
	"answer": func(line []byte) error { return strictjson.Decode(line, new(schedulerAnswer), strictjson.Limits{}) },
}

func kindOf(line string) string {
	switch {
	case strings.HasPrefix(line, "> "):
		return "question"
	case strings.Contains(line, `"hello"`):
		return "greeting"
	}
	return "answer"
}

var schedulers = described{"schedulers.json", "SCHEDULERS.md", schedulerKinds}

// TestSchedulerPage: the exchange of the page is one that the suite leads, and that it believes.
func TestSchedulerPage(t *testing.T) {
	var r *running // of the last run
	asked := make(map[int]string)
	for _, line := range schedulerPage(t) {
		kind, text := kindOf(line), line[2:]
		if err := schedulers.compile(t, kind).Validate(instance(t, text)); err != nil {
			t.Errorf("%.200s: %v", text, err)
		}
		if err := schedulerKinds[kind]([]byte(text)); err != nil {
			t.Errorf("%.200s: the reader says %v", text, err)
		}
		switch kind {
		case "greeting":
			if h, err := readSchedulerHello([]byte(text)); err != nil || h.Contract["closes"] != "alone" || !h.Capabilities.Spawn {
				t.Errorf("saw %+v, %v", h, err)
			}
		case "question":
			var q schedulerQuestion
			_ = json.Unmarshal([]byte(text), &q)
			asked[q.Seq] = q.Cmd
			switch q.Cmd {
			case Run:
				g := record.TaskGraph{Workers: q.Graph.Workers, Outside: q.Graph.Outside, Tasks: q.Graph.Tasks}
				p, err := g.Program()
				if err != nil {
					t.Fatal(err)
				}
				if want := graphOf(p, q.Graph.Last); !reflect.DeepEqual(q.Graph, want) {
					t.Errorf("asked as %+v, the page has %+v", want, q.Graph)
				}
				r = &running{g: p, seq: q.Seq}
			case releaseCmd:
				r.leaves = true
			}
		case "answer":
			a, err := r.read([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			switch asked[a.Seq] {
			case Run:
				if _, err := r.answered(a); err != nil {
					t.Errorf("%.200s: %v", text, err)
				}
			case lookCmd:
				if err := checkLog(r.g, taskEvents(a.SoFar), r.leaves); err != nil || a.SoFar == nil {
					t.Errorf("%.200s: %v", text, err)
				}
				r.sofar = taskEvents(a.SoFar)
			case releaseCmd:
			default:
				t.Errorf("%.200s answers no question", text)
			}
			delete(asked, a.Seq)
		}
	}
	if len(asked) > 0 {
		t.Errorf("without an answer: %v", asked)
	}
}

// schedulerExchange is what a scheduler in Go says, and what it is asked, by the kind of line.
func schedulerExchange(t *testing.T) map[string][]string {
	t.Helper()
	lines := make(map[string][]string)
	ask := func(q schedulerQuestion) string {
		text, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		lines["question"] = append(lines["question"], string(text))
		return string(text) + "\n"
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out := make(chan string, 100)
	hello := SchedulerHello{Name: "sched", Version: "1", Profile: "cooperative", Contract: map[string]string{"submits": "outside"}, Notes: []string{"x"}, Workers: []int{1, 2}, IdleTimes: []int64{7}, Housekeeping: []string{"GC"}}
	done := make(chan error, 1)
	go func() { done <- ServeScheduler(read, lineWriter(out), hello, sched.New) }()
	next := func() string {
		select {
		case line := <-out:
			return line
		case <-time.After(time.Minute):
			t.Fatal("no answer within a minute")
		}
		return ""
	}
	lines["greeting"] = []string{next()}
	say := func(q schedulerQuestion) { _, _ = write.WriteString(ask(q)) }
	// The number of workers changes when no task waits on its worker: that stops the world.
	for i, g := range []*record.TaskProgram{program(t, "1:s0/"), program(t, "2:s0 s1 s2 z10 a0 w1 j0 j1 j2 r3|z1/p0 a1 y z10/m2 l0/m2 s3/k1")} {
		say(schedulerQuestion{Seq: 10 + i, Cmd: Run, Graph: graphOf(g, i == 1)})
		lines["answer"] = append(lines["answer"], next())
	}
	say(schedulerQuestion{Seq: 20, Cmd: Run, Graph: graphOf(program(t, "1:w0"), false)})
	for _, cmd := range []string{lookCmd, releaseCmd} {
		say(schedulerQuestion{Seq: 21 + len(lines["answer"]), Cmd: cmd})
		lines["answer"] = append(lines["answer"], next())
	}
	lines["answer"] = append(lines["answer"], next())
	_, _ = write.WriteString(`{"seq":40,"cmd":"dance"}` + "\n")
	lines["answer"] = append(lines["answer"], next())
	write.Close()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	lines["answer"] = append(lines["answer"], `{"seq":7,"full":true}`)
	return lines
}

// A lineWriter sends what is written to it, a line at a time.
type lineWriter chan string

func (w lineWriter) Write(b []byte) (int, error) {
	w <- strings.TrimSpace(string(b))
	return len(b), nil
}

// Each line of a real exchange fits the schema; one that is damaged in one place fits neither the schema nor the reader.
func TestSchedulerSchema(t *testing.T) { schedulers.holdsLines(t, schedulerExchange(t), 200) }

// The schema has the fields that the types have, and the page names each.
func TestEverySchedulerFieldIsDescribed(t *testing.T) {
	silent := []string{"sized", "idle_times", "wakes", "deadlock"} // capabilities that no message is about
	greeting := reflect.TypeFor[struct {
		Hello *SchedulerHello `json:"hello"`
	}]()
	schedulers.holdsFields(t, map[string]reflect.Type{"greeting": greeting, "question": reflect.TypeFor[schedulerQuestion](), "answer": reflect.TypeFor[schedulerAnswer]()},
		func(_ reflect.Type, where, key string) bool {
			return strings.HasSuffix(where, ".capabilities") && slices.Contains(silent, key)
		})
}

// FuzzSchedulerLine: whatever a scheduler says, it is read without a panic; what is taken holds against the graph, and what is shown of it can be seen.
func FuzzSchedulerLine(f *testing.F) {
	for _, line := range schedulerPage(f) {
		f.Add([]byte(line[2:]))
	}
	f.Add([]byte(`{"hello":{"protocol":3,"subject":"scheduler","name":"x","contract":{"\u001b":"::x"},"notes":["\u001b"],"workers":[1],"housekeeping":["\u001b"]}}`))
	f.Add([]byte(`{"seq":77245,"error":"::x\u001b"}`))
	f.Add([]byte(`{"seq":77245,"full":true,"events":[]}`))
	f.Add([]byte(`{"seq":77245,"sofar":[["did",-1,"s0",9223372036854775807,"refused: \u001b"]],"now":-1}`))
	graphs := []*record.TaskProgram{program(f, "2:s0 s1/m0/m0"), program(f, "1:s0 w0/"), program(f, "1:s0 c|v/z10 p0 x")}
	shown := func(t *testing.T, texts ...string) {
		for _, s := range texts {
			if strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) || len(s) > 100_000 {
				t.Errorf("shows %.200q", s)
			}
		}
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if h, err := readSchedulerHello(line); err == nil {
			shown(t, append(h.Notes, h.Name, h.Version, h.Profile, h.Subject)...)
		} else {
			shown(t, err.Error())
		}
		for _, g := range graphs {
			a, err := readSchedulerAnswer(line, g)
			if err != nil {
				shown(t, err.Error())
				continue
			}
			shown(t, a.Error)
			r := &running{g: g, seq: 77245, leaves: true}
			events, err := r.answered(a)
			if err != nil {
				shown(t, err.Error())
				continue
			}
			for i := range events {
				shown(t, events[i].Text, events[i].Step, events[i].String())
			}
			crowded(g, events, false)
			pendingIn(events)
			sleepersOf(events, time.Duration(a.Now))
			if fmt.Sprint(events) != fmt.Sprint(r.noted(events)) {
				t.Error("a run that has not stopped has notes")
			}
		}
	})
}

// TestSchedulerCapabilities: the capabilities that the smoke run knows are those that the hello is read for, and each is on the page.
func TestSchedulerCapabilities(t *testing.T) {
	page, err := os.ReadFile("SCHEDULERS.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "The capabilities:")
	text, _, _ = strings.Cut(text, "\n\n")
	var fields []string
	for f := range reflect.TypeFor[scheduler.Capabilities]().Fields() {
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !slices.Contains([]string{"sized", "idle_times", "wakes", "deadlock"}, key) { // no message is about these
			fields = append(fields, key)
		}
	}
	if a, b := slices.Sorted(slices.Values(fields)), slices.Sorted(slices.Values(SchedulerCapabilities)); !slices.Equal(a, b) {
		t.Errorf("expected %v, saw %v", a, b)
	}
	for _, c := range SchedulerCapabilities {
		if !strings.Contains(text, "`"+c+"`") {
			t.Errorf("SCHEDULERS.md does not say what %s is", c)
		}
	}
	hello := `{"hello":{"capabilities":{"spwan":true,"spawn":true,"deadlock":true}}}`
	if saw := unknownCapabilities([]byte(hello)); !slices.Equal(saw, []string{"deadlock", "spwan"}) {
		t.Errorf("expected deadlock and spwan, saw %v", saw)
	}
	for _, sound := range []string{`{"hello":{"capabilities":{"spawn":true}}}`, `{"hello":{}}`} {
		if saw := unknownCapabilities([]byte(sound)); saw != nil {
			t.Errorf("%s: expected none, saw %v", sound, saw)
		}
	}
}
