package outside_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
)

// badTests are the tests in testdata/bad, and what go test must say of each:
// that it is wrong, by name.
var badTests = map[string][]string{
	"TestNeverEnds":          {"step bound: no end after 10000 steps"},
	"TestWaitsForEver":       {"livelock: waits repeats done.Load (bad_test.go:"},
	"TestLeaksThread":        {"deadlock: nobody can go on: starter.1 waits at"},
	"TestFatalInThread":      {"thread fatal called t.Fatal, t.FailNow or t.Skip", "call Fatalf of the Exec instead"},
	"TestFatalAfterStep":     {"thread fatal called t.Fatal, t.FailNow or t.Skip", "(0a)"},
	"TestGoexit":             {"deadlock: nobody can go on: two waits at mu.Lock (bad_test.go:", "held by one"},
	"TestPanicInFinally":     {"panic in Finally: the panic", "bad_test.go:", "to reproduce: "},
	"TestPanicInThread":      {"panic in one: the panic", "bad_test.go:", "to reproduce: "},
	"TestPanicInBody":        {"panic in the body: the panic", "bad_test.go:"},
	"TestRecoversEveryPanic": {"step bound: no end after"},
	"TestRecoversAndIsWrong": {"assertion in two: in between", "schedule 0a.1b"},
	"TestSends":              {"deadlock: nobody can go on: sender waits at c.send (bad_test.go:"},
	"TestReceives":           {"deadlock: nobody can go on: receiver waits at c.receive (bad_test.go:"},
	"TestCloses":             {"panic in closer: close of closed channel", "c.close panics: it is closed"},
	"TestSelects":            {"deadlock: nobody can go on: selecter waits at select of send to the channel made at bad_test.go:151 or receive from the channel made at bad_test.go:151 (bad_test.go:153)"},
	"TestWrongByChance":      {"now and then", "it could not be run again: the same schedule gave no failure"},
	"TestTooManyThreads":     {"more than 32 threads"},
	"TestGoInThread":         {"panic in one: interleave: Go called after the body has returned"},
	"TestExits":              {"panic in one: unexpected call to os.Exit(0)"},
	"TestUnlocks":            {"unlock of unlocked mutex", "mu.Unlock  bad_test.go:"},
	"TestLocksTwice":         {"deadlock: nobody can go on: one waits at mu.Lock (bad_test.go:", "held by one"},
	"TestNegativeCount":      {"negative WaitGroup counter", "bad_test.go:"},
	"TestSecondCall":         {"assertion in Finally: the second", "SPINDLE_SCHEDULE=1:"},
	"TestErrorInThread":      {"called Error, Fail or Skip of t: call Errorf of the Exec"},
	"TestSkipInPull":         {"called Error, Fail or Skip of t: call Errorf of the Exec"},
	"TestFatalInFinally":     {"a function given to Finally, called runtime.Goexit, or t.Fatal"},
	"TestFatalInBody":        {"the body, or a function given to Finally, called runtime.Goexit, or t.Fatal"},
	"TestNoThreads":          {"the body started no thread"},
	"TestNested":             {"Test called by a thread of an exploration"},
}

// badModule has the bad tests as a package of another module.
func badModule(t *testing.T) *module {
	files := make(map[string]string)
	names, _ := filepath.Glob("testdata/bad/*.go")
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(name)] = string(text)
	}
	return newModule(t, files)
}

func TestBad(t *testing.T) {
	tier.OnlyFull(t)
	m := badModule(t)
	out, _ := m.run(".", "go test -v -skip Slow -timeout 60s .")
	for name, want := range badTests {
		if says := of(out, name); !failed(out, name) || !containsAll(says, want) {
			t.Errorf("%s: expected a failure with %q; observed\n%s", name, want, head(says))
		}
	}
	for line := range strings.Lines(out) {
		name, ok := strings.CutPrefix(line, "=== RUN   ")
		if name = strings.TrimSpace(name); ok && badTests[name] == nil {
			t.Errorf("nobody says what is expected of %s", name)
		}
	}
}

// TestSlowBad has those for which the watchdog's time must pass.
func TestSlowBad(t *testing.T) {
	tier.OnlyFull(t)
	m := badModule(t)
	out, _ := m.run(".", "go test -v -run Slow -timeout 120s .")
	for name, want := range map[string][]string{
		"TestSlowSpins":  {"a thread has neither come to an operation nor ended; it is at", "slow_test.go:"},
		"TestSlowBlocks": {"nobody can go on, and it is not known whether that is a deadlock: thread T", "waits in code that is not explored", "log.(*Logger)", "slow_test.go:"},
	} {
		if says := of(out, name); !failed(out, name) || !containsAll(says, want) {
			t.Errorf("%s: expected a failure with %q; observed\n%s", name, want, head(says))
		}
	}
}

// TestScheduleOfAnother has schedules that are of no use here: each is refused
// with what is wrong with it.
func TestScheduleOfAnother(t *testing.T) {
	tier.OnlyFull(t)
	m := badModule(t)
	if out, code := m.run(".", "go test -c -o bad.test ."); code != 0 {
		t.Fatal(out)
	}
	for schedule, want := range map[string]string{
		"0a.1z":  "the schedule does not fit this program: at step 1 the schedule has thread z go on, which does not exist",
		"0b.1b":  "at step 1 the schedule has thread b go on, which has ended",
		"hello":  `"hello" is no switch: want a step and a thread, as in 12b`,
		"3a.2b":  "step 2 does not come after step 3",
		"0a.99b": "it has a switch at step 99, and the execution ended after",
		"0a":     "at most one execution was run, that of SPINDLE_SCHEDULE=0a, and nothing failed",
		"7:0a":   "at most one execution was run, that of SPINDLE_SCHEDULE=7:0a, and nothing failed",
	} {
		out, code := m.run(".", "./bad.test -test.run '^TestRecoversAndIsWrong$'", "SPINDLE_SCHEDULE="+schedule)
		if code != 1 || !strings.Contains(out, want) {
			t.Errorf("schedule %s: exit %d, want 1, and %q in\n%s", schedule, code, want, out)
		}
	}
}

// of returns what was printed during a test.
func of(out, name string) string {
	_, after, _ := strings.Cut("\n"+out, "\n=== RUN   "+name+"\n")
	before, _, _ := strings.Cut(after, "\n=== RUN ")
	return before
}

func failed(out, name string) bool { return strings.Contains(out, "--- FAIL: "+name+" (") }

func containsAll(text string, want []string) bool {
	for _, w := range want {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// head is the beginning of a text that may be long.
func head(text string) string { return text[:min(len(text), 1500)] }
