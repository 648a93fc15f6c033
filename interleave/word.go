package interleave

import (
	"fmt"
	"time"

	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/spec/record"
)

// execution makes of the engine's trace what others understand.
func execution(t *engine.Trace) *record.Execution {
	e := &record.Execution{Threads: t.Threads}
	if t.Failure != nil {
		e.Schedule = t.Failure.Schedule
	}
	for i := range t.Steps {
		s := &t.Steps[i]
		e.Steps = append(e.Steps, record.Step{
			Thread: s.Thread, Text: word(s), Action: s.Place.Action, File: s.Place.File, Line: s.Place.Line,
			Read: s.Read, Write: s.Wrote, Failed: s.Kind == object.CompareAndSwap && !s.Changed, Switch: s.Switch,
		})
	}
	return e
}

// word words a step: "p.head.Load = 3".
func word(s *engine.TraceStep) string {
	what := s.Place.Expr
	if s.Kind == object.Select {
		what = "" // its channels are in the note
	}
	if what == "" && s.Object >= 0 && s.Note == "" {
		what = fmt.Sprintf("#%d", s.Object)
	}
	value := func(v uint64) string {
		switch {
		case !s.Pointer:
			if int64(v) < 0 && int64(v) > -1000 {
				return fmt.Sprint(int64(v))
			}
			return fmt.Sprint(v)
		case v == 0:
			return "nil"
		}
		return fmt.Sprintf("p%d", v)
	}
	r, w := value(s.Read), value(s.Wrote)
	name := s.Kind.String()
	if what != "" {
		name = what + "." + name
	}
	switch {
	case s.Kind == object.Select && s.Note != "":
		return name + ": " + s.Note
	case s.Note != "":
		return name + " " + s.Note
	}
	switch s.Kind {
	case object.Tick:
		return "it is " + time.Duration(s.Wrote).String()
	case object.Load:
		return name + " = " + r
	case object.Store:
		return name + " " + w
	case object.Swap:
		return fmt.Sprintf("%s %s, was %s", name, w, r)
	case object.CompareAndSwap:
		if !s.Changed {
			return fmt.Sprintf("%s failed, was %s", name, r)
		}
		return fmt.Sprintf("%s %s -> %s", name, r, w)
	case object.Add, object.And, object.Or, object.Count:
		return fmt.Sprintf("%s %s -> %s", name, r, w)
	case object.TryLock, object.TryRLock, object.TryWLock:
		if !s.Changed && s.Wrote == s.Read {
			return name + " failed"
		}
	}
	return name
}
