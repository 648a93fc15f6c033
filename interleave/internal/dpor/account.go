package dpor

import (
	"github.com/spindle-go/spindle/interleave/internal/order"
)

// Which operations of two executions are on one object.
//
// Objects are numbered in the order in which they are announced. So those that were
// announced before a point have the same numbers in all executions that pass it.
// Others are known by the operations on them: an operation that is in two
// executions, with the same past, is on the same object in both. The past is all
// that happened before it was announced, as a hash: 64 bits, of which two are
// equal by chance once in 10^19.
//
// Two operations may be on objects of which no execution has shown both: slots of a
// table that nobody else has come to. Then their addresses are compared, by the
// distance from an object that is known in both executions: objects of one
// allocation have the same distances. That the two are of one allocation is a guess.
// If it leads to something being left out, it is kept with the planned step
// and held against every execution that passes it; the first that shows the two to be
// on one object has the search begin anew, without guesses. So has a guess that no
// execution has shown to be right when the step is left.

// late is what a planned step on an object that was new has of the execution that
// it is from.
type late struct {
	from *account
	loc  int32 // its number there
	locs int32 // objects below this number were not new
	near int32 // of these, the nearest in memory; -1: none
}

// An account is what an execution shows of objects.
type account struct {
	operations []seen    // of the threads, one after the other, by ordinal
	from       []int32   // by thread: where its operations begin; the last is the end
	addrs      []uintptr // by object
	// By object, which it is in the execution that was the matched-th, or -1; and by
	// that one's objects, which are known so.
	matched int
	numbers []int32
	taken   []bool
}

// of returns the operations of a thread.
func (a *account) of(t int) []seen {
	if t+1 >= len(a.from) {
		return nil
	}
	return a.operations[a.from[t]:a.from[t+1]]
}

// seen is an operation of an account.
type seen struct {
	past uint64 // a hash of what happened before it was announced
	loc  int32
}

// account returns that of the present execution.
func (d *Search) account(x *order.Execution) *account {
	if d.shown != nil {
		return d.shown
	}
	var counts [order.MaxThreads]int32
	for i := range x.Events { // those of threads that wait are among them
		e := &x.Events[i]
		counts[e.Thread] = max(counts[e.Thread], e.Ord)
	}
	a := &account{operations: make([]seen, len(x.Events)), from: make([]int32, 1, x.Width+1), addrs: make([]uintptr, len(x.Objects))}
	d.shown = a
	for i := range x.Objects {
		a.addrs[i] = uintptr(x.Objects[i].Addr)
	}
	sum := int32(0)
	for t, n := range counts[:x.Width] {
		sum += n
		a.from = append(a.from, sum)
		d.done[t] = d.done[t][:0]
	}
	for i := range x.Events {
		e := &x.Events[i]
		past := d.pastOf(x, e, i)
		a.operations[a.from[e.Thread]+e.Ord-1] = seen{past, e.Loc}
		if int32(i) >= d.length {
			continue
		}
		h := order.Mix(past ^ uint64(e.Kind) ^ uint64(e.Pick)<<8)
		for t, n := range x.Clocks[i][:x.Width] {
			if t != int(e.Thread) && n > 0 && int(n) <= len(d.done[t]) {
				h = order.Mix(h ^ order.Mix(d.done[t][n-1]+uint64(t)))
			}
		}
		d.done[e.Thread] = append(d.done[e.Thread], h)
	}
	return a
}

// pastOf hashes what happened before event i was announced: its thread's own past,
// or its parent's; of a store that leaves a buffer the past of its thread, too.
func (d *Search) pastOf(x *order.Execution, e *order.Event, i int) uint64 {
	h := uint64(e.Thread)<<32 | uint64(e.Ord)
	of := func(thread int, n int32) {
		if n > 0 && int(n) <= len(d.done[thread]) {
			h = order.Mix(h ^ d.done[thread][n-1])
		}
	}
	t := x.Threads[e.Thread]
	switch {
	case t == nil:
	case t.Owner != nil:
		of(int(e.Thread), e.Ord-1)
		of(t.Owner.ID, x.Clocks[i][t.Owner.ID])
	case e.Ord > 1:
		of(int(e.Thread), e.Ord-1)
	case t.Parent >= 0:
		of(t.Parent, t.Born)
	}
	return h
}

// late makes l what a planned step is to have that is on object loc. Objects below
// number locs are not new.
func (d *Search) late(x *order.Execution, l *late, loc, locs int32) {
	*l = late{d.account(x), loc, locs, -1}
	for i, at := range l.from.addrs[:locs] {
		if l.near < 0 || distance(at, l.from.addrs[loc]) < distance(l.from.addrs[l.near], l.from.addrs[loc]) {
			l.near = int32(i)
		}
	}
}

// number returns which object of the present execution a planned step is on that
// was planned on one that was new then, -1 if that is not known.
func (d *Search) number(x *order.Execution, l *late) int32 {
	return d.match(x, l.from).numbers[l.loc]
}

// probablyApart is apart for b of which the object is not known in the present
// execution.
func (d *Search) probablyApart(x *order.Execution, v *sequence, b *branch) answer {
	d.guesses = d.guesses[:0]
	at, near := d.whereabouts(x, b.late)
	for _, o := range d.list(x, v, b.late.locs) {
		if !o.write && !b.write || b.late.from.taken[o.loc] {
			continue // b's object is another, or it is no matter
		}
		if !near || uintptr(x.Objects[o.loc].Addr) == at {
			return unknown
		}
		e := &x.Events[o.event]
		d.guesses = append(d.guesses, guessed{e.Thread, e.Ord, d.account(x).of(int(e.Thread))[e.Ord-1].past})
	}
	if len(d.guesses) > 0 {
		d.guessed = true
		b.guesses = append(b.guesses, d.guesses...)
	}
	return yes
}

// whereabouts returns where in memory the object of l probably is in the present
// execution: as far as it was from the nearest object that is known in both. Ok is
// false if there is none, or guesses are not to be made.
func (d *Search) whereabouts(x *order.Execution, l *late) (at uintptr, ok bool) {
	if d.careful {
		return 0, false
	}
	from := l.from.addrs
	at = from[l.loc]
	if l.near >= 0 && distance(from[l.near], at) < oneAllocation {
		return uintptr(x.Objects[l.near].Addr) + at - from[l.near], true
	}
	near, to := -1, d.match(x, l.from).numbers
	for i, n := range to {
		if n >= 0 && (near < 0 || distance(from[i], at) < distance(from[near], at)) {
			near = i
		}
	}
	if near < 0 {
		return 0, false
	}
	return uintptr(x.Objects[to[near]].Addr) + at - from[near], true
}

// oneAllocation is how many bytes objects may be apart to be taken for such of one
// allocation without a nearer one being looked for.
const oneAllocation = 4096

func distance(a, b uintptr) uintptr { return max(a, b) - min(a, b) }

// A guess is that the step that it is kept with is not on the same object as an
// operation.
type guessed struct {
	thread uint8
	ord    int32
	past   uint64
}

// refuted reports whether the present execution shows a guess to be wrong. Those
// that it shows to be right are forgotten.
func (d *Search) refuted(x *order.Execution) bool {
	for at := range d.path {
		n := &d.path[at]
		if len(n.choice.guesses) == 0 || at >= len(x.Events) {
			continue
		}
		now := d.account(x)
		rest := n.choice.guesses[:0]
		for _, g := range n.choice.guesses {
			of := now.of(int(g.thread))
			if int(g.ord) > len(of) || of[g.ord-1].past != g.past {
				rest = append(rest, g)
			} else if of[g.ord-1].loc == x.Events[at].Loc {
				return true
			}
		}
		n.choice.guesses = rest
	}
	return false
}

// again begins the search anew, without guesses: what was counted is counted again.
func (d *Search) again() {
	d.path, d.sub, d.Count, d.Blocked = d.path[:0], nil, 0, 0
	d.careful, d.guessed, d.odd = true, false, nil
}

// match finds which objects of from are which of the present execution.
func (d *Search) match(x *order.Execution, from *account) *account {
	if from.matched == d.Count {
		return from
	}
	from.matched, from.numbers = d.Count, from.numbers[:0]
	clear(from.taken)
	for range from.addrs {
		from.numbers = append(from.numbers, -1)
	}
	for len(from.taken) < len(x.Objects) {
		from.taken = append(from.taken, false)
	}
	now := d.account(x)
	for t := range x.Width {
		here, then := now.of(t), from.of(t)
		for i, here := range here[:min(len(here), len(then))] {
			if here.past != then[i].past {
				break // what comes after it has another past, too
			}
			if loc := then[i].loc; loc >= 0 {
				from.numbers[loc] = here.loc
				from.taken[here.loc] = true
			}
		}
	}
	return from
}
