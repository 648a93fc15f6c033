package structures_test

import (
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/examples/structures"
)

// A pair is two words that are written and read together.
type pair interface {
	Write(a, b int64)
	Read() (a, b int64)
}

func newSeqLock(flaw structures.Flaw) pair { return structures.NewSeqLock(flaw) }

// seqlock has readers that look so many times while one writes so many times.
func seqlock(make func(structures.Flaw) pair, writes int64, reads ...int) scenario {
	return func(x *interleave.Exec, flaw structures.Flaw) {
		l := make(flaw)
		x.Go("writer", func() {
			for v := range writes {
				l.Write(v+1, -v-1)
			}
		})
		for _, n := range reads {
			x.Go("", func() {
				last := int64(0)
				for range n {
					a, b := l.Read()
					if a != -b || a < last {
						x.Fatalf("expected v, -v with v at least %d; observed %d, %d", last, a, b)
					}
					last = a
				}
			})
		}
	}
}

func TestSeqLock(t *testing.T) {
	right(t, []named{
		{"a write and a read", seqlock(newSeqLock, 1, 1)},   // 2
		{"two writes", seqlock(newSeqLock, 2, 1)},           // 3
		{"two reads", seqlock(newSeqLock, 1, 2)},            // 3
		{"two readers", seqlock(newSeqLock, 1, 1, 1)},       // 4
		{"two writes and reads", seqlock(newSeqLock, 2, 2)}, // 6
		{"larger", seqlock(newSeqLock, 2, 1, 1)},            // 9
	})
}

func TestWrongSeqLock(t *testing.T) {
	wrong(t, structures.NotOdd, "assertion", seqlock(newSeqLock, 1, 1))
	wrong(t, structures.OddUnseen, "assertion", seqlock(newSeqLock, 1, 1))
	plain := func(structures.Flaw) pair { return new(structures.PlainSeqLock) }
	wrong(t, "plain words", "data race", seqlock(plain, 1, 1))
}

// A filler is a cell that is filled when it is needed.
type filler interface{ Get(fill func() int64) int64 }

func newCell(flaw structures.Flaw) filler { return structures.NewCell(flaw) }

// cell has threads that look so many times.
func cell(make func(structures.Flaw) filler, looks ...int) scenario {
	return func(x *interleave.Exec, flaw structures.Flaw) {
		c := make(flaw)
		filled := [4]int{}
		for i, n := range looks {
			x.Go("", func() {
				for range n {
					if v := c.Get(func() int64 { filled[i]++; return 7 }); v != 7 {
						x.Fatalf("expected 7; observed %d", v)
					}
				}
			})
		}
		x.Finally(func() {
			if n := filled[0] + filled[1] + filled[2]; n != 1 {
				x.Fatalf("expected it to be filled once; observed %d times", n)
			}
		})
	}
}

func TestCell(t *testing.T) {
	right(t, []named{
		{"two look", cell(newCell, 1, 1)},       // 4
		{"two look twice", cell(newCell, 2, 2)}, // 4
		{"three look", cell(newCell, 1, 1, 1)},  // 19
		{"larger", cell(newCell, 2, 2, 2)},      // 19
	})
}

func TestWrongCell(t *testing.T) {
	wrong(t, structures.NoSecondLook, "assertion", cell(newCell, 1, 1))
	wrong(t, structures.FullTooEarly, "data race", cell(newCell, 1, 1))
	wrong(t, structures.NoWaiting, "data race", cell(newCell, 1, 1))
	plain := func(structures.Flaw) filler { return new(structures.PlainCell) }
	wrong(t, "a plain flag", "data race", cell(plain, 1, 1))
}

// ticket has threads that lock so many times and count, in a plain variable.
func ticket(locks ...int) scenario {
	return func(x *interleave.Exec, flaw structures.Flaw) {
		l := structures.NewTicketLock(flaw)
		count, want := 0, 0
		for _, n := range locks {
			want += n
			x.Go("", func() {
				for range n {
					l.Lock()
					count++
					l.Unlock()
				}
			})
		}
		x.Finally(func() {
			if count != want {
				x.Fatalf("expected %d; observed %d", want, count)
			}
		})
	}
}

func TestTicketLock(t *testing.T) {
	right(t, []named{
		{"two lock", ticket(1, 1)},       // 2
		{"two lock twice", ticket(2, 2)}, // 6
		{"three lock", ticket(1, 1, 1)},  // 6
		{"larger", ticket(2, 2, 1)},      // 30
	})
}

func TestWrongTicketLock(t *testing.T) {
	wrong(t, structures.SameTicket, "livelock", ticket(1, 1))
	wrong(t, structures.ServesNobody, "livelock", ticket(1, 1))
}
