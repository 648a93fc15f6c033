package linearizability

import (
	"fmt"
	"hash/maphash"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// The porcupine model says what each effect does to lists of ids. It knows
// nothing of positions and lanes laid out beforehand, so that it can hold the
// monitor to account.
//
// One guard does not fit a model whose steps are moments: a steal's k comes from
// a length that was read earlier in the call, with no take since. So such a
// steal is two operations with one interval: a reading, possible where the
// length gives k, which leaves a mark, and the take, which needs the mark. Every
// take from that ring wipes its marks. In the same way "the ring empty, and
// later runnext" is two operations, whose mark nothing wipes.

// contents is a state of the model. It is never changed in place.
type contents struct {
	ids   [2][]record.ID
	taken [2]int32 // how many have left, for seeFull
	marks []mark   // sorted
}

type mark struct {
	effect int32
	length bool // a reading of the ring's length: a take wipes it
}

func (c contents) with(lane int, ids []record.ID, taken int) contents {
	c.ids[lane] = ids
	c.taken[lane] += int32(taken)
	if taken > 0 && lane == 0 && len(c.marks) > 0 {
		c.marks = slices.DeleteFunc(slices.Clone(c.marks), func(m mark) bool { return m.length })
	}
	return c
}

func (c contents) marked(m mark) contents {
	c.marks = append(slices.Clone(c.marks), m)
	slices.SortFunc(c.marks, func(a, b mark) int { return int(a.effect) - int(b.effect) })
	return c
}

// An act is one operation of the model.
type act struct {
	*effect
	index  int32
	action action // the effect's, or readLength, or half of seeInTurn
	needs  bool   // a mark of its own
}

func (o *object) capOf(lane int) int {
	if lane == 1 {
		return 1
	}
	return o.capacity
}

// next returns the states that c can lead to by s.
func (o *object) next(c contents, s act) []contents {
	lane := int(s.lane)
	q := c.ids[lane]
	if s.guard&guardMaybe != 0 {
		return o.perhaps(c, s)
	}
	ok := false
	switch s.action {
	case put:
		n := o.capOf(lane)
		if ok = n == 0 || len(q)+len(s.ids) <= n; ok {
			c = c.with(lane, slices.Concat(q, s.ids), 0)
		}
	case swap:
		ok = len(q) == 1 && q[0] == s.old
		c = c.with(lane, s.ids, 1)
	case take:
		var rest []record.ID
		if rest, ok = o.takeFrom(c, q, s); ok {
			c = c.with(lane, rest, len(s.ids))
		}
	case readLength:
		if ok = len(q)-len(q)/2 == len(s.ids); ok {
			c = c.marked(mark{s.index, true})
		}
	case seeEmpty:
		ok = len(q) == 0
		if s.needs {
			c = c.marked(mark{s.index, false})
		}
	case seeInTurn: // its second half
		ok = len(c.ids[1]) == 0 && slices.Contains(c.marks, mark{s.index, false})
	case seeFilled:
		ok = len(q) != 0
	case seeFull:
		ok = c.taken[0] == s.at
	case seeNeither:
		ok = len(c.ids[0]) == 0 && len(c.ids[1]) == 0
	case seeEither:
		ok = len(c.ids[0]) != 0 || len(c.ids[1]) != 0
	default:
		panic(fmt.Sprintf("linearizability: action %d in the model", s.action))
	}
	if !ok {
		return nil
	}
	return []contents{c}
}

// takeFrom removes s's ids from q, or reports that it must not.
func (o *object) takeFrom(c contents, q []record.ID, s act) ([]record.ID, bool) {
	k := len(s.ids)
	if k > len(q) {
		return nil, false
	}
	limit := o.capOf(int(s.lane))
	switch {
	case s.guard&guardHalf != 0 && !slices.Contains(c.marks, mark{s.index, true}),
		s.guard&guardAfter != 0 && !slices.Contains(c.marks, mark{s.after, false}),
		s.guard&guardAll != 0 && k != len(q),
		s.guard&guardFull != 0 && limit > 0 && (len(q) != limit || k != limit/2),
		s.guard&guardShare != 0 && k != spec.Share(int(s.arg), 0, len(q), o.procs):
		return nil, false
	}
	if o.order == bag {
		rest := slices.DeleteFunc(slices.Clone(q), func(id record.ID) bool { return slices.Contains(s.ids, id) })
		return rest, len(rest)+k == len(q)
	}
	got, rest := q[:k], q[k:]
	if s.guard&guardNewest != 0 {
		got, rest = q[len(q)-k:], q[:len(q)-k:len(q)-k]
	}
	if s.guard&guardAnyway != 0 {
		a, b := slices.Clone(got), slices.Clone(s.ids)
		slices.Sort(a)
		slices.Sort(b)
		return rest, slices.Equal(a, b)
	}
	return rest, slices.Equal(got, s.ids)
}

// perhaps is next for a call that did not return: it took effect or not, and
// nobody knows what it took.
func (o *object) perhaps(c contents, s act) []contents {
	lane := int(s.lane)
	q := c.ids[lane]
	out := []contents{c}
	if s.action == put {
		if n := o.capOf(lane); n == 0 || len(q)+len(s.ids) <= n {
			out = append(out, c.with(lane, slices.Concat(q, s.ids), 0))
		}
		return out
	}
	for k := 1; k <= len(q); k++ {
		switch {
		case o.order == bag:
			for i := range q { // any one; a call that takes several is several of these
				if k == 1 {
					out = append(out, c.with(lane, slices.Delete(slices.Clone(q), i, i+1), 1))
				}
			}
		case s.guard&guardNewest != 0:
			if k == 1 {
				out = append(out, c.with(lane, q[:len(q)-1:len(q)-1], 1))
			}
		default:
			out = append(out, c.with(lane, q[k:], k))
		}
	}
	return out
}

func sameContents(a, b contents) bool {
	return slices.Equal(a.ids[0], b.ids[0]) && slices.Equal(a.ids[1], b.ids[1]) && a.taken == b.taken && slices.Equal(a.marks, b.marks)
}

var seed = maphash.MakeSeed()

func hashContents(c contents) uint64 {
	h := uint64(c.taken[0])*31 + uint64(c.taken[1])
	mix := func(x uint64) { h = (h ^ x) * 0x9e3779b97f4a7c15; h ^= h >> 29 }
	for _, list := range c.ids {
		mix(uint64(len(list)))
		if n := len(list); n > 0 { // with the counts these nearly always tell lists apart
			mix(list[0])
			mix(list[n-1])
		}
	}
	for _, m := range c.marks {
		mix(maphash.Comparable(seed, m))
	}
	return h
}

// porcupineModel returns the model and the operations of an object.
func porcupineModel(o *object) (porcupine.Model, []porcupine.Operation) {
	equal := func(a, b any) bool { return sameContents(a.(contents), b.(contents)) }
	hash := func(a any) uint64 { return hashContents(a.(contents)) }
	if o.pending() {
		nd := porcupine.NondeterministicModel{
			Init: func() []any { return []any{contents{}} },
			Step: func(state, in, _ any) []any {
				var out []any
				for _, c := range o.next(state.(contents), in.(act)) {
					out = append(out, c)
				}
				return out
			},
			Equal: equal, Hash: hash,
		}
		return nd.ToModel(), operations(o)
	}
	return porcupine.Model{
		Init: func() any { return contents{} },
		Step: func(state, in, _ any) (bool, any) {
			if next := o.next(state.(contents), in.(act)); len(next) > 0 {
				return true, next[0]
			}
			return false, state
		},
		Equal: equal, Hash: hash,
	}, operations(o)
}

// operations turns effects into porcupine's operations, some into two.
func operations(o *object) []porcupine.Operation {
	putSoFar := int32(0)
	ops := make([]porcupine.Operation, 0, len(o.effects))
	for i := range o.effects {
		p := &o.effects[i]
		add := func(a action, needs bool) {
			ops = append(ops, porcupine.Operation{ClientId: int(max(p.thread, 0)), Input: act{p, int32(i), a, needs}, Call: p.call, Return: p.ret})
		}
		switch {
		case p.puts() && p.lane == 0:
			putSoFar += int32(len(p.ids))
		case p.guard&guardHalf != 0 && p.action == take:
			add(readLength, false)
		case p.action == seeInTurn:
			add(seeEmpty, true)
		case p.action == seeFull:
			p.at = putSoFar - int32(o.capacity)
		}
		add(p.action, p.waited)
	}
	return ops
}

// askPorcupine judges o within the time limit.
func askPorcupine(o *object, timeout time.Duration) porcupine.CheckResult {
	m, ops := porcupineModel(o)
	return porcupine.CheckOperationsTimeout(m, ops, timeout)
}
