package drive

import (
	"time"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/spec/record"
)

// A Live is a run of a graph that another process watches, which says when it is released. Its log has the events of threads and tasks alone, and their times
// do not fall.
type Live struct {
	p    *Program
	over chan struct{}
}

// Begin begins to run the graph on a fresh scheduler. Of the options, Last alone counts. Its error is a *PanicError.
func Begin(f scheduler.Factory, g *record.TaskProgram, o Options) (*Live, error) {
	p, err := made(f, g, Options{Last: o.Last})
	if err != nil {
		return nil, err
	}
	p.served = true
	l := &Live{p: p, over: make(chan struct{})}
	for i := range g.Threads {
		go p.Thread(i)
	}
	go func() {
		defer close(l.over)
		for !p.full.Load() && (!p.Over() || p.ending.Load() > 0) {
			<-p.settled
		}
	}()
	return l, nil
}

// Over returns a channel that is closed when the run is over, or more was seen than its log takes.
func (l *Live) Over() <-chan struct{} { return l.over }

// Full reports whether more was seen than the log takes.
func (l *Live) Full() bool { return l.p.full.Load() }

// Release notes that all goes on that waits by the means of the graph, and lets it go on.
func (l *Live) Release() {
	l.p.note(record.Released, record.Runner, "", "")
	l.p.release()
}

// Look returns the log so far, the time since the begin, and how often tasks have looked or yielded in steps that do so again and again.
func (l *Live) Look() (events []record.TaskEvent, now time.Duration, turns int64) {
	l.p.noting.Lock()
	defer l.p.noting.Unlock()
	return l.p.Run().Events, time.Since(l.p.begin), l.p.turns.Load()
}
