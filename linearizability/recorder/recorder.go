// Package recorder writes down what real threads call and return, and disturbs
// them little: a log per thread, preallocated, no locks, nothing shared but the
// clock.
//
// What makes the stamps sound. A monitor concludes that one call came before
// another when the first returned, by the clock, before the second was called.
// That holds only if the first call's effects are visible to all when its
// Return stamp is read, and if the second call's reads come after its Call
// stamp. Neither is free: a release store may still sit in the store buffer
// when the clock is read, and reads may pass it. So each stamp is tied to a
// sequentially consistent write of the log's own memory: the Call stamp is
// stored by an atomic swap (the swap needs the stamp, and nothing later passes
// the swap), and an atomic add precedes the reading of the Return stamp. Without
// them a correct queue with release stores, such as the Go runtime's, can be
// accused falsely; with them the cost is two uncontended locked instructions.
//
// The clock is the machine's monotonic clock. The alternative, one shared
// counter, is sound by construction and makes all threads meet at one cache
// line twice a call, which hides the races that one wants to see; it is here
// for machines whose clock is not to be trusted across processors.
//
//interleave:off
package recorder

import (
	"sync/atomic"
	"time"

	"github.com/spindle-go/spindle/spec/record"
)

// A Clock gives the stamps of one run.
type Clock struct {
	base    time.Time
	counter *atomic.Int64
	read    func() int64
}

// NewClock returns a clock of the given kind: record.ClockTime or
// record.ClockCounter.
func NewClock(kind string) *Clock {
	c := &Clock{base: time.Now().Add(-time.Microsecond)} // stamps are never 0
	if kind == record.ClockCounter {
		c.counter = new(atomic.Int64)
	}
	return c
}

// ClockOf returns a clock of the kind record.ClockCounter that read reads: for
// threads whose steps somebody else counts.
func ClockOf(read func() int64) *Clock { return &Clock{read: read} }

// Kind returns the name of the clock, for record.History.Clock.
func (c *Clock) Kind() string {
	if c.counter != nil || c.read != nil {
		return record.ClockCounter
	}
	return record.ClockTime
}

func (c *Clock) now() int64 {
	if c.read != nil {
		return c.read()
	}
	if c.counter != nil {
		return c.counter.Add(1)
	}
	return int64(time.Since(c.base))
}

// entry is an Op without slices: ids lie in the log's arena.
type entry struct {
	call, ret          int64
	p, to              int32
	n                  int64 // as wide as any answer: a wrong length must not look right
	arg                int32
	in, out, end, move int32 // arena offsets: in..out are In, out..end are Out; moves from move
	kind               record.Kind
	next, ok           bool
}

type move struct {
	from, to record.Place
	at, end  int32
}

// A Log is the record of one thread. Only that thread may use it.
type Log struct {
	clock   *Clock
	thread  int
	entries []entry
	ids     []record.ID
	moves   []move
	fence   atomic.Int64
	_       [64]byte // the next log is on another cache line
}

// NewLog returns the log of one thread with room for calls calls and ids ids;
// it grows if there are more.
func NewLog(clock *Clock, thread, calls, ids int) *Log {
	return &Log{
		clock: clock, thread: thread,
		entries: make([]entry, 0, calls),
		ids:     make([]record.ID, 0, ids),
	}
}

// Call opens an entry: kind on P p, towards P to (record.None if there is
// none), with the ids handed in. Everything that the call itself does must
// come after.
func (l *Log) Call(kind record.Kind, p, to, arg int, in ...record.ID) {
	at := int32(len(l.ids))
	l.ids = append(l.ids, in...)
	end := int32(len(l.ids))
	l.entries = append(l.entries, entry{
		kind: kind, p: int32(p), to: int32(to), arg: int32(arg),
		in: at, out: end, end: end, move: int32(len(l.moves)),
	})
	e := &l.entries[len(l.entries)-1]
	atomic.SwapInt64(&e.call, l.clock.now())
}

// Return stamps the end of the call that was opened last. Everything that the
// call itself did must come before; its results are added after.
func (l *Log) Return() {
	l.fence.Add(1)
	l.entries[len(l.entries)-1].ret = l.clock.now()
}

// Result adds the answer of the call that was opened last.
func (l *Log) Result(ok bool, n int, next bool, out ...record.ID) {
	e := &l.entries[len(l.entries)-1]
	e.ok, e.n, e.next = ok, int64(n), next
	l.ids = append(l.ids, out...)
	e.end = int32(len(l.ids))
}

// Move adds a move to the call that was opened last, after Result. Moves between the same
// places, one right after the other, are one: a queue may tell of each G by itself.
func (l *Log) Move(from, to record.Place, ids ...record.ID) {
	at := int32(len(l.ids))
	l.ids = append(l.ids, ids...)
	if n := len(l.moves); n > int(l.entries[len(l.entries)-1].move) && l.moves[n-1].from == from && l.moves[n-1].to == to {
		l.moves[n-1].end = int32(len(l.ids))
		return
	}
	l.moves = append(l.moves, move{from, to, at, int32(len(l.ids))})
}

// Len returns the number of entries.
func (l *Log) Len() int { return len(l.entries) }

// Op returns the i-th call. The ids of the result alias the log.
func (l *Log) Op(i int) record.Op {
	e := &l.entries[i]
	op := record.Op{
		Thread: l.thread, Kind: e.kind, P: int(e.p), Thief: int(e.to), Want: int(e.arg),
		Count: int(e.n), FromRunnext: e.next, OK: e.ok, Call: e.call, Return: e.ret,
	}
	if e.out > e.in {
		op.In = l.ids[e.in:e.out:e.out]
	}
	if e.end > e.out {
		op.Out = l.ids[e.out:e.end:e.end]
	}
	last := int32(len(l.moves))
	if i+1 < len(l.entries) {
		last = l.entries[i+1].move
	}
	for _, m := range l.moves[e.move:last] {
		op.Moved = append(op.Moved, record.Move{From: m.from, To: m.to, IDs: l.ids[m.at:m.end:m.end]})
	}
	return op
}

// Ops returns the calls of all logs by Call stamp, ties by thread. The threads
// must have stopped, or be stuck inside a call for good. The ids of the result
// alias the logs.
func Ops(logs ...*Log) []record.Op {
	n := 0
	for _, l := range logs {
		n += len(l.entries)
	}
	ops := make([]record.Op, 0, n)
	next := make([]int, len(logs))
	for len(ops) < n {
		first := -1 // the log whose next call came first; the stamps of one log ascend
		for k, l := range logs {
			if next[k] < len(l.entries) && (first < 0 || l.entries[next[k]].call < logs[first].entries[next[first]].call) {
				first = k
			}
		}
		ops = append(ops, logs[first].Op(next[first]))
		next[first]++
	}
	return ops
}

// Cost measures what recording adds to one call, on one thread: the mean time
// of a Call, Return and Result with nothing between them.
func Cost(clock *Clock) time.Duration {
	const n = 20000
	l := NewLog(clock, 0, n, n)
	begin := time.Now()
	for range n {
		l.Call(record.Put, 0, record.None, 0, 1)
		l.Return()
		l.Result(true, 1, false)
	}
	return time.Since(begin) / n
}
