package trace

import (
	"fmt"
	"strings"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/spec/record"
)

// Schedule turns a behaviour of the machine, given by whose each step is, into the
// schedule by which the queues of f do the same, in a process whose code is instrumented.
// The code need not have the machine's steps, so that damaged code can follow the
// machine with the same damage: the nth step of a thread is the nth operation of it that
// is a step. A thread that has no more is passed over.
func Schedule(f queue.Factory, s record.Scenario, order []int) (string, error) {
	var steps []harness.Step
	p := &program{f: f, s: &s, end: func(x *interleave.Exec, _ *record.History) { steps = harness.Taken(x) }}
	sites := make(sites)
	var turns []string
	last, at := -1, 0
	for _, thread := range order {
		if thread < 0 || thread >= len(s.Threads) {
			return "", fmt.Errorf("trace: a step of thread %d, of %d", thread, len(s.Threads))
		}
		trial := turns
		if thread != last {
			trial = append(trial, fmt.Sprintf("%d%c", at, 'a'+thread))
		}
		steps = nil
		if _, err := p.explore(interleave.Schedule(strings.Join(trial, "."))); err != nil {
			return "", fmt.Errorf("trace: after %d steps: %w", at, err)
		}
		if steps == nil {
			steps = p.broken
		}
		to := next(sites, steps, at, thread)
		if to == at {
			continue
		}
		turns, last, at = trial, thread, to
	}
	return strings.Join(turns, "."), nil
}

// next is where thread's next step ends, if it goes on at position at: behind the unlock
// if it is a section. It is at if there is none.
func next(sites sites, steps []harness.Step, at, thread int) int {
	n := at
	mine := func() bool { return n < len(steps) && steps[n].Thread == thread }
	for mine() && sites.of(steps[n].Site).with {
		n++
	}
	if !mine() {
		return at
	}
	for n++; mine() && steps[n].Kind == "Unlock"; {
		n++
	}
	return n
}
