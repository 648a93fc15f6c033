package sequential

import (
	"fmt"
	"maps"
	"slices"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// Rules are the parameters of a Machine: what a contract promises, of a ring that holds
// Capacity Gs; 0: nobody says how many.
type Rules struct {
	spec.Contract
	Capacity int
}

// RulesOf returns what profile p holds a queue of this capacity to. Of a text that is no
// contract it returns the rules of spec.Core.
func RulesOf(p spec.Profile, capacity int) Rules {
	c, ok := p.Contract()
	if !ok {
		c, _ = spec.Core.Contract()
	}
	return Rules{c, capacity}
}

// Spills reports whether a full ring overflows to the global queue.
func (r *Rules) Spills() bool { return r.Full == spec.Overflows && r.Capacity > 0 }

// Slotted reports whether there is a slot in front that is judged.
func (r *Rules) Slotted() bool { return r.Slot == spec.OwnerOnly || r.Slot == spec.Thieves }

// Batches reports whether a steal from queue to queue is judged, and may take several.
func (r *Rules) Batches() bool {
	return r.Batch == spec.HalfUp || r.Batch == spec.HalfDown || r.Batch == spec.Some
}

// BatchFits reports whether a steal from queue to queue may take k of n Gs.
func (r *Rules) BatchFits(k, n int) bool {
	switch r.Batch {
	case spec.HalfUp:
		return k == n-n/2
	case spec.HalfDown:
		return k == max(n/2, min(n, 1))
	case spec.Some:
		return k >= 1 && k <= n
	}
	return k == min(n, 1)
}

// Bounded reports whether a ring must never hold more than its capacity.
func (r *Rules) Bounded() bool {
	return r.Capacity > 0 && (r.Bound == spec.AtMost || r.Bound == spec.Fresh || r.Bound == spec.Exact)
}

// A Machine is the sequential meaning of a set of Ps and a global queue: ring,
// runnext and global queue are separate objects, and a call that moves Gs takes
// from one and puts on another. It judges calls made one after another.
//
// Every witness may use it: held against a target call by call, or as the model
// of a generated program. What it holds is there to be looked at; it also
// remembers every G that was ever put, so that a copy is made by Clone alone.
type Machine struct {
	Rules  Rules
	Ps     []PState
	Global []record.ID

	where map[record.ID]bool // every id ever put: true while it is somewhere
	// sound says that where and the places agree: each G that is somewhere is in one
	// place. It becomes false when a G is put twice, or when the machine takes over what
	// a target says that it holds.
	sound bool
	// overflowed says that the last call was a put that found a full ring.
	overflowed bool
}

// PState is what one P holds: the ring oldest first, and runnext or 0.
type PState struct {
	Runnext record.ID
	Ring    []record.ID
	Taken   bool // a G was taken from it
}

// NewMachine returns the machine of an empty set of ps Ps.
func NewMachine(ps int, rules Rules) *Machine {
	return &Machine{Rules: rules, Ps: make([]PState, ps), where: make(map[record.ID]bool), sound: true}
}

// Clone returns a copy that shares nothing with m.
func (m *Machine) Clone() *Machine {
	c := &Machine{Rules: m.Rules, Ps: slices.Clone(m.Ps), Global: slices.Clone(m.Global), where: maps.Clone(m.where), sound: m.sound}
	for i := range c.Ps {
		c.Ps[i].Ring = slices.Clone(c.Ps[i].Ring)
	}
	return c
}

// A Violation is a requirement that a call broke.
type Violation struct {
	Requirement string
	Expected    string
	Observed    string
	// Call is the number of the call in its history, from 0, or AtEnd, where
	// Replay found it.
	Call int
	// IDs are the Gs that it is about. Ops are calls that show it, where a
	// witness of real threads picks them out of many.
	IDs []record.ID
	Ops []record.Op
}

// AtEnd is the number of no call: the final contents showed it.
const AtEnd = -1

func (v Violation) String() string {
	return fmt.Sprintf("%s: expected %s, saw %s", v.Requirement, v.Expected, v.Observed)
}

// Apply judges op, which was called and returned after all that was applied
// before, and takes its effect. The first violation is the nearest to the
// cause. After a violation the machine's state is no longer the target's: Replay
// says how to go on.
func (m *Machine) Apply(op *record.Op) []Violation {
	vs := m.call(op)
	if len(vs) == 0 && op.After != nil {
		m.compare(op, &vs)
	}
	return vs
}

// call judges what op answered and takes its effect. A wrong answer has none.
func (m *Machine) call(op *record.Op) (vs violations) {
	m.overflowed = false
	switch op.Kind {
	case record.Put, record.PutNext, record.PutBatch:
		m.put(op, &vs)
	case record.Get, record.Take:
		m.get(op, &vs)
	case record.CloseQueue:
		m.close(op, &vs)
	case record.Steal, record.StealNext:
		m.steal(op, &vs)
	case record.Drain:
		m.drain(op, &vs)
	case record.Empty:
		m.empty(op, &vs)
	case record.Len:
		if want := m.Ps[op.P].len(); op.Count != want {
			vs.add("RQ-LEN", fmt.Sprint(want), "%d", op.Count)
		}
	case record.GlobalPut:
		m.know(op.In)
		m.Global = append(m.Global, op.In...)
	case record.GlobalGet:
		m.globalGet(op, &vs)
	default:
		panic(fmt.Sprintf("sequential: Apply of kind %d", op.Kind))
	}
	if len(vs) > 0 {
		vs[0].IDs = m.about(op, vs[0].Requirement)
	} else if op.Kind.Takes() && op.OK && op.P != record.None {
		m.Ps[op.P].Taken = true
	}
	return vs
}

// about returns the Gs that a wrong answer of op is about: those that it gave or
// moved, and those that it should have given if that is what it broke.
func (m *Machine) about(op *record.Op, requirement string) []record.ID {
	ids := slices.Concat(op.In, op.Out)
	if op.Kind.Takes() && !op.OK && op.Kind != record.GlobalGet {
		return m.Ps[op.P].all() // any of them would have been more than none
	}
	if !counted(requirement) {
		ids = append(ids, m.due(op)...)
	}
	for _, move := range op.Moved {
		ids = append(ids, move.IDs...)
	}
	return ids
}

// due returns the Gs that op must take now, or looks at; of a queue without order,
// those of which it must take one.
func (m *Machine) due(op *record.Op) []record.ID {
	if op.Kind == record.GlobalGet {
		return m.Global[:Share(op.Want, m.Rules.Capacity, len(m.Global), len(m.Ps))]
	}
	if op.P == record.None {
		return nil
	}
	p := &m.Ps[op.P]
	n := len(p.Ring)
	owner := op.Kind == record.Get || op.Kind == record.Take
	switch {
	case op.Kind == record.Drain, op.Kind == record.Empty, op.Kind == record.Len:
		return p.all()
	case !op.Kind.Takes():
		return nil
	case p.Runnext != 0 && (owner || n == 0 && op.Kind == record.StealNext):
		return []record.ID{p.Runnext}
	case n == 0:
		return nil
	case m.Rules.Order == spec.AnyOrder:
		return p.Ring
	case m.batches(op):
		return p.Ring[:m.mostOf(n)]
	case len(kept(op)) > 0:
		return p.Ring[:min(n, 1+len(kept(op)))]
	}
	i := m.index(p, owner)
	return p.Ring[i : i+1]
}

// batches reports whether op, a steal, may take several Gs.
func (m *Machine) batches(op *record.Op) bool {
	return op.Kind.Steals() && op.Thief != record.None && m.Rules.Batches()
}

// ofOne reports whether op, a steal from queue to queue, must take one G.
func (m *Machine) ofOne(op *record.Op) bool {
	return op.Kind.Steals() && op.Thief != record.None && m.Rules.Batch == spec.One
}

// all returns what p holds, in the order in which a drain gives it.
func (p *PState) all() []record.ID {
	var ids []record.ID
	if p.Runnext != 0 {
		ids = append(ids, p.Runnext)
	}
	return append(ids, p.Ring...)
}

func (p *PState) len() int {
	n := len(p.Ring)
	if p.Runnext != 0 {
		n++
	}
	return n
}

type violations []Violation

func (vs *violations) add(id, expected, observed string, args ...any) {
	*vs = append(*vs, Violation{Requirement: id, Expected: expected, Observed: fmt.Sprintf(observed, args...)})
}

func (m *Machine) know(ids []record.ID) {
	for _, id := range ids {
		m.sound = m.sound && !m.where[id]
		m.where[id] = true
	}
}

// put is Put, PutNext and PutBatch.
func (m *Machine) put(op *record.Op, vs *violations) {
	p := &m.Ps[op.P]
	accepted := op.In[:max(0, min(op.Count, len(op.In)))] // what a bad target says it took may be anything
	if m.fits(op, p, len(accepted), vs); len(*vs) > 0 {
		return
	}
	m.know(accepted)
	switch {
	case op.Kind == record.PutNext && op.OK:
		old := p.Runnext
		p.Runnext = op.In[0]
		if old != 0 {
			m.ringPut(p, old)
		}
	case op.Kind == record.PutBatch && m.Rules.Spills():
		room := m.Rules.Capacity - len(p.Ring)
		n := min(max(room, 0), len(accepted))
		p.Ring = append(p.Ring, accepted[:n]...)
		m.Global = append(m.Global, accepted[n:]...)
	default:
		for _, id := range accepted {
			m.ringPut(p, id)
		}
	}
}

// fits judges how many Gs a put accepted.
func (m *Machine) fits(op *record.Op, p *PState, accepted int, vs *violations) {
	r, all := &m.Rules, len(op.In)
	if r.Spills() {
		if op.Count != all {
			vs.add("RQ-CAPACITY", "every put accepted: a full ring overflows", "%d of %d accepted", op.Count, all)
		}
		return
	}
	n := len(p.Ring)
	to, most := accepted, all // that go to the ring; that may
	if op.Kind == record.PutNext {
		to, most = 0, 0
		if p.Runnext != 0 {
			to, most = accepted, all // what was in the slot is kicked there
		}
	}
	switch {
	case r.Bounded() && n+to > r.Capacity:
		vs.add("RQ-CAPACITY", fmt.Sprintf("at most %d Gs in a ring of %d, which holds %d", r.Capacity, r.Capacity, n), "%d more accepted", accepted)
	case r.Bound == spec.Fresh && !p.Taken && r.Capacity > 0 && accepted < min(most, r.Capacity-n):
		vs.add("RQ-CAPACITY", fmt.Sprintf("%d accepted: nothing was taken yet, and a ring of %d holds %d", min(all, r.Capacity-n), r.Capacity, n), "%d of %d accepted", accepted, all)
	case accepted == all, spec.AtRest(r.Refuse):
	case r.Bound == spec.Grows:
		vs.add("RQ-CAPACITY", "every put accepted: the queue grows", "%d of %d accepted", accepted, all)
	case r.Bound == spec.Exact && r.Capacity > 0 && accepted < min(most, r.Capacity-n), r.Bound == spec.Exact && most == 0:
		vs.add("RQ-CAPACITY", fmt.Sprintf("%d accepted: a ring of %d holds %d", min(all, r.Capacity-n), r.Capacity, n), "%d of %d accepted", accepted, all)
	}
}

func (m *Machine) ringPut(p *PState, id record.ID) {
	if m.Rules.Spills() && len(p.Ring) == m.Rules.Capacity {
		m.overflowed = true
		half := m.Rules.Capacity / 2
		m.Global = append(m.Global, p.Ring[:half]...)
		m.Global = append(m.Global, id)
		p.Ring = slices.Clone(p.Ring[half:])
		return
	}
	p.Ring = append(p.Ring, id)
}

// seen judges an id that was handed out where want was expected, and that is
// not want: was it ever put, is it somewhere, and where?
func (m *Machine) seen(id record.ID, otherwise, expected string, vs *violations) {
	there, known := m.where[id]
	switch {
	case !known:
		vs.add("RQ-INVENTED", expected, "%d, which was never put", id)
	case !there:
		vs.add("RQ-TWICE", expected, "%d, which was taken before", id)
	default:
		vs.add(otherwise, expected, "%d", id)
	}
}

// index returns which element of the ring the owner or a thief must take next.
func (m *Machine) index(p *PState, owner bool) int {
	if m.Rules.Order == spec.OwnerLast && owner {
		return len(p.Ring) - 1
	}
	return 0
}

// orderID is the requirement that a take out of order breaks. Where there is no
// order, a G can only be out of place: in a queue where it was not put.
func (m *Machine) orderID() string {
	switch m.Rules.Order {
	case spec.OwnerLast:
		return "RQ-LIFO"
	case spec.FirstIn:
		return "RQ-FIFO"
	}
	return "RQ-INVENTED"
}

func (m *Machine) get(op *record.Op, vs *violations) {
	p := &m.Ps[op.P]
	if !op.OK {
		if op.Kind == record.Take && p.len() > 0 {
			vs.add("RQ-TAKE-NONE", fmt.Sprintf("one of the %d Gs of P%d (%s)", p.len(), op.P, p), "none")
		} else if p.len() > 0 && !spec.AtRest(m.Rules.GetMiss) {
			vs.add("RQ-GET-NONE", fmt.Sprintf("one of the %d Gs of P%d (%s)", p.len(), op.P, p), "none")
		}
		return
	}
	id := op.Out[0]
	if p.Runnext != 0 {
		if id != p.Runnext || !op.FromRunnext {
			want := fmt.Sprintf("%d from runnext", p.Runnext)
			if id == p.Runnext {
				vs.add("RQ-RUNNEXT-FIRST", want, "%d, said to come from the ring", id)
			} else {
				m.seen(id, "RQ-RUNNEXT-FIRST", want, vs)
			}
			return
		}
		p.Runnext = 0
		m.where[id] = false
		return
	}
	if len(p.Ring) == 0 {
		m.seen(id, m.orderID(), "none: the queue is empty", vs)
		return
	}
	switch i := m.find(p, id, true, vs); {
	case i < 0:
	case op.FromRunnext && m.Rules.Slotted():
		vs.add("RQ-RUNNEXT-FIRST", fmt.Sprintf("%d from the ring: runnext is empty", id), "%d, said to come from runnext", id)
	default:
		m.take(p, i)
	}
}

// find returns where in p's ring, which is not empty, id lies, if its owner or a
// thief may take it; -1 if not.
func (m *Machine) find(p *PState, id record.ID, owner bool, vs *violations) int {
	i, want := m.index(p, owner), "a G of "+p.String()
	if m.Rules.Order == spec.AnyOrder {
		i = slices.Index(p.Ring, id)
	} else {
		want = fmt.Sprintf("%d (%s)", p.Ring[i], p)
	}
	if i < 0 || p.Ring[i] != id {
		m.seen(id, m.orderID(), want, vs)
		return -1
	}
	return i
}

// take takes a G out of p's ring.
func (m *Machine) take(p *PState, i int) {
	m.where[p.Ring[i]] = false
	p.Ring = slices.Delete(slices.Clone(p.Ring), i, i+1)
}

func (m *Machine) steal(op *record.Op, vs *violations) {
	v := &m.Ps[op.P]
	n := len(v.Ring)
	if !op.OK {
		switch {
		case spec.AtRest(m.Rules.StealMiss), op.Thief != record.None && m.Rules.MayGiveUp(len(m.Ps[op.Thief].Ring)):
		case n > 0:
			vs.add("RQ-STEAL-NONE", fmt.Sprintf("the oldest of %d Gs (%s)", n, v), "none")
		case n == 0 && op.Kind == record.StealNext && v.Runnext != 0:
			vs.add("RQ-STEAL-RUNNEXT", fmt.Sprintf("%d, which is in runnext, the ring being empty", v.Runnext), "none")
		}
		return
	}
	id := op.Out[0]
	if id != 0 && id == v.Runnext && (op.Kind == record.Steal || n > 0) {
		vs.add("RQ-STEAL-RUNNEXT", fmt.Sprintf("runnext left alone (%s)", v), "%d from runnext", id)
		return
	}
	if n == 0 {
		if op.Kind == record.StealNext && v.Runnext != 0 {
			if id != v.Runnext {
				m.seen(id, "RQ-STEAL-RUNNEXT", fmt.Sprintf("%d from runnext", v.Runnext), vs)
				return
			}
			v.Runnext = 0
			m.where[id] = false
			return
		}
		m.seen(id, m.orderID(), "none: there is nothing to steal", vs)
		return
	}
	if kept := kept(op); len(kept) > 0 {
		m.stealAway(v, append(kept, id), vs)
		return
	}
	if m.ofOne(op) && len(op.Moved) > 0 && len(op.Moved[0].IDs) > 0 {
		vs.add("RQ-STEAL-HALF", "one G taken", "%d taken", 1+len(op.Moved[0].IDs))
		return
	}
	if !m.batches(op) {
		if i := m.find(v, id, false, vs); i >= 0 {
			m.take(v, i)
		}
		return
	}
	m.stealBatch(op, v, id, vs)
}

// kept returns what a steal for no P took besides what it gave: it went to the global
// queue.
func kept(op *record.Op) (ids []record.ID) {
	for _, move := range op.Moved {
		if op.Kind.Steals() && op.Thief == record.None && move.To.Object == record.Global {
			ids = append(ids, move.IDs...)
		}
	}
	return ids
}

// stealAway is a steal for no P from v's ring that took several, of which it gave the
// last: the oldest of the ring, however many.
func (m *Machine) stealAway(v *PState, took []record.ID, vs *violations) {
	left := v.Ring
	for _, id := range took {
		at := slices.Index(left, id)
		if at < 0 || m.Rules.Order != spec.AnyOrder && slices.Index(v.Ring, id) >= len(took) {
			m.seen(id, m.orderID(), fmt.Sprintf("%d, the oldest of %s", len(took), v), vs)
			return
		}
		left = slices.Delete(slices.Clone(left), at, at+1)
	}
	v.Ring = left
	last := len(took) - 1
	m.Global = append(m.Global, took[:last]...)
	m.where[took[last]] = false
}

// mostOf returns how many of n Gs a steal from queue to queue takes, or may take at most.
func (m *Machine) mostOf(n int) int {
	for k := n; k > 0; k-- {
		if m.Rules.BatchFits(k, n) {
			return k
		}
	}
	return 0
}

// restTo says where the rest of a batch goes.
func (m *Machine) restTo() record.Object {
	if m.Rules.Rest == spec.ToGlobal {
		return record.Global
	}
	return record.Ring
}

// stealBatch is a steal from v's ring, which is not empty, to the ring of another P. How
// many it took follows from the contract, or from what it moved.
func (m *Machine) stealBatch(op *record.Op, v *PState, id record.ID, vs *violations) {
	if m.Rules.Order == spec.AnyOrder {
		m.stealAny(op, v, id, vs)
		return
	}
	n := len(v.Ring)
	k := m.mostOf(n)
	if m.Rules.Batch == spec.Some {
		k = 1
		if len(op.Moved) > 0 {
			k += len(op.Moved[0].IDs)
		}
		k = min(k, n)
	}
	loot := v.Ring[:k]
	at, rest, which := k-1, loot[:k-1], "newest"
	if m.Rules.Returns == spec.Oldest {
		at, rest, which = 0, loot[1:], "oldest"
	}
	if id != loot[at] {
		where := slices.Index(v.Ring, id)
		switch {
		case where < 0:
			m.seen(id, "RQ-STEAL-ORDER", fmt.Sprintf("%d, the %s of the %d oldest", loot[at], which, k), vs)
		case m.Rules.Batch == spec.Some, m.Rules.Returns == spec.Oldest, len(op.Moved) > 0 && len(op.Moved[0].IDs) == k-1:
			vs.add("RQ-STEAL-ORDER", fmt.Sprintf("%d returned, the %s of %v", loot[at], which, loot), "%d returned", id)
		default:
			vs.add("RQ-STEAL-HALF", fmt.Sprintf("%d of %d Gs taken, %d returned", k, n, loot[at]), "%d returned, which is number %d", id, where+1)
		}
		return
	}
	if to := m.restTo(); len(op.Moved) > 0 && len(rest) > 0 {
		if saw := op.Moved[0].To.Object; saw != to && saw != record.Runnext { // which only the owner fills
			vs.add("RQ-STEAL-ORDER", fmt.Sprintf("%v moved to the %v", rest, to), "%v moved to the %v", op.Moved[0].IDs, saw)
			return
		}
	}
	if len(op.Moved) > 0 && !slices.Equal(op.Moved[0].IDs, rest) {
		req := "RQ-STEAL-ORDER"
		if len(op.Moved[0].IDs) != k-1 {
			req = "RQ-STEAL-HALF"
		}
		vs.add(req, fmt.Sprintf("%v put in P%d's ring", rest, op.Thief), "%v", op.Moved[0].IDs)
		return
	}
	if m.restTo() == record.Ring && m.crammed(op, rest, vs) {
		return
	}
	for _, id := range rest {
		if m.restTo() == record.Global {
			m.Global = append(m.Global, id)
		} else {
			m.ringPut(&m.Ps[op.Thief], id)
		}
	}
	m.where[id] = false
	v.Ring = slices.Clone(v.Ring[k:])
}

// stealAny is a steal from the ring of a queue without order to that of another P: which Gs
// it took, op says, and how many they must be, the contract.
func (m *Machine) stealAny(op *record.Op, v *PState, id record.ID, vs *violations) {
	took := []record.ID{id}
	for _, move := range op.Moved {
		took = append(took, move.IDs...)
	}
	left := slices.Clone(v.Ring)
	for _, id := range took {
		at := slices.Index(left, id)
		if at < 0 {
			m.seen(id, "RQ-INVENTED", "a G of "+v.String(), vs)
			return
		}
		left = slices.Delete(left, at, at+1)
	}
	if n := len(v.Ring); !m.Rules.BatchFits(len(took), n) {
		vs.add("RQ-STEAL-HALF", fmt.Sprintf("%d of %d Gs taken", m.mostOf(n), n), "%d taken", len(took))
		return
	}
	if m.crammed(op, took[1:], vs) {
		return
	}
	v.Ring, m.where[id] = left, false
	for _, id := range took[1:] {
		m.ringPut(&m.Ps[op.Thief], id)
	}
}

func (m *Machine) drain(op *record.Op, vs *violations) {
	p := &m.Ps[op.P]
	want := p.all()
	if !slices.Equal(op.Out, want) {
		for _, id := range op.Out {
			if !slices.Contains(want, id) {
				m.seen(id, "RQ-DRAIN", fmt.Sprint(want), vs)
				return
			}
		}
		vs.add("RQ-DRAIN", fmt.Sprint(want), "%v", op.Out)
		return
	}
	for _, id := range want {
		m.where[id] = false
	}
	*p = PState{}
}

// close takes out the Gs that were dropped, by the account of Out, wherever in the ring they are.
func (m *Machine) close(op *record.Op, vs *violations) {
	p := &m.Ps[op.P]
	for _, id := range op.Out {
		i := slices.Index(p.Ring, id)
		if i < 0 {
			m.seen(id, m.orderID(), fmt.Sprintf("a G of %s", p), vs)
			return
		}
		m.take(p, i)
	}
}

func (m *Machine) empty(op *record.Op, vs *violations) {
	p := &m.Ps[op.P]
	switch n := p.len(); {
	case m.Rules.Empty == spec.Unsaid:
	case op.OK && n > 0:
		vs.add("RQ-EMPTY-TRUE", fmt.Sprintf("no: %s", p), "yes")
	case !op.OK && n == 0:
		vs.add("RQ-EMPTY-FALSE", "yes: ring and runnext are empty", "no")
	}
}

// Share returns how many Gs a batch get of the global queue takes.
func Share(asked, capacity, size, ps int) int {
	n := min(asked, size, size/ps+1)
	if capacity > 0 {
		n = min(n, capacity/2)
	}
	return n
}

// beyondRoom reports whether op, which comes now, may bring more Gs to the ring of a P than it
// has room for: a batch get, or a steal from queue to queue, by a P whose ring is more than half
// full. No requirement says what happens then. The runtime throws, others take fewer or give some
// back.
func (m *Machine) beyondRoom(op *record.Op) bool {
	p, brings := record.None, 0
	switch {
	case op.Kind == record.GlobalGet:
		p, brings = op.P, Share(op.Want, m.Rules.Capacity, len(m.Global), len(m.Ps))-1
	case m.batches(op) && m.restTo() == record.Ring && !m.fitsIn():
		p, brings = op.Thief, m.mostOf(len(m.Ps[op.P].Ring))-1
	}
	if p == record.None || m.Rules.Capacity == 0 {
		return false
	}
	held := len(m.Ps[p].Ring)
	return held > m.Rules.Capacity/2 && brings > m.Rules.Capacity-held
}

// fitsIn reports whether a steal from queue to queue brings no more than the thief has room for,
// by its contract.
func (m *Machine) fitsIn() bool { return m.Rules.Batch == spec.Some && !m.Rules.Spills() }

// crammed reports whether op, a steal that put rest in its thief's ring, put more there than fits,
// and adds that.
func (m *Machine) crammed(op *record.Op, rest []record.ID, vs *violations) bool {
	held, holds := len(m.Ps[op.Thief].Ring), m.Rules.Capacity
	if !m.fitsIn() || !m.Rules.Bounded() || len(rest) == 0 || held+len(rest) <= holds {
		return false
	}
	vs.add("RQ-CAPACITY", fmt.Sprintf("at most %d Gs in the thief's ring of %d, which holds %d", holds, holds, held), "%d more put there", len(rest))
	return true
}

// MayGiveUp reports whether a steal for a thief whose ring may hold so many Gs may find
// nothing although there is something: where more than half of a ring is taken, not every
// thief tries. Where a part is asked for, no thief that holds so much is asked to steal.
func (r *Rules) MayGiveUp(held int) bool {
	return r.Batch == spec.Some && r.Capacity > 0 && r.Bound != spec.Grows && held > r.Capacity/2
}

func (m *Machine) globalGet(op *record.Op, vs *violations) {
	n := Share(op.Want, m.Rules.Capacity, len(m.Global), len(m.Ps))
	if n == 0 {
		if op.OK {
			m.seen(op.Out[0], "RQ-GLOBAL-BATCH", "none: the global queue is empty", vs)
		}
		return
	}
	if !op.OK {
		vs.add("RQ-GLOBAL-BATCH", fmt.Sprintf("%d, the oldest of %d", m.Global[0], len(m.Global)), "none")
		return
	}
	if op.Out[0] != m.Global[0] {
		m.seen(op.Out[0], "RQ-GLOBAL-FIFO", fmt.Sprintf("%d, the oldest of the global queue", m.Global[0]), vs)
		return
	}
	p := &m.Ps[op.P]
	batch := slices.Clone(m.Global[1:n])
	m.Global = slices.Clone(m.Global[n:])
	m.where[op.Out[0]] = false
	room := min(max(m.Rules.Capacity-len(p.Ring), 0), len(batch))
	if m.Rules.Capacity == 0 {
		room = len(batch)
	}
	p.Ring = append(p.Ring, batch[:room]...)
	m.Global = append(m.Global, batch[room:]...)
}

// Contents returns a copy of what the machine holds.
func (m *Machine) Contents() record.Contents {
	c := record.Contents{Global: slices.Clone(m.Global)}
	for _, p := range m.Ps {
		c.Ps = append(c.Ps, record.PContents{Runnext: p.Runnext, Ring: slices.Clone(p.Ring)})
	}
	return c
}

func (p *PState) String() string {
	s := fmt.Sprintf("ring %v", p.Ring)
	if len(p.Ring) > 12 {
		s = fmt.Sprintf("ring of %d from %d to %d", len(p.Ring), p.Ring[0], p.Ring[len(p.Ring)-1])
	}
	if p.Runnext != 0 {
		s += fmt.Sprintf(", runnext %d", p.Runnext)
	}
	return s
}
