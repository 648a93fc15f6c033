package drive

import (
	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/linearizability/recorder"
	"github.com/spindle-go/spindle/spec/record"
)

// A Program is a scenario on a fresh set, for whoever runs the threads himself,
// one step at a time.
type Program struct {
	r     *run
	quiet int64 // stamps of quiet calls so far; 0 while the threads run
	base  int64
}

// The stamps of quiet calls: those before the threads run count up to 0, those after
// from Later.
const (
	earlier = -1 << 40
	Later   = 1 << 40
)

// NewProgram makes a fresh set of f for a plan, and the calls that come before the
// threads. Stamp is the clock of the threads' calls. Errors are those of Run. It is for
// the body of an exploration: f runs on the goroutine that calls it.
func NewProgram(f queue.Factory, plan *Plan, stamp func() int64) (*Program, error) {
	p := &Program{base: earlier}
	set, err := makeHere(f, plan.options())
	if err != nil {
		return nil, err
	}
	p.r, err = newRun(set, plan, recorder.ClockOf(func() int64 {
		if p.base == 0 {
			return stamp()
		}
		p.quiet++
		return p.base + p.quiet
	}))
	if err != nil {
		return nil, err
	}
	p.r.quietly(plan.before)
	p.base = 0
	return p, nil
}

// Crashed returns the calls so far if one at a quiet moment has crashed, nil otherwise.
func (p *Program) Crashed() (*record.History, *queue.CrashError) {
	if e := p.r.crash.Load(); e != nil {
		return p.r.history(), e
	}
	return nil, nil
}

// Thread makes the calls of a thread. A panic of the queue is the caller's.
func (p *Program) Thread(i int) {
	p.r.threads[i].loop()
	p.r.waits.ended() // not deferred: a thread that the explorer ends in a take is in it still
}

// Waits says what the threads have come to if takes wait, else it is nil.
func (p *Program) Waits() *queue.Waits { return p.r.waits.look() }

// InOrder makes the calls of all threads, in the order that the scenario says. A panic
// of the queue is the caller's.
func (p *Program) InOrder() {
	r := p.r
	r.waits.inOrder()
	at := make([]int, len(r.threads))
	for _, n := range r.s.Order {
		t := r.threads[n]
		t.call(t.script[at[n]%len(t.script)])
		at[n]++
		if r.s.Snapshot {
			c := r.contents()
			r.shown = append(r.shown, &c)
		}
	}
}

// History makes the calls that come after the threads, takes out what is left, and
// returns what was called and returned, with the stamps of the clock: calls are in the
// order of the threads' own, thread by thread; those before have negative stamps, those
// after stamps from Later. To be called once, when no thread is at work.
func (p *Program) History() (*record.History, error) {
	p.base = Later
	p.r.quietly(p.r.after)
	p.r.drain()
	h := p.r.history()
	if e := p.r.crash.Load(); e != nil {
		return h, e
	}
	return h, nil
}
