package trace

import (
	"fmt"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/queue/drive"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/spec/record"
)

// A program is a scenario on the queues of a factory, as the explorer runs it.
type program struct {
	f    queue.Factory
	s    *record.Scenario
	plan *drive.Plan
	// end is called after an execution, unless it crashed.
	end func(*interleave.Exec, *record.History)
	// broken is what had been done when the last execution was broken off: by a panic, a
	// lock that is never given back, threads that go round for ever.
	broken []harness.Step
}

func (p *program) explore(opts ...interleave.Option) (r interleave.Report, err error) {
	if p.plan, err = drive.Prepare(*p.s); err != nil {
		return r, err
	}
	return interleave.Explore(p.body, append(opts, harness.Retries())...)
}

func (p *program) body(x *interleave.Exec) {
	p.broken = nil
	run, err := drive.NewProgram(p.f, p.plan, func() int64 { return 1 })
	if err != nil {
		x.Fatalf("%v", err)
	}
	for i := range p.s.Threads {
		x.Go(fmt.Sprintf("T%d", i), func() {
			ended := false
			defer func() {
				if !ended && p.broken == nil {
					p.broken = harness.Taken(x)
				}
			}()
			run.Thread(i)
			ended = true
		})
	}
	x.Finally(func() {
		h, err := run.History()
		if err != nil {
			x.Fatalf("RQ-CRASH: %v", err)
		}
		p.end(x, h)
	})
}
