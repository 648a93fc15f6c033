package operators

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/overlay"
	"github.com/spindle-go/spindle/internal/tier"
)

// present are the packages that have designs, and the fixture.
func present(t *testing.T) map[string]*Design {
	t.Helper()
	all := map[string]*Design{"fixture": mustFixture(t)}
	for name, dir := range map[string]string{"designs": "../../conformance/designs", "runq": "../../impl/runq"} {
		d, err := Generate(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = d
	}
	return all
}

// overlaid writes the sources of designs and returns the overlay's file.
func overlaid(t *testing.T, all map[string]*Design) string {
	t.Helper()
	set, err := overlay.New("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range all {
		for file, text := range d.Source() {
			if err := set.Put(file, text); err != nil {
				t.Fatal(err)
			}
		}
	}
	file, err := set.Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// drive returns a function that runs testdata/drive.
func drive(t *testing.T, overlay string) func(env string, args ...string) []string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "drive")
	if out, err := exec.Command("go", "build", "-overlay="+overlay, "-o", binary, "./testdata/drive").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v: %.2000s", err, out)
	}
	return func(env string, args ...string) []string {
		t.Helper()
		cmd := exec.Command(binary, args...)
		cmd.Env = append(os.Environ(), "SPINDLE_INTERNAL_MUTANT="+env)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("drive %v: %v", args, err)
		}
		return strings.Split(strings.TrimRight(string(out), "\n"), "\n")
	}
}

// TestRuns holds that all mutants compile in one binary; that with none chosen each
// package does what it did; that a mutant, of each form of function, does what
// its text says; and that one is chosen by the environment, or one after another.
func TestRuns(t *testing.T) {
	tier.OnlyFull(t)
	all := present(t)
	was, is := drive(t, ""), drive(t, overlaid(t, all))
	for name := range all {
		want := was("", name)
		if got := is("", name); got[0] != want[0] {
			t.Errorf("%s without a mutant: expected %s, saw %s", name, want, got)
		}
	}
	cases := []struct{ operator, fn, new, want string }{
		{"cas-void", "Ring.Take", "if r.head.CompareAndSwap(h, h) {", "take 0 true 0 true; "},
		{"cas-store", "Ring.Both", "if try && func() bool { atomic.StoreInt64(&r.word, 7); return true }() {", "both false true true; "},
		{"mask", "Mask", "func Mask(x, n uint32) uint32 { return (x) + x%n + x<<2 }", "mask 70; "},
		{"count", "Ring.Sum", "total -= xs[i]", "sum -6; "},
		{"return", "Leave", "", "leave 6; "},
		{"arithmetic", "Value.Plus", "func (v Value) Plus(m int, _ string) int { return v.n - m }", "plus -4; "},
		{"access-double", "Value.None", "counter.Add(2); counter.Add(2)", "none 4; "},
		{"access-omit", "Stack.Push", "func (s *Stack[T]) Push(x T) { }", "stack  false  false  false; "},
		{"return", "Longest", "return a", "longest [1]; "},
		{"exchange", "Swap", "return b, a", "swap 3 2; "},
	}
	args := []string{"fixture"}
	for _, c := range cases {
		args = append(args, number(t, c.operator, c.fn, c.new))
	}
	args = append(args, "0")
	lines := is("", args...)
	for i, c := range cases {
		if !strings.Contains(lines[i], c.want) {
			t.Errorf("%s of %s, %s: expected %s in %s", c.operator, c.fn, c.new, c.want, lines[i])
		}
	}
	if want := was("", "fixture")[0]; lines[len(cases)] != want {
		t.Errorf("without a mutant, after others: expected %s, saw %s", want, lines[len(cases)])
	}
	if got := is(args[1], "fixture")[0]; got != lines[0] {
		t.Errorf("mutant %s by the environment: expected %s, saw %s", args[1], lines[0], got)
	}
}

// number finds a mutant of the fixture.
func number(t *testing.T, operator, fn, new string) string {
	t.Helper()
	for _, m := range mustFixture(t).Mutants() {
		if m.Operator == operator && m.Func == fn && m.New == new {
			return fmt.Sprint(m.Number)
		}
	}
	t.Fatalf("expected a mutant %s of %s with %q, saw none", operator, fn, new)
	return ""
}

// TestExplored holds that to the explorer code without a mutant is what it was: as
// many executions, as many steps, and no doubt; and that it sees a mutant, which
// may be chosen for the process, or between two explorations.
func TestExplored(t *testing.T) {
	tier.OnlyFull(t)
	explore := func(env ...string) string {
		cmd := exec.Command("go", "test", "-count=1", "-v", "./testdata/explored")
		cmd.Env = append(os.Environ(), env...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			return "failed: " + string(out)
		}
		return strings.Join(regexp.MustCompile(`(?m)^\s+explored_test.go:\d+: (complete.*)$`).FindAllString(string(out), -1), "\n")
	}
	all := present(t)
	seen := ""
	for _, m := range all["designs"].Mutants() {
		if m.Func == "Deque.Steal" && m.Operator == "cas-store" {
			seen = fmt.Sprint(m.Number)
		}
	}
	flags := "GOFLAGS=" + os.Getenv("GOFLAGS") + " -overlay=" + overlaid(t, all)
	was := explore()
	if got := explore(flags, "EXPLORED_MUTANT="+seen); strings.Count(was, "complete: ") != 4 || got != was {
		t.Errorf("expected four that are complete, and with mutants in the code the same:\n%s\nsaw\n%s", was, got)
	}
	t.Log(was)
	if got := explore(flags, "SPINDLE_INTERNAL_MUTANT="+seen); !strings.Contains(got, "expected each once") {
		t.Errorf("mutant %s: expected a failure, saw %s", seen, cmp.Or(got, "none"))
	}
}
