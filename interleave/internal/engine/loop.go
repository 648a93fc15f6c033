package engine

// Loops that wait.
//
// A thread that spins until a word changes has endlessly many executions, which
// differ in nothing but how often it looked. A round is vain if the thread is
// afterwards as it was before (see visits.go: its whole stack), has changed nothing for good, and nobody has seen what it changed
// for a while: a lock that it took and gave back, a number that it added and took
// away. See window.go. After one vain round the thread is held back, at its next
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
// A round is doubtful if it is vain but for tallies (numbers that it adds to and
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
	from    int32  // the last event before the round for which it is held back
	to      int32  // the last of it
	at      int    // the number of its loop
	// When time went by, and it was let go: the number of the loop that it was held back in, or 0; and its steps.
	roused   int
	rousedAt int32
	idle     int32       // steps of rounds, each since time went by, that were in vain
	mine     []ownObject // the last that the thread has made
	spent    int         // steps, when it was let go although it had made too many
	again    bool
	tick     int // counts the operations at which rounds were compared
	fresh    int // the tick at which something was done that is not undone
	visits   []visit
	heads    []round // see Head
	count    int     // how many there were
	written  []writtenWord
	known    bool // its rounds can be compared
	visited  bool // it was held back
	grows    growth
}

// mostPast is how many rounds a loop may take to come back to where it was, less one.
const mostPast = 4

// A round is one of a loop.
type round struct {
	number int    // of the loop
	passed bool   // there is one
	tick   int    // when it began
	last   int32  // the last event before
	state  uint64 // a sum of the stack
	looks  uint64 // what was read in the round before
	doubts int    // doubtful rounds in a row
}

func (l *loop) begin() {
	*l = loop{mine: l.mine[:0], visits: l.visits[:0], heads: l.heads[:0], written: l.written[:0]}
}

// Head says that the running thread is at the head of a loop, and what a sum of its variables is. The number is 0 when the loop is entered; Head sets it.
// Only the engine's own tests call it, for programs that they interpret. Of code, the stack is compared.
func Head(number *int, state uint64) {
	s := current
	if s.drain(); s.unwinding {
		s.endOutside()
		return
	}
	t := s.running
	l := &t.loop
	if *number == 0 {
		l.count++
		*number = l.count
	}
	l.known = true
	i := len(l.heads) - 1
	for i >= 0 && l.heads[i].number != *number {
		i--
	}
	if l.heads = l.heads[:i+1]; i >= 0 { // those in it have been left
		a := &l.heads[i]
		s.judge(t, a, state, max(l.fresh, l.wroteLast()) <= a.tick)
	} else {
		l.heads = append(l.heads, round{number: *number})
		i = len(l.heads) - 1
	}
	l.tick++
	a := &l.heads[i]
	a.passed, a.tick, a.last, a.state = true, l.tick, t.Last, state
}

// judge decides whether t is to be held back after the round that has ended. Same says that it has changed nothing for good.
func (s *scheduler) judge(t *thread, a *round, state uint64, same bool) {
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
	if shadows != "" {
		s.shadowed(t, a.last)
	}
	if l.pending != goesOn {
		l.from, l.to, l.at = a.last, t.Last, a.number
	}
}
