package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/spindle-go/spindle/impl/sched"
)

// A counter has cache lines of its own.
type counter struct {
	atomic.Int64
	_ [120]byte
}

// ready has a pair of tasks on each P that make each other ready, and another that comes back from a blocking read, and so from the global queue.
func ready(t *trial) {
	r, w, err := blockingPipe()
	t.check(err)
	defer r.Close()
	defer w.Close() // ends the read if nothing was written
	turns := make([]counter, t.procs)
	made := func() (n int64) {
		for i := range turns {
			n += turns[i].Load()
		}
		return n
	}
	for i := range turns {
		t.pair(0, func() { turns[i].Add(1) })
	}
	var reads atomic.Bool
	var wrote, before atomic.Int64 // the time, and how many turns there had been
	ended, began := make(chan struct{}), time.Now()
	read := func() {
		reads.Store(true)
		_, err = r.Read(make([]byte, 1))
	}
	t.start(func(k task) {
		defer close(ended)
		if k.g == nil {
			read()
		} else {
			k.g.BlockLong(read)
		}
		t.value = milli(time.Since(began) - time.Duration(wrote.Load()))
		t.more["rounds of the pairs meanwhile"] = float64(made() - before.Load())
	})
	t.until("the blocking read to begin", reads.Load)
	t.pause(20 * time.Millisecond)
	before.Store(made())
	wrote.Store(int64(time.Since(began)))
	writeByte(w)
	t.wait("the task to come back from its read", ended)
	t.check(err)
}

const rounds = 300_000

func pingPong(t *trial) {
	ended, took := t.pair(rounds, func() {})
	t.wait("the last round", ended)
	t.value = float64(*took) / rounds / 2
}

func pingPongLocked(t *trial) {
	const rounds = 3000
	ended, took := t.pair(rounds, func() {})
	t.wait("the last round", ended)
	t.value = float64(*took) / rounds / 2
}

func pingPongThreads(t *trial) {
	last, changes := 0, 0
	ended, _ := t.pair(rounds, func() {
		if id := gettid(); id != last {
			last = id
			changes++
		}
	})
	t.wait("the last round", ended)
	t.value = 100 * float64(changes-1) / rounds
	if t.s != nil {
		t.more["Ms"] = float64(t.s.Snapshot().Ms)
		t.changesOfM()
	}
}

// tracedRounds are fewer: a trace is written as JSON.
const tracedRounds = 20_000

// changesOfM counts how often a task of a pair runs on another M than before, in a scheduler with a trace: a G cannot see on which M it runs.
func (t *trial) changesOfM() {
	trace, traced := new(sched.Trace), &trial{row: t.row, ctx: t.ctx}
	s, err := sched.New(sched.Config{Procs: t.procs, Trace: trace})
	t.check(err)
	traced.s = s
	ended, _ := traced.pair(tracedRounds, func() {})
	t.wait("the last round with a trace", ended)
	t.check(s.CloseWithin(bound))
	var text bytes.Buffer
	var file struct {
		TraceEvents []struct {
			Name, Ph string
			Args     struct{ M int }
		}
	}
	_, err = trace.WriteTo(&text)
	t.check(err)
	t.check(json.Unmarshal(text.Bytes(), &file))
	last, spans, changes := 0, 0, 0
	for _, e := range file.TraceEvents { // in the order of time
		if e.Ph != "X" || e.Name != "G 2" { // that of the pair that counts
			continue
		}
		if last != 0 && e.Args.M != last {
			changes++
		}
		last = e.Args.M
		spans++
	}
	if spans < tracedRounds/2 { // some rounds need no wait
		t.check(fmt.Errorf("the trace: expected some %d spans of G 2, saw %d", tracedRounds, spans))
	}
	t.ms = 100 * float64(changes) / float64(spans)
}

func timerLate(t *trial) {
	t.do("50 sleeps of 1 ms", func(k task) {
		var late []float64
		for range 50 {
			began := time.Now()
			k.sleep(time.Millisecond)
			late = append(late, micro(time.Since(began)-time.Millisecond))
		}
		t.value = median(late)
	})
}

// spawnRun keeps its P before each start until those sleep that looked for work, and after it until the task has begun.
func spawnRun(t *trial) {
	keep := func(until func() bool) {
		for began := time.Now(); !until() && time.Since(began) < bound; {
		}
	}
	t.do("30 starts", func(k task) {
		var took []float64
		for range 30 {
			k.sleep(time.Millisecond)
			woke := time.Now()
			keep(func() bool { return time.Since(woke) > 200*time.Microsecond })
			var ran atomic.Int64
			began := time.Now()
			if k.g == nil {
				go func() { ran.Store(int64(time.Since(began))) }()
			} else {
				k.g.Go(func(*sched.G) { ran.Store(int64(time.Since(began))) })
			}
			keep(func() bool { return ran.Load() != 0 })
			took = append(took, micro(time.Duration(ran.Load())))
		}
		t.value = median(took)
	})
}
