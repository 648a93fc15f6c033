//go:build spindle_runtime

package engine

import (
	"runtime"
	"strings"

	_ "unsafe" // for go:linkname

	"github.com/spindle-go/spindle/interleave/internal/list"
	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/place"
)

// Rounds of loops.
//
// Where loops begin is not known. But a thread that comes to an operation again, and has the stack that it had then, is where it was. If it has changed nothing for good
// meanwhile, the round was in vain: see loop.go. All that a function goes on with is in the stack where it calls another one: no register outlives a call. What it will not
// read again does not count: see live.go.
//
// What a round has made is another object in the next. If the round has changed nothing for good, nothing else points to it: then the stack has, instead of where it lies, in which
// order it comes to such objects, and what is in them.
//
// Variables of the stack need no note of what is written there, since all of it is compared. Objects that the thread has made before the round do.

//go:linkname spindleFrames runtime.spindleFrames
//go:noescape
func spindleFrames(pcs, at []uintptr) int

//go:linkname spindleStackSum runtime.spindleStackSum
//go:noescape
func spindleStackSum(a, b, from uintptr, made []ownObject, slots []liveSlot, rest uintptr) (sum uint64, words []uint64)

//go:linkname spindleDepthOf runtime.spindleDepthOf
func spindleDepthOf(at uintptr) uintptr

//go:linkname spindleArgumentOf runtime.spindleArgumentOf
func spindleArgumentOf() uint64

//go:linkname spindleClean runtime.spindleClean
func spindleClean(size uintptr)

//go:linkname spindleWipe runtime.spindleWipe
func spindleWipe()

// leftOvers says that stacks were met of which it is not known what of them may still be read: what is left over there counts.
var leftOvers bool

// wipes clears what operations have left in the stack, where that counts.
func (s *scheduler) wipes() {
	if !s.house.cleans {
		return
	}
	if place.Added {
		place.Added = false
		spindleClean(16 << 10)
	} else {
		spindleClean(6 << 10)
	}
	spindleWipe()
}

// A visit is an operation that a thread has come to, in a function at one depth of the stack.
type visit struct {
	site  Site
	depth uintptr
	// The operation, on which object, and the frames of package sync, or the like, that make it.
	within uint64
	came   int  // the tick at which the thread was here last
	heads  bool // it was the first that the thread has come to again, of those of a loop: rounds are compared here
	// The stack, then and in some rounds before, and which of them was the last.
	last   int
	rounds [1 + mostPast]round
	words  [1 + mostPast][]uint64
}

// mostVisits is how many a thread remembers.
const mostVisits = 32

// A stackShape is what is known of a stack, by where its frames return to.
type stackShape struct {
	// Of the frames below an operation, caller is that of the program's function; 0 if it is far away. Asks is the first that is not the explorer's: package sync or the
	// runtime may be between. Only says that nothing but package sync/atomic is. Those from outer on are the explorer's again.
	caller, asks, outer int
	only                bool
	within              uint64 // of the frames up to that of the program
	from                int    // of the frames from there on, live says what counts: what package sync/atomic has is in the operation
	live                *liveStack
	called              *place.Call // where package sync, or sync/atomic, was called that asks whether that is a step, if it was asked
	asked               bool
}

var shapes place.ByFrames[*stackShape]

// shapeOf returns what is known of a stack, by the return addresses and where they lie.
func shapeOf(returns, at []uintptr) *stackShape {
	o := shapes.Find(0, returns)
	if o == nil {
		p := newShape(returns, at)
		shapes.Add(0, returns, p)
		return p
	}
	return o.Is
}

func newShape(returns, at []uintptr) *stackShape {
	p := &stackShape{asks: -1, outer: len(returns), only: true}
	for k, pc := range returns {
		f := runtime.FuncForPC(pc - 1)
		if pc == 0 || f == nil {
			break
		}
		name := runtime.FuncForPC(f.Entry()).Name() // it may be part of another one, of which it is the frame
		if p.caller > 0 {
			if name == place.Body {
				p.outer = k
			}
			continue
		}
		if place.Ours(name) || strings.Contains(name, ".spindle") {
			continue
		}
		if p.asks < 0 {
			p.asks = k
		}
		switch pkg := place.PackageOf(name); {
		case pkg == "sync/atomic":
		case pkg == "runtime", pkg == "sync", pkg == "internal/sync", strings.HasPrefix(pkg, "internal/runtime/"):
			p.only = false
		default:
			p.caller = k
		}
		p.within = order.Mix(p.within ^ uint64(pc))
	}
	if p.caller > 0 && p.caller < p.outer {
		if p.from = p.asks; p.only && p.asks < p.caller {
			p.from = p.caller
		}
		p.live = newLiveStack(returns[p.from:min(p.outer+1, len(at))], at[p.from:min(p.outer+1, len(at))])
		leftOvers = leftOvers || p.live.unknown || p.outer == len(returns)
	} else {
		p.caller = 0
	}
	return p
}

// headed reports whether rounds are compared at such an operation: not where it has values that are not known. They may be in no frame of the caller any more.
func headed(k object.Kind, argued bool) bool {
	switch k {
	case object.Load, object.Gosched, object.Wait:
		return true
	case object.Receive, object.Select, object.MapRead:
		return argued
	}
	return k >= object.Lock && k <= object.WUnlock || k.Word() && argued
}

// visits is called where a thread comes to an operation.
func (s *scheduler) visits(t *thread) {
	op := &t.Next
	walked := s.house.walk
	s.house.walk.frames = 0
	if !PlainAccesses || op.Site < place.First || len(t.loop.heads) > 0 || s.races.InHidden(t.ID) {
		return
	}
	l := &t.loop
	if l.known = true; !headed(op.Kind, t.with.known) {
		return
	}
	n, p := walked.frames, walked.shape
	if n == 0 || walked.site != op.Site { // that of another operation may be left, which ended in a panic, or is invisible
		if n = spindleFrames(frameReturns[:], frameAt[:]); n == 0 {
			return
		}
		p = shapeOf(frameReturns[:n], frameAt[:n])
	}
	if p.caller == 0 {
		return
	}
	returns, at := frameReturns[:n], frameAt[:n]
	if leftOvers && !s.house.cleans {
		s.house.cleans = true
		s.beginAnew() // what was left over before would count
	}
	if m := place.Find(op.Site); op.Kind == object.Add && m.Tally == place.NotAsked {
		if m.Tally = place.No; p.only && unused(returns[p.caller]) {
			m.Tally = place.Yes
		}
	}
	within := order.Mix(uint64(op.Kind)<<32^uint64(uint32(op.Loc))) ^ p.within // and where in what carries the operation out
	depth := spindleDepthOf(at[p.caller])
	var v *visit
	compared := 0 // when rounds were compared last
	for k := range l.visits {
		w := &l.visits[k]
		if w.within == within && w.site == op.Site && w.depth == depth {
			v = w
		}
		if w.heads {
			compared = max(compared, w.came)
		}
	}
	switch {
	case v == nil:
		s.strayed(t, "comes to another place")
		if l.visited { // it has come further
			l.visited, s.coda.moved = false, true
		}
	case v.heads:
	case compared > v.came: // elsewhere
		v.came = l.tick
		return
	default:
		v.heads = true
	}
	var made []ownObject
	unchanged := func(tick int) bool { return l.same(tick) && s.restored(t, tick) }
	kept := false // the last round has changed nothing
	if v != nil {
		a := &v.rounds[v.last]
		if kept = unchanged(a.tick); kept {
			if made = l.since(a.tick); len(made) > 0 {
				if w, _ := s.window(t, a.last); w == goesOn {
					made = nil
				}
			}
		}
	}
	from, live := at[p.from], p.live
	if poisons {
		live.poison(from)
	}
	rest := live.rest
	if p.outer < n {
		rest = spindleDepthOf(from)
	}
	sum, words := spindleStackSum(uintptr(t.with.a), uintptr(t.with.b), from, made, live.slots, rest)
	for _, b := range t.buffer { // what has not left it is the thread's, too
		sum = order.Mix(sum ^ uint64(uint32(b.loc)) ^ b.value<<32 ^ b.value>>32)
	}
	doubts, looks := 0, uint64(0)
	if v != nil {
		a := &v.rounds[v.last]
		was := a.state == sum && sameWords(v.words[v.last], words)
		same := was && kept
		for k := 1; !same && k <= mostPast; k++ { // is it where it was some rounds ago?
			i := (v.last + len(v.rounds) - k) % len(v.rounds)
			if p := &v.rounds[i]; p.passed && p.state == sum && sameWords(v.words[i], words) && unchanged(p.tick) {
				p.doubts, p.looks = a.doubts, a.looks
				a, was, same = p, true, true
			}
		}
		if !was {
			l.grows.differs(live, words, v.words[v.last], returns[p.from:], at[p.from:])
		}
		if !same || !s.amid(t, a.last) {
			s.judge(t, a, sum, same)
		}
		doubts, looks = a.doubts, a.looks
		if l.pending != goesOn {
			l.visited = true
		} else if !same {
			l.visited = false
		}
		v.last = (v.last + 1) % len(v.rounds)
	} else {
		if len(l.visits) == mostVisits { // it forgets them: a loop of more operations is not known
			l.visits = l.visits[:0]
		}
		if k := len(l.visits); k < cap(l.visits) { // with what it has of memory
			l.visits = l.visits[:k+1]
		} else {
			l.visits = append(l.visits, visit{})
		}
		v = &l.visits[len(l.visits)-1]
		v.site, v.depth, v.within, v.heads, v.last = op.Site, depth, within, false, 0
		for i := range v.rounds {
			v.rounds[i].passed = false
		}
	}
	l.tick++
	v.came = l.tick
	v.words[v.last] = append(v.words[v.last][:0], words...)
	v.rounds[v.last] = round{number: 1, passed: true, tick: l.tick, last: t.Last, state: sum, doubts: doubts, looks: looks}
}

// Where the frames return to of the stack that is looked at, and where that lies.
var frameReturns, frameAt [mostFrames]uintptr

// amid reports whether t is between what it does in a round, that began behind an event, and what undoes it: it has a lock, or has counted itself in. Threads are not held
// back there: the others would look at what it leaves, and never come to the end of their rounds where nothing is left but rounds.
func (s *scheduler) amid(t *thread, last int32) bool {
	own := s.own[:0]
	i := t.Last
	for ; i > last; i = s.Events[i].Prev {
		own = append(own, i)
	}
	for n := len(own); i >= 0 && len(own) < mostAmid*n; i = s.Events[i].Prev { // and of the rounds before, from where the loop was entered
		before := func(k int32) bool { return s.Events[k].Site == s.Events[i].Site }
		if !list.ContainsFunc(own[:n], before) {
			break
		}
		own = append(own, i)
	}
	s.own = own
	s.touched = s.touched[:0]
	for n := len(own) - 1; n >= 0; n-- {
		if ev := &s.Events[own[n]]; ev.Loc >= 0 && !s.touch(ev.Loc).note(ev) {
			return false
		}
	}
	for i := range s.touched {
		if o := &s.touched[i]; o.look && o.open() {
			return true
		}
	}
	return false
}

// mostAmid bounds the rounds that are looked at.
const mostAmid = 8

func sameWords(a, b []uint64) bool {
	if len(a) != len(b) {
		return false
	}
	for i, w := range a {
		if w != b[i] {
			return false
		}
	}
	return true
}

// differs notes in which word a stack differs from what it was.
func (g *growth) differs(l *liveStack, now, was []uint64, returns, at []uintptr) {
	if len(now) != len(was) { // of what is deferred, or is another size
		*g = growth{more: len(now) - len(was)}
		return
	}
	i := 0
	for i < len(now) && now[i] == was[i] {
		i++
	}
	n := growth{by: int64(now[i] - was[i]), times: 1}
	switch k := i - 2; {
	case k < 0:
		n.given = true
	default:
		offset := l.rest
		if k < len(l.slots) {
			offset = l.slots[k].offset
		}
		for f := range at {
			if at[f]-at[0] < offset {
				n.in = returns[f]
			}
		}
	}
	if g.in == n.in && g.given == n.given && g.by == n.by {
		n.times += g.times
	}
	*g = n
}
