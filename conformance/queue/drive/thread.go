package drive

import (
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"sync/atomic"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/linearizability/recorder"
	"github.com/spindle-go/spindle/spec/record"
)

// thread is one logical thread at work.
type thread struct {
	*run
	*Caller
	n      int // its index
	half   int // of what its ring holds
	script []record.Instr
	nextID record.ID

	goroutine atomic.Int64 // its number, where it has one of its own
}

func (r *run) newThread(n int) *thread {
	t := &thread{run: r, n: n, nextID: r.first[n], script: r.scripts[n]}
	puts, calls := r.puts[n], r.calls[n]
	if r.s.Threads[n].Repeat > 1 || calls > 64 {
		puts, calls = 2*puts, calls+48
	}
	log := recorder.NewLog(r.clock, n, calls, puts+calls+16)
	t.Caller = NewCaller(r.set, r.s.Ps, r.s.Threads[n].P, log, &t.nextID)
	t.Caller.waits = r.waits
	t.most = min(t.most, 4*r.ids+64) // each G some times
	if t.half = r.capacity / 2; t.half == 0 {
		t.half = math.MaxInt
	}
	if t.shares() {
		t.Caller.mover = nil // another owner's call may have come between
	}
	return t
}

// shares reports whether another thread owns the thread's P, too.
func (t *thread) shares() bool {
	own := t.s.Threads[t.n].P
	for n, other := range t.s.Threads {
		if n != t.n && other.P == own && own != record.None {
			return true
		}
	}
	return false
}

// movesUnsaid reports whether a call of the thread may move Gs, and nobody can be asked
// which: another owner's call may have come between.
func (t *thread) movesUnsaid() bool {
	if !t.shares() {
		return false
	}
	_, global := t.run.set.(queue.GlobalQueue)
	moves := func(in record.Instr) bool { return in.Kind == record.PutNext || t.loots(in) }
	return global || slices.ContainsFunc(t.script, moves) ||
		slices.ContainsFunc(slices.Concat(t.before, t.after), func(q record.QuietCall) bool { return q.Thread == t.n && moves(q.Instr) })
}

// loop runs the thread's script as often as it says. All threads make the same
// number of stops, whatever the length of their scripts.
func (t *thread) loop() {
	calls, made, stop := len(t.script)*max(1, t.s.Threads[t.n].Repeat), 0, 0
	left := patience
	for range max(1, t.s.Threads[t.n].Repeat) {
		for _, in := range t.script {
			if t.stop.Load() {
				return
			}
			if t.together != nil && made*t.stops >= stop*calls {
				stop++
				left = t.together.wait(t.n, int64(stop), left)
			}
			made++
			t.call(in)
		}
	}
}

// quietly makes calls at a quiet moment, all on the goroutine that calls it.
func (r *run) quietly(list []record.QuietCall) {
	if p, ok := r.set.(queue.Pinner); ok && len(list) > 0 {
		p.Enter(0, 1)
		defer p.Leave(0)
	}
	for _, q := range list {
		t := r.threads[q.Thread]
		if r.stop.Load() || r.crash.Load() != nil || !t.guarded(func() { t.call(q.Instr) }) {
			return
		}
	}
}

// guarded runs f and turns a panic into the run's crash.
func (t *thread) guarded(f func()) (ok bool) {
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		e := &queue.CrashError{Text: fmt.Sprint(v), Stack: string(debug.Stack())}
		if ops := recorder.Ops(t.log); len(ops) > 0 {
			e.Op = ops[len(ops)-1]
		}
		t.crash.CompareAndSwap(nil, e)
		t.stop.Store(true)
		ok = false
	}()
	f()
	return true
}

// call makes one call and reports whether it gave a G. A thread steals, or looks at
// the global queue, when it has nothing itself, as findRunnable does, and its ring
// must have room for the loot: it takes out what is there. In a fixed order the scenario
// sees to that.
func (t *thread) call(in record.Instr) (took bool) {
	if t.s.Order == nil && t.loots(in) && !t.makeRoom() {
		return false
	}
	took = t.Call(in)
	if t.s.Holds > 0 && t.mover == nil && t.loots(in) {
		t.held = unknown // how many it brought
	}
	return took
}

// unknown is how many Gs a thread holds that cannot know it.
const unknown = math.MaxInt / 2

// makeRoom takes out what is there, or all but what the scenario lets it hold, and reports whether half a ring fits then. A get may find
// nothing although there is something: a thread that runs freely then tries again, one that
// the explorer controls gives up. Twice as many gets as Gs were put are enough, as in Drain: a
// queue may give for ever.
func (t *thread) makeRoom() bool {
	got := 0
	for misses := 0; !t.stop.Load() && got < 2*(t.ids+1); {
		if t.s.Holds > 0 && t.held <= t.s.Holds {
			return true
		}
		if t.Call(record.Instr{Kind: record.Get}) {
			got, misses = got+1, 0
			continue
		}
		misses++
		switch {
		case !t.mayMiss():
			t.held = 0
			return true
		case t.held <= t.half:
			return true
		case !t.free:
			return false
		case misses > mostMisses:
			t.held = 0
			return true
		}
	}
	return true
}
