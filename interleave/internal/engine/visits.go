//go:build spindle_runtime

package engine

import (
	"runtime"
	"strings"
	_ "unsafe" // for go:linkname

	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
)

// Loops of code that is not rewritten.
//
// Where they begin is not known. But a thread that comes to an operation again, and has the stack that it had then, is where it was. If it has changed nothing for good
// meanwhile, the round was in vain: see loop.go. All that a function goes on with is in the stack where it calls another one: no register outlives a call.
//
// What a round has made is another object in the next. If the round has changed nothing for good, nothing else points to it: then the stack has, instead of where it lies, in which
// order it comes to such objects, and what is in them.
//
// Variables of the stack need no note of what is written there, since all of it is compared. Objects that the thread has made before the round do.

//go:linkname spindleFrames runtime.spindleFrames
func spindleFrames(pcs, at []uintptr) int

//go:linkname spindleStackSum runtime.spindleStackSum
func spindleStackSum(from uintptr, made []ownObject) uint64

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

// A visit is an operation that a thread has come to, in a function at one depth of the stack.
type visit struct {
	site  Site
	depth uintptr
	// The operation, on which object, and the frames of package sync, or the like, that make it.
	within uint64
	activation
	past [mostPast]activation // before it, the last first
}

// mostVisits is how many a thread remembers; mostPast how many rounds a loop may take to come back to where it was, less one.
const (
	mostVisits = 32
	mostPast   = 4
)

// callFrames are how far out the function is that calls an operation, by where the frames return to: 0 if that is far away.
var callFrames = make(map[nearFrames]int)

// ofCaller reports whether an address is in a function that calls an operation, and not in what carries that out.
func ofCaller(pc uintptr) bool {
	f := runtime.FuncForPC(pc - 1)
	if f == nil {
		return false
	}
	name := runtime.FuncForPC(f.Entry()).Name() // it may be part of another one, of which it is the frame
	switch pkg := packageOf(name); {
	case pkg == "runtime", pkg == "sync", pkg == "sync/atomic", pkg == "internal/sync", strings.HasPrefix(pkg, "internal/runtime/"):
		return false
	default:
		return !ours(name)
	}
}

// headed reports whether rounds are compared at such an operation: not where it has values that are not known. They may be in no frame of the caller any more.
func headed(k object.Kind, argued bool) bool {
	switch k {
	case object.Load, object.Gosched, object.Wait:
		return true
	case object.Receive, object.Select, object.CompareAndSwap, object.Swap:
		return argued
	}
	return k >= object.Lock && k <= object.WUnlock
}

// visits is called where a thread comes to an operation.
func (s *scheduler) visits(t *thread) {
	n := &t.Next
	if !PlainAccesses || s.tso || n.Site < firstMade || marked(n.Site) || t.seat.home != spindleSelf() || mayHide(packageOfSite(n.Site)) {
		return
	}
	l := &t.loop
	if l.known = true; !headed(n.Kind, t.argument != 0) {
		return
	}
	var a nearFrames
	var at [len(a.returns)]uintptr
	if spindleFrames(a.returns[:], at[:]) == 0 {
		return
	}
	i, ok := callFrames[a]
	if !ok {
		for k, pc := range a.returns {
			if pc != 0 && ofCaller(pc) {
				i = k
				break
			}
		}
		remember(callFrames, a, i)
	}
	if i == 0 {
		return
	}
	within := uint64(n.Kind)<<32 ^ uint64(uint32(n.Loc)) // and where in what carries the operation out
	for _, pc := range a.returns[:i] {
		within = order.Mix(within ^ uint64(pc))
	}
	depth := spindleDepthOf(at[i])
	var v *visit
	for k := range l.visits {
		if w := &l.visits[k]; w.site == n.Site && w.depth == depth && w.within == within {
			v = w
		}
	}
	if v == nil && l.visited { // it has come further
		l.visited, s.coda.moved = false, true
	}
	var made []ownObject
	if v != nil && l.same(v.tick) {
		if made = l.since(v.tick); len(made) > 0 {
			if w, _ := s.window(t, v.last); w == goesOn {
				made = nil
			}
		}
	}
	sum := spindleStackSum(at[i], made)
	switch n.Kind {
	case object.CompareAndSwap, object.Swap, object.Receive, object.Select:
		sum = order.Mix(sum ^ t.argument)
	}
	var past [mostPast]activation
	switch {
	case v != nil:
		past[0] = v.activation
		copy(past[1:], v.past[:])
		a := &v.activation
		for k := range v.past { // is it where it was some rounds ago?
			if p := &v.past[k]; a.state != sum && p.passed && p.state == sum && l.same(p.tick) {
				p.doubts, p.looks = a.doubts, a.looks
				a = p
			}
		}
		s.judge(t, a, 0, sum, l.same(a.tick))
		v.doubts, v.looks = a.doubts, a.looks
		l.visited = l.pending != goesOn
	default:
		if len(l.visits) == mostVisits { // it forgets them: a loop of more operations is not known
			l.visits = l.visits[:0]
		}
		l.visits = append(l.visits, visit{})
		v = &l.visits[len(l.visits)-1]
	}
	l.tick++
	*v = visit{n.Site, depth, within, activation{number: 1, passed: true, tick: l.tick, last: t.Last, state: sum, doubts: v.doubts, looks: v.looks}, past}
}
