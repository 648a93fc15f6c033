package trace

import (
	"errors"
	"fmt"

	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/runqueue"
)

// ErrOutside is wrapped by the error about a scenario that the machine has no room for.
var ErrOutside = errors.New("outside of the machine")

// A Divergence is the first step of an execution that the machine lacks.
type Divergence struct {
	Step     int // counted from 0; the number of steps if it is what was left
	Thread   int
	Action   string // of the code's step
	Expected string // by the machine
	Observed string
}

func (d *Divergence) Error() string {
	return fmt.Sprintf("step %d, thread %d: expected %s, saw %s", d.Step, d.Thread, d.Expected, d.Observed)
}

// A replayer replays executions of one scenario.
type replayer struct {
	m       *runqueue.Machine
	ps      []int // of each P of the scenario, what it is in the machine
	threads int
	wrap    uint64
	sites   sites

	// Of the execution that is being replayed:
	state   runqueue.State
	words   map[int]runqueue.Word // by the explorer's number of the object
	objects map[runqueue.Word]int
	gs      map[uint64]uint8 // by reference
	refs    map[uint8]uint64
	at      []progress // of each thread
	taken   []taken
}

// progress is how far a thread has come.
type progress struct {
	last    runqueue.Access // its last step
	any     bool            // it has made one
	early   []*harness.Step // operations that belong to its next step
	copying int             // the read of a slot that waits for its store, or -1
	answers []runqueue.Answer
}

// taken is a step of the machine.
type taken struct {
	thread int
	access runqueue.Access
}

// newReplayer returns the replayer of one scenario. Errors wrap ErrOutside.
func newReplayer(s *record.Scenario) (*replayer, error) {
	c, ps, err := runqueue.OfScenario(s)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrOutside, err)
	}
	m, err := runqueue.New(c)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrOutside, err)
	}
	return &replayer{m: m, ps: ps, threads: len(s.Threads), wrap: uint64(m.Wrap()), sites: make(sites)}, nil
}

func (t *replayer) reset() {
	t.state = t.m.Start()
	if t.words == nil {
		t.words, t.objects = make(map[int]runqueue.Word), make(map[runqueue.Word]int)
		t.gs, t.refs = make(map[uint64]uint8), make(map[uint8]uint64)
		t.at = make([]progress, t.threads)
	}
	clear(t.words)
	clear(t.objects)
	clear(t.gs)
	clear(t.refs)
	for i := range t.at {
		p := &t.at[i]
		*p = progress{copying: -1, early: p.early[:0], answers: p.answers[:0]}
	}
	t.taken = t.taken[:0]
}

// replay takes the steps on the machine, and holds what calls returned and what was left
// against h. It returns nil or the first divergence.
func (t *replayer) replay(steps []harness.Step, h *record.History) *Divergence {
	if d := t.begin(steps); d != nil {
		return d
	}
	d := t.end(h)
	if d != nil {
		d.Step = len(steps)
	}
	return d
}

// begin replays an execution that need not have come to its end.
func (t *replayer) begin(steps []harness.Step) *Divergence {
	t.reset()
	take := func(n int) *Divergence {
		d := t.step(&steps[n])
		if d != nil {
			d.Step, d.Thread = n, steps[n].Thread
		}
		return d
	}
	// overdue takes the copies that can wait no longer: those of the thread itself, and
	// those of what is written now.
	overdue := func(thread, object int) *Divergence {
		for q := range t.at {
			p := &t.at[q]
			if p.copying >= 0 && (q == thread || steps[p.copying].Object == object) {
				n := p.copying
				p.copying = -1
				if d := take(n); d != nil {
					return d
				}
			}
		}
		return nil
	}
	for n := range steps {
		s := &steps[n]
		written := -1
		if s.Changed {
			written = s.Object
		}
		if d := overdue(s.Thread, written); d != nil {
			return d
		}
		if at := t.sites.of(s.Site); at.action == grabCopySlot && !at.with && s.Thread < t.threads {
			t.at[s.Thread].copying = n
			continue
		}
		if d := take(n); d != nil {
			return d
		}
	}
	for q := range t.at {
		if d := overdue(q, -1); d != nil {
			return d
		}
	}
	return nil
}

// step is one operation of the code.
func (t *replayer) step(s *harness.Step) *Divergence {
	at := t.sites.of(s.Site)
	switch {
	case s.Thread >= t.threads:
		return &Divergence{Expected: fmt.Sprintf("%d threads", t.threads), Observed: fmt.Sprintf("a step of thread %d", s.Thread)}
	case at.action == "":
		return &Divergence{Expected: "an operation whose line names an action of RunQueue", Observed: at.shown(s)}
	}
	p := &t.at[s.Thread]
	if at.with {
		t.fresh(p, s, at)
		if last := t.named(&p.last); p.any && (last == at.action || last == grabCASNext && at.action == grabCASHead) {
			return t.along(&p.last, s, at)
		}
		p.early = append(p.early, s)
		return nil
	}
	a, ok := t.m.Take(&t.state, s.Thread)
	if !ok {
		return &Divergence{Action: at.action, Expected: "no step: the calls of the script are made", Observed: at.shown(s)}
	}
	if d := t.compare(&a, s, at); d != nil {
		d.Action = at.action
		return d
	}
	for _, e := range p.early {
		before := t.sites.of(e.Site)
		if before.action != at.action {
			return &Divergence{Action: before.action, Expected: fmt.Sprintf("%s before or after what goes with it", before.action), Observed: at.shown(s)}
		}
		if d := t.along(&a, e, before); d != nil {
			return d
		}
	}
	p.early = p.early[:0]
	p.last, p.any = a, true
	if a.Answer.Op != runqueue.None {
		p.answers = append(p.answers, a.Answer)
	}
	t.taken = append(t.taken, taken{s.Thread, a})
	return nil
}

// fresh forgets which objects the words of a thread were that owns no P: for each steal it
// makes a P anew, and looks at its tail first.
func (t *replayer) fresh(p *progress, s *harness.Step, at site) {
	if at.action != grabLoadHead || !t.m.Loner(s.Thread) || p.any && t.named(&p.last) == grabLoadHead {
		return
	}
	for object, w := range t.words {
		if int(w.P) == s.Thread && w.Object != runqueue.Global {
			delete(t.words, object)
			delete(t.objects, w)
		}
	}
}

func (t *replayer) named(a *runqueue.Access) string { return t.m.Actions()[a.Action] }
