package follow_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/spindle-go/spindle/spec/follow"
)

// doors is a machine that walks along a corridor of numbered doors: one to the right in silence, as often
// as it likes up to most, and what is seen is that it knocks at a door.
type doors struct{ most int }

func (d doors) Silent(e *int, _ *int, next *follow.Next[int]) {
	if *e < d.most {
		to := *e + 1
		next.Add(&to, 1)
	}
}

func (doors) Seen(e *int, o *int, next *follow.Next[int]) {
	if *e == *o || *o < 0 {
		next.Stay(e)
	}
}

func TestFollower(t *testing.T) {
	f := follow.New[int, int](doors{9}, 3)
	anything, five, four := -1, 5, 4
	for _, c := range []struct {
		see  *int
		ok   bool
		now  []int
		from int // how many were tried
	}{
		{&anything, true, []int{3, 4, 5, 6, 7, 8, 9}, 7},
		{&five, true, []int{5}, 7},
		{&four, false, []int{5}, 5}, // it does not go back
		{&anything, true, []int{5, 6, 7, 8, 9}, 5},
	} {
		ok, tried, err := f.See(c.see)
		if ok != c.ok || err != nil || !slices.Equal(f.Now(), c.now) || len(tried) != c.from {
			t.Fatalf("after %d: expected %v, %v of %d, saw %v, %v of %v, %v", *c.see, c.ok, c.now, c.from, ok, f.Now(), tried, err)
		}
	}
	if f.Len() != 3 || f.Largest != 7 {
		t.Errorf("expected 3 seen and at most 7 at once, saw %d and %d", f.Len(), f.Largest)
	}
	if f.Back(1); f.Len() != 1 || len(f.Now()) != 7 {
		t.Errorf("expected the 7 after the first, saw %v", f.Now())
	}
	if ok, _, err := f.See(&four); !ok || err != nil || !slices.Equal(f.Now(), []int{4}) {
		t.Errorf("expected to go on elsewhere at 4, saw %v, %v", f.Now(), err)
	}
	steps := 0
	for _, m := range f.Moves() {
		if m.Steps {
			steps++
		}
	}
	if steps == 0 || steps == len(f.Moves()) {
		t.Errorf("expected moves with a step and without, saw %v", f.Moves())
	}
}

func TestMany(t *testing.T) {
	f := follow.New[int, int](doors{follow.Most + 1}, 0)
	anything := -1
	if ok, _, err := f.See(&anything); ok || !errors.Is(err, follow.ErrMany) {
		t.Errorf("expected %v, saw %v, %v", follow.ErrMany, ok, err)
	}
}
