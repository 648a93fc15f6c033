// Package object says what operations do to the objects that threads share: which
// of them conflict, which have to wait and until when, and what one that is planned
// will do. There is a file for each kind of object. It is data and rules alone: the
// objects themselves are in the drop-ins (packages atomic and sync of interleave).
package object

// An Op is an operation that was carried out.
type Op struct {
	Thread uint8
	Kind   Kind
	// It conflicts with all operations on its object; one that is no write
	// conflicts with writes only.
	Write    bool
	Own      bool // a Load of what is in its thread's own buffer
	Compares bool // Expected is known: what a CompareAndSwap compares with
	Pointer  bool // Read and Wrote are addresses, which differ from run to run
	// Which of the things that it might do it did, from 1, and how many there were; 0
	// is for an operation that can do one thing only.
	Pick, Of uint16
	Read     uint64
	Wrote    uint64
	Expected uint64
	On       *Channels // of an operation on channels
}

// done reports whether o did what it is for. One that failed (a try, an unlock of
// what is not locked) reads and writes the same.
func (o *Op) done() bool { return o.Read != o.Wrote }

// rules are what is known of a kind of operation.
type rules struct {
	name string // as package sync or sync/atomic has it
	// Whether it conflicts with operations that do not write: never, if it has
	// changed something, or always.
	write writing
	// ready reports whether thread could carry it out. It is nil for those that
	// never have to wait.
	ready func(s *State, thread uint8) bool
	// do carries out what o did. It is nil for those that keep nobody waiting.
	do func(s *State, o *Op)
	// foretell says whether second will write if it comes before first, which came
	// before it. It is nil where the kind or tries tells.
	foretell func(first, second *Op) (write, unsure bool)
	// It writes if it can do in the state that it finds what kind tries says.
	tries Kind
	// It waits, under total store order, until the buffer of its thread is empty,
	// though it does not write.
	drains bool
}

type writing uint8

const (
	reads writing = iota
	mayWrite
	writes
)

var (
	rulesOf   [kinds]rules
	writingOf [kinds]writing // of rulesOf: it is asked at each step
)

func init() {
	for _, kind := range []map[Kind]rules{word, mutex, rwmutex, cond, waitGroup, maps, pool, channels, nothing} {
		for k, r := range kind {
			rulesOf[k], writingOf[k] = r, r.write
		}
	}
}

// Foretell says whether second will write if it comes before first, the operation
// on the same object that came before it. Unsure says that this is not known. If
// tries is not None, the state tells that second will find: whether it is Ready
// for tries.
func Foretell(first, second *Op) (write, unsure bool, tries Kind) {
	r := &rulesOf[second.Kind]
	if r.foretell == nil {
		return r.write != reads, false, r.tries
	}
	write, unsure = r.foretell(first, second)
	return write, unsure, None
}
