package sequential

import (
	"maps"
	"slices"

	"github.com/spindle-go/spindle/spec/record"
)

// maxGuesses bounds what a target may be thought to hold.
const maxGuesses = 64

// Replay judges a history whose calls were made one after another, in order. It
// goes on after a violation, and returns the first of each requirement; no
// violations means that all is well. Stopped is the number of the call at which
// judging had to stop, because what the target held after it cannot be known,
// or -1: what came later was not judged. A call that did not return is such a
// one, and the end of a run without one. So is a call whose ring had no room for what it
// asks for, if it did something else than to give the rest back: no scenario is made to do that,
// but a shorter one may, and one whose queue broke something before.
//
// After a violation the target holds something else than the machine. What it
// showed after the call, or else what it answered, says what: that account is
// believed from then on. But it may be the account that was wrong, and then calls
// that are right seem to break something. So the other accounts are kept, too,
// as long as the calls agree with them, and only what is wrong by all of them is
// reported. Where a violation is about none but Gs that an earlier one was about,
// it may be its echo, and judging stops.
func Replay(h *record.History, rules Rules) (vs []Violation, stopped int) {
	r := replay{h: h, may: []*Machine{NewMachine(h.Scenario.Ps, rules)}, reported: make(map[string]bool)}
	for i := range h.Ops {
		if h.Ops[i].Return == 0 && h.Ops[i].Call != 0 || !r.call(i) {
			return r.found, i
		}
	}
	if !h.Ended() {
		return r.found, len(h.Ops)
	}
	if !r.end() {
		return r.found, len(h.Ops)
	}
	return r.found, -1
}

// replay is a history as far as it was judged.
type replay struct {
	h        *record.History
	may      []*Machine // what the target may hold: the first by its own account
	found    []Violation
	reported map[string]bool    // requirements
	suspects map[record.ID]bool // that violations were about
	doubt    bool               // what it said that it holds is not to be believed
	vague    bool               // nothing that the target showed says how many Gs are where
	guessed  bool               // steals did not tell how many Gs they took
	told     []*record.Op       // by machine: the call that comes, if it differs from one to the other
	places   map[record.ID][][2]int
}

// call judges call i. It reports whether the next one can be judged.
func (r *replay) call(i int) bool {
	op := &r.h.Ops[i]
	r.told = nil
	if r.may[0].beyondRoom(op) && r.unsaid(op) {
		return false
	}
	if r.untold(op) && !r.fork(i) {
		return false
	}
	var agree, guesses []*Machine
	var first violations
	for k, m := range r.may {
		op := op
		if r.told != nil {
			op = r.told[k]
		}
		vs := m.call(op)
		wrong := len(vs) > 0
		if !wrong && op.After != nil {
			m.compare(op, &vs)
		}
		if len(vs) == 0 {
			agree = append(agree, m)
		} else if k == 0 {
			first, guesses = vs, m.accounts(op, wrong)
		}
	}
	again := len(first) > 0 && r.reported[first[0].Requirement]
	switch {
	case len(first) == 0 || len(agree) > 0 && !again:
		r.may = agree
		r.vague = r.vague && op.After == nil
		r.doubt = (r.doubt || len(first) > 0 && r.suspects != nil) && op.After == nil
		return true
	case len(agree) == 0 && !r.add(i, first):
		return false
	}
	r.may = append(guesses, agree...)
	r.may = r.may[:min(len(r.may), maxGuesses)]
	r.vague = op.After == nil
	r.doubt = r.vague && (r.doubt || looks(op) && r.h.Scenario.Ps > 1)
	return len(r.may) > 0
}

// end judges the final contents. It reports whether it could.
func (r *replay) end() bool {
	var first violations
	for k, m := range r.may {
		vs := m.Finish(&r.h.Final)
		if len(vs) == 0 {
			return true
		}
		if k == 0 {
			first = vs
		}
	}
	return r.add(AtEnd, first)
}

// add reports violations, unless they may be an echo.
func (r *replay) add(i int, vs violations) bool {
	again := r.reported[vs[0].Requirement]
	if r.suspects != nil && !again && r.echo(i, &vs[0]) {
		return false
	}
	if r.suspects == nil {
		r.suspects = make(map[record.ID]bool)
		for _, v := range Conserve(r.h) {
			r.suspect(v.IDs)
		}
	}
	for _, v := range vs {
		if r.guessed && !counted(v.Requirement) {
			v.Expected += ", or what fits if steals before it took other numbers of Gs"
		}
		r.suspect(v.IDs)
		if !again && !r.reported[v.Requirement] {
			r.reported[v.Requirement] = true
			v.Call = i
			r.found = append(r.found, v)
		}
	}
	return true
}

func (r *replay) suspect(ids []record.ID) {
	for _, id := range ids {
		r.suspects[id] = true
	}
}

// unsaid reports whether no requirement says if op, for which a ring had no room, did right. One
// does if op gave the rest back, as the machine does, if Gs do not add up, if a ring holds too many,
// or if a batch get gave a wrong G: the one that it gives needs no room.
func (r *replay) unsaid(op *record.Op) bool {
	m := r.may[0].Clone()
	vs := m.call(op)
	if op.Kind == record.GlobalGet && len(vs) > 0 {
		return false
	}
	if op.After == nil {
		return !slices.ContainsFunc(vs, counts)
	}
	if len(vs) == 0 {
		m.compare(op, &vs)
	}
	full := func(p record.PContents) bool { return len(p.Ring) > m.Rules.Capacity }
	return len(vs) > 0 && !slices.ContainsFunc(vs, counts) && !slices.ContainsFunc(op.After.Ps, full)
}

func counts(v Violation) bool { return counted(v.Requirement) }

// looks reports whether op only looks.
func looks(op *record.Op) bool { return op.Kind == record.Empty || op.Kind == record.Len }

// echo reports whether v may come of an earlier violation. As long as the target
// shows what it holds, only what counting finds anyway can: a G that is in two
// places stays there. Else it may if it is about no other Gs, or if the earlier
// one may have been another than it seemed to be: a queue that answers wrongly how
// much it holds may hold a G of another's. Where something was taken, one such G is
// enough; and it may be if it is about how many Gs are where, or about one that
// came from where it should not be.
func (r *replay) echo(i int, v *Violation) bool {
	suspect := func(id record.ID) bool { return r.suspects[id] }
	old := !slices.ContainsFunc(v.IDs, func(id record.ID) bool { return !suspect(id) })
	switch {
	case r.doubt || r.vague && i == AtEnd:
		return true
	case !r.vague:
		return old && counted(v.Requirement)
	}
	op, m := &r.h.Ops[i], r.may[0]
	if op.Kind.Takes() && !op.OK {
		return old
	}
	elsewhere := func(id record.ID) bool { return !slices.Contains(m.Ps[op.P].all(), id) }
	return op.Kind == record.Len || op.Kind == record.Empty && !op.OK || m.batches(op) ||
		slices.ContainsFunc(op.Out, elsewhere) || slices.ContainsFunc(v.IDs, suspect)
}

// counted reports whether a requirement is one that Conserve judges.
func counted(requirement string) bool {
	return requirement == "RQ-LOST" || requirement == "RQ-TWICE" || requirement == "RQ-INVENTED"
}

// accounts returns what the target may hold after op, which broke something: by
// its own account first. Wrong says that its answer did, and that m has not taken
// the effect of op; else what it showed afterwards did. It returns none where too
// little is known.
func (m *Machine) accounts(op *record.Op, wrong bool) []*Machine {
	var all []*Machine
	if op.After != nil {
		all = append(all, m.shown(op))
	}
	switch {
	case !wrong:
		return append(all, m)
	case looks(op):
		return append(all, m)
	case m.Rules.Spills() || m.batches(op) || !op.Kind.Takes():
		return all // what it moved is not known
	}
	return append(all, m.without(op.Out...), m) // it took what it says, or nothing
}

// shown returns what the target showed after op.
func (m *Machine) shown(op *record.Op) *Machine {
	c := &Machine{Rules: m.Rules, Ps: make([]PState, len(m.Ps)), Global: slices.Clone(op.After.Global), where: maps.Clone(m.where)}
	for i, p := range op.After.Ps {
		c.Ps[i] = PState{p.Runnext, slices.Clone(p.Ring), true}
	}
	c.know(op.In)
	for id := range c.where {
		c.where[id] = false
	}
	for id := range everything(op.After) {
		c.where[id] = true
	}
	return c
}

// without returns a copy of m from which ids were taken, wherever they are.
func (m *Machine) without(ids ...record.ID) *Machine {
	c := m.Clone()
	c.sound = false
	gone := func(id record.ID) bool { return slices.Contains(ids, id) }
	for i := range c.Ps {
		p := &c.Ps[i]
		if gone(p.Runnext) {
			p.Runnext = 0
		}
		p.Ring = slices.DeleteFunc(p.Ring, gone)
	}
	c.Global = slices.DeleteFunc(c.Global, gone)
	for _, id := range ids {
		c.where[id] = false
	}
	return c
}
