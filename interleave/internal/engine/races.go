package engine

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/certificate"
	"github.com/spindle-go/spindle/interleave/internal/list"
	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/place"
	"github.com/spindle-go/spindle/interleave/internal/race"
)

// What the engine tells package race, and what it does with the findings.

// PlainAccesses says whether the program reports its plain accesses, from the
// first on: set by whoever explores in an instrumented binary.
var PlainAccesses bool

// Unsure says why it is not known whether this binary has the code that is under test,
// "" if that is known. It is set before the first exploration.
var Unsure string

// Touches says between Begin and End which bytes the operation works on. One of
// which nothing is said has no part in data races.
func Touches(addr unsafe.Pointer, size uintptr) {
	if PlainAccesses {
		touches(addr, size)
	}
}

func touches(addr unsafe.Pointer, size uintptr) { current.races.Touches(addr, size) }

func plain(addr unsafe.Pointer, size uintptr, site Site, r race.Role) {
	if !insider() {
		return
	}
	s := current
	if !PlainAccesses || s.unwinding || s.failure != nil || size == 0 {
		if s.unwinding {
			s.endOutside()
		}
		return
	}
	t := s.running
	if r.Writes() {
		t.repetition.Reset()
		t.loop.Changes()
	}
	s.races.Access(addr, size, t.ID, r, site)
}

// orderPlain tells of an operation that t has carried out.
func (s *scheduler) orderPlain(t *thread, ev *order.Event) {
	if ev.Loc < 0 || ev.Site == place.Goroutines || ev.On != nil {
		if !s.muted {
			s.races.Nothing()
		}
		return
	}
	s.races.Operation(&t.Thread, ev, !s.muted, s.failure == nil)
}

// Found is called of two accesses that the operations of the program do not order.
func (s *scheduler) Found(then, now *race.Access, f race.Finding) (wrong bool) {
	switch {
	case f == race.Ranging:
		defer handsBack(takesOver()) // the texts are the engine's
		s.doubts.Add(certificate.NotSeen, certificate.DuringRange, place.Both(then.Site, now.Site))
	case f == race.Overlap:
		if s.sorry == nil {
			s.sorry = fmt.Errorf("%w: two words of different places or sizes overlap: %s, %s", ErrUncontrolled, s.wordAccess(then), s.wordAccess(now))
		}
		return true
	case s.unordered:
		s.doubts.Add(certificate.NotSeen, "what orders the accesses of threads that begin in code of which not all is seen", "")
	case f == race.Inside, f == race.ByTables && place.OfStd(then.Site) && place.OfStd(now.Site):
		s.orderedInside(then, now)
	default:
		s.fail(&Failure{Kind: DataRace, Thread: s.name(int(now.Thread)), Message: s.wordAccess(then) + ", " + s.wordAccess(now) + ", and nothing orders the two"})
		return true
	}
	return false
}

// orderedInside: what orders two accesses is what code does for itself of which the operations are no steps. Between accesses of that code it is as it should be.
// Others might not be ordered if threads came there in another order, which is not tried.
func (s *scheduler) orderedInside(then, now *race.Access) {
	a, b := place.Package(then.Site), place.Package(now.Site)
	if a == "" || a != b || !place.OneStep(a, place.LikeStd(a)) && !list.Contains(s.oneStep, a) { // what orders them is another package's
		s.doubts.Add(certificate.NotSeen, "whether accesses are ordered but by what a package does for itself", place.Both(then.Site, now.Site))
	}
}

// wordAccess words an access: "reader reads p.n at p.go:17".
func (s *scheduler) wordAccess(a *race.Access) string {
	p := place.Of(a.Site)
	what := [...]string{race.Read: "reads", race.Write: "writes", race.Send: "sends to", race.Close: "closes", race.AtomicRead: "calls", race.AtomicWrite: "calls", race.GroupAdd: "calls", race.GroupWait: "calls"}[a.Role]
	if !a.Role.Plain() {
		what += " " + a.Kind.String() + " of"
	}
	if p.Expr != "" {
		what += " " + p.Expr
	} else if !a.Role.Plain() {
		what += " something"
	}
	where := fmt.Sprintf("%s:%d", place.Base(p.File), p.Line)
	if p.Caller != "" {
		where += ", called at " + p.Caller
	}
	return s.name(int(a.Thread)) + " " + what + " at " + where
}

// Hidden is called of a call of code that is not seen beside an access of another thread; nil if that is hidden, too.
func (s *scheduler) Hidden(c *race.Hidden, beside *race.Access) {
	defer handsBack(takesOver()) // the texts are the engine's
	at := c.At
	if beside != nil {
		at += ", beside " + strings.TrimPrefix(place.Where(beside.Site), "at ")
	}
	s.doubts.Add(certificate.NotSeen, c.What, at)
}

// Acquire orders what was released to the cell before what the running thread
// does next, for operations on a part of an object: a key of a Map, a value in a
// Pool, a thread that waits for a Cond. A cell is any address that has no other
// use; it is called between Begin and End. It is no operation itself.
func Acquire(cell unsafe.Pointer) {
	if PlainAccesses && controlled {
		current.races.Acquire(current.running.ID, cell)
	}
}

// Release orders what the running thread has done before what acquires the cell
// from now on. It takes the place of what was released to it before.
func Release(cell unsafe.Pointer) {
	if PlainAccesses && controlled {
		current.races.Release(current.running.ID, cell)
	}
}
