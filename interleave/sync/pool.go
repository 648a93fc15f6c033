package sync

import (
	"sync"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/internal/list"
	"github.com/spindle-go/spindle/interleave/internal/object"
)

// A Pool is a [sync.Pool]: it has the same fields, so that it can be used as one
// outside of an exploration. (It cannot hold one and have a field New too.) That
// the fields are the same is checked when the program begins.
//
// While an execution is under way Get gives any of what was put, by any thread, or
// nothing, as its documentation says; all of that is tried. What was put last is tried
// first. A Pool begins empty: what an execution has put is not seen by the next, which
// would be another program.
type Pool struct {
	noCopy noCopy

	local      unsafe.Pointer
	localSize  uintptr
	victim     unsafe.Pointer
	victimSize uintptr

	// New is called by Get when there is nothing to be had, if it is not nil.
	New func() any
}

// pooled is what was put. Who gets it comes after who put it, and after nobody
// else who used the Pool.
type pooled struct {
	x   any
	put *byte
}

func (p *Pool) original() *sync.Pool { return (*sync.Pool)(unsafe.Pointer(p)) }

// Get is [sync.Pool.Get].
func (p *Pool) Get() any { return p.GetAt(0) }

// GetAt is Get at site.
func (p *Pool) GetAt(site Site) any {
	if engine.Execution() == 0 {
		return p.original().Get()
	}
	if engine.Controlled() {
		engine.Begin(unsafe.Pointer(p), object.PoolGet, site)
		p.touch()
	}
	x, ok := p.take()
	if engine.Controlled() {
		engine.EndPointer(data(x), nil, ok)
	}
	if !ok && p.New != nil {
		return p.New()
	}
	return x
}

func (p *Pool) take() (x any, ok bool) {
	pools := current().pools
	all := pools[p]
	n := len(all)
	if n == 0 {
		return nil, false
	}
	if engine.Controlled() {
		n -= engine.Pick(n + 1)
	}
	if n == 0 {
		return nil, false
	}
	got := all[n-1]
	pools[p] = list.Delete(all, n-1)
	if got.put != nil {
		engine.Acquire(unsafe.Pointer(got.put))
	}
	return got.x, true
}

// Put is [sync.Pool.Put].
func (p *Pool) Put(x any) { p.PutAt(0, x) }

// PutAt is Put at site.
func (p *Pool) PutAt(site Site, x any) {
	if engine.Execution() == 0 {
		p.original().Put(x)
		return
	}
	if x == nil {
		return
	}
	if engine.Controlled() {
		engine.Begin(unsafe.Pointer(p), object.PoolPut, site)
		p.touch()
		defer engine.EndPointer(nil, data(x), true)
	}
	c := current()
	if c.pools == nil {
		c.pools = make(map[*Pool][]pooled)
	}
	last := pooled{x: x}
	if engine.Controlled() && engine.PlainAccesses {
		last.put = new(byte)
		engine.Release(unsafe.Pointer(last.put))
	}
	c.pools[p] = append(c.pools[p], last)
}

// touch says what an operation works on: all but New, which is the user's.
func (p *Pool) touch() {
	engine.Touches(unsafe.Pointer(&p.local), unsafe.Offsetof(p.New)-unsafe.Offsetof(p.local))
}
