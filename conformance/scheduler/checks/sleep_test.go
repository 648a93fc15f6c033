package checks

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/scheduler/drive"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// TestSleep: pools whose tasks sleep pass, one whose clock ticks every 10 ms too; each flaw is found as what it is.
func TestSleep(t *testing.T) {
	t.Attr("req", "TM-LOST")
	tier.OnlyFull(t)
	defer func(most int) { mostStops = most }(mostStops)
	mostStops = 2
	const exact = spec.Pool + ",workers=exact"
	for _, c := range tier.Some(t, []struct {
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

// busy is a target on a busy machine: each graph is over before anybody is said to be late. It runs the same graph, whatever it is asked.
type busy struct {
	Target
	graph *record.TaskProgram
	early bool      // each task goes on too early that sleeps for 5 ms
	asked *[]string // the first task of each graph that it was asked to run
}

func (b busy) Run(ctx context.Context, p *record.TaskProgram) (*record.TaskRun, error) {
	*b.asked = append(*b.asked, strings.TrimSpace(p.Tasks[0]))
	run, err := b.Target.Run(ctx, b.graph)
	if err != nil || !b.early {
		return run, err
	}
	var slept time.Duration
	for i := range run.Events {
		switch e := &run.Events[i]; {
		case e.Step != "z5000":
		case e.What == record.Does:
			slept = e.At
		case e.What == record.Did:
			e.At = slept
		}
	}
	return run, nil
}

// TestSleepsLonger holds that sleepsLonger makes no sleep shorter, and none too long for a graph, whatever bound a contract has.
func TestSleepsLonger(t *testing.T) {
	t.Attr("req", "TM-LOST")
	g := record.TaskGraph{Name: "x", Tasks: []string{"z400000 z1 a0"}}
	for _, want := range []string{"z20000000 z1 a0 ", "z50000000 z1 a0 "} { // twice the time after which a run stands still, and the longest
		if g = sleepsLonger(g, 400*time.Millisecond); g.Tasks[0] != want || g.Name != "x, much longer" {
			t.Errorf("expected %q, saw %q %q", want, g.Name, g.Tasks[0])
		}
	}
	for _, bound := range []string{"100ms", "1s"} {
		contract, ok := (spec.Pool + ",bound=" + spec.Profile(bound)).Scheduler()
		if !ok {
			t.Fatalf("no contract has the bound %s", bound)
		}
		slept := 2 * quietOf(contract)
		g := sleepsLong(facts{contract: contract}, 2)
		for range 3 {
			g = sleepsLonger(g, quietOf(contract))
			p, err := g.Program()
			if err != nil {
				t.Fatalf("bound %s: %v", bound, err)
			}
			now := p.Scripts[0][0].For()
			if now < slept || now > longSleep {
				t.Errorf("bound %s: expected a sleep of %v to %v, saw %v", bound, slept, longSleep, now)
			}
			slept = now
		}
		if slept != longSleep {
			t.Errorf("bound %s: expected that the longest sleep is %v, saw %v", bound, longSleep, slept)
		}
	}
}

// TestCovered holds that nothing is said to be kept if a busy machine hides who was late. The graph is run again, and then with longer sleeps. It
// is so, too, if the run shows that something else is wrong.
func TestCovered(t *testing.T) {
	t.Attr("req", "TM-LOST")
	tier.OnlyFull(t)
	defer func(d time.Duration) { drive.Stall = d }(drive.Stall)
	drive.Stall = time.Second
	const late = "who waits for a time is not told of an earlier one"
	for _, c := range []struct {
		name, flaw string
		runs       int // in which nobody is said to be late
		ended      suite.Ended
		falls      string
		early      bool
		stalls     bool // in a run before them somebody is late, and another one runs all the time
	}{
		{name: "right", flaw: "none", runs: 9, ended: suite.Completed}, {name: "found", flaw: late, ended: suite.Completed, falls: "TM-LOST"},
		{name: "found when it comes again", flaw: late, runs: 1, ended: suite.Completed, falls: "TM-LOST"},
		{name: "found when it sleeps much longer", flaw: late, runs: 2, ended: suite.Completed, falls: "TM-LOST"},
		{name: "found when it sleeps longest", flaw: late, runs: 3, ended: suite.Completed, falls: "TM-LOST"},
		{name: "found, and covered when it must come again", flaw: late, runs: 1, ended: suite.Completed, falls: "TM-LOST", stalls: true},
		{name: "never seen", flaw: late, runs: 4, ended: suite.Inconclusive},
		{name: "never seen, and early", flaw: late, runs: 4, ended: suite.Inconclusive, falls: "TM-EARLY", early: true},
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
			sleeps := check{name: "stress/sleep", witness: spec.Stress, requirements: []string{"TM-LOST"}, graphs: func(facts, *suite.Task) ([]record.TaskGraph, string) {
				return []record.TaskGraph{graph}, ""
			}}
			var asked []string
			first := busy{deaf, p, c.early, &asked}
			list := slices.Repeat([]Target{first}, c.runs)
			if c.stalls {
				list = slices.Insert(list, 0, Target(stalls{open()}))
			}
			result, found := resultOf(t, sleeps, &changes{open(), list})
			if result.Ended != c.ended || found != c.falls || result.Ended == suite.Inconclusive && !strings.Contains(result.Reason, "much longer: a long sleep was over 4") {
				t.Errorf("expected %s, %q; saw %s, %q: %s", c.ended, c.falls, result.Ended, found, result.Reason)
			}
			want := []string{"z400000", "z400000", "z3200000", "z25600000"}
			if n := min(c.runs, len(want)); c.name != "right" && !slices.Equal(asked, want[:n]) {
				t.Errorf("expected that graphs are run whose first task is %q, saw %q", want[:n], asked)
			}
		})
	}
}
