// Package ring is a run queue without a lock.
package ring

import "sync/atomic"

type Ring struct {
	head, tail atomic.Uint32 // ids[head] to ids[tail-1], modulo the capacity, are queued
	ids        []atomic.Uint64
}

func New(capacity int) *Ring { return &Ring{ids: make([]atomic.Uint64, capacity)} }

func (r *Ring) slot(i uint32) *atomic.Uint64 { return &r.ids[i%uint32(len(r.ids))] }

func (r *Ring) Put(id uint64) bool {
	t := r.tail.Load()
	if t-r.head.Load() == uint32(len(r.ids)) {
		return false
	}
	r.slot(t).Store(id)
	r.tail.Store(t + 1)
	return true
}

func (r *Ring) Get() (uint64, bool) {
	for {
		h := r.head.Load()
		if h == r.tail.Load() {
			return 0, false
		}
		id := r.slot(h).Load()
		if r.head.CompareAndSwap(h, h+1) {
			return id, true
		}
	}
}

func (r *Ring) Steal() (uint64, bool) { return r.Get() }

func (r *Ring) Empty() bool { return r.head.Load() == r.tail.Load() }
