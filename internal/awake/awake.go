// Package awake bounds waits by the time in which this process really ran.
//
// A limit on a clock of the wall counts the time in which the process was
// stopped, or its machine slept or had no processor for it. Whoever waits for
// somebody else then blames him for a pause of his own. Here the time is
// counted in ticks: a tick that comes late counts for at most two.
//
//interleave:off
package awake

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// An Over is the cause of a context whose time was over:
//
//	var over *awake.Over
//	if errors.As(context.Cause(ctx), &over) { ... }
type Over struct{ Limit time.Duration }

func (e *Over) Error() string { return fmt.Sprintf("%v were over", e.Limit) }

// WithTimeout returns a copy of parent that ends with the cause *Over when this
// process ran for d since. The caller must call cancel in the end. When parent
// ends first, cause and error are parent's.
func WithTimeout(parent context.Context, d time.Duration) (ctx context.Context, cancel context.CancelFunc) {
	ctx, end := context.WithCancelCause(parent)
	if d <= 0 {
		end(&Over{d})
		return ctx, func() {}
	}
	t := &timer{meter: newMeter(d, time.Now()), end: func() { end(&Over{d}) }}
	t.mu.Lock() // the first tick must find t.tick
	t.tick = time.AfterFunc(t.meter.period, t.ticked)
	t.mu.Unlock()
	return ctx, func() {
		t.stop()
		end(context.Canceled)
	}
}

type timer struct {
	end func()

	mu      sync.Mutex
	meter   meter
	tick    *time.Timer
	stopped bool
}

func (t *timer) ticked() {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.stopped:
	case t.meter.count(time.Now()):
		t.end()
	default:
		t.tick.Reset(t.meter.wait())
	}
}

func (t *timer) stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stopped = true
	t.tick.Stop()
}

// meter counts the time up to a limit.
type meter struct {
	limit, counted time.Duration
	period         time.Duration // of a tick
	last           time.Time
}

func newMeter(limit time.Duration, now time.Time) meter {
	// Short enough that two ticks are little of the limit, long enough to cost
	// nothing.
	period := min(max(limit/64, time.Millisecond), 100*time.Millisecond)
	return meter{limit: limit, period: min(period, limit), last: now}
}

// count takes note that the process runs now, and reports whether the limit is
// reached.
func (m *meter) count(now time.Time) (over bool) {
	m.counted += min(max(now.Sub(m.last), 0), 2*m.period)
	m.last = now
	return m.counted >= m.limit
}

// wait returns how long it is to the next tick.
func (m *meter) wait() time.Duration { return max(min(m.period, m.limit-m.counted), 0) }
