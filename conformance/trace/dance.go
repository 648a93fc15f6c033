package trace

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/spec/explore"
	"github.com/spindle-go/spindle/spec/follow"
	"github.com/spindle-go/spindle/spec/sched"
)

// A Dance holds executions of a scheduler against the machine of tla/Sched.tla. It begins where the first
// M runs the first G; what comes before is the start of the scene.
type Dance struct {
	config  sched.Config
	m       *sched.Machine
	start   sched.State
	actions map[string]uint8 // from 1
	places  map[harness.Site]*danceSite
	checks  []explore.Invariant[sched.State]
	broken  map[sched.State]uint32 // which of checks a state breaks, a bit each

	rules    *rules
	observer observer
	follower *follow.Follower[stand, observation]
	initial  values        // of the execution that was followed last
	sets     *danceSets    // of logs
	last     []observation // and what was seen of it

	counted map[uint8]int // which of choices an action is, from 1

	ready, wake, block, recheck, dropPut, startM, injectStart, stealRing, stealNext                      uint8
	topCheck, timersCheck, stealTimer, recheckTimers, recheckTimer, pollTest, poll, timerBreak, timerDue uint8
	exitTry, handoffEmpty, handoffIdle, handoffPut                                                       uint8
	safeTake, safeAgain, safeStale, safePreempt                                                          uint8
	stopIdle, stopAgain, stopRunning                                                                     uint8

	// Executions, Steps and Shared are how many were followed, with how many operations, and how many of
	// these were not followed again because an execution began like the one before. Beyond is how many took
	// a step that the machine lacks: see sched.Machine.TimedOut.
	Executions, Steps, Shared, Beyond int
	// Took is the time that it took.
	Took time.Duration
}

// NewDance returns the follower of schedulers that the machine of c describes. The first G is run by M 1
// on P 1.
func NewDance(c sched.Config) (*Dance, error) {
	m, err := sched.New(c)
	if err != nil {
		return nil, err
	}
	d := &Dance{config: c, m: m, actions: make(map[string]uint8), places: make(map[harness.Site]*danceSite),
		checks: m.Invariants(), broken: make(map[sched.State]uint32)}
	for i, name := range m.Actions() {
		d.actions[name] = uint8(i + 1)
	}
	for name, at := range map[string]*uint8{"Ready": &d.ready, "Wake": &d.wake, "Block": &d.block, "Recheck": &d.recheck, "DropPut": &d.dropPut, "StartM": &d.startM,
		"InjectStart": &d.injectStart, "StealRing": &d.stealRing, "StealNext": &d.stealNext, "TopCheck": &d.topCheck, "TimersCheck": &d.timersCheck,
		"StealTimer": &d.stealTimer, "RecheckTimers": &d.recheckTimers, "RecheckTimer": &d.recheckTimer, "PollTest": &d.pollTest, "Poll": &d.poll,
		"TimerBreak": &d.timerBreak, "TimerDue": &d.timerDue, "ExitTry": &d.exitTry, "HandoffEmpty": &d.handoffEmpty, "HandoffIdle": &d.handoffIdle, "HandoffPut": &d.handoffPut,
		"StopIdle": &d.stopIdle, "StopAgain": &d.stopAgain, "StopRunning": &d.stopRunning,
		"SafeTake": &d.safeTake, "SafeAgain": &d.safeAgain, "SafeStale": &d.safeStale, "SafePreempt": &d.safePreempt} {
		*at = d.actions[name]
	}
	var out explore.Successors[sched.State]
	m.Init(&out)
	if len(out.Edges()) != 1 {
		return nil, fmt.Errorf("trace: expected one state at the start, saw %d", len(out.Edges()))
	}
	d.start = out.Edges()[0].To
	first := stand{s: d.start}
	first.of[0] = 1
	d.observer.d = d
	d.rules = &rules{d: d}
	d.follower = follow.New[stand, observation](d.rules, first)
	return d, nil
}

// has reports whether the machine has a feature.
func (d *Dance) has(feature string) bool { return slices.Contains(d.config.Features, feature) }

func (d *Dance) site(id harness.Site) *danceSite {
	at := d.places[id]
	if at == nil {
		read := parseDance(id.Place())
		at = &read
		d.places[id] = at
	}
	return at
}

func (d *Dance) first() follow.Set[stand] { return d.follower.First() }

// Largest is how many states have agreed with an execution at once.
func (d *Dance) Largest() int { return d.follower.Largest }

// Follow follows the operations of an execution that has come to its end. It returns the first that
// the machine lacks, or that leads to where an invariant of the machine does not hold; or nil. What is
// left at the end must be at rest, with nobody who goes on by himself. Errors wrap follow.ErrMany.
func (d *Dance) Follow(steps []harness.Step, objects DanceObjects) (*Divergence, error) {
	from := time.Now()
	defer func() { d.Took += time.Since(from) }()
	begin, divergence := d.prologue(steps, objects)
	if divergence != nil {
		return divergence, nil
	}
	d.Executions++
	d.initial = d.observer.values
	same := true
	for n := begin; n <= len(steps); n++ {
		at := n - begin
		o := observation{mode: ended}
		d.observer.values.time(&o)
		if n < len(steps) {
			if o, divergence = d.observer.observe(&steps[n], d.site(steps[n].Site)); divergence != nil {
				divergence.Step = n
				return divergence, nil
			}
		} else if d.observer.holder >= 0 {
			return &Divergence{Step: n, Thread: d.observer.holder, Expected: "the lock to be given back", Observed: "no further operation"}, nil
		}
		d.Steps++
		if same = same && at < len(d.last) && d.last[at] == o && at < d.follower.Len(); same {
			d.Shared++
			continue
		}
		if at < d.follower.Len() {
			d.follower.Back(at)
		}
		d.last = append(d.last[:at], o)
		ok, tried, err := d.follower.See(&o)
		if err != nil {
			return nil, err
		}
		if !ok {
			if n == len(steps) {
				return &Divergence{Step: n, Expected: d.goesOn(tried), Observed: "no further operation"}, nil
			}
			s := &steps[n]
			place := d.site(s.Site)
			return &Divergence{Step: n, Thread: s.Thread, Action: place.label(), Expected: d.expected(tried, int(o.thread)), Observed: place.shown(s)}, nil
		}
		if name := d.breaks(d.follower.Now()); name != "" {
			s := &steps[min(n, len(steps)-1)]
			place := d.site(s.Site)
			return &Divergence{Step: n, Thread: s.Thread, Action: place.label(), Expected: name, Observed: "that it does not, after " + place.shown(s)}, nil
		}
	}
	if !slices.ContainsFunc(d.follower.Now(), func(e stand) bool { return !e.beyond }) {
		d.Beyond++
	}
	return nil, nil
}

// prologue returns where the first G begins to run, from where on operations are observed.
func (d *Dance) prologue(steps []harness.Step, objects DanceObjects) (int, *Divergence) {
	d.observer.begin(objects)
	for n := range steps {
		s := &steps[n]
		at := d.site(s.Site)
		if at.test && at.module == "" {
			if objects[s.Object].kind == nowWord && s.Changed {
				d.observer.values.single[nowWord] = s.Wrote
			}
			continue
		}
		if s.Thread != 0 {
			return 0, &Divergence{Step: n, Thread: s.Thread, Action: at.label(), Expected: "M 1 to run the first G before others do anything", Observed: at.shown(s)}
		}
		if at.is("GetCASNext") && s.Changed {
			return n + 1, nil
		}
	}
	return 0, &Divergence{Step: len(steps), Expected: "M 1 to run the first G", Observed: "that it does not"}
}

// breaks returns what does not hold in any state that agrees with what was seen, or "".
func (d *Dance) breaks(now follow.Set[stand]) string {
	all := ^uint32(0)
	for _, e := range now {
		mask, known := d.broken[e.s]
		if !known {
			for i, c := range d.checks {
				if !c.Holds(&e.s) {
					mask |= 1 << i
				}
			}
			d.broken[e.s] = mask
		}
		if all &= mask; all == 0 {
			return ""
		}
	}
	for i, c := range d.checks {
		if all>>i&1 != 0 {
			return fmt.Sprintf("%s (%s) to hold", c.Requirement, c.Name)
		}
	}
	return ""
}

// expected words what a thread might have done.
func (d *Dance) expected(tried follow.Set[stand], thread int) string {
	var list []string
	for i := range tried {
		e := &tried[i]
		if m := int(e.of[thread]); m != 0 {
			list = append(list, d.phrases(e, m)...)
		}
	}
	slices.Sort(list)
	list = slices.Compact(list)
	if len(list) == 0 {
		return "no operation of this thread"
	}
	return strings.Join(list, ", or ")
}

// phrases words the steps of M m, and where it is if there are none.
func (d *Dance) phrases(e *stand, m int) (list []string) {
	var out explore.Successors[sched.State]
	d.m.Steps(&e.s, m, &out)
	before := e.s.Words()
	for _, edge := range out.Edges() {
		to := edge.To
		list = append(list, fmt.Sprintf("%s of M%d%s", d.m.Actions()[edge.Step.Action], m, changes(before, to.Words())))
	}
	if len(list) == 0 {
		list = append(list, fmt.Sprintf("M%d to wait at %s", m, e.s.At(m)))
	}
	return list
}

// changes words how words change.
func changes(a, b sched.Words) string {
	var text string
	number := func(name string, a, b int8) {
		if a != b {
			text += fmt.Sprintf(", %s %d -> %d", name, a, b)
		}
	}
	bit := func(on bool) int8 {
		if on {
			return 1
		}
		return 0
	}
	number("nmspinning", a.Nmspinning, b.Nmspinning)
	number("needspinning", bit(a.Needspinning), bit(b.Needspinning))
	number("npidle", a.Npidle, b.Npidle)
	number("runqsize", a.Runq, b.Runq)
	for p := range a.Ring {
		number(fmt.Sprintf("length of P%d's ring", p+1), a.Ring[p], b.Ring[p])
		number(fmt.Sprintf("P%d's runnext", p+1), bit(a.Next[p]), bit(b.Next[p]))
	}
	return strings.Replace(text, ", ", ": ", 1)
}

// goesOn words what Ms do by themselves.
func (d *Dance) goesOn(tried follow.Set[stand]) string {
	var list []string
	for i := range tried {
		for m := 1; m <= d.config.Ms; m++ {
			var out explore.Successors[sched.State]
			d.m.Steps(&tried[i].s, m, &out)
			for _, edge := range out.Edges() {
				if !sched.Chosen(edge.Step.Action) {
					list = append(list, fmt.Sprintf("%s of M%d", d.m.Actions()[edge.Step.Action], m))
				}
			}
		}
	}
	slices.Sort(list)
	if list = slices.Compact(list); len(list) == 0 {
		return "a section under the lock to end"
	}
	return strings.Join(list, ", or ")
}
