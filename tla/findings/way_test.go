package findings

import (
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/spec/explore"
	"github.com/spindle-go/spindle/spec/sched"
	"github.com/spindle-go/spindle/tla/variant"
)

// A way is the schedule of a page's table in the model. Its marks are "M1 StartM": the M, by
// the name that the page has for it, goes on alone until it has taken that step, and then the
// one of the next mark does. Behind the bar the table begins.
type way struct {
	config   sched.Config // with all mends but the page's own
	mend     string
	property string
	marks    string
}

var ways = map[string]way{
	"wakep": {
		config: sched.Config{Ps: 2, Ms: 2, Gs: 4}, mend: "undo_first", property: "WorkRescuer",
		marks: "M1 StartM, M2 StealNext, M2 WakepUndo, M1 WakepUndo, M2 IdleLoad | M1 WakepGet, M2 SpinClear, M2 WakepLoad, M2 SpinLoad, M1 WakepUndo, M2 DropIdle",
	},
	"handoffp": {
		config: sched.Config{Ps: 2, Ms: 3, Gs: 4, Features: []string{"block"}}, mend: "handoff_need", property: "WorkRescuer",
		marks: "M1 StartM, M2 StealNext, M2 WakepUndo | M1 WakepCAS, M2 HandoffIdle, M1 WakepUndo, M2 HandoffPutIdle",
	},
	"batch": {
		config: sched.Config{Ps: 2, Ms: 2, Gs: 3, Features: []string{"yield", "tick"}}, mend: "batch_wakep", property: "WorkRescuer",
		marks: "M1 StartM, M2 StealNext, M2 SpinClear, M1 Ready, M1 Gosched, M1 GetNext, M1 Gosched | M1 GlobGet, M2 Stop, M1 BatchPut",
	},
	"gomaxprocs": {
		config: sched.Config{Ps: 3, FirstProcs: []int{1, 2}, Ms: 4, Gs: 3, Features: []string{"block", "stw"}}, mend: "rescan", property: "WorkRescuer",
		marks: "M2 StartM, M3 StealNext, M3 StartM | M1 DropIdle, M2 StartWorld, M2 WakepLoad, M3 ExitGet, M3 Ready, M3 WakepLoad, M1 Stop",
	},
	"goyield": {
		config: sched.Config{Ps: 2, Ms: 5, Gs: 4, Sysmon: 5, Features: []string{"yield", "tick", "syscall"}}, mend: "goyield_wakep", property: "WorkRescuer",
		marks: "M2 StartM, M3 StealNext, M3 EnterSyscall, sysmon StartM, M2 Ready, M2 WakepLoad, M4 StealNext, M4 EnterSyscall, sysmon StartM" +
			" | M2 Ready, M2 WakepLoad, M1 StealNext, M1 DropIdle, M3 ExitGet, M3 SpinLoad, M3 IdleLoad, M1 Stop, M4 ExitNoP, M2 Goyield, M2 TickGet, M3 DropIdle",
	},
	"safepoint": {
		config: sched.Config{Ps: 2, Ms: 4, Gs: 2, Sysmon: 4, Features: []string{"syscall", "safepoint"}}, mend: "safe_again", property: "SafeQuiet",
		marks: "M1 StartM, M2 StealNext, M2 WakepUndo | M1 EnterSyscall, M2 SafeTake, M1 EnterStatus",
	},
	"stw-syscall": {
		config: sched.Config{Ps: 2, Ms: 4, Gs: 2, Sysmon: 4, Features: []string{"syscall", "stw"}}, mend: "stop_again", property: "StopQuiet",
		marks: "M1 StartM, M2 StealNext, M2 WakepUndo | M1 EnterSyscall, M2 StopNpidle, M1 EnterStatus",
	},
	"timer": {
		config: sched.Config{Ps: 2, Ms: 4, Gs: 4, Features: []string{"timer", "block"}}, mend: "poll_need", property: "PollPrompt",
		marks: "M1 StartM, M3 StealNext, M3 StartM, M1 Ready, M1 WakepLoad, M1 TimerSet, M1 GetNext | M2 DropIdle, M3 ExitGet, M3 SpinLoad, M3 IdleLoad, M2 PollSet, world TimerDue, M2 Stop, M3 Stop",
	},
}

// TestWays: the schedule that a reproducer plays with gates is one of the model's, and with the
// mend it leads nowhere where the property falls. All ways through the marks are tried.
func TestWays(t *testing.T) {
	t.Attr("req", "DN-WORK-RESCUER")
	for _, f := range All {
		w, ok := ways[f.Name]
		if !ok {
			if slices.ContainsFunc(f.Variants, Variant.Gates) {
				t.Errorf("%s has gates: expected its way in the model, saw none", f.Name)
			}
			continue
		}
		c := w.config
		c.RingCap = 4
		for i := range c.Ms {
			if i+1 != c.Sysmon {
				c.FirstM = append(c.FirstM, i+1)
			}
		}
		c.FirstP = []int{1, 2}
		c.Fixes = slices.DeleteFunc(variant.Mended(), func(f string) bool { return f == w.mend })
		if ends, fall := w.walk(t, c); fall == 0 {
			t.Errorf("%s: expected a way through all marks to a state in which %s falls, saw %d of %d", f.Name, w.property, fall, ends)
		}
		c.Fixes = variant.Mended()
		if ends, fall := w.walk(t, c); fall > 0 {
			t.Errorf("%s, %s: %s falls in %d of %d states", f.Name, w.mend, w.property, fall, ends)
		}
	}
}

// walk returns how many states are at the end of the way, and in how many of them the
// property does not hold.
func (w *way) walk(t *testing.T, c sched.Config) (ends, fall int) {
	m, err := sched.New(c)
	if err != nil {
		t.Fatal(err)
	}
	all := slices.Concat(m.Invariants(), m.Probes())
	property := all[slices.IndexFunc(all, func(i explore.Invariant[sched.State]) bool { return i.Name == w.property })]
	marks := strings.Split(strings.ReplaceAll(w.marks, " |", ","), ", ")
	names := m.Actions()
	type place struct {
		s    sched.State
		who  [sched.MaxMs + 1]string // the actors' names in the way
		next int                     // the mark
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
		if p.next == len(marks) {
			ends++
			if !property.Holds(&p.s) {
				fall++
			}
			continue
		}
		if len(known) > 1_000_000 {
			t.Fatal("expected an end within a million states")
		}
		by, action, _ := strings.Cut(marks[p.next], " ")
		out.Reset()
		m.Next(&p.s, &out)
		for _, e := range out.Edges() {
			q := place{e.To, p.who, p.next}
			who := &q.who[e.Step.Actor]
			if *who == "" && !slices.Contains(q.who[:], by) {
				*who = by
			}
			if *who != by {
				continue
			}
			if names[e.Step.Action] == action {
				q.next++
			}
			add(q)
		}
	}
	return ends, fall
}
