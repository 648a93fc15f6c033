package twolevel

import "github.com/spindle-go/spindle/spec/explore"

// Module is the name of the module, as code names it whose lines are its actions.
const Module = "TwoLevel"

// Actions are the names of the actions, as code names them that takes those steps: the
// module, then the action.
func Actions() []string {
	var list []string
	for _, name := range actionNames {
		list = append(list, Module+"!"+name)
	}
	return list
}

// Words are what the words that Ms share hold.
type Words struct {
	Queue, Nspin, Ntwo int8
	Tasks              int8 // how many Gs there are that do not wait for a G, and are born
	Free               int8 // how many Ps are free
}

// Words returns what s says of the words.
func (m *Machine) Words(s *State) Words {
	return Words{s.queue, s.nspin, s.ntwo, int8(m.config.Gs) - s.blocked, count(s.free)}
}

// At returns where M i is, from 1: the name of the action that it takes next, or the word
// for where it rests or has a choice.
func (s *State) At(i int) string { return s.ms[i-1].pc.String() }

// Calm reports whether no M does anything by itself.
func (m *Machine) Calm(s *State) bool { return m.allCalm(s) }

// Steps adds the steps of M i alone, from 1.
func (m *Machine) Steps(s *State, i int, out *explore.Successors[State]) {
	a := actor{Machine: m, s: s, out: out, i: uint8(i - 1), t: &s.ms[i-1]}
	a.act()
}
