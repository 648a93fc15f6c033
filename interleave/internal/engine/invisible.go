package engine

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/list"
	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/place"
)

// Invisible operations.
//
// A line that ends in the directive "//interleave:invisible reason" is no step of
// the algorithm: an observation for a log, a number drawn from a counter. Its
// operations are carried out on the spot. Nobody else goes on in between, and
// they conflict with nothing; the order that they make between plain accesses is
// kept. It is the word of whoever wrote it that no order of them matters, so the
// certificate names each such line that was reached.

// invisible reports whether a site is on such a line.
func invisible(site Site) bool {
	k := place.Find(site)
	return k != nil && k.Invisible
}

// mute begins an invisible operation. It must not have to wait.
func (s *scheduler) mute(t *thread, addr unsafe.Pointer, ready func(unsafe.Pointer) bool, arg unsafe.Pointer, k object.Kind, site Site) {
	if ready != nil && !ready(arg) {
		p := place.Of(site)
		s.sorry = fmt.Errorf("%w: thread %s would have to wait in a line that is invisible, at %s:%d", ErrUncontrolled, t.name, p.File, p.Line)
		s.quit(sentinel{})
	}
	if !list.Contains(s.hidden, site) {
		s.hidden = append(s.hidden, site)
	}
	s.muted = true
	s.mutedEvent = order.Event{Op: object.Op{Thread: uint8(t.ID), Kind: k}, Loc: -1}
	if addr != nil {
		s.mutedEvent.Loc, _ = s.Locate(addr)
	}
}

// invisibleLines returns the lines that were reached, each once, with their reasons.
func (s *scheduler) invisibleLines() (lines []string) {
	list.Sort(s.hidden, func(a, b Site) int { return int(a) - int(b) })
	for _, site := range s.hidden {
		p := place.Of(site)
		line := fmt.Sprintf("%s:%d (%s)", place.Base(p.File), p.Line, strings.TrimSpace(strings.TrimPrefix(p.Action, place.Invisible)))
		if !list.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

func (s *scheduler) unmute(read, wrote uint64, changed bool) {
	s.op.Compares, s.op.Own = false, false
	ev := &s.mutedEvent
	ev.Read, ev.Wrote, ev.Write = read, wrote, changed
	if PlainAccesses {
		s.orderPlain(s.running, ev)
	}
	s.muted = false
}
