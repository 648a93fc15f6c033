package sched

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"
	"time"
)

// TestTrace: the trace says of each time that a G ran where it was and why it stopped; on a P one G runs at a time.
func TestTrace(t *testing.T) {
	t.Attr("req", "DN-P-OWNED")
	trace := new(Trace)
	s := begin(t, Config{Procs: 2, Trace: trace})
	start(t, s, func(g *G) {
		for range 30 {
			g.Go(func(g *G) {
				g.Yield()
				g.Sleep(time.Millisecond)
				g.Block(func() { time.Sleep(time.Millisecond) })
				g.Park("a reason", func() bool { return false })
			})
		}
		g.GoLocked(func(g *G) { g.Yield() })
	})
	if err := end(t, s); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if n, err := trace.WriteTo(&b); err != nil || int(n) != b.Len() {
		t.Fatalf("%d bytes, %v", n, err)
	}
	var read struct {
		TraceEvents []struct {
			Name, Ph string
			Ts, Dur  float64
			Pid, Tid int
			Args     struct{ Stopped string }
		}
	}
	if err := json.Unmarshal(b.Bytes(), &read); err != nil {
		t.Fatal(err)
	}
	stopped := make(map[string]int)
	until := make(map[string]float64)
	for _, e := range read.TraceEvents {
		if e.Ph != "X" {
			continue
		}
		row := fmt.Sprint(e.Pid, e.Tid)
		if e.Ts+0.001 < until[row] {
			t.Errorf("row %s: %s began at %v, and the one before it ended at %v", row, e.Name, e.Ts, until[row])
		}
		until[row] = e.Ts + e.Dur
		stopped[e.Args.Stopped]++
	}
	for why, n := range map[string]int{"Yield": 31, "Sleep": 30, "Block": 30, "its return": 30, "a reason": 30, "its end": 32} {
		if stopped[why] != n {
			t.Errorf("stopped by %s: expected %d, saw %d", why, n, stopped[why])
		}
	}
}
