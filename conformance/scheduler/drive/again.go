package drive

import (
	"runtime"
	realatomic "sync/atomic"
	"time"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/spec/record"
)

// mostNested is how many submissions may be inside each other. A scheduler that runs a task inside its submission would go on until there is no
// stack left.
const mostNested = 10_000

// again has task k submit itself again, unless the event has happened. It reports whether the task has come to its end.
func (p *Program) again(s record.TaskStep, k int, t scheduler.Task) (over bool) {
	p.turns.Add(1)
	if p.events[s.Arg].happened.Load() || p.released.Load() {
		p.note(record.Did, k, s.String(), "")
		return true
	}
	if p.nested.Add(1) > mostNested {
		p.note(record.Did, k, s.String(), record.RanInside)
		return true
	}
	p.runs(k, -1)
	p.sizes.submitted(k)
	var begun realatomic.Bool
	err := p.asks(t, func(t scheduler.Task) {
		if begun.Swap(true) {
			p.note(record.Begins, k, "", "") // once too often
			return
		}
		p.runs(k, 1)
		if p.again(s, k, t) {
			p.runs(k, -1)
			p.ended(k, t)
		}
	})
	p.nested.Add(-1)
	if err != nil {
		p.runs(k, 1)
		p.note(record.Did, k, s.String(), "refused: "+err.Error())
		return true
	}
	return false
}

// Of those tasks that a thread outside keeps submitted, mostFed wait or run, or two for each worker if that is more. Each waits for another one before it
// ends, up to longFed: else the queue would run empty whenever the thread is slow.
const (
	mostFed = 16
	longFed = 2 * time.Second
)

// feeds keeps tasks submitted from outside until an event. They are not counted among those that run at a time. It says why it ended before
// the event, or "".
func (p *Program) feeds(s record.TaskStep) string {
	room, e := make(chan struct{}, max(mostFed, 2*p.graph.Workers)), p.events[s.Arg]
	var there realatomic.Int64 // those that wait or run, without the one that is about to be submitted
	for !e.happened.Load() && !p.released.Load() {
		select {
		case room <- struct{}{}:
		case <-p.freed:
			continue
		}
		p.peaks(p.pending.Add(1))
		ends := func() {
			if p.pending.Add(-1) == 0 && p.joined.Load() {
				p.allEnded.open()
			}
			p.tell()
		}
		err := p.asks(nil, func(scheduler.Task) {
			p.turns.Add(1)
			begin, looks := time.Now(), 0
			for ; there.Load() <= int64(p.graph.Workers) && !e.happened.Load() && !p.released.Load() && time.Since(begin) < longFed; looks++ {
				if looks < 1000 {
					runtime.Gosched()
				} else {
					time.Sleep(50 * time.Microsecond)
				}
			}
			there.Add(-1)
			<-room
			ends()
		})
		if err != nil {
			ends()
			return "refused: " + err.Error()
		}
		there.Add(1)
	}
	return ""
}
