package drive

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/designs"
	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/linearizability/recorder"
	"github.com/spindle-go/spindle/spec/record"
)

// locked is a right queue, with a hook before each get and steal.
type locked struct {
	designs.Locked
	hook func()
}

func (q *locked) Get() (record.ID, bool) {
	if q.hook != nil {
		q.hook()
	}
	return q.Locked.Get()
}

func (q *locked) Steal() (record.ID, bool) { return q.Get() }

func plain() queue.Factory { return queue.Single(func() *locked { return new(locked) }) }

func TestOrder(t *testing.T) {
	h, err := Run(context.Background(), plain(), record.Scenario{
		Name: "order", Ps: 1, Order: []int{0, 1, 0, 1, 0},
		Threads: []record.Thread{{P: 0, Script: "ppg"}, {P: record.None, Script: "se"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for i, op := range h.Ops {
		if op.Call != int64(2*i+1) || op.Return != int64(2*i+2) {
			t.Errorf("call %d is stamped %d..%d", i, op.Call, op.Return)
		}
		lines = append(lines, op.String())
	}
	const want = "T0 put P0 1; T1 steal P0 = 1; T0 put P0 2; T1 empty P0 = false; T0 get P0 = 2"
	if got := strings.Join(lines, "; "); got != want || h.Clock != record.ClockOrder {
		t.Errorf("%s (clock %s), want %s", got, h.Clock, want)
	}
}

func TestFinalContentsAreFound(t *testing.T) {
	h, err := Run(context.Background(), plain(), record.Scenario{Name: "final", Ps: 1, Threads: []record.Thread{{Script: "ppp"}}})
	if err != nil || len(h.Final.Ps) != 1 || len(h.Final.Ps[0].Ring) != 3 {
		t.Errorf("%+v, %v", h, err)
	}
}

// TestQueueThatNeverEnds holds that a queue that gives ids for ever ends the
// run all the same.
func TestQueueThatNeverEnds(t *testing.T) {
	h, err := Run(context.Background(), queue.Single(func() queue.Queue { return endless{} }), record.Scenario{Name: "endless", Ps: 1, Threads: []record.Thread{{Script: "pg"}}})
	if err != nil || len(h.Final.Ps[0].Ring) == 0 || len(h.Final.Ps[0].Ring) > 100 {
		t.Errorf("%v, %v", h, err)
	}
}

type endless struct{}

func (endless) Put(record.ID) bool       { return true }
func (endless) Get() (record.ID, bool)   { return 1, true }
func (endless) Steal() (record.ID, bool) { return 1, true }
func (endless) Empty() bool              { return false }

func TestWhatItLacksIsNamed(t *testing.T) {
	for letter, want := range map[string]string{"n": "RunNext", "b2": "BatchPutter", "d": "Drainer", "l": "Sized", "q": "GlobalQueue", "m": "GlobalQueue"} {
		_, err := Run(context.Background(), queue.Single(func() queue.Queue { return endless{} }), record.Scenario{Name: "lacks", Ps: 1, Threads: []record.Thread{{Script: letter}}})
		if err == nil || !strings.Contains(err.Error(), want) || errors.As(err, new(*queue.CrashError)) {
			t.Errorf("%s: %v, want an error that names %s", letter, err, want)
		}
	}
	if _, err := Run(context.Background(), plain(), record.Scenario{}); !errors.Is(err, record.ErrFormat) {
		t.Errorf("an empty scenario: %v", err)
	}
}

func TestCrash(t *testing.T) {
	f := queue.Single(func() queue.Queue { return &locked{hook: func() { panic("no get today") }} })
	for _, order := range [][]int{nil, {0, 0}} {
		h, err := Run(context.Background(), f, record.Scenario{Name: "crash", Ps: 1, Threads: []record.Thread{{Script: "pg"}}, Order: order})
		var crash *queue.CrashError
		if !errors.As(err, &crash) || crash.Op.Kind != record.Get || crash.Text != "no get today" || h == nil {
			t.Errorf("order %v: %v, %v", order, h, err)
		}
	}
}

func TestHang(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	f := queue.Single(func() queue.Queue { return &locked{hook: func() { <-release }} })
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_, err := Run(ctx, f, record.Scenario{Name: "hang", Ps: 1, Threads: []record.Thread{{Script: "pg"}}})
	var hang *queue.HangError
	if !errors.As(err, &hang) {
		t.Errorf("%v, want a HangError", err)
	}
}

// TestMeetingLetsGo holds that a thread does not wait for ever for one that
// does not come.
func TestMeetingLetsGo(t *testing.T) {
	m := newMeeting(2)
	if left := m.wait(0, 1, time.Millisecond); left > 0 {
		t.Errorf("%v left of the patience", left)
	}
	m.leave(1)
	if left := m.wait(0, 1<<40, time.Hour); left < 59*time.Minute {
		t.Errorf("waited %v for a thread that has left", time.Hour-left)
	}
}

// TestThreadsMeet: a thread does not finish its script while another is still at its
// first call. A busy machine may hold the other for longer than a thread waits, so
// there are some tries.
func TestThreadsMeet(t *testing.T) {
	const calls = 64 * burst
	var ahead int
	for range 5 {
		var once sync.Once
		f := queue.Single(func() *locked { return &locked{hook: func() { once.Do(func() { time.Sleep(patience / 4) }) }} })
		h, err := Run(context.Background(), f, record.Scenario{Name: "meet", Ps: 1, Threads: []record.Thread{
			{P: 0, Script: "p", Repeat: calls}, {P: record.None, Script: "s", Repeat: calls},
		}})
		if err != nil {
			t.Fatal(err)
		}
		first, before := int64(0), 0
		for _, op := range h.Ops {
			if op.Thread == 1 && (first == 0 || op.Return < first) {
				first = op.Return
			}
		}
		for _, op := range h.Ops {
			if op.Thread == 0 && op.Return < first {
				before++
			}
		}
		if ahead = before; ahead <= 2*burst {
			return
		}
	}
	t.Errorf("a thread had made %d of its %d calls when the other returned from its first", ahead, calls)
}

// TestCallers: callers of one log and one count of ids make calls in turn, and each
// has its own P.
func TestCallers(t *testing.T) {
	set, err := plain()(queue.Options{Ps: 1})
	if err != nil {
		t.Fatal(err)
	}
	ticks, next := int64(0), record.ID(1)
	log := recorder.NewLog(recorder.ClockOf(func() int64 { ticks++; return ticks }), 0, 0, 0)
	owner, thief := NewCaller(set, 1, 0, log, &next), NewCaller(set, 1, record.None, log, &next)
	other := NewCaller(set, 1, 0, log, &next)
	for _, c := range []struct {
		by   *Caller
		kind record.Kind
		took bool
		want string
	}{
		{owner, record.Put, false, "put P0 1"}, {other, record.Put, false, "put P0 2"}, {thief, record.Steal, false, "steal P0 = 1"},
		{owner, record.Get, true, "get P0 = 2"}, {owner, record.Get, false, "get P0 = none"}, {thief, record.Empty, false, "empty P0 = true"},
	} {
		n := log.Len()
		took := c.by.Call(record.Instr{Kind: c.kind, Arg: -1})
		if op := log.Op(n); op.String() != "T0 "+c.want || op.Call != int64(2*n+1) || op.Return != int64(2*n+2) || took != c.took || c.kind == record.Get && op.OK != took {
			t.Errorf("expected %s, saw %v at %d..%d, took %v", c.want, op, op.Call, op.Return, took)
		}
	}
}

// keeper is a queue whose thieves take several, and which says how many it held when
// it was given loot.
type keeper struct {
	locked
	full bool
}

func (q *keeper) StealInto(thief queue.Queue, _ bool) (record.ID, bool) {
	k := thief.(*keeper)
	k.full = k.full || !k.Empty()
	return q.Get()
}

// TestRoomForLoot: where threads are free, a thief takes out what it has before it
// steals; in a fixed order the scenario sees to that.
func TestRoomForLoot(t *testing.T) {
	for _, order := range [][]int{nil, {0, 0, 1, 1, 1}} {
		var made [2]*keeper
		f := func(o queue.Options) (queue.Set, error) {
			made = [2]*keeper{new(keeper), new(keeper)}
			return pair(made), nil
		}
		_, err := Run(t.Context(), f, record.Scenario{Name: "loot", Ps: 2, Order: order, Threads: []record.Thread{{P: 0, Script: "pp"}, {P: 1, Script: "pps0"}}})
		if err != nil || made[1].full != (order != nil) {
			t.Errorf("order %v: the thief had something: %v, %v", order, made[1].full, err)
		}
	}
}

type pair [2]*keeper

func (p pair) P(i int) queue.Queue { return p[i] }

// runaway is a queue that goes on for ever when it is asked what its call has moved.
type runaway struct{ locked }

func (q *runaway) Moved(move func(from, to record.Place, ids ...record.ID)) {
	for {
		move(record.Place{Object: record.Ring}, record.Place{Object: record.Ring}, 1)
	}
}

// TestMoverWithoutEnd: a queue that tells of more moves than there can be has crashed in that call.
func TestMoverWithoutEnd(t *testing.T) {
	f := queue.Single(func() *runaway { return new(runaway) })
	_, err := Run(t.Context(), f, record.Scenario{Name: "x", Ps: 1, Order: []int{0}, Threads: []record.Thread{{Script: "p"}}})
	var crash *queue.CrashError
	if !errors.As(err, &crash) || crash.Op.Kind != record.Put || !strings.Contains(crash.Text, "Moved") {
		t.Errorf("expected a crash in the put, saw %v", err)
	}
}

// TestFactoryThatEnds: a factory that ends its goroutine, as Skip and Fatal of a test do, has given nothing.
func TestFactoryThatEnds(t *testing.T) {
	_, err := Make(func(queue.Options) (queue.Set, error) { runtime.Goexit(); return nil, nil }, queue.Options{Ps: 1})
	if !errors.Is(err, ErrFactory) {
		t.Errorf("expected %v, saw %v", ErrFactory, err)
	}
}
