package cputime

import (
	"runtime"
	"testing"
	"time"
)

// TestLost: what other processes have taken is lost, and nothing else. Times are of threads, within a second, on two processors.
func TestLost(t *testing.T) {
	const second, half, tenth, none = time.Second, time.Second / 2, time.Second / 10, 0
	times := func(n int, one thread) (list []thread) {
		for range n {
			list = append(list, one)
		}
		return list
	}
	for name, c := range map[string]struct {
		threads []thread
		want    time.Duration
	}{
		"none":                                {nil, none},
		"one always ran":                      {times(1, thread{second, none, false}), none},
		"one slept":                           {times(1, thread{none, none, false}), none},
		"one slept, ran and had to wait":      {times(1, thread{tenth, 2 * tenth, false}), 2 * tenth},
		"one had a tenth":                     {times(1, thread{tenth, 9 * tenth, false}), 9 * tenth},
		"beside it others waited for nothing": {append(times(3, thread{none, half, false}), thread{tenth, 9 * tenth, false}), 9 * tenth},
		"beside one that slept, too":          {append(times(3, thread{none, tenth, false}), thread{tenth, 2 * tenth, false}), 2 * tenth},
		"beside one that always ran":          {append(times(3, thread{none, half, false}), thread{second, none, false}), none},
		"two always ran":                      {times(2, thread{second, none, false}), none},
		"two had a half each":                 {times(2, thread{half, half, false}), half},
		"eight had both processors":           {times(8, thread{second / 4, second * 3 / 4, false}), none},
		"eight had half of both processors":   {times(8, thread{second / 8, second * 7 / 8, false}), half},
		"a wait that began before":            {times(1, thread{none, 3 * half, false}), second},
		"a clock that is behind":              {times(2, thread{second + tenth, tenth, false}), none},
	} {
		if got := lostBy(c.threads, second, 2); got != c.want {
			t.Errorf("%s: expected %v lost, saw %v", name, c.want, got)
		}
	}
}

// TestSince: a thread counts from where it was; one that is new counts from its begin, and what is not known is not lost. One that can run, and
// neither ran nor came to the end of its wait, has waited all the time.
func TestSince(t *testing.T) {
	now := time.Now()
	before := Reading{now, map[int]thread{1: {5 * time.Second, 7 * time.Second, true}, 2: {time.Hour, time.Hour, true}, 3: {can: false}}}
	const ms = time.Millisecond
	for _, c := range []struct {
		one, three thread
		want       time.Duration
	}{
		{thread{5 * time.Second, 7*time.Second + 100*ms, true}, thread{0, 200 * ms, false}, 200 * ms},
		{thread{5 * time.Second, 7*time.Second + 300*ms, true}, thread{0, 200 * ms, false}, 300 * ms},
		{thread{5 * time.Second, 7 * time.Second, true}, thread{0, 200 * ms, false}, time.Second},
		{thread{5 * time.Second, 7 * time.Second, false}, thread{0, 0, true}, 0},
		{thread{5*time.Second + 400*ms, 7 * time.Second, true}, thread{0, 700 * ms, true}, 600 * ms},
	} {
		after := Reading{now.Add(time.Second), map[int]thread{1: c.one, 3: c.three}}
		if passed, lost := after.Since(before); passed != time.Second || lost != c.want {
			t.Errorf("%v: expected %v of 1s, saw %v of %v", c, c.want, lost, passed)
		}
		if _, lost := after.Since(Reading{at: now}); lost != 0 {
			t.Errorf("saw %v lost since nobody knows what", lost)
		}
	}
}

// TestRead: where the system says what threads do, the thread that reads it runs, and what it does counts.
func TestRead(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := Read()
	if len(before.threads) == 0 {
		t.Skip("this system does not say it")
	}
	for begin := Used(); Used()-begin < 50*time.Millisecond; {
	}
	for id, now := range Read().threads {
		if b := before.threads[id]; now.can && now.ran-b.ran >= 20*time.Millisecond {
			return
		}
	}
	t.Errorf("expected a thread that can run, and ran for 50ms, saw %v and then %v", before.threads, Read().threads)
}
