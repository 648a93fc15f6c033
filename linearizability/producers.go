package linearizability

import (
	"cmp"
	"math"
	"slices"

	"github.com/spindle-go/spindle/spec/record"
)

// layOutGuessed lays an object out for the monitor. Where several threads put,
// as on the global queue, the positions are not known beforehand; a likely order
// is guessed. If the monitor finds the guess good, the history is good; if not,
// nothing follows.
func layOutGuessed(o *object) (*layout, reason, *Explanation) {
	l, why, e := layOut(o)
	if why != severalProducers {
		return l, why, e
	}
	order, e := o.guess()
	if e != nil {
		return nil, "", e
	}
	if order != nil {
		if l, _, e = layOutBy(o, order); l != nil && e == nil {
			return l, "", nil
		}
	}
	return nil, why, nil
}

// A run is a sequence of ids that batches, put or taken in one piece, hold
// together: they are neighbours in every order that explains the history.
type run struct {
	ids                []record.ID
	puts               []int32 // effects
	putCall, putRet    int64   // the latest call and the earliest return of its puts
	takeCall, takeRet  int64   // the same of its takes
	admitted, finished bool
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
	if r := f.first(); r != self {
		return f.stamp(r)
	}
	for _, r := range f.runs[1:] {
		if !r.finished {
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
	puts := newFrontier(runs, func(r *run) int64 { return r.putRet })
	takes := newFrontier(runs, func(r *run) int64 { return r.takeRet })
	called := newFrontier(runs, func(r *run) int64 { return r.putCall }).runs
	var ready heap[*run] // by takeCall
	admit := func(r *run) {
		if !r.admitted {
			r.admitted = true
			ready.push(r.takeCall, r)
		}
	}
	var order []int32
	for range runs {
		first := puts.first()
		for len(called) > 0 && (called[0].admitted || called[0].putCall <= first.putRet) {
			admit(called[0])
			called = called[1:]
		}
		if first.putCall <= puts.least(first) {
			admit(first)
		}
		for len(ready) > 0 && ready[0].item.finished {
			ready.pop()
		}
		var next *run
		if len(ready) > 0 && ready[0].key <= takes.least(ready[0].item) {
			next = ready[0].item
		} else if r := takes.first(); r.admitted && r.takeCall <= takes.least(r) {
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
	type link struct {
		put, take  int32 // 1 + effect
		next, prev record.ID
	}
	links := newTable[link](o.span)
	for i := range o.effects {
		p := &o.effects[i]
		for k, id := range p.ids {
			if id == 0 {
				return nil, nil // no G has it, and here it stands for none
			}
			l := links.at(id)
			switch p.action {
			case put:
				if l.put != 0 {
					return nil, nil // it came back
				}
				l.put = int32(i + 1)
			case take:
				if l.take != 0 || l.put == 0 && p.op == final {
					return nil, nil // patterns and conserve say it better
				}
				l.take = int32(i + 1)
			}
			if k == 0 {
				continue
			}
			before := links.at(p.ids[k-1])
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
		r := &run{putCall: math.MinInt64, putRet: math.MaxInt64, takeCall: math.MinInt64, takeRet: math.MaxInt64}
		for id := p.ids[0]; id != 0; id = links.at(id).next {
			l := links.at(id)
			r.ids = append(r.ids, id)
			if l.put == 0 {
				return nil, nil
			}
			in := &o.effects[l.put-1]
			if n := len(r.puts); n == 0 || r.puts[n-1] != l.put-1 {
				r.puts = append(r.puts, l.put-1)
			}
			r.putCall, r.putRet = max(r.putCall, in.call), min(r.putRet, in.ret)
			if l.take == 0 {
				r.takeCall = math.MaxInt64 // after all that were taken
				continue
			}
			out := &o.effects[l.take-1]
			r.takeCall, r.takeRet = max(r.takeCall, out.call), min(r.takeRet, out.ret)
		}
		runs = append(runs, r)
	}
	return runs, nil
}

// overtaken explains two runs of which one was put wholly before the other and
// taken wholly after it, if they are that. For one id each this is the only way
// in which a first in, first out order can fail, and where the sort stops, the
// runs whose put and whose take returned first are such a pair.
func (o *object) overtaken(a, b *run) *Explanation {
	if a.putRet >= b.putCall || b.takeRet >= a.takeCall {
		return nil
	}
	var effects []*effect
	var id, first record.ID
	of := make(map[record.ID]*run)
	for _, r := range []*run{a, b} {
		for _, id := range r.ids {
			of[id] = r
		}
	}
	taken, later := "", "never was"
	for i := range o.effects {
		p := &o.effects[i]
		i := slices.IndexFunc(p.ids, func(id record.ID) bool { return of[id] != nil })
		if i < 0 {
			continue
		}
		r := of[p.ids[i]]
		if p.action == put && (r == a && p.ret == a.putRet || r == b && p.call == b.putCall) {
			effects = append(effects, p)
		}
		if r == b && p.action == take && p.ret == b.takeRet {
			effects, id, taken = append(effects, p), p.ids[i], o.who(p)
		}
		if r == a && p.action == take && p.call == a.takeCall {
			effects, first, later = append(effects, p), p.ids[i], "was taken later "+o.by(p)
		}
	}
	if first == 0 {
		first = a.ids[0]
	}
	return o.evidence(o.orderID(), sayf("id %d was taken by %s, but id %d, which was put earlier, %s", id, taken, first, later), effects...)
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
