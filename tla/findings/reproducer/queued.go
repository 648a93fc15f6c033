//go:build unix

package main

import (
	"runtime"
	"sync/atomic"
	"time"
)

// Each script here has two Ps: the caller is M1 of the finding's page, or the G that
// runs on its P, and makes a G runnable that waits then beside an idle P.

// wakep: M2 has run G2 and will not spin again, while M1 is in a wakep that fails.
func wakep(r *run) error {
	runtime.GOMAXPROCS(2)
	r.last = 4
	for r.more() {
		var ran atomic.Int64
		end := busy()
		done := make(chan bool)
		go func() { close(done) }() // G2
		r.arm()
		end()
		r.reach(2)
		since := time.Now()
		go func() { ran.Store(now()) }() // G3
		shown, wait := watch(&ran, since, false)
		r.tried(r.disarm(), shown, wait)
		<-done
		settle(&ran)
	}
	return nil
}

// settle yields until the G has run, so that nothing of a try is left for the next one.
func settle(ran *atomic.Int64) {
	for ran.Load() == 0 {
		runtime.Gosched()
	}
}

// handoffp: a locked G blocks, and its M hands off the P, while M1 is in a wakep that
// finds no idle P.
func handoffp(r *run) error {
	runtime.GOMAXPROCS(2)
	r.last = 4
	again := make(chan int64)
	var runs, block atomic.Int64 // the number of the try
	go func() {
		runtime.LockOSThread()
		for n := range again {
			runs.Store(n)
			for block.Load() < n && stage() < 2 {
			}
		}
	}()
	for n := int64(1); r.more(); n++ {
		var ran atomic.Int64
		again <- n
		await(func() bool { return runs.Load() == n }, time.Second)
		r.arm()
		if !r.gated {
			block.Store(n)
			r.reach(2)
		}
		since := time.Now()
		go func() { ran.Store(now()) }() // G3
		shown, wait := watch(&ran, since, false)
		block.Store(n)
		r.tried(r.disarm(), shown, wait)
		settle(&ran)
	}
	return nil
}

// batch: the caller and another G yield, so that both are in the global queue; M1
// takes both, and M2 looks for work before the second is in M1's ring.
func batch(r *run) error {
	runtime.GOMAXPROCS(2)
	r.last = 4
	for r.more() {
		var ran, yields atomic.Int64
		end := busy()
		r.arm()
		end()
		r.reach(2)
		go func() {
			yields.Store(now())
			runtime.Gosched()
			ran.Store(now())
		}()
		runtime.Gosched()
		if yields.Load() == 0 { // it was taken by the other M at once
			r.tried(false, false, 0)
			r.disarm()
			settle(&ran)
			continue
		}
		since := start.Add(time.Duration(yields.Load()))
		shown, wait := watch(&ran, since, false)
		r.tried(r.disarm(), shown, wait)
		settle(&ran)
	}
	return nil
}
