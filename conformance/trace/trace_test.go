package trace_test

import (
	"io/fs"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/spindle-go/spindle/conformance/queue/drive"
	"github.com/spindle-go/spindle/conformance/target/ref"
	"github.com/spindle-go/spindle/conformance/trace"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/tla"
	"github.com/spindle-go/spindle/tla/tlc"
	"github.com/spindle-go/spindle/tla/tlc/tlctest"
)

// free are scenarios whose threads run freely.
var free = []record.Scenario{
	{Name: "rings", Ps: 2, Capacity: 4, Threads: []record.Thread{
		{P: 0, Script: "pppp e0 g p g pp g p g g p g"}, {P: 1, Script: "s0 g s0 e0 g s0"}, {P: record.None, Script: "e0 s0 s0"}}},
	{Name: "all", Ps: 2, Capacity: 4, Threads: []record.Thread{
		{P: 0, Script: "nnpg b5 g d n e1 l0 m2 g"}, {P: 1, Script: "r0 g q r0 e0 m1 g r0"}}},
	{Name: "overflows", Ps: 3, Capacity: 2, Start: 1<<32 - 3, Threads: []record.Thread{
		{P: 0, Script: "ppppp g m2 g"}, {P: 1, Script: "s0 s0 p s0 m1"}, {P: 2, Script: "s0 s1 s0 s1"}}},
}

// recorded runs a scenario freely, again and again, until fit says that it will do. The
// clock is a shared counter, and each look at it takes a while, so that calls overlap.
func recorded(t *testing.T, s record.Scenario, fit func(*record.History) bool) *record.History {
	t.Helper()
	plan, err := drive.Prepare(s)
	if err != nil {
		t.Fatal(err)
	}
	for range 10_000 {
		var ticks atomic.Int64
		pause := func() {
			for range rand.IntN(3) {
				runtime.Gosched()
			}
			for end := time.Now().Add(time.Duration(rand.IntN(2000))); time.Now().Before(end); {
			}
		}
		p, err := drive.NewProgram(ref.New, plan, func() int64 {
			pause()
			defer pause()
			return ticks.Add(1)
		})
		if err != nil {
			t.Fatal(err)
		}
		var threads sync.WaitGroup
		for i := range s.Threads {
			threads.Go(func() { p.Thread(i) })
		}
		threads.Wait()
		h, err := p.History()
		if err != nil {
			t.Fatal(err)
		}
		if fit(h) {
			return h
		}
	}
	t.Fatalf("%s: no run that fits", s.Name)
	return nil
}

// overlaps counts the calls that another call was called in.
func overlaps(h *record.History) int {
	n := 0
	for i := range h.Ops {
		a := &h.Ops[i]
		if slices.ContainsFunc(h.Ops, func(b record.Op) bool { return a.Call < b.Call && b.Call < a.Return }) {
			n++
		}
	}
	return n
}

// mingled is what a trace is worth looking at for.
func mingled(h *record.History) bool { return overlaps(h) >= 4 }

// TestTraces holds that the machine can do what free threads did, and cannot do what they
// did not.
func TestTraces(t *testing.T) {
	t.Attr("req", "RQ-LOST")
	t.Attr("req", "RQ-TWICE")
	t.Attr("req", "RQ-FIFO")
	t.Attr("req", "RQ-EMPTY-TRUE")
	calls, overlapped, looked := 0, 0, 0
	accepts := func(h *record.History) bool {
		t.Helper()
		tr, err := trace.NewTrace(h)
		if err != nil {
			t.Fatal(err)
		}
		ok, states, err := tr.Accept()
		if err != nil {
			t.Fatal(err)
		}
		calls += len(h.Ops)
		overlapped += overlaps(h)
		looked += states
		return ok
	}
	if h := example(); !accepts(h) {
		t.Errorf("expected that the machine can do the example; observed that it cannot: %v", h.Ops)
	}
	for _, s := range free {
		for range 300 {
			if h := recorded(t, s, mingled); !accepts(h) {
				t.Fatalf("%s: expected that the machine can do this; observed that it cannot: %v", s.Name, h.Ops)
			}
		}
	}
	t.Logf("%d calls accepted, %d of them with another that was called meanwhile; %d states", calls, overlapped, looked)
	for _, c := range corruptions {
		h := corrupted(t, recorded(t, once, stolen), c)
		if accepts(h) {
			t.Errorf("%s: expected that the machine cannot do this; observed that it can: %v", c.name, h.Ops)
		}
	}
}

// example is the trace in tla/TraceData.tla.
func example() *record.History {
	return &record.History{
		Scenario: record.Scenario{Name: "example", Ps: 2, Capacity: 4, Threads: []record.Thread{{P: 0, Script: "ppg"}, {P: 1, Script: "s0e0"}}},
		Ops: []record.Op{
			{Thread: 0, Kind: record.Put, P: 0, In: []record.ID{1}, Count: 1, OK: true, Call: 1, Return: 3},
			{Thread: 1, Kind: record.Get, P: 1, Call: 2, Return: 5},
			{Thread: 0, Kind: record.Put, P: 0, In: []record.ID{2}, Count: 1, OK: true, Call: 4, Return: 6},
			{Thread: 1, Kind: record.Steal, P: 0, Thief: 1, Out: []record.ID{1}, OK: true, Call: 7, Return: 10},
			{Thread: 0, Kind: record.Get, P: 0, Out: []record.ID{2}, OK: true, Call: 8, Return: 11},
			{Thread: 1, Kind: record.Empty, P: 0, OK: true, Call: 12, Return: 13},
		},
		Final: record.Contents{Ps: make([]record.PContents, 2)},
	}
}

// TestExample holds that the example in tla is what would be generated.
func TestExample(t *testing.T) {
	tr, err := trace.NewTrace(example())
	if err != nil {
		t.Fatal(err)
	}
	text, err := tla.Files.ReadFile("TraceData.tla")
	if err != nil {
		t.Fatal(err)
	}
	if want := tr.Module(); string(text) != want {
		t.Errorf("expected tla/TraceData.tla to be\n%sobserved\n%s", want, text)
	}
}

// TestTracesByTLC asks TLC the same of fewer.
func TestTracesByTLC(t *testing.T) {
	tier.OnlyFull(t)
	tool := tlctest.Find(t)
	long := tier.Full(t)
	accepts := func(t *testing.T, h *record.History) bool {
		t.Helper()
		tr, err := trace.NewTrace(h)
		if err != nil {
			t.Fatal(err)
		}
		files := fstest.MapFS{"TraceData.tla": {Data: []byte(tr.Module())}}
		modules, _ := fs.Glob(tla.Files, "*RunQueue*.tla") // the pattern is good
		for _, name := range modules {
			text, err := tla.Files.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files[name] = &fstest.MapFile{Data: text}
		}
		r, err := tool.Run(t.Context(), tlc.Job{Files: files, Module: "TraceRunQueue", Config: tr.Config(), Short: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d calls, %d overlapped: %v", h.Scenario.Name, len(h.Ops), overlaps(h), r)
		if r.Outcome == tlc.Violated && r.Property != "NotAccepted" {
			t.Fatalf("%s fell in %s", r.Property, tr.Module())
		}
		return r.Outcome == tlc.Violated
	}
	t.Run("example", func(t *testing.T) {
		tier.OnlyFull(t)
		if !accepts(t, example()) {
			t.Error("expected that TLC accepts the example; observed that it does not")
		}
	})
	for _, s := range free {
		if !long && s.Name != "overflows" {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			if h := recorded(t, s, mingled); !accepts(t, h) {
				t.Errorf("expected that TLC accepts this; observed that it does not: %v", h.Ops)
			}
		})
	}
	for i, c := range corruptions {
		if i > 0 && !long {
			break
		}
		t.Run(c.name, func(t *testing.T) {
			if h := corrupted(t, recorded(t, once, stolen), c); accepts(t, h) {
				t.Errorf("expected that TLC rejects this; observed that it accepts: %v", h.Ops)
			}
		})
	}
}
