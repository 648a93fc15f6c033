//go:build spindle_overlay

package main

import (
	"runtime"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/spec/record"
)

// local is the run queue of one made-up P. Each method is one function of the
// runtime, and what its caller in the runtime does around it.
type local struct {
	set  *set
	n    int
	p    *runtime.SpindleP
	last lastCall // of the owner, for Moved
}

// StartsAt makes local a queue.Starter: newSet honours Options.Start.
func (l *local) StartsAt() uint32 { return runtime.SpindleHead(l.p) }

// Cap returns the number of slots of the ring.
func (l *local) Cap() int { return int(ring) }

// Put is runqput with next=false.
func (l *local) Put(id record.ID) bool {
	gp := l.set.g(id)
	l.before(callPut, runtime.SpindleTail(l.p))
	runtime.SpindlePut(l.p, gp, false)
	if l.overflowed() {
		runtime.SpindleQueued(&l.set.slab, int(ring)/2+1)
	}
	return true
}

// PutNext is runqput with next=true.
func (l *local) PutNext(id record.ID) bool {
	gp := l.set.g(id)
	l.beforeNext()
	runtime.SpindlePut(l.p, gp, true)
	if l.overflowed() {
		runtime.SpindleQueued(&l.set.slab, int(ring)/2+1)
	}
	return true
}

// PutBatch is the end of injectglist: runqputbatch, and the global queue for
// what does not fit.
func (l *local) PutBatch(ids []record.ID) int {
	q := l.set.link(ids)
	l.before(callPutBatch, runtime.SpindleTail(l.p))
	l.last.batch = ids
	runtime.SpindlePutBatch(l.p, &q, len(ids))
	if rest := l.rest(); len(rest) > 0 {
		runtime.SpindleQueued(&l.set.slab, len(rest))
	}
	return len(ids)
}

// Get is runqget.
func (l *local) Get() (record.ID, bool) {
	id, _, ok := l.GetNext()
	return id, ok
}

// GetNext is runqget: a G that inherits the time slice came from runnext.
func (l *local) GetNext() (id record.ID, next, ok bool) {
	l.last.kind = callOther
	gp, inherit := runtime.SpindleGet(l.p)
	return l.set.id(gp), inherit, gp != nil
}

// Drain is runqdrain.
func (l *local) Drain(buf []record.ID) []record.ID {
	l.last.kind = callOther
	q := runtime.SpindleDrain(l.p)
	for gp := runtime.SpindlePop(&q); gp != nil; gp = runtime.SpindlePop(&q) {
		buf = append(buf, l.set.id(gp))
	}
	return buf
}

// StealInto is runqsteal from l into thief.
func (l *local) StealInto(thief queue.Queue, next bool) (record.ID, bool) {
	t := unwrap(thief)
	t.before(callSteal, runtime.SpindleTail(t.p))
	t.last.victim = l.n
	gp := runtime.SpindleSteal(t.p, l.p, next)
	return l.set.id(gp), gp != nil
}

// Steal is runqgrab for a thief without a P, of which the runtime has none. As
// in runqsteal the last G is returned; the others go to the global queue in one
// batch, where all see them.
func (l *local) Steal() (record.ID, bool) {
	var buf [ring]*runtime.SpindleG
	n := runtime.SpindleGrab(l.p, false, buf[:])
	if n == 0 {
		return 0, false
	}
	id := l.set.id(buf[n-1])
	l.set.spill(id, l.n, buf[:n-1])
	return id, true
}

// Empty is runqempty.
func (l *local) Empty() bool { return runtime.SpindleEmpty(l.p) }

// Len counts as schedtrace does, and runnext besides.
func (l *local) Len() int {
	head := runtime.SpindleHead(l.p)
	n := int(runtime.SpindleTail(l.p) - head)
	if runtime.SpindleRunnext(l.p) != nil {
		n++
	}
	return n
}

// Contents shows the P while nobody is at work.
func (l *local) Contents() record.PContents {
	c := record.PContents{Runnext: l.set.id(runtime.SpindleRunnext(l.p))}
	for i, tail := runtime.SpindleHead(l.p), runtime.SpindleTail(l.p); i != tail; i++ {
		c.Ring = append(c.Ring, l.set.id(runtime.SpindleSlot(l.p, i)))
	}
	return c
}

// unwrap returns the local behind a queue of this program.
func unwrap(q queue.Queue) *local {
	if m, ok := q.(*moving); ok {
		return (*local)(m)
	}
	return q.(*local)
}
