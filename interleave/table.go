package interleave

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spindle-go/spindle/interleave/internal/engine"
)

// A Trace is one execution, step by step.
type Trace = engine.Trace

// WriteTable writes t with a column for each thread: what was done, with the
// values that were read and written, where that is in the source, with the
// comment at the end of the line, and why threads were switched.
func WriteTable(w io.Writer, t *Trace) error {
	var cols []int // of threads that did something
	used := make(map[int]bool)
	for _, s := range t.Steps {
		used[s.Thread] = true
	}
	width := make([]int, len(t.Threads))
	for i, name := range t.Threads {
		if used[i] {
			cols = append(cols, i)
			width[i] = len(name)
		}
	}
	cells := make([]string, len(t.Steps))
	for i := range t.Steps {
		s := &t.Steps[i]
		cells[i] = word(s)
		width[s.Thread] = max(width[s.Thread], len([]rune(cells[i])))
	}
	var b strings.Builder
	b.WriteString("step")
	for _, c := range cols {
		fmt.Fprintf(&b, "  %-*s", width[c], t.Threads[c])
	}
	b.WriteString("\n")
	for i := range t.Steps {
		s := &t.Steps[i]
		if s.Switch != "" {
			fmt.Fprintf(&b, "      -- %s\n", s.Switch)
		}
		fmt.Fprintf(&b, "%4d", i)
		for _, c := range cols {
			cell := ""
			if c == s.Thread {
				cell = cells[i]
			}
			fmt.Fprintf(&b, "  %s%s", cell, strings.Repeat(" ", width[c]-len([]rune(cell))))
		}
		if s.Place.Line > 0 {
			fmt.Fprintf(&b, "  %s:%d", filepath.Base(s.Place.File), s.Place.Line)
		}
		if s.Place.Action != "" {
			fmt.Fprintf(&b, "  %s", s.Place.Action)
		}
		text := strings.TrimRight(b.String(), " ")
		b.Reset()
		b.WriteString(text + "\n")
		if i%64 == 63 {
			if _, err := io.WriteString(w, b.String()); err != nil {
				return err
			}
			b.Reset()
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// word words a step: "p.head.Load = 3".
func word(s *engine.TraceStep) string {
	what := s.Place.Expr
	if what == "" && s.Object >= 0 {
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
	switch s.Kind {
	case engine.Load:
		return name + " = " + r
	case engine.Store:
		return name + " " + w
	case engine.Swap:
		return fmt.Sprintf("%s %s, was %s", name, w, r)
	case engine.CompareAndSwap:
		if !s.Changed {
			return fmt.Sprintf("%s failed, was %s", name, r)
		}
		return fmt.Sprintf("%s %s -> %s", name, r, w)
	case engine.Add, engine.And, engine.Or, engine.Count:
		return fmt.Sprintf("%s %s -> %s", name, r, w)
	case engine.TryLock, engine.TryRLock, engine.TryWLock:
		if !s.Changed && s.Wrote == s.Read {
			return name + " failed"
		}
	}
	return name
}
