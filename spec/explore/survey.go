package explore

import "context"

// Survey visits the states of m as [Explore] does, but goes on after a violation:
// Result.Fallen has the nearest one of each invariant and refinement that falls, in the
// order in which they were met, and Result.Violation is nil. What falls has fallen, even
// if a limit or ctx then ended the search; of what did not fall only a complete one
// says that it holds.
//
// What follows a state that violates one property is visited, too, so that a violation
// may be the consequence of another's. Next sees such states, and must bear them.
func Survey[S comparable](ctx context.Context, m Machine[S], o Options[S]) (Result, error) {
	checkState[S]()
	e := newExploration(m, o)
	e.survey = true
	if err := e.start(); err != nil {
		return Result{}, err
	}
	e.search(ctx)
	return e.result()
}
