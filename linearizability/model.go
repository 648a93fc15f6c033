package linearizability

import (
	"fmt"
	"hash/maphash"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// The porcupine model says what each part does to lists of ids. It knows
// nothing of positions and lanes laid out beforehand, so that it can hold the
// monitor to account.
//
// One rule does not fit a model whose steps are moments: a steal's k comes from
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
	part   int32
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
	slices.SortFunc(c.marks, func(a, b mark) int { return int(a.part) - int(b.part) })
	return c
}

// An act is one operation of the model.
type act struct {
	*part
	index int32
	deed  deed // the part's, or readLength, or half of seeInTurn
	needs bool // a mark of its own
}

// model is what porcupine needs to judge an object.
type model struct {
	*object
}

func (m *model) capOf(lane int) int {
	if lane == 1 {
		return 1
	}
	return m.capacity
}

// next returns the states that s can lead to.
func (m *model) next(c contents, s act) []contents {
	lane := int(s.lane)
	q := c.ids[lane]
	if s.rule&ruleMaybe != 0 {
		return m.perhaps(c, s)
	}
	yes := func(ok bool) []contents {
		if ok {
			return []contents{c}
		}
		return nil
	}
	switch s.deed {
	case put:
		if n := m.capOf(lane); n > 0 && len(q)+len(s.ids) > n {
			return nil
		}
		return []contents{c.with(lane, slices.Concat(q, s.ids), 0)}
	case swap:
		if len(q) != 1 || q[0] != s.old {
			return nil
		}
		return []contents{c.with(lane, s.ids, 1)}
	case take:
		rest, ok := m.takeFrom(c, q, s)
		if !ok {
			return nil
		}
		return []contents{c.with(lane, rest, len(s.ids))}
	case readLength:
		if n := len(q); n-n/2 != len(s.ids) {
			return nil
		}
		return []contents{c.marked(mark{s.index, true})}
	case seeEmpty:
		if len(q) != 0 {
			return nil
		}
		if s.needs {
			return []contents{c.marked(mark{s.index, false})}
		}
		return []contents{c}
	case seeInTurn: // its second half
		return yes(len(c.ids[1]) == 0 && slices.Contains(c.marks, mark{s.index, false}))
	case seeFilled:
		return yes(len(q) != 0)
	case seeFull:
		return yes(c.taken[0] == s.at)
	case seeNeither:
		return yes(len(c.ids[0]) == 0 && len(c.ids[1]) == 0)
	case seeEither:
		return yes(len(c.ids[0]) != 0 || len(c.ids[1]) != 0)
	}
	panic(fmt.Sprintf("linearizability: deed %d in the model", s.deed))
}

// takeFrom removes s's ids from q, or reports that it must not.
func (m *model) takeFrom(c contents, q []record.ID, s act) ([]record.ID, bool) {
	k := len(s.ids)
	if k > len(q) {
		return nil, false
	}
	limit := m.capOf(int(s.lane))
	switch {
	case s.rule&ruleHalf != 0 && !slices.Contains(c.marks, mark{s.index, true}),
		s.rule&ruleAfter != 0 && !slices.Contains(c.marks, mark{s.after, false}),
		s.rule&ruleAll != 0 && k != len(q),
		s.rule&ruleFull != 0 && limit > 0 && (len(q) != limit || k != limit/2),
		s.rule&ruleShare != 0 && k != spec.Share(int(s.arg), 0, len(q), m.procs):
		return nil, false
	}
	if m.order == bag {
		rest := slices.DeleteFunc(slices.Clone(q), func(id record.ID) bool { return slices.Contains(s.ids, id) })
		return rest, len(rest)+k == len(q)
	}
	got, rest := q[:k], q[k:]
	if s.rule&ruleNewest != 0 {
		got, rest = q[len(q)-k:], q[:len(q)-k:len(q)-k]
	}
	if s.rule&ruleAnyway != 0 {
		a, b := slices.Clone(got), slices.Clone(s.ids)
		slices.Sort(a)
		slices.Sort(b)
		return rest, slices.Equal(a, b)
	}
	return rest, slices.Equal(got, s.ids)
}

// perhaps is next for a call that did not return: it took effect or not, and
// nobody knows what it took.
func (m *model) perhaps(c contents, s act) []contents {
	lane := int(s.lane)
	q := c.ids[lane]
	out := []contents{c}
	if s.deed == put {
		if n := m.capOf(lane); n == 0 || len(q)+len(s.ids) <= n {
			out = append(out, c.with(lane, slices.Concat(q, s.ids), 0))
		}
		return out
	}
	for k := 1; k <= len(q); k++ {
		switch {
		case m.order == bag:
			for i := range q { // any one; a call that takes several is several of these
				if k == 1 {
					out = append(out, c.with(lane, slices.Delete(slices.Clone(q), i, i+1), 1))
				}
			}
		case s.rule&ruleNewest != 0:
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
	m := &model{object: o}
	describe := func(in, _ any) string { return o.describe(in.(act)) }
	show := func(c contents) string { return c.show(o.lanes) }
	var pm porcupine.Model
	if o.pending() {
		nd := porcupine.NondeterministicModel{
			Init: func() []any { return []any{contents{}} },
			Step: func(state, in, _ any) []any {
				var out []any
				for _, c := range m.next(state.(contents), in.(act)) {
					out = append(out, c)
				}
				return out
			},
			Equal:             func(a, b any) bool { return sameContents(a.(contents), b.(contents)) },
			Hash:              func(a any) uint64 { return hashContents(a.(contents)) },
			DescribeOperation: describe,
			DescribeState:     func(a any) string { return show(a.(contents)) },
		}
		pm = nd.ToModel()
	} else {
		pm = porcupine.Model{
			Init: func() any { return contents{} },
			Step: func(state, in, _ any) (bool, any) {
				if next := m.next(state.(contents), in.(act)); len(next) > 0 {
					return true, next[0]
				}
				return false, state
			},
			Equal:             func(a, b any) bool { return sameContents(a.(contents), b.(contents)) },
			Hash:              func(a any) uint64 { return hashContents(a.(contents)) },
			DescribeOperation: describe,
			DescribeState:     func(a any) string { return show(a.(contents)) },
		}
	}
	return pm, operations(o)
}

// operations turns parts into porcupine's operations, some into two.
func operations(o *object) []porcupine.Operation {
	waited := make(map[int32]bool) // observers that a take waits for
	putSoFar := int32(0)
	for i := range o.parts {
		if p := &o.parts[i]; p.rule&ruleAfter != 0 {
			waited[p.after] = true
		}
	}
	ops := make([]porcupine.Operation, 0, len(o.parts))
	for i := range o.parts {
		p := &o.parts[i]
		if p.puts() && p.lane == 0 {
			putSoFar += int32(len(p.ids))
		}
		s := act{part: p, index: int32(i), deed: p.deed, needs: waited[int32(i)]}
		add := func(s act) {
			client := int(p.thread)
			if client < 0 {
				client = 0
			}
			ops = append(ops, porcupine.Operation{ClientId: client, Input: s, Call: p.call, Return: p.ret})
		}
		if p.rule&ruleHalf != 0 && p.deed == take {
			r := s
			r.deed = readLength
			add(r)
		}
		if p.deed == seeInTurn {
			r := s
			r.deed, r.needs = seeEmpty, true
			add(r)
		}
		if p.deed == seeFull {
			p.at = putSoFar - int32(o.capacity)
		}
		add(s)
	}
	return ops
}

// askPorcupine judges o within the time limit.
func askPorcupine(o *object, timeout time.Duration) porcupine.CheckResult {
	m, ops := porcupineModel(o)
	return porcupine.CheckOperationsTimeout(m, ops, timeout)
}

func (c contents) show(lanes int) string {
	var b strings.Builder
	for lane := range lanes {
		if lane == 1 {
			b.WriteString(" runnext ")
		}
		if n := len(c.ids[lane]); n == 0 {
			b.WriteString("empty")
		} else if n > 16 {
			fmt.Fprintf(&b, "%d ids from %d to %d", n, c.ids[lane][0], c.ids[lane][n-1])
		} else {
			fmt.Fprint(&b, c.ids[lane])
		}
	}
	return b.String()
}

// describe is the label of a step in a picture.
func (o *object) describe(s act) string {
	switch {
	case s.op == final && s.deed == take:
		return "at the end: " + ids(s.ids)
	case s.op == final:
		return "at the end: nothing"
	case s.deed == readLength:
		return fmt.Sprintf("reads a length of %d or %d", 2*len(s.ids)-1, 2*len(s.ids))
	}
	op := &o.ops[s.op]
	what := op.Kind.String()
	switch s.deed {
	case put:
		return fmt.Sprintf("%s: put %s", what, ids(s.ids))
	case swap:
		return fmt.Sprintf("%s: put %d, kick %d", what, s.ids[0], s.old)
	case take:
		return fmt.Sprintf("%s: take %s", what, ids(s.ids))
	case seeEmpty:
		return what + ": saw nothing"
	case seeFilled, seeEither:
		return what + ": not empty"
	case seeFull:
		return what + ": full"
	case seeNeither:
		return what + ": all empty"
	}
	return what + ": then runnext empty"
}
