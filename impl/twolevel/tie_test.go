package twolevel

import (
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/spec/explore"
	"github.com/spindle-go/spindle/spec/follow"
	spec "github.com/spindle-go/spindle/spec/twolevel"
)

// This file holds executions against the machine of tla/TwoLevel.tla. An operation whose line names an action must be a step
// of the machine, by the M of that thread, after which its words are those of the code. What is not seen is which Ms are parked
// and which task is where in the queue: these are no atomics. A thread that was woken and does not sleep in the machine is seen
// at its next step.

// maxThreads bounds the Ms of an execution.
const maxThreads = spec.MaxMs

// A seen is an operation that is a step of the machine, or the end of all.
type seen struct {
	thread uint8
	ended  bool
	take   [2]uint8 // the actions that it may be, from 1
	after  spec.Words
}

// A stand is a state that agrees with what was seen.
type stand struct {
	s  spec.State
	of [maxThreads]uint8 // which M a thread is, from 1; 0 is not known yet
}

// A tie holds executions of a scheduler against a machine.
type tie struct {
	m        *spec.Machine
	ms       int
	actions  map[string]uint8 // from 1
	follower *follow.Follower[stand, seen]
	out      explore.Successors[spec.State]
	checks   []explore.Invariant[spec.State]
	broken   map[spec.State]string
	last     []seen

	executions, steps int
}

func newTie(procs, gs int) (*tie, error) {
	c := spec.Config{Ps: procs, Ms: maxThreads, Gs: gs, FirstM: []int{1}, FirstP: []int{1}}
	m, err := spec.New(c)
	if err != nil {
		return nil, err
	}
	d := &tie{m: m, ms: c.Ms, actions: make(map[string]uint8), broken: make(map[spec.State]string)}
	for i, name := range m.Actions() {
		d.actions[name] = uint8(i + 1)
	}
	d.checks = slices.DeleteFunc(m.Invariants(), func(v explore.Invariant[spec.State]) bool { return v.Requirement == "" })
	m.Init(&d.out)
	first := stand{s: d.out.Edges()[0].To}
	first.of[0] = 1
	d.follower = follow.New[stand, seen](d, first)
	return d, nil
}

// step calls each with the steps of M i by an action.
func (d *tie) step(e *stand, i int, action uint8, each func(to *stand)) {
	d.out.Reset()
	d.m.Steps(&e.s, i, &d.out)
	for _, edge := range d.out.Edges() {
		if to := (stand{edge.To, e.of}); edge.Step.Action+1 == action && d.inOrder(e, &to) {
			each(&to)
		}
	}
}

// inOrder reports whether of the Ms that no thread is yet the first is woken: they are alike.
func (d *tie) inOrder(from, to *stand) bool {
	first := true
	for i := 1; i <= d.ms; i++ {
		if slices.Contains(from.of[:], uint8(i)) || from.s.At(i) != "parked" {
			continue
		}
		if to.s.At(i) != "parked" && !first {
			return false
		}
		first = false
	}
	return true
}

// Silent implements [follow.Rules]: that a G comes back from a syscall touches nothing, and a thread that is new is some M.
func (d *tie) Silent(e *stand, o *seen, next *follow.Next[stand]) {
	if o.ended {
		return
	}
	if i := int(e.of[o.thread]); i != 0 {
		if slices.Contains(o.take[:], d.actions["ExitTake"]) {
			d.step(e, i, d.actions["ExitSyscall"], func(to *stand) { next.Add(to, 0) })
		}
		return
	}
	for i := 1; i <= d.ms; i++ {
		if !slices.Contains(e.of[:], uint8(i)) && e.s.At(i) == "TwoAdd" {
			known := *e
			known.of[o.thread] = uint8(i)
			next.Stay(&known)
		}
	}
}

// Seen implements [follow.Rules].
func (d *tie) Seen(e *stand, o *seen, next *follow.Next[stand]) {
	if o.ended {
		if d.m.Calm(&e.s) {
			next.Stay(e)
		}
		return
	}
	if e.of[o.thread] == 0 {
		return
	}
	for _, action := range o.take {
		if action != 0 {
			d.step(e, int(e.of[o.thread]), action, func(to *stand) {
				if d.m.Words(&to.s) == o.after {
					next.Add(to, uint16(action))
				}
			})
		}
	}
}

// breaks returns which invariant does not hold in a state.
func (d *tie) breaks(s *spec.State) string {
	name, known := d.broken[*s]
	if !known {
		for _, c := range d.checks {
			if !c.Holds(s) {
				name = c.Requirement + " (" + c.Name + ")"
			}
		}
		d.broken[*s] = name
	}
	return name
}

// follow follows an execution that has come to its end. It returns what of it the machine does not do, or "".
func (d *tie) follow(steps []harness.Step, objects map[int]int, procs int) string {
	o := observer{d: d, objects: objects, holds: [words]uint64{free: uint64(procs - 1), tasks: 2}}
	d.executions++
	n, same := 0, true
	see := func(now seen) (differs bool, tried follow.Set[stand]) {
		d.steps++
		at := n
		n++
		if same = same && at < len(d.last) && d.last[at] == now && at < d.follower.Len(); same {
			return false, nil
		}
		if at < d.follower.Len() {
			d.follower.Back(at)
		}
		d.last = append(d.last[:at], now)
		ok, tried, err := d.follower.See(&now)
		return !ok || err != nil, tried
	}
	for i := range steps {
		now, step, wrong := o.observe(&steps[i])
		if wrong != "" {
			return fmt.Sprintf("step %d, %s: expected %s", i, shown(&steps[i]), wrong)
		}
		if !step {
			continue
		}
		if differs, tried := see(now); differs {
			return fmt.Sprintf("step %d, %s, then %+v: expected %s", i, shown(&steps[i]), now.after, d.expected(tried, now.thread))
		}
		for _, e := range d.follower.Now() {
			if name := d.breaks(&e.s); name != "" {
				return fmt.Sprintf("step %d, %s: expected %s to hold", i, shown(&steps[i]), name)
			}
		}
	}
	if differs, _ := see(seen{ended: true}); differs {
		return "the end: expected that an M goes on, saw no further operation"
	}
	return ""
}

// The words of the machine.
const (
	noWord int = iota
	free
	nspin
	ntwo
	tasks
	size
	lock // of the list of idle Ms

	words
)

// touches says which word an action is on.
var touches = map[string]int{
	"Spawn": size, "Block": tasks, "EnterSyscall": free, "EnsureSpin": nspin, "EnsureFree": free, "EnsureCAS": nspin, "EnsureWake": lock,
	"Get": size, "Busy": nspin, "TestTwo": ntwo, "Drop": free, "JoinLoad": nspin, "JoinCAS": nspin, "TwoAdd": ntwo, "TwoTake": free,
	"TwoSub": ntwo, "Decrement": nspin, "RecheckQueue": size, "RecheckFree": free, "Park": lock, "ExitTake": free, "ExitPut": size,
}

// An observer says what operations are of the machine's.
type observer struct {
	d       *tie
	objects map[int]int // which word an object is
	holds   [words]uint64
	counted [maxThreads]int // how many tasks a thread has counted and not yet put
}

// objectsOf says which word each object of an execution is.
func objectsOf(x *interleave.Exec, s *Scheduler) map[int]int {
	objects := make(map[int]int)
	for word, at := range map[int]unsafe.Pointer{free: unsafe.Pointer(&s.free), nspin: unsafe.Pointer(&s.nspin), ntwo: unsafe.Pointer(&s.ntwo),
		tasks: unsafe.Pointer(&s.tasks), size: unsafe.Pointer(&s.queue.size), lock: unsafe.Pointer(&s.idle.mu)} {
		if n := harness.Object(x, at); n >= 0 {
			objects[n] = word
		}
	}
	return objects
}

// observe returns what an operation is, if it is a step. Wrong is what was expected in its place.
func (b *observer) observe(s *harness.Step) (o seen, step bool, wrong string) {
	at := s.Site.Place()
	if s.Kind == "Gosched" || strings.HasSuffix(at.File, "_test.go") {
		return o, false, ""
	}
	if s.Thread >= maxThreads {
		return o, false, fmt.Sprintf("at most %d threads", maxThreads)
	}
	word := b.objects[s.Object]
	before := b.holds[word]
	if word != noWord && word != lock {
		if s.Read != before || s.Kind == "Load" && s.Changed {
			return o, false, fmt.Sprintf("that the word held %d, and that a load leaves it", before)
		}
		if s.Changed {
			b.holds[word] = s.Wrote
		}
	}
	text, marked := strings.CutPrefix(strings.TrimSpace(at.Action), spec.Module+"!")
	if !marked {
		if at.Action == "with TwoLevel!Spawn: it counts as blocked no more" && word == tasks && s.Wrote == before+1 {
			b.counted[s.Thread]++
			return o, false, ""
		}
		if b.holds[word] != before || !strings.HasPrefix(at.Action, "with ") && !strings.HasPrefix(at.Action, "outside: ") {
			return o, false, "a line that says which action it is, or one that changes no word of the machine"
		}
		return o, false, ""
	}
	names := strings.Split(text, ", ")
	for i, name := range names {
		if o.take[i] = b.d.actions[name]; o.take[i] == 0 || touches[name] != word {
			return o, false, "an action of the machine that is on this word"
		}
	}
	if takes := slices.Contains([]string{"Get", "TwoTake", "ExitTake"}, names[0]); takes && (s.Kind == "Load" && s.Read != 0 || s.Kind == "CompareAndSwap" && !s.Changed) {
		return o, false, "" // it goes on to take one, or looks again
	}
	if names[0] == "Spawn" && b.counted[s.Thread] > 0 {
		b.counted[s.Thread]--
	}
	o.thread, o.after = uint8(s.Thread), b.words()
	return o, true, ""
}

// words returns what the words say, as the machine has it.
func (b *observer) words() spec.Words {
	n := int8(b.holds[tasks]) - 1
	for _, more := range b.counted {
		n -= int8(more)
	}
	return spec.Words{Queue: int8(b.holds[size]), Nspin: int8(b.holds[nspin]), Ntwo: int8(b.holds[ntwo]), Tasks: n, Free: int8(b.holds[free])}
}
