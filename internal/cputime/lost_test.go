package cputime

import (
	"testing"
	"time"
)

// TestLost: what other processes have taken is lost, and nothing else. Times are of threads side by side, of one second, on two processors.
func TestLost(t *testing.T) {
	const second, none = time.Second, 0
	for name, c := range map[string]struct {
		ran, waited, want time.Duration
	}{
		"one thread that always ran":                      {second, none, none},
		"one thread that slept":                           {none, none, none},
		"one thread that slept, ran and had to wait":      {second / 10, second / 5, second / 5},
		"one thread that had a tenth":                     {second / 10, second * 9 / 10, second * 9 / 10},
		"two threads that always ran":                     {2 * second, none, none},
		"two threads that had a half each":                {second, second, second / 2},
		"eight threads that had both processors":          {2 * second, 6 * second, none},
		"eight threads that had half of both processors":  {second, 7 * second, second / 2},
		"one thread whose wait began before the second":   {none, 3 * second / 2, second},
		"two threads on a clock that is behind the other": {2*second + second/10, none, none},
	} {
		if got := (thread{c.ran, c.waited}).lost(second, 2); got != c.want {
			t.Errorf("%s: expected %v lost, saw %v", name, c.want, got)
		}
	}
}

// TestSince: a thread counts from where it was; one that is new counts from its begin, and what is not known is not lost.
func TestSince(t *testing.T) {
	now := time.Now()
	before := Reading{now, map[int]thread{1: {5 * time.Second, 7 * time.Second}, 2: {time.Hour, time.Hour}}}
	after := Reading{now.Add(time.Second), map[int]thread{1: {5 * time.Second, 7*time.Second + 100*time.Millisecond}, 3: {0, 200 * time.Millisecond}}}
	if passed, lost := after.Since(before); passed != time.Second || lost != 300*time.Millisecond {
		t.Errorf("expected 300ms of 1s, saw %v of %v", lost, passed)
	}
	if _, lost := after.Since(Reading{at: now}); lost != 0 {
		t.Errorf("saw %v lost since nobody knows what", lost)
	}
}
