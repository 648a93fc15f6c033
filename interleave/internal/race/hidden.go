package race

import (
	"github.com/spindle-go/spindle/interleave/internal/list"
)

// Code that is not seen: what it reads and writes is not reported, nor that it is called. From when a function is entered that calls it, until it is left, anything may be
// accessed: if that is not ordered with all plain accesses of other threads, and with all that is hidden there, the Reporter is told.

// A Hidden is what is not seen, and where it is called.
type Hidden struct {
	What     string // "assembly of package example.com/x"
	At       string // "called at x.go:12"
	Orders   bool   // it may have operations of its own, that order accesses
	released Past
	of       uint64 // the execution that released is of
}

// A hiddenCall is a call of a function that calls such.
type hiddenCall struct {
	*Hidden
	thread int
	depth  uintptr // of the function's frame
	until  int32   // the epoch in which it was left
}

// hiddenCalls are those of an execution.
type hiddenCalls struct {
	under []hiddenCall // that have not been left
	over  []hiddenCall // that have, of each thread the last of each code
	last  []Access     // of each thread, its last plain access
	nth   uint64       // execution
}

func (h *hiddenCalls) reset() {
	h.under, h.over = h.under[:0], h.over[:0]
	clear(h.last)
	executions++
	h.nth = executions
}

// executions are all of the process: what is known of code outlives one.
var executions uint64

// InHidden reports whether a thread is where it may do what is not seen.
func (d *Detector) InHidden(thread int) bool {
	return list.ContainsFunc(d.hidden.under, func(c hiddenCall) bool { return c.thread == thread })
}

// Enters notes that a thread enters a function that calls what is not seen.
func (d *Detector) Enters(thread int, code *Hidden, depth uintptr) {
	h, now := &d.hidden, &d.now[thread]
	for u := range h.last {
		if then := &h.last[u]; u != thread && then.epoch > now.Clock[u] {
			d.report.Hidden(code, then)
		}
	}
	for i := range h.over {
		if then := &h.over[i]; then.thread != thread && then.until > now.Clock[then.thread] {
			d.report.Hidden(code, nil)
		}
	}
	for i := range h.under {
		if h.under[i].thread != thread {
			d.report.Hidden(code, nil)
		}
	}
	h.under = append(h.under, hiddenCall{Hidden: code, thread: thread, depth: depth})
	d.OrdersHidden(thread)
}

// Leaves notes that a thread has left such a function, by how deep its frame is, and reports whether it was in there. A call that a panic has ended is never left: then more
// is in doubt than need be. Of frames that are less deep nothing follows: iterators have stacks of their own.
func (d *Detector) Leaves(thread int, code *Hidden, depth uintptr) bool {
	h := &d.hidden
	i := len(h.under) - 1
	for i >= 0 && (h.under[i].thread != thread || h.under[i].Hidden != code || h.under[i].depth != depth) {
		i--
	}
	if i < 0 {
		return false
	}
	c := h.under[i]
	h.under = list.Delete(h.under, i)
	c.until = d.now[thread].Clock[thread]
	known := func(o hiddenCall) bool { return o.thread == c.thread && o.Hidden == c.Hidden }
	if i := list.IndexFunc(h.over, known); i >= 0 {
		h.over[i] = c
	} else {
		h.over = append(h.over, c)
	}
	return true
}

// OrdersHidden has what a thread may have called order its accesses as an operation would.
func (d *Detector) OrdersHidden(thread int) {
	for i := range d.hidden.under {
		c := &d.hidden.under[i]
		if c.thread != thread || !c.Orders {
			continue
		}
		if c.of != d.hidden.nth {
			c.of, c.released = d.hidden.nth, Past{}
		}
		now := &d.now[thread]
		now.Join(&c.released, d.x.Width)
		c.released.Join(now, d.x.Width)
		now.Clock[thread]++
	}
}

// besideHidden notes a plain access, and looks for calls that nothing orders before it.
func (d *Detector) besideHidden(now *Past, mine *Access) {
	h := &d.hidden
	for int(mine.Thread) >= len(h.last) {
		h.last = append(h.last, Access{})
	}
	h.last[mine.Thread] = *mine
	for _, c := range h.under {
		if c.thread != int(mine.Thread) {
			d.report.Hidden(c.Hidden, mine)
		}
	}
	for _, c := range h.over {
		if c.thread != int(mine.Thread) && c.until > now.Clock[c.thread] {
			d.report.Hidden(c.Hidden, mine)
		}
	}
}
