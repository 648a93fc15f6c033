package checks

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/scheduler/drive"
	"github.com/spindle-go/spindle/internal/sample"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// TestSleep: pools whose tasks sleep pass, one whose clock ticks every 10 ms too; each flaw is found as what it is.
func TestSleep(t *testing.T) {
	t.Attr("req", "TM-LOST")
	sample.OneIn(t, 4)
	defer func(most int) { mostStops = most }(mostStops)
	mostStops = 2
	const exact = spec.Pool + ",workers=exact"
	for _, c := range sample.Of(t, []struct {
		name  string
		bug   leaveBug
		falls string
	}{
		{"right", noLeaveBug, ""}, {"ticks of 10 ms", roundsUp, ""}, {"rounds down", roundsDown, "TM-EARLY"}, {"is lost", looksNotAgain, "TM-LOST"},
		{"beside", looksBehind, "TM-BESIDE"}, {"sleeps on", sleepsOn, "TM-LEAVES"},
	}, 1) {
		t.Run(c.name, func(t *testing.T) {
			judgedBy(t, exact, newLeavePool(c.bug), "^stress/sleep$", one(c.falls), "TM-EARLY", "TM-LOST", "TM-BESIDE", "TM-LEAVES")
		})
	}
	rows, _ := carried(t, spec.Pool, newPool(""), "^stress/sleep$")
	if got := rows["TM-LOST"].Standing; got != suite.NotOffered {
		t.Errorf("expected that a pool without Sleeper is not judged, saw %s", got)
	}
}

// busy is a target on a machine so busy that a graph is over, whatever it says, before anybody is said to be late.
type busy struct {
	Target
	graph *record.TaskProgram
}

func (b busy) Run(ctx context.Context, _ *record.TaskProgram) (*record.TaskRun, error) {
	return b.Target.Run(ctx, b.graph)
}

// TestCovered holds that nothing is said to be kept where the machine was too busy to tell who was late: the graph is run again, and those who
// sleep long do so for longer.
func TestCovered(t *testing.T) {
	t.Attr("req", "TM-LOST")
	sample.OneIn(t, 4)
	if g := sleepsLonger(record.TaskGraph{Tasks: []string{"z400000 z1 a0"}}, 400*time.Millisecond); g.Tasks[0] != "z20000000 z1 a0 " {
		t.Errorf("expected a sleep of twice the time after which a run stands still, saw %q", g.Tasks[0])
	}
	defer func(d time.Duration) { drive.Stall = d }(drive.Stall)
	drive.Stall = time.Second
	const late = "who waits for a time is not told of an earlier one"
	for _, c := range []struct {
		name, flaw string
		runs       int // in which nobody is said to be late
		ended      suite.Ended
		falls      string
	}{
		{"right", "none", 9, suite.Completed, ""}, {"found", late, 0, suite.Completed, "TM-LOST"}, {"found when it comes again", late, 1, suite.Completed, "TM-LOST"},
		{"found when it sleeps much longer", late, 2, suite.Completed, "TM-LOST"}, {"never seen", late, 3, suite.Inconclusive, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			open := func() *inProcess {
				target, err := InProcess("x", spec.Pool, newTimers(c.flaw))
				if err != nil {
					t.Fatal(err)
				}
				return target.(*inProcess)
			}
			deaf := open()
			deaf.options.Bound = time.Hour
			graph := sleepsLong(factsOf(deaf), 2)
			p, err := graph.Program()
			if err != nil {
				t.Fatal(err)
			}
			found, result := "", suite.Result{}
			o := suite.Options{Seed: 1, Budget: time.Minute, Witnesses: []spec.Witness{spec.Stress}, Sink: func(e suite.Event) {
				if e.Finding != nil {
					found += e.Finding.Requirement
				}
				if e.Result != nil {
					result = *e.Result
				}
			}}
			sleeps := check{name: "stress/sleep", witness: spec.Stress, requirements: []string{"TM-LOST"}, graphs: func(facts, *suite.Task) ([]record.TaskGraph, string) {
				return []record.TaskGraph{graph}, ""
			}}
			subject := &suite.Subject{Name: "scheduler", Checks: []suite.Check{sleeps.suite()}}
			if err := suite.Run(t.Context(), o, suite.Opened(subject, &changes{open(), slices.Repeat([]Target{busy{deaf, p}}, c.runs)})); err != nil {
				t.Fatal(err)
			}
			if result.Ended != c.ended || found != c.falls || result.Ended == suite.Inconclusive && !strings.Contains(result.Reason, "much longer: a long sleep was over 4") {
				t.Errorf("expected %s, %q; saw %s, %q: %s", c.ended, c.falls, result.Ended, found, result.Reason)
			}
		})
	}
}
