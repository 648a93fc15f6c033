package linearizability

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// lives finds evidence that holds for every order, and for first in, first out
// with any number of producers: what was taken without being put, twice, or out
// of the order of whole intervals; and nothing found where something was there
// throughout. It is nearly linear. Without evidence it is certain that the
// history is good only where the order is not judged: see unordered. For the
// rest porcupine decides.
func lives(o *object) (e *Explanation, certain bool) {
	if o.pending() || o.lanes > 1 {
		return nil, false
	}
	spans, e := o.lifeSpans()
	if e != nil {
		return e, false
	}
	if len(spans) == 0 && len(o.parts) > 0 && slices.ContainsFunc(o.parts, func(p part) bool { return p.puts() }) {
		return nil, false // an id came back
	}
	if o.order == fifo {
		if e := o.overtaken(spans); e != nil {
			return e, false
		}
	}
	if e := o.wrongShare(spans); e != nil {
		return e, false
	}
	if n := len(o.parts); n > 0 && o.parts[n-1].op == final {
		for _, s := range spans {
			if in := &o.parts[s.put]; s.take < 0 {
				return o.evidence("RQ-LOST", sayf("%s was put there by %s, never taken from there, and not there at the end", idWord(in.ids), o.who(in)), in), false
			}
		}
	}
	c := newCover(slices.Clone(spans))
	for i := range o.parts {
		if p := &o.parts[i]; p.deed == seeEmpty {
			if by, _, ok := c.over(p.call, p.ret); ok {
				return o.filled(o.seeID(p), p, by), false
			}
		}
	}
	return nil, o.order == bag && o.unordered(spans)
}

// unordered reports whether a queue without order, in which every sight of
// nothing is possible by itself, is good as a whole.
//
// Let each id that is surely there for some time be put at the last moment and
// taken at the first; let every other be put and taken at one moment. Then the
// queue is as empty as it can be at all moments at once, so all sights of
// nothing are true together. A sight of something is true if it overlaps a time
// when an id is surely there, or the one moment of another id, which may be
// chosen for it. Where that does not suffice, or where one put or take has
// several ids, and so not each id its own moments, it is not certain.
func (o *object) unordered(spans []span) bool {
	var sure, brief []span // brief: from the first to the last moment that the one moment may be
	for i := range o.parts {
		if p := &o.parts[i]; p.op != final && len(p.ids) > 1 || p.rule&ruleAll != 0 && p.op != final {
			return false
		}
	}
	for _, s := range spans {
		if s.lo < s.hi {
			sure = append(sure, s)
			continue
		}
		in, out := &o.parts[s.put], &o.parts[s.take]
		brief = append(brief, span{lo: max(in.call, out.call), hi: min(in.ret, out.ret)})
	}
	slices.SortFunc(brief, func(a, b span) int { return cmp.Compare(a.hi, b.hi) })
	there := newCover(sure)
	for i := range o.parts {
		p := &o.parts[i]
		if p.deed != seeFilled || there.touches(p.call, p.ret) {
			continue
		}
		k := sort.Search(len(brief), func(i int) bool { return brief[i].hi >= p.call })
		for k < len(brief) && brief[k].lo > p.ret {
			k++
		}
		if k == len(brief) {
			return false
		}
		brief = slices.Delete(brief, k, k+1) // its moment is now chosen
	}
	return true
}

// lifeSpans returns when each id was surely there, by the intervals of its own
// put and take alone; nil if an id came back; or why there is no such time.
func (o *object) lifeSpans() ([]span, *Explanation) {
	type life struct{ put, take int32 } // 1 + part
	most, n := mostID(o.ops)
	ls := newTable[life](most, n)
	for i := range o.parts {
		p := &o.parts[i]
		if !p.puts() {
			continue
		}
		for _, id := range p.ids {
			l := ls.at(id)
			if l.put != 0 {
				return nil, nil // it came back: lives cannot be told apart
			}
			l.put = int32(i + 1)
		}
	}
	for i := range o.parts {
		p := &o.parts[i]
		if !p.takes() {
			continue
		}
		list := p.ids
		if p.deed == swap {
			list = []record.ID{p.old}
		}
		for _, id := range list {
			l := ls.at(id)
			switch {
			case l.put == 0:
				return nil, o.evidence("RQ-INVENTED", sayf("%s took id %d from %s, where nobody had put it", o.who(p), id, o.name), p)
			case l.take != 0:
				q := &o.parts[l.take-1]
				return nil, o.evidence("RQ-TWICE", sayf("id %d was taken by %s and by %s", id, o.who(q), o.who(p)), q, p)
			case p.ret < o.parts[l.put-1].call:
				in := &o.parts[l.put-1]
				return nil, o.evidence("RQ-INVENTED", sayf("id %d was taken by %s, which returned before %s was called with it", id, o.who(p), o.who(in)), in, p)
			}
			l.take = int32(i + 1)
		}
	}
	spans := make([]span, 0, n)
	for i := range o.parts {
		p := &o.parts[i]
		if !p.puts() {
			continue
		}
		for _, id := range p.ids {
			s := span{lo: p.ret, hi: math.MaxInt64, put: int32(i), take: ls.at(id).take - 1}
			if s.take >= 0 {
				s.hi = o.parts[s.take].call
			}
			spans = append(spans, s)
		}
	}
	return spans, nil
}

// overtaken finds two ids of which one was put wholly before the other and
// taken wholly after it. For one id each that is the only way in which a first
// in, first out order can fail.
func (o *object) overtaken(spans []span) *Explanation {
	byPut := slices.Clone(spans)
	slices.SortFunc(byPut, func(a, b span) int { return cmp.Compare(a.lo, b.lo) })
	byCall := slices.Clone(spans)
	slices.SortFunc(byCall, func(a, b span) int { return cmp.Compare(o.parts[a.put].call, o.parts[b.put].call) })
	var latest *span // of those put before, the one whose take was called last
	i := 0
	for k := range byCall {
		b := &byCall[k]
		for i < len(byPut) && byPut[i].lo < o.parts[b.put].call {
			if latest == nil || byPut[i].hi > latest.hi {
				latest = &byPut[i]
			}
			i++
		}
		if latest == nil || b.take < 0 || latest.hi <= o.parts[b.take].ret {
			continue
		}
		first, then := o.firstOf(latest), o.firstOf(b)
		in, out := &o.parts[latest.put], &o.parts[b.take]
		if latest.take < 0 {
			return o.evidence(o.orderID(), sayf("id %d was taken by %s, but id %d, which was put earlier, never was", then, o.who(out), first), in, &o.parts[b.put], out)
		}
		return o.evidence(o.orderID(), sayf("id %d was taken by %s before id %d, which was put earlier and taken later by %s", then, o.who(out), first, o.who(&o.parts[latest.take])),
			in, &o.parts[b.put], out, &o.parts[latest.take])
	}
	return nil
}

// firstOf returns an id of a span's put that its take took.
func (o *object) firstOf(s *span) uint64 {
	in := o.parts[s.put].ids
	if s.take >= 0 {
		for _, id := range in {
			if slices.Contains(o.parts[s.take].ids, id) {
				return id
			}
		}
	}
	return in[0]
}

// wrongShare finds a batch get of the global queue whose size fits no length
// that the queue can have had during the call.
func (o *object) wrongShare(spans []span) *Explanation {
	if !slices.ContainsFunc(o.parts, func(p part) bool { return p.rule&ruleShare != 0 }) {
		return nil
	}
	sorted := func(of func(span) int64) []int64 {
		var list []int64
		for _, s := range spans {
			list = append(list, of(s))
		}
		slices.Sort(list)
		return list
	}
	upTo := func(list []int64, at int64) int {
		return sort.Search(len(list), func(i int) bool { return list[i] > at })
	}
	var called, put, takeCalled, taken []int64
	for i := range o.parts {
		p := &o.parts[i]
		if p.rule&ruleShare == 0 {
			continue
		}
		if called == nil {
			called = sorted(func(s span) int64 { return o.parts[s.put].call })
			put = sorted(func(s span) int64 { return s.lo })
			takeCalled = sorted(func(s span) int64 { return s.hi })
			taken = sorted(func(s span) int64 {
				if s.take < 0 {
					return math.MaxInt64
				}
				return o.parts[s.take].ret
			})
		}
		k := len(p.ids)
		least := max(k, upTo(put, p.call-1)-upTo(takeCalled, p.ret)+k)
		most := upTo(called, p.ret) - upTo(taken, p.call-1)
		ok := false
		for n := least; n <= most && !ok; n++ {
			ok = k == spec.Share(int(p.arg), 0, n, o.procs)
		}
		if !ok {
			lo, hi := spec.Share(int(p.arg), 0, least, o.procs), spec.Share(int(p.arg), 0, most, o.procs)
			want, length := sayf("%d", lo), sayf("%d", least)
			if lo != hi {
				want = sayf("%d to %d", lo, hi)
			}
			if least != most {
				length = sayf("%d to %d", least, most)
			}
			return o.evidence("RQ-GLOBAL-BATCH", sayf("%s took %d of a queue whose length during the call was %s: its share is %s", o.who(p), k, length, want), p)
		}
	}
	return nil
}
