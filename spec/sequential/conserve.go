package sequential

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/spindle-go/spindle/spec/record"
)

// Conserve counts the Gs of a history of real threads: each one that was
// accepted must have been taken once or be in the final contents, and none may
// be taken before it was put. Calls that did not return make what they handed
// in uncertain: it may be anywhere or nowhere, but not twice; and what is
// missing may be in their hands, so that nothing counts as lost. The same holds
// if there are no final contents.
//
// It looks at no order, so it holds for every profile. Each violation has the
// Gs that it counts, and the calls of the first of them by call: its put and
// its takes, as far as there are any.
func Conserve(h *record.History) []Violation {
	c := &count{h: h, over: len(h.Final.Ps) > 0}
	c.put()
	for i := range h.Ops {
		for _, id := range h.Ops[i].Out {
			c.take(id, int32(i+1))
		}
	}
	for _, p := range h.Final.Ps {
		if p.Runnext != 0 {
			c.take(p.Runnext, atEnd)
		}
		for _, id := range p.Ring {
			c.take(id, atEnd)
		}
	}
	for _, id := range h.Final.Global {
		c.take(id, atEnd)
	}
	c.left()
	return c.violations()
}

// count is the books of Conserve.
type count struct {
	h     *record.History
	over  bool // every call returned and the rest was taken out
	lives []life
	puts  int                 // how many Gs were accepted
	index map[record.ID]int32 // of lives; nil where ids are dense and stand for themselves

	twice, invented, early, lost tally
}

// life is what is known of one G. put and taken are 1 + the index of a call.
type life struct {
	id         record.ID
	put, taken int32 // 0: none; taken atEnd: in the final contents
	times      int32
}

const atEnd = -1

// tally is the Gs of one kind of violation and the evidence of the first.
type tally struct {
	ids   []record.ID
	first string
	ops   []record.Op
}

func (t *tally) add(id record.ID) (first bool) {
	t.ids = append(t.ids, id)
	return len(t.ids) == 1
}

// put enters what was handed in.
func (c *count) put() {
	n, most := 0, record.ID(0)
	for i := range c.h.Ops {
		for _, id := range c.h.Ops[i].In {
			n, most = n+1, max(most, id)
		}
	}
	if most <= record.ID(8*n+1024) {
		c.lives = make([]life, most+1)
	} else {
		c.lives, c.index = make([]life, 1, n+1), make(map[record.ID]int32, n)
	}
	for i := range c.h.Ops {
		op := &c.h.Ops[i]
		pending := op.Return == 0
		c.over = c.over && !pending
		for k, id := range op.In {
			if !pending && k >= op.Count {
				continue
			}
			if c.index != nil && c.index[id] == 0 {
				c.index[id] = int32(len(c.lives))
				c.lives = append(c.lives, life{})
			}
			l := c.of(id)
			if l.put == 0 {
				c.puts++
			}
			l.id, l.put = id, int32(i+1)
		}
	}
}

// of returns the life of a G, nil if it was never handed in.
func (c *count) of(id record.ID) *life {
	at := id
	if c.index != nil {
		at = record.ID(c.index[id])
	}
	if at == 0 || at >= record.ID(len(c.lives)) {
		return nil
	}
	return &c.lives[at]
}

// calls returns the calls of those numbers, by call.
func (c *count) calls(of ...int32) []record.Op {
	var ops []record.Op
	for _, by := range of {
		if by > 0 {
			ops = append(ops, c.h.Ops[by-1])
		}
	}
	slices.SortStableFunc(ops, func(a, b record.Op) int { return cmp.Compare(a.Call, b.Call) })
	return ops
}

// take enters that a G was taken by a call, or found at the end.
func (c *count) take(id record.ID, by int32) {
	l := c.of(id)
	if l == nil || l.put == 0 {
		if c.invented.add(id) {
			c.invented.first, c.invented.ops = c.taken(by), c.calls(by)
		}
		return
	}
	if l.times++; l.times == 2 && c.twice.add(id) {
		c.twice.first = c.taken(l.taken) + " and " + c.taken(by)
		if l.taken == atEnd {
			c.twice.first = "twice " + finally
		}
		c.twice.ops = c.calls(l.put, l.taken, by)
	}
	l.taken = by
	if by == atEnd {
		return
	}
	took, put := &c.h.Ops[by-1], &c.h.Ops[l.put-1]
	if took.Return != 0 && took.Return < put.Call && c.early.add(id) {
		c.early.first = fmt.Sprintf("%v returned before %v was called", took, put)
		c.early.ops = c.calls(by, l.put)
	}
}

// finally says where what no call took was found.
const finally = "in the final contents"

func (c *count) taken(by int32) string {
	if by == atEnd {
		return finally
	}
	return "by " + c.h.Ops[by-1].String()
}

// left enters what was never seen again.
func (c *count) left() {
	for i := range c.lives {
		if l := &c.lives[i]; c.over && l.put != 0 && l.times == 0 && c.lost.add(l.id) {
			c.lost.ops = c.calls(l.put)
		}
	}
}

func (c *count) violations() []Violation {
	var vs violations
	add := func(t *tally, id, expected, observed string, of int) {
		if len(t.ids) > 0 {
			vs.add(id, expected, "%s", some(t.ids, of)+observed+t.first)
			vs[len(vs)-1].IDs, vs[len(vs)-1].Ops = t.ids, t.ops
		}
	}
	add(&c.twice, "RQ-TWICE", "every G taken once", " taken twice, the first ", c.puts)
	add(&c.invented, "RQ-INVENTED", "only Gs that were put", " taken, though never put, the first ", 0)
	add(&c.early, "RQ-INVENTED", "no G taken before it is put", ": ", c.puts)
	add(&c.lost, "RQ-LOST", "every G taken once or left at the end", " never seen again", c.puts)
	return vs
}

func some(ids []record.ID, of int) string {
	s := fmt.Sprintf("%d Gs", len(ids))
	if len(ids) == 1 {
		s = "1 G"
	}
	if of > 0 {
		s += fmt.Sprintf(" of %d", of)
	}
	if len(ids) > 5 {
		return fmt.Sprintf("%s (%d %d %d ...)", s, ids[0], ids[1], ids[2])
	}
	return fmt.Sprintf("%s %v", s, ids)
}
