//go:build spindle_runtime

package engine

import (
	"strings"

	"github.com/spindle-go/spindle/interleave/internal/list"
)

// Code that is not seen: assembly, C, functions that say //go:norace, and the builtin clear of a slice. What it reads and writes is not reported, nor that
// it is called. So from when a function is entered that calls it, which the machine code says, until it is left, anything may be accessed: if that
// is not ordered with all plain accesses of other threads, and with all that is hidden there, that is a doubt.

// A hiddenCode is what is not seen, and where it is called.
type hiddenCode struct {
	what     string // "assembly of package example.com/x"
	at       string // "called at x.go:12"
	orders   bool   // it may have operations of its own, that order accesses
	released happened
	of       uint64 // the execution that released is of
}

// A hiddenCall is a call of a function that calls such.
type hiddenCall struct {
	*hiddenCode
	thread int
	depth  uintptr // of the function's frame
	until  int32   // the epoch in which it was left
}

// hiddenCalls are those of an execution.
type hiddenCalls struct {
	under []hiddenCall // that have not been left
	over  []hiddenCall // that have, of each thread the last of each code
	last  []access     // of each thread, its last plain access
}

func (h *hiddenCalls) reset() {
	h.under, h.over = h.under[:0], h.over[:0]
	clear(h.last)
}

// inHidden reports whether a thread is where it may do what is not seen.
func (h *hiddenCalls) inHidden(t *thread) bool {
	return list.ContainsFunc(h.under, func(c hiddenCall) bool { return c.thread == t.ID })
}

// entersHidden notes that a thread enters a function that calls what is not seen.
func (s *scheduler) entersHidden(t *thread, code *hiddenCode, depth uintptr) {
	h, now := &s.plain.hiddenCalls, &s.plain.now[t.ID]
	t.loop.fresh = t.loop.tick + 1
	for u := range h.last {
		if then := &h.last[u]; u != t.ID && then.epoch > now.Clock[u] {
			code.meets(s, then)
		}
	}
	for i := range h.over {
		if then := &h.over[i]; then.thread != t.ID && then.until > now.Clock[then.thread] {
			code.meets(s, nil)
		}
	}
	for i := range h.under {
		if h.under[i].thread != t.ID {
			code.meets(s, nil)
		}
	}
	h.under = append(h.under, hiddenCall{hiddenCode: code, thread: t.ID, depth: depth})
	s.ordersHidden(t)
}

// leavesHidden notes that a thread has left such a function, by how deep its frame is. A call that a panic has ended is never left: then more is in doubt than
// need be. Of frames that are less deep nothing follows: iterators have stacks of their own.
func (s *scheduler) leavesHidden(t *thread, code *hiddenCode, depth uintptr) {
	h := &s.plain.hiddenCalls
	i := len(h.under) - 1
	for i >= 0 && (h.under[i].thread != t.ID || h.under[i].hiddenCode != code || h.under[i].depth != depth) {
		i--
	}
	if i < 0 {
		return
	}
	c := h.under[i]
	h.under = list.Delete(h.under, i)
	t.loop.fresh = t.loop.tick + 1
	c.until = s.plain.now[t.ID].Clock[t.ID]
	known := func(o hiddenCall) bool { return o.thread == c.thread && o.hiddenCode == c.hiddenCode }
	if i := list.IndexFunc(h.over, known); i >= 0 {
		h.over[i] = c
	} else {
		h.over = append(h.over, c)
	}
}

// ordersHidden has what a thread may have called order its accesses as an operation would.
func (s *scheduler) ordersHidden(t *thread) {
	for i := range s.plain.under {
		c := &s.plain.under[i]
		if c.thread != t.ID || !c.orders {
			continue
		}
		if c.of != s.execution {
			c.of, c.released = s.execution, happened{}
		}
		now := &s.plain.now[t.ID]
		now.Join(&c.released, s.Width)
		c.released.Join(now, s.Width)
		now.Clock[t.ID]++
	}
}

// besideHidden notes a plain access, and looks for calls that nothing orders before it.
func (h *hiddenCalls) besideHidden(s *scheduler, now *happened, mine *access) {
	for int(mine.thread) >= len(h.last) {
		h.last = append(h.last, access{})
	}
	h.last[mine.thread] = *mine
	for _, c := range h.under {
		if c.thread != int(mine.thread) {
			c.meets(s, mine)
		}
	}
	for _, c := range h.over {
		if c.thread != int(mine.thread) && c.until > now.Clock[c.thread] {
			c.meets(s, mine)
		}
	}
}

// meets makes a doubt of a call beside an access of another thread; nil if that is hidden, too.
func (c *hiddenCode) meets(s *scheduler, a *access) {
	defer handsBack(takesOver()) // the texts are the engine's
	at := c.at
	if a != nil {
		at += ", beside " + strings.TrimPrefix(where(a.site), "at ")
	}
	s.doubts.add(NotSeen, c.what, at)
}
