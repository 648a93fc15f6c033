//go:build spindle_runtime

package rounds

import (
	"runtime"
	"strings"

	_ "unsafe" // for go:linkname

	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/place"
)

//go:linkname spindleFrames runtime.spindleFrames
//go:noescape
func spindleFrames(pcs, at []uintptr) int

//go:linkname spindleStackSum runtime.spindleStackSum
//go:noescape
func spindleStackSum(a, b, from uintptr, made []Object, slots []Slot, rest uintptr) (sum uint64, words []uint64)

//go:linkname spindleStackEnd runtime.spindleStackEnd
func spindleStackEnd() uintptr

// LeftOvers says that stacks were met of which it is not known what of them may still be read: what is left over there counts.
var LeftOvers bool

// Where the frames return to of the stack that is looked at, and where that lies: from the end of the stack, which may move. So these are negative.
var frameReturns, frameAt [mostFrames]uintptr

// A Walk is one over the stack of the caller.
type Walk struct {
	Shape *Shape // nil: there was none
	n     int    // frames
}

// Look walks over the stack of the caller.
func Look() (w Walk) {
	if w.n = spindleFrames(frameReturns[:], frameAt[:]); w.n > 0 {
		w.Shape = shapeOf(frameReturns[:w.n], frameAt[:w.n])
	}
	return w
}

// StackOfProgram returns between which addresses the stack of the caller has what the program has, up to the call of the thread's body, as long as it does not move.
func StackOfProgram() (from, to uintptr) {
	w := Look()
	if !w.OfProgram() {
		return 0, 0
	}
	end := spindleStackEnd()
	return end + frameAt[w.Shape.from], end + frameAt[min(w.Shape.outer, w.n-1)]
}

// A Shape is what is known of a stack, by where its frames return to.
type Shape struct {
	// Of the frames below an operation, caller is that of the program's function; 0 if it is far away. Asks is the first that is not the explorer's: package sync or the
	// runtime may be between. Only says that nothing but package sync/atomic is. Those from outer on are the explorer's again.
	caller, asks, outer int
	only                bool
	within              uint64 // of the frames up to that of the program
	from                int    // of the frames from there on, live says what counts: what package sync/atomic has is in the operation
	live                *liveStack

	Called *place.Call // where package sync, or sync/atomic, was called that asks whether that is a step, if it was asked
	Asked  bool
}

// Near reports whether the operation is made where the frames begin of which is said what counts.
func (p *Shape) Near() bool { return p.from == p.caller }

// OfProgram reports whether it is known where the program's function is.
func (w *Walk) OfProgram() bool { return w.Shape != nil && w.Shape.caller != 0 }

var shapes place.ByFrames[*Shape]

// shapeOf returns what is known of a stack, by the return addresses and where they lie.
func shapeOf(returns, at []uintptr) *Shape {
	o := shapes.Find(0, returns)
	if o == nil {
		p := newShape(returns, at)
		shapes.Add(0, returns, p)
		return p
	}
	return o.Is
}

func newShape(returns, at []uintptr) *Shape {
	p := &Shape{asks: -1, outer: len(returns), only: true}
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
		LeftOvers = LeftOvers || p.live.unknown || p.outer == len(returns)
	} else {
		p.caller = 0
	}
	return p
}

// An Operation is one that a thread has come to.
type Operation struct {
	A, B     uint64 // what it is given
	Buffered uint64 // a sum of what the thread's store buffer has
	Looks    int    // after how many doubtful rounds in a row the thread is held back
}

// Visit is called where a thread has come to the operation that it has announced, with the stack that the walk was over.
func (g *Log) Visit(l *Loops, t *order.Thread, w Walk, o Operation) Visited {
	op, p := &t.Next, w.Shape
	from := frameAt[p.from]
	if poisons {
		p.live.poison(from)
	}
	s := stack{slots: p.live.slots, rest: p.live.rest, returns: frameReturns[p.from:w.n], frames: frameAt[p.from:w.n]}
	s.at = where{op.Site, -frameAt[p.caller], order.Mix(uint64(op.Kind)<<32^uint64(uint32(op.Loc))) ^ p.within} // and where in what carries the operation out
	rest := s.rest
	if p.outer < w.n {
		rest = -from
	}
	s.sum = func(made []Object) (uint64, []uint64) {
		sum, words := spindleStackSum(uintptr(o.A), uintptr(o.B), from, made, p.live.slots, rest)
		return order.Mix(sum ^ o.Buffered), words
	}
	return g.visit(l, t, &s, o.Looks)
}

// Tally notes at the site of an Add whether the sum is used there, if that is not known yet.
func (w *Walk) Tally(op *order.Next) {
	if op.Kind != object.Add {
		return
	}
	if k := place.Find(op.Site); k.Tally == place.NotAsked {
		if k.Tally = place.No; w.Shape.only && unused(frameReturns[w.Shape.caller]) {
			k.Tally = place.Yes
		}
	}
}
