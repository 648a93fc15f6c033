package record

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A TaskGraph is a program for a scheduler, as data: threads outside, and tasks, each with a script. Every task is
// submitted once. Tasks and threads tell each other by events, numbered from 0: an event has not happened, and then it has, for
// ever.
type TaskGraph struct {
	Name    string `json:"name"`
	Workers int    `json:"workers"`
	// Ring is how many tasks the queue of a worker holds, as near as the scheduler can; 0: as many as usual.
	Ring int `json:"ring,omitempty"`
	// Outside are the scripts of the threads outside. When all have come to their end, and every task that was accepted
	// has ended, the first of them closes the scheduler, unless a script has done so.
	Outside []string `json:"outside"`
	Tasks   []string `json:"tasks"`
}

// A TaskOp is what one step of a script does.
type TaskOp byte

// The steps, by their letters in scripts.
const (
	Submit  TaskOp = 's' // submits a task: s0
	Happen  TaskOp = 'a' // an event happens: a0
	Await   TaskOp = 'w' // waits for an event, and keeps its worker: w0
	Gather  TaskOp = 'm' // waits until all have come whose scripts have it, and keeps its worker: m0
	Join    TaskOp = 'j' // waits until a task has ended, and keeps its worker: j0
	Park    TaskOp = 'p' // parks until an event: p0. Tasks alone
	Block   TaskOp = 'b' // waits for an event in a call that blocks, and leaves its worker: b0. Tasks alone
	Spin    TaskOp = 'h' // looks again and again whether an event has happened: h0. Tasks alone
	Turns   TaskOp = 'l' // yields again and again until an event: l0. Tasks alone
	Rally   TaskOp = 't' // parks, and makes the next task ready that has this step, in turn, until an event: t0. Two tasks or more, and tasks alone
	Yield   TaskOp = 'y' // yields once. Tasks alone
	Sleep   TaskOp = 'z' // sleeps for so many microseconds: z1500. A thread outside waits by the clock
	Repeat  TaskOp = 'g' // submits itself again and again until an event: g0. The last step of a task. A thread outside keeps tasks of its own submitted
	Naps    TaskOp = 'k' // sleeps again and again until an event: k0. Tasks alone
	Fork    TaskOp = 'f' // submits a task that it can join: f0. Tasks alone
	Collect TaskOp = 'n' // joins a task that it has forked, by the scheduler's own call: n0. Tasks alone
	Lock    TaskOp = 'i' // locks a lock, and keeps its worker meanwhile: i0. Tasks alone
	Unlock  TaskOp = 'o' // unlocks it
	Resize  TaskOp = 'r' // has the scheduler have so many workers: r3
	Panic   TaskOp = 'x' // panics. The last step of a task
	Exit    TaskOp = 'e' // ends by runtime.Goexit. The last step of a task
	Settle  TaskOp = 'v' // waits by the scheduler's own call for the tasks that it has. Threads outside alone
	Close   TaskOp = 'c' // closes the scheduler. Threads outside alone
)

var taskOpNames = map[TaskOp]string{
	Submit: "submits task", Happen: "says event", Await: "waits for event", Gather: "meets at", Join: "waits for the end of task", Park: "parks until event",
	Block: "blocks until event", Spin: "spins until event", Turns: "yields until event", Rally: "takes turns with others, each of which parks and is made ready, until event", Yield: "yields", Sleep: "sleeps for", Naps: "naps until event", Repeat: "submits again and again until event", Fork: "forks task", Collect: "joins task", Lock: "locks", Unlock: "unlocks", Resize: "sets the number of workers to", Panic: "panics", Exit: "ends by runtime.Goexit", Settle: "waits for all tasks", Close: "closes",
}

// numbered reports whether a step has a number.
func (o TaskOp) numbered() bool { return o != Yield && o != Settle && o != Close && !o.Last() }

// Last reports whether a step ends its task.
func (o TaskOp) Last() bool { return o == Panic || o == Exit }

// Leaves reports whether a task leaves its worker in such a step, but to join another.
func (o TaskOp) Leaves() bool {
	return o == Park || o == Block || o == Yield || o == Sleep || o == Naps
}

// Waits reports whether a task keeps its worker in such a step while it waits, unless the contract says that it leaves it.
func (o TaskOp) Waits() bool { return o == Await || o == Gather || o == Join }

// Keeps reports whether a task keeps its worker in such a step under every contract.
func (o TaskOp) Keeps() bool { return o == Spin || o == Lock }

// A TaskStep is one step of a script.
type TaskStep struct {
	Op  TaskOp
	Arg int // of what has a number
}

// For returns how long a step sleeps.
func (s TaskStep) For() time.Duration { return time.Duration(s.Arg) * time.Microsecond }

// Submits reports whether a step submits the task of its number.
func (s TaskStep) Submits() bool { return s.Op == Submit || s.Op == Fork }

// OfEvent reports whether the number of a step is that of an event.
func (s TaskStep) OfEvent() bool {
	switch s.Op {
	case Happen, Await, Gather, Park, Block, Spin, Turns, Rally, Naps, Repeat:
		return true
	}
	return false
}

// String returns the step as it stands in a script: "s0".
func (s TaskStep) String() string {
	if s.Op.numbered() {
		return string(rune(s.Op)) + strconv.Itoa(s.Arg)
	}
	return string(rune(s.Op))
}

// Words returns the step in words: "submits task 0".
func (s TaskStep) Words() string {
	if s.Op == Sleep {
		return fmt.Sprintf("%s %v", taskOpNames[s.Op], s.For())
	}
	if s.Op.numbered() {
		return taskOpNames[s.Op] + " " + strconv.Itoa(s.Arg)
	}
	return taskOpNames[s.Op]
}

// The bounds of a graph, so that a mistaken one is refused and not run for hours.
const (
	maxTasks     = 1 << 14
	maxTaskSteps = 1 << 17
	maxSleep     = 60_000_000 // a minute
)

// limit is what the number of a step must be below.
func (o TaskOp) limit() int {
	if o == Sleep {
		return maxSleep
	}
	return maxTasks
}

// ParseTaskScript reads steps with blanks between them or none: "s0 s1m2". Errors wrap ErrFormat.
func ParseTaskScript(script string) ([]TaskStep, error) {
	var out []TaskStep
	for i := 0; i < len(script); {
		c := TaskOp(script[i])
		if c == ' ' {
			i++
			continue
		}
		if taskOpNames[c] == "" {
			return nil, fmt.Errorf("record: script offset %d: expected one of the letters samwjpbhltyzkgfniorxevc, saw %q: %w", i, byte(c), ErrFormat)
		}
		s, j := TaskStep{Op: c}, i+1
		for j < len(script) && script[j] >= '0' && script[j] <= '9' {
			j++
		}
		if (j > i+1) != c.numbered() {
			return nil, fmt.Errorf("record: script offset %d: expected a number after %q: %v, saw %q: %w", i, byte(c), c.numbered(), script[i+1:j], ErrFormat)
		}
		if c.numbered() {
			n, err := strconv.Atoi(script[i+1 : j])
			if err != nil || n >= c.limit() {
				return nil, fmt.Errorf("record: script offset %d: expected a number below %d, saw %s: %w", i, c.limit(), script[i+1:j], ErrFormat)
			}
			s.Arg = n
		}
		out = append(out, s)
		i = j
	}
	return out, nil
}

// A TaskProgram is a graph whose scripts were read.
type TaskProgram struct {
	TaskGraph
	Threads [][]TaskStep // of the threads outside
	Scripts [][]TaskStep // of the tasks
	Events  int          // how many numbers of events there are
	Meets   []int        // by event: how many meet there
	Locks   int          // how many numbers of locks there are
	Rallies [][]int      // by event: the tasks that take turns until it happens
	By      []int        // by task: the task that submits it, or ^thread of the thread outside
	Closes  bool         // a script closes the scheduler
	Resizes int          // how many steps change the number of workers
	Most    int          // how many workers there may be at a time
}

// Program reads the graph. Errors wrap ErrFormat.
func (g *TaskGraph) Program() (*TaskProgram, error) {
	bad := func(format string, args ...any) (*TaskProgram, error) {
		return nil, fmt.Errorf("record: task graph %q: %s: %w", g.Name, fmt.Sprintf(format, args...), ErrFormat)
	}
	switch {
	case g.Workers < 1 || g.Workers > 1024:
		return bad("workers: expected 1 to 1024, saw %d", g.Workers)
	case g.Ring < 0 || g.Ring > 1<<16:
		return bad("ring: expected 0 to 65536, saw %d", g.Ring)
	case len(g.Outside) == 0 || len(g.Outside) > 1024:
		return bad("outside: expected 1 to 1024 threads, saw %d", len(g.Outside))
	case len(g.Tasks) > maxTasks:
		return bad("tasks: expected at most %d, saw %d", maxTasks, len(g.Tasks))
	}
	p := &TaskProgram{TaskGraph: *g, Most: g.Workers, By: make([]int, len(g.Tasks))}
	times, steps := make([]int, len(g.Tasks)), 0
	read := func(script string, outside bool, by int) ([]TaskStep, error) {
		list, err := ParseTaskScript(script)
		if err != nil {
			return nil, err
		}
		steps += len(list)
		for i, s := range list {
			wrong := ""
			switch s.Op {
			case Submit, Fork, Join:
				if s.Arg >= len(g.Tasks) {
					wrong = "a task that there is not"
				} else if s.Op == Fork && outside {
					wrong = "a step of tasks alone"
				} else if s.Op != Join {
					times[s.Arg]++
					p.By[s.Arg] = by
				}
			case Collect:
				if outside || !slices.Contains(list[:i], TaskStep{Fork, s.Arg}) || slices.Contains(list[:i], s) {
					wrong = "a task that this one has forked, and joins once"
				}
			case Lock, Unlock:
				held := 0
				for _, o := range list[:i] {
					if o == (TaskStep{Lock, s.Arg}) {
						held++
					} else if o == (TaskStep{Unlock, s.Arg}) {
						held--
					}
				}
				if outside || s.Op == Lock && (held > 0 || !slices.Contains(list[i:], TaskStep{Unlock, s.Arg})) || s.Op == Unlock && held == 0 {
					wrong = "a task that locks a lock, and then unlocks it"
				}
				p.Locks = max(p.Locks, s.Arg+1)
			case Park, Block, Turns, Rally, Spin, Yield, Naps:
				if outside {
					wrong = "a step of tasks alone"
				}
			case Close:
				if !outside {
					wrong = "a thread outside that closes"
				}
				p.Closes = true
			case Settle:
				if !outside {
					wrong = "a thread outside that waits for all tasks"
				}
			case Resize:
				if s.Arg < 1 || s.Arg > 1024 {
					wrong = "1 to 1024 workers"
				}
				p.Resizes, p.Most = p.Resizes+1, max(p.Most, s.Arg)
			case Repeat:
				if i < len(list)-1 && !outside {
					wrong = "a task that submits itself again in its last step"
				}
			case Panic, Exit:
				if outside || i < len(list)-1 {
					wrong = "the last step of a task"
				}
			}
			if wrong != "" {
				return nil, fmt.Errorf("record: task graph %q, script %q, step %v: %s: %w", g.Name, script, s, wrong, ErrFormat)
			}
			if s.OfEvent() {
				p.Events = max(p.Events, s.Arg+1)
			}
		}
		return list, nil
	}
	for i, script := range g.Outside {
		list, err := read(script, true, ^i)
		if err != nil {
			return nil, err
		}
		p.Threads = append(p.Threads, list)
	}
	for i, script := range g.Tasks {
		list, err := read(script, false, i)
		if err != nil {
			return nil, err
		}
		p.Scripts = append(p.Scripts, list)
	}
	if steps > maxTaskSteps {
		return bad("expected at most %d steps, saw %d", maxTaskSteps, steps)
	}
	for k, n := range times {
		if n != 1 {
			return bad("expected that task %d is submitted once, saw it %d times", k, n)
		}
		by, far := p.By[k], 0
		for ; by >= 0 && far <= len(g.Tasks); far++ {
			by = p.By[by]
		}
		if by >= 0 {
			return bad("nobody outside begins what submits task %d", k)
		}
	}
	p.Meets = make([]int, p.Events)
	for _, lists := range [][][]TaskStep{p.Threads, p.Scripts} {
		for _, list := range lists {
			for _, s := range list {
				if s.Op == Gather {
					p.Meets[s.Arg]++
				}
			}
		}
	}
	p.Rallies = make([][]int, p.Events)
	for k, list := range p.Scripts {
		for _, s := range list {
			if s.Op == Rally {
				p.Rallies[s.Arg] = append(p.Rallies[s.Arg], k)
			}
		}
	}
	for e, tasks := range p.Rallies {
		if n := len(slices.Compact(slices.Clone(tasks))); n == 1 || n < len(tasks) {
			return bad("expected two tasks or more that take turns until event %d, each once, saw tasks %v", e, tasks)
		}
	}
	return p, nil
}

// Steps returns all steps of the scripts, each with its task, or ^thread.
func (p *TaskProgram) Steps() iter.Seq2[int, TaskStep] {
	return func(yield func(int, TaskStep) bool) {
		for i, list := range p.Threads {
			for _, s := range list {
				if !yield(^i, s) {
					return
				}
			}
		}
		for k, list := range p.Scripts {
			for _, s := range list {
				if !yield(k, s) {
					return
				}
			}
		}
	}
}

// Rallied reports whether tasks take turns, each of which parks and is made ready.
func (p *TaskProgram) Rallied() bool {
	return slices.ContainsFunc(p.Rallies, func(tasks []int) bool { return len(tasks) > 0 })
}

// Lines returns the graph in its text form:
//
//	workers: 2
//	thread 0: s0 s1
//	task 0: m0
//	task 1: m0
func (g *TaskGraph) Lines() []string {
	lines := []string{"graph: " + g.Name, fmt.Sprintf("workers: %d", g.Workers)}
	if g.Ring > 0 {
		lines = append(lines, fmt.Sprintf("ring: %d", g.Ring))
	}
	for _, part := range []struct {
		name    string
		scripts []string
	}{{"thread", g.Outside}, {"task", g.Tasks}} {
		for i, script := range part.scripts {
			if i == mostLines {
				lines = append(lines, fmt.Sprintf("and %d more", len(part.scripts)-i))
				break
			}
			lines = append(lines, strings.TrimRight(fmt.Sprintf("%s %d: %s", part.name, i, script), " "))
		}
	}
	return lines
}

// MostThreads is how many goroutines a scheduler may have when all tasks have ended, of which there were so many at a time: one for a worker
// that waited with a task, one for the task, and some more.
func MostThreads(tasks, workers int) int { return 2*tasks + 2*workers + 16 }

// mostLines bounds the lines of the text form for each kind of script: graphs of thousands of tasks have seeds.
const mostLines = 64

// ParseTaskLines reads the text form of a graph, as Lines writes it. Errors wrap ErrFormat. Of a graph with too many scripts the text form has not all: that is
// an error, too.
func ParseTaskLines(lines []string) (g TaskGraph, err error) {
	bad := func(line, want string) (TaskGraph, error) {
		return TaskGraph{}, fmt.Errorf("record: task graph: expected %s, saw %.80q: %w", want, line, ErrFormat)
	}
	for _, line := range lines {
		key, value, ok := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		var n int
		switch {
		case !ok:
			return bad(line, "a key, a colon and a value")
		case key == "graph":
			g.Name = value
		case key == "workers", key == "ring":
			if n, err = strconv.Atoi(value); err != nil {
				return bad(line, "a number")
			}
			if key == "workers" {
				g.Workers = n
			} else {
				g.Ring = n
			}
		case key == fmt.Sprintf("thread %d", len(g.Outside)):
			g.Outside = append(g.Outside, value)
		case key == fmt.Sprintf("task %d", len(g.Tasks)):
			g.Tasks = append(g.Tasks, value)
		default:
			return bad(line, "graph, workers, ring, the next thread or the next task")
		}
	}
	_, err = g.Program()
	return g, err
}
