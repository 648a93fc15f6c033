package report

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/spindle-go/spindle/internal/printable"
	"github.com/spindle-go/spindle/internal/suite"
)

// When progress is told where no line can be written over, as in a pipe or a file.
const (
	firstLine = time.Second
	nextLine  = 10 * time.Second
)

// Progress tells whoever waits how far a run is. On a terminal it is one line that is
// written over; elsewhere a line now and then. It goes on while no event comes: that a
// target is slow is just what people want to know.
type Progress struct {
	w     io.Writer
	width func() int // of the terminal; nil: it is none

	mu     sync.Mutex // of what follows, and of writing
	begin  time.Time
	what   string
	checks int
	event  time.Time // the last one
	line   time.Time // the last one, where lines are not written over
	shown  bool      // on a terminal
	over   bool

	stop, stopped chan struct{}
}

// NewProgress begins to tell progress on w. Width returns the columns of the terminal
// that w is; nil if it is none. The caller closes it.
func NewProgress(w io.Writer, width func() int) *Progress {
	now := time.Now()
	p := &Progress{
		w: w, width: width, begin: now, event: now, what: "begins", stop: make(chan struct{}), stopped: make(chan struct{}),
	}
	go p.run()
	return p
}

// run looks at the clock twice a second.
func (p *Progress) run() {
	defer close(p.stopped)
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-p.stop:
			return
		case now := <-tick.C:
			p.tick(now)
		}
	}
}

func (p *Progress) tick(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.over:
	case p.width != nil:
		// Who has just sent an event may be writing a report of it.
		if now.Sub(p.event) >= time.Second {
			p.overwrite(now)
		}
	case p.line.IsZero() && now.Sub(p.begin) >= firstLine, !p.line.IsZero() && now.Sub(p.line) >= nextLine:
		p.line = now
		fmt.Fprintf(p.w, "spindle, after %s: %s\n", span(now.Sub(p.begin).Round(time.Second)), p.what)
	}
}

// overwrite writes the line of the terminal anew. A longer one would wrap, and what has
// wrapped cannot be written over.
func (p *Progress) overwrite(now time.Time) {
	line := []rune(fmt.Sprintf("%.0f s: %s", now.Sub(p.begin).Seconds(), p.what))
	line = line[:min(len(line), max(0, p.width()-1))]
	fmt.Fprintf(p.w, "\r\x1b[K%s", string(line))
	p.shown = true
}

// clear takes the line of the terminal away.
func (p *Progress) clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}

// Event takes over an event. If it may be followed by a report, there is room for it
// when Event returns.
func (p *Progress) Event(e suite.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return
	}
	p.event = time.Now()
	target := printable.Line(e.Target, maxName)
	switch e.Event {
	case suite.ProgressEvent:
		p.what = target + ": " + printable.Line(e.Text, maxName)
		if e.Check != "" {
			p.what = fmt.Sprintf("%s: %s, %s", target, printable.Line(e.Check, maxName), printable.Line(e.Text, maxName))
		}
		if p.width != nil {
			p.overwrite(p.event)
		}
		return
	case suite.TargetEvent:
		p.what, p.checks = target+": begins", 0
	case suite.CheckEvent:
		p.checks++
		p.what = fmt.Sprintf("%s: %s done, the last one %s", target, plural(p.checks, "check"), printable.Line(e.Check, maxName))
	case suite.ControlEvent:
		p.what = "positive controls: " + printable.Line(e.Check, maxName)
	case suite.FooterEvent:
		p.over = true
	}
	p.clear()
}

// Close ends it, and takes the line of the terminal away. It may be called again.
func (p *Progress) Close() {
	p.mu.Lock()
	select {
	case <-p.stop:
	default:
		close(p.stop)
	}
	p.clear()
	p.over = true
	p.mu.Unlock()
	<-p.stopped
}
