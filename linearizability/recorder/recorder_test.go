package recorder

import (
	"reflect"
	"sync"
	"testing"

	"github.com/spindle-go/spindle/spec/record"
)

func TestOpsOfTwoLogs(t *testing.T) {
	clock := NewClock(record.ClockCounter)
	a, b := NewLog(clock, 0, 1, 1), NewLog(clock, 1, 1, 1)
	a.Call(record.PutBatch, 0, record.None, 0, 1, 2) // stamp 1
	b.Call(record.Steal, 0, 1, 0)                    // 2
	a.Return()                                       // 3
	a.Result(true, 2, false)
	b.Return() // 4
	b.Result(true, 0, false, 2)
	b.Move(record.Place{Object: record.Ring}, record.Place{Object: record.Ring, P: 1}, 1)
	a.Call(record.Get, 0, record.None, 0) // 5, never returns
	want := []record.Op{
		{Kind: record.PutBatch, Thief: record.None, In: []record.ID{1, 2}, Count: 2, OK: true, Call: 1, Return: 3},
		{Thread: 1, Kind: record.Steal, Thief: 1, Out: []record.ID{2}, OK: true, Call: 2, Return: 4,
			Moved: []record.Move{{From: record.Place{Object: record.Ring}, To: record.Place{Object: record.Ring, P: 1}, IDs: []record.ID{1}}}},
		{Kind: record.Get, Thief: record.None, Call: 5},
	}
	if got := Ops(a, b); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// TestMovesOneByOne: a queue may tell of a batch G by G.
func TestMovesOneByOne(t *testing.T) {
	l := NewLog(NewClock(record.ClockCounter), 0, 2, 4)
	p0, p1 := record.Place{Object: record.Ring}, record.Place{Object: record.Ring, P: 1}
	for range 2 {
		l.Call(record.Steal, 0, 1, 0)
		l.Return()
		l.Result(true, 0, false, 3)
		l.Move(p0, p1, 1)
		l.Move(p0, p1, 2)
		l.Move(p1, p0, 4)
	}
	want := []record.Move{{From: p0, To: p1, IDs: []record.ID{1, 2}}, {From: p1, To: p0, IDs: []record.ID{4}}}
	for i, op := range Ops(l) {
		if !reflect.DeepEqual(op.Moved, want) {
			t.Errorf("call %d: got %v, want %v", i, op.Moved, want)
		}
	}
}

// TestClocksOrderThreads holds what the stamps promise: a call that was made
// after another was seen to return has the later stamp, on every clock.
func TestClocksOrderThreads(t *testing.T) {
	for _, kind := range []string{record.ClockTime, record.ClockCounter} {
		clock := NewClock(kind)
		if clock.Kind() != kind {
			t.Errorf("%s calls itself %s", kind, clock.Kind())
		}
		logs := []*Log{NewLog(clock, 0, 1000, 0), NewLog(clock, 1, 1000, 0)}
		turn := make(chan int, 1)
		turn <- 0
		var wg sync.WaitGroup
		for i, l := range logs {
			wg.Add(1)
			go func() {
				defer wg.Done()
				for n := 0; n < 500; {
					who := <-turn
					if who%2 == i {
						l.Call(record.Empty, 0, record.None, 0)
						l.Return()
						l.Result(true, 0, false)
						n++
						who++
					}
					turn <- who
				}
			}()
		}
		wg.Wait()
		last := int64(0)
		for i, op := range Ops(logs...) {
			if op.Call < last || op.Return < op.Call || op.Thread != i%2 {
				t.Fatalf("%s: call %d of thread %d at %d..%d, the one before returned at %d", kind, i, op.Thread, op.Call, op.Return, last)
			}
			last = op.Return
		}
	}
}

// TestNoAllocations holds that a log with enough room does not allocate.
func TestNoAllocations(t *testing.T) {
	l := NewLog(NewClock(record.ClockTime), 0, 2000, 2000)
	if n := testing.AllocsPerRun(500, func() {
		l.Call(record.Put, 0, record.None, 0, 1)
		l.Return()
		l.Result(true, 1, false)
	}); n != 0 {
		t.Errorf("%v allocations a call", n)
	}
}

func BenchmarkRecorder(b *testing.B) {
	for _, kind := range []string{record.ClockTime, record.ClockCounter} {
		b.Run(kind, func(b *testing.B) {
			l := NewLog(NewClock(kind), 0, 1<<16, 1<<16)
			for b.Loop() {
				if l.Len() == 1<<16 {
					l.entries, l.ids = l.entries[:0], l.ids[:0]
				}
				l.Call(record.Put, 0, record.None, 0, 1)
				l.Return()
				l.Result(true, 1, false)
			}
		})
	}
}
