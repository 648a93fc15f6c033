package dpor

import (
	"slices"

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
}

// An account is what an execution shows of objects.
type account struct {
	threads [order.MaxThreads][]seen // operations, by thread and ordinal
	addrs   []uintptr                // by object
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
	a := &account{addrs: make([]uintptr, len(x.Objects))}
	d.shown = a
	for i := range x.Objects {
		a.addrs[i] = uintptr(x.Objects[i].Addr)
	}
	all := make([]seen, 0, len(x.Events)+x.Width) // one block for all threads
	var counts [order.MaxThreads]int32
	for i := range x.Events {
		counts[x.Events[i].Thread]++
	}
	for t, n := range counts {
		from := len(all)
		all = all[:from+int(n)]
		a.threads[t] = all[from:from:len(all)]
	}
	var done [order.MaxThreads][]uint64 // hashes of the events, by thread: with what was done
	for i := range x.Events {
		e := &x.Events[i]
		past := pastOf(x, e, i, &done)
		a.threads[e.Thread] = append(a.threads[e.Thread], seen{past, e.Loc})
		h := order.Mix(past ^ uint64(e.Kind))
		for t, n := range x.Clocks[i][:x.Width] {
			if t != int(e.Thread) && n > 0 && int(n) <= len(done[t]) {
				h = order.Mix(h ^ order.Mix(done[t][n-1]+uint64(t)))
			}
		}
		done[e.Thread] = append(done[e.Thread], h)
	}
	return a
}

// pastOf hashes what happened before event i was announced: its thread's own past,
// or its parent's; of a store that leaves a buffer the past of its thread, too.
func pastOf(x *order.Execution, e *order.Event, i int, done *[order.MaxThreads][]uint64) uint64 {
	h := uint64(e.Thread)<<32 | uint64(e.Ord)
	of := func(thread int, n int32) {
		if n > 0 && int(n) <= len(done[thread]) {
			h = order.Mix(h ^ done[thread][n-1])
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

// late returns what a planned step is to have of ev.
func (d *Search) late(x *order.Execution, ev *order.Event, locs int32) *late {
	return &late{d.account(x), ev.Loc, locs}
}

// together reports whether b, a step that was planned on an object that was new
// then, is on object loc of the present execution.
func (d *Search) together(x *order.Execution, b *branch, loc int32) answer {
	if loc < b.late.locs {
		return no
	}
	to := d.match(x, b.late.from)
	if int(b.late.loc) < len(to) && to[b.late.loc] >= 0 {
		return is(to[b.late.loc] == loc)
	}
	if slices.Contains(to, loc) {
		return no // that is another
	}
	if d.careful {
		return unknown
	}
	// The nearest object that is known in both.
	from := b.late.from.addrs
	at := from[b.late.loc]
	if d.nearTo != b.late {
		d.nearTo, d.near = b.late, -1
		for i, n := range to {
			if n >= 0 && (d.near < 0 || distance(from[i], at) < distance(from[d.near], at)) {
				d.near = i
			}
		}
	}
	near := d.near
	if near < 0 || uintptr(x.Objects[loc].Addr)-uintptr(x.Objects[to[near]].Addr) == at-from[near] {
		return unknown
	}
	return guess
}

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
			of := now.threads[g.thread]
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

// match returns, by the numbers of from, the numbers that objects have in the
// present execution, -1 where no operation tells.
func (d *Search) match(x *order.Execution, from *account) []int32 {
	if d.matched == from {
		return d.numbers
	}
	d.matched, d.numbers = from, d.numbers[:0]
	now := d.account(x)
	for t := range now.threads {
		then := from.threads[t]
		for i, here := range now.threads[t][:min(len(now.threads[t]), len(then))] {
			if here.past != then[i].past {
				break // what comes after it has another past, too
			}
			if loc := int(then[i].loc); loc >= 0 {
				for len(d.numbers) <= loc {
					d.numbers = append(d.numbers, -1)
				}
				d.numbers[loc] = here.loc
			}
		}
	}
	return d.numbers
}

func is(true bool) answer {
	if true {
		return yes
	}
	return no
}
