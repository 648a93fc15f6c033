package harness_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/tier"
)

// race has two threads write to one variable.
func race(x *interleave.Exec) {
	n := 0
	x.Go("a", func() { n++ })
	x.Go("b", func() { n++ })
}

// TestRemote holds that what is explored in Remote is instrumented, that plain accesses are
// looked at unless NoRaces is given, and that the second call within a test is another.
func TestRemote(t *testing.T) {
	tier.NotShort(t)
	for _, c := range []struct {
		opts []interleave.Option
		kind interleave.FailureKind // "" for none
	}{
		{nil, interleave.DataRace},
		{[]interleave.Option{interleave.NoRaces()}, ""},
	} {
		payload, err := harness.Remote(t, func() ([]byte, error) {
			r, err := interleave.Explore(race, c.opts...)
			if err != nil {
				return nil, err
			}
			return json.Marshal(r)
		}, c.opts...)
		if err != nil {
			t.Fatal(err)
		}
		if payload == nil {
			continue // in the instrumented binary, where the other call was asked for
		}
		var r interleave.Report
		if err := json.Unmarshal(payload, &r); err != nil {
			t.Fatalf("%v in %q", err, payload)
		}
		var kind interleave.FailureKind
		if r.Failure != nil {
			kind = r.Failure.Kind
		}
		if kind != c.kind || r.Certificate.NoRaces != (c.kind == "") || r.Certificate.Threads != 2 {
			t.Errorf("expected a failure of the kind %q; observed %s", c.kind, r.Text(""))
		}
	}
}

// TestReproduce holds that a failure's command sets what it says, and names one test.
func TestReproduce(t *testing.T) {
	t.Run("a.b", func(t *testing.T) {
		want := harness.ScheduleVar + `=0a.2b go test -count=1 -run '^TestReproduce$/^a\.b$' .`
		if got := harness.Reproduce(t, "0a.2b"); got != want || !strings.HasPrefix(got, "SPINDLE_SCHEDULE=") {
			t.Errorf("expected %s; observed %s", want, got)
		}
	})
}

// TestAgain holds that the command to run a test again names that one, whatever its name has,
// and that a shell reads it so.
func TestAgain(t *testing.T) {
	for name, want := range map[string]string{
		"a.b":      `go test -count=1 -run '^TestAgain$/^a\.b$' .`,
		"a|b/c(d)": `go test -count=1 -run '^TestAgain$/^a\|b$/^c\(d\)$' .`,
		"it's":     `go test -count=1 -run '^TestAgain$/^it'\''s$' .`,
	} {
		t.Run(name, func(t *testing.T) {
			if got := harness.Again(t); got != want {
				t.Errorf("expected %s; observed %s", want, got)
			}
		})
	}
}
