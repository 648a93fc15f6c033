//go:build unix

package main

import (
	"math/rand/v2"
	"os"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"
)

// A call is a syscall that blocks: the reading end of a pair of sockets, which may
// have a limit. It is no file of package os: the poller knows nothing of it.
type call struct{ fds [2]int }

func newCall(limit time.Duration) (*call, error) {
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		return nil, os.NewSyscallError("socketpair", err)
	}
	if limit > 0 {
		tv := syscall.NsecToTimeval(int64(limit))
		err = syscall.SetsockoptTimeval(fds[0], syscall.SOL_SOCKET, syscall.SO_RCVTIMEO, &tv)
	}
	return &call{fds}, os.NewSyscallError("setsockopt", err)
}

// wait makes the syscall, which end ends, or the limit.
func (c *call) wait() {
	for {
		if _, err := syscall.Read(c.fds[0], make([]byte, 1)); err != syscall.EINTR {
			return
		}
	}
}

func (c *call) end() { _, _ = syscall.Write(c.fds[1], []byte{0}) }

// clear takes what end has written after the limit.
func (c *call) clear() {
	_, _, _ = syscall.Recvfrom(c.fds[0], make([]byte, 1), syscall.MSG_DONTWAIT)
}

// length is how long the syscall lasts that a stop meets, if nobody ends it.
const length = 500 * time.Millisecond

// stwSyscall: a G is about to enter a syscall while another stops the world. Where the
// stop was quick the syscall is ended then, since there is nothing more to see.
func stwSyscall(r *run) error {
	var m runtime.MemStats
	return r.met(2, func() { runtime.ReadMemStats(&m) }, length/2)
}

// safepoint: the same, with a function that every P has to run. sysmon is awake there,
// and ends the wait: at once if no P is idle, and after 10 ms if one is, as here.
func safepoint(r *run) error { return r.met(3, forEachP, 9*time.Millisecond) }

// met calls all, on a runtime with procs Ps, which waits for every P, while a G enters a syscall; a call that
// lasts longer than bound shows the flaw.
func (r *run) met(procs int, all func(), bound time.Duration) error {
	runtime.GOMAXPROCS(procs)
	r.last = 3
	c, err := newCall(length)
	if err != nil {
		return err
	}
	for r.more() {
		var enters atomic.Bool
		done := make(chan bool)
		r.arm()
		go func() {
			mark()
			enters.Store(true)
			c.wait()
			close(done)
		}()
		if r.gated {
			r.reach(2)
		} else {
			await(enters.Load, time.Second)
			busyFor(rand.N(2 * time.Microsecond))
		}
		begin := time.Now()
		all()
		wait := time.Since(begin)
		met := r.disarm()
		c.end()
		<-done
		c.clear()
		r.tried(met, wait > bound, wait)
	}
	return nil
}
