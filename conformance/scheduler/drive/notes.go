package drive

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/spec/record"
)

// here is the folder of this package, as the compiler names it.
var here = func() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(file)
}()

// Explain puts into an execution of the program, as the explorer has shown it, what its tasks and threads have come to, and marks the steps of this
// package. The steps stay, since the schedule counts them.
func (p *Program) Explain(x *record.Execution) *record.Execution {
	if x == nil {
		return nil
	}
	x = &record.Execution{Schedule: x.Schedule, Threads: x.Threads, Steps: slices.Clone(x.Steps)}
	steps := make([][]int, len(x.Threads)) // by thread: where its operations are
	placed, named, ofSuite := false, false, false
	for i := range x.Steps {
		s := &x.Steps[i]
		steps[s.Thread] = append(steps[s.Thread], i)
		s.Suite = s.File != "" && filepath.Dir(s.File) == here
		placed, ofSuite = placed || s.File != "" && !s.Suite, ofSuite || s.Suite
		named = named || !s.Suite && !strings.HasPrefix(s.Text, "#")
	}
	if placed && !ofSuite {
		// What the execution shows is known of instrumented code alone: all else is of this package.
		for i := range x.Steps {
			x.Steps[i].Suite = x.Steps[i].File == ""
		}
		return x
	}
	for i := range x.Steps {
		s := &x.Steps[i]
		if at := strings.Index(s.Switch, " of object "); at >= 0 && named && !strings.Contains(s.Switch[at:], ".go:") { // what the scheduler waits for has a name and a place
			who, _, _ := strings.Cut(s.Switch, " ")
			if strings.Contains(s.Switch, " has to wait: ") {
				s.Switch = who + " has to wait, as its script says"
			} else {
				s.Switch = who + " could go on"
			}
		}
	}
	for i := range min(p.notes.Load(), int64(len(p.log))) {
		n := &p.log[i]
		if text := told(&n.event); n.whole.Load() && text != "" && n.thread >= 0 && n.thread < len(steps) {
			of, behind := steps[n.thread], len(x.Steps)-1
			switch {
			case n.steps > 0 && n.steps <= len(of):
				behind = of[n.steps-1]
			case n.steps == 0 && len(of) > 0:
				behind = of[0] - 1
			}
			x.Notes = append(x.Notes, record.Note{Behind: behind, Thread: n.thread, Text: text})
		}
	}
	slices.SortStableFunc(x.Notes, func(a, b record.Note) int { return a.Behind - b.Behind })
	return x
}

// told returns what is said of an event among the steps, in words; "" if the steps say it.
func told(e *record.TaskEvent) string {
	switch e.What {
	case record.Begins, record.Does:
	case record.Ends:
		if e.Who < 0 {
			return ""
		}
	case record.Did:
		if e.Step != "c" && e.Text == "" && e.Step[0] != byte(record.Happen) {
			return ""
		}
	default:
		return ""
	}
	text := e.String()
	if e.Who < 0 {
		text = strings.TrimPrefix(text, "the run ") // the thread has a column
		if e.Who != record.Runner {
			_, text, _ = strings.Cut(text, " ")
		}
	}
	return text
}
