package findings

import (
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
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

// TestWays: the schedule that a reproducer plays with gates is one of the model's, and the
// property falls at its end. With the mend the property holds in all states on the way, which
// may not go through all marks then. All ways through the marks are tried.
func TestWays(t *testing.T) {
	tier.NotShort(t)
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
		t.Run(f.Name, func(t *testing.T) {
			if marks := strings.Count(w.marks, ",") + 2; w.walk(t, c).falls[marks] == 0 {
				t.Errorf("expected a way through all marks to a state in which %s falls, saw none", w.property)
			}
			c.Fixes = variant.Mended()
			table := strings.Count(w.marks[:strings.Index(w.marks, "|")], ",") + 1
			with := w.walk(t, c)
			if len(with.falls) > 0 {
				t.Errorf("%s: %s falls behind so many marks: %v", w.mend, w.property, with.falls)
			}
			if with.marks <= table {
				t.Errorf("%s: expected a way into the table, behind %d marks, saw %d", w.mend, table, with.marks)
			}
		})
	}
}

// A walked way has so many marks behind it, and so many states in which the property does not
// hold, by the number of marks that they are behind.
type walked struct {
	marks int
	falls map[int]int
}

// walk takes all ways through the marks, as far as they go.
func (w *way) walk(t *testing.T, c sched.Config) walked {
	m, err := sched.New(c)
	if err != nil {
		t.Fatal(err)
	}
	all := slices.Concat(m.Invariants(), m.Probes())
	found := walked{falls: make(map[int]int)}
	property := all[slices.IndexFunc(all, func(i explore.Invariant[sched.State]) bool { return i.Name == w.property })]
	t.Attr("req", property.Requirement)
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
		found.marks = max(found.marks, p.next)
		if !property.Holds(&p.s) {
			found.falls[p.next]++
		}
		if p.next == len(marks) {
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
	return found
}
