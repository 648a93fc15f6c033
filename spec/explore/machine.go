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

// A Refinement is what the steps of a machine are to another, which has fewer
// variables and steps: each is one of its steps, or none. Its name is that of the
// TLA+ operator.
type Refinement[S comparable] struct {
	Name        string
	Requirement string // an id of the catalogue
	Begins      func(*S) bool
	Allows      func(from, to *S) bool
}
