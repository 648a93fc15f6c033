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
func patterns(o *object) (Verdict, *Explanation) {
	if o.pending() || o.lanes > 1 {
		return Unknown, nil
	}
	stays, e := o.stays()
	if e != nil {
		return Illegal, e
	} else if stays == nil {
		return Unknown, nil
	}
	lost := slices.IndexFunc(stays, func(s interval) bool { return s.out == nil })
	if n := len(o.effects); lost >= 0 && o.effects[n-1].op == final {
		s := stays[lost]
		return Illegal, o.evidence("RQ-LOST", sayf("id %d was put there by %s, never taken from there, and not there at the end", s.id, o.who(s.in)), s.in)
	}
	c := newCover(stays)
	for i := range o.effects {
		p := &o.effects[i]
		if p.guard&guardShare != 0 {
			e = o.wrongShare(p, stays)
		}
		if p.action == seeEmpty {
			e = cmp.Or(e, o.present(p, c.over(p.call, p.ret)))
		}
		if e != nil {
			return Illegal, e
		}
	}
	if o.order == bag && o.unordered(stays, c) {
		return Ok, nil
	}
	return Unknown, nil
}

// An interval is an open interval of time during which an id is surely in an
// object: from the return of its put to the call of its take, if there is one.
type interval struct {
	lo, hi  int64
	id      record.ID
	in, out *effect
}

// stays returns when each id was surely there, by the intervals of its own put
// and take alone; nil if one was put twice, or why there is no such time.
func (o *object) stays() ([]interval, *Explanation) {
	lives, once, e := o.lives()
	if !once {
		return nil, e
	}
	list := make([]interval, 0, o.span.n)
	for i := range o.effects {
		p := &o.effects[i]
		if !p.puts() {
			continue
		}
		for _, id := range p.ids {
			s := interval{p.ret, math.MaxInt64, id, p, nil}
			if take := lives.at(id).take; take != 0 {
				s.out = &o.effects[take-1]
				s.hi = s.out.call
			}
			list = append(list, s)
		}
	}
	return list, nil
}

// wrongShare explains a batch get of the global queue whose size fits no length
// that the queue can have had during the call.
func (o *object) wrongShare(p *effect, stays []interval) *Explanation {
	least, most := len(p.ids), 0
	for _, s := range stays {
		if s.lo < p.call && s.hi > p.ret {
			least++ // it was there throughout
		}
		if s.in.call <= p.ret && (s.out == nil || s.out.ret >= p.call) {
			most++ // it may have been there at some time
		}
	}
	var had []int32
	for n := least; n <= most; n++ {
		had = append(had, int32(n))
	}
	return o.wrongPart(p, had, "", p)
}

// A cover answers whether an object was surely filled throughout a call. It has
// the intervals by lo, without those that lie inside others.
type cover []interval

func newCover(list []interval) cover {
	list = slices.SortedFunc(slices.Values(list), func(a, b interval) int { return cmp.Or(cmp.Compare(a.lo, b.lo), cmp.Compare(a.hi, b.hi)) })
	var c cover
	for _, s := range list {
		if s.lo < s.hi && (len(c) == 0 || s.hi > c[len(c)-1].hi) {
			c = append(c, s)
		}
	}
	return c
}

// before returns the interval that ends last of those that begin before at.
func (c cover) before(at int64) (interval, bool) {
	i := sort.Search(len(c), func(i int) bool { return c[i].lo >= at })
	if i == 0 {
		return interval{}, false
	}
	return c[i-1], true
}

// over returns the fewest intervals that together cover [call, ret]; nil if none
// do.
func (c cover) over(call, ret int64) []interval {
	var list []interval
	for at := call; ; {
		s, ok := c.before(at)
		if !ok || s.hi <= at {
			return nil
		}
		list = append(list, s)
		if s.hi > ret || s.hi == math.MaxInt64 {
			return list
		}
		at = s.hi
	}
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
func (o *object) unordered(stays []interval, there cover) bool {
	if o.capacity > 0 {
		return false // how many there were at once is judged
	}
	for i := range o.effects {
		if p := &o.effects[i]; p.op != final && (len(p.ids) > 1 || p.guard&guardAll != 0 || p.action == seeLen || p.action == readLength) {
			return false
		}
	}
	var instants []interval // from the first to the last moment that the instant may be
	for _, s := range stays {
		if s.lo >= s.hi {
			instants = append(instants, interval{lo: max(s.in.call, s.out.call), hi: min(s.in.ret, s.out.ret)})
		}
	}
	slices.SortFunc(instants, func(a, b interval) int { return cmp.Compare(a.hi, b.hi) })
	for i := range o.effects {
		p := &o.effects[i]
		if p.action != seeFilled {
			continue
		}
		if s, ok := there.before(p.ret); ok && s.hi > p.call {
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
