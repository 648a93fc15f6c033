package child

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/conformance/scheduler/drive"
	"github.com/spindle-go/spindle/spec/record"
)

// ServeScheduler answers the questions that it reads from r until r ends, with fresh schedulers of f. It is the driver of SCHEDULERS.md for Go. It fills in hello's
// protocol and subject; where they are zero, its capabilities and idle times; and that its workers are no threads of the system. It returns nil at the end of r, and
// an error when f panics, the contract is one that no scheduler in Go has, a line cannot be understood, or w cannot be written.
func ServeScheduler(r io.Reader, w io.Writer, hello SchedulerHello, f scheduler.Factory) error {
	if hello.Contract["tasks"] == "cooperative" {
		return errors.New("child: expected tasks of any kind, saw the contract tasks=cooperative: a task in Go that waits keeps its worker")
	}
	probed, caps, err := drive.Probe(f)
	if err != nil {
		return err
	}
	hello.Protocol, hello.Subject, hello.LightWorkers = SchedulerVersion, SchedulerSubject, true
	if hello.Capabilities == (scheduler.Capabilities{}) {
		hello.Capabilities = caps
		hello.Capabilities.Sized, hello.Capabilities.Wakes, hello.Capabilities.Deadlock, hello.Capabilities.IdleTimes = false, false, false, false
	}
	if s, ok := probed.(scheduler.Idler); ok && len(hello.IdleTimes) == 0 {
		for _, d := range s.IdleTimes() {
			hello.IdleTimes = append(hello.IdleTimes, int64(d/time.Microsecond))
		}
	}
	s := &serving{out: bufio.NewWriter(w), factory: f, caps: hello.Capabilities}
	if err := s.say(struct {
		Hello *SchedulerHello `json:"hello"`
	}{&hello}); err != nil {
		return err
	}
	return eachQuestion(r, s.answer)
}

// A serving is a child at work.
type serving struct {
	factory scheduler.Factory
	caps    scheduler.Capabilities
	live    *drive.Live // the last run, or nil

	mu  sync.Mutex
	out *bufio.Writer
}

// say writes a line.
func (s *serving) say(a any) error {
	text, err := json.Marshal(a)
	if err != nil {
		return fmt.Errorf("child: writing an answer: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, _ = s.out.Write(append(text, '\n'))
	if err := s.out.Flush(); err != nil {
		return fmt.Errorf("child: writing an answer: %w", err)
	}
	return nil
}

func (s *serving) answer(q *schedulerQuestion) error {
	a := schedulerAnswer{Seq: q.Seq}
	switch q.Cmd {
	case Run:
		if a.Error = s.run(q); a.Error == "" {
			return nil // its answer comes when it is over
		}
	case lookCmd:
		a.SoFar = []childEvent{}
		if s.live != nil {
			events, now, turns := s.live.Look()
			a.SoFar, a.Now, a.Turns = childEvents(events), int64(now), turns
		}
	case releaseCmd:
		if s.live != nil {
			s.live.Release()
		}
	default:
		a.Error = fmt.Sprintf("child: expected the cmd %q, %q or %q, saw %.40q", Run, lookCmd, releaseCmd, q.Cmd)
	}
	return s.say(a)
}

// run begins a run, which answers when it is over. It returns why it cannot, or "".
func (s *serving) run(q *schedulerQuestion) string {
	if q.Graph == nil {
		return `child: expected a graph with "run", saw none`
	}
	if s.live != nil {
		select {
		case <-s.live.Over():
		default:
			return "child: expected one run at a time, saw another"
		}
	}
	g := record.TaskGraph{Name: "asked", Workers: q.Graph.Workers, Outside: q.Graph.Outside, Tasks: q.Graph.Tasks}
	p, err := g.Program()
	if err != nil {
		return cut(err.Error(), mostText)
	}
	if step := lacking(p, s.caps); step != "" {
		return "child: expected steps of what the scheduler offers, saw " + step
	}
	live, err := drive.Begin(s.factory, p, drive.Options{Last: q.Graph.Last})
	if err != nil {
		return cut(err.Error(), mostText)
	}
	s.live = live
	go func() {
		<-live.Over()
		a := schedulerAnswer{Seq: q.Seq, Full: live.Full()}
		if !a.Full {
			events, _, _ := live.Look()
			a.Events = childEvents(events)
		}
		_ = s.say(a) // if it cannot be said, the next answer says so, or the input ends
	}()
	return ""
}

// lacking returns a step that the protocol does not have, or whose capability is lacking, or "".
func lacking(p *record.TaskProgram, c scheduler.Capabilities) string {
	can := func(op record.TaskOp, outside bool) bool {
		switch op {
		case record.Park:
			return c.Park
		case record.Block:
			return c.Block
		case record.Yield, record.Turns:
			return c.Yield
		case record.Sleep:
			return c.Sleep || outside
		case record.Naps:
			return c.Sleep
		case record.Fork, record.Collect:
			return c.Join
		case record.Settle:
			return c.Wait
		case record.Resize:
			return c.Resize && outside || c.ResizeInside && !outside
		case record.Rally, record.Repeat, record.Lock, record.Unlock, record.Exit:
			return false
		}
		return true
	}
	for who, step := range p.Steps() {
		if !can(step.Op, who < 0) {
			return step.String()
		}
	}
	return ""
}

func childEvents(list []record.TaskEvent) []childEvent {
	out := make([]childEvent, len(list))
	for i, e := range list {
		e.Text = cut(e.Text, mostEventText)
		out[i] = childEvent(e)
	}
	return out
}
