package linearizability

import (
	"cmp"
	"math"
	"slices"

	"github.com/spindle-go/spindle/spec/record"
)

// A life is the effects that put an id and that took it: 1 + their indices.
type life struct{ put, take int32 }

// lives returns the life of each id. Once says that each was put once; if not,
// there are no lives. An id that was taken without being put, before it was, or
// twice, is explained.
func (o *object) lives() (lives *table[life], once bool, e *Explanation) {
	lives = newTable[life](o.span)
	for i := range o.effects {
		p := &o.effects[i]
		for _, id := range p.ids {
			if l := lives.at(id); p.puts() && l.put != 0 {
				return nil, false, nil // it came back
			} else if p.puts() {
				l.put = int32(i + 1)
			}
		}
	}
	for i := range o.effects {
		p := &o.effects[i]
		for _, id := range p.taken() {
			l := lives.at(id)
			switch {
			case l.put == 0:
				return nil, false, o.invented(p, id)
			case l.take != 0:
				return nil, false, o.twice(id, &o.effects[l.take-1], p)
			case p.ret < o.effects[l.put-1].call:
				return nil, false, o.early(id, &o.effects[l.put-1], p)
			}
			l.take = int32(i + 1)
		}
	}
	return lives, true, nil
}

// A run is a sequence of ids that batches, put or taken in one piece, hold
// together: they are neighbours in every order that explains the history. Of its
// puts, and of its takes, it has the one that returned first and the one that
// was called last.
type run struct {
	puts                []int32
	firstPut, lastPut   *effect
	firstTake, lastTake *effect
	admitted, finished  bool
}

// A frontier holds runs by a stamp of theirs; those at its head that are
// finished are dropped.
type frontier struct {
	runs  []*run
	stamp func(*run) int64
}

func newFrontier(runs []*run, stamp func(*run) int64) *frontier {
	runs = slices.Clone(runs)
	slices.SortFunc(runs, func(a, b *run) int { return cmp.Compare(stamp(a), stamp(b)) })
	return &frontier{runs, stamp}
}

// first returns the first run that is not finished. There must be one.
func (f *frontier) first() *run {
	for f.runs[0].finished {
		f.runs = f.runs[1:]
	}
	return f.runs[0]
}

// least returns the least stamp of the runs that are not finished, but for self.
func (f *frontier) least(self *run) int64 {
	f.first()
	for _, r := range f.runs {
		if !r.finished && r != self {
			return f.stamp(r)
		}
	}
	return math.MaxInt64
}

// guess finds an order of the puts in which none comes wholly before its
// predecessor, nor its take wholly before its predecessor's take: a greedy
// topological sort of two interval orders. It returns nil if it finds none, and
// an explanation if no order can exist.
func (o *object) guess() ([]int32, *Explanation) {
	runs, e := o.runs()
	if runs == nil {
		return nil, e
	}
	puts := newFrontier(runs, func(r *run) int64 { return r.firstPut.ret })
	takes := newFrontier(runs, func(r *run) int64 { return r.firstTake.ret })
	called := newFrontier(runs, func(r *run) int64 { return r.lastPut.call }).runs
	var ready heap[*run] // by the call of its last take
	admit := func(r *run) {
		if !r.admitted {
			r.admitted = true
			ready.push(r.lastTake.call, r)
		}
	}
	var order []int32
	for range runs {
		first := puts.first()
		for len(called) > 0 && (called[0].admitted || called[0].lastPut.call <= first.firstPut.ret) {
			admit(called[0])
			called = called[1:]
		}
		if first.lastPut.call <= puts.least(first) {
			admit(first)
		}
		for len(ready) > 0 && ready[0].item.finished {
			ready.pop()
		}
		var next *run
		if len(ready) > 0 && ready[0].key <= takes.least(ready[0].item) {
			next = ready[0].item
		} else if r := takes.first(); r.admitted && r.lastTake.call <= takes.least(r) {
			next = r
		} else {
			return nil, o.overtaken(first, r)
		}
		next.finished = true
		order = append(order, next.puts...)
	}
	return order, nil
}

// runs joins the ids that batches hold together.
func (o *object) runs() ([]*run, *Explanation) {
	lives, once, e := o.lives()
	if !once || o.lanes > 1 { // nor is there one order for two lanes
		return nil, e
	}
	type link struct{ next, prev record.ID }
	links := newTable[link](o.span)
	for i := range o.effects {
		p := &o.effects[i]
		for k, id := range p.ids {
			if id == 0 {
				return nil, nil // no G has it, and here it stands for none
			}
			if k == 0 {
				continue
			}
			before, l := links.at(p.ids[k-1]), links.at(id)
			if before.next != 0 && before.next != id {
				return nil, o.torn(p, p.ids[k-1], before.next)
			}
			if l.prev != 0 && l.prev != p.ids[k-1] {
				return nil, o.torn(p, l.prev, id)
			}
			before.next, l.prev = id, p.ids[k-1]
		}
	}
	var runs []*run
	for i := range o.effects {
		p := &o.effects[i]
		if p.action != put || links.at(p.ids[0]).prev != 0 {
			continue
		}
		r := new(run)
		for id := p.ids[0]; id != 0; id = links.at(id).next {
			l := lives.at(id)
			if n := len(r.puts); n == 0 || r.puts[n-1] != l.put-1 {
				r.puts = append(r.puts, l.put-1)
			}
			in := &o.effects[l.put-1]
			out := &effect{op: final, ids: []record.ID{id}, call: never, ret: never} // after all that were taken
			if l.take != 0 {
				out = &o.effects[l.take-1]
			}
			r.firstPut, r.lastPut = first(r.firstPut, in), last(r.lastPut, in)
			r.firstTake, r.lastTake = first(r.firstTake, out), last(r.lastTake, out)
		}
		runs = append(runs, r)
	}
	return runs, nil
}

// first returns which of two effects returned first, and last which was called
// last; a may be nil.
func first(a, b *effect) *effect {
	if a == nil || b.ret < a.ret {
		return b
	}
	return a
}

func last(a, b *effect) *effect {
	if a == nil || b.call > a.call {
		return b
	}
	return a
}

// overtaken explains two runs of which one was put wholly before the other and
// taken wholly after it, if they are that. For one id each this is the only way
// in which a first in, first out order can fail, and where the sort stops, the
// runs whose put and whose take returned first are such a pair.
func (o *object) overtaken(a, b *run) *Explanation {
	if a.firstPut.ret >= b.lastPut.call || b.firstTake.ret >= a.lastTake.call {
		return nil
	}
	return o.outOfOrder(o.orderID(), b.firstTake.ids[0], b.firstTake, a.lastTake.ids[0], a.lastTake, a.firstPut, b.lastPut)
}

// torn explains ids that two batches want to be neighbours of different ones.
func (o *object) torn(p *effect, a, b record.ID) *Explanation {
	effects := []*effect{p}
	for i := range o.effects {
		q := &o.effects[i]
		if q != p && slices.Contains(q.ids, a) && slices.Contains(q.ids, b) {
			effects = append(effects, q)
		}
	}
	return o.evidence(o.orderID(), sayf("%s has ids %s in one piece, but ids %d and %d are neighbours elsewhere: a batch goes in and comes out as one piece", o.who(p), ids(p.ids), a, b), effects...)
}
