// Package rounds says which rounds of loops were in vain, and what would help the threads that wait in such loops.
//
// A thread that spins until a word changes has endlessly many executions, which
// differ in nothing but how often it looked. A round is vain if the thread is
// afterwards as it was before (see Visit: its whole stack), has changed nothing for good, and nobody has seen what it changed
// for a while: a lock that it took and gave back, a number that it added and took
// away. See Log.window. After one vain round the thread is held back, at its next
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
// something that it looked at is different: see Helped.
//
// Rejected: letting a held thread go so under the reduction as well. It makes
// whether an operation can be carried out depend on several objects at once, and
// reductions that do not know of it lose executions.
package rounds

import "github.com/spindle-go/spindle/interleave/internal/order"

// A Reason is why a thread is held back.
type Reason uint8

// The reasons.
const (
	None      Reason = iota
	Vain             // one round was
	Doubtful         // several rounds were
	Repeated         // it did the same again: see Repetition
	Exhausted        // it has made as many steps as a thread may
)

// Loops are what is known of a thread's.
type Loops struct {
	Held    bool
	Why     Reason
	Pending Reason // to be held back at its next operation
	From    int32  // the last event before the round for which it is held back
	To      int32  // the last of it
	At      int    // the number of its loop
	// When time went by, and it was let go: the number of the loop that it was held back in, or 0; and its steps.
	Roused   int
	RousedAt int32
	Idle     int32 // steps of rounds, each since time went by, that were in vain
	Spent    int   // steps, when it was let go although it had made too many
	Again    bool
	Known    bool // its rounds can be compared
	Visited  bool // it was held back
	Grows    Growth

	tick    int         // counts the operations at which rounds were compared
	fresh   int         // the tick at which something was done that is not undone
	mine    []Object    // the last that the thread has made
	written []wordWrite // words
	visits  []visit
	heads   []round // see Head
	count   int     // how many there were
}

// MostPast is how many rounds a loop may take to come back to where it was, less one.
const MostPast = 4

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

// Begin forgets all.
func (l *Loops) Begin() {
	*l = Loops{mine: l.mine[:0], visits: l.visits[:0], heads: l.heads[:0], written: l.written[:0]}
}

// Changes says that the thread does something that is not undone: no round with it is in vain.
func (l *Loops) Changes() { l.fresh = l.tick + 1 }

// Marked reports whether the thread is in a loop of which the rounds are told: see Log.Head.
func (l *Loops) Marked() bool { return len(l.heads) > 0 }

// Outermost returns the number of the loop that the thread is in and that no other is around, 0 if it is in none that is told.
func (l *Loops) Outermost() int {
	if len(l.heads) == 0 {
		return 0
	}
	return l.heads[0].number
}

// A Verdict says what a round has come to.
type Verdict struct {
	Judged  bool  // a round has ended
	From    int32 // behind that event
	Further bool  // the thread is no longer where it was held back
}

// Head says that a thread is at the head of a loop, and what a sum of its variables is. The number is 0 when the loop is entered; Head sets it. Looks is after how many doubtful
// rounds in a row the thread is held back.
func (g *Log) Head(l *Loops, t *order.Thread, number *int, state uint64, looks int) (v Verdict) {
	if *number == 0 {
		l.count++
		*number = l.count
	}
	l.Known = true
	i := len(l.heads) - 1
	for i >= 0 && l.heads[i].number != *number {
		i--
	}
	if l.heads = l.heads[:i+1]; i >= 0 { // those in it have been left
		a := &l.heads[i]
		v = g.judge(l, t, a, state, max(l.fresh, l.wroteLast()) <= a.tick, looks)
	} else {
		l.heads = append(l.heads, round{number: *number})
		i = len(l.heads) - 1
	}
	l.tick++
	a := &l.heads[i]
	a.passed, a.tick, a.last, a.state = true, l.tick, t.Last, state
	return v
}

// judge decides whether t is to be held back after the round that has ended. Same says that it has changed nothing for good.
func (g *Log) judge(l *Loops, t *order.Thread, a *round, state uint64, same bool, most int) (v Verdict) {
	if t.Last == a.last {
		return v // no operation: others can do nothing about it
	}
	v = Verdict{Judged: true, From: a.last}
	w := None
	if state == a.state && same {
		var looks uint64
		w, looks = g.window(t, a.last)
		if w != None && g.Retries {
			if looks != a.looks {
				w = None
			}
			a.looks = looks
		}
	}
	switch w {
	case Vain:
		l.Pending = Vain
	case Doubtful:
		if a.doubts++; a.doubts >= most {
			a.doubts = 0
			l.Pending = Doubtful
		}
	default:
		l.Roused = 0
		a.doubts = 0
		v.Further = a.number <= l.At
	}
	if l.Pending != None {
		l.From, l.To, l.At = a.last, t.Last, a.number
	}
	return v
}
