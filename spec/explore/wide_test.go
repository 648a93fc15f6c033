package explore

import (
	"context"
	"fmt"
	"testing"
)

// wide has a thousand steps from each state, and more initial states than fit a
// byte: ordinals that the parents keep apart.
type wide struct{}

type wideState struct{ A, B uint16 }

func (wide) Actions() []string { return []string{"Set"} }
func (wide) Actors() []string  { return []string{"one"} }

func (wide) Init(o *Successors[wideState]) {
	for i := range 300 {
		o.Add(0, 0, &wideState{A: uint16(i / 2)}) // each of them twice
	}
}

func (wide) Next(s *wideState, o *Successors[wideState]) {
	if s.B == 0 {
		for i := range 1000 {
			o.Add(0, 0, s).B = uint16(i + 1)
		}
	}
}

func (wide) Vars(s *wideState) []Var { return []Var{{"a", fmt.Sprint(s.A)}, {"b", fmt.Sprint(s.B)}} }

func TestWide(t *testing.T) {
	r, err := Explore(context.Background(), wide{}, Options[wideState]{})
	if err != nil || r.Distinct != 150*1001 || r.Generated != 300+150*1000 || r.Depth != 2 {
		t.Errorf("%+v, %v; want %d distinct, %d generated, depth 2", r, err, 150*1001, 300+150*1000)
	}
	for _, bad := range []wideState{{149, 0}, {0, 254}, {7, 255}, {7, 256}, {7, 257}, {140, 1000}} {
		r, err := Explore(context.Background(), wide{}, Options[wideState]{Invariants: []Invariant[wideState]{
			{"Not", "", func(s *wideState) bool { return *s != bad }},
		}})
		if err != nil || r.Violation == nil {
			t.Errorf("%v: %+v, %v", bad, r, err)
			continue
		}
		trace := r.Violation.Trace
		if last := trace[len(trace)-1].State; last != bad {
			t.Errorf("the trace leads to %v, want %v", last, bad)
		}
	}
}

func TestIndexGrows(t *testing.T) {
	x := newIndex[wideState](0)
	for a := range uint16(100) {
		for b := range uint16(100) {
			s := wideState{a, b}
			if n, isNew := x.add(&s); !isNew || n != int(a)*100+int(b) {
				t.Fatalf("%v is number %d, new %v", s, n, isNew)
			}
		}
	}
	for n := range x.count {
		if again, isNew := x.add(x.at(n)); again != n || isNew {
			t.Fatalf("state %d is number %d the second time, new %v", n, again, isNew)
		}
	}
}

// TestIndexIsExact gives all states the same fingerprint.
func TestIndexIsExact(t *testing.T) {
	x := newIndex[wideState](0)
	x.hash = hasher{}
	for round := range 2 {
		for i := range 1000 {
			s := wideState{A: uint16(i)}
			if n, isNew := x.add(&s); n != i || isNew != (round == 0) {
				t.Fatalf("%v is number %d, new %v", s, n, isNew)
			}
		}
	}
}
