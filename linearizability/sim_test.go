package linearizability

import (
	"cmp"
	"iter"
	"math/rand/v2"
	"reflect"
	"slices"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/sequential"
)

// A sim is a small scheduler's queues, whose threads take their steps in a
// random order: each step is one access to shared memory, as in the Go runtime.
// What it gives is therefore a correct history with the overlaps of a real one.
type sim struct {
	rng    *rand.Rand
	cap    int // of each ring; 0 unbounded
	rules  sequential.Rules
	rings  []simRing
	global []record.ID
	ids    record.ID
	clock  int64
	ops    []record.Op
}

type simRing struct {
	all        []record.ID // by index
	head, tail int
	next       record.ID
}

func newSim(rng *rand.Rand, ps int) *sim {
	s := &sim{rng: rng, rings: make([]simRing, ps)}
	s.cap = []int{2, 2, 4, 4, 8}[rng.IntN(5)]
	s.rules = sequential.RulesOf(spec.GoRT, s.cap)
	return s
}

func (s *sim) now() int64 { s.clock++; return s.clock }

func (s *sim) put(p int, list ...record.ID) {
	r := &s.rings[p]
	r.all = append(r.all[:r.tail:r.tail], list...)
	r.tail += len(list)
}

func place(k record.Object, p int) record.Place { return record.Place{Object: k, P: p} }

var globalPlace = place(record.Global, record.None)

// ringPut is the second half of runqput.
func (s *sim) ringPut(op *record.Op, p int, id record.ID, kicked bool, step func()) {
	r := &s.rings[p]
	slot := place(record.Runnext, p)
	for {
		h := r.head
		step()
		if r.tail-h < s.cap {
			s.put(p, id)
			if kicked {
				op.Moved = append(op.Moved, record.Move{From: slot, To: place(record.Ring, p), IDs: []record.ID{id}})
			}
			return
		}
		step()
		if r.head != h {
			continue
		}
		half := slices.Clone(r.all[h : h+s.cap/2])
		r.head += s.cap / 2
		step()
		s.global = append(append(s.global, half...), id)
		op.Moved = append(op.Moved, record.Move{From: place(record.Ring, p), To: globalPlace, IDs: half})
		if kicked {
			op.Moved = append(op.Moved, record.Move{From: slot, To: globalPlace, IDs: []record.ID{id}})
		}
		return
	}
}

func (s *sim) newIDs(n int) []record.ID {
	var out []record.ID
	for range n {
		s.ids++
		out = append(out, s.ids)
	}
	return out
}

// do makes one call, step by step.
func (s *sim) do(op *record.Op, step func()) {
	r := &s.rings[max(op.P, 0)]
	switch op.Kind {
	case record.Put:
		s.ringPut(op, op.P, op.In[0], false, step)
		op.Count, op.OK = 1, true
	case record.PutNext:
		old := r.next
		r.next = op.In[0]
		step()
		if old != 0 {
			s.ringPut(op, op.P, old, true, step)
		}
		op.Count, op.OK = 1, true
	case record.PutBatch:
		h := r.head
		step()
		n := min(len(op.In), s.cap-(r.tail-h))
		s.put(op.P, op.In[:n]...)
		if n < len(op.In) {
			step()
			s.global = append(s.global, op.In[n:]...)
			op.Moved = []record.Move{{From: place(record.Ring, op.P), To: globalPlace, IDs: op.In[n:]}}
		}
		op.Count, op.OK = len(op.In), true
	case record.Get:
		if next := r.next; next != 0 {
			step()
			if r.next == next {
				r.next = 0
				op.Out, op.FromRunnext, op.OK = []record.ID{next}, true, true
				return
			}
		}
		for {
			h := r.head
			step()
			if h == r.tail {
				return
			}
			if r.head == h {
				op.Out, op.OK = []record.ID{r.all[h]}, true
				r.head++
				return
			}
		}
	case record.Drain:
		if next := r.next; next != 0 {
			step()
			if r.next == next {
				r.next = 0
				op.Out = append(op.Out, next)
			}
		}
		for {
			h := r.head
			step()
			if r.head == h {
				op.Out = append(op.Out, r.all[h:r.tail]...)
				r.head = r.tail
				break
			}
		}
		op.OK = len(op.Out) > 0
	case record.Steal, record.StealNext:
		s.steal(op, step)
	case record.Empty:
		for {
			h := r.head
			step()
			t := r.tail
			step()
			next := r.next
			step()
			if t == r.tail {
				op.OK = h == t && next == 0
				return
			}
		}
	case record.GlobalPut:
		s.global = append(s.global, op.In...)
		op.Count, op.OK = 1, true
	case record.GlobalGet:
		n := sequential.Share(op.Want, s.cap, len(s.global), len(s.rings))
		if n == 0 {
			return
		}
		got := slices.Clone(s.global[:n])
		s.global = slices.Clone(s.global[n:])
		op.Out, op.OK = got[:1:1], true
		step()
		room := min(s.cap-(r.tail-r.head), n-1)
		if room > 0 {
			s.put(op.P, got[1:1+room]...)
			op.Moved = append(op.Moved, record.Move{From: globalPlace, To: place(record.Ring, op.P), IDs: got[1 : 1+room]})
		}
		if rest := got[1+max(room, 0):]; len(rest) > 0 {
			step()
			s.global = append(s.global, rest...)
			op.Moved = append(op.Moved, record.Move{From: globalPlace, To: globalPlace, IDs: rest})
		}
	}
}

func (s *sim) steal(op *record.Op, step func()) {
	r := &s.rings[op.P]
	for {
		h := r.head
		step()
		t := r.tail
		n := t - h
		n -= n / 2
		step()
		if n <= 0 {
			if op.Kind == record.Steal {
				return
			}
			next := r.next
			if next == 0 {
				return
			}
			step()
			if r.next != next {
				continue
			}
			r.next = 0
			op.Out, op.OK = []record.ID{next}, true
			return
		}
		if n > s.cap/2 || r.head != h {
			continue
		}
		if op.Thief == record.None {
			n = 1
		}
		got := slices.Clone(r.all[h : h+n])
		r.head += n
		op.Out, op.OK = got[n-1:], true
		if n > 1 {
			step()
			s.put(op.Thief, got[:n-1]...)
			op.Moved = []record.Move{{From: place(record.Ring, op.P), To: place(record.Ring, op.Thief), IDs: got[:n-1]}}
		}
		return
	}
}

// thread is one thread's calls as a sequence of steps.
func (s *sim) thread(t, p int, kinds []record.Kind) iter.Seq[struct{}] {
	return func(yield func(struct{}) bool) {
		step := func() { yield(struct{}{}) }
		for _, k := range kinds {
			op := record.Op{Thread: t, Kind: k, P: p, Thief: record.None}
			switch k {
			case record.Put, record.PutNext:
				op.In = s.newIDs(1)
			case record.PutBatch:
				op.In = s.newIDs(1 + s.rng.IntN(3))
			case record.GlobalPut:
				op.P, op.In = record.None, s.newIDs(1)
			case record.GlobalGet:
				op.Want = 1 + s.rng.IntN(4)
			case record.Steal, record.StealNext, record.Empty:
				if p != 0 {
					op.P = 0
				}
				if k.Takes() {
					op.Thief = p
				}
			}
			step()
			op.Call = s.now()
			step()
			s.do(&op, step)
			step()
			op.Return = s.now()
			s.ops = append(s.ops, op)
		}
	}
}

// run lets all threads take their steps in a random order.
func (s *sim) run(threads ...iter.Seq[struct{}]) *record.History {
	type runner struct {
		next func() (struct{}, bool)
		stop func()
	}
	var rs []runner
	for _, t := range threads {
		next, stop := iter.Pull(t)
		defer stop()
		rs = append(rs, runner{next, stop})
	}
	stay := s.rng.IntN(4)
	i := 0
	for len(rs) > 0 {
		if i >= len(rs) || s.rng.IntN(4) >= stay {
			i = s.rng.IntN(len(rs))
		}
		if _, ok := rs[i].next(); !ok {
			rs = slices.Delete(rs, i, i+1)
		}
	}
	h := &record.History{Capacity: s.cap, Clock: record.ClockCounter, Moves: true, Ops: s.ops}
	h.Scenario.Ps = len(s.rings)
	for i := range s.rings {
		r := &s.rings[i]
		h.Final.Ps = append(h.Final.Ps, record.PContents{Runnext: r.next, Ring: slices.Clone(r.all[r.head:r.tail])})
	}
	h.Final.Global = slices.Clone(s.global)
	sortOps(h)
	return h
}

func sortOps(h *record.History) {
	slices.SortStableFunc(h.Ops, func(a, b record.Op) int { return cmp.Compare(a.Call, b.Call) })
}

// randomHistory is a correct history of one owner and up to three thieves.
func randomHistory(rng *rand.Rand) (*record.History, sequential.Rules) {
	thieves := rng.IntN(4)
	s := newSim(rng, thieves+1)
	owner := []record.Kind{record.Put, record.Put, record.Put, record.Get, record.Get}
	thief := []record.Kind{record.Steal, record.Steal}
	switch rng.IntN(4) {
	case 0:
		owner = append(owner, record.PutBatch, record.Drain)
		thief = append(thief, record.Empty)
	case 1:
		owner = append(owner, record.PutNext, record.PutNext, record.Get)
		thief = append(thief, record.StealNext, record.StealNext, record.Empty)
	case 2:
		owner = append(owner, record.PutNext, record.Put, record.Put, record.PutBatch, record.GlobalGet, record.GlobalPut, record.Drain, record.Empty)
		thief = append(thief, record.StealNext, record.Empty, record.Get)
	}
	pick := func(from []record.Kind, n int) []record.Kind {
		var out []record.Kind
		for range n {
			out = append(out, from[rng.IntN(len(from))])
		}
		return out
	}
	threads := []iter.Seq[struct{}]{s.thread(0, 0, pick(owner, 2+rng.IntN(7)))}
	for t := 1; t <= thieves; t++ {
		threads = append(threads, s.thread(t, t, pick(thief, 1+rng.IntN(3))))
	}
	return s.run(threads...), s.rules
}

// spoil changes a history a little; often it is then wrong. It reports whether
// it changed anything.
func spoil(rng *rand.Rand, h *record.History) bool {
	if len(h.Ops) == 0 {
		return false
	}
	before, end := slices.Clone(h.Ops), slices.Clone(h.Final.Ps)
	op := &h.Ops[rng.IntN(len(h.Ops))]
	other := &h.Ops[rng.IntN(len(h.Ops))]
	switch rng.IntN(8) {
	case 0: // swap what two takes got
		if len(op.Out) > 0 && len(other.Out) > 0 {
			op.Out, other.Out = slices.Clone(op.Out), slices.Clone(other.Out)
			op.Out[0], other.Out[0] = other.Out[0], op.Out[0]
		}
	case 1: // a take that took nothing, its G found at the end
		if op.Kind.Takes() && len(op.Out) == 1 && len(op.Moved) == 0 && op.P >= 0 {
			h.Final.Ps[op.P].Ring = append([]record.ID{op.Out[0]}, h.Final.Ps[op.P].Ring...)
			op.Out, op.OK, op.FromRunnext = nil, false, false
		}
	case 2, 3: // another interval
		d := int64(rng.IntN(9)) - 4
		op.Call, op.Return = op.Call+d, op.Return+d
	case 4: // a shorter one
		if op.Return-op.Call > 2 {
			op.Call++
			op.Return--
		}
	case 5: // another k
		if len(op.Moved) == 1 && len(op.Moved[0].IDs) > 0 {
			m := op.Moved[0]
			m.IDs = m.IDs[:len(m.IDs)-1]
			op.Moved = []record.Move{m}
			if len(m.IDs) == 0 {
				op.Moved = nil
			}
		}
	case 6: // the opposite answer
		if op.Kind == record.Empty {
			op.OK = !op.OK
		}
	case 7: // two calls change places in time
		op.Call, other.Call = other.Call, op.Call
		op.Return, other.Return = other.Return, op.Return
	}
	for i := range h.Ops {
		h.Ops[i].Call = max(1, h.Ops[i].Call)
		h.Ops[i].Return = max(h.Ops[i].Call, h.Ops[i].Return)
	}
	sortOps(h)
	last := map[int]int64{}
	for _, op := range h.Ops {
		if op.Call <= last[op.Thread] { // a thread makes one call at a time
			h.Ops, h.Final.Ps = before, end
			return false
		}
		last[op.Thread] = op.Return
	}
	return !reflect.DeepEqual(before, h.Ops)
}
