//go:build unix

package main

import (
	"runtime"
	"sync/atomic"
	"time"
)

// caller is a G that is in a syscall, without a P, until it is called out of it.
type caller struct {
	*call
	enters atomic.Bool
	on     atomic.Int32 // the P that it runs on afterwards, + 1
}

// enter starts a G that makes the syscall and calls then afterwards.
func (c *caller) enter(then func()) {
	c.enters.Store(false)
	c.on.Store(0)
	go func() {
		c.enters.Store(true)
		c.wait()
		_, _, id := counts()
		c.on.Store(id + 1)
		then()
	}()
}

func newCaller() (*caller, error) {
	c, err := newCall(0)
	return &caller{call: c}, err
}

// away waits until all are in their syscalls; a stop of the world then takes their Ps.
func away(all ...*caller) {
	for _, c := range all {
		for !c.enters.Load() {
			runtime.Gosched()
		}
	}
	begin := time.Now()
	for time.Since(begin) < 100*time.Microsecond {
	}
}

// gomaxprocs: M1 has dropped its P and is counted as spinning while GOMAXPROCS grows to
// 3. One G comes out of its syscall on each of the two idle Ps. The one on the old P
// ends; the one on the new P makes G3 runnable.
func gomaxprocs(r *run) error {
	r.last = 3
	one, err := newCaller()
	if err != nil {
		return err
	}
	two, err := newCaller()
	if err != nil {
		return err
	}
	for r.more() {
		var ran, put atomic.Int64
		var putter, ended atomic.Int32 // 1, 2 or 3 for both
		body := func(me int32) func() {
			return func() {
				for putter.Load() == 0 {
				}
				if putter.Load() == me {
					put.Store(now())
					go func() { ran.Store(now()) }() // G3
					await(func() bool { return ran.Load() != 0 }, giveUp)
				}
				ended.Add(me)
			}
		}
		one.enter(body(1))
		two.enter(body(2))
		away(one, two)
		runtime.GOMAXPROCS(2)
		end := busy()
		r.arm()
		end()
		r.reach(2)
		runtime.GOMAXPROCS(3)
		one.end()
		await(func() bool { return one.on.Load() != 0 }, gateTime)
		two.end()
		await(func() bool { return two.on.Load() != 0 }, gateTime)
		fits := true
		switch {
		case two.on.Load() == 3:
			putter.Store(2)
		case one.on.Load() == 3:
			putter.Store(1)
		default:
			fits = false
			putter.Store(4)
		}
		if fits {
			await(func() bool { return put.Load() != 0 }, gateTime)
			if r.gated && stage() == 2 {
				setStage(3)
			}
			since := start.Add(time.Duration(put.Load()))
			shown, wait := watch(&ran, since)
			r.tried(r.disarm(), shown, wait)
		} else {
			r.disarm()
			r.tried(false, false, 0)
		}
		for ended.Load() != 3 {
			runtime.Gosched()
		}
	}
	return nil
}

// gateTime is how long the caller waits for a step of others that no gate holds.
const gateTime = 10 * time.Millisecond

// dueTimer: M2, counted as spinning, has dropped its P; a G comes out of its syscall on
// that P and ends, and its M may not spin. M2 polls until the timer of the caller's P
// is due and finds no idle P; the other M drops the P then.
func dueTimer(r *run) error {
	runtime.GOMAXPROCS(2)
	r.last = 4
	c, err := newCaller()
	if err != nil {
		return err
	}
	var m runtime.MemStats
	for r.more() {
		var ran atomic.Int64
		c.enter(func() {})
		away(c)
		runtime.ReadMemStats(&m) // the stop takes its P
		end := busy()
		const in = 2 * time.Millisecond
		due := time.Now().Add(in)
		time.AfterFunc(in, func() { ran.Store(now()) })
		r.arm()
		end()
		r.reach(2)
		c.end()
		await(func() bool { return time.Since(due) >= 0 }, time.Second)
		shown, wait := watch(&ran, due)
		r.tried(r.disarm(), shown, wait)
		settle(&ran)
	}
	return nil
}
