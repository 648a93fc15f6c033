package runq

import (
	"math/bits"
	"sync"
)

// A table gives Gs numbers, their references, so that a ring can hold a G in a
// word that means nothing to the garbage collector. (allgs; a reference is what
// guintptr is there)
//
// An atomic.Pointer is simpler, but its stores and swaps are calls, two deep, for
// the sake of the collector's write barrier, where those of an atomic.Uint32 are
// one instruction each. With it runnext took 1.5 times as long as the runtime's,
// and a steal of 128 a third longer than now.
//
// The price is the runtime's, too: what was once on a P is reachable as long as
// its Global is. So Gs are to be used again, not made anew for each put.
//
// The table is made of blocks that never move: 64 references in the first, then
// each block as many as all before it. Reading needs no synchronization of its
// own. Who uses a reference has taken it from a ring or a runnext, and the G was
// in the table before its reference was published there. A thief's copy that it
// drops may be of any age, and is never looked up.
type table struct {
	mu     sync.Mutex
	used   uint32
	blocks [27][]*G
}

const firstBlock = 64

// at is the place of the G that ref refers to.
func (t *table) at(ref uint32) **G {
	b := t.blocks[bits.Len32(ref/firstBlock)]
	return &b[int(ref)&(len(b)-1)]
}

// reserved is how many references an owner gets at a time.
const reserved = 16

// reserve returns references that are now the caller's to give out, from lo to
// hi-1.
func (t *table) reserve() (lo, hi uint32) {
	t.mu.Lock()         //interleave:invisible numbering Gs is no step of the queue
	defer t.mu.Unlock() //interleave:invisible numbering Gs is no step of the queue
	lo, hi = t.used, t.used+reserved
	if hi < lo {
		panic("runq: more than 2^32 Gs")
	}
	t.used = hi
	if b := &t.blocks[bits.Len32(lo/firstBlock)]; *b == nil {
		*b = make([]*G, max(firstBlock, lo))
	}
	return max(lo, 1), hi // 0 is no G
}

// g returns the G that ref refers to, nil for 0.
func (p *P) g(ref uint32) *G { return *p.global.table.at(ref) }

// ref returns the reference to g, and puts g in the table if it is new. Owner
// only.
func (p *P) ref(g *G) uint32 {
	if g.home != p.global {
		p.number(g)
	}
	return g.ref
}

// number puts g in the table.
func (p *P) number(g *G) {
	if g.home != nil {
		panic("runq: a G of a P with another global queue")
	}
	if p.refs == p.limit {
		p.refs, p.limit = p.global.table.reserve()
	}
	g.home, g.ref = p.global, p.refs
	*p.global.table.at(g.ref) = g
	p.refs++
}
