package explore

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// tables is a random machine: a few processes that are alike, each with a local
// state, and a shared word; what a process may do is drawn beforehand for each
// pair of the two.
type tables struct {
	procs, locals, words int
	initial              []tablesState
	moves                map[[2]uint8][]tablesMove
	wrong                map[[2]uint8]bool // pairs that violate
}

type tablesState struct {
	Word  uint8
	Local [4]uint8
}

type tablesMove struct{ action, local, word uint8 }

const tablesActions = 5

func newTables(seed uint64) *tables {
	r := rand.New(rand.NewPCG(seed, 0))
	m := &tables{procs: 1 + r.IntN(4), locals: 1 + r.IntN(6), words: 1 + r.IntN(6),
		moves: make(map[[2]uint8][]tablesMove), wrong: make(map[[2]uint8]bool)}
	random := func(n int) uint8 { return uint8(r.IntN(n)) }
	for range 1 + r.IntN(3) {
		s := tablesState{Word: random(m.words)}
		for i := range m.procs {
			s.Local[i] = random(m.locals)
		}
		m.initial = append(m.initial, s)
	}
	for l := range m.locals {
		for w := range m.words {
			at := [2]uint8{uint8(l), uint8(w)}
			for range r.IntN(3) {
				m.moves[at] = append(m.moves[at], tablesMove{random(tablesActions), random(m.locals), random(m.words)})
			}
			m.wrong[at] = r.IntN(40) == 0
		}
	}
	return m
}

func (m *tables) Actions() []string {
	var names []string
	for i := range tablesActions {
		names = append(names, fmt.Sprintf("A%d", i))
	}
	return names
}

func (m *tables) Actors() []string { return []string{"one", "two", "three", "four"}[:m.procs] }

func (m *tables) Init(out *Successors[tablesState]) {
	for i := range m.initial {
		out.Add(0, 0, &m.initial[i])
	}
}

func (m *tables) Next(s *tablesState, out *Successors[tablesState]) {
	for i, l := range s.Local[:m.procs] {
		for _, move := range m.moves[[2]uint8{l, s.Word}] {
			n := out.Add(move.action, uint8(i), s)
			n.Local[i], n.Word = move.local, move.word
		}
	}
}

func (m *tables) Vars(s *tablesState) []Var {
	return []Var{{"word", fmt.Sprint(s.Word)}, {"local", fmt.Sprint(s.Local[:m.procs])}}
}

func (m *tables) holds(s *tablesState) bool {
	for _, l := range s.Local[:m.procs] {
		if m.wrong[[2]uint8{l, s.Word}] {
			return false
		}
	}
	return true
}

// symmetric is a tables whose processes are known to be alike.
type symmetric struct{ *tables }

func (m symmetric) Canonical(s *tablesState) { slices.Sort(s.Local[:m.procs]) }

// naive is what a search with a map sees that visits everything.
type naive struct {
	depth           map[tablesState]int
	deepest         int
	generated       int
	taken           [tablesActions]int
	wrong, deadlock int // the least depth of one, or 0
	orbits          int
	orbitsDeep      int // as deepest: an orbit is as deep as its nearest state
}

func search(m *tables) naive {
	n := naive{depth: make(map[tablesState]int)}
	var todo []tablesState
	visit := func(s tablesState, depth int) {
		n.generated++
		if n.depth[s] == 0 {
			n.depth[s] = depth
			todo = append(todo, s)
		}
	}
	for _, s := range m.initial {
		visit(s, 1)
	}
	for ; len(todo) > 0; todo = todo[1:] {
		s := todo[0]
		d := n.depth[s]
		n.deepest = max(n.deepest, d)
		if n.wrong == 0 && !m.holds(&s) {
			n.wrong = d
		}
		var out Successors[tablesState]
		m.Next(&s, &out)
		if n.deadlock == 0 && len(out.Edges()) == 0 {
			n.deadlock = d
		}
		for _, e := range out.Edges() {
			n.taken[e.Step.Action]++
			visit(e.To, d+1)
		}
	}
	orbits := make(map[tablesState]int) // the least depth
	for s, d := range n.depth {
		symmetric{m}.Canonical(&s)
		if orbits[s] == 0 || d < orbits[s] {
			orbits[s] = d
		}
	}
	n.orbits = len(orbits)
	for _, d := range orbits {
		n.orbitsDeep = max(n.orbitsDeep, d)
	}
	return n
}
