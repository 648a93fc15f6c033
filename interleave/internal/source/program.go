// Package source makes small concurrent programs at random, writes them as Go source,
// and says what they can do by an interpreter that walks all states of the same program
// and knows nothing of the explorer. The explorer is run on the source, as users run it:
// with the instrumenter, the hooks at loops and the table of the standard library, which
// package programs leaves out. Where it says "complete", the two must agree.
package source

// A Program is what the threads do. Words 0 and 1 are data, word 2 is a flag: most
// loops that wait wait for it.
type Program struct {
	Threads []*Thread
	Exposed bool        // there is a data race, on purpose
	Raw     [words]bool // the word is an int32 for functions of sync/atomic, not an atomic.Int32
}

// A Thread is a method of the program's type.
type Thread struct {
	Form    form
	Child   bool // started by another
	Bound   bool // started by a function value that another function made
	Grouped bool // started by WaitGroup.Go
	Body    []*stmt
	// What it shows at its end: locals, and fields of what is its own.
	Shown  [locals]bool
	Fields string // of "lsbxm"
}

// A form is how a thread's function is written.
type form uint8

const (
	plain  form = iota // without return
	named              // with named results, for what it shows of its locals
	caught             // likewise, and recovers a panic
	asked              // likewise, and fails if it recovers something else
)

// Sizes of what there is.
const (
	words      = 3
	flag       = 2
	locals     = 4
	mostLoops  = 6
	registers  = locals + 2 + mostLoops // two of them temporary
	mostStarts = 4                      // threads
)

// Places of things: of the thread, under the mutex, under the lock for readers.
const (
	own = iota - 1
	underMutex
	underRW
)

// A stmt is a statement. Which of the fields count its kind decides.
type stmt struct {
	kind  kind
	dst   int // a local, -1 for none
	op    *op
	x     expr
	call  *call
	place int
	lock  lock
	n     int // rounds of a loop that counts
	form  int // how it is written
	reg   int // of a loop that counts: a local, or a counter
	init  *stmt
	cond  *cond
	post  *stmt
	body  []*stmt
	els   []*stmt
	child int
	late  late
}

type kind uint8

const (
	operate kind = iota // dst = op
	assign              // dst = x
	library             // dst = call(place, x), or of op
	locked              // lock { body } else { els }
	counts              // n rounds
	loops               // for init; cond; post
	branch              // if cond { body } else { els }
	breaks              // the innermost loop
	continues
	returns
	panics
	yields
	starts // go child
	joins  // waits for children
	makes  // late of place
	uses   // dst = late, with op in each round
)

// An op is an operation on a word.
type op struct {
	kind opKind
	word int
	a, b expr // a CompareAndSwap is from a to b, others write b
	via  via
}

type opKind uint8

const (
	load opKind = iota
	store
	add
	swap
	and
	or
	cas
	opKinds
)

var opNames = [opKinds]string{"Load", "Store", "Add", "Swap", "And", "Or", "CompareAndSwap"}

// A via is how an operation is reached.
type via uint8

const (
	direct via = iota
	pointer
	converted  // to an interface, in the expression
	boxed      // in a variable of an interface type
	typeParam  // in a function with a type parameter
	value      // a method value
	expression // a method expression, or a function value
	vias
)

// An expr is a value: n, a local, or (local+n)%3.
type expr struct {
	of exprKind
	n  int32
	at int // the local
}

type exprKind uint8

const (
	constant exprKind = iota
	variable
	next
)

// A cond compares what an operation returns, or a local, with n.
type cond struct {
	op    *op
	local int
	equal bool
	n     int32
}

// A lock is a way to lock. Those from tryMutex on may fail.
type lock uint8

const (
	mutex lock = iota
	reader
	writer
	tryMutex
	tryReader
	tryWriter
	lockKinds
)

func (l lock) tries() bool { return l >= tryMutex }

// guards returns the place that the lock is for.
func (l lock) guards() int {
	if l == mutex || l == tryMutex {
		return underMutex
	}
	return underRW
}

// A late is what reads the things that it was made of when it is used.
type late uint8

const (
	values   late = iota // slices.Values(xs)
	backward             // slices.Backward(xs)
	keyed                // maps.Values(mp)
	buffer               // bytes.NewBuffer(line)
	lates
)

// all calls f with each statement of a list, also with those in others.
func all(list []*stmt, f func(*stmt)) {
	for _, s := range list {
		if s == nil {
			continue
		}
		f(s)
		all([]*stmt{s.init, s.post}, f)
		all(s.body, f)
		all(s.els, f)
	}
}
