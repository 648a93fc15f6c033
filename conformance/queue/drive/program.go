package drive

import (
	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/linearizability/recorder"
	"github.com/spindle-go/spindle/spec/record"
)

// A Program is a scenario on a fresh set, for whoever runs the threads himself,
// one step at a time.
type Program struct{ r *run }

// NewProgram makes a fresh set of f for s. Stamp is the clock of the calls. Errors
// are those of Run.
func NewProgram(f queue.Factory, s record.Scenario, stamp func() int64) (*Program, error) {
	r, err := newRun(f, s, recorder.ClockOf(stamp))
	if err != nil {
		return nil, err
	}
	return &Program{r}, nil
}

// Thread makes the calls of a thread. A panic of the queue is the caller's.
func (p *Program) Thread(i int) { p.r.threads[i].loop() }

// History takes out what is left and returns what was called and returned, with
// the stamps of the clock: calls are in the order of the threads' own, thread by
// thread. To be called once, when no thread is at work.
func (p *Program) History() (*record.History, error) {
	p.r.drain()
	h := p.r.history()
	if e := p.r.crash.Load(); e != nil {
		return h, e
	}
	return h, nil
}
