// Package explore walks all states of an explicit-state machine: breadth first,
// so that what it shows is a shortest way to the trouble.
//
//interleave:off
package explore

// A Step is the label of an edge: which action, and whose it is. Both are
// indices into the machine's lists of names.
type Step struct{ Action, Actor uint8 }

// A Machine is a transition system over states of type S, which must be a value
// without pointers and without padding: its bytes are its identity.
type Machine[S comparable] interface {
	// Actions are the names of the actions, as the TLA+ module has them.
	Actions() []string
	// Actors are the names of those who act, a column each in a table.
	Actors() []string
	// Init adds every initial state.
	Init(out *Successors[S])
	// Next adds every step from s. It must not change s.
	Next(s *S, out *Successors[S])
	// Vars shows s as TLC does: the module's variables with their values in
	// TLA+ syntax. Functions over 1..n are tuples.
	Vars(s *S) []Var
}

// A Symmetric machine has states that differ by names alone.
type Symmetric[S comparable] interface {
	// Canonical replaces s by the representative of all states that are equal
	// to it up to a renaming.
	Canonical(s *S)
}

// A Var is a variable with its value in TLA+ syntax.
type Var struct{ Name, Value string }

// An Invariant holds in every reachable state. Its name is that of the TLA+
// operator.
type Invariant[S comparable] struct {
	Name        string
	Requirement string // an id of the catalogue
	Holds       func(*S) bool
}

// Successors collects the steps from one state.
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
	o.list = append(o.list, Edge[S]{Step{action, actor}, *from})
	return &o.list[len(o.list)-1].To
}

// Edges are the steps added so far.
func (o *Successors[S]) Edges() []Edge[S] { return o.list }

// Reset forgets them and keeps their memory.
func (o *Successors[S]) Reset() { o.list = o.list[:0] }
