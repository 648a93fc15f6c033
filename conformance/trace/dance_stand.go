package trace

import (
	"github.com/spindle-go/spindle/spec/explore"
	"github.com/spindle-go/spindle/spec/follow"
	"github.com/spindle-go/spindle/spec/sched"
)

// A stand is a state that agrees with what was seen, and what was learned on the way.
type stand struct {
	s       sched.State
	of      [maxThreads]uint8 // which M a thread is, from 1; 0 is not known yet
	pending [maxThreads]uint8 // the action that a thread has begun under the lock and that was not taken yet, from 1
	float   [maxThreads]float
}

// rules are those of the follower.
type rules struct {
	d   *Dance
	out explore.Successors[sched.State]
}

var _ follow.Rules[stand, observation] = (*rules)(nil)

// steps calls each with the steps of M m by an action, from 1, but for those that differ by the
// names of Ms alone: the first M that is not made yet is made first.
func (r *rules) steps(e *stand, m int, action uint8, each func(to *stand, label uint16)) {
	r.out.Reset()
	r.d.m.Steps(&e.s, m, &r.out)
	for i := range r.out.Edges() {
		edge := &r.out.Edges()[i]
		if edge.Step.Action+1 != action || (action == r.d.startM || action == r.d.injectStart) && !r.d.inOrder(&e.s, &edge.To) {
			continue
		}
		to := *e
		to.s = edge.To
		each(&to, uint16(edge.Step.Action)<<3|uint16(m))
	}
}

// inOrder reports whether no M is made before one with a lower number.
func (d *Dance) inOrder(from, to *sched.State) bool {
	for i := 1; i < d.config.Ms; i++ {
		if from.At(i) == "unborn" && to.At(i) == "unborn" && from.At(i+1) == "unborn" && to.At(i+1) != "unborn" {
			return false
		}
	}
	return true
}

// Silent implements [follow.Rules].
func (r *rules) Silent(e *stand, o *observation, next *follow.Next[stand]) {
	add := next.Add
	for m := 1; m <= r.d.config.Ms; m++ { // new ones: they begin without an operation
		p, given := e.s.Holds(m)
		if p+given == 0 || !r.fresh(e, m) {
			continue
		}
		if given != 0 {
			r.steps(e, m, r.d.wake, add)
		} else if o.mode != ended && e.of[o.thread] == 0 { // which M is the thread?
			known := *e
			known.of[o.thread] = uint8(m)
			next.Stay(&known)
		}
	}
	for t, m := range e.of {
		if m == 0 {
			continue
		}
		switch e.float[t] {
		case none, hasSeen:
		case blocks:
			r.steps(e, int(m), r.d.block, func(to *stand, label uint16) {
				to.float[t] = none
				add(to, label)
			})
		default:
			p := int(e.float[t]-looksAt) + 1
			w := e.s.Words()
			full := w.Ring[p-1] > 0 || w.Next[p-1]
			if todo, _ := e.s.Looks(int(m), p); !todo {
				break
			}
			r.steps(e, int(m), r.d.recheck, func(to *stand, label uint16) {
				left, _ := to.s.Looks(int(m), p)
				if to.s.At(int(m)) == "RecheckGet" != full || left {
					return
				}
				to.float[t] = hasSeen
				add(to, label)
			})
		}
		if e.s.At(int(m)) == "DropPut" {
			r.steps(e, int(m), r.d.dropPut, add)
		}
	}
}

// fresh reports whether no thread is M m yet.
func (r *rules) fresh(e *stand, m int) bool {
	for _, other := range e.of {
		if int(other) == m {
			return false
		}
	}
	return true
}

// Seen implements [follow.Rules].
func (r *rules) Seen(e *stand, o *observation, next *follow.Next[stand]) {
	if o.mode == ended {
		if r.rests(e) {
			next.Stay(e)
		}
		return
	}
	t, m := o.thread, int(e.of[o.thread])
	if m == 0 {
		return
	}
	from := *e
	if o.looked != 0 {
		if from.float[t] != hasSeen || (from.s.At(m) == "RecheckGet") != (o.looked < 0) {
			return
		}
		from.float[t] = none
	}
	if o.mode == must && from.float[t] == blocks {
		from.float[t] = none
	}
	if p, _ := from.s.Holds(m); o.own && p != int(o.p) {
		return
	}
	if o.mode != must { // no step
		to := from
		if o.opens != none {
			to.float[t] = o.opens
		}
		if o.mode == postpone {
			to.pending[t] = o.take[0]
		}
		begun := o.mode != postpone
		if !begun { // what begins under the lock could be done at once
			r.steps(&from, m, o.take[0], func(*stand, uint16) { begun = true })
		}
		if begun && to.s.Words() == o.after && !(o.unlocks && !r.outside(&to, t)) {
			next.Stay(&to)
		}
	}
	for _, action := range o.take {
		if action == 0 || o.mode == riding && from.pending[t] != 0 && from.pending[t] != action {
			continue
		}
		r.steps(&from, m, action, func(to *stand, label uint16) {
			to.pending[t] = 0
			if to.s.Words() == o.after && r.about(&from, to, m, action, o.p) && !(o.unlocks && !r.outside(to, t)) {
				next.Add(to, label)
			}
		})
	}
}

// outside reports whether a thread's section under the lock is over.
func (r *rules) outside(e *stand, t uint8) bool {
	return e.pending[t] == 0 && e.s.Locked() != int(e.of[t])
}

// about reports whether a step of a thief is about P p.
func (r *rules) about(from, to *stand, m int, action, p uint8) bool {
	switch action {
	case r.d.stealRing:
		_, victim := to.s.Looks(m, int(p))
		return to.s.At(m) != "StealNext" || victim == int(p)
	case r.d.stealNext:
		_, victim := from.s.Looks(m, int(p))
		return victim == int(p)
	}
	return true
}

// rests reports whether no M goes on by itself.
func (r *rules) rests(e *stand) bool {
	for t, m := range e.of {
		if m == 0 {
			continue
		}
		if e.pending[t] != 0 {
			return false
		}
	}
	for m := 1; m <= r.d.config.Ms; m++ {
		r.out.Reset()
		r.d.m.Steps(&e.s, m, &r.out)
		for _, edge := range r.out.Edges() {
			if !sched.Chosen(edge.Step.Action) {
				return false
			}
		}
	}
	return true
}
