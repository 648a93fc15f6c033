package engine

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/spindle-go/spindle/interleave/internal/certificate"
	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/place"
	"github.com/spindle-go/spindle/interleave/internal/schedule"
	"github.com/spindle-go/spindle/interleave/internal/strategy"
)

// A Trace is one execution with all that a reader needs to follow it.
type Trace struct {
	Threads []string // names, by number; "" is none
	Steps   []TraceStep
	Failure *Failure
}

// A TraceStep is a step with its place.
type TraceStep struct {
	Step
	Place place.Place
	Note  string // what came of an operation on channels: whom it met, and what else could have been taken
	// Switch says why the thread of the step before did not go on: empty if it
	// did, or could not be asked.
	Switch string
}

// watcher is a replay that notes why threads are switched.
type watcher struct {
	schedule.Replay
	s     *scheduler
	notes []string
}

func (w *watcher) Begin(x *order.Execution) {
	w.Replay.Begin(x)
	w.notes = w.notes[:0]
	w.s.pcs, w.s.told = make([]uintptr, 0, 64), make([]string, 0, 64)
}

func (w *watcher) Choose(x *order.Execution, c strategy.Choice) (int, error) {
	if c.Of > 0 {
		return w.Replay.Choose(x, c)
	}
	n, err := w.Replay.Choose(x, c)
	s := w.s
	note := ""
	if r := s.running; r != nil && r.ID != n {
		switch {
		case r.done:
			note = r.name + " has ended"
		case r.Next.Kind == object.Tick:
		case c.Threads.Has(r.ID):
			note = r.name + " could go on, with " + s.announced(r)
		case r.loop.Held:
			note = r.name + " repeats itself"
		default:
			note = r.name + " has to wait: " + s.announced(r)
		}
	}
	if n >= 0 {
		if t := s.byID[n]; t != nil && t.Owner == nil && t.Count == 0 {
			if p := place.Of(t.from); p.Line > 0 {
				begins := fmt.Sprintf("%s was started at %s:%d", t.name, place.Base(p.File), p.Line)
				note = strings.TrimPrefix(note+"; "+begins, "; ")
			}
		}
	}
	w.notes = append(w.notes, note)
	return n, err
}

// trace returns the present execution; w, if it is not nil, watched it.
func (s *scheduler) trace(w *watcher) *Trace {
	v := &View{s}
	t := &Trace{Threads: v.Threads(), Failure: v.Failure()}
	for i, step := range v.Steps() {
		ts := TraceStep{Step: step, Place: place.Of(step.Site)}
		if w != nil && i < len(w.notes) {
			ts.Switch = w.notes[i]
		}
		if i < len(s.told) {
			ts.Note = s.told[i]
		}
		if step.Site == 0 && i < len(s.pcs) && s.pcs[i] != 0 {
			f, _ := runtime.CallersFrames([]uintptr{s.pcs[i]}).Next()
			ts.Place = place.Place{File: f.File, Line: f.Line, Func: f.Function}
		}
		t.Steps = append(t.Steps, ts)
	}
	return t
}

// Explain runs a schedule again and returns what happened.
func Explain(o Options, body func(*Exec), text string) (*Trace, error) {
	turns, err := schedule.Parse(text)
	if err != nil {
		return nil, err
	}
	var t *Trace
	w := &watcher{Replay: schedule.Replay{Turns: turns}}
	o.custom = func(s *scheduler) strategy.Chooser { w.s, w.Program = s, s; return w }
	o.Each = func(v *View) bool {
		t = v.s.trace(w)
		return false
	}
	if _, _, err := Explore(o, body); err != nil {
		return nil, err
	}
	if t == nil {
		return nil, fmt.Errorf("interleave: nothing was run")
	}
	if w.Diverged != "" && t.Failure == nil {
		return t, fmt.Errorf("interleave: the schedule does not fit this program: %s", w.Diverged)
	}
	return t, nil
}

// Shrink returns a failure of the same kind with as few switches as it finds,
// f itself if none.
func Shrink(o Options, body func(*Exec), f *Failure) (*Failure, certificate.Certificate, error) {
	turns, err := schedule.Parse(f.Schedule)
	if err != nil {
		return f, certificate.Certificate{}, err
	}
	if len(turns) == 0 {
		return f, certificate.Certificate{}, nil
	}
	kind := f.Kind
	h := &schedule.Shrinking{Worth: f.Switches, Turns: turns, Steps: f.Steps}
	o.custom = func(s *scheduler) strategy.Chooser {
		h.Fails = func() bool { return s.failure != nil && s.failure.Kind == kind }
		h.Better = func() {
			s.measure()
			f = s.failure
		}
		return h
	}
	o.Each = func(*View) bool { return true }
	c, _, err := Explore(o, body)
	return f, c, err
}

// Comes is of schedule.Program.
func (s *scheduler) Comes(id int) bool { return s.byID[id] != nil && s.comes(s.byID[id]) }

// WhyNot is of schedule.Program.
func (s *scheduler) WhyNot(id int) string {
	for _, t := range s.threads {
		if t.ID != id {
			continue
		}
		if t.done {
			return "has ended"
		}
		return "cannot go on: it is at " + s.announced(t)
	}
	return "does not exist"
}
