package rounds

import (
	"fmt"
	"runtime"

	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/place"
)

// A Growth is why rounds of a loop are not in vain: what is another one each time.
type Growth struct {
	in     uintptr    // a variable of the function that a call returns to there
	given  bool       // or what the operation is given
	site   order.Site // or memory that is written there
	by     int64      // how much more it is than the round before
	times  int        // in how many rounds in a row
	more   int        // or there is more: so many words
	deeper int        // or the operation is made deeper in the stack: by so many bytes
}

// String is a part of a sentence about the loop, or nothing.
func (g *Growth) String() string {
	what := ""
	switch {
	case g.given:
		what = "what it is given"
	case g.in != 0:
		f := runtime.FuncForPC(g.in - 1)
		if f == nil {
			return ""
		}
		_, line := f.FileLine(g.in - 1)
		what = fmt.Sprintf("a variable of %s, at line %d,", f.Name(), line)
	case g.more != 0:
		return fmt.Sprintf(", where what the stack has, or what is deferred, is another size each time (%+d words)", g.more)
	case g.deeper != 0:
		return fmt.Sprintf(", where the stack is another one each time (%+d bytes)", g.deeper)
	case g.site != 0:
		return ", where memory is written " + place.Where(g.site)
	default:
		return ""
	}
	if g.times < 2 || g.by == 0 {
		return ", where " + what + " is another one each time"
	}
	return fmt.Sprintf(", where %s is another one each time (%+d)", what, g.by)
}

// differs notes in which word a stack differs from what it was. At and returns are where its frames lie, and return to; slots say where its words lie, behind which rest bytes more.
func (g *Growth) differs(now, was []uint64, slots []Slot, rest uintptr, returns, at []uintptr) {
	if len(now) != len(was) { // of what is deferred, or is another size
		*g = Growth{more: len(now) - len(was)}
		return
	}
	i := 0
	for i < len(now) && now[i] == was[i] {
		i++
	}
	if i == len(now) { // what is not among the words: a store buffer
		return
	}
	n := Growth{by: int64(now[i] - was[i]), times: 1}
	switch k := i - 2; {
	case k < 0:
		n.given = true
	default:
		offset := rest
		if k < len(slots) {
			offset = slots[k].Offset
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
