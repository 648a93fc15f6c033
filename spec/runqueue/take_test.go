package runqueue

import (
	"strings"
	"testing"

	"github.com/spindle-go/spindle/spec/explore"
)

// TestTake holds that Take makes the steps of Next, and that what it says of words is what
// changes: all that a step changes of head, tail, slot and next is in its Access.
func TestTake(t *testing.T) {
	t.Attr("req", "RQ-LOST")
	for _, name := range scripted {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t, config(t, configText(t, name)))
			states, answers := 0, 0
			err := explore.Walk(t.Context(), m, 1<<20, func(s *State, steps []explore.Edge[State]) error {
				states++
				taken := 0
				for p := range m.ps {
					n := *s
					a, ok := m.Take(&n, p)
					if !ok {
						continue
					}
					want := steps[taken]
					taken++
					if want.Step != (explore.Step{Action: a.Action, Actor: uint8(p)}) || want.To != n {
						t.Fatalf("expected that thread %d takes %s; observed %+v", p+1, actionNames[want.Step.Action], a)
					}
					if a.Answer.Op != None {
						answers++
					}
					back := n // undone, nothing is left
					m.poke(&back, a.Word, a.Read)
					if a.Store {
						m.poke(&back, a.Also, m.value(s, a.Also))
					}
					back.th, back.out, back.link, back.ghd, back.gtl = s.th, s.out, s.link, s.ghd, s.gtl
					if back != *s && !(m.loner[p] && strings.HasPrefix(actionNames[a.Action], "Drain")) {
						t.Fatalf("%s changes more than %+v says", actionNames[a.Action], a)
					}
				}
				if taken != len(steps) {
					t.Fatalf("expected %d steps; observed %d", len(steps), taken)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if answers == 0 {
				t.Errorf("expected answers; observed none in %d states", states)
			}
		})
	}
}

// poke sets a word.
func (m *Machine) poke(s *State, w Word, v uint8) {
	switch w.Object {
	case Head:
		s.head[w.P] = v
	case Tail:
		s.tail[w.P] = v
	case Slot:
		m.setSlot(s, int(w.P), w.I, v)
	case Next:
		s.next[w.P] = v
	}
}
