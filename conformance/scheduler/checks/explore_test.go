package checks

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
)

// TestKindsExplored: the explorer runs graphs in which tasks panic, park and block, and in which the number of workers changes, of
// schedulers that have these. Right ones pass, and each flaw is found as what it is.
func TestKindsExplored(t *testing.T) {
	t.Attr("req", "SC-PANIC")
	tier.OnlyFull(t)
	const fifo = spec.Pool + ",panics=isolated,workers=exact,order=fifo"
	of := []string{"SC-PANIC", "SC-LOST", "SC-TWICE", "SC-ACCEPT", "SC-REFUSED", "SC-WORK", "SC-TOGETHER", "SC-STEAL", "SC-WORKERS", "SC-ORDER", "SC-CLOSE-WAITS", "SC-CLOSE-RETURNS", "SC-CLOSE-WORKERS", "SC-CLOSED", "SC-CALLS"}
	const exact, waits, isolated = spec.Pool + ",workers=exact", spec.Pool + ",workers=exact,resizes=tasks", spec.Pool + ",panics=isolated"
	sizes := []string{"SC-GROW", "SC-SHRINK"}
	for _, c := range tier.Some(t, []struct {
		name  string
		p     spec.Profile
		f     scheduler.Factory
		falls []string
		keeps []string
	}{
		{"a right pool whose tasks panic", fifo, wrong(noBug), nil, of},
		{"workers leave lazily", exact, newResizePool(noResizeBug), nil, sizes}, {"and may wait", waits, newResizePool(noResizeBug), nil, sizes},
		{"waits", waits, newResizePool(waitsForTasks), nil, sizes}, {"waits, and does not say so", exact, newResizePool(waitsForTasks), []string{"SC-CALLS"}, nil},
		{"a worker ends by a panic", isolated, wrong(losesWorkers), []string{"SC-PANIC"}, nil},
		{"a panic goes through", isolated, wrong(letsThrough), []string{"SC-PANIC"}, nil},
		{"drops queues", exact, newResizePool(dropsQueues), []string{"SC-LOST", "SC-CLOSE-WAITS", "SC-WORK", "SC-TOGETHER", "SC-STEAL"}, nil},
		{"grows later", exact, newResizePool(growsLater), []string{"SC-GROW"}, nil},
		{"waits first", exact, newResizePool(waitsFirst), []string{"SC-WORK", "SC-GROW", "SC-TOGETHER", "SC-STEAL"}, nil},
		{"never shrinks", exact, newResizePool(neverShrinks), []string{"SC-SHRINK"}, nil},
		{"takes one more", exact, newResizePool(takesOneMore), []string{"SC-GROW", "SC-TOGETHER"}, nil},
		{"looks at few queues", exact, newResizePool(looksAtFew), []string{"SC-GROW", "SC-TOGETHER", "SC-STEAL"}, nil},
		{"parks", spec.Pool, newParkPool(noParkBug), nil, []string{"SC-WAKE", "SY-BLOCK", "SY-RETURN"}}, {"is made ready before it waits", spec.Pool, newParkPool(forgetsReady), []string{"SC-WAKE"}, nil},
		{"keeps the worker of who blocks", spec.Pool, newLeavePool(keepsWorker), []string{"SY-BLOCK"}, nil}, {"loses who blocks", spec.Pool, newLeavePool(losesBlocked), []string{"SY-RETURN"}, nil},
		{"lets others run beside who blocks", exact, newLeavePool(noLeaveBug), nil, []string{"SY-BLOCK", "SY-RETURN"}},
	}, 1) {
		t.Run(c.name, func(t *testing.T) { judgedBy(t, c.p, c.f, "^interleave/graphs$", c.falls, c.keeps...) })
	}
}

// TestUnsure: where goroutines were not seen, what did not happen blames nobody: they may have been about to do it. A race and a
// panic happened.
func TestUnsure(t *testing.T) {
	t.Attr("req", "SC-WORK")
	for kind, blames := range map[interleave.FailureKind]bool{
		interleave.Deadlock: false, interleave.Livelock: false, interleave.StepBound: false, interleave.Assertion: false,
		interleave.DataRace: true, interleave.Panic: true,
	} {
		r := interleave.Report{Failure: &interleave.Failure{Kind: kind, Message: "all wait"}}
		r.Certificate.Doubts = append(r.Certificate.Doubts, struct {
			Kind, What, Where string
			Count             int
		}{"chance", "package rand", "x.go:7", 1})
		if why := unsure(&r); why != "" {
			t.Errorf("%s, all was seen: expected that the scheduler is blamed, saw %q", kind, why)
		}
		r.Certificate.Doubts = append(r.Certificate.Doubts, struct {
			Kind, What, Where string
			Count             int
		}{"not seen", "goroutines of package x", "called x.go:7", 1})
		if why := unsure(&r); (why == "") != blames {
			t.Errorf("%s, not all was seen: expected that the scheduler is blamed: %v, saw %q", kind, blames, why)
		}
	}
}

// TestEndInAGraph: an exploration ends with the run, in the middle of a graph too.
func TestEndInAGraph(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	const most = 1500
	n, right := 0, wrong(noBug)
	target, err := Instrumented("test", spec.Pool, func(workers int) scheduler.Scheduler {
		if n++; n == most {
			end()
		}
		return right(workers)
	}, harness.Part{Of: 1})
	if err != nil {
		t.Fatal(err)
	}
	var out suite.Outcome
	o := suite.Options{Select: "^" + exploreCheck.Name + "$", Witnesses: []spec.Witness{spec.Interleave}, Sink: func(e suite.Event) {
		if e.Event == suite.CheckEvent {
			out = e.Result.Outcome
		}
	}}
	if err := suite.Run(ctx, o, suite.Opened(Subject, target)); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("interrupted after %d of ", out.Scenarios)
	if out.Ended != suite.Inconclusive || !strings.HasPrefix(out.Reason, want) || out.Executions > most {
		t.Errorf("expected %q and at most %d executions, saw %d, %+v", want, most, out.Executions, out)
	}
}
