//go:build spindle_runtime

package engine

import (
	"time"
	"unsafe"
)

// The clock while the body runs, or a function given to Finally: it moves when that waits, and the goroutines that run beside it.

// An attendant is a goroutine that moves the clock while the body waits.
type attendant struct{ g unsafe.Pointer }

// attended reports whether the caller is the attendant.
func (c *clock) attended() bool {
	a := c.attendant
	return a != nil && a.g == spindleSelf()
}

// passes has time go by while the body sleeps, if there is none who might do something meanwhile.
func (s *scheduler) passes(ns int64) bool {
	c := &s.house.clock
	c.Lock()
	defer c.Unlock()
	if spindleSelf() != c.body || len(c.alarms) > 0 || s.accompanied() {
		return false
	}
	c.now = add(c.now, ns)
	return true
}

// clockOf has the caller run the body, or a function given to Finally, or no longer.
func clockOf(body unsafe.Pointer) {
	if s := current; s != nil {
		c := &s.house.clock
		c.Lock()
		c.body = body
		c.Unlock()
	}
}

// attend has a goroutine move the clock while the body waits.
func (s *scheduler) attend() {
	if c := &s.house.clock; c.attendant == nil && c.body != nil {
		c.attendant = &attendant{}
		before := spindleMark(0)
		go s.attends(c.body, c.attendant)
		spindleMark(before)
	}
}

// attends moves the clock whenever the body waits, and the goroutines that run beside it, until no moment is waited for.
func (s *scheduler) attends(body unsafe.Pointer, self *attendant) {
	c := &s.house.clock
	self.g = spindleSelf()
	before := 0
	for {
		time.Sleep(20 * time.Microsecond)
		c.Lock()
		if c.attendant == self && (c.body != body || len(c.alarms) == 0) {
			c.attendant = nil
		}
		if c.attendant != self {
			c.Unlock()
			return
		}
		turns := s.resting(body)
		if turns > 0 && turns == before {
			first := c.alarms[0]
			for _, a := range c.alarms {
				if a.when < first.when {
					first = a
				}
			}
			c.now = max(c.now, first.when)
			if first.period > 0 {
				first.when = first.after(c.now)
			} else {
				c.unset(first)
			}
			mark := spindleMark(ofBody)
			if f, ok := first.arg.(func()); ok {
				go f()
			} else {
				first.send(first.arg, 0, 0)
			}
			spindleMark(mark)
			turns = 0
		}
		before = turns
		c.Unlock()
	}
}

// resting returns how often the body has run, and the goroutines that run beside it, if all of them wait, and else 0.
func (s *scheduler) resting(body unsafe.Pointer) (turns int) {
	all := map[unsafe.Pointer]bool{body: true}
	strays := &s.house.strays
	strays.Lock()
	for _, st := range strays.all {
		if st.runs && !st.ended.Load() {
			all[st.g] = true
		}
	}
	strays.Unlock()
	moves := false
	spindleBeside(func(g unsafe.Pointer, _ uintptr, n uint8, moving, _ bool) {
		if all[g] {
			turns += int(n) + 1
			moves = moves || moving
			delete(all, g)
		}
	})
	if moves || len(all) > 0 { // or one has not begun
		return 0
	}
	return turns
}
