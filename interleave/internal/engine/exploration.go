package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/spindle-go/spindle/interleave/internal/certificate"
	"github.com/spindle-go/spindle/interleave/internal/dpor"
	"github.com/spindle-go/spindle/interleave/internal/list"
	"github.com/spindle-go/spindle/interleave/internal/rounds"
	"github.com/spindle-go/spindle/interleave/internal/schedule"
	"github.com/spindle-go/spindle/interleave/internal/strategy"
	"github.com/spindle-go/spindle/internal/awake"
)

// exploration is one call of Explore.
type exploration struct {
	Options
	s        *scheduler
	c        certificate.Certificate
	turns    []schedule.Turn
	begin    time.Time
	limit    context.Context // ends when the exploration must
	reported time.Time
}

func (e *exploration) certificate() certificate.Certificate {
	c := e.c
	c.Steps, c.Longest, c.Cuts.Iterations, c.Cuts.Threads = e.s.steps, e.s.longest, e.s.cut, e.s.lost
	c.Cuts.Bound = e.s.unfinished
	c.Doubts = list.Clone(e.s.doubts.All)
	c.Invisible = e.s.invisibleLines()
	c.Threads, c.Left, c.Rules = e.s.Width, e.s.mostLeft, list.Clone(e.s.rules)
	c.Blocked, c.Strict = e.s.search.Blocked, e.s.strict
	c.Elapsed = time.Since(e.begin)
	return c
}

// mostAnew is how often an exploration begins anew since two runs of one schedule differed.
const mostAnew = 2

// run explores, anew if it has turned out that threads are to be counted, use channels, or need a clock.
func (e *exploration) run() (*Failure, error) {
	if Unsure != "" {
		e.s.doubts.Add(certificate.NotSeen, "whether this is the code of the test binary: "+Unsure, "")
	}
	f, err := e.runs()
	for s := e.s; s.recount; {
		s.recount, s.first = false, 0
		s.search.Reset()
		e.c.Ended, e.c.Exhausted, e.c.Classes, e.c.Executions = "", certificate.Exhausted{Preemptions: -1}, 0, 0
		f, err = e.runs()
	}
	return f, err
}

func (e *exploration) runs() (*Failure, error) {
	if e.custom != nil {
		return e.with(e.custom(e.s), 0)
	}
	if e.Each == nil && (e.Strategy == Portfolio || e.Strategy == Exhaustive) {
		if f, err := e.beforehand(); f != nil || err != nil {
			return f, err
		}
	}
	switch e.Strategy {
	case Portfolio:
		return e.onward(e.portfolio())
	case Exhaustive:
		f, err := e.with(&e.s.search, 0)
		e.finish(&e.s.search)
		if e.s.unseen && f == nil && err == nil && !e.over() {
			return e.with(&strategy.DFS{Bound: math.MaxInt}, 0)
		}
		return e.onward(f, err)
	case DFS:
		d := &strategy.DFS{Bound: e.Bound}
		f, err := e.with(d, 0)
		if d.Done {
			e.c.Exhausted = certificate.Exhausted{Classes: !d.Limited, Preemptions: e.Bound}
			e.c.Ended = certificate.ByExhaustion
		}
		return e.onward(f, err)
	case Replay:
		r := &schedule.Replay{Program: e.s, Turns: e.turns}
		f, err := e.with(r, 0)
		e.c.Ended = certificate.ByOneSchedule
		if err == nil && f == nil && r.Diverged != "" {
			err = fmt.Errorf("interleave: the schedule does not fit this program: %s", r.Diverged)
		}
		return f, err
	case Script:
		e.c.Ended = certificate.ByOneSchedule
		return e.with(&strategy.Script{Bytes: e.Bytes}, 0)
	case Random, PCT, Walk, Turns:
		n := e.Executions
		if n == 0 {
			n = math.MaxInt
		}
		e.c.Ended = certificate.ByChance
		return e.with(e.chance(e.Strategy, 3, n), 0)
	}
	return nil, fmt.Errorf("interleave: unknown strategy %q", e.Strategy)
}

// over reports whether a bound has been reached.
func (e *exploration) over() bool {
	switch {
	case e.s.recount:
	case e.Executions > 0 && e.c.Executions >= e.Executions:
		e.c.Ended = certificate.ByExecutions
	case e.limit.Err() != nil:
		e.c.Ended = certificate.ByCaller
		if over := (*awake.Over)(nil); errors.As(context.Cause(e.limit), &over) && (e.Until == nil || e.Until.Err() == nil) {
			e.c.Ended = certificate.ByTime
		}
	default:
		return false
	}
	return true
}

// with runs executions of one strategy, at most n unless n is 0.
func (e *exploration) with(st strategy.Chooser, n int) (f *Failure, err error) {
	if e.over() {
		return nil, nil
	}
	s := e.s
	s.strategy, s.again = st, false
	s.carriesOn = e.Each != nil && exhausts(st)
	_, reduces := st.(*dpor.Search)
	_, first := st.(strategy.First) // which must do what the reduction will do first
	s.forGood = reduces || first
	if s.looks = e.Looks; s.looks == 0 {
		s.looks = looksOf(st)
	}
	if s.bound = s.maxSteps; s.looks == longLooks {
		s.bound += longLooks * rounds.Longest
	}
	s.goesOn = func() (more bool) {
		f, more, err = e.after(st)
		n--
		s.again = true
		return more && n != 0 && !e.over()
	}
	s.explores()
	return f, err
}

// loop is what the host runs.
func (s *scheduler) loop() {
	for s.run(); s.goesOn(); s.run() {
	}
	s.ended = true
}

// after is what follows an execution. It reports whether there is another.
func (e *exploration) after(st strategy.Chooser) (f *Failure, more bool, err error) {
	s := e.s
	s.alive.Add(1)
	e.c.Executions++
	s.holdFirst()
	if s.differed && s.anew < mostAnew && e.c.Executions <= 2 && Seen { // something may have been made once, at its first use
		s.anew++
		s.sorry, s.differed, s.recount = nil, false, true
	}
	if s.sorry != nil {
		return nil, false, s.sorry
	}
	if s.recount || s.unseen && s.reduces() {
		e.c.Executions-- // it was broken off, and is not what was asked for
		return nil, false, nil
	}
	if s.each != nil && !s.abandoned {
		if f := s.failure; f != nil && f.Kind != Deadlock && f.Kind != Livelock && !s.carriesOn {
			e.c.Cuts.Failures++
		}
		if !s.each(&View{s}) {
			e.c.Ended = certificate.ByCaller
			return nil, false, nil
		}
	} else if s.failure != nil {
		e.c.Ended = certificate.ByFailure
		s.measure()
		s.failure.found = s.trace(nil)
		return s.failure, false, nil
	}
	if e.Progress != nil && e.c.Executions%1024 == 0 && time.Since(e.reported) > time.Second {
		e.reported = time.Now()
		e.Progress(e.certificate())
	}
	if s.forGood {
		s.endCoda()
	}
	return nil, st.End(&s.Execution), nil
}

// reduces reports whether the strategy is the reduction.
func (s *scheduler) reduces() bool {
	_, ok := s.strategy.(*dpor.Search)
	return ok
}

// exhausts reports whether a strategy ends when it has seen everything.
func exhausts(st strategy.Chooser) bool {
	switch st.(type) {
	case *dpor.Search, *strategy.DFS:
		return true
	}
	return false
}

func looksOf(st strategy.Chooser) int {
	switch st.(type) {
	case *dpor.Search, *strategy.DFS, strategy.First:
		return fewLooks
	}
	return manyLooks
}

// measure completes the failure.
func (s *scheduler) measure() {
	f := s.failure
	f.Schedule = schedule.Of(&s.Execution)
	f.Steps = len(s.Events)
	f.Looks = s.looks
	f.Switches = max(0, len(schedule.Segments(&s.Execution))-1)
}
