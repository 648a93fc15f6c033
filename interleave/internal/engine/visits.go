//go:build spindle_runtime

package engine

import (
	"runtime"
	"strings"

	_ "unsafe" // for go:linkname

	"github.com/spindle-go/spindle/interleave/internal/list"
	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
)

// Loops of code that is not rewritten.
//
// Where they begin is not known. But a thread that comes to an operation again, and has the stack that it had then, is where it was. If it has changed nothing for good
// meanwhile, the round was in vain: see loop.go. All that a function goes on with is in the stack where it calls another one: no register outlives a call. What it will not
// read again does not count: see live.go.
//
// What a round has made is another object in the next. If the round has changed nothing for good, nothing else points to it: then the stack has, instead of where it lies, in which
// order it comes to such objects, and what is in them.
//
// Variables of the stack need no note of what is written there, since all of it is compared. Objects that the thread has made before the round do.

//go:linkname spindleFrames runtime.spindleFrames
func spindleFrames(pcs, at []uintptr) int

//go:linkname spindleStackSum runtime.spindleStackSum
func spindleStackSum(a, b, from uintptr, made []ownObject, slots []liveSlot, rest uintptr) (sum uint64, words []uint64)

//go:linkname spindleDepthOf runtime.spindleDepthOf
func spindleDepthOf(at uintptr) uintptr

//go:linkname spindleArgumentOf runtime.spindleArgumentOf
func spindleArgumentOf() uint64

//go:linkname spindleClean runtime.spindleClean
func spindleClean()

//go:linkname spindleWipe runtime.spindleWipe
func spindleWipe()

// wipes clears what operations have left in the stack.
func wipes() {
	spindleClean()
	spindleWipe()
}

// compared says that stacks may be compared: code was met that is not rewritten.
var compared bool

// A visit is an operation that a thread has come to, in a function at one depth of the stack.
type visit struct {
	site  Site
	depth uintptr
	// The operation, on which object, and the frames of package sync, or the like, that make it.
	within uint64
	activation
	past  [mostPast]activation   // before it, the last first
	words [1 + mostPast][]uint64 // of the stack, then and before
}

// mostVisits is how many a thread remembers; mostPast how many rounds a loop may take to come back to where it was, less one.
const (
	mostVisits = 32
	mostPast   = 4
)

// A callFrame says, of the frames below an operation, which is that of the program's function; 0 if it is far away. Asks is the first that is not the explorer's: package sync
// or the runtime may be between. Only says that nothing but package sync/atomic is.
type callFrame struct {
	caller, asks int
	only         bool
}

// callFrames are those that are known, by where the frames return to.
var callFrames = make(map[nearFrames]callFrame)

func newCallFrame(returns []uintptr) (c callFrame) {
	c.asks, c.only = -1, true
	for k, pc := range returns {
		f := runtime.FuncForPC(pc - 1)
		if pc == 0 || f == nil {
			break
		}
		name := runtime.FuncForPC(f.Entry()).Name() // it may be part of another one, of which it is the frame
		if ours(name) || strings.Contains(name, ".spindle") {
			continue
		}
		if c.asks < 0 {
			c.asks = k
		}
		switch pkg := packageOf(name); {
		case pkg == "sync/atomic":
		case pkg == "runtime", pkg == "sync", pkg == "internal/sync", strings.HasPrefix(pkg, "internal/runtime/"):
			c.only = false
		default:
			c.caller = k
			return c
		}
	}
	return callFrame{}
}

// headed reports whether rounds are compared at such an operation: not where it has values that are not known. They may be in no frame of the caller any more.
func headed(k object.Kind, argued bool) bool {
	switch k {
	case object.Load, object.Gosched, object.Wait:
		return true
	case object.Receive, object.Select:
		return argued
	}
	return k >= object.Lock && k <= object.WUnlock || k.Word() && argued
}

// visits is called where a thread comes to an operation.
func (s *scheduler) visits(t *thread) {
	op := &t.Next
	if !PlainAccesses || op.Site < firstMade || marked(op.Site) || t.seat.home != spindleSelf() || s.plain.inHidden(t) {
		return
	}
	l := &t.loop
	if l.known = true; !headed(op.Kind, t.with.known) {
		return
	}
	var returns [mostFrames]uintptr
	var at [mostFrames]uintptr
	n := spindleFrames(returns[:], at[:])
	if n == 0 {
		return
	}
	a := nearFrames{returns: [len(nearFrames{}.returns)]uintptr(returns[:])}
	frame, ok := callFrames[a]
	if !ok {
		frame = newCallFrame(a.returns[:])
		remember(callFrames, a, frame)
	}
	i, from := frame.caller, frame.asks
	if i == 0 {
		return
	}
	if n := int(op.Site) - int(firstMade); op.Kind == object.Add && n < len(madeSites) && madeSites[n].tally == notAsked {
		if madeSites[n].tally = no; frame.only && unused(returns[i]) {
			madeSites[n].tally = yes
		}
	}
	within := uint64(op.Kind)<<32 ^ uint64(uint32(op.Loc)) // and where in what carries the operation out
	for _, pc := range a.returns[:i] {
		within = order.Mix(within ^ uint64(pc))
	}
	depth := spindleDepthOf(at[i])
	var v *visit
	for k := range l.visits {
		if w := &l.visits[k]; w.site == op.Site && w.depth == depth && w.within == within {
			v = w
		}
	}
	if v == nil && l.visited { // it has come further
		l.visited, s.coda.moved = false, true
	}
	var made []ownObject
	unchanged := func(tick int) bool { return l.same(tick) && s.restored(t, tick) }
	if v != nil && unchanged(v.tick) {
		if made = l.since(v.tick); len(made) > 0 {
			if w, _ := s.window(t, v.last); w == goesOn {
				made = nil
			}
		}
	}
	live := liveIn(returns[from:n], at[from:n])
	if poisons {
		live.poison(at[from])
	}
	sum, words := spindleStackSum(uintptr(t.with.a), uintptr(t.with.b), at[from], made, live.slots, live.rest)
	for _, b := range t.buffer { // what has not left it is the thread's, too
		sum = order.Mix(sum ^ uint64(uint32(b.loc)) ^ b.value<<32 ^ b.value>>32)
	}
	var past [mostPast]activation
	switch {
	case v != nil:
		past[0] = v.activation
		copy(past[1:], v.past[:])
		a := &v.activation
		was := a.state == sum && sameWords(v.words[0], words)
		same := was && unchanged(a.tick)
		for k := range v.past { // is it where it was some rounds ago?
			if p := &v.past[k]; !same && p.passed && p.state == sum && sameWords(v.words[1+k], words) && unchanged(p.tick) {
				p.doubts, p.looks = a.doubts, a.looks
				a, was, same = p, true, true
			}
		}
		if !was {
			l.grows.differs(live, words, v.words[0], returns[from:n], at[from:n])
		}
		if !same || !s.amid(t, a.last) {
			s.judge(t, a, 0, sum, same)
		}
		v.doubts, v.looks = a.doubts, a.looks
		if l.pending != goesOn {
			l.visited = true
		} else if !same {
			l.visited = false
		}
	default:
		if len(l.visits) == mostVisits { // it forgets them: a loop of more operations is not known
			l.visits = l.visits[:0]
		}
		if k := len(l.visits); k < cap(l.visits) { // with what it has of memory
			l.visits = l.visits[:k+1]
			v = &l.visits[k]
			*v = visit{words: v.words}
			break
		}
		l.visits = append(l.visits, visit{})
		v = &l.visits[len(l.visits)-1]
	}
	l.tick++
	kept := v.words
	oldest := kept[mostPast]
	copy(kept[1:], kept[:mostPast])
	kept[0] = append(oldest[:0], words...)
	*v = visit{op.Site, depth, within, activation{number: 1, passed: true, tick: l.tick, last: t.Last, state: sum, doubts: v.doubts, looks: v.looks}, past, kept}
}

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
	if len(now) != len(was) {
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
