package engine

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/place"
	"github.com/spindle-go/spindle/interleave/internal/schedule"
	"github.com/spindle-go/spindle/interleave/internal/strategy"
	"github.com/spindle-go/spindle/interleave/internal/unseen"
)

// ErrUncontrolled is wrapped by errors about what cannot be explored: a thread
// that blocks or spins without an operation, a channel, behaviour that differs
// between two runs of one schedule.
var ErrUncontrolled = errors.New("interleave: cannot be controlled")

// ErrRefused is wrapped by those errors that are about code that no schedule makes
// explorable, such as a channel: they wrap ErrUncontrolled, too.
var ErrRefused = fmt.Errorf("%w", ErrUncontrolled)

// unlike notes that a chooser found the program not to do the same twice.
func (s *scheduler) unlike(err error) {
	if c, ok := errors.AsType[*strategy.CannotRepeat](err); ok {
		s.differed = s.sorry == nil
		err = fmt.Errorf("behaviour differs between two runs of one schedule: at step %d thread %s could go on, and now cannot", c.Step, s.name(c.Thread))
	}
	if s.sorry == nil {
		s.sorry = fmt.Errorf("%w: %w", ErrUncontrolled, err)
	}
}

func (s *scheduler) name(id int) string {
	if t := s.byID[id]; t != nil {
		return t.name
	}
	return fmt.Sprintf("number %d", id)
}

// unsteady is called when two runs of one schedule did different things.
func (s *scheduler) unsteady(i int, old, now order.Event) {
	if s.sorry == nil {
		s.differed = true
		s.sorry = fmt.Errorf("%w: behaviour differs between two runs of one schedule: step %d was %s, and now is %s (time, chance, the order of a map, or state that survives an execution)",
			ErrUncontrolled, i, s.word(&old), s.word(&now))
	}
}

// word words an event for an error.
func (s *scheduler) word(ev *order.Event) string {
	p := place.Of(ev.Site)
	text := ev.Kind.String()
	if p.Expr != "" {
		text = p.Expr + "." + text
	}
	if p.Line > 0 {
		text += fmt.Sprintf(" at %s:%d", p.File, p.Line)
	}
	if ev.Of > 0 {
		text += fmt.Sprintf(" (which may do %d things)", ev.Of)
	}
	if !ev.Pointer {
		text += fmt.Sprintf(" (read %d, wrote %d)", ev.Read, ev.Wrote)
	}
	return fmt.Sprintf("%s: %s", s.name(int(ev.Thread)), text)
}

// exited is the error when a thread called t.FailNow, or the body runtime.Goexit.
func (s *scheduler) exited() error {
	who, what := "the body, or a function given to Finally,", "runtime.Goexit, or t.Fatal, t.FailNow or t.Skip, which do"
	if s.left != nil {
		who, what = "thread "+s.left.name, "t.Fatal, t.FailNow or t.Skip"
	}
	return fmt.Errorf("%w: %s called %s: call Fatalf of the Exec instead, so that the schedule is shown (%s)", ErrUncontrolled, who, what, schedule.Of(&s.Execution))
}

// ofTest reports whether the runtime.Goexit that ends this goroutine is that of a test, by t.FailNow or t.SkipNow. What iter.Pull hands on has lost
// its origin, and is not known to be.
func ofTest() bool {
	pcs := make([]uintptr, 32)
	for {
		n := runtime.Callers(2, pcs)
		if n < len(pcs) {
			pcs = pcs[:n]
			break
		}
		pcs = make([]uintptr, 2*len(pcs))
	}
	frames := runtime.CallersFrames(pcs)
	for more := true; more; {
		var f runtime.Frame
		if f, more = frames.Next(); f.Function == "runtime.Goexit" {
			f, _ = frames.Next()
			return strings.HasPrefix(f.Function, "testing.")
		}
	}
	return false
}

// ErrStuck is wrapped by the error of an exploration that was given up since a thread, the
// body or Finally does not go on. It is an ErrUncontrolled.
var ErrStuck = fmt.Errorf("%w", ErrUncontrolled)

// stuck is the error when a thread neither comes to an operation nor ends. It
// cannot be stopped; this process can explore nothing more.
func (s *scheduler) stuck(since time.Duration) error {
	since = since.Round(100 * time.Millisecond)
	buf := make([]byte, 1<<20)
	buf = buf[:runtime.Stack(buf, true)]
	for _, g := range strings.Split(string(buf), "\n\n") {
		if s.aside.Load() != 0 && strings.Contains(g, "engine.(*scheduler).guard(") {
			why := ""
			if s.x.spawned {
				why = "; goroutines that it starts are threads, which begin when it has returned"
			}
			return fmt.Errorf("%w: for %v %s has waited for another%s; it is at\n%s", ErrStuck, since, outsideOf, why, g)
		}
		if sits(g) && (s.unordered || comesToUnseen(g)) {
			return fmt.Errorf("%w: for %v a thread has neither come to an operation nor ended; it may wait for another one, in code that is not explored; it is at\n%s", ErrRefused, since, g)
		}
		if sits(g) {
			return fmt.Errorf("%w: for %v a thread has neither come to an operation nor ended; it is at\n%s", ErrStuck, since, g)
		}
	}
	return fmt.Errorf("%w: for %v nothing has happened; the body, Finally or a thread blocks on something that is not controlled\n%s", ErrStuck, since, buf)
}

// comesToUnseen reports whether a goroutine, as runtime.Stack prints it, is in a function of a
// package that is not explored, and in which threads can meet.
func comesToUnseen(stack string) bool {
	for line := range strings.Lines(stack) {
		name, _, call := strings.Cut(line, "(")
		if i := strings.LastIndex(line, "("); call && i > 0 {
			name = line[:i]
		}
		if unseen.Packages[place.PackageOf(name)] != "" && !strings.HasPrefix(line, "\t") {
			return true
		}
	}
	return false
}

func (s *scheduler) refuse(who string, site Site, what string) {
	p := place.Of(site)
	if s.sorry == nil {
		s.sorry = fmt.Errorf("%w: %s has reached %s at %s:%d", ErrRefused, who, what, p.File, p.Line)
	}
	s.quit(sentinel{})
}
