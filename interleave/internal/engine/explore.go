package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime/metrics"
	"sync/atomic"
	"time"

	"github.com/spindle-go/spindle/interleave/internal/certificate"
	"github.com/spindle-go/spindle/interleave/internal/schedule"
	"github.com/spindle-go/spindle/internal/awake"
)

// exploring is full while an exploration goes on.
var exploring = make(chan struct{}, 1)

// abandoned says when the exploration that goes on was given up, since it is stuck, and by which error.
var abandoned atomic.Pointer[struct {
	at  time.Time
	err error
}]

// enter waits for the exploration that goes on, unless that one was given up and does not
// end.
func enter() error {
	for {
		select {
		case exploring <- struct{}{}:
			return nil
		default:
		}
		if a := abandoned.Load(); a != nil && time.Since(a.at) > Stuck/10 {
			because := ErrUncontrolled
			if errors.Is(a.err, ErrRefused) {
				because = ErrRefused
			}
			return fmt.Errorf("%w: an exploration before this one was given up in a call that still runs, and this process can explore nothing more", because)
		}
		select {
		case exploring <- struct{}{}:
			return nil
		case <-time.After(Stuck / 20):
		}
	}
}

// leave lets the next exploration begin.
func leave() {
	abandoned.Store(nil)
	<-exploring
}

// Explore runs body again and again. The failure is of the first execution that
// was wrong, and ended the exploration. Errors wrap ErrUncontrolled, or are
// about Options.
func Explore(o Options, body func(*Exec)) (certificate.Certificate, *Failure, error) {
	s := newScheduler()
	if shadows != "" && (o.Strategy == Portfolio || o.Strategy == Exhaustive || o.Strategy == DFS) {
		o.Strategy, o.Executions = Random, shadowExecutions
		defer s.reportShadows()
	}
	s.body, s.maxSteps, s.each, s.tso, s.frozen = body, o.Steps, o.Each, o.TSO, o.Freeze
	s.rounds.Retries = o.Retries
	if s.maxSteps == 0 {
		s.maxSteps = DefaultSteps
	}
	if s.patience = o.Patience; s.patience == 0 {
		s.patience = DefaultPatience
	}
	e := &exploration{s: s, Options: o, begin: time.Now(), c: certificate.Certificate{Strategy: o.Strategy, Exhausted: certificate.Exhausted{Preemptions: -1}, NoRaces: !PlainAccesses}}
	e.c.Bounds = certificate.Bounds{Preemptions: -1, Steps: s.maxSteps, Executions: o.Executions, Time: o.Time}
	if o.Strategy == DFS {
		e.c.Bounds.Preemptions = o.Bound
	}
	if o.Strategy == Replay {
		turns, err := schedule.Parse(o.Schedule)
		if err != nil {
			return e.c, nil, err
		}
		e.turns = turns
	}
	s.calledFrom()
	if err := enter(); err != nil {
		return e.c, nil, err
	}
	type result struct {
		c   certificate.Certificate
		f   *Failure
		err error

		again bool // s can be used again
	}
	if e.limit = o.Until; e.limit == nil {
		e.limit = context.Background()
	}
	if o.Time > 0 {
		limit, cancel := awake.WithTimeout(e.limit, o.Time)
		defer cancel()
		e.limit = limit
	}
	results := make(chan result, 1)
	go func() {
		defer leave()
		ok := false
		defer func() {
			if !ok { // runtime.Goexit came through a coroutine
				controlled = false
				current = nil
				results <- result{c: e.certificate(), err: s.exited()}
			}
		}()
		current, Buffering = s, s.tso
		f, err := e.run()
		current = nil
		s.close()
		ok = true
		results <- result{e.certificate(), f, err, s.lost == 0}
	}()
	const ticks = 40
	outside := ticks
	if o.Outside > 0 {
		outside = max(1, int(o.Outside*ticks/Stuck))
	}
	watch := time.NewTicker(Stuck / ticks)
	defer watch.Stop()
	// A tick that comes late is one: the process may have been stopped.
	last, still, heap := uint64(0), 0, heapBytes()
	for {
		select {
		case r := <-results:
			if r.again {
				schedulers.Put(s)
			}
			return r.c, r.f, r.err
		case <-watch.C:
			if n := s.alive.Load(); n != last {
				last, still, heap = n, 0, heapBytes()
				continue
			}
			if still++; still == outside {
				s.breakOff(time.Duration(still) * Stuck / ticks)
			}
			if h := heapBytes(); still > ticks+ticks/10 || still > ticks/10 && h > heap+Hoard {
				err := s.stuck(time.Duration(still) * Stuck / ticks)
				abandoned.Store(&struct {
					at  time.Time
					err error
				}{time.Now(), err})
				if s.aside.Load() == broken { // it makes no operation
					controlled = false
				}
				return e.c, nil, err
			} else {
				heap = min(heap, h) // garbage may have been in it
			}
		}
	}
}

// heapBytes is how large the heap is.
func heapBytes() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
