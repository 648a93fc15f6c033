package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// A scope says which graphs are enumerated.
type scope struct {
	steps   int // in all scripts together, at most
	threads int
	tasks   int
	workers []int
	caps    scheduler.Capabilities
	// contract says who may submit.
	contract spec.SchedulerContract
	with     record.TaskOp // graphs that have this step, and no others: a panic, a sleep, a change of the number of workers, Close twice; 0: those with none of these
	dead     bool          // graphs in which tasks park for nobody, and no others
	blocks   bool          // graphs in which a task blocks, and another yields or parks, and no others: threads outside submit, and tasks say events, each for others
	most     int           // graphs, at most: the smallest; 0: all
}

// String says which they are, in words.
func (s *scope) String() string {
	return fmt.Sprintf("graphs of up to %d steps, %d threads, %d tasks and %d workers", s.steps, s.threads, s.tasks, slices.Max(s.workers))
}

// graphs returns the graphs of the scope that come to their end on every right scheduler, the smallest first, up
// to symmetry: threads have no order, and tasks and events are numbered as they come up. whole says that they are all.
func (s *scope) graphs() (list []record.TaskGraph, whole bool) {
	for size := 1; size <= s.steps; size++ {
		for _, workers := range s.workers {
			for threads := 1; threads <= s.threads; threads++ {
				for tasks := 1; tasks <= s.tasks; tasks++ {
					m := &maker{scope: s, threads: threads, tasks: tasks, workers: workers, left: size}
					m.scripts = make([][]record.TaskStep, threads+tasks)
					m.fill(0)
					list = append(list, m.made...)
					if s.most > 0 && len(list) > s.most {
						return list[:s.most], false
					}
				}
			}
		}
	}
	return list, true
}

// A maker makes all graphs of one size.
type maker struct {
	*scope
	threads, tasks, workers, left int
	scripts                       [][]record.TaskStep // of the threads, then of the tasks
	submitted, events             int
	closed                        bool
	made                          []record.TaskGraph
}

// fill extends script i in all ways, and those behind it.
func (m *maker) fill(i int) {
	if i == len(m.scripts) {
		if m.left == 0 && m.submitted == m.tasks {
			m.finish()
		}
		return
	}
	m.fill(i + 1)
	script := m.scripts[i]
	if m.left == 0 || len(script) > 0 && script[len(script)-1].Op.Last() {
		return
	}
	for _, s := range m.steps(i) {
		submitted, events, closed := m.submitted, m.events, m.closed
		switch {
		case s.Submits():
			m.submitted++
		case s.Op == record.Close:
			m.closed = true
		case s.OfEvent():
			m.events = max(m.events, s.Arg+1)
		}
		m.scripts[i] = append(slices.Clone(script), s)
		m.left--
		m.fill(i)
		m.left++
		m.scripts[i] = script
		m.submitted, m.events, m.closed = submitted, events, closed
	}
}

// steps are the steps that may come next in script i.
func (m *maker) steps(i int) (list []record.TaskStep) {
	inside := i >= m.threads
	add := func(ops string, arg int) {
		for _, op := range []byte(ops) {
			list = append(list, record.TaskStep{Op: record.TaskOp(op), Arg: arg})
		}
	}
	if m.submitted < m.tasks && (!inside || m.caps.Spawn || m.contract.Is("submits", spec.Anyone)) {
		add("s", m.submitted)
	}
	for e := 0; e <= m.events && e < 2; e++ {
		add("awm", e)
		if inside && m.caps.Park {
			add("p", e)
		}
		if inside && m.caps.Block {
			add("b", e)
		}
	}
	if m.with == record.Fork && inside && m.submitted < m.tasks {
		add("f", m.submitted)
	}
	for k := range m.tasks {
		if f := (record.TaskStep{Op: record.Fork, Arg: k}); slices.Contains(m.scripts[i], f) && !slices.Contains(m.scripts[i], record.TaskStep{Op: record.Collect, Arg: k}) {
			add("n", k)
		}
		if i-m.threads != k {
			add("j", k)
		}
	}
	switch {
	case !inside && (!m.closed || m.with == record.Close):
		add("c", 0)
	case inside && m.caps.Yield:
		add("y", 0)
	}
	switch {
	case inside && m.with.Last(), !inside && m.with == record.Settle:
		add(string(rune(m.with)), 0)
	case inside && m.with == record.Sleep:
		add("z", 300)
	case !inside && m.with == record.Resize:
		for n := 1; n <= slices.Max(m.scope.workers); n++ {
			add("r", n)
		}
	}
	if m.blocks {
		list = slices.DeleteFunc(list, func(s record.TaskStep) bool {
			if s.Op != record.Submit && (!inside || s.Op != record.Happen && !s.Op.Leaves()) {
				return true
			}
			// None waits for what it says itself.
			return s.OfEvent() && slices.ContainsFunc(m.scripts[i], func(o record.TaskStep) bool {
				return o.OfEvent() && o.Arg == s.Arg && (o.Op == record.Happen || s.Op == record.Happen)
			})
		})
	}
	return list
}

// finish takes the graph, if it is one of the scope.
func (m *maker) finish() {
	g := record.TaskGraph{Workers: m.workers}
	for i, script := range m.scripts {
		var words []string
		for _, s := range script {
			words = append(words, s.String())
		}
		text := strings.Join(words, " ")
		if i < m.threads {
			if m.threads > 1 && len(script) == 0 {
				return // as with fewer threads
			}
			g.Outside = append(g.Outside, text)
		} else {
			g.Tasks = append(g.Tasks, text)
		}
	}
	if !m.sensible() || !m.smallest() {
		return
	}
	p, err := g.Program()
	ends := comesToEnd
	if m.dead {
		ends = endsDead
	}
	if err != nil || m.contract.Is("tasks", spec.Leaving) && !canLeave(p, m.contract, m.caps) || !ends(p, m.contract) {
		return
	}
	g.Name = fmt.Sprintf("%s/%s on %d", strings.Join(g.Outside, "|"), strings.Join(g.Tasks, "|"), g.Workers)
	m.made = append(m.made, g)
}

// sensible reports whether each step has a sense: events that are waited for are said by somebody, and the other way round;
// those of meetings are nothing else, and two meet there; nobody waits behind Close for what it has waited for.
func (m *maker) sensible() bool {
	type uses struct{ says, waits, meets, parks, outside int }
	of := make([]uses, m.events)
	with, submitters, closer, closes := m.with == 0, 0, -1, 0
	for i, script := range m.scripts {
		for at, s := range script {
			with = with || s.Op == m.with && (s.Op != record.Close || closes > 0) // two close
			switch s.Op {
			case record.Happen:
				of[s.Arg].says++
				if i < m.threads {
					of[s.Arg].outside++
				}
			case record.Join:
				if slices.Contains(script[:at], s) {
					return false
				}
			case record.Await:
				of[s.Arg].waits++
				if slices.Contains(script[:at], s) {
					return false
				}
			case record.Block:
				of[s.Arg].waits++
			case record.Park:
				of[s.Arg].waits++
				of[s.Arg].parks++
			case record.Gather:
				of[s.Arg].meets++
				if slices.Contains(script[:at], s) {
					return false
				}
			case record.Close:
				closes++
				if closer = i; m.dead && at < len(script)-1 {
					return false
				}
			}
		}
		if i < m.threads && submitsIn(script) {
			submitters++
		}
	}
	if closer >= 0 && m.contract.Is("closes", spec.Alone) && (submitters > 1 || submitters == 1 && !submitsIn(m.scripts[closer])) {
		return false
	}
	if m.dead && closer < 0 {
		return false // nobody else closes
	}
	dead := false
	for _, u := range of {
		if m.dead && u.says == 0 && u.meets == 0 && u.waits > 0 && u.waits == u.parks {
			dead = true
			continue
		}
		if u.meets > 0 && (u.meets == 1 || u.says+u.waits > 0) || (u.says == 0) != (u.waits == 0) || u.says > 1 || u.waits > 2 {
			return false
		}
		// Whether a parked task can be made ready from outside once Close was called, no contract says.
		if u.parks > 0 && u.outside > 0 && (!m.caps.Ready || m.closed) {
			return false
		}
	}
	return with && dead == m.dead && (!m.blocks || m.blocksBeside()) && (submitters < 2 || !m.contract.Is("submits", spec.One))
}

// blocksBeside reports whether a task blocks, and another yields or parks.
func (m *maker) blocksBeside() bool {
	apart := false
	for i, script := range m.scripts[m.threads:] {
		for _, s := range script {
			for k, other := range m.scripts[m.threads:] {
				apart = apart || k != i && s.Op == record.Block && strings.ContainsAny(shape(other), "yp")
			}
		}
	}
	return apart
}

// smallest reports whether no other order of the threads gives a text that comes before.
func (m *maker) smallest() bool {
	for i := 1; i < m.threads; i++ {
		a, b := shape(m.scripts[i-1]), shape(m.scripts[i])
		if a > b {
			return false
		}
	}
	return true
}

// shape is a script without its numbers.
func shape(script []record.TaskStep) string {
	var b []byte
	for _, s := range script {
		b = append(b, byte(s.Op))
	}
	return string(b)
}

func submitsIn(script []record.TaskStep) bool {
	return slices.ContainsFunc(script, func(s record.TaskStep) bool { return s.Submits() })
}
