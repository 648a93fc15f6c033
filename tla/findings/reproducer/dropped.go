//go:build unix

package main

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// caller is a G that is in a syscall, without a P, until it is called out of it.
type caller struct {
	*call
	enters atomic.Bool
	on     atomic.Int32 // the P that it runs on afterwards, + 1
	n      int          // which of newCallers it is
	until  uint32       // the stage until which it is held when the syscall is over, or 0
}

// enter starts a G that makes the syscall and calls then afterwards.
func (c *caller) enter(then func()) {
	c.enters.Store(false)
	c.on.Store(0)
	c.clear()
	go func() {
		if c.until != 0 {
			hold(c.n, c.until)
		}
		c.enters.Store(true)
		c.wait()
		c.on.Store(here() + 1)
		then()
	}()
}

// newCallers makes n callers. Their syscalls have a limit: the stop of the world that takes
// the callers' Ps may wait until a syscall ends (stw-syscall), and nobody else would end it.
func newCallers(n int) ([]*caller, error) {
	all := make([]*caller, n)
	for i := range all {
		c, err := newCall(length)
		if err != nil {
			return nil, err
		}
		all[i] = &caller{call: c, n: i}
	}
	return all, nil
}

// away waits until all are in their syscalls; a stop of the world then takes their Ps.
func away(all ...*caller) {
	for _, c := range all {
		for !c.enters.Load() {
			runtime.Gosched()
		}
	}
	busyFor(100 * time.Microsecond)
}

// gomaxprocs: M1 has dropped its P and is counted as spinning while GOMAXPROCS grows to
// 3. One G comes out of its syscall on each of the two idle Ps. The one on the old P
// ends, and the caller waits; then the one on the new P makes G3 runnable.
func gomaxprocs(r *run) error {
	r.last = 3
	callers, err := newCallers(2)
	if err != nil {
		return err
	}
	type seen struct {
		shown, ok bool
		wait      time.Duration
	}
	for r.more() {
		var on atomic.Int32 // the P whose G makes G3 runnable, + 1
		ends := make(chan seen, len(callers))
		for _, c := range callers {
			c.enter(func() {
				await(func() bool { return on.Load() != 0 }, giveUp)
				var s seen
				if c.on.Load() == on.Load() {
					s.shown, s.wait, s.ok = r.makeReady()
				}
				ends <- s
			})
		}
		away(callers...)
		runtime.GOMAXPROCS(2)
		end := busy()
		r.arm()
		end()
		r.reach(2)
		runtime.GOMAXPROCS(3)
		for _, c := range callers {
			c.end()
			await(func() bool { return c.on.Load() != 0 }, stepTime)
		}
		on.Store(3)
		one, two := <-ends, <-ends
		if two.ok {
			one = two
		}
		r.tried(r.disarm() && one.ok, one.shown, one.wait)
	}
	return nil
}

// makeReady makes G3 runnable when the two other Ps are idle, and opens M1's gate.
func (r *run) makeReady() (shown bool, wait time.Duration, ok bool) {
	var ran atomic.Int64
	if !await(func() bool { idle, _, _ := counts(); return idle == 2 }, stepTime) {
		return false, 0, false
	}
	since := time.Now()
	go func() { ran.Store(now()) }() // G3
	if stage() == 2 {
		setStage(3)
	}
	shown, wait = watch(&ran, since, false)
	settle(&ran)
	return shown, wait, true
}

// stepTime is how long the caller waits for a step of others that no gate holds.
const stepTime = 10 * time.Millisecond

// goyield: the caller, on M2, unlocks a mutex for which B starves. That makes B runnable, in
// runnext, and calls goyield. M1 steals B, runs it, and drops its P. A G comes out of its
// syscall on that P and ends, and its M3 may not spin. Another one comes out of its
// syscall when no P is idle, and goes to the global queue. Then the caller is put in its
// ring, and M2 takes the other one, because it is the 61st time.
func goyield(r *run) error {
	runtime.GOMAXPROCS(2)
	r.last = 8
	callers, err := newCallers(2)
	if err != nil {
		return err
	}
	short, long := callers[0], callers[1]
	short.until, long.until = 4, 6
	var m runtime.MemStats
	for r.more() {
		var (
			mu     sync.Mutex
			ran    atomic.Int64
			waits  atomic.Bool
			hands  atomic.Bool // the caller makes no syscall any more
			ends   = make(chan bool, 2)
			beside = make(chan bool, 1)
		)
		short.enter(func() { ends <- true })
		long.enter(func() {
			if stage() == 7 {
				setStage(8)
			}
			await(hands.Load, giveUp)
			shown, _ := watch(&ran, time.Now(), false)
			beside <- shown
		})
		away(short, long)
		runtime.ReadMemStats(&m) // the stop takes their Ps
		mu.Lock()
		go func() { // B
			waits.Store(true)
			mu.Lock()
			if stage() == 2 {
				setStage(3)
			}
			mu.Unlock()
			ends <- true
		}()
		for !waits.Load() {
			runtime.Gosched()
		}
		busyFor(2 * starving)
		mu.Unlock() // B is made runnable, and finds that
		mu.Lock()   // it is locked again: it starves
		busyFor(starving / 5)
		for tick()%61 != 0 {
			runtime.Gosched()
		}
		r.arm()
		short.end()
		long.end()
		r.reach(0)
		hands.Store(true)
		since := time.Now()
		mu.Unlock()
		ran.Store(now())
		wait := time.Since(since)
		r.missed()
		shown := <-beside
		<-ends
		<-ends
		r.tried(r.disarm(), shown, wait)
	}
	return nil
}

// starving is how long a G waits for a mutex until it is handed over to it.
const starving = time.Millisecond

// dueTimer: M2, counted as spinning, has dropped its P; a G comes out of its syscall on
// that P and ends, and its M may not spin. M2 polls until the timer of the caller's P
// is due and finds no idle P; the other M drops the P then.
func dueTimer(r *run) error {
	runtime.GOMAXPROCS(2)
	r.last = 4
	callers, err := newCallers(1)
	if err != nil {
		return err
	}
	c := callers[0]
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
		shown, wait := watch(&ran, due, true)
		r.tried(r.disarm(), shown, wait)
		settle(&ran)
	}
	return nil
}
