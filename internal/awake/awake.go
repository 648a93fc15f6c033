// Package awake bounds waits by the time in which this process really ran.
//
// A limit on a clock of the wall counts the time in which the process was
// stopped, or its machine slept or had no processor for it. Then a wait is over
// too early by what is a pause of the process itself. Here the time is counted
// in ticks. A tick that comes late counts for at most two. The time in which
// threads of this process could run, and other processes had the processors,
// does not count, where the system says how long that was (cputime.Read).
//
//interleave:off
package awake

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/spindle-go/spindle/internal/cputime"
)

// An Over is the cause of a context whose time was over:
//
//	var over *awake.Over
//	if errors.As(context.Cause(ctx), &over) { ... }
type Over struct{ Limit time.Duration }

func (e *Over) Error() string { return fmt.Sprintf("%v were over", e.Limit) }

// WithTimeout returns a copy of parent that ends with the cause *Over when this
// process ran for d since; a d below a microsecond is over at once. The caller must
// call cancel in the end. When parent ends first, cause and error are parent's.
func WithTimeout(parent context.Context, d time.Duration) (ctx context.Context, cancel context.CancelFunc) {
	ctx, _, cancel = WithPauses(parent, d)
	return ctx, cancel
}

// WithPauses is WithTimeout for a wait that can be interrupted: from pause to goOn no time
// counts. A pause must have ended before the next one begins.
func WithPauses(parent context.Context, d time.Duration) (ctx context.Context, pause func() (goOn func()), cancel context.CancelFunc) {
	ctx, end := context.WithCancelCause(parent)
	if d < time.Microsecond { // as on any clock; else it would end when the next tick happens to come
		end(&Over{d})
		return ctx, func() func() { return func() {} }, func() {}
	}
	t := &timer{meter: newMeter(d, time.Now()), end: func() { end(&Over{d}) }}
	t.mu.Lock() // the first tick must find t.tick
	t.tick = time.AfterFunc(t.meter.period, t.ticked)
	t.mu.Unlock()
	return ctx, t.pause, func() {
		t.stop()
		end(context.Canceled)
	}
}

// ErrDeadline is the cause of a context that ended before the deadline of a test.
var ErrDeadline = errors.New("the deadline of the test, go test -timeout, was near")

// BeforeDeadline returns a copy of parent that ends with the cause ErrDeadline so
// early before the deadline of t that the test can say how far it came. What has no
// deadline, as a benchmark, gives no new end. The caller must call cancel in the end.
func BeforeDeadline(parent context.Context, t any) (ctx context.Context, cancel context.CancelFunc) {
	if d, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
		if deadline, ok := d.Deadline(); ok {
			return context.WithDeadlineCause(parent, deadline.Add(-Reserve(time.Until(deadline))), ErrDeadline)
		}
	}
	return context.WithCancel(parent)
}

// Reserve is how much of the time that is left is kept to say what was done in it.
func Reserve(left time.Duration) time.Duration {
	return max(min(left/20, 5*time.Second), min(left/5, 1500*time.Millisecond))
}

type timer struct {
	end func()

	mu      sync.Mutex
	meter   meter
	tick    *time.Timer
	before  *cputime.Reading // at the last tick; nil before the first, since most waits end before it
	stopped bool
	paused  bool
}

func (t *timer) ticked() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.stopped || t.paused {
		return
	}
	lost, now := time.Duration(0), cputime.Read()
	if t.before != nil {
		_, lost = now.Since(*t.before)
	}
	t.before = &now
	if t.meter.count(time.Now(), lost) {
		t.end()
		return
	}
	t.tick.Reset(t.meter.wait())
}

// pause counts what was run so far, and nothing more before goOn.
func (t *timer) pause() (goOn func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.paused = true
	t.tick.Stop()
	t.meter.count(time.Now(), 0)
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.paused = false; !t.stopped {
			t.meter.last, t.before = time.Now(), nil
			t.tick.Reset(t.meter.wait())
		}
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

// count takes note that the process runs now, and has lost so much of the time
// since the last tick. It reports whether the limit is reached.
func (m *meter) count(now time.Time, lost time.Duration) (over bool) {
	m.counted += min(max(now.Sub(m.last)-lost, 0), 2*m.period)
	m.last = now
	return m.counted >= m.limit
}

// wait returns how long it is to the next tick.
func (m *meter) wait() time.Duration { return max(min(m.period, m.limit-m.counted), 0) }
