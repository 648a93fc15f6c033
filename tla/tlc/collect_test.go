package tlc

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// ended returns the error of a process that ended with code.
func ended(t *testing.T, code int) error {
	t.Helper()
	if code == 0 {
		return nil
	}
	err := exec.Command("sh", "-c", "exit "+strconv.Itoa(code)).Run()
	if err == nil {
		t.Fatal("expected an exit code")
	}
	return err
}

const (
	lockConfig  = "SPECIFICATION Spec\nINVARIANTS Exclusive Short\n"
	freeConfig  = lockConfig + "PROPERTY Free\n"
	twoLiveness = lockConfig + "PROPERTIES Free Served\n"
)

// TestOutput reads what TLC 2.18 printed, recorded in testdata/output, in pieces
// of different sizes.
func TestOutput(t *testing.T) {
	for _, c := range []struct {
		file, config string
		code         int
		simulate     int
		outcome      Outcome
		property     string
		counts       [3]int64 // generated, distinct, depth
		trace, back  int
		stutters     bool
	}{
		{"pass", freeConfig, 0, 0, Holds, "", [3]int64{53, 28, 9}, 0, 0, false},
		{"nolock", lockConfig, 12, 0, Violated, "Exclusive", [3]int64{17, 13, 5}, 5, 0, false},
		{"mv", lockConfig, 12, 0, Violated, "Exclusive", [3]int64{17, 13, 5}, 5, 0, false},
		{"action", "SPECIFICATION Spec\nPROPERTIES OwnerChanges Other\n", 13, 0, Violated, "OwnerChanges", [3]int64{17, 13, 5}, 5, 0, false},
		{"noleave", freeConfig, 13, 0, Violated, "Free", [3]int64{11, 8, 4}, 4, 0, true},
		{"noleave", twoLiveness, 13, 0, Violated, "", [3]int64{11, 8, 4}, 4, 0, true},
		{"served", freeConfig, 13, 0, Violated, "Free", [3]int64{53, 28, 9}, 9, 4, false},
		{"initbad", "INVARIANT InitBad", 12, 0, Violated, "InitBad", [3]int64{}, 1, 0, false},
		{"instance-init", "PROPERTY R3", 13, 0, Violated, "R3", [3]int64{}, 1, 0, false},
		{"instance-step", "PROPERTY R1", 13, 0, Violated, "R1", [3]int64{2, 2, 2}, 2, 0, false},
		{"dead", lockConfig, 11, 0, Deadlock, "", [3]int64{11, 8, 4}, 4, 0, false},
		{"sim", lockConfig, 12, 10, Violated, "Exclusive", [3]int64{21, 0, 0}, 5, 0, false},
		{"simok", lockConfig, 0, 100, Simulated, "", [3]int64{4001, 0, 0}, 0, 0, false},
	} {
		for _, size := range []int{1, 7, 1 << 20} {
			r, err := replayOutput(t, c.file, c.config, c.code, c.simulate, size)
			if err != nil {
				t.Errorf("%s: %v", c.file, err)
				continue
			}
			if counts := [3]int64{r.Generated, r.Distinct, int64(r.Depth)}; r.Outcome != c.outcome || r.Property != c.property || counts != c.counts ||
				len(r.Trace) != c.trace || r.Back != c.back || r.Stutters != c.stutters {
				t.Errorf("%s: expected %+v, saw %s %q %v, %d states, back to %d, stutters %v", c.file, c, r.Outcome, r.Property, counts, len(r.Trace), r.Back, r.Stutters)
			}
			if c.outcome == Violated && c.property == "" && len(r.Candidates) != 2 {
				t.Errorf("%s: expected 2 candidates, saw %v", c.file, r.Candidates)
			}
		}
	}
}

func replayOutput(t *testing.T, file, config string, code, simulate, size int) (*Result, error) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "output", file+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	cfg, err := ParseConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	c := newCollector(cfg, nil)
	for len(text) > 0 {
		n := min(size, len(text))
		_, _ = c.Write(text[:n])
		text = text[n:]
	}
	return c.conclude(Job{Module: "Lock", Simulate: simulate}, ended(t, code), "")
}

func TestFailuresOfTLC(t *testing.T) {
	for _, c := range []struct {
		file  string
		code  int
		class error
		line  string // the first
		lines int
	}{
		{"parse", 150, ErrParse, `Encountered "Beginning of definition" at line 6, column 11 and token "="`, 2},
		{"semantic", 150, ErrParse, "line 5, col 18 to line 5, col 18 of module Bad3", 2},
		{"unknown", 151, ErrConfig, "The invariant Unknown specified in the configuration file", 2},
		{"noconst", 151, ErrConfig, "The constant parameter Ms is not assigned a value by the configuration file.", 1},
		{"cfgsyntax", 255, ErrConfig, "TLC found an error in the configuration file at line 2", 2},
		{"nocfg", 255, ErrConfig, "TLC encountered the following error when trying to read the configuration file nothere.cfg:", 2},
		{"broken", 75, ErrEvaluate, "Attempted to apply tuple", 8},
		{"asserted", 76, ErrEvaluate, "Evaluating invariant Asserted failed.", 1},
		{"disk", 1, ErrDisk, "java.io.IOException: No space left on device", 3},
		{"memory", 255, ErrMemory, "Out Of Memory. There are probably too many initial states.", 1},
		{"pass", 1, ErrTLC, "it said nothing of it", 1},
		{"nolock", 0, ErrTLC, "Invariant Exclusive is violated.", 1}, // a violation must not look like a pass
	} {
		_, err := replayOutput(t, c.file, lockConfig, c.code, 0, 1<<20)
		var f *Failure
		if !errors.As(err, &f) || !errors.Is(err, c.class) {
			t.Errorf("%s: expected %v, saw %v", c.file, c.class, err)
			continue
		}
		if f.Lines[0] != c.line || len(f.Lines) > c.lines || f.Code != c.code {
			t.Errorf("%s: expected %q and at most %d lines, saw code %d, %q", c.file, c.line, c.lines, f.Code, f.Lines)
		}
	}
	// Only who asked for a simulation takes one for a result.
	if _, err := replayOutput(t, "simok", lockConfig, 0, 0, 99); !errors.Is(err, ErrTLC) {
		t.Errorf("expected %v, saw %v", ErrTLC, err)
	}
}

func TestStatesOfATrace(t *testing.T) {
	r, err := replayOutput(t, "mv", lockConfig, 12, 0, 99)
	if err != nil {
		t.Fatal(err)
	}
	s := r.Trace[4]
	if s.Action != "Enter" || s.Where != "line 33, col 3 to line 38, col 19 of module Lock" || len(s.Vars) != 4 {
		t.Errorf("saw %+v", s)
	}
	for name, want := range map[string]string{
		"owner": "{m1, m2}", "pc": `(m1 :> "in" @@ m2 :> "in")`, "log": "<<m2>>", "note": `[at |-> 0, text |-> "a\\b \"c\""]`, "none": "",
	} {
		if got := s.Get(name); got != want {
			t.Errorf("%s: expected %s, saw %s", name, want, got)
		}
	}
	if first := r.Trace[0]; first.Action != "" || first.Where != "" {
		t.Errorf("the initial state has an action: %+v", first)
	}
	if a := Actor(&r.Trace[3], &r.Trace[4]); a != "m2" {
		t.Errorf("expected m2 to act, saw %q", a)
	}
	if a := Actor(&r.Trace[0], &r.Trace[4]); a != "" {
		t.Errorf("expected nobody where two moved, saw %q", a)
	}
}

func TestCoverage(t *testing.T) {
	r, err := replayOutput(t, "pass", freeConfig, 0, 0, 99)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(r.Dead(), " "); got != "GiveUp" || len(r.Coverage) != 4 {
		t.Errorf("expected GiveUp alone to be dead, of 4, saw %q of %d", got, len(r.Coverage))
	}
	if c := r.Coverage[1]; c != (Coverage{Action: "Enter", Module: "Lock", Fresh: 6, Stepped: 20}) {
		t.Errorf("saw %+v", c)
	}
}

func TestExecution(t *testing.T) {
	r, err := replayOutput(t, "served", freeConfig, 13, 0, 99)
	if err != nil {
		t.Fatal(err)
	}
	e := r.Execution("Lock", "M")
	if want := "M2.Ask M1.Ask M2.Enter M2.Leave M2.Ask M2.Enter M2.Leave M2.Ask M2.Enter"; e.Schedule != want {
		t.Errorf("expected %s, saw %s", want, e.Schedule)
	}
	if strings.Join(e.Threads, " ") != "M1 M2" {
		t.Errorf("threads %v", e.Threads)
	}
	if s := e.Steps[2]; s.Thread != 1 || s.Action != "Lock!Enter" || s.Text != `owner = {2}; log = <<2>>  -> in` {
		t.Errorf("saw %+v", s)
	}
	if s := e.Steps[3]; s.Text != `owner = {}; note.at = 1  -> idle` {
		t.Errorf("saw %+v", s)
	}
	if s := e.Steps[3]; s.Switch == "" || s.Action != "Lock!Leave" {
		t.Errorf("expected step 3 to say that it comes again, saw %+v", s)
	}
}

// A thread may have all that it knows in one record.
func TestExecutionOfRecords(t *testing.T) {
	state := func(action, slot, th string) State {
		return State{Action: action, Vars: []Var{{"slot", slot}, {"th", th}}}
	}
	r := &Result{Trace: []State{
		state("", "(p1 :> <<0, 0>> @@ p2 :> <<0, 0>>)", `(p1 :> [h |-> 0, pc |-> "idle"] @@ p2 :> [h |-> 0, pc |-> "idle"])`),
		state("Load", "(p1 :> <<0, 0>> @@ p2 :> <<0, 0>>)", `(p1 :> [h |-> 0, pc |-> "idle"] @@ p2 :> [h |-> 7, pc |-> "put"])`),
		state("Put", "(p1 :> <<0, 0>> @@ p2 :> <<0, 5>>)", `(p1 :> [h |-> 0, pc |-> "idle"] @@ p2 :> [h |-> 0, pc |-> "idle"])`),
		state("Spoil", "(p1 :> <<1, 0>> @@ p2 :> <<0, 5>>)", `(p1 :> [h |-> 0, pc |-> "idle"] @@ p2 :> [h |-> 0, pc |-> "idle"])`),
	}}
	e := r.Execution("RunQueue", "P")
	var got []string
	for _, s := range e.Steps {
		got = append(got, e.Threads[s.Thread]+": "+s.Text)
	}
	want := "p2: .h = 7  -> put\np2: slot[p2][2] = 5; .h = 0  -> idle\nothers: slot[p1][1] = 1"
	if strings.Join(got, "\n") != want {
		t.Errorf("expected\n%s\nsaw\n%s", want, strings.Join(got, "\n"))
	}
}
