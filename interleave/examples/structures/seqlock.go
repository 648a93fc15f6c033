package structures

import "sync/atomic"

// A SeqLock is two words that are read together, by readers that write nothing
// (Lamport, Concurrent Reading and Writing, CACM 1977; with the words as atomics,
// as Boehm says they must be: Can Seqlocks Get Along With Programming Language
// Memory Models?, MSPC 2012). One thread may write.
type SeqLock struct {
	seq  atomic.Uint64 // odd while somebody writes
	a, b atomic.Int64
	flaw Flaw
}

// Flaws of a SeqLock.
const (
	// NotOdd counts after a write only: a reader that comes during one sees two
	// equal counts round half of it.
	NotOdd Flaw = "counted after the write only"
	// OddUnseen has readers compare the counts and forget that odd ones are no
	// time to read.
	OddUnseen Flaw = "reads during a write"
)

// NewSeqLock makes one that holds 0, 0.
func NewSeqLock(flaw Flaw) *SeqLock { return &SeqLock{flaw: flaw} }

// Write sets both words.
func (l *SeqLock) Write(a, b int64) {
	if l.flaw != NotOdd {
		l.seq.Add(1)
	}
	l.a.Store(a)
	l.b.Store(b)
	if l.flaw == NotOdd {
		l.seq.Add(1)
	}
	l.seq.Add(1)
}

// Read returns both words as they were at one time.
func (l *SeqLock) Read() (a, b int64) {
	for {
		s := l.seq.Load()
		if s&1 != 0 && l.flaw != OddUnseen {
			continue
		}
		a, b = l.a.Load(), l.b.Load()
		if l.seq.Load() == s {
			return a, b
		}
	}
}

// A PlainSeqLock has plain words. What a reader throws away it has read all the
// same, while they were written: a data race in Go, as in C.
type PlainSeqLock struct {
	seq  atomic.Uint64
	a, b int64
}

// Write sets both words.
func (l *PlainSeqLock) Write(a, b int64) {
	l.seq.Add(1)
	l.a, l.b = a, b
	l.seq.Add(1)
}

// Read returns both words as they were at one time.
func (l *PlainSeqLock) Read() (a, b int64) {
	for {
		s := l.seq.Load()
		if s&1 != 0 {
			continue
		}
		a, b = l.a, l.b
		if l.seq.Load() == s {
			return a, b
		}
	}
}
