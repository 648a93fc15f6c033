package explore

import (
	"context"
	"testing"
)

// A race has two runners of which the one behind leaps over the other, by two, until one
// of them is at five. Who is which makes no difference: the representative of a state is
// the one in which the first is behind.
type race struct{ at [2]int8 }

func (race) Actions() []string { return []string{"Leap"} }
func (race) Actors() []string  { return []string{"1", "2"} }

func (race) Init(out *Successors[race]) { out.Add(0, 0, &race{[2]int8{0, 1}}) }

func (race) Next(s *race, out *Successors[race]) {
	for i := range s.at {
		if s.at[i] < s.at[1-i] && s.at[1-i] < 5 {
			out.Add(0, uint8(i), s).at[i] += 2
		}
	}
}

func (race) Vars(s *race) []Var { return nil }

func (race) Canonical(s *race) {
	if s.at[0] > s.at[1] {
		s.at[0], s.at[1] = s.at[1], s.at[0]
	}
}

// A refinement is asked about the step that is taken, not about the one from a state to
// the representative of the next one: a step is renamed as a whole or not at all. Of
// these two, each is the same under every renaming of both states; the first holds, and
// the step to the representative moves both runners; the second does not, and the step to the
// representative moves nobody by more than one.
func TestRefinementIsAskedAboutTheTrueStep(t *testing.T) {
	always := func(*race) bool { return true }
	moved := func(from, to *race, i int) int { return int(to.at[i] - from.at[i]) }
	alone := Refinement[race]{"Alone", "RQ-LEN", always, func(from, to *race) bool { return (moved(from, to, 0) == 0) != (moved(from, to, 1) == 0) }}
	short := Refinement[race]{"Short", "RQ-TWICE", always, func(from, to *race) bool { return moved(from, to, 0) < 2 && moved(from, to, 1) < 2 }}
	for _, o := range []Options[race]{{}, {Workers: 3}, {NoSymmetry: true}} {
		o.Refines = []Refinement[race]{alone}
		r, err := Explore(context.Background(), race{}, o)
		if err != nil || !r.Holds() || r.Distinct != 5 {
			t.Errorf("%d workers, symmetry %v: each step moves one runner alone: expected that it holds in 5 states, saw %+v, %v", o.Workers, !o.NoSymmetry, r, err)
		}
		o.Refines = []Refinement[race]{alone, short}
		r, err = Explore(context.Background(), race{}, o)
		if err != nil || r.Violation == nil || r.Violation.Invariant != "Short" || len(r.Violation.Trace) != 2 {
			t.Errorf("%d workers, symmetry %v: a step moves a runner by two: expected Short to fall after 2 states, saw %+v, %v", o.Workers, !o.NoSymmetry, r, err)
			continue
		}
		from, to := r.Violation.Trace[0].State.(race), r.Violation.Trace[1].State.(race)
		if short.Allows(&from, &to) {
			t.Errorf("%d workers, symmetry %v: expected a trace in which a runner moves by two, saw %+v", o.Workers, !o.NoSymmetry, r.Violation.Trace)
		}
		// A survey goes on behind it.
		fallen, err := Survey(context.Background(), race{}, o)
		if err != nil || len(fallen.Fallen) != 1 || fallen.Fallen[0].Invariant != "Short" || fallen.Distinct != 5 {
			t.Errorf("a survey: expected that Short alone falls, and 5 states, saw %+v, %v", fallen, err)
		}
	}
}
