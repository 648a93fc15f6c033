package certificate

import (
	"fmt"
	"strings"
)

// A Doubt is something that an exploration could not see, and that may matter to
// what it says. Where there is one, nothing is complete.
type Doubt = struct {
	Kind  DoubtKind
	What  string // "package expvar"
	Where string // a place or two where it was met, "x.go:12"; may be empty
	Count int    // how often
}

// A DoubtKind says what was not seen.
type DoubtKind = string

// The kinds of doubts.
const (
	NotSeen     DoubtKind = "not seen"     // threads met in code of which not all is reported
	Chance      DoubtKind = "chance"       // what comes out differs from run to run: random numbers, time, the order of a map
	NotCompared DoubtKind = "not compared" // state that may have survived an execution
)

// What is in doubt in several places.
const (
	Strangers   = "what goroutines do that begin in code of which not all is seen"
	DuringRange = "keys that are stored in a sync.Map during a Range" // where nothing orders the two
)

// Doubts are those of an exploration, each once.
type Doubts struct {
	All   []Doubt
	index map[[2]string]int // by kind and what
}

// Add notes one.
func (d *Doubts) Add(kind DoubtKind, what, where string) {
	key := [2]string{kind, what}
	i, ok := d.index[key]
	if !ok {
		if d.index == nil {
			d.index = make(map[[2]string]int)
		}
		i = len(d.All)
		d.index[key] = i
		d.All = append(d.All, Doubt{Kind: kind, What: what, Where: where})
	}
	d.All[i].Count++
}

// Advice says what can be done about the doubts, "" if there are none.
func (c *Certificate) Advice() string {
	if len(c.Doubts) == 0 {
		return ""
	}
	return `what is in doubt may go wrong unnoticed; "Code that is not seen" in interleave/README.md says what to do`
}

// writeDoubts appends a list of doubts to a sentence, by their kinds.
func writeDoubts(b *strings.Builder, all []Doubt) {
	for _, kind := range []DoubtKind{NotSeen, Chance, NotCompared} {
		before := fmt.Sprintf("; %s: ", kind)
		for _, d := range all {
			if d.Kind != kind {
				continue
			}
			b.WriteString(before + d.What)
			if d.Where != "" {
				b.WriteString(" (" + d.Where + ")")
			}
			before = ", "
		}
	}
}
