package awake

import (
	"context"
	"errors"
	"testing"
	"time"
)

func isOver(ctx context.Context) bool {
	var over *Over
	return errors.As(context.Cause(ctx), &over)
}

// A pause counts for two ticks at most, wherever it falls.
func TestMeter(t *testing.T) {
	const limit = 10 * time.Second
	for _, pauses := range [][]int{nil, {0}, {50}, {99}, {3, 4, 5}} {
		now := time.Unix(0, 0)
		m := newMeter(limit, now)
		ran := time.Duration(0) // without the pauses
		for tick := 0; ; tick++ {
			step := m.wait()
			now, ran = now.Add(step), ran+step
			for _, p := range pauses {
				if p == tick {
					now = now.Add(time.Hour)
				}
			}
			if m.count(now, 0) {
				break
			}
			if tick > 1000 {
				t.Fatalf("pauses at %v: no end after %v", pauses, ran)
			}
		}
		// Each pause may count for one tick more than was run.
		if least := limit - time.Duration(len(pauses))*m.period; ran < least || ran > limit {
			t.Errorf("pauses at ticks %v: the process ran for %v; want %v to %v", pauses, ran, least, limit)
		}
	}
}

// What other processes have taken does not count: beside three others, that want a
// processor each, the wait is four times as long.
func TestLost(t *testing.T) {
	const limit = 10 * time.Second
	begin := time.Unix(0, 0)
	m, now := newMeter(limit, begin), begin
	for over := false; !over && now.Sub(begin) < time.Hour; {
		step := m.wait()
		now = now.Add(step)
		over = m.count(now, step*3/4)
	}
	if took := now.Sub(begin); took < 4*limit-m.period || took > 4*limit+m.period {
		t.Errorf("over after %v, want %v", took, 4*limit)
	}
}

// A clock that goes back or stands still counts for nothing.
func TestMeterBackwards(t *testing.T) {
	now := time.Unix(100, 0)
	m := newMeter(time.Second, now)
	m.count(now.Add(-time.Hour), 0)
	if m.counted != 0 {
		t.Errorf("counted %v, want 0", m.counted)
	}
}

func TestTimeout(t *testing.T) {
	for _, d := range []time.Duration{-1, 0, 1, time.Millisecond, 50 * time.Millisecond} {
		begin := time.Now()
		ctx, cancel := WithTimeout(t.Context(), d)
		<-ctx.Done()
		if took := time.Since(begin); !isOver(ctx) || took < d {
			t.Errorf("%v: over %v after %v", d, isOver(ctx), took)
		}
		cancel()
		if !isOver(ctx) {
			t.Errorf("%v: cancel changed the cause", d)
		}
	}
}

// Whoever ends first gives the cause.
func TestParentEnds(t *testing.T) {
	parent, end := context.WithTimeout(t.Context(), time.Millisecond)
	defer end()
	ctx, cancel := WithTimeout(parent, time.Hour)
	defer cancel()
	<-ctx.Done()
	if isOver(ctx) || !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		t.Errorf("cause %v, error %v; want the parent's", context.Cause(ctx), ctx.Err())
	}
}

// Nothing goes on after cancel.
func TestCancel(t *testing.T) {
	ctx, cancel := WithTimeout(t.Context(), 20*time.Millisecond)
	cancel()
	cancel()
	time.Sleep(60 * time.Millisecond)
	if isOver(ctx) || !errors.Is(context.Cause(ctx), context.Canceled) {
		t.Errorf("cause %v, want context.Canceled", context.Cause(ctx))
	}
}

// TestPauses: what is paused does not end, however long, and has afterwards the time that
// was left.
func TestPauses(t *testing.T) {
	const limit = 40 * time.Millisecond
	ctx, pause, cancel := WithPauses(t.Context(), limit)
	defer cancel()
	goOn := pause()
	time.Sleep(3 * limit)
	if ctx.Err() != nil {
		t.Fatal("its time was over while it was paused")
	}
	goOn()
	<-ctx.Done()
	if !isOver(ctx) {
		t.Errorf("expected that its time was over, saw %v", context.Cause(ctx))
	}
	pause()() // behind the end, and of what has no time
	_, pause, cancel = WithPauses(t.Context(), 0)
	pause()()
	cancel()
}
