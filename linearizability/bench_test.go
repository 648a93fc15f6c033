package linearizability

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/spindle-go/spindle/internal/cputime"
	"github.com/spindle-go/spindle/linearizability/recorder"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/sequential"
)

// longHistory is a correct history of one owner and some thieves on P0's ring:
// calls take effect one after another, and overlap with those of the others.
func longHistory(ops, thieves int) *record.History {
	rng := rand.New(rand.NewPCG(7, uint64(ops)))
	h := &record.History{Clock: record.ClockCounter, Moves: true, Capacity: 256}
	h.Scenario.Ps = 1
	h.Ops = make([]record.Op, 0, ops)
	last := make([]int64, thieves+1)
	ids := make([]record.ID, ops+1)
	for i := range ids {
		ids[i] = record.ID(i + 1)
	}
	head, tail := 0, 0
	for at := int64(1000); len(h.Ops) < ops; at += 10 {
		t := rng.IntN(2) * rng.IntN(thieves+1) // the owner makes half of the calls
		if last[t] >= at {
			continue
		}
		op := record.Op{Thread: t, P: 0, Thief: record.None}
		op.Call = max(last[t]+1, at-int64(rng.IntN(60)))
		op.Return = at + int64(rng.IntN(60))
		last[t] = op.Return
		switch {
		case t == 0 && tail-head < 256 && rng.IntN(4) > 0:
			op.Kind, op.In, op.Count, op.OK = record.Put, ids[tail:tail+1:tail+1], 1, true
			tail++
		case t != 0 && rng.IntN(16) == 0:
			op.Kind, op.OK = record.Empty, head == tail
		default:
			op.Kind = record.Get
			if t != 0 {
				op.Kind = record.Steal
			}
			if head < tail {
				op.Out, op.OK = ids[head:head+1:head+1], true
				head++
			}
		}
		h.Ops = append(h.Ops, op)
	}
	h.Final.Ps = []record.PContents{{Ring: slices.Clone(ids[head:tail])}}
	sortOps(h)
	return h
}

var benchRules = sequential.RulesOf(spec.GoRT, 256)

// perOp reports the cost of each operation of the history, in time and in CPU
// time of all threads since cpu.
func perOp(b *testing.B, ops int, cpu time.Duration) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(ops), "ns/historyop")
	if cpu := cputime.Used() - cpu; cpu > 0 {
		b.ReportMetric(float64(cpu.Nanoseconds())/float64(b.N)/float64(ops), "cpu-ns/historyop")
	}
}

func benchmark(b *testing.B, by method, ops int) {
	h := longHistory(ops, 3)
	runtime.GC()
	cpu := cputime.Used()
	b.ResetTimer()
	for b.Loop() {
		if r := Check(h, Options{Rules: benchRules, method: by, Timeout: time.Minute}); r.Verdict != Ok {
			b.Fatalf("%v: %v", r.Verdict, r.Explanation())
		}
	}
	perOp(b, ops, cpu)
}

// BenchmarkMonitor is Check in full: conservation, projection, and the monitor
// (histories of 1 owner and 3 thieves on one ring).
func BenchmarkMonitor(b *testing.B) {
	for _, ops := range []int{1_000, 10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint("ops=", ops), func(b *testing.B) { benchmark(b, byMonitor, ops) })
	}
}

// BenchmarkPorcupine is the same with porcupine as the judge.
func BenchmarkPorcupine(b *testing.B) {
	for _, ops := range []int{1_000, 10_000} {
		b.Run(fmt.Sprint("ops=", ops), func(b *testing.B) { benchmark(b, byPorcupine, ops) })
	}
}

// BenchmarkSideBySide is the two judges alone, on the same projected ring of
// 10,000 operations.
func BenchmarkSideBySide(b *testing.B) {
	const ops = 10_000
	o := project(longHistory(ops, 3), benchRules)[0]
	b.Run("monitor", func(b *testing.B) {
		cpu := cputime.Used()
		for b.Loop() {
			if l, why, e := layOut(o); why != "" || e != nil {
				b.Fatal(why, e)
			} else if failed, _ := newMonitor(l, nil).run(); failed >= 0 {
				b.Fatal("illegal")
			}
		}
		perOp(b, ops, cpu)
	})
	b.Run("porcupine", func(b *testing.B) {
		cpu := cputime.Used()
		for b.Loop() {
			if r := askPorcupine(o, time.Minute); r != porcupine.Ok {
				b.Fatal(r)
			}
		}
		perOp(b, ops, cpu)
	})
}

// BenchmarkWrong is Check on 2,000 operations that are wrong near the end,
// explanation included.
func BenchmarkWrong(b *testing.B) {
	for _, clients := range []int{4, 64} {
		for _, kind := range []string{"order", "none"} {
			b.Run(fmt.Sprintf("clients=%d/%s", clients, kind), func(b *testing.B) {
				h := wrongHistory(b, 2000, clients, kind)
				cpu := cputime.Used()
				b.ResetTimer()
				for b.Loop() {
					if r := Check(h, Options{Rules: benchRules, method: byMonitor}); r.Verdict != Illegal {
						b.Fatal(r.Verdict)
					}
				}
				perOp(b, 2000, cpu)
			})
		}
	}
}

// wrongHistory spoils a long history at about nine tenths of its length.
func wrongHistory(t testing.TB, ops, clients int, kind string) *record.History {
	h := longHistory(ops, clients-1)
	var takes []int
	for i := ops * 9 / 10; i < len(h.Ops); i++ {
		if op := &h.Ops[i]; len(op.Out) > 0 {
			takes = append(takes, i)
		}
	}
	if len(takes) < 2 {
		t.Fatal("no takes to spoil")
	}
	switch kind {
	case "order": // two takes change what they took
		a := &h.Ops[takes[0]]
		for _, i := range takes[1:] {
			z := &h.Ops[i]
			a.Out, z.Out = z.Out, a.Out
			if r := Check(h, Options{Rules: benchRules, method: byMonitor}); r.Verdict == Illegal {
				return h
			}
			a.Out, z.Out = z.Out, a.Out
		}
		t.Fatal("all takes overlap")
	case "none": // somebody says that the ring was empty, at a moment when it cannot have been
		ops := slices.Clone(h.Ops)
		for i := takes[0]; i < len(ops); i++ {
			at := ops[i].Call
			h.Ops = append(slices.Clone(ops), record.Op{Thread: clients, Kind: record.Empty, OK: true, Thief: record.None, Call: at, Return: at + 20})
			sortOps(h)
			if Check(h, Options{Rules: benchRules, method: byMonitor}).Verdict == Illegal {
				return h
			}
		}
		t.Fatal("the ring may always have been empty")
	}
	return h
}

// BenchmarkRecorder is the cost of recording one call.
func BenchmarkRecorder(b *testing.B) {
	for _, kind := range []string{record.ClockTime, record.ClockCounter} {
		b.Run(kind, func(b *testing.B) {
			clock := recorder.NewClock(kind)
			l := recorder.NewLog(clock, 0, 1<<16, 1<<16)
			for i := 0; b.Loop(); i++ {
				if l.Len() == 1<<16 {
					b.StopTimer()
					l = recorder.NewLog(clock, 0, 1<<16, 1<<16)
					b.StartTimer()
				}
				l.Call(record.Put, 0, record.None, 0, 1)
				l.Return()
				l.Result(true, 1, false)
			}
		})
	}
}
