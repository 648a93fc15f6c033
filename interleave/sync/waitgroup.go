package sync

import (
	"sync"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/internal/object"
)

// A WaitGroup is a [sync.WaitGroup].
//
// Threads add to the original. They look at its counter where it is, because
// the original has no call that tells; where that is, is checked when the
// program begins.
type WaitGroup struct{ wg sync.WaitGroup }

// wgWords is how a sync.WaitGroup is laid out.
type wgWords struct {
	state uint64 // the counter in the upper half, and who waits
	sema  uint32
}

func (wg *WaitGroup) counter() int32 {
	return int32((*wgWords)(unsafe.Pointer(wg)).state >> 32)
}

// Add is [sync.WaitGroup.Add].
func (wg *WaitGroup) Add(delta int) { wg.AddAt(0, delta) }

// AddAt is Add at site.
func (wg *WaitGroup) AddAt(site Site, delta int) {
	if !engine.Controlled() {
		wg.wg.Add(delta)
		return
	}
	engine.Begin(unsafe.Pointer(wg), object.Count, site)
	engine.Touches(unsafe.Pointer(wg), unsafe.Sizeof(*wg))
	defer wg.end(wg.counter()) // deferred: Add panics if the counter becomes negative
	wg.wg.Add(delta)
}

func (wg *WaitGroup) end(before int32) {
	engine.End(uint64(before), uint64(wg.counter()), true)
}

// Done is [sync.WaitGroup.Done].
func (wg *WaitGroup) Done() { wg.AddAt(0, -1) }

// DoneAt is Done at site.
func (wg *WaitGroup) DoneAt(site Site) { wg.AddAt(site, -1) }

// Wait is [sync.WaitGroup.Wait].
func (wg *WaitGroup) Wait() { wg.WaitAt(0) }

// WaitAt is Wait at site.
func (wg *WaitGroup) WaitAt(site Site) {
	if !engine.Controlled() {
		if engine.Hosted && engine.Outside() && wg.counter() > 0 {
			engine.WaitsOutside("a WaitGroup whose counter is not zero")
		}
		wg.wg.Wait()
		return
	}
	engine.Await(unsafe.Pointer(wg), object.Wait, site, counterZero, unsafe.Pointer(wg))
	engine.Touches(unsafe.Pointer(wg), unsafe.Sizeof(*wg))
	engine.End(0, 0, false)
}

func counterZero(wg unsafe.Pointer) bool { return (*WaitGroup)(wg).counter() == 0 }

// Go is [sync.WaitGroup.Go].
func (wg *WaitGroup) Go(f func()) { wg.GoAt(0, f) }

// GoAt is Go at site.
func (wg *WaitGroup) GoAt(site Site, f func()) {
	done := func() {
		defer func() {
			// As the original: what waits must not go on because of a panic.
			if p := recover(); p != nil {
				panic(p)
			}
			wg.DoneAt(site)
		}()
		f()
	}
	switch {
	case engine.Controlled():
		wg.AddAt(site, 1)
		engine.Spawn(site, done)
	case engine.SpawnOutside(site, done):
		wg.wg.Add(1)
	default:
		wg.wg.Go(f)
	}
}
