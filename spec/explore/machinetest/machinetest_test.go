package machinetest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/spec/explore"
)

// counters are two counters that count to 2, and what may be wrong with them.
type counters struct{ wrong string }

type state struct{ N [2]uint8 }

func (m *counters) Actions() []string { return []string{"Up", "Never"} }
func (m *counters) Actors() []string  { return []string{"one", "two"} }

func (m *counters) Init(o *explore.Successors[state]) { o.Add(0, 0, &state{}) }

func (m *counters) Next(s *state, o *explore.Successors[state]) {
	for i := range s.N {
		if s.N[i] < 2 && !(m.wrong == "steps" && i == 0 && s.N[1] == 1) {
			actor := uint8(i)
			if m.wrong == "actor" {
				actor = 2
			}
			o.Add(0, actor, s).N[i]++
		}
	}
	if m.wrong == "changes" && s.N[0] == 1 {
		s.N[0] = 2
	}
	if m.wrong == "random" && s.N[0] == 1 {
		calls++
		o.Add(0, 0, s).N[0] = uint8(calls % 3)
	}
	if m.wrong == "dead" {
		o.Add(1, 0, s)
	}
}

var calls int

func (m *counters) Vars(s *state) []explore.Var {
	v := []explore.Var{{Name: "n", Value: fmt.Sprint(s.N)}}
	if m.wrong == "shown" {
		v[0].Value = fmt.Sprint(s.N[0])
	}
	if m.wrong == "variables" && s.N[0] == 1 {
		v[0].Name = "m"
	}
	return v
}

func (m *counters) Canonical(s *state) {
	if s.N[0] > s.N[1] || m.wrong == "canonical" {
		s.N[0], s.N[1] = s.N[1], s.N[0]
	}
}

// failures is a testing.TB that keeps what was said.
type failures struct {
	testing.TB
	text []string
}

func (f *failures) Helper() {}
func (f *failures) Errorf(format string, args ...any) {
	f.text = append(f.text, fmt.Sprintf(format, args...))
}

func TestCheck(t *testing.T) {
	fair := explore.Invariant[state]{Name: "Sum", Holds: func(s *state) bool { return s.N[0]+s.N[1] < 4 }}
	unfair := explore.Invariant[state]{Name: "First", Holds: func(s *state) bool { return s.N[0] < 2 }}
	for _, c := range []struct {
		wrong, want string
		max         int
		dead        []string
		invariant   explore.Invariant[state]
	}{
		{"", "", 9, []string{"Never"}, fair},
		{"", "more than 8 states", 8, []string{"Never"}, fair},
		{"", "First is false of a state and not", 9, []string{"Never"}, unfair},
		{"", "action Never is never taken", 9, nil, fair},
		{"dead", "action Never is taken", 9, []string{"Never"}, fair},
		{"", "Ever is listed as dead, and is no action", 9, []string{"Never", "Ever"}, fair},
		{"actor", "there are 2 actions and 2 actors", 9, []string{"Never"}, fair},
		{"steps", "have different steps", 9, []string{"Never"}, fair},
		{"changes", "Next changes the state {N:[1 0]} to {N:[2 0]}", 9, []string{"Never"}, fair},
		{"random", "Next adds different steps", 9, []string{"Never"}, fair},
		{"shown", "two states are shown alike", 9, []string{"Never"}, fair},
		{"variables", "the variables of Vars are", 9, []string{"Never"}, fair},
		{"canonical", "Canonical changes what it returned", 9, []string{"Never"}, fair},
	} {
		f := &failures{TB: t}
		Check(f, &counters{c.wrong}, c.max, c.dead, c.invariant)
		if got := strings.Join(f.text, "; "); (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.wrong, got, c.want)
		}
	}
}
