package explore

// Successors collects the steps from one state, or from several.
type Successors[S comparable] struct {
	list []Edge[S]
}

// An Edge is a step and where it leads.
type Edge[S comparable] struct {
	Step Step
	To   S
}

// Add adds a step that leads to a copy of from, which the caller then changes in
// place. The pointer is good until the next Add.
func (o *Successors[S]) Add(action, actor uint8, from *S) *S {
	n := len(o.list)
	if n == cap(o.list) {
		o.grow()
	}
	o.list = o.list[:n+1]
	e := &o.list[n]
	e.Step = Step{action, actor}
	e.To = *from
	return &e.To
}

// grow stays out of Add, which is then small enough to be inlined.
//
//go:noinline
func (o *Successors[S]) grow() {
	list := make([]Edge[S], len(o.list), max(64, 2*cap(o.list)))
	copy(list, o.list)
	o.list = list
}

// Edges are the steps added so far.
func (o *Successors[S]) Edges() []Edge[S] { return o.list }

// Reset forgets them and keeps their memory.
func (o *Successors[S]) Reset() { o.list = o.list[:0] }
