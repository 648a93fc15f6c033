package sched_test

import (
	"slices"
	"testing"

	"github.com/spindle-go/spindle/spec/explore"
	"github.com/spindle-go/spindle/spec/sched"
)

// A mark is a step of a way, and the M that takes it, by the way's name of it.
type mark struct{ by, action string }

// goyieldWay is the table of tla/findings/goyield.md. Before it begins M3 and M4 enter
// syscalls and sysmon takes their Ps, the second time for M1.
var goyieldWay = []mark{
	{"M2", "StartM"}, {"M3", "StealNext"}, {"M3", "EnterSyscall"}, {"sysmon", "StartM"},
	{"M2", "Ready"}, {"M2", "WakepLoad"}, {"M4", "StealNext"}, {"M4", "EnterSyscall"}, {"sysmon", "StartM"},
	{"M2", "Ready"}, {"M2", "WakepLoad"},
	{"M1", "StealNext"}, {"M1", "DropIdle"},
	{"M3", "ExitGet"}, {"M3", "SpinLoad"}, {"M3", "IdleLoad"},
	{"M1", "Stop"},
	{"M4", "ExitNoP"},
	{"M2", "Goyield"}, {"M2", "TickGet"},
	{"M3", "DropIdle"},
}

// TestWay: the schedule that the reproducer of a finding plays is one of the model's, and
// none with the mend. All ways through the marks are tried.
func TestWay(t *testing.T) {
	t.Attr("req", "DN-WORK-RESCUER")
	c := sched.Config{
		Ps: 2, Ms: 5, Gs: 4, RingCap: 4, FirstM: []int{1, 2, 3, 4}, FirstP: []int{1, 2}, Sysmon: 5, Features: []string{"yield", "tick", "syscall"},
		Fixes: []string{"undo_first", "handoff_need", "batch_wakep", "rescan", "stop_again", "safe_again", "poll_need", "enlist_always"},
	}
	if ends, fall := walkWay(t, c, goyieldWay); ends == 0 || fall == 0 {
		t.Errorf("expected a way through all marks to a state without a rescuer, saw %d of %d", fall, ends)
	}
	c.Fixes = append(c.Fixes, "goyield_wakep")
	if ends, fall := walkWay(t, c, goyieldWay[:len(goyieldWay)-2]); ends == 0 || fall > 0 {
		t.Errorf("goyield_wakep: expected ways through the marks to Goyield, all to states with a rescuer, saw %d of %d", fall, ends)
	}
	if _, fall := walkWay(t, c, goyieldWay); fall > 0 {
		t.Errorf("goyield_wakep: saw %d states without a rescuer", fall)
	}
}

// walkWay returns how many states are at the end of the way, and how many of them have no
// rescuer. One M steps alone until it has taken the step that is marked for it, then the
// one of the next mark does.
func walkWay(t *testing.T, c sched.Config, way []mark) (ends, fall int) {
	m, err := sched.New(c)
	if err != nil {
		t.Fatal(err)
	}
	all := m.Invariants()
	rescuer := all[slices.IndexFunc(all, func(i explore.Invariant[sched.State]) bool { return i.Name == "WorkRescuer" })]
	names := m.Actions()
	type place struct {
		s    sched.State
		who  [sched.MaxMs]string // the actors' names in the way
		next int                 // the mark
	}
	known := make(map[place]bool)
	var todo []place
	add := func(p place) {
		if !known[p] {
			known[p] = true
			todo = append(todo, p)
		}
	}
	var out explore.Successors[sched.State]
	m.Init(&out)
	for _, e := range out.Edges() {
		add(place{s: e.To})
	}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if p.next == len(way) {
			ends++
			if !rescuer.Holds(&p.s) {
				fall++
			}
			continue
		}
		if len(known) > 1_000_000 {
			t.Fatal("expected an end within a million states")
		}
		out.Reset()
		m.Next(&p.s, &out)
		to := way[p.next]
		for _, e := range out.Edges() {
			q := place{e.To, p.who, p.next}
			who := &q.who[e.Step.Actor]
			if *who == "" && !slices.Contains(q.who[:], to.by) {
				*who = to.by
			}
			if *who != to.by {
				continue
			}
			if names[e.Step.Action] == to.action {
				q.next++
			}
			add(q)
		}
	}
	return ends, fall
}
