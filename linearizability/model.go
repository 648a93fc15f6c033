package linearizability

import (
	"fmt"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/sequential"
)

// The porcupine model says what each effect does to lists of ids. It knows
// nothing of positions and lanes laid out beforehand, so that it can hold the
// monitor to account.
//
// One guard does not fit a model whose steps are moments: a steal's k comes from
// a length that was read earlier in the call, with no take since. So such a
// steal is two operations with one interval: a reading, possible where the
// length gives k, which leaves a mark, and the take, which needs the mark. Every
// take from that ring wipes its marks. An observation that another effect waits
// for leaves a mark, too, which nothing wipes.

// contents is a state of the model. It is never changed in place.
type contents struct {
	ids   [2][]record.ID // by lane
	taken int32          // how many have left the ring, for seeFull
	marks []int32        // the effects that have left one, sorted
}

// An act is one operation of the model.
type act struct {
	*effect
	index  int32
	action action // the effect's, or readLength
}

// put returns c with ids put in a lane, if there is room.
func (o *object) put(c contents, lane uint8, ids []record.ID) (contents, bool) {
	q, limit := c.ids[lane], o.capOf(lane)
	if limit > 0 && len(q)+len(ids) > limit {
		return c, false
	}
	c.ids[lane] = slices.Concat(q, ids)
	return c, true
}

// leave returns c with only rest left in a lane, of which n were taken.
func (o *object) leave(c contents, lane uint8, rest []record.ID, n int) contents {
	c.ids[lane] = rest
	if n > 0 && lane == 0 {
		c.taken += int32(n)
		c.marks = slices.DeleteFunc(slices.Clone(c.marks), func(i int32) bool { return o.effects[i].guard&guardBatch != 0 })
	}
	return c
}

func (c contents) mark(i int32) contents {
	c.marks = append(slices.Clone(c.marks), i)
	slices.Sort(c.marks)
	return c
}

// step returns the state that c leads to by a, or that it cannot.
func (o *object) step(c contents, a act) (contents, bool) {
	if a.guard&guardAfter != 0 {
		at, there := slices.BinarySearch(c.marks, a.after)
		if !there {
			return c, false
		}
		c.marks = slices.Delete(slices.Clone(c.marks), at, at+1) // nothing else waits for it
	}
	held := len(c.ids[0]) + len(c.ids[1])
	if a.lane != both {
		held = len(c.ids[a.lane])
	}
	ok := false
	switch a.action {
	case put:
		c, ok = o.put(c, a.lane, a.ids)
	case swap:
		ok = held == 1 && c.ids[a.lane][0] == a.old
		c = o.leave(c, a.lane, a.ids, 1)
	case take:
		var rest []record.ID
		if rest, ok = o.takeFrom(c, a); ok {
			c = o.leave(c, a.lane, rest, len(a.ids))
		}
	case readLength:
		k := len(a.ids)
		if a.effect.action == readLength {
			k = int(a.arg)
		}
		if ok = o.rules.BatchFits(k, held); ok && !a.waited {
			c = c.mark(a.index)
		}
	case leftOut:
		ok = true
	case seeEmpty:
		ok = held == 0
	case seeFilled:
		ok = held != 0
	case seeFull:
		ok = o.fullAt(a.effect, c.taken, int32(held))
	case seeLen:
		ok = held == int(a.arg)
	default:
		panic(fmt.Sprintf("linearizability: action %d in the model", a.action))
	}
	if a.waited {
		c = c.mark(a.index)
	}
	return c, ok
}

// takeFrom removes a's ids from its lane, or reports that it must not.
func (o *object) takeFrom(c contents, a act) ([]record.ID, bool) {
	q, k, limit := c.ids[a.lane], len(a.ids), o.capOf(a.lane)
	switch {
	case k > len(q),
		a.guard&guardBatch != 0 && !slices.Contains(c.marks, a.index),
		a.guard&guardAll != 0 && k != len(q),
		a.guard&guardFull != 0 && limit > 0 && (len(q) != limit || k != limit/2),
		a.guard&guardShare != 0 && k != sequential.Share(int(a.arg), 0, len(q), o.procs):
		return nil, false
	case o.order == bag:
		rest := slices.DeleteFunc(slices.Clone(q), func(id record.ID) bool { return slices.Contains(a.ids, id) })
		return rest, len(rest)+k == len(q)
	}
	got, rest := q[:k], q[k:]
	if a.guard&guardNewest != 0 {
		got, rest = q[len(q)-k:], q[:len(q)-k:len(q)-k]
	}
	if a.guard&guardAnyway != 0 {
		return rest, slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(a.ids)))
	}
	return rest, slices.Equal(got, a.ids)
}

// outcomes returns the states that c can lead to by a. A call that did not
// return took effect or not, and nobody knows what it took.
func (o *object) outcomes(c contents, a act) []any {
	if a.guard&guardMaybe == 0 {
		if next, ok := o.step(c, a); ok {
			return []any{next}
		}
		return nil
	}
	out := []any{c}
	if a.action == put {
		if next, ok := o.put(c, a.lane, a.ids); ok {
			out = append(out, next)
		}
		return out
	}
	q := c.ids[a.lane]
	taking := func(i, n int) { out = append(out, o.leave(c, a.lane, slices.Delete(slices.Clone(q), i, i+n), n)) }
	for i := range q {
		switch {
		case o.order == bag:
			taking(i, 1) // any one, or all
		case a.guard&guardNewest == 0:
			taking(0, i+1)
		case i == len(q)-1:
			taking(i, 1)
		}
	}
	if o.order == bag && len(q) > 1 {
		taking(0, len(q))
	}
	return out
}

func equal(a, b any) bool {
	c, d := a.(contents), b.(contents)
	return slices.Equal(c.ids[0], d.ids[0]) && slices.Equal(c.ids[1], d.ids[1]) && c.taken == d.taken && slices.Equal(c.marks, d.marks)
}

func hash(state any) (h uint64) {
	for _, list := range state.(contents).ids {
		for _, id := range list {
			h = (h ^ id) * 0x100000001b3 // FNV
		}
	}
	return h
}

// porcupineModel returns the model and the operations of an object.
func porcupineModel(o *object) (porcupine.Model, []porcupine.Operation) {
	if o.pending() {
		nd := porcupine.NondeterministicModel{
			Init:  func() []any { return []any{contents{}} },
			Step:  func(state, in, _ any) []any { return o.outcomes(state.(contents), in.(act)) },
			Equal: equal, Hash: hash,
		}
		return nd.ToModel(), operations(o)
	}
	return porcupine.Model{
		Init: func() any { return contents{} },
		Step: func(state, in, _ any) (bool, any) {
			if next, ok := o.step(state.(contents), in.(act)); ok {
				return true, next
			}
			return false, nil
		},
		Equal: equal, Hash: hash,
	}, operations(o)
}

// operations are the moments as porcupine wants them.
func operations(o *object) []porcupine.Operation {
	var ops []porcupine.Operation
	for _, m := range o.moments() {
		ops = append(ops, porcupine.Operation{ClientId: int(max(m.thread, 0)), Input: m.act, Call: m.call, Return: m.ret})
	}
	return ops
}

// askPorcupine judges o within the time limit.
func askPorcupine(o *object, timeout time.Duration) porcupine.CheckResult {
	m, ops := porcupineModel(o)
	return porcupine.CheckOperationsTimeout(m, ops, timeout)
}
