package linearizability

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/spindle-go/spindle/spec/record"
)

// patterns looks for bad patterns (Henzinger, Sezgin and Vafeiadis 2013): an id
// that was taken without being put, or twice, and nothing found where something
// was there throughout. They are wrong for every order and any number of
// producers, and finding them is cheap, which porcupine is not. That there are
// none proves a history right only where the order is not judged: see unordered.
func patterns(o *object) (e *Explanation, certain bool) {
	if o.pending() || o.lanes > 1 {
		return nil, false
	}
	stays, once, e := o.stays()
	if e != nil || !once {
		return e, false
	}
	if e := o.wrongShare(stays); e != nil {
		return e, false
	}
	if n := len(o.effects); n > 0 && o.effects[n-1].op == final {
		for _, s := range stays {
			if in := &o.effects[s.put]; s.take < 0 {
				return o.evidence("RQ-LOST", sayf("%s was put there by %s, never taken from there, and not there at the end", idWord(in.ids), o.who(in)), in), false
			}
		}
	}
	c := newCover(stays)
	for i := range o.effects {
		if p := &o.effects[i]; p.action == seeEmpty {
			if by := c.over(p.call, p.ret); by != nil {
				return o.neverEmpty(p, by), false
			}
		}
	}
	return nil, o.order == bag && o.unordered(stays)
}

// neverEmpty explains an "empty" during intervals that cover its call.
func (o *object) neverEmpty(p *effect, by []interval) *Explanation {
	var there []record.ID
	var calls []*effect
	for _, s := range by {
		in, out := &o.effects[s.put], (*effect)(nil)
		if s.take >= 0 {
			out = &o.effects[s.take]
		}
		there, calls = append(there, in.ids[len(in.ids)-1]), append(calls, in, out)
	}
	return o.present(p, there, calls)
}

// unordered reports whether a queue without order, in which every "empty" is
// possible by itself, is good as a whole.
//
// Schedule each put as late and each take as early as its interval allows; an id
// whose put and take overlap then occupies a single instant of our choice. The
// queue is as empty as it can be at all moments at once, so every "empty" is
// true. A "not empty" is true if its call overlaps a time when an id is surely
// there, or the instant of another id, which may be chosen for it. Where that
// does not suffice, or where one put or take has several ids, and so not each id
// its own instants, it is not certain.
func (o *object) unordered(stays []interval) bool {
	for i := range o.effects {
		if p := &o.effects[i]; p.op != final && (len(p.ids) > 1 || p.guard&guardAll != 0) {
			return false
		}
	}
	var instants []interval // from the first to the last moment that the instant may be
	for _, s := range stays {
		if s.lo >= s.hi {
			in, out := &o.effects[s.put], &o.effects[s.take]
			instants = append(instants, interval{lo: max(in.call, out.call), hi: min(in.ret, out.ret)})
		}
	}
	slices.SortFunc(instants, func(a, b interval) int { return cmp.Compare(a.hi, b.hi) })
	there := newCover(stays)
	for i := range o.effects {
		p := &o.effects[i]
		if p.action != seeFilled || there.touches(p.call, p.ret) {
			continue
		}
		k := sort.Search(len(instants), func(i int) bool { return instants[i].hi >= p.call })
		for k < len(instants) && instants[k].lo > p.ret {
			k++
		}
		if k == len(instants) {
			return false
		}
		instants = slices.Delete(instants, k, k+1) // its instant is now chosen
	}
	return true
}

// stays returns when each id was surely there, by the intervals of its own put
// and take alone, and whether every id was put once; or why there is no such
// time.
func (o *object) stays() (list []interval, once bool, e *Explanation) {
	lives, once, e := o.lives()
	if !once {
		return nil, false, e
	}
	list = make([]interval, 0, o.span.n)
	for i := range o.effects {
		p := &o.effects[i]
		if !p.puts() {
			continue
		}
		for _, id := range p.ids {
			s := interval{lo: p.ret, hi: math.MaxInt64, put: int32(i), take: lives.at(id).take - 1}
			if s.take >= 0 {
				s.hi = o.effects[s.take].call
			}
			list = append(list, s)
		}
	}
	return list, true, nil
}

// wrongShare finds a batch get of the global queue whose size fits no length
// that the queue can have had during the call.
func (o *object) wrongShare(stays []interval) *Explanation {
	for i := range o.effects {
		p := &o.effects[i]
		if p.guard&guardShare == 0 {
			continue
		}
		least, most := len(p.ids), 0
		for _, s := range stays {
			if s.lo < p.call && s.hi > p.ret {
				least++ // it was there throughout
			}
			if o.effects[s.put].call <= p.ret && (s.take < 0 || o.effects[s.take].ret >= p.call) {
				most++ // it may have been there at some time
			}
		}
		var had []int32
		for n := least; n <= most; n++ {
			had = append(had, int32(n))
		}
		if e := o.wrongPart(p, had, "", p); e != nil {
			return e
		}
	}
	return nil
}
