package conformance

import (
	"errors"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue/checks"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
)

// TestNotExplored: what the environment kept from being explored is unknown, unless
// it is allowed to be.
func TestNotExplored(t *testing.T) {
	var list []suite.Check
	for _, c := range checks.Subject.Checks {
		if c.Witness == spec.Interleave {
			list = append(list, c)
		}
	}
	for allowed, want := range map[bool]suite.Ended{false: suite.Inconclusive, true: suite.Skipped} {
		events := notExplored(list, &options{unexplored: allowed}, errors.New("no go command"))
		if len(events) != len(list) || len(list) == 0 {
			t.Fatalf("expected %d results, saw %d", len(list), len(events))
		}
		for i, e := range events {
			if e.Check != list[i].Name || e.Result.Ended != want || !strings.Contains(e.Result.Reason, "not explored: no go command") {
				t.Errorf("allowed %v: expected %s of %s, saw %+v of %s", allowed, want, list[i].Name, e.Result, e.Check)
			}
		}
	}
}

func TestSettle(t *testing.T) {
	t.Setenv("SPINDLE_RUN", "")
	for _, c := range []struct {
		name, value string
		want        func(o *options) bool // nil: an error
	}{
		{"SPINDLE_SEED", "0xf8614b547370c4c6", func(o *options) bool { return o.suite.Seed == 0xf8614b547370c4c6 }}, // as a failure prints it
		{"SPINDLE_SEED", "12", func(o *options) bool { return o.suite.Seed == 12 }},
		{"SPINDLE_SEED", "x", nil},
		{"SPINDLE_STRICT", "1", func(o *options) bool { return o.suite.Strict }},
		{"SPINDLE_STRICT", "0", func(o *options) bool { return !o.suite.Strict }},
		{"SPINDLE_STRICT", "yes", nil},
		{"SPINDLE_UNEXPLORED", "allow", func(o *options) bool { return o.unexplored }},
		{"SPINDLE_UNEXPLORED", "", func(o *options) bool { return !o.unexplored }},
		{"SPINDLE_UNEXPLORED", "1", nil},
		{"SPINDLE_RUN", "^stress/", func(o *options) bool { return o.suite.Select == "^stress/"+suite.And+"^sequence/" }},
		{"SPINDLE_RUN", "", func(o *options) bool { return o.suite.Select == "^sequence/" }},
	} {
		t.Run(c.name+"="+c.value, func(t *testing.T) {
			t.Setenv(c.name, c.value)
			o, err := settle([]TestOption{Profile(spec.FIFO), Only("^sequence/")})
			if (err == nil) != (c.want != nil) || err == nil && !c.want(o) {
				t.Errorf("saw %+v, %v", o, err)
			}
			if err != nil && !strings.Contains(err.Error(), c.name+": ") {
				t.Errorf("expected an error that names the variable, saw %v", err)
			}
		})
	}
}
