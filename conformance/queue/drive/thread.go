package drive

import (
	"fmt"
	"runtime/debug"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/linearizability/recorder"
	"github.com/spindle-go/spindle/spec/record"
)

// thread is one logical thread at work.
type thread struct {
	*run
	n      int // its index
	own    int // its P or None
	script []record.Instr
	log    *recorder.Log
	nextID record.ID
	batch  []record.ID
	loot   []record.ID
	mover  queue.Mover // of its own P
	move   func(from, to record.Place, ids ...record.ID)
}

func (r *run) newThread(n int) *thread {
	t := &thread{run: r, n: n, own: r.s.Threads[n].P, nextID: r.s.FirstID(n)}
	t.script, _ = record.ParseScript(r.s.Threads[n].Script)
	puts, calls := r.s.Puts(n), r.s.Calls(n)
	if r.s.Threads[n].Repeat > 1 || calls > 64 {
		t.log = recorder.NewLog(r.clock, n, calls, 2*puts+calls+64)
	} else {
		t.log = recorder.NewLog(r.clock, n, calls, puts+calls+16)
	}
	if t.own != record.None {
		t.mover, _ = r.set.P(t.own).(queue.Mover)
	}
	t.move = t.log.Move
	return t
}

// loop runs the thread's script as often as it says. All threads make the same
// number of stops, whatever the length of their scripts.
func (t *thread) loop() {
	calls, made, stop := t.s.Calls(t.n), 0, 0
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

// call makes one call and reports whether it gave a G. The part between Call
// and Return is the target's alone.
func (t *thread) call(in record.Instr) (took bool) {
	l := t.log
	switch k := in.Kind; k {
	case record.Put, record.PutNext:
		q, id := t.set.P(t.own), t.take(1)[0]
		var ok bool
		if k == record.Put {
			l.Call(k, t.own, record.None, 0, id)
			ok = q.Put(id)
		} else {
			next := q.(queue.RunNext)
			l.Call(k, t.own, record.None, 0, id)
			ok = next.PutNext(id)
		}
		l.Return()
		n := 0
		if ok {
			n = 1
		}
		l.Result(ok, n, false)
		t.moved()
	case record.PutBatch:
		q, ids := t.set.P(t.own).(queue.BatchPutter), t.take(max(1, in.Arg))
		l.Call(k, t.own, record.None, 0, ids...)
		n := q.PutBatch(ids)
		l.Return()
		l.Result(n == len(ids), n, false)
		t.moved()
	case record.Get:
		q := t.set.P(t.own)
		var id record.ID
		var next, ok bool
		if rn, has := q.(queue.RunNext); has {
			l.Call(k, t.own, record.None, 0)
			id, next, ok = rn.GetNext()
		} else {
			l.Call(k, t.own, record.None, 0)
			id, ok = q.Get()
		}
		l.Return()
		t.took(id, next, ok)
		return ok
	case record.Steal, record.StealNext:
		t.steal(in)
	case record.Drain:
		q := t.set.P(t.own).(queue.Drainer)
		l.Call(k, t.own, record.None, 0)
		t.loot = q.Drain(t.loot[:0])
		l.Return()
		l.Result(len(t.loot) > 0, 0, false, t.loot...)
	case record.Empty:
		v := t.s.Victim(t.n, in)
		q := t.set.P(v)
		l.Call(k, v, record.None, 0)
		ok := q.Empty()
		l.Return()
		l.Result(ok, 0, false)
	case record.Len:
		v := t.s.Victim(t.n, in)
		q := t.set.P(v).(queue.Sized)
		l.Call(k, v, record.None, 0)
		n := q.Len()
		l.Return()
		l.Result(true, n, false)
	case record.GlobalPut:
		g, id := t.set.(queue.GlobalQueue), t.take(1)[0]
		l.Call(k, record.None, record.None, 0, id)
		g.GlobalPut(id)
		l.Return()
		l.Result(true, 1, false)
	case record.GlobalGet:
		g, most := t.set.(queue.GlobalQueue), max(1, in.Arg)
		t.makeRoom()
		l.Call(k, t.own, record.None, most)
		id, ok := g.GlobalGet(t.own, most)
		l.Return()
		t.took(id, false, ok)
		t.moved()
	}
	return false
}

func (t *thread) steal(in record.Instr) {
	v := t.s.Victim(t.n, in)
	q := t.set.P(v)
	var id record.ID
	var ok bool
	batch, has := q.(queue.BatchStealer)
	if has && t.own != record.None {
		thief := t.set.P(t.own)
		t.makeRoom()
		t.log.Call(in.Kind, v, t.own, 0)
		id, ok = batch.StealInto(thief, in.Kind == record.StealNext)
	} else {
		t.log.Call(in.Kind, v, record.None, 0)
		id, ok = q.Steal()
	}
	t.log.Return()
	t.took(id, false, ok)
	t.moved()
	if m, has := q.(queue.StealMover); has && ok && t.own == record.None {
		m.StealMoved(id, t.move)
	}
}

// makeRoom takes everything out of the thread's own queue: a thread steals, or
// looks at the global queue, when it has nothing itself, as findRunnable does,
// and its ring must have room for the loot. In a fixed order the scenario sees
// to that.
func (t *thread) makeRoom() {
	for t.s.Order == nil && !t.stop.Load() && t.call(record.Instr{Kind: record.Get}) {
	}
}

func (t *thread) took(id record.ID, next, ok bool) {
	if ok {
		t.log.Result(true, 0, next, id)
	} else {
		t.log.Result(false, 0, false)
	}
}

func (t *thread) moved() {
	if t.mover != nil {
		t.mover.Moved(t.move)
	}
}

// take returns the thread's next n ids.
func (t *thread) take(n int) []record.ID {
	t.batch = t.batch[:0]
	for range n {
		t.batch = append(t.batch, t.nextID)
		t.nextID++
	}
	return t.batch
}
