package goruntime

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec/record"
)

// threads are scenarios of free threads that between them reach every path:
// overflow, kick on a full ring, steals of both kinds, batches, drains.
func threads() []record.Scenario {
	return []record.Scenario{
		{Name: "owner and thief", Ps: 2, Threads: []record.Thread{
			{P: 0, Script: "ppppppnnb20pgg", Repeat: 1500},
			{P: 1, Script: "sggggggggggggg r m8 d nn gg", Repeat: 3000},
		}},
		{Name: "kicks on a full ring", Ps: 2, Threads: []record.Thread{
			{P: 0, Script: "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnng", Repeat: 1000},
			{P: 1, Script: "r d r d r d r d m100 d", Repeat: 3000},
		}},
		{Name: "more threads than cores", Ps: 5, Threads: []record.Thread{
			{P: 0, Script: "pppppppppqqgg", Repeat: 2000},
			{P: 1, Script: "m4 gggg r d", Repeat: 2000},
			{P: 2, Script: "n r1 g g d", Repeat: 2000},
			{P: 3, Script: "n r0 d g", Repeat: 2000},
			{P: 4, Script: "r3 g m3 d r1 d", Repeat: 2000},
			{P: record.None, Script: "s0 e2 s4", Repeat: 2000},
		}},
		{Name: "wrap-around", Ps: 3, Start: math.MaxUint32 - 200, Threads: []record.Thread{
			{P: 0, Script: "pppp nn ggg b5", Repeat: 300},
			{P: 1, Script: "s0 d r0 d", Repeat: 600},
			{P: 2, Script: "r0 d e1 m2 gg", Repeat: 600},
		}},
		{Name: "more Ps than threads", Ps: 7, Threads: []record.Thread{
			{P: 6, Script: "qqqqqq m100 d", Repeat: 500},
			{P: 2, Script: "m100 d", Repeat: 500},
		}},
	}
}

func TestThreads(t *testing.T) {
	for _, id := range []string{"RQ-LOST", "RQ-TWICE", "RQ-INVENTED"} {
		t.Attr("req", id)
	}
	x := newTarget(t, Options{})
	for _, s := range threads() {
		for range tier.N(t, 1, 3) {
			h := run(t, x, s)
			n := conserved(t, h)
			balanced(t, h)
			t.Logf("%s: %d calls, %d Gs, %d through the global queue", s.Name, len(h.Ops), s.FirstID(len(s.Threads))-1, n)
		}
	}
}

// Real goroutines that come onto the global queue during a run stay out of it,
// and run again afterwards.
func TestNoise(t *testing.T) {
	x := newTarget(t, Options{noise: 8})
	through := 0
	for _, s := range threads() {
		h := run(t, x, s)
		through += conserved(t, h)
		balanced(t, h)
	}
	// The share of a P does not count them either.
	for range tier.N(t, 10, 50) {
		h := run(t, x, inOrder(times(500, "0q")+times(12, "1m200 1d")))
		size := 500
		for i := 500; i < len(h.Ops); i += 2 {
			got := len(h.Ops[i].Out) + len(h.Ops[i+1].Out)
			if want := min(128, size/2+1, size); got != want {
				t.Fatalf("call %d, %v: took %d of %d, want %d", i, h.Ops[i], got, size, want)
			}
			size -= got
		}
	}
	t.Logf("%d Gs through the global queue", through)
}

// With the back-off a thief sleeps before it takes runnext.
func TestBackoff(t *testing.T) {
	t.Attr("req", "VA-BACKOFF")
	plain, slow := newTarget(t, Options{}), newTarget(t, Options{Backoff: true})
	s := inOrder(times(20, "0n 1r0"))
	s.Snapshot = false
	took := func(x *Target) time.Duration {
		begin := time.Now()
		conserved(t, run(t, x, s))
		return time.Since(begin)
	}
	a, b := took(plain), took(slow)
	for range 40 { // the shortest of each: other programs may run beside this one
		a, b = min(a, took(plain)), min(b, took(slow))
	}
	// 20 sleeps of 3 µs, and the machine's own latency on top of each.
	if b < a+60*time.Microsecond {
		t.Errorf("20 steals of runnext took %v with the back-off, %v without: want at least 60µs more", b, a)
	}
}

// A thief without room for half a ring breaks a rule of runqsteal.
func TestThrow(t *testing.T) {
	x := newTarget(t, Options{})
	s := inOrder(times(256, "0p") + times(256, "1p") + "1s0")
	_, err := x.Run(t.Context(), s)
	var crash *queue.CrashError
	if !errors.As(err, &crash) || !strings.Contains(crash.Text, "runqsteal: runq overflow") {
		t.Fatalf("got %v, want a crash with the text of the throw", err)
	}
	if !strings.Contains(crash.Stack, "runtime.runqsteal") {
		t.Errorf("the stack does not show runqsteal:\n%s", crash.Stack)
	}
	conserved(t, run(t, x, inOrder("0p 0p 1s0"))) // a new process
}

func TestRefused(t *testing.T) {
	x := newTarget(t, Options{})
	s := inOrder("0p")
	s.Capacity = 4
	if _, err := x.Run(t.Context(), s); err == nil || !strings.Contains(err.Error(), "256 slots") {
		t.Errorf("a ring of 4: got %v, want an error that names the 256 slots", err)
	}
	conserved(t, run(t, x, inOrder("0p 0p 1s0")))
}
