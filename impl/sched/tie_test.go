package sched

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/spindle-go/spindle/conformance/trace"
	"github.com/spindle-go/spindle/impl/runq"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/tier"
	spec "github.com/spindle-go/spindle/spec/sched"
)

// words are the words that are held against the model's.
func (s *Scheduler) words() *trace.DanceWords {
	w := &trace.DanceWords{Nmspinning: unsafe.Pointer(&s.nmspinning), Needspinning: unsafe.Pointer(&s.needspinning),
		Npidle: unsafe.Pointer(&s.npidle), Runqsize: unsafe.Pointer(&s.runqsize), Lock: unsafe.Pointer(&s.global.Mutex),
		Lastpoll: unsafe.Pointer(&s.lastpoll), PollUntil: unsafe.Pointer(&s.pollUntil),
		Gcwaiting: unsafe.Pointer(&s.gcwaiting), SafePoint: unsafe.Pointer(&s.safePoint)}
	if clock, ok := s.env.(*virtualTime); ok {
		w.Now = unsafe.Pointer(&clock.now)
	}
	for _, p := range s.everyp {
		w.Ps = append(w.Ps, trace.DanceP{Head: wordOf(p.runq, "head"), Tail: wordOf(p.runq, "tail"), Next: wordOf(p.runq, "next"),
			Insyscall: unsafe.Pointer(&p.insyscall), First: unsafe.Pointer(&p.timers.first), SafeSeen: unsafe.Pointer(&p.safeSeen)})
	}
	return w
}

func wordOf(p *runq.P, field string) unsafe.Pointer {
	return reflect.ValueOf(p).Elem().FieldByName(field).Addr().UnsafePointer()
}

// machine is the configuration of the model that a scheduler is held against, with so many Gs.
func machine(c Config, gs int) spec.Config {
	m := spec.Config{Ps: c.Procs, Ms: c.Procs + 3, Gs: gs, RingCap: c.Ring, FirstM: []int{1}, FirstP: []int{1}, Sysmon: c.Procs + 3,
		Features: []string{"yield", "tick", "syscall", "block", "timer"}}
	for fix, shipped := range map[string]bool{"word_stands": c.Shipped.Wakep, "undo_first": c.Shipped.Wakep, "batch_wakep": c.Shipped.Batch, "handoff_need": c.Shipped.Handoffp,
		"poll_need": c.Shipped.Timer, "goyield_wakep": c.Shipped.Goyield, "pidleget_wakes_sysmon": c.Shipped.SysmonSleep} {
		if !shipped {
			m.Fixes = append(m.Fixes, fix)
		}
	}
	return m
}

// machineOf is machine for a scene, in which there are other numbers of Ps by and by.
func machineOf(sc scene, gs int) spec.Config {
	c := sc.config()
	first := c.Procs
	c.Procs = max(c.Procs, sc.most)
	m := machine(c, gs)
	if sc.most > 0 {
		m.FirstProcs = []int{1, 2, 3, 4}[:first]
		m.Features = append(m.Features, "stw", "shrink")
		for fix, shipped := range map[string]bool{"stop_again": c.Shipped.StwSyscall, "rescan": c.Shipped.Gomaxprocs} {
			if !shipped {
				m.Fixes = append(m.Fixes, fix)
			}
		}
	}
	if sc.safe {
		m.Features, m.Fixes = append(m.Features, "safepoint"), append(m.Fixes, "safe_stale")
		if !c.Shipped.Safepoint {
			m.Fixes = append(m.Fixes, "safe_again")
		}
	}
	return m
}

// butWakep is the machine that lacks the flaw wakep, and else does what a scheduler with the flaw does.
func butWakep(c Config, gs int) spec.Config {
	m := machine(c, gs)
	m.Fixes = slices.DeleteFunc(m.Fixes, func(fix string) bool { return fix == "word_stands" })
	return m
}

// A tied is what came of holding a scene against the model.
type tied struct {
	Report                                    interleave.Report
	Divergence                                *trace.Divergence
	Executions, Steps, Shared, States, Beyond int
	Took                                      time.Duration
}

func (r *tied) String() string {
	return fmt.Sprintf("%v; %d executions followed, %d operations, %d of them shared with the execution before; at most %d states at once, %d executions with a step that the machine lacks; %v",
		r.Report.Certificate, r.Executions, r.Steps, r.Shared, r.States, r.Beyond, r.Took.Round(time.Millisecond))
}

// tie explores a scene and holds each execution against the model. It returns nil in the instrumented
// binary.
func tie(t *testing.T, sc scene, gs int, opts ...interleave.Option) *tied {
	t.Helper()
	return tieTo(t, sc, machineOf(sc, gs), opts...)
}

// tieTo is tie to another machine.
func tieTo(t *testing.T, sc scene, m spec.Config, opts ...interleave.Option) *tied {
	t.Helper()
	if schedule := harness.ScheduleAsked(t); schedule != "" {
		opts = append(opts, interleave.Schedule(schedule))
	}
	payload, err := harness.Remote(t, func() ([]byte, error) {
		d, err := trace.NewDance(m)
		if err != nil {
			return nil, err
		}
		var r tied
		var wrong error
		r.Report, err = interleave.Explore(func(x *interleave.Exec) {
			s := begun(x, sc)
			x.Finally(func() {
				r.Divergence, wrong = d.Follow(harness.Taken(x), s.words().In(x))
				if wrong != nil {
					x.Fatalf("%v", wrong)
				}
				if r.Divergence != nil {
					x.Fatalf("%v", r.Divergence)
				}
				atRest(x, s)
			})
		}, append(opts, harness.Retries())...)
		if err == nil {
			err = wrong
		}
		if err != nil {
			return nil, err
		}
		r.Executions, r.Steps, r.Shared, r.States = d.Executions, d.Steps, d.Shared, d.Largest()
		r.Took, r.Beyond = d.Took, d.Beyond
		return json.Marshal(r)
	})
	if err != nil {
		t.Fatal(err)
	}
	if payload == nil {
		return nil
	}
	r := new(tied)
	if err := json.Unmarshal(payload, r); err != nil {
		t.Fatal(err)
	}
	return r
}

// A tiedScene is a scene that is held against the machine.
type tiedScene struct {
	scene string
	gs    int
	some  int // so many executions are enough for TestTie; 0: all
}

var ties = []tiedScene{{"end", 1, 0}, {"spawn", 2, 0}, {"spawn beside work", 3, 0}, {"spawn work", 3, 0}, {"spawn work, 3 Ps", 3, 0}, {"yield, one P", 2, 0}, {"park, one P", 2, 0},
	{"park, then work", 2, 2000}, {"yield, then work", 2, 2000}, {"block, one P", 2, 0}, {"block long, one P", 2, 0}, {"block beside work, retake, exit", 2, 2000}, {"block long beside work", 2, 2000}, {"block for ever", 2, 2000}, {"block long alone", 1, 0}, {"sleep, one P", 1, 0}, {"sleep, one P, beside another", 2, 0}, {"sleep beside work", 2, 2000}, {"another sleeps", 2, 0}, {"from one P to two", 2, 0}, {"from two Ps to one", 2, 0}, {"one P, again", 2, 0}, {"from two Ps to one beside work", 2, 0}, {"from two Ps to one and back", 2, 0}, {"a stop beside a syscall", 2, 0}, {"a stop beside block long", 2, 0}, {"each P, one P", 2, 0}, {"each P beside an idle one", 2, 0}, {"each P beside work", 2, 0}, {"each P beside one that ends", 2, 0}, {"each P beside a syscall", 2, 0}, {"each P beside block long", 2, 0}}

// TestTie holds every execution of scenes against the model: each operation on a word that Ms
// share is a step of the machine, and its invariants hold after each. Of some scenes
// TestTieWhole looks at all. Two kinds of scenes are not held against it: those of descriptors, since the model has no mend of
// tla/findings/poller.md, and those of locked Gs, since in the model a G locks its M when it runs already. Nor is one in which a G
// that is to yield starts another: that goes behind the others, which the model lacks (see doc.go).
func TestTie(t *testing.T) {
	t.Attr("req", "DN-WORK-RESCUER")
	for _, c := range tier.Some(t, ties, 2) {
		t.Run(c.scene, c.holds)
	}
}

// TestTieWhole holds every execution of those scenes against the model of which TestTie looks at some.
func TestTieWhole(t *testing.T) {
	t.Attr("req", "DN-WORK-RESCUER")
	for c := range tier.Split(t, slices.DeleteFunc(slices.Clone(ties), func(c tiedScene) bool { return c.some == 0 }), 0) {
		c.some = 0
		t.Run(c.scene, c.holds)
	}
}

func (c tiedScene) holds(t *testing.T) {
	s := sceneOf(t, c.scene)
	opts := []interleave.Option{interleave.Exhaustive()}
	if c.some > 0 {
		opts = append(opts, interleave.Executions(c.some))
	}
	r := tie(t, s, c.gs, opts...)
	if r == nil {
		return
	}
	t.Log(r)
	if f := r.Report.Failure; f != nil {
		t.Errorf("DN-WORK-RESCUER: the code departs from the machine that keeps it: %s", r.Report.Text(harness.Reproduce(t, f.Schedule)))
	} else if os.Getenv(harness.ScheduleVar) == "" && (c.some == 0 && !r.Report.Certificate.Complete() || r.Executions < max(1, c.some)) {
		t.Errorf("expected a complete exploration, or %d executions, saw %v", c.some, r)
	}
}

func sceneOf(t *testing.T, name string) scene {
	t.Helper()
	for _, sc := range scenes {
		if sc.name == name {
			return sc
		}
	}
	t.Fatalf("no scene %q", name)
	return scene{}
}

// TestTieShipped holds the scheduler with the lost wakeup of Go 1.26 against the model that is mended,
// which lacks a step, and against that which has the flaw, too: there each step is one of the machine's, and
// DN-WORK-RESCUER falls, before all is quiet.
func TestTieShipped(t *testing.T) {
	t.Attr("req", "DN-WORK-RESCUER")
	shipped := scene{ring: 4, shipped: Shipped{Wakep: true}, main: threeBesideWork}
	for _, c := range []struct {
		name     string
		against  spec.Config
		expected string
	}{
		{"mended", butWakep(Config{Procs: 2, Ring: 4}, 4), "expected WakepGet of M2: nmspinning 1 -> 0, saw with WakepGet: Store 1 of s.needspinning"},
		{"shipped", machine(shipped.config(), 4), "expected DN-WORK-RESCUER (WorkRescuer) to hold"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := tieTo(t, shipped, c.against, interleave.Preemptions(3))
			if r == nil || os.Getenv(harness.ScheduleVar) != "" {
				return
			}
			if r.Divergence == nil || !strings.Contains(r.Divergence.Error(), c.expected) {
				t.Fatalf("expected a divergence with %q, saw %v: %v", c.expected, r.Divergence, r)
			}
			t.Logf("%v\n%v", r, r.Divergence)
		})
	}
}
