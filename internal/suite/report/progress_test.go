package report

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spindle-go/spindle/internal/suite"
)

// shared is what several goroutines write to.
type shared struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

// take returns what was written since it was called last.
func (s *shared) take() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.b.Reset()
	return s.b.String()
}

// In a pipe the first line comes within 2 s and another every 10 s, though no event
// does; not one line more comes, though many events do.
func TestProgressInAPipe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b shared
		p := NewProgress(&b, nil)
		defer p.Close()
		for _, test := range []struct {
			wait  time.Duration
			event suite.Event
			want  string
		}{
			{0, suite.Event{Event: suite.HeaderEvent}, ""},
			{2 * time.Second, suite.Event{Event: suite.ProgressEvent, Target: "go", Text: "building"}, "spindle, after 1 s: begins\n"},
			{8 * time.Second, suite.Event{Event: suite.TargetEvent, Target: "go"}, ""},
			{2 * time.Second, suite.Event{Event: suite.ProgressEvent, Target: "go", Check: "a/b", Text: "1 of 2"}, "spindle, after 11 s: go: begins\n"},
			{10 * time.Second, suite.Event{Event: suite.CheckEvent, Target: "go", Check: "a/b"}, "spindle, after 21 s: go: a/b, 1 of 2\n"},
			{20 * time.Second, suite.Event{Event: suite.CheckEvent, Target: "go", Check: "a/c\n::error::x"},
				"spindle, after 31 s: go: 1 check done, the last one a/b\nspindle, after 41 s: go: 1 check done, the last one a/b\n"},
			{10 * time.Second, suite.Event{Event: suite.ControlEvent, Check: "a/b"}, "spindle, after 51 s: go: 2 checks done, the last one a/c\\n::error::x\n"},
			{10 * time.Second, suite.Event{Event: suite.FooterEvent}, "spindle, after 61 s: positive controls: a/b\n"},
			{time.Minute, suite.Event{}, ""},
		} {
			time.Sleep(test.wait)
			synctest.Wait()
			if got := b.take(); got != test.want {
				t.Errorf("before the %s event: expected %q, saw %q", test.event.Event, test.want, got)
			}
			p.Event(test.event)
		}
	})
}

func TestProgressOfManyEventsInAPipe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b shared
		p := NewProgress(&b, nil)
		for range 10 * 60 {
			time.Sleep(100 * time.Millisecond)
			synctest.Wait()
			p.Event(suite.Event{Event: suite.ProgressEvent, Target: "go", Text: "building"})
		}
		p.Close()
		p.Close()
		if got := b.take(); strings.Count(got, "\n") != 6 {
			t.Errorf("expected 6 lines in a minute, saw\n%s", got)
		}
	})
}

// On a terminal it is one line, which makes room for a report and comes back when no
// event does.
func TestProgressOnATerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b shared
		p := NewProgress(&b, func() int { return 20 })
		saw := func(want string) {
			t.Helper()
			synctest.Wait()
			if got := b.take(); got != want {
				t.Errorf("expected %q, saw %q", want, got)
			}
		}
		p.Event(suite.Event{Event: suite.ProgressEvent, Target: "go", Text: "building the run queue"})
		saw("\r\x1b[K0 s: go: building t")
		p.Event(suite.Event{Event: suite.ProgressEvent, Target: "go", Check: "a/b", Text: "1 of 2"})
		saw("\r\x1b[K0 s: go: a/b, 1 of ")
		p.Event(suite.Event{Event: suite.CheckEvent, Target: "go", Check: "a/b"})
		saw("\r\x1b[K") // here a report is written
		time.Sleep(700 * time.Millisecond)
		saw("") // it may still be
		time.Sleep(time.Second)
		saw("\r\x1b[K1 s: go: 1 check do" + "\r\x1b[K2 s: go: 1 check do")
		p.Close()
		saw("\r\x1b[K")
		p.Event(suite.Event{Event: suite.ProgressEvent, Text: "late"})
		time.Sleep(time.Minute)
		saw("")
	})
}

func TestProgressOnANarrowTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b shared
		p := NewProgress(&b, func() int { return 0 })
		p.Event(suite.Event{Event: suite.ProgressEvent, Target: "go", Text: "building"})
		p.Close()
		if got, want := b.take(), "\r\x1b[K\r\x1b[K"; got != want {
			t.Errorf("expected %q, saw %q", want, got)
		}
	})
}
