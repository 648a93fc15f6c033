//go:build spindle_runtime

package rounds

import (
	"os"
	"runtime"
	"strings"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/slots"
)

// What of a stack may still be read: the rest is left over, and does not count where stacks are compared.

//go:linkname spindlePoison runtime.spindlePoison
func spindlePoison(at uintptr, mask uint64)

//go:linkname spindleFunction runtime.spindleFunction
func spindleFunction(pc uintptr, ends []uintptr, deltas []int32) (code []byte, n int)

// mostFrames is how many functions are looked at. Of those further out all counts.
const mostFrames = 24

// A liveStack has those that count, of a stack with some return addresses; all that lies rest bytes behind, or further, counts, too.
type liveStack struct {
	slots   []Slot
	rest    uintptr
	left    []Slot // what does not count
	unknown bool   // of some function nothing is known
}

var liveFrames = make(map[uintptr]*slots.Frame) // by where functions begin; nil if nothing is known

// newLiveStack returns what counts, by the return addresses and where they lie in the stack.
func newLiveStack(returns, at []uintptr) *liveStack {
	const word = unsafe.Sizeof(uintptr(0))
	l := &liveStack{rest: at[len(at)-1] - at[0]}
	masks := make([]uint64, l.rest/word)
	masks[0] = ^uint64(0)
	for k := range len(at) - 1 {
		begin, behind := (at[k]-at[0])/word+1, (at[k+1]-at[0])/word+1
		live, ok := liveAt(returns[k], at[k+1]-at[k]-word)
		if !ok { // its arguments are in the frame of the caller
			l.unknown = true
			if k+2 < len(at) {
				behind = (at[k+2] - at[0]) / word
			}
			for i := begin; i < min(behind, uintptr(len(masks))); i++ {
				masks[i] = ^uint64(0)
			}
			continue
		}
		for _, s := range live {
			if i := begin + uintptr(s.Offset)/word; i < uintptr(len(masks)) {
				masks[i] |= s.Mask
			}
		}
	}
	for i, m := range masks {
		if m != 0 {
			l.slots = append(l.slots, Slot{uintptr(i) * word, m})
		}
		if m != ^uint64(0) {
			l.left = append(l.left, Slot{uintptr(i) * word, ^m})
		}
	}
	return l
}

// poisons has what is left over in stacks be overwritten: a test of the analysis, since a program must not notice.
var poisons = os.Getenv("SPINDLE_INTERNAL_POISON") != ""

// unknowns has nothing be known of frames, as on platforms of which the machine code is not: a test.
var unknowns = os.Getenv("SPINDLE_INTERNAL_UNKNOWN") != ""

// poison overwrites what does not count of the stack that begins there.
func (l *liveStack) poison(begin uintptr) {
	const arguments = 128 // of the operation, which it may read
	for _, s := range l.left {
		if s.Offset > arguments {
			spindlePoison(begin+s.Offset, s.Mask)
		}
	}
}

// liveAt returns what may be read of a frame when a call returns to pc. It reports false if that is not known, or if the frame is not as large as expected.
func liveAt(pc, size uintptr) (slots.Slots, bool) {
	f := frameOf(pc)
	if f == nil || uintptr(f.Size()) != size {
		return nil, false
	}
	return f.Live(pc)
}

// unused reports whether it is known that what calls does not look at the first result, by the return address.
func unused(pc uintptr) bool {
	f := frameOf(pc)
	return f != nil && f.Unused(pc)
}

// frameOf returns what is known of the frame of a function, nil if nothing is.
func frameOf(pc uintptr) *slots.Frame {
	if !slots.Known || unknowns {
		return nil
	}
	var ends [128]uintptr
	var deltas [len(ends)]int32
	code, n := spindleFunction(pc, ends[:], deltas[:])
	if n == 0 {
		return nil
	}
	entry := uintptr(unsafe.Pointer(unsafe.SliceData(code)))
	f, known := liveFrames[entry]
	if !known {
		fn := slots.Function{Entry: entry, Code: code, Ends: endsThere, Bare: bareThere}
		for i := range n {
			fn.Steps = append(fn.Steps, slots.Step{End: ends[i], Delta: int(deltas[i])})
		}
		f, _ = slots.Analyze(fn)
		liveFrames[entry] = f
	}
	return f
}

// bareThere reports whether a function takes no arguments: the compiler has each function that reports what it does call it at its end.
func bareThere(entry uintptr) bool {
	f := runtime.FuncForPC(entry)
	return f != nil && f.Name() == "runtime.racefuncexit"
}

// endsThere reports whether a function never returns.
func endsThere(entry uintptr) bool {
	f := runtime.FuncForPC(entry)
	if f == nil {
		return false
	}
	name, ok := strings.CutPrefix(f.Name(), "runtime.")
	return ok && !strings.HasPrefix(name, "panicCheck") && (strings.HasPrefix(name, "panic") || strings.HasPrefix(name, "goPanic") || name == "gopanic" || name == "throw" || name == "fatal")
}
