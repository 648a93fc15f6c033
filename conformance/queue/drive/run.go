package drive

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/linearizability/recorder"
	"github.com/spindle-go/spindle/spec/record"
)

// Run drives a fresh set of f through s and returns what was called and
// returned. Errors: ErrFormat for a malformed scenario, ErrFactory, a
// *CrashError, a *HangError when ctx ended first (its threads are then lost:
// nothing can stop a goroutine from outside), and an error for a call that the
// set cannot make. The history that comes with a crash or a hang is what was
// recorded until then.
func Run(ctx context.Context, f queue.Factory, s record.Scenario) (*record.History, error) {
	plan, err := Prepare(s)
	if err != nil {
		return nil, err
	}
	return plan.Run(ctx, f)
}

// Run is the function Run for a plan.
func (plan *Plan) Run(ctx context.Context, f queue.Factory) (*record.History, error) {
	set, err := Make(f, plan.options())
	if err != nil {
		return nil, err
	}
	r, err := newRun(set, plan, recorder.NewClock(record.ClockTime))
	if err != nil {
		return nil, err
	}
	r.free = true
	begin := time.Now()
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.goroutine.Store(goroutine())
		if plan.s.Order != nil {
			r.inOrder()
		} else {
			r.quietly(plan.before)
			r.concurrently()
			r.quietly(plan.after)
		}
		if r.crash.Load() == nil {
			r.drain()
		}
	}()
	select {
	case <-done:
	case <-ctx.Done():
		r.stop.Store(true)
		// A second, in looks: a pause of this process is one of them, however long.
		grace := time.NewTicker(100 * time.Millisecond)
		defer grace.Stop()
		for range 10 {
			select {
			case <-done:
				return nil, ctx.Err()
			case <-grace.C:
			}
		}
		h, open := r.soFar()
		return h, &queue.HangError{After: time.Since(begin).Round(time.Millisecond), Ops: open, At: r.where(), Waits: r.waits.look()}
	}
	h := r.history()
	if e := r.crash.Load(); e != nil {
		return h, e
	}
	return h, nil
}

// run is one run of one scenario.
type run struct {
	*Plan
	set      queue.Set
	clock    *recorder.Clock
	threads  []*thread
	shown    []*record.Contents // with Order and Snapshot, by position in Order
	final    record.Contents
	stop     atomic.Bool
	crash    atomic.Pointer[queue.CrashError]
	waits    *waits   // nil where no take waits
	together *meeting // nil where a Pinner holds the threads
	stops    int      // in which each thread waits for the others
	capacity int      // of the set
	moves    bool     // it says what its calls move
	free     bool     // the threads run freely, and nobody controls their steps
	// goroutine is the number of the one that makes the calls of no thread.
	goroutine atomic.Int64
}

// A Plan is a scenario that was taken apart, for whoever runs it many times.
type Plan struct {
	s             record.Scenario
	scripts       [][]record.Instr
	before, after []record.QuietCall
	calls, puts   []int       // by thread
	first         []record.ID // by thread: of its first G
	ids           int         // how many Gs are put
	fits          bool        // a set was seen that can run it
}

// mostMisses is how many gets in a row find nothing before it counts as all that is left,
// where a get may find nothing at any time.
const mostMisses = 100

// The values of Scenario.GetMiss that make a difference here. Where a get may miss at any
// time, one that does so at the end does not show that nothing is left. Where it may at all,
// it does not show that there is room for what a steal brings.
const (
	never   = "never"
	anytime = "anytime"
)

// mayMiss reports whether a get may find nothing although there is something.
func (p *Plan) mayMiss() bool { return p.s.GetMiss != "" && p.s.GetMiss != never }

// misses is how many gets in a row may find nothing at the end, though there is something.
func (p *Plan) misses() int {
	if p.s.GetMiss == anytime {
		return mostMisses
	}
	return 0
}

// Prepare takes a scenario apart. Errors wrap record.ErrFormat.
func Prepare(s record.Scenario) (*Plan, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	p := &Plan{s: s, ids: int(s.FirstID(len(s.Threads))) - 1}
	p.before, _ = record.ParseQuiet(s.Before)
	p.after, _ = record.ParseQuiet(s.After)
	for t := range s.Threads {
		script, _ := record.ParseScript(s.Threads[t].Script)
		p.scripts = append(p.scripts, script)
		p.calls, p.puts, p.first = append(p.calls, s.Calls(t)), append(p.puts, s.Puts(t)), append(p.first, s.FirstID(t))
	}
	return p, nil
}

func (p *Plan) options() queue.Options {
	return queue.Options{Ps: p.s.Ps, Capacity: p.s.Capacity, Start: p.s.Start, IDs: p.ids}
}

// newRun makes the threads of a plan for a fresh set.
func newRun(set queue.Set, p *Plan, clock *recorder.Clock) (*run, error) {
	r := &run{Plan: p, set: set, clock: clock, capacity: queue.CapacityOf(set)}
	_, r.moves = set.P(0).(queue.Mover)
	if !p.fits {
		if err := r.check(); err != nil {
			return nil, err
		}
		p.fits = true
	}
	if slices.ContainsFunc(p.scripts, waitsIn) {
		r.waits = new(waits)
		r.waits.working.Store(int32(len(p.s.Threads)))
	}
	for t := range p.s.Threads {
		r.threads = append(r.threads, r.newThread(t))
	}
	return r, nil
}

// check refuses a script that the set cannot run, before anything runs.
func (r *run) check() error {
	lacks := func(t int, k record.Kind, what string) error {
		return fmt.Errorf("drive: scenario %q, thread %d: %v needs %s, which the target does not offer", r.s.Name, t, k, what)
	}
	_, global := r.set.(queue.GlobalQueue)
	q := r.set.P(0)
	for t, th := range r.s.Threads {
		ins := slices.Clone(r.scripts[t])
		for _, q := range slices.Concat(r.before, r.after) {
			if q.Thread == t {
				ins = append(ins, q.Instr)
			}
		}
		for _, in := range ins {
			ok, what := true, ""
			switch in.Kind {
			case record.PutNext:
				_, ok = q.(queue.RunNext)
				what = "RunNext"
			case record.StealNext:
				_, ok = q.(queue.BatchStealer)
				what = "BatchStealer"
				ok = ok && th.P != record.None
			case record.PutBatch:
				_, ok = q.(queue.BatchPutter)
				what = "BatchPutter"
			case record.Drain:
				_, ok = q.(queue.Drainer)
				what = "Drainer"
			case record.Len:
				_, ok = q.(queue.Sized)
				what = "Sized"
			case record.Take:
				_, ok = q.(queue.Taker)
				what = "Taker"
			case record.CloseQueue:
				_, ok = q.(queue.Closer)
				what = "Closer"
			case record.GlobalPut, record.GlobalGet:
				ok, what = global, "GlobalQueue"
			}
			if !ok {
				return lacks(t, in.Kind, what)
			}
		}
	}
	if _, ok := q.(queue.Shower); r.s.Snapshot && !ok {
		return fmt.Errorf("drive: scenario %q asks for snapshots, which need Shower", r.s.Name)
	}
	return nil
}

func (r *run) inOrder() {
	if p, ok := r.set.(queue.Pinner); ok {
		p.Enter(0, 1)
		defer p.Leave(0)
	}
	r.waits.inOrder()
	at := make([]int, len(r.threads))
	for _, n := range r.s.Order {
		if r.stop.Load() || r.crash.Load() != nil {
			return
		}
		t := r.threads[n]
		if !t.guarded(func() { t.call(t.script[at[n]%len(t.script)]) }) {
			return
		}
		at[n]++
		if r.s.Snapshot {
			c := r.contents()
			r.shown = append(r.shown, &c)
		}
	}
}

func (r *run) concurrently() {
	done := make(chan struct{}, len(r.threads))
	pinner, _ := r.set.(queue.Pinner)
	calls := 0
	for t := range r.threads {
		calls = max(calls, r.calls[t])
	}
	r.stops = calls/burst + 1
	if pinner == nil {
		r.together = newMeeting(len(r.threads))
	}
	for _, t := range r.threads {
		go func() {
			defer func() { done <- struct{}{} }()
			defer r.waits.ended()
			t.goroutine.Store(goroutine())
			if pinner != nil {
				pinner.Enter(t.n, len(r.threads))
				defer pinner.Leave(t.n)
			} else {
				defer r.together.leave(t.n)
			}
			t.guarded(t.loop)
		}()
	}
	for range r.threads {
		<-done
	}
}
