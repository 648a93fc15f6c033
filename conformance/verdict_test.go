package conformance

import "testing"

// TestMerge is the full table: harness error > fail > inconclusive > partial >
// known > pass > what was not run.
func TestMerge(t *testing.T) {
	order := []Verdict{NotRun, Untestable, Skipped, Pass, Known, Partial, Inconclusive, Fail, Error}
	if len(order) != len(verdictNames) {
		t.Fatalf("%d verdicts in the table, %d exist", len(order), len(verdictNames))
	}
	for i, a := range order {
		for j, b := range order {
			if got, want := Merge(a, b), order[max(i, j)]; got != want {
				t.Errorf("Merge(%v, %v) = %v, want %v", a, b, got, want)
			}
		}
	}
	if got := Merge(); got != NotRun {
		t.Errorf("Merge() = %v, want %v", got, NotRun)
	}
}

func TestExit(t *testing.T) {
	for _, c := range []struct {
		v            Verdict
		exit, strict int
	}{
		{NotRun, 3, 3}, {Untestable, 3, 3}, {Skipped, 3, 3},
		{Pass, 0, 0}, {Known, 0, 0}, {Partial, 0, 3},
		{Inconclusive, 3, 3}, {Fail, 1, 1}, {Error, 4, 4},
	} {
		if got := c.v.Exit(false); got != c.exit {
			t.Errorf("%v: exit %d, want %d", c.v, got, c.exit)
		}
		if got := c.v.Exit(true); got != c.strict {
			t.Errorf("%v: strict exit %d, want %d", c.v, got, c.strict)
		}
	}
}

func TestVerdictText(t *testing.T) {
	for v := NotRun; v <= Error; v++ {
		text, _ := v.MarshalText()
		var back Verdict
		if err := back.UnmarshalText(text); err != nil || back != v {
			t.Errorf("%v: %q reads back as %v, %v", v, text, back, err)
		}
	}
	if err := new(Verdict).UnmarshalText([]byte("fine")); err == nil {
		t.Error("an unknown verdict reads without an error")
	}
}
