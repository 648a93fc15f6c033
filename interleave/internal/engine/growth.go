package engine

import (
	"fmt"
	"github.com/spindle-go/spindle/interleave/internal/place"
	"runtime"
)

// A growth is why rounds of a loop are not in vain: what is another one each time.
type growth struct {
	in    uintptr // a variable of the function that a call returns to there
	given bool    // or what the operation is given
	site  Site    // or memory that is written there
	by    int64   // how much more it is than the round before
	times int     // in how many rounds in a row
	more  int     // or there is more: so many words
}

// text is a part of a sentence about the loop, or nothing.
func (g *growth) text() string {
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
