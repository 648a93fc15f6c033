package checks

import (
	"slices"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// An oracle says whether a graph comes to its end on every scheduler that keeps its promises, whichever task
// such a one takes first: it goes through all that a machine can do that knows nothing but tasks and workers.
// A graph that may end in tasks that hold all workers, and wait for one that has none, says nothing of a scheduler.
// Where a submission may wait for a worker (waits=worker), the machine tries both: it returns at once, and it waits until the task
// has a worker.
type oracle struct {
	seen map[string]bool
	stop bool // some state has no next one
}

// comesToEnd reports whether the graph always comes to its end. It gives up, with false, on graphs that are not small.
func comesToEnd(p *record.TaskProgram, contract spec.SchedulerContract) bool {
	return endsIn(newAbstract(p), contract)
}

// endsDead is comesToEnd for a graph in which tasks may wait for nobody, when all others have ended.
func endsDead(p *record.TaskProgram, contract spec.SchedulerContract) bool {
	a := newAbstract(p)
	a.dead = true
	return endsIn(a, contract)
}

func endsIn(a *abstract, contract spec.SchedulerContract) bool {
	o := &oracle{seen: make(map[string]bool)}
	a.promises(contract)
	o.visit(a)
	return !o.stop
}

// promises takes over what the contract says.
func (a *abstract) promises(contract spec.SchedulerContract) {
	a.own, a.leave, a.one = contract.Is("joins", spec.Own), contract.Is("tasks", spec.Leaving), contract.Is("block", spec.One)
	a.waits, a.stops = contract.Is("waits", spec.ForWorker), contract.Is("resizes", spec.ForTasks)
}

// mostStates bounds the states of a graph.
const mostStates = 20_000

func (o *oracle) visit(a *abstract) {
	key := a.key()
	if o.stop || o.seen[key] {
		return
	}
	o.seen[key] = true
	if len(o.seen) > mostStates {
		o.stop = true
		return
	}
	next := a.next()
	sure := next
	if a.one { // tasks that block may keep their workers, or not
		b := a.clone()
		b.kept = true
		sure = b.next()
	}
	if len(sure) == 0 && !a.over() {
		o.stop = true
	}
	for _, b := range next {
		o.visit(b)
	}
}

// Where a task is.
const (
	unborn byte = iota
	queued
	working
	offWorker // it has left its worker, and needs one to go on
	finished
)

// abstract is a state of the machine.
type abstract struct {
	p        *record.TaskProgram
	dead     bool   // tasks may wait for nobody
	waits    bool   // a submission may wait until its task has a worker
	threads  []byte // by thread: its place in its script
	settles  []byte // by thread, in bits: the tasks that it waits for, by the scheduler's own call (see settle)
	tasks    []byte // by task: where it is
	at       []byte // by task: its place in its script
	above    []byte // by task: 1 and the task that it runs on its own stack, while it joins
	locked   []byte // by lock
	own      bool   // it runs none but its own so (joins=own)
	leave    bool   // tasks leave their workers while they wait (tasks=cooperative)
	one      bool   // tasks that block may keep all workers but one (block=one)
	kept     bool   // they do
	happened []byte // by event: 1, or how many have come to a meeting
	closing  byte   // Close was called
	workers  byte
	changing byte // the number of workers is to change, and tasks that run are waited for (resizes=tasks)
	stops    bool // as the contract says
}

func newAbstract(p *record.TaskProgram) *abstract {
	return &abstract{p: p, workers: byte(p.Workers), threads: make([]byte, len(p.Threads)), settles: make([]byte, len(p.Threads)), tasks: make([]byte, len(p.Tasks)), at: make([]byte, len(p.Tasks)), above: make([]byte, len(p.Tasks)), locked: make([]byte, p.Locks), happened: make([]byte, p.Events)}
}

func (a *abstract) key() string {
	var b []byte
	for _, part := range [][]byte{a.threads, a.settles, a.tasks, a.at, a.above, a.locked, a.happened, {a.closing, a.workers, a.changing}} {
		b = append(append(b, part...), 0xff)
	}
	return string(b)
}

func (a *abstract) clone() *abstract {
	b := *a
	for _, s := range []*[]byte{&b.threads, &b.settles, &b.tasks, &b.at, &b.above, &b.locked, &b.happened} {
		*s = append([]byte(nil), *s...)
	}
	return &b
}

func (a *abstract) over() bool {
	for i, at := range a.threads {
		if int(at) < len(a.p.Threads[i]) {
			return false
		}
	}
	for k, t := range a.tasks {
		if t != finished && !a.stuck(k) {
			return false
		}
	}
	return true
}

// stuck reports whether task k has parked for nobody, where that is what the graph is about.
func (a *abstract) stuck(k int) bool {
	return a.dead && a.tasks[k] == offWorker && a.p.Scripts[k][a.at[k]].Op == record.Park && a.happened[a.p.Scripts[k][a.at[k]].Arg] == 0
}

func (a *abstract) free() bool {
	n, blocked := 0, 0
	for k, t := range a.tasks {
		switch {
		case t == working && a.above[k] == 0:
			n++
		case t == offWorker && a.p.Scripts[k][a.at[k]].Op == record.Block && a.happened[a.p.Scripts[k][a.at[k]].Arg] == 0:
			blocked++
		}
	}
	workers := int(a.workers)
	if a.kept && blocked > 0 {
		workers = max(1, workers-blocked)
	}
	return a.changing == 0 && n < workers
}

// next returns the states that may come next.
func (a *abstract) next() (list []*abstract) {
	for i := range a.threads {
		if int(a.threads[i]) == len(a.p.Threads[i]) {
			continue
		}
		s := a.p.Threads[i][a.threads[i]]
		if s.Op == record.Settle {
			list = append(list, a.settle(i)...)
			continue
		}
		list = append(list, a.step(s, true, func(b *abstract) { b.threads[i]++ })...)
	}
	for k := range a.tasks {
		switch {
		case a.tasks[k] == working:
			if int(a.at[k]) == len(a.p.Scripts[k]) || a.p.Scripts[k][a.at[k]].Op.Last() {
				b := a.clone()
				b.tasks[k] = finished
				b.leaves(k)
				list = append(list, b)
				continue
			}
			switch s := a.p.Scripts[k][a.at[k]]; {
			case s.Op == record.Collect:
				list = append(list, a.collects(k, s.Arg)...)
			case s.Op.Leaves() || a.leave && s.Op.Waits():
				b := a.clone()
				b.tasks[k] = offWorker
				list = append(list, b)
			default:
				list = append(list, a.step(s, false, func(b *abstract) { b.at[k]++ })...)
			}
		case a.tasks[k] == queued && a.free():
			b := a.clone()
			b.tasks[k] = working
			list = append(list, b)
		case a.tasks[k] == offWorker && a.free():
			if s := a.p.Scripts[k][a.at[k]]; s.Op == record.Yield || s.Op == record.Sleep || s.Op == record.Collect && a.tasks[s.Arg] == finished || a.passes(s) {
				b := a.clone()
				b.tasks[k] = working
				b.at[k]++
				list = append(list, b)
			}
		}
	}
	return list
}

// step returns what comes of a step, none if it must wait.
func (a *abstract) step(s record.TaskStep, outside bool, moves func(*abstract)) []*abstract {
	b := a.clone()
	moves(b)
	switch s.Op {
	case record.Submit, record.Fork:
		return a.submits(s.Arg, b)
	case record.Lock:
		if a.locked[s.Arg] > 0 {
			return nil
		}
		b.locked[s.Arg] = 1
	case record.Unlock:
		b.locked[s.Arg] = 0
	case record.Happen:
		b.happened[s.Arg] = 1
	case record.Await, record.Gather, record.Join:
		if !a.passes(s) {
			return nil
		}
	case record.Resize:
		if a.stops && a.changing == 0 {
			c := a.clone()
			c.changing = 1
			return []*abstract{c}
		}
		if a.stops && slices.Contains(a.tasks, working) {
			return nil // it is called from outside
		}
		b.workers, b.changing = byte(s.Arg), 0
	case record.Close:
		if a.closing == 0 {
			c := a.clone()
			c.closing = 1
			return []*abstract{c}
		}
		for k, t := range a.tasks {
			if t != unborn && t != finished && !a.stuck(k) {
				return nil
			}
		}
	}
	return []*abstract{b}
}

// submits returns what comes of a submission; b is a with the step done.
func (a *abstract) submits(k int, b *abstract) (list []*abstract) {
	switch a.tasks[k] {
	case unborn:
		accepted := b.clone()
		accepted.tasks[k] = queued
		list = append(list, accepted)
		if a.waits {
			offered := a.clone()
			offered.tasks[k] = queued
			list = append(list, offered)
		}
	case queued: // it waits
	default: // it has waited, and the task has begun
		return []*abstract{b}
	}
	if a.closing > 0 {
		b.refuse(k)
		list = append(list, b)
	}
	return list
}

// passes reports whether what a step waits for has come.
func (a *abstract) passes(s record.TaskStep) bool {
	switch s.Op {
	case record.Join:
		return a.tasks[s.Arg] == finished
	case record.Gather:
		return a.met(s)
	}
	return s.OfEvent() && a.happened[s.Arg] > 0
}

// met counts at once all who stand at a meeting, or have been there, and reports whether they are all there: who has come stays.
func (a *abstract) met(s record.TaskStep) bool {
	n := int(a.happened[s.Arg]) // of refused tasks
	here := func(list []record.TaskStep, at byte) {
		for i, o := range list {
			if o == s && i <= int(at) {
				n++
			}
		}
	}
	for i, list := range a.p.Threads {
		here(list, a.threads[i])
	}
	for k, list := range a.p.Scripts {
		if t := a.tasks[k]; t == working || t == offWorker || t == finished && a.at[k] > 0 {
			here(list, a.at[k])
		}
	}
	return n >= a.p.Meets[s.Arg]
}

// refuse does what a refused task would have done for others.
func (a *abstract) refuse(k int) {
	a.tasks[k] = finished
	for _, s := range a.p.Scripts[k] {
		switch s.Op {
		case record.Happen:
			a.happened[s.Arg] = 1
		case record.Gather:
			a.happened[s.Arg]++
		case record.Submit, record.Fork:
			a.refuse(s.Arg)
		}
	}
}
