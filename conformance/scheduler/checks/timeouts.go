package checks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// mostIdle is how long schedulers are idle in all, and mostPhases how often one is.
const (
	mostIdle   = 10 * time.Second
	mostPhases = 60
)

// phases are how long a scheduler is idle, as parts of a time of its own, and what is added to that: first a little less, as long, and longer.
var phases = []struct {
	part float64
	more time.Duration
}{
	{0.95, 0}, {1, 0}, {1.05, 0}, {1.5, 0}, {1, 50 * time.Microsecond}, {2, 0}, {1, 100 * time.Microsecond}, {0.99, 0}, {1, 200 * time.Microsecond}, {1, 20 * time.Microsecond},
	{1, -50 * time.Microsecond}, {1, 500 * time.Microsecond}, {1.2, 0}, {1, time.Millisecond}, {1, -200 * time.Microsecond}, {3, 0}, {0.8, 0}, {1, 3 * time.Millisecond}, {1.01, 0},
}

// needed is how many of the phases must be tried.
const needed = 3

// timeoutCheck has schedulers idle for about as long as their own time-outs, and then needs all workers.
var timeoutCheck = suite.Check{
	Name: "stress/timeouts", Witness: spec.Stress, Requirements: []string{"SC-AFTER-IDLE"}, Sample: true,
	Doc: "idle phases that are a little shorter than the target's own time-outs, as long and longer, and then tasks that need all workers",
	Plan: func(t suite.Target) suite.Plan {
		return suite.Plan{
			Text:  fmt.Sprintf("schedulers with 1, 2 and 3 workers, with idle phases of %v in all", mostIdle),
			Lacks: withoutIdleTimes(factsOf(t)),
		}
	},
	Run: func(ctx context.Context, t suite.Target, k *suite.Task) suite.Outcome {
		return timeouts(ctx, t.(Target), k)
	},
}

func withoutIdleTimes(f facts) string {
	if !f.caps.IdleTimes {
		return "the target does not say after which idle times it does something (Idler)"
	}
	return ""
}

func timeouts(ctx context.Context, t Target, k *suite.Task) suite.Outcome {
	open := func(format string, args ...any) suite.Outcome {
		return suite.Outcome{Ended: suite.Inconclusive, Reason: fmt.Sprintf(format, args...)}
	}
	times := idleTimesOf(t)
	graphs, err := idleGraphs(factsOf(t), times)
	if err != nil {
		return open("%v", err)
	}
	w := &work{Task: k, target: t, idles: true, out: suite.Outcome{Ended: suite.Completed, Judged: make(map[string]int64), Cut: make(map[string]string)}}
	if o, ok := t.(*outside); ok {
		if graphs = slices.DeleteFunc(graphs, func(g record.TaskGraph) bool { return !o.runs(&g) }); len(graphs) == 0 {
			return open("the target can have none of 1, 2 and 3 workers")
		}
	}
	for i, g := range graphs {
		if w.Broken("SC-AFTER-IDLE") {
			break // the others would say the same
		}
		k.Progress("%d of %d", i, len(graphs))
		var doubt *undecided
		switch err := w.graph(ctx, g); {
		case ctx.Err() != nil:
			return w.ended(k.Stopped(ctx, fmt.Sprintf("%d of %d graphs", i, len(graphs))))
		case errors.As(err, &doubt):
			return w.ended(open("%v", doubt))
		case err != nil:
			return w.ended(suite.Outcome{Ended: suite.Error, Reason: err.Error()})
		}
	}
	if len(w.stopped) > 0 && !w.Broken("SC-AFTER-IDLE") {
		w.out.Cut["SC-AFTER-IDLE"] = fmt.Sprintf("%d of %d graphs came to a stop", len(w.stopped), len(graphs))
	}
	w.out.Note = fmt.Sprintf("%d graphs, idle for about %v", len(graphs), times)
	return w.ended(w.out)
}

// idleTimesOf returns after which times of idleness a target does something.
func idleTimesOf(t Target) []time.Duration {
	switch t := t.(type) {
	case *inProcess:
		return t.idleTimes
	case *outside:
		return t.IdleTimes()
	}
	return nil
}

// idleGraphs are the graphs for these idle times. Its error says why there are none.
func idleGraphs(f facts, all []time.Duration) (list []record.TaskGraph, err error) {
	if len(all) == 0 {
		return nil, errors.New("the target offers Idler, and says no time")
	}
	each := mostIdle / time.Duration(len(all))
	for _, d := range all {
		if d < time.Microsecond {
			return nil, fmt.Errorf("idle times: expected 1us or more, saw %v", d)
		}
		for workers, share := range map[int]time.Duration{1: each / 5, 2: each * 2 / 5, 3: each * 2 / 5} {
			g, n := idleAgain(workers, d, share, !f.contract.Is("submits", spec.One))
			if n >= needed {
				list = append(list, g)
			} else if workers > 1 {
				return nil, fmt.Errorf("an idle time of %v was not tried: all phases together may take %v; make it shorter for the test", d, mostIdle)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b record.TaskGraph) int { return cmp.Compare(a.Name, b.Name) })
	return list, nil
}

// behindIdle gives what a run misses behind an idle phase to the requirement that is about it, and counts the phases.
func behindIdle(run *record.TaskRun, v *verdict) {
	n := int64(idlePhases(run))
	if n == 0 {
		return
	}
	v.judged["SC-AFTER-IDLE"] = n
	for i := range v.findings {
		if f := &v.findings[i]; strandedIDs[f.Requirement] {
			f.Fingerprint, f.Requirement = "SC-AFTER-IDLE/"+f.Fingerprint, "SC-AFTER-IDLE"
		}
	}
}

// strandedIDs are the requirements by which a task is missed that waits behind an idle phase.
var strandedIDs = map[string]bool{"SC-WORK": true, "SC-TOGETHER": true, "SC-LOST": true, "SC-CLOSE-WAITS": true, "SC-CLOSE-RETURNS": true}

// idlePhases counts the idle phases of a run that were over before it came to a stop.
func idlePhases(run *record.TaskRun) (n int) {
	for i := range run.Events {
		switch e := &run.Events[i]; {
		case e.What == record.AtRest || e.What == record.Stalled:
			return n
		case e.What == record.Did && e.Who == ^0 && strings.HasPrefix(e.Step, "z"):
			n++
		}
	}
	return n
}

// idleAgain has a scheduler idle for about that long, again and again, and no longer than so long in all. Behind each phase as many tasks meet as there are
// workers, three times. Before that one task comes alone, or two threads submit two each, if they may, or nothing, in turn. It returns how many phases
// there are.
func idleAgain(workers int, d, most time.Duration, two bool) (g record.TaskGraph, n int) {
	g = record.TaskGraph{Name: fmt.Sprintf("idle for about %v, again and again, on %d", d, workers), Workers: workers}
	var b, second strings.Builder
	events := mostPhases * 4 // behind those of meetings
	meets := 0
	meet := func() {
		n := len(g.Tasks)
		b.WriteString(submits(n, n+workers) + joins(n, n+workers))
		g.Tasks = append(g.Tasks, times(fmt.Sprintf("m%d", meets), workers)...)
		meets++
	}
	meet()
	for ; n < mostPhases; n++ {
		p := phases[n%len(phases)]
		idle := max(time.Duration(p.part*float64(d))+p.more, time.Microsecond)
		if most -= idle; most < 0 {
			break
		}
		rest, k := fmt.Sprintf("z%d ", idle.Microseconds()), len(g.Tasks)
		switch {
		case n%3 == 0:
			b.WriteString(rest + submits(k, k+1) + joins(k, k+1))
			g.Tasks = append(g.Tasks, "")
		case n%3 == 1 && two:
			fmt.Fprintf(&b, "a%d %s", events+n, rest+submits(k, k+2)+joins(k, k+4))
			fmt.Fprintf(&second, "w%d %s", events+n, rest+submits(k+2, k+4)+joins(k, k+4))
			g.Tasks = append(g.Tasks, times("", 4)...)
		default:
			b.WriteString(rest)
		}
		for range 3 {
			meet()
		}
	}
	g.Outside = []string{b.String()}
	if second.Len() > 0 {
		g.Outside = append(g.Outside, second.String())
	}
	return g, n
}
