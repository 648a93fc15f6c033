package main

import (
	"fmt"
	"os"
	"sync/atomic"
	"time"
)

func syscallReturn(t *trial) {
	const calls = 100_000
	t.do("100,000 calls", func(k task) {
		began := time.Now()
		for range calls {
			k.block(getppid)
		}
		t.value = float64(time.Since(began)) / calls
	})
}

func syscallReturnBusy(t *trial) {
	for range t.procs {
		t.start(func(k task) {
			for !t.stop.Load() {
				k.yield()
			}
		})
	}
	t.do("30 nanosleeps", func(k task) {
		var late []float64
		for range 30 {
			began := time.Now()
			k.block(func() { nanosleep(time.Millisecond) })
			late = append(late, micro(time.Since(began)-time.Millisecond))
		}
		t.value = median(late)
	})
}

func floodThreads(t *trial) {
	const calls = 100
	t.more["threads before"] = float64(threads())
	var left atomic.Int32
	left.Store(calls)
	for range calls {
		t.start(func(k task) {
			k.block(func() { nanosleep(50 * time.Millisecond) })
			left.Add(-1)
		})
	}
	t.until("100 nanosleeps to end", func() bool {
		t.value = max(t.value, float64(threads()))
		return left.Load() == 0
	})
	if t.s != nil {
		t.ms = float64(t.s.Snapshot().Ms)
	}
	t.pause(time.Second)
	t.more["threads 1 s later"] = float64(threads())
	if t.s != nil {
		t.more["Ms 1 s later"] = float64(t.s.Snapshot().Ms)
	}
}

func idleConns(t *trial) {
	n := min(10_000, (mostFiles()-200)/2)
	if n < 1 {
		t.check(fmt.Errorf("expected to be allowed 202 open files or more, saw %d", mostFiles()))
	}
	t.more["connections"] = float64(n)
	t.more["threads before"] = float64(threads())
	var writers []*os.File
	end := func() {
		for _, w := range writers {
			w.Close()
		}
		writers = nil
	}
	defer end()
	var waiting, left atomic.Int32
	for range n {
		r, w, err := os.Pipe()
		t.check(err)
		writers = append(writers, w)
		read := func(task) error { _, err := r.Read(make([]byte, 1)); return err } // it returns an error: the end
		if t.s != nil {
			d, err := t.s.Open(r)
			t.check(err)
			read = func(k task) error {
				defer d.Close(k.g)
				return d.Read(k.g, time.Time{}, readable)
			}
		}
		t.start(func(k task) {
			defer r.Close()
			waiting.Add(1)
			_ = read(k) // whether all wait is seen by left
			left.Add(1)
		})
	}
	t.until("all to wait", func() bool { return int(waiting.Load()) == n })
	t.pause(200 * time.Millisecond)
	t.value = float64(threads())
	if gone := left.Load(); gone > 0 {
		t.check(fmt.Errorf("expected all to wait, saw %d that did not", gone))
	}
	end()
	t.until("all to see the end", func() bool { return int(left.Load()) == n })
}

func idleCPU(t *trial) {
	batons := make([]*baton, 100)
	for i := range batons {
		batons[i] = newBaton()
		t.start(batons[i].take)
	}
	defer t.start(func(k task) {
		for _, b := range batons {
			b.hand(k)
		}
	})
	t.pause(300 * time.Millisecond)
	before, _ := usage()
	t.pause(time.Second)
	after, _ := usage()
	t.value = milli(after - before)
}

func wakes(t *trial) {
	const submissions = 1000
	t.do("the first task", func(task) {})
	t.pause(20 * time.Millisecond)
	var ran atomic.Int32
	var woken uint64
	if t.s != nil {
		woken = t.s.Snapshot().Wakes
	}
	_, before := usage()
	next := time.Now()
	for range submissions {
		for next = next.Add(100 * time.Microsecond); time.Now().Before(next); {
		}
		t.start(func(task) { ran.Add(1) })
	}
	_, after := usage()
	t.value = float64(after-before) / submissions
	if t.s != nil {
		t.more["Wakes of Snapshot for each"] = float64(t.s.Snapshot().Wakes-woken) / submissions
	}
	t.until("all submissions to have run", func() bool { return ran.Load() == submissions })
}
