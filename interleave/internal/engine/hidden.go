//go:build spindle_runtime

package engine

import (
	"runtime"

	_ "unsafe" // for go:linkname

	"github.com/spindle-go/spindle/interleave/internal/race"
	"github.com/spindle-go/spindle/interleave/internal/unseen"
)

//go:linkname spindleIsHarmless runtime.spindleIsHarmless
func spindleIsHarmless(pc uintptr)

// hiddenCodes are what functions call that is not seen, by where they begin; nil: nothing.
var hiddenCodes = make(map[uintptr]*race.Hidden)

// enters notes that t has entered a function, or leaves it, by where its report returns to, and by how deep its frame is.
func (s *scheduler) enters(t *thread, pc, depth uintptr, leaves bool) {
	entry := runtime.FuncForPC(pc).Entry()
	code, known := hiddenCodes[entry]
	if !known {
		code = unseen.In(runtime.FuncForPC(entry))
		hiddenCodes[entry] = code
	}
	switch {
	case code == nil:
		spindleIsHarmless(pc)
	case leaves:
		if s.races.Leaves(t.ID, code, depth) {
			t.loop.Changes()
		}
	default:
		t.loop.Changes()
		s.races.Enters(t.ID, code, depth)
	}
}
