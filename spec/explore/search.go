package explore

import (
	"context"
	"fmt"
	"time"
)

// search goes on until nothing waits, a state violates, or goesOn says no. With a
// single worker it is the search on one processor, until there is a second one.
func (e *exploration[S]) search(ctx context.Context) {
	var b batch[S]
	for n := 0; e.goesOn(ctx, n); n += len(b.states) {
		if e.Workers > 1 || e.spare() {
			e.parallel(ctx, n)
			return
		}
		if b.states, b.chunk = e.waiting.pop(batchLen); len(b.states) == 0 {
			e.complete = true
			return
		}
		e.expand(&b)
		if !e.insert(&b, n) {
			return
		}
	}
}

// spare reports whether there is one more processor now, which is taken.
func (e *exploration[S]) spare() bool {
	select {
	case <-e.Spare:
		return true
	default:
		return false
	}
}

// goesOn reports whether neither a limit nor ctx ends the search, and tells the
// progress now and then. expanded is how many states were.
func (e *exploration[S]) goesOn(ctx context.Context, expanded int) bool {
	if e.limited {
		return false
	}
	if ctx.Err() != nil {
		e.stopped = "interrupted"
		return false
	}
	if e.distinct > e.MaxStates { // of initial ones alone
		return e.full()
	}
	if e.Progress != nil {
		if now := time.Now(); now.Sub(e.reported) >= time.Second {
			rate := float64(e.distinct-e.before) / now.Sub(e.reported).Seconds()
			e.reported, e.before = now, e.distinct
			e.Progress(Progress{e.distinct, e.generated, e.distinct - expanded, e.depth, rate, now.Sub(e.begin), e.memory()})
		}
	}
	return e.fits(e.memory())
}

// full ends the search: there are more states than there may be.
func (e *exploration[S]) full() bool {
	e.stopped, e.limited = fmt.Sprintf("more than %d states", e.MaxStates), true
	return false
}

// fits reports whether the search may have so many bytes, and ends it if not.
func (e *exploration[S]) fits(bytes int) bool {
	if e.MaxMemory == 0 || bytes <= e.MaxMemory {
		return true
	}
	e.stopped, e.limited = fmt.Sprintf("more than %.4g MB of memory", float64(e.MaxMemory)/1e6), true
	return false
}
