package linearizability

import (
	"cmp"
	"math"
	"slices"

	"github.com/spindle-go/spindle/spec/record"
)

// arrange lays an object out for the monitor. Where several threads put, as on
// the global queue, the positions are not known beforehand; a likely order is
// guessed. If the monitor finds the guess good, the history is good; if not,
// nothing follows.
func arrange(o *object) (*lay, untold, *Explanation) {
	l, why, e := layOut(o)
	if why != severalProducers {
		return l, why, e
	}
	order, e := o.guess()
	if e != nil {
		return nil, "", e
	}
	if order == nil {
		return nil, why, nil
	}
	if l, _, e = layOutBy(o, order); l == nil || e != nil {
		return nil, why, nil
	}
	return l, "", nil
}

// A run is a sequence of ids that batches, put or taken in one piece, hold
// together: they are neighbours in every order that explains the history.
type run struct {
	puts               []int32 // parts
	putCall, putRet    int64   // the latest call and the earliest return of its puts
	takeCall, takeRet  int64   // the same of its takes
	admitted, finished bool
}

// guess finds an order of the puts in which none comes wholly before its
// predecessor, nor its take wholly before its predecessor's take: a greedy
// topological sort of two interval orders. It returns nil if it finds none, and
// an explanation if no order can exist because a batch was torn.
func (o *object) guess() ([]int32, *Explanation) {
	runs, e := o.runs()
	if runs == nil {
		return nil, e
	}
	byPutCall, byPutRet, byTakeRet := slices.Clone(runs), slices.Clone(runs), slices.Clone(runs)
	slices.SortFunc(byPutCall, func(a, b *run) int { return cmp.Compare(a.putCall, b.putCall) })
	slices.SortFunc(byPutRet, func(a, b *run) int { return cmp.Compare(a.putRet, b.putRet) })
	slices.SortFunc(byTakeRet, func(a, b *run) int { return cmp.Compare(a.takeRet, b.takeRet) })
	// first two that are not finished
	two := func(list []*run) (rest []*run, a, b *run) {
		for len(list) > 0 && list[0].finished {
			list = list[1:]
		}
		if len(list) > 0 {
			a = list[0]
		}
		for i := 1; i < len(list) && b == nil; i++ {
			if !list[i].finished {
				b = list[i]
			}
		}
		return list, a, b
	}
	least := func(self, a, b *run, of func(*run) int64) int64 {
		if a == self {
			a = b
		}
		if a == nil {
			return math.MaxInt64
		}
		return of(a)
	}
	putRet, takeRet := func(r *run) int64 { return r.putRet }, func(r *run) int64 { return r.takeRet }
	var ready runHeap
	var order []int32
	admit := func(r *run) {
		if !r.admitted {
			r.admitted = true
			ready.push(r)
		}
	}
	for range runs {
		var p1, p2, t1, t2 *run
		byPutRet, p1, p2 = two(byPutRet)
		byTakeRet, t1, t2 = two(byTakeRet)
		for len(byPutCall) > 0 && (byPutCall[0].admitted || byPutCall[0].putCall <= p1.putRet) {
			admit(byPutCall[0])
			byPutCall = byPutCall[1:]
		}
		if p1.putCall <= least(p1, p1, p2, putRet) {
			admit(p1)
		}
		ready = ready.trim()
		var next *run
		if len(ready) > 0 && ready[0].takeCall <= least(ready[0], t1, t2, takeRet) {
			next = ready[0]
		} else if t1.admitted && t1.takeCall <= least(t1, t1, t2, takeRet) {
			next = t1
		}
		if next == nil {
			return nil, nil
		}
		next.finished = true
		order = append(order, next.puts...)
	}
	return order, nil
}

// runs joins the ids that batches hold together.
func (o *object) runs() ([]*run, *Explanation) {
	type link struct {
		put, take  int32 // 1 + part
		next, prev record.ID
	}
	most, n := mostID(o.ops)
	links := newTable[link](most, n)
	for i := range o.parts {
		p := &o.parts[i]
		for k, id := range p.ids {
			if id == 0 {
				return nil, nil // no G has it, and here it stands for none
			}
			l := links.at(id)
			switch p.deed {
			case put:
				if l.put != 0 {
					return nil, nil // it came back
				}
				l.put = int32(i + 1)
			case take:
				if l.take != 0 || l.put == 0 && p.op == final {
					return nil, nil // lives and conserve say it better
				}
				l.take = int32(i + 1)
			}
			if k == 0 {
				continue
			}
			before := links.at(p.ids[k-1])
			if before.next != 0 && before.next != id {
				return nil, o.torn(p, p.ids[k-1], before.next, id)
			}
			if l.prev != 0 && l.prev != p.ids[k-1] {
				return nil, o.torn(p, l.prev, id, p.ids[k-1])
			}
			before.next, l.prev = id, p.ids[k-1]
		}
	}
	var runs []*run
	for i := range o.parts {
		p := &o.parts[i]
		if p.deed != put || links.at(p.ids[0]).prev != 0 {
			continue
		}
		r := &run{putCall: math.MinInt64, putRet: math.MaxInt64, takeCall: math.MinInt64, takeRet: math.MaxInt64}
		for id := p.ids[0]; id != 0; id = links.at(id).next {
			l := links.at(id)
			if l.put == 0 {
				return nil, nil
			}
			in := &o.parts[l.put-1]
			if n := len(r.puts); n == 0 || r.puts[n-1] != l.put-1 {
				r.puts = append(r.puts, l.put-1)
			}
			r.putCall, r.putRet = max(r.putCall, in.call), min(r.putRet, in.ret)
			if l.take == 0 {
				r.takeCall = math.MaxInt64 // after all that were taken
				continue
			}
			out := &o.parts[l.take-1]
			r.takeCall, r.takeRet = max(r.takeCall, out.call), min(r.takeRet, out.ret)
		}
		runs = append(runs, r)
	}
	return runs, nil
}

// torn explains ids that two batches want to be neighbours of different ones.
func (o *object) torn(p *part, a, b, c record.ID) *Explanation {
	parts := []*part{p}
	for i := range o.parts {
		q := &o.parts[i]
		if q != p && (slices.Contains(q.ids, a) && slices.Contains(q.ids, b)) {
			parts = append(parts, q)
		}
	}
	return o.evidence(o.orderID(), sayf("%s has ids %s in one piece, but ids %d and %d are neighbours elsewhere: a batch goes in and comes out as one piece", o.who(p), ids(p.ids), a, b), parts...)
}

// A runHeap is a binary heap by takeCall.
type runHeap []*run

func (h *runHeap) push(r *run) {
	*h = append(*h, r)
	a := *h
	for i := len(a) - 1; i > 0; {
		up := (i - 1) / 2
		if a[up].takeCall <= a[i].takeCall {
			break
		}
		a[up], a[i] = a[i], a[up]
		i = up
	}
}

// trim drops finished runs from the top.
func (h runHeap) trim() runHeap {
	for len(h) > 0 && h[0].finished {
		h[0] = h[len(h)-1]
		h = h[:len(h)-1]
		for i := 0; ; {
			c := 2*i + 1
			if c >= len(h) {
				break
			}
			if c+1 < len(h) && h[c+1].takeCall < h[c].takeCall {
				c++
			}
			if h[i].takeCall <= h[c].takeCall {
				break
			}
			h[i], h[c] = h[c], h[i]
			i = c
		}
	}
	return h
}
