//go:build unix

package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"
)

// computes is how long a G computes that comes from the poller, and begins how long
// after it what it keeps waiting begins to wait.
const (
	computes = 2 * time.Second
	begins   = 100 * time.Millisecond
)

// syscallFirst lets the G that comes from the poller make one syscall before it
// computes: that wakes sysmon.
var syscallFirst bool

// writer is the name of the other process: what is written from within wakes sysmon.
const writer = "writer"

// write is the other process. For each byte that it reads it waits until the reproducer
// is idle, writes to the first file, and later to the second, both times the time.
func write() {
	files := []*os.File{os.NewFile(3, "first"), os.NewFile(4, "second")}
	for {
		if _, err := os.Stdin.Read(make([]byte, 1)); err != nil {
			return // the reproducer has ended
		}
		time.Sleep(begins)
		for _, f := range files {
			if err := binary.Write(f, binary.LittleEndian, time.Now().UnixNano()); err != nil {
				return
			}
			time.Sleep(begins)
		}
	}
}

// sysmonSleep: one P. All is idle, and sysmon is in its deep sleep. A G comes from the
// poller, makes another runnable, and computes.
func sysmonSleep(r *run) error {
	runtime.GOMAXPROCS(1)
	r.last = 0
	return r.polled(func(files [2]*os.File) (time.Duration, error) {
		waited := make(chan time.Duration, 1)
		err := comeFromPoller(files[0], func() {
			since := time.Now()
			go func() { waited <- time.Since(since) }()
			compute(since)
		})
		if err != nil {
			return 0, err
		}
		if _, err := stamp(files[1]); err != nil {
			return 0, err
		}
		return <-waited, nil
	})
}

// poller: two Ps. A G comes from the poller and computes; while it does, another G's
// descriptor becomes ready, and the second P is idle.
func poller(r *run) error {
	runtime.GOMAXPROCS(2)
	r.last = 0
	return r.polled(func(files [2]*os.File) (time.Duration, error) {
		var ran atomic.Int64
		written := make(chan int64, 1)
		go func() {
			ready, err := stamp(files[1])
			ran.Store(time.Now().UnixNano())
			if err != nil {
				ready = 0
			}
			written <- ready
		}()
		if err := comeFromPoller(files[0], func() { compute(time.Now()) }); err != nil {
			return 0, err
		}
		ready := <-written
		if ready == 0 {
			return 0, fmt.Errorf("the writer has ended")
		}
		return time.Duration(ran.Load() - ready), nil
	})
}

// compute makes no syscall but the one that was asked for, and does not yield. It
// allocates nothing.
func compute(since time.Time) {
	if syscallFirst {
		_ = syscall.Close(-1)
	}
	for time.Since(since) < computes {
	}
}

// comeFromPoller waits in the poller until f can be read, and calls then on the way out
// of it, before any syscall.
func comeFromPoller(f *os.File, then func()) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	ready := false
	err = raw.Read(func(uintptr) bool {
		if ready {
			then()
			return true
		}
		ready = true
		return false
	})
	if err != nil {
		return err
	}
	_, err = stamp(f)
	return err
}

// stamp reads the time that the writer has written.
func stamp(f *os.File) (int64, error) {
	var b [8]byte
	_, err := io.ReadFull(f, b[:])
	return int64(binary.LittleEndian.Uint64(b[:])), err
}

// polled starts the writer and calls one for each try; a wait of more than half the
// computation shows the flaw.
func (r *run) polled(one func([2]*os.File) (time.Duration, error)) error {
	cmd := exec.Command(os.Args[0], writer)
	var files [2]*os.File
	for i := range files {
		read, write, err := os.Pipe()
		if err != nil {
			return err
		}
		files[i] = read
		cmd.ExtraFiles = append(cmd.ExtraFiles, write)
	}
	ask, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	for _, f := range cmd.ExtraFiles {
		f.Close() // it is the writer's now
	}
	for r.more() {
		if _, err := ask.Write([]byte{0}); err != nil {
			return err
		}
		wait, err := one(files)
		if err != nil {
			return err
		}
		r.tried(true, wait > computes/2, wait)
	}
	ask.Close()
	return cmd.Wait()
}
