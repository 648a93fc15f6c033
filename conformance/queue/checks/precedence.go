package checks

import (
	"cmp"
	"hash/maphash"
	"slices"

	"github.com/spindle-go/spindle/conformance/queue/drive"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/spec/record"
)

// Which calls came one after another.
//
// The explorer runs one execution of each class: executions that differ by swaps of
// independent steps. What the calls return is the same in all of them. Which call had
// returned before another began is not: two calls that overlap in one execution may come
// one after the other in another one of its class, and there more is promised. So a
// class is judged in all orders in which its calls can begin and end.
//
// A call begins with its first step and ends with its last, the narrowest interval that
// any clock could have measured. A call without steps may come anywhere between its
// thread's calls before and after it.

// maxOrders bounds the orders of one class that are judged; fewOrders does where the
// scenarios are a sample in any case.
const (
	maxOrders = 4096
	fewOrders = 16
)

// A precedence is the beginnings and ends of the calls of an execution. Number 2i is the
// beginning of call i, 2i+1 its end.
type precedence struct {
	h      *record.History
	ops    []int    // by call: its index in h.Ops; quiet calls have none
	before []uint64 // by beginning or end: those that must come before it
	order  []int    // so far
	steps  []int    // by beginning or end: the position of the first or the last step, or -1
	left   int      // how many orders may still be visited
	wide   bool     // the order of this execution alone
	many   bool     // there are too many calls for all orders
}

// callsIn finds the calls of an execution, whose stamps are how many steps their thread
// had made. It reports whether there was a step.
//
// If actual is set, the order is that of this execution alone. Where code was not seen, a
// call may do something before its first step, or without any, and nothing says that it
// could have come at another time.
func callsIn(x *interleave.Exec, h *record.History, actual bool) (c *precedence, stepped bool) {
	c = &precedence{h: h, left: maxOrders}
	slices.SortStableFunc(h.Ops, func(a, b record.Op) int {
		if q := quietly(&a); q != 0 && q == quietly(&b) {
			return cmp.Compare(a.Call, b.Call)
		}
		return quietly(&a) - quietly(&b)
	})
	at := make([][]int, len(h.Scenario.Threads))
	for t := range at {
		at[t] = harness.Positions(x, t)
		stepped = stepped || len(at[t]) > 0
	}
	if !stepped {
		return c, false
	}
	for i := range h.Ops {
		if quietly(&h.Ops[i]) == 0 {
			c.ops = append(c.ops, i)
		}
	}
	n := 2 * len(c.ops)
	position := make([]int, n)
	c.steps = position
	for i, o := range c.ops {
		op := &h.Ops[o]
		position[2*i], position[2*i+1] = -1, -1
		if op.Return > op.Call {
			position[2*i], position[2*i+1] = at[op.Thread][op.Call], at[op.Thread][op.Return-1]
		}
	}
	c.many = n > 64
	c.wide = actual || c.many
	if _, known := harness.Before(x, 0, 0); !known {
		c.wide = true
	}
	if c.wide {
		c.asItWas(position, actual)
		return c, true
	}
	c.before = make([]uint64, n)
	last := make([]int, len(h.Scenario.Threads)) // 1 + the end of the thread's last call
	for i, o := range c.ops {
		t := h.Ops[o].Thread
		if last[t] > 0 {
			c.before[2*i] |= 1 << (last[t] - 1)
		}
		c.before[2*i+1] |= 1 << (2 * i)
		last[t] = 2*i + 2
		for j, p := range c.ops {
			if h.Ops[p].Thread == t {
				continue
			}
			for _, b := range [...]int{2 * i, 2*i + 1} {
				for _, a := range [...]int{2 * j, 2*j + 1} {
					if position[a] >= 0 && position[b] >= 0 && position[a] < position[b] {
						if before, _ := harness.Before(x, position[a], position[b]); before {
							c.before[b] |= 1 << a
						}
					}
				}
			}
		}
	}
	return c, true
}

// quietly returns -1 for a call before the threads ran, 1 for one after them, else 0.
func quietly(op *record.Op) int {
	switch {
	case op.Call < 0:
		return -1
	case op.Call >= drive.Later:
		return 1
	}
	return 0
}

// asItWas takes the order of this execution alone. Actual says that a call began when its
// thread's last one had ended, right after that one's last step, whoever went on then; if
// not, with its own first step.
func (c *precedence) asItWas(position []int, actual bool) {
	c.order = make([]int, len(position))
	key := make([]int, len(position))
	last := make([]int, len(c.h.Scenario.Threads))
	for i := range position {
		c.order[i] = i
		t := c.h.Ops[c.ops[i/2]].Thread
		if position[i] >= 0 && (i%2 == 1 || !actual) {
			last[t] = position[i] + 1
		}
		key[i] = last[t]
	}
	slices.SortStableFunc(c.order, func(a, b int) int { return cmp.Compare(key[a], key[b]) })
}

// orders calls visit for the orders in which the calls can begin and end, with the
// stamps and the order of the calls in the history set. An end that may come comes at
// once: that puts more calls one after another, and what holds then holds if they
// overlap. It returns false if there were too many, or visit has said so.
func (c *precedence) orders(visit func() bool) bool {
	if c.wide {
		c.stamp()
		return visit()
	}
	given := slices.Clone(c.h.Ops)
	return c.extend(0, func() bool {
		copy(c.h.Ops, given)
		c.stamp()
		return visit()
	})
}

func (c *precedence) extend(done uint64, visit func() bool) bool {
	n := len(c.order)
	defer func() { c.order = c.order[:n] }()
	for more := true; more; {
		more = false
		for i := 1; i < len(c.before); i += 2 {
			if done&(1<<i) == 0 && c.before[i]&^done == 0 {
				c.order, done, more = append(c.order, i), done|1<<i, true
			}
		}
	}
	if len(c.order) == len(c.before) {
		if c.left--; c.left < 0 {
			return false
		}
		return visit()
	}
	for i := 0; i < len(c.before); i += 2 {
		if done&(1<<i) != 0 || c.before[i]&^done != 0 {
			continue
		}
		c.order = append(c.order, i)
		ok := c.extend(done|1<<i, visit)
		c.order = c.order[:len(c.order)-1]
		if !ok {
			return false
		}
	}
	return true
}

// stamp gives the calls of the history the stamps of the order, from 1: those before the
// threads first, those after them last. Beginnings with no end between them have one
// stamp, and so have ends: which of them came first says nothing.
func (c *precedence) stamp() {
	ops := c.h.Ops
	at, ends := int64(0), true
	next := func(end bool) int64 {
		if end != ends {
			at, ends = at+1, end
		}
		return at
	}
	i := 0
	for ; i < len(ops) && quietly(&ops[i]) < 0; i++ {
		ops[i].Call, ops[i].Return = next(false), next(true)
	}
	for _, n := range c.order {
		if op := &ops[c.ops[n/2]]; n%2 == 0 {
			op.Call = next(false)
		} else {
			op.Return = next(true)
		}
	}
	for i += len(c.ops); i < len(ops); i++ {
		ops[i].Call, ops[i].Return = next(false), next(true)
	}
	slices.SortStableFunc(ops, func(a, b record.Op) int {
		return cmp.Or(cmp.Compare(a.Call, b.Call), cmp.Compare(a.Thread, b.Thread))
	})
}

// asRun returns the history of given calls in the order of this execution alone, that of its steps.
func (c *precedence) asRun(given []record.Op) *record.History {
	h := *c.h
	h.Ops = slices.Clone(given)
	own := precedence{h: &h, ops: c.ops}
	own.asItWas(c.steps, false)
	own.stamp()
	return &h
}

var seed = maphash.MakeSeed()

// fingerprint is the same for histories that are the same, but for what the stamps say
// beyond the order.
func fingerprint(h *record.History) uint64 {
	var m maphash.Hash
	m.SetSeed(seed)
	var buf []byte
	put := func(v uint64) {
		for ; v >= 0x80; v >>= 7 {
			buf = append(buf, byte(v)|0x80)
		}
		buf = append(buf, byte(v))
	}
	ids := func(list []record.ID) {
		put(uint64(len(list)))
		for _, id := range list {
			put(id)
		}
	}
	for i := range h.Ops {
		op := &h.Ops[i]
		flags := uint64(0)
		if op.OK {
			flags |= 1
		}
		if op.FromRunnext {
			flags |= 2
		}
		buf = append(buf, byte(op.Kind), byte(op.Thread), byte(op.P), byte(op.Thief), byte(flags))
		put(uint64(op.Count))
		put(uint64(op.Want))
		put(uint64(op.Call))
		put(uint64(op.Return))
		ids(op.In)
		ids(op.Out)
		put(uint64(len(op.Moved)))
		for _, mv := range op.Moved {
			buf = append(buf, byte(mv.From.Object), byte(mv.From.P), byte(mv.To.Object), byte(mv.To.P))
			ids(mv.IDs)
		}
	}
	for _, p := range h.Final.Ps {
		put(p.Runnext)
		ids(p.Ring)
	}
	ids(h.Final.Global)
	m.Write(buf)
	return m.Sum64()
}
