package engine

import (
	"github.com/spindle-go/spindle/interleave/internal/order"
)

// Loops that wait.
//
// A thread that spins until a word changes has endlessly many executions, which
// differ in nothing but how often it looked. The instrumenter marks loops, so that
// the engine knows where an iteration begins. An iteration is vain if the thread is
// afterwards as it was before (the local variables that it will read again have
// their values), has changed nothing for good, and nobody has seen what it changed
// for a while: a lock that it took and gave back, a number that it added and took
// away. See window.go. After one vain iteration the thread is held back, at its next
// operation.
//
// For the reduction a thread that is held back has ended, as in GenMC's blocked
// executions. This loses no outcome, by the following argument.
//
//   - What decides it is the thread's past: its own operations, and those of
//     others that came between two of its own on one object of which one was a
//     write. All executions of a class agree on that. So the program in which such
//     a thread ends is a program like any other, and the reduction explores all
//     classes of it.
//   - Take the shortest execution with some outcome. If a thread goes on in it after a
//     vain iteration, take that iteration out: the thread is as it was, no object
//     is different when another looks at it, and who was kept waiting by the
//     iteration is so no longer. The execution that is left has the same outcome
//     and is shorter. So the shortest one has no vain iteration that its thread
//     goes on from: it is an execution of the program in which such threads end.
//
// Where the thread is held back does not matter for this, not even if it holds a
// lock there: that it is not given back keeps nobody from anything in the execution
// that has no such iteration.
//
// An iteration is doubtful if it is vain but for tallies (numbers that it adds to and
// never looks at; others may look at them later), or for something that others
// have seen. A thread is held back after a few of them in a row. That is a loss,
// and the certificate counts it (Cut).
//
// Where a search does not reduce, a thread that is held back goes on as soon as
// something that it looked at is different: see wait.go.
//
// Rejected: letting a held thread go so under the reduction as well. It makes
// whether an operation can be carried out depend on several objects at once, and
// reductions that do not know of it lose executions.

// A reason is why a thread is held back.
type reason uint8

const (
	goesOn    reason = iota
	vain             // one iteration was
	doubtful         // several iterations were
	repeated         // it did the same again: see repeat.go
	exhausted        // it has made as many steps as a thread may
)

// loop is what is known of a thread's loops.
type loop struct {
	held    bool
	why     reason
	pending reason // to be held back at its next operation
	from    int32  // the last event before the iteration for which it is held back
	to      int32  // the last of it
	at      int    // the number of its loop
	// When time went by, and it was let go: the number of the loop that it was held back in, or 0; and its steps.
	roused   int
	rousedAt int32
	idle     int32 // steps of rounds, each since time went by, that were in vain
	stack    []activation
	count    int         // activations
	mine     []ownObject // the last that the thread has made
	depth    uintptr     // of the function with the last head, in the stack
	spent    int         // steps, when it was let go although it had made too many
	again    bool
	tick     int // counts heads that were passed
	fresh    int // the tick at which something was done that is not undone
	local    int // and at which something was written that nobody else may see, but that this loop may look at: see visits.go
	counted  int // the tick at which a tally of plain memory was changed
	tallies  []span
	visits   []visit // of code that is not rewritten
	written  []writtenWord
	known    bool // the thread was in such code, of which all is known
	visited  bool // it was held back at one
	grows    growth
	// Other threads that have read one of these.
	watchers order.ThreadSet
}

// An activation is a loop from the time it is entered.
type activation struct {
	number int
	site   Site
	passed bool  // the head was
	tick   int   // when
	last   int32 // the last event before the head
	state  uint64
	tally  uint64
	looks  uint64 // what was read in the iteration before
	doubts int    // doubtful iterations in a row
}

// A span is a piece of memory that the thread adds to, with the ticks, counted as fresh is,
// at which it was changed last and at which the thread looked at it last.
type span struct {
	from, to        uintptr
	changed, looked int
}

// counts has the thread count for itself in each iteration that both changes the span and
// looks at it. What it added before is no change: a thread may count itself in, and then
// look until others have done so.
func (l *loop) counts(m *span) { l.fresh = max(l.fresh, min(m.changed, m.looked)) }

func (l *loop) begin() {
	*l = loop{stack: l.stack[:0], tallies: l.tallies[:0], mine: l.mine[:0], visits: l.visits[:0], written: l.written[:0]}
}

// EnterLoop says that the running thread enters a loop, and returns a number for
// this time, never 0.
func EnterLoop(site Site) int {
	t := current.running
	l := &t.loop
	l.count++
	l.stack = append(l.stack, activation{number: l.count, site: site, last: t.Last})
	return l.count
}

// Head says that the running thread is at the head of a loop that EnterLoop gave a
// number: before its condition is evaluated. State is made from the variables
// that live across iterations, tally from those that the loop only adds to; depth is how deep in the stack
// the variables are of the function with the loop, 0 if that is not known.
func Head(number int, tally, state uint64, depth uintptr) {
	if Controlled() {
		current.head(current.running, number, tally, state)
		current.running.loop.depth = depth
	}
}

// Fresh says that the running thread has done something that cannot be seen, and
// may have changed anything.
func Fresh() {
	if Controlled() {
		l := &current.running.loop
		l.fresh = l.tick + 1
	}
}

func (s *scheduler) head(t *thread, number int, tally, state uint64) {
	if s.drain(); s.unwinding {
		s.endOutside()
		return
	}
	l := &t.loop
	i := len(l.stack) - 1
	for i >= 0 && l.stack[i].number != number {
		i--
	}
	if i < 0 {
		// Another loop of the thread was at its head since, and this one goes on all
		// the same: they are in two coroutines of an iterator.
		l.fresh = l.tick + 1
		l.stack = append(l.stack, activation{number: number})
		i = len(l.stack) - 1
	}
	l.stack = l.stack[:i+1] // those in it have been left
	a := &l.stack[i]
	if a.passed {
		s.judge(t, a, tally, state, max(l.fresh, l.local, l.wroteLast()) < a.tick+1)
	}
	l.tick++
	a.passed, a.tick, a.last, a.state, a.tally = true, l.tick, t.Last, state, tally
}

// judge decides whether t is to be held back after the iteration that has ended. Same says that it has changed nothing for good.
func (s *scheduler) judge(t *thread, a *activation, tally, state uint64, same bool) {
	l := &t.loop
	if t.Last == a.last {
		return // no operation: others can do nothing about it
	}
	w := goesOn
	if state == a.state && same {
		var looks uint64
		w, looks = s.window(t, a.last)
		if w != goesOn && s.retries {
			if looks != a.looks {
				w = goesOn
			}
			a.looks = looks
		}
		if w == vain && (tally != a.tally || l.counted >= a.tick+1) {
			w = doubtful
		}
	}
	switch w {
	case vain:
		l.pending = vain
	case doubtful:
		looks := s.looks
		if s.coda.on {
			looks = fewLooks // others have their turn
		}
		if a.doubts++; a.doubts >= looks {
			a.doubts = 0
			l.pending = doubtful
		}
	default:
		l.roused = 0
		a.doubts = 0
		if a.number <= l.at && !s.coda.toEnd {
			s.coda.moved = true
		}
	}
	if l.pending != goesOn {
		l.from, l.to, l.at = a.last, t.Last, a.number
	}
}

// wrote notes a plain write, read a plain read.
func (l *loop) wrote(addr, size uintptr, site Site) {
	if !tallies(site) {
		l.fresh = l.tick + 1
		return
	}
	l.counted = l.tick + 1
	for i := range l.tallies {
		if m := &l.tallies[i]; m.from <= addr && addr+size <= m.to {
			m.changed = l.tick + 1
			l.counts(m)
			return
		}
	}
	if len(l.tallies) == 8 {
		l.fresh = l.tick + 1
		return
	}
	l.tallies = append(l.tallies, span{from: addr, to: addr + size, changed: l.tick + 1})
}

func (l *loop) read(addr, size uintptr, site Site) {
	if tallies(site) {
		return
	}
	for i := range l.tallies {
		if m := &l.tallies[i]; m.meets(addr, size) {
			m.looked = l.tick + 1
			l.counts(m)
		}
	}
}

func (m *span) meets(addr, size uintptr) bool { return addr < m.to && m.from < addr+size }

// watch notes that t reads what others may count in.
func (s *scheduler) watch(t *thread, addr, size uintptr, site Site) {
	for _, o := range s.threads {
		if o == t || tallies(site) {
			continue
		}
		for i := range o.loop.tallies {
			if o.loop.tallies[i].meets(addr, size) {
				o.loop.watchers |= t.Bit()
			}
		}
	}
}

// Tallies says which sites only add to something and do not look at the sum.
func Tallies(sites ...Site) { tallySites.add(sites) }

// Unmarked says which sites are of functions whose loops have no heads.
func Unmarked(sites ...Site) { unmarkedSites.add(sites) }

type siteSet []bool

var tallySites, unmarkedSites siteSet

func (b *siteSet) add(sites []Site) {
	for _, site := range sites {
		for len(*b) <= int(site) {
			*b = append(*b, false)
		}
		(*b)[site] = true
	}
}

func (b siteSet) has(site Site) bool { return int(site) < len(b) && b[site] }

func tallies(site Site) bool {
	if site >= firstMade && site < ticking {
		return madeSites[site-firstMade].tally == yes
	}
	return tallySites.has(site)
}

// marked reports whether the loops round an operation are known.
func marked(site Site) bool {
	if site >= firstMade && site < ticking {
		return PlainAccesses && madeSites[site-firstMade].marked
	}
	return site != 0 && PlainAccesses && len(siteBlocks) > 0 && !unmarkedSites.has(site)
}
