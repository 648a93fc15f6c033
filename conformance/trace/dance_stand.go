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
	chosen  choices
	beyond  bool // a step was taken that the machine lacks: see Dance
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
		r.d.count(&to.chosen, action)
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
		if e.s.At(m) == "top" && !r.d.has("stw") {
			r.steps(e, m, r.d.topCheck, add)
		}
		if given != 0 {
			r.steps(e, m, r.d.wake, add)
		} else if o.mode != ended && e.of[o.thread] == 0 { // which M is the thread?
			known := *e
			known.of[o.thread] = uint8(m)
			next.Stay(&known)
		}
	}
	if o.mode != ended && e.of[o.thread] == 0 { // sysmon?
		if m := r.d.config.Sysmon; m != 0 && r.fresh(e, m) {
			known := *e
			known.of[o.thread] = uint8(m)
			next.Stay(&known)
		}
	}
	r.time(e, o, add)
	for t, m := range e.of {
		if m == 0 {
			continue
		}
		r.floats(e, o, t, int(m), next)
		if e.pending[t] != 0 {
			r.steps(e, int(m), e.pending[t], func(to *stand, label uint16) {
				if o.writes != 0 || to.s.Words() == e.s.Words() { // else it is seen
					to.pending[t] = 0
					add(to, label)
				}
			})
		}
		switch e.s.At(int(m)) {
		case "DropPut":
			r.steps(e, int(m), r.d.dropPut, add)
		case "StopIdle":
			r.steps(e, int(m), r.d.stopIdle, add)
		case "Resize":
			if o.writes == stops {
				r.steps(e, int(m), r.d.stopAgain, add)
			}
		case "top":
			if !r.d.has("stw") { // else it is seen
				r.steps(e, int(m), r.d.topCheck, add)
			}
		case "RecheckTimers":
			r.steps(e, int(m), r.d.recheckTimers, add)
		case "PollTest":
			r.steps(e, int(m), r.d.pollTest, add)
		case "HandoffIdle":
			if e.s.Carries(int(m)) > 0 { // Ms that spin: it does not look, and it would not matter
				r.steps(e, int(m), r.d.handoffIdle, add)
			}
		}
	}
}

// floats adds what thread t, M m, may do unseen.
func (r *rules) floats(e *stand, o *observation, t, m int, next *follow.Next[stand]) {
	add := next.Add
	takes := func(action uint8, then float, right func(to *stand) bool) {
		r.steps(e, m, action, func(to *stand, label uint16) {
			if right(to) {
				to.float[t] = then
				add(to, label)
			}
		})
	}
	switch e.float[t] {
	case none, done:
	case blocks:
		takes(r.d.block, none, func(*stand) bool { return true })
	case breaks:
		takes(r.d.timerBreak, done, func(to *stand) bool { return to.s.Rung() })
	case polls:
		takes(r.d.poll, done, func(*stand) bool { return true })
		if o.over {
			r.out.Reset()
			r.d.m.TimedOut(&e.s, m, &r.out)
			for i := range r.out.Edges() {
				to := *e
				to.s, to.float[t], to.beyond = r.out.Edges()[i].To, done, true
				next.Stay(&to)
			}
		}
	default:
		p := int(e.float[t]-looksAt) + 1
		w := e.s.Words()
		full := w.Ring[p-1] > 0 || w.Next[p-1]
		todo, at := e.s.Looks(m, p)
		if at == p {
			takes(r.d.handoffEmpty, done, func(to *stand) bool { return to.s.At(m) == "StartM" == full })
		}
		if todo {
			takes(r.d.recheck, done, func(to *stand) bool {
				left, _ := to.s.Looks(m, p)
				return to.s.At(m) == "RecheckGet" == full && !left
			})
		}
	}
}

// time adds that a G is to wake now.
func (r *rules) time(e *stand, o *observation, add func(*stand, uint16)) {
	for p, due := range o.due {
		if !due || e.s.Due(p+1) || !e.s.Words().Timer[p] {
			continue
		}
		r.out.Reset()
		r.d.m.World(&e.s, &r.out)
		for i := range r.out.Edges() {
			if edge := &r.out.Edges()[i]; edge.Step.Action+1 == r.d.timerDue && edge.To.Due(p+1) {
				to := *e
				to.s = edge.To
				r.d.count(&to.chosen, r.d.timerDue)
				add(&to, uint16(edge.Step.Action)<<3)
			}
		}
	}
}

// timely reports whether those are to wake in the state that are in the code.
func (r *rules) timely(e *stand, o *observation) bool {
	for p := range r.d.config.Ps {
		if e.s.Due(p+1) != o.due[p] {
			return false
		}
	}
	return true
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
	if o.writes != resizes && !r.timely(e, o) {
		return
	}
	if o.mode == ended {
		if r.rests(e) {
			next.Stay(e)
		}
		return
	}
	if o.aside {
		if o.agree(&e.s) {
			next.Stay(e)
		}
		return
	}
	t, m := o.thread, int(e.of[o.thread])
	if m == 0 {
		return
	}
	from := *e
	if o.closes != none {
		if from.float[t] != done {
			return
		}
		from.float[t] = none
	}
	if o.looked != 0 {
		if at := from.s.At(m); from.float[t] != done || (at == "RecheckGet" || at == "StartM") != (o.looked < 0) {
			return
		}
		from.float[t] = none
	}
	if o.mode == must && from.float[t] == blocks {
		from.float[t] = none
	}
	if (o.mode == must || o.mode == postpone) && from.float[t] != none { // it is in the middle of something
		return
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
		if begun && o.agree(&to.s) && !(o.unlocks && !r.outside(&to, t)) {
			next.Stay(&to)
		}
	}
	for _, action := range o.take {
		if action == 0 || o.mode == riding && from.pending[t] != 0 && from.pending[t] != action {
			continue
		}
		r.steps(&from, m, action, func(to *stand, label uint16) {
			to.pending[t] = 0
			if o.opens != none {
				to.float[t] = o.opens
			}
			if o.agree(&to.s) && r.about(&from, to, m, action, o.p) && !(o.unlocks && !r.outside(to, t)) {
				next.Add(to, label)
			}
		})
	}
}

// outside reports whether a thread's section under the lock is over.
func (r *rules) outside(e *stand, t uint8) bool {
	return e.pending[t] == 0 && e.s.Locked() != int(e.of[t])
}

// about reports whether a step of somebody who goes through the Ps is about P p.
func (r *rules) about(from, to *stand, m int, action, p uint8) bool {
	switch action {
	case r.d.stealRing:
		_, victim := to.s.Looks(m, int(p))
		return to.s.At(m) != "StealNext" || victim == int(p)
	case r.d.stealTimer:
		_, victim := to.s.Looks(m, int(p))
		return to.s.At(m) == "TimerPut" || victim == int(p)
	case r.d.stealNext, r.d.handoffPut:
		_, victim := from.s.Looks(m, int(p))
		return victim == int(p)
	case r.d.recheckTimer, r.d.safeTake:
		before, _ := from.s.Looks(m, int(p))
		after, _ := to.s.Looks(m, int(p))
		return before && !after
	case r.d.safeAgain, r.d.safeStale:
		_, taken := to.s.Looks(m, int(p))
		return taken == int(p)
	case r.d.timersCheck:
		own, _ := from.s.Holds(m)
		return own == int(p)
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
			switch edge.Step.Action + 1 {
			case r.d.stopRunning, r.d.safePreempt: // nothing stops a G of the code that goes on
			case r.d.stopAgain, r.d.safeAgain, r.d.safeStale: // who waits looks again when time goes by
			default:
				if !sched.Chosen(edge.Step.Action) {
					return false
				}
			}
		}
	}
	return true
}
