package explore

import (
	"context"
	"fmt"
)

// Walk calls visit with each state of m and its steps, nearest first and without
// regard to symmetry. It keeps whole states, so it is for small machines and for
// checks of a machine itself. More than max states are an error, as are ctx's end
// and what visit returns.
func Walk[S comparable](ctx context.Context, m Machine[S], max int, visit func(s *S, steps []Edge[S]) error) error {
	return newWalk(m, max).run(ctx, func(_ int, s *S, steps []Edge[S], _ []int) error { return visit(s, steps) })
}

// A walk numbers the states of a machine as it comes to them.
type walk[S comparable] struct {
	m       Machine[S]
	max     int
	x       *index[S]
	initial int // how many of the states are initial
}

func newWalk[S comparable](m Machine[S], max int) *walk[S] {
	checkState[S]()
	return &walk[S]{m: m, max: max, x: newIndex[S](0)}
}

// run calls visit with each state's number, its steps and the numbers of the
// states that they lead to.
func (w *walk[S]) run(ctx context.Context, visit func(n int, s *S, steps []Edge[S], to []int) error) error {
	var out Successors[S]
	w.m.Init(&out)
	for i := range out.list {
		w.x.add(&out.list[i].To)
	}
	w.initial = w.x.count
	var to []int
	for n := 0; n < w.x.count; n++ {
		if n%batchLen == 0 && ctx.Err() != nil {
			return fmt.Errorf("explore: after %d states: %w", n, ctx.Err())
		}
		s := w.x.at(n)
		before := *s
		out.Reset()
		to = to[:0]
		w.m.Next(s, &out)
		if *s != before {
			return fmt.Errorf("explore: Next changes the state %+v to %+v", before, *s)
		}
		for i := range out.list {
			t, _ := w.x.add(&out.list[i].To)
			to = append(to, t)
		}
		if w.x.count > w.max {
			return fmt.Errorf("explore: more than %d states", w.max)
		}
		if err := visit(n, s, out.list, to); err != nil {
			return err
		}
	}
	return nil
}
