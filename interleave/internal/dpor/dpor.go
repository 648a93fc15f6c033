// Package dpor is the partial-order reduction: a strategy.Chooser that goes by
// nothing but an order.Execution.
//
// Two executions that differ only in the order of operations that do not
// conflict are of one class (a Mazurkiewicz trace), and one of them is enough.
// This is the algorithm Optimal-DPOR of Abdulla, Aronis, Jonsson and Sagonas
// (POPL 2014; "Source Sets: A Foundation for Optimal Dynamic Partial Order
// Reduction", JACM 2017). At the end of an execution each race, a pair of
// conflicting operations with nothing in between that orders them, is reversed:
// at the point before the first of the two, the sequence of everything that does
// not come after it, with the second of the two at the end, is to be tried.
// These sequences are kept as a tree of threads, a wakeup tree. Sleep sets keep
// track of what was explored before. See sequence.go and
// reverse.go for how a sequence is compared with what is planned and was explored.
//
// What all pruning rests on (Lemma 6.2 and Definition 6.1 there): a thread p is a
// weak initial of a sequence v if p's next operation could come first in v, or
// conflicts with none of it. Then an execution that begins with v and one that
// begins with p can be of one class.
//
//	When v is planned, none of the threads that are asleep at its point, or
//	planned there before it, is a weak initial of v.
//
// So at the end of v each of them has met an operation that it conflicts with,
// and is awake: the sleep set is empty there, and the search may go on freely.
// It follows that every point where the search chooses freely has an empty sleep
// set, and that no execution is begun in vain. Choose holds the program to both.
//
// Whether two operations conflict is not always known when v is planned: see
// sequence. Then v is planned, and the sleep set is emptied at its end. To wake a
// sleeper never loses an execution; it may repeat one. To take a sequence for
// covered that is not loses executions, so that is never done on a guess.
//
// What is particular here:
//
//   - Objects are numbered anew in every execution, in the order in which they are
//     announced: see account.go.
//   - A CompareAndSwap that fails is a read.
//   - A race with an operation that had to wait is one only if the operation
//     could have been carried out without the first: two locks of a mutex race,
//     an unlock and the lock that it makes possible do not.
//   - All races of an execution are reversed, also those between operations that
//     were in the execution before: what comes after them is part of v, and new.
//   - Of v what came after the second of the race is planned only if it takes that to
//     wake somebody: see enough.
//   - Of channels operations conflict if they touch the same part (package object,
//     channel.go). What an operation touches follows from what comes before it. A
//     planned one may come after less than it did: then it may be open what it will
//     touch.
//   - An operation may do one of several things (strategy.Choice.Of). One that was
//     chosen freely, or ends a planned sequence, does all of them, one after the
//     other. One that others come after in a sequence does what it did then: it is
//     another step than the same operation that does something else.
package dpor

import (
	"fmt"

	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/strategy"
)

// A sleeper is a thread whose next operation has been explored at this point,
// or at one before and nothing has conflicted with it since. What it does is
// known, for it was carried out.
type sleeper struct {
	thread uint8
	pick   uint16 // what it did, if that is only one of the things that it may do
	footprint
}

func (q *sleeper) conflicts(ev *order.Event) bool {
	return q.loc >= 0 && q.loc == ev.Loc && (q.write || ev.Write) && (q.may == 0 || q.may&ev.Touch() != 0)
}

// A footprint is what is known of an operation: on what it is, and whether it conflicts with
// others there.
type footprint struct {
	loc       int32
	write     bool   // it will write
	unsure    bool   // it is not known whether it will
	must, may uint64 // parts of channels that it will touch, and may
}

// footprintOf is that of an operation that was carried out.
func footprintOf(ev *order.Event) footprint {
	touch := ev.Touch()
	return footprint{loc: ev.Loc, write: ev.Write, must: touch, may: touch}
}

// on is f of the object that has number loc in another execution.
func (f footprint) on(loc int32) footprint {
	f.loc = loc
	return f
}

// A branch is a step of a planned sequence.
type branch struct {
	thread uint8
	footprint
	wake    bool      // it ends a sequence that may not wake all sleepers: see sequence
	pick    uint16    // what it does, of several things; 0: all, one after the other
	late    *late     // loc is of the execution that it is from: if the object was new there
	guesses []guessed // on which rests what was left out beside it: see account.go
	sub     []branch
}

// A node is a point of the present execution.
type node struct {
	choice  branch
	planned bool   // the choice was; nothing is known of what a free one does
	all     bool   // all that the operation may do is to be tried
	wrote   bool   // one of the things that it has done so far is a write
	touched uint64 // parts of channels that it has touched so far
	pick    uint16 // what it does now, of picks; from 0
	picks   uint16
	locs    int32 // objects that had been announced: their numbers stay
	sleep   []sleeper
	plan    []branch // what is to be tried here after the choice
	settled []uint64 // events whose race with the one chosen here needs no more thought, a bit for each
}

// Search is an exploration of all classes. The zero value is one that begins.
type Search struct {
	Count   int  // executions
	Blocked int  // of them: those that ended with threads that could go on
	Done    bool // all classes were run

	path []node
	// Of the execution that has ended: how many events it has; these by thread and ordinal; and for each how many every thread had.
	length int32
	of     [order.MaxThreads][]int32
	counts []int32
	sub    []branch // planned after the last node
	now    sequence
	rest   []int32   // of now
	passed []*branch // planned steps that now was compared with, and does not begin with
	// Of the present execution, if they were asked for: see account.go.
	shown   *account
	done    [order.MaxThreads][]uint64 // hashes of the events, by thread: with what was done
	guesses []guessed
	guessed bool  // something rests on guesses
	careful bool  // guesses are not made
	odd     error // what was inferred was not so
}

// Reset makes d a search that begins. Its slices are used again.
func (d *Search) Reset() {
	*d = Search{path: d.path[:0], of: d.of, counts: d.counts, rest: d.rest, passed: d.passed[:0], now: sequence{objects: d.now.objects}, done: d.done, guesses: d.guesses[:0]}
}

// Begin is of strategy.Chooser.
func (d *Search) Begin(x *order.Execution) {
	x.Fresh = max(0, len(d.path)-1)
	x.Pairs = true
}

// Choose is of strategy.Chooser. Errors are about a program that does not do the
// same twice, or *strategy.CannotRepeat.
func (d *Search) Choose(x *order.Execution, c strategy.Choice) (int, error) {
	at := len(x.Events)
	if c.Of > 0 {
		return d.choosePick(x, &d.path[at], c)
	}
	if at < len(d.path) {
		return strategy.Repeat(x, int(d.path[at].choice.thread), c)
	}
	if len(d.path) < cap(d.path) {
		d.path = d.path[:at+1]
	} else {
		d.path = append(d.path, node{})
	}
	n := &d.path[at]
	*n = node{sleep: n.sleep[:0], settled: n.settled[:0], locs: int32(len(x.Objects)), all: true}
	d.odd = nil
	switch {
	case at > 0 && !d.asleep(x, at):
	case len(d.sub) > 0:
		for i := range d.sub {
			b := &d.sub[i]
			if t := x.Threads[b.thread]; t != nil {
				b.loc, b.late = t.Next.Loc, nil // has been announced by now
			}
		}
		d.take(n, d.sub)
		if c.Threads.Has(int(n.choice.thread)) {
			return int(n.choice.thread), nil
		}
		d.broken("step %d of a planned sequence, thread %s, cannot be carried out", at, x.Lineage(int(n.choice.thread)))
	case len(n.sleep) > 0:
		d.broken("a free choice with %d threads asleep", len(n.sleep))
	default:
		chosen := c.Threads.Prefer(c.Now)
		n.choice.thread = uint8(chosen)
		return chosen, nil
	}
	if d.guessed {
		return -1, nil
	}
	return -1, d.odd
}

// Next returns the thread that Choose will choose now, -1 if that is open.
func (d *Search) Next(x *order.Execution) int {
	switch at := len(x.Events); {
	case at < len(d.path):
		return int(d.path[at].choice.thread)
	case len(d.sub) > 0:
		return int(d.sub[0].thread)
	}
	return -1
}

// choosePick chooses what the operation does that was chosen at n.
func (d *Search) choosePick(x *order.Execution, n *node, c strategy.Choice) (int, error) {
	if n.picks == 0 {
		n.picks = uint16(c.Of)
	}
	return strategy.RepeatPick(x, int(n.choice.thread), int(n.pick), c)
}

// asleep finds who is asleep at the point after the event before at.
func (d *Search) asleep(x *order.Execution, at int) bool {
	n, before := &d.path[at], &d.path[at-1]
	last := &x.Events[at-1]
	if before.planned && !before.choice.unsure && before.choice.write != last.Write {
		d.broken("the planned step %d, %v of thread %s, did not do what was foretold", at-1, last.Kind, x.Lineage(int(last.Thread)))
		return false
	}
	if t := last.Touch(); before.planned && (t&before.choice.must != before.choice.must || t&^before.choice.may != 0) {
		d.broken("the planned step %d, %v of thread %s, touched other channels than was foretold", at-1, last.Kind, x.Lineage(int(last.Thread)))
		return false
	}
	for _, q := range before.sleep {
		if !q.conflicts(last) && q.thread != last.Thread {
			n.sleep = append(n.sleep, q)
		}
	}
	if before.planned && len(before.choice.sub) == 0 {
		if len(n.sleep) > 0 && !before.choice.wake {
			d.broken("thread %s is asleep after a planned sequence of %d steps", x.Lineage(int(n.sleep[0].thread)), at)
			return false
		}
		n.sleep = n.sleep[:0]
	}
	return true
}

// take makes the first of plan the choice of n.
func (d *Search) take(n *node, plan []branch) {
	n.choice, n.planned = plan[0], true
	n.plan, d.sub = plan[1:], n.choice.sub
	n.all, n.wrote, n.touched, n.picks, n.pick = n.choice.pick == 0, false, 0, 0, max(1, n.choice.pick)-1
}

// broken notes that what the reduction has inferred is not so. The reason may be a
// guess, and the search begins anew without; else it ends.
func (d *Search) broken(format string, args ...any) {
	d.odd = fmt.Errorf("%s: behaviour differs between two runs of one schedule (time, chance, the order of a map), or the explorer is wrong", fmt.Sprintf(format, args...))
}

// End is of strategy.Chooser.
func (d *Search) End(x *order.Execution) bool {
	d.Count++
	if x.Blocked {
		d.Blocked++
	}
	length := len(x.Events)
	d.shown = nil
	d.index(x)
	x.AddWaiters()
	if d.odd != nil || d.refuted(x) {
		d.again()
		return true
	}
	for _, r := range x.Races {
		d.reverse(x, r)
	}
	x.Events = x.Events[:length]
	// Back to the deepest point where something is left to try.
	for at := len(d.path) - 1; at >= 0; at-- {
		n := &d.path[at]
		d.path = d.path[:at+1]
		if at < length {
			n.wrote, n.touched = n.wrote || x.Events[at].Write, n.touched|x.Events[at].Touch()
			if n.all && n.pick+1 < n.picks {
				n.pick++
				n.settled = n.settled[:0]
				d.sub = nil
				return true
			}
		}
		if len(n.choice.guesses) > 0 { // no execution has shown
			d.again()
			return true
		}
		if at < length && len(n.plan) > 0 {
			ev := &x.Events[at]
			q := sleeper{thread: ev.Thread, footprint: footprint{loc: ev.Loc, write: n.wrote, must: n.touched, may: n.touched}}
			if !n.all {
				q.pick = ev.Pick
			}
			n.sleep = append(n.sleep, q)
			d.take(n, n.plan)
			n.settled = n.settled[:0]
			return true
		}
	}
	d.path = d.path[:0]
	d.Done = true
	return false
}
