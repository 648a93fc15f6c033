//go:build spindle_overlay

package main

import (
	"fmt"
	"runtime"
	"runtime/metrics"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/spec/record"
)

// ring is the number of slots of a P's ring.
const ring = runtime.SpindleRing

// maxIDs bounds the made-up Gs of one run, of about 450 bytes each.
const maxIDs = 1 << 20

// set is the Ps and Gs of one run. They are made up: the Ps are not in allp, so
// the scheduler never looks at them; the Gs have no stack and must never be
// scheduled, which the gate sees to (gate.go). The global queue is the real
// one: there is only one.
type set struct {
	ps   []*local
	slab runtime.SpindleSlab // the G of id i is slab.Gs[i-1]
	held runtime.SpindleQueue
	gate
	backoff bool

	// spilled[i] is what the Steal that returned id i sent to the global
	// queue. Every id is returned once, to one thread, which alone uses it.
	spilled [][]record.ID
}

func newSet(o queue.Options) (*set, error) {
	if o.Capacity != 0 && o.Capacity != int(ring) {
		return nil, fmt.Errorf("the runtime's ring has %d slots, cannot make it %d", ring, o.Capacity)
	}
	if o.IDs > maxIDs {
		return nil, fmt.Errorf("%d Gs in one run: at most %d fit in memory", o.IDs, maxIDs)
	}
	collect()
	s := &set{ps: make([]*local, o.Ps), spilled: make([][]record.ID, o.IDs)}
	s.slab.Gs = make([]runtime.SpindleG, o.IDs)
	for i := range s.ps {
		l := &local{set: s, n: i, p: new(runtime.SpindleP)}
		runtime.SpindleStart(l.p, o.Start)
		s.ps[i] = l
	}
	return s, nil
}

// collect frees what earlier runs left, when it is much.
func collect() {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Uint64() > 64<<20 {
		runtime.GC()
	}
}

// P returns the queue of P i. In builds that shuffle, it cannot say what it
// moved: the order is not known.
func (s *set) P(i int) queue.Queue {
	if runtime.SpindleRandom {
		return s.ps[i]
	}
	return (*moving)(s.ps[i])
}

// g returns the G of id.
func (s *set) g(id record.ID) *runtime.SpindleG {
	if id == 0 || id > uint64(len(s.slab.Gs)) {
		panic(fmt.Sprintf("spindle: id %d is not one of the run's, 1 to %d", id, len(s.slab.Gs)))
	}
	return &s.slab.Gs[id-1]
}

// id returns the id of gp, 0 for nil. A G that is not one of the run's is
// something that the queue made up, or a slot that nobody has written.
func (s *set) id(gp *runtime.SpindleG) record.ID {
	if gp == nil {
		return 0
	}
	i := s.slab.Index(gp)
	if i < 0 {
		panic("spindle: the run queue handed out a G that nobody put in")
	}
	return record.ID(i + 1)
}

// link makes a queue of ids.
func (s *set) link(ids []record.ID) (q runtime.SpindleQueue) {
	for _, id := range ids {
		runtime.SpindlePush(&q, s.g(id))
	}
	return q
}

// GlobalPut is globrunqput.
func (s *set) GlobalPut(id record.ID) {
	runtime.SpindleGlobalPut(s.g(id))
	runtime.SpindleQueued(&s.slab, 1)
}

// GlobalGet is what findRunnable does with the global queue. There the ring is
// empty, and half a ring surely fits; here it may not be, and no more is asked
// for than there is room: what does not fit is a throw in the runtime.
func (s *set) GlobalGet(p, most int) (record.ID, bool) {
	l := s.ps[p]
	tail := runtime.SpindleTail(l.p)
	l.before(callGlobalGet, tail)
	room := ring - (tail - runtime.SpindleHead(l.p)) // thieves can only add to it
	n := min(most, int(ring)/2, int(room)+1)
	gp := runtime.SpindleGlobalGet(l.p, int32(n), int32(len(s.ps)), &s.slab)
	return s.id(gp), gp != nil
}

// GlobalContents shows the made-up Gs of the global queue. Between runs they
// wait in held.
func (s *set) GlobalContents() []record.ID {
	var ids []record.ID
	if !s.open.Load() {
		for gp := runtime.SpindleFirst(&s.held); gp != nil; gp = runtime.SpindleNext(gp) {
			ids = append(ids, s.id(gp))
		}
		return ids
	}
	var few [64]*runtime.SpindleG
	buf := few[:]
	n := runtime.SpindleGlobal(&s.slab, buf)
	if n > len(buf) {
		buf = make([]*runtime.SpindleG, n)
		n = min(n, runtime.SpindleGlobal(&s.slab, buf))
	}
	for _, gp := range buf[:n] {
		ids = append(ids, s.id(gp))
	}
	return ids
}
