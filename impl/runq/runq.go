// Package runq is the run queue of a P, as the Go scheduler has it, in ordinary
// Go: a slot (runnext), a ring, and behind them a global queue.
//
// # The protocol
//
// A ring of a power of two slots, two free-running 32-bit indices. The Gs in
// the queue are those at head, head+1, ... tail-1, each index taken modulo the
// ring's length; the length is tail-head in wrapping arithmetic, so the indices
// may overflow and nothing happens.
//
//   - Only the owner writes slots and tail. It writes the slot first and tail
//     after: storing tail publishes.
//   - head moves by compare-and-swap only, by the owner and by thieves. Whoever
//     moves it from h to h+k owns the k Gs that were there, and nobody owned
//     them before.
//   - So a thief copies first and swaps after. Its copy may be garbage (the
//     owner may have gone round and written over the slots), but then head has
//     moved, the swap fails, and the copy is dropped. The owner may swap first
//     and read after, because nobody but itself writes slots (Drain does so).
//   - A thief reads head before tail. Between the two head may move and tail may
//     follow, so that tail-head exceeds the ring: such a pair is seen and read
//     again.
//   - A full ring moves its older half and the new G to the global queue in one
//     batch: one lock for half a ring of puts.
//   - runnext holds one G in front of the ring. Only the owner fills it; a thief
//     may only empty it. That asymmetry is why the owner's swap that fails in
//     Get needs no second try: it can only mean that the slot is empty now.
//
// # Designs that were not taken
//
// A lock around a slice is right, and a put and get under it cost little while
// nobody steals; but the owner would wait for thieves, on the path that every
// goroutine switch takes. The benchmarks show by how much.
//
// A Chase-Lev deque lets the owner take without a locked instruction, nearly
// always, by taking the newest. It needs a store-load barrier in exchange, and
// newest-first starves the oldest: a scheduler that promises progress to all
// wants first in, first out. runnext gives back the locality, one G deep.
//
// A two-phase steal (claim, copy, release; tokio's) lets a thief copy without
// fear of being overrun, for a second index that the owner must respect: a slow
// thief then makes the owner's ring look full. Here a slow thief costs nobody
// anything but itself.
//
// Tags in the indices against ABA: an index comes back to the same value after
// 2^32 takes, all within one thief's copy. At 20 ns a take that is 86 seconds
// of a thread not running; the runtime takes the risk, and so does this code.
// With 8-bit indices it does happen, and a mutant shows it.
//
// Plain slots, as the runtime has them. A thief's read of a slot that is being
// overwritten is harmless, since its value is then dropped, but it is a data
// race by the letter, and the race detector says so. Slots here are atomic: on
// amd64 a store is then a locked exchange, which is what large steals pay
// against the runtime (the README has the figures).
//
// # How to read the comments at line ends
//
// Each line that touches shared memory names the action of the model that it is
// (package spec has the list; the model is in tla/). "with" marks an access that
// is not a step of its own: a word that nobody else writes at that moment, or
// one inside a section under the lock that the step names.
//
// The functions bear the names of their originals in src/runtime/proc.go:
// runqput is Put, runqputslow putSlow, runqgrab grab, and so on.
package runq

import (
	"fmt"
	"sync/atomic"
)

// DefaultCapacity is the length of the Go runtime's ring.
const DefaultCapacity = 256

// A G is a unit of work. It is in at most one queue at a time, and whoever took
// it from one owns it, with its link. It may be on Ps of one global queue only,
// which keeps it reachable from then on.
type G struct {
	Value any     // what its scheduler knows it by
	home  *Global // whose table has this G, once it was on a P
	ref   uint32  // its place there

	// These change each time that a G is used again. They come last: impl/sched has more such fields, in the same cache line.
	link *G // the next G of the List that holds this one (g.schedlink)
	ID   uint64
}

// Config are the parameters of a P's queue. The zero value is the runtime's.
type Config struct {
	// Capacity of the ring in Gs, a power of two from 2 to 2^16; 0 means
	// DefaultCapacity.
	Capacity int
	// Start is the first value of the free-running indices.
	Start uint32
	// Rand, if set, returns a number in [0, n) and randomises what the race
	// detector's build of the runtime randomises: whether runnext is used, and
	// the order of batches. Called by the owner.
	Rand func(n uint32) uint32
	// BeforeStealNext, if set, is called by a thief that is about to take
	// runnext: the place where the runtime sleeps 3 µs if the P is running.
	BeforeStealNext func(victim *P)
	// Overflow, if set, puts what a full ring gives away on the global queue: a scheduler
	// does that under its lock, with what else it keeps there. Called by the owner.
	Overflow func(q List)
}

// A P is the queue of one P. Put, PutBatch, Get and Drain may be called by its
// owner only, and Steal by the owner of the P that receives; Empty and Len by
// anyone.
type P struct {
	head  atomic.Uint32
	tail  atomic.Uint32
	next  atomic.Uint32   // a reference to a G, 0 for none
	slots []atomic.Uint32 // references to Gs

	global      *Global
	batch       []uint32 // the owner's scratch for putSlow
	refs, limit uint32   // references reserved for Gs that this owner puts first
	config      Config
}

// NewP returns an empty queue in front of global. It panics if the capacity is
// not a power of two from 2 to 2^16, or global is nil.
func NewP(global *Global, c Config) *P {
	if c.Capacity == 0 {
		c.Capacity = DefaultCapacity
	}
	if c.Capacity < 2 || c.Capacity > 1<<16 || c.Capacity&(c.Capacity-1) != 0 {
		panic(fmt.Sprintf("runq: capacity %d, want a power of two from 2 to 65536", c.Capacity))
	}
	if global == nil {
		panic("runq: nil global queue")
	}
	p := &P{
		slots:  make([]atomic.Uint32, c.Capacity),
		batch:  make([]uint32, c.Capacity/2+1),
		global: global,
		config: c,
	}
	p.head.Store(c.Start) //interleave:invisible nobody else knows this P yet
	p.tail.Store(c.Start) //interleave:invisible nobody else knows this P yet
	p.refs, p.limit = global.table.reserve()
	return p
}

// Cap returns the length of the ring in Gs; runnext is one more place.
func (p *P) Cap() int { return len(p.slots) }

// slot is where index i lies.
func (p *P) slot(i uint32) *atomic.Uint32 {
	return &p.slots[int(i)&(len(p.slots)-1)]
}

// Put puts g at the tail of the ring, or in runnext if next is set; what was in
// runnext is then kicked to the tail. If the ring is full, half of it goes to
// the global queue with the G that found no place. Owner only. (runqput)
func (p *P) Put(g *G, next bool) {
	if next && p.config.Rand != nil && p.config.Rand(2) == 0 {
		next = false
	}
	ref := p.ref(g)
	if next {
		for {
			old := p.next.Load()                 // RunQueue!PutLoadNext
			if p.next.CompareAndSwap(old, ref) { // RunQueue!PutCASNext
				if old == 0 {
					return
				}
				ref = old
				break
			}
		}
	}
	for {
		h := p.head.Load() // RunQueue!PutLoadHead
		t := p.tail.Load() // with RunQueue!PutLoadHead: only the owner writes tail
		if t-h < uint32(len(p.slots)) {
			p.slot(t).Store(ref) // RunQueue!PutWriteSlot
			p.tail.Store(t + 1)  // RunQueue!PutStoreTail
			return
		}
		if p.putSlow(ref, h, t) {
			return
		}
		// A thief made room: the ring is not full now, and the next round puts.
	}
}

// putSlow moves the older half of a full ring and ref's G to the global queue. False
// means that the ring was not full after all and nothing was moved. Owner only.
// (runqputslow)
func (p *P) putSlow(ref, h, t uint32) bool {
	n := (t - h) / 2
	if n != uint32(len(p.slots)/2) {
		panic("runq: putSlow of a ring that is not full")
	}
	for i := range n {
		p.batch[i] = p.slot(h + i).Load() // RunQueue!PutSlowCopy
	}
	if !p.head.CompareAndSwap(h, h+n) { // RunQueue!PutSlowCASHead
		return false
	}
	p.batch[n] = ref
	if p.config.Rand != nil {
		for i := uint32(1); i <= n; i++ {
			j := p.config.Rand(i + 1)
			p.batch[i], p.batch[j] = p.batch[j], p.batch[i]
		}
	}
	var q List
	for i := range n + 1 {
		q.PushBack(p.g(p.batch[i]))
	}
	if p.config.Overflow != nil {
		p.config.Overflow(q)
		return true
	}
	p.global.Lock()       // RunQueue!PutSlowGlobal
	p.global.PutBatch(&q) // with RunQueue!PutSlowGlobal: the section under the lock
	p.global.Unlock()     // with RunQueue!PutSlowGlobal: the section under the lock
	return true
}

// PutBatch puts the Gs of q at the tail of the ring, in order, as many as fit.
// The others stay in q, and the caller owns them still: the runtime's puts them
// on the global queue (injectglist). Owner only. (runqputbatch)
func (p *P) PutBatch(q *List) {
	if q.Empty() {
		return
	}
	h := p.head.Load() // RunQueue!PutBatchLoadHead
	t := p.tail.Load() // with RunQueue!PutBatchLoadHead: only the owner writes tail
	first, n := t, uint32(0)
	for !q.Empty() && t-h < uint32(len(p.slots)) {
		p.slot(t).Store(p.ref(q.Pop())) // RunQueue!PutBatchWriteSlots
		t++
		n++
	}
	if p.config.Rand != nil {
		for i := uint32(1); i < n; i++ {
			a, b := p.slot(first+i), p.slot(first+p.config.Rand(i+1))
			x := a.Load() // with RunQueue!PutBatchWriteSlots: not published yet
			y := b.Load() // with RunQueue!PutBatchWriteSlots: not published yet
			a.Store(y)    // with RunQueue!PutBatchWriteSlots: not published yet
			b.Store(x)    // with RunQueue!PutBatchWriteSlots: not published yet
		}
	}
	p.tail.Store(t) // RunQueue!PutBatchStoreTail
}

// Get takes the G in runnext, else the oldest of the ring, else returns nil.
// inheritTime says that the G came from runnext and runs on in its waker's time
// slice. Owner only. (runqget)
func (p *P) Get() (g *G, inheritTime bool) {
	next := p.next.Load() // RunQueue!GetLoadNext
	// One try: only this owner fills the slot, so if the swap fails it is empty.
	if next != 0 && p.next.CompareAndSwap(next, 0) { // RunQueue!GetCASNext
		return p.g(next), true
	}
	for {
		h := p.head.Load() // RunQueue!GetLoadHead
		t := p.tail.Load() // with RunQueue!GetLoadHead: only the owner writes tail
		if t == h {
			return nil, false
		}
		ref := p.slot(h).Load()            // with RunQueue!GetCASHead: only the owner writes slots
		if p.head.CompareAndSwap(h, h+1) { // RunQueue!GetCASHead
			return p.g(ref), false
		}
	}
}

// Drain takes everything: runnext first, then the ring, oldest first. Owner
// only. (runqdrain)
func (p *P) Drain() List {
	var q List
	next := p.next.Load()                            // RunQueue!DrainLoadNext
	if next != 0 && p.next.CompareAndSwap(next, 0) { // RunQueue!DrainCASNext
		q.PushBack(p.g(next))
	}
	for {
		h := p.head.Load() // RunQueue!DrainLoadHead
		t := p.tail.Load() // with RunQueue!DrainLoadHead: only the owner writes tail
		n := t - h
		if n == 0 {
			return q
		}
		// Swap first, read after: to link a G one must own it, and no thief may
		// be linking it meanwhile. Reading after the swap is safe only here,
		// because the one who reads is the one who writes slots.
		if !p.head.CompareAndSwap(h, h+n) { // RunQueue!DrainCASHead
			continue
		}
		for i := range n {
			ref := p.slot(h + i).Load() // RunQueue!DrainReadSlots
			q.PushBack(p.g(ref))
		}
		return q
	}
}
