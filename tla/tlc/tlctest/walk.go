package tlctest

import (
	"slices"

	"github.com/spindle-go/spindle/spec/explore"
)

// A Walked is how far a walk over a machine's states has come. States are numbered from 0 as
// they are met, those in which the machine begins first.
type Walked[S comparable] struct {
	States  []S
	Initial int // how many there are to begin with
	Level   int // of the state number From, from 1
	From    int
	Edges   []explore.Edge[S] // its steps

	number map[S]int
}

// Number is the number of a state that was met.
func (w *Walked[S]) Number(s S) int { return w.number[s] }

func (w *Walked[S]) meet(edges []explore.Edge[S]) {
	for _, e := range edges {
		if _, ok := w.number[e.To]; !ok {
			w.number[e.To] = len(w.States)
			w.States = append(w.States, e.To)
		}
	}
}

// Walk calls each with the steps of each state of so many levels but the last, level by level,
// until it says that this is enough. With 0 levels it goes to the end.
func Walk[S comparable](m explore.Machine[S], levels int, each func(*Walked[S]) bool) *Walked[S] {
	w := &Walked[S]{number: make(map[S]int)}
	var out explore.Successors[S]
	m.Init(&out)
	w.meet(out.Edges())
	w.Initial = len(w.States)
	for end := len(w.States); w.From < len(w.States); w.From++ {
		if w.From == end || w.From == 0 {
			w.Level, end = w.Level+1, len(w.States)
		}
		if w.Level == levels {
			break
		}
		out.Reset()
		m.Next(&w.States[w.From], &out)
		w.Edges = out.Edges()
		w.meet(w.Edges)
		if !each(w) {
			break
		}
	}
	return w
}

// FirstDifference is the first level with a state of m from which plain has other steps: within
// so many levels but the last, and so many states, or 0 for no limit. It is 0 if there is none.
func FirstDifference[S comparable](m, plain explore.Machine[S], levels, states int) (level int) {
	var theirs explore.Successors[S]
	Walk(m, levels, func(w *Walked[S]) bool {
		theirs.Reset()
		plain.Next(&w.States[w.From], &theirs)
		if !slices.Equal(w.Edges, theirs.Edges()) {
			level = w.Level
		}
		return level == 0 && w.From+1 != states
	})
	return level
}
