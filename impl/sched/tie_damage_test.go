package sched

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/trace"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/tier"
)

// A damage is done to the nth operation of a right execution. It returns nil where it would change
// nothing that the model has.
type damage struct {
	name string
	once bool // it is to be seen at that operation
	do   func(steps []harness.Step, n int) []harness.Step
}

// inModel reports whether an operation is a step of the dance for itself, or a read or write of its
// words: what is outside of the model, or is a part of a call of the run queue that takes and gives
// nothing, may be left out or stand elsewhere.
func inModel(s *harness.Step) bool { return isStep(s, s.Site.Place()) }

// stops says that the scene which is damaged stops the world: else nobody's look whether it is to stop is a step.
var stops bool

// isStep is inModel for an operation at a place.
func isStep(s *harness.Step, at harness.Place) bool {
	text := at.Action
	if at.Expr == "s.sysmonwait" || text == "Sched!NetTest" {
		return false // sysmon's sleep and descriptors are not in the configurations here
	}
	if s.Kind == "Load" && (at.Expr == "p.safeSeen" || at.Expr == "s.safePoint") {
		return false // the step may come later: where the flag is cleared, or where the P is found in a syscall or not
	}
	if text == "Sched!SafeWait" {
		return false // for how many Ps the call is not over is none of the model's words
	}
	if (text == "Sched!TopCheck" || text == "Sched!EnterSyscall") && !stops {
		return false
	}
	if strings.HasPrefix(text, "Sched!TimersCheck") && s.Kind == "Load" && s.Read != 0 {
		return false // the step may be the one that takes the G
	}
	if tooLate(s, at) {
		return false
	}
	return strings.HasPrefix(text, "with Sched!") && s.Kind == "Unlock" && at.Expr == "s.global" ||
		strings.HasPrefix(text, "Sched!") && !(strings.HasPrefix(text, "Sched!Tick") && s.Read == 0) && !strings.HasPrefix(text, "Sched!Block") ||
		strings.HasPrefix(text, "RunQueue!") && s.Changed && !strings.Contains(text, "Slot") ||
		text == "RunQueue!GetCASNext" // if it fails the slot is empty; of the ring the M asks again
}

// tooLate reports whether sysmon tries in vain to take a P, and goes on as if it had not tried. What it tries it on is one of the words.
func tooLate(s *harness.Step, at harness.Place) bool {
	return strings.HasPrefix(at.Action, "Sched!Retake") && s.Kind == "CompareAndSwap" && !s.Changed
}

// named reports whether what an operation writes stands for a G, for a time, or for a call of ForEachP.
func named(s *harness.Step) bool {
	expr := s.Site.Place().Expr
	return slices.Contains([]string{"next", "insyscall", "first", "lastpoll", "pollUntil", "safeSeen"}, expr[strings.LastIndexByte(expr, '.')+1:])
}

// aStatus reports whether an operation is on the state of a G, which stands for its action alone.
func aStatus(s *harness.Step) bool { return strings.HasSuffix(s.Site.Place().Expr, ".status") }

// secondLook reports whether a thread that has woken a G looks at those timers again, which the model does not.
func secondLook(steps []harness.Step, n int) bool {
	for i := n - 1; i >= 0 && strings.HasPrefix(steps[n].Site.Place().Action, "Sched!TimersCheck"); i-- {
		if o := &steps[i]; o.Thread == steps[n].Thread && strings.HasPrefix(o.Site.Place().Action, "Sched!TimersCheck") {
			return o.Kind == "Store"
		}
	}
	return false
}

// lastChoice reports whether a G goes into a syscall, or comes back, or is taken to run, and nothing
// follows from that: others do not.
func lastChoice(steps []harness.Step, n int) bool {
	s := &steps[n]
	action := s.Site.Place().Action
	return (strings.HasPrefix(action, "Sched!EnterSyscall,") || action == "RunQueue!GetCASNext" || action == "Sched!ExitSyscall" && s.Changed) &&
		!slices.ContainsFunc(steps[n+1:], func(o harness.Step) bool {
			return inModel(&o) && o.Thread == s.Thread || o.Object == s.Object
		})
}

// matters reports whether an operation changes what others read: a store of what is there does not.
func matters(s *harness.Step) bool { return s.Changed && (s.Kind != "Store" || s.Read != s.Wrote) }

func with(steps []harness.Step, n int, f func(*harness.Step)) []harness.Step {
	bad := slices.Clone(steps)
	f(&bad[n])
	return bad
}

var damages = []damage{
	{"left out", false, func(steps []harness.Step, n int) []harness.Step {
		if !inModel(&steps[n]) || lastChoice(steps, n) {
			return nil
		}
		return slices.Delete(slices.Clone(steps), n, n+1)
	}},
	{"twice", false, func(steps []harness.Step, n int) []harness.Step {
		if !inModel(&steps[n]) {
			return nil
		}
		return slices.Insert(slices.Clone(steps), n, steps[n])
	}},
	{"another value was read", true, func(steps []harness.Step, n int) []harness.Step {
		if !inModel(&steps[n]) || steps[n].Kind != "Load" && steps[n].Kind != "Add" && steps[n].Kind != "CompareAndSwap" {
			return nil
		}
		return with(steps, n, func(s *harness.Step) { s.Read++ })
	}},
	{"another value was written", true, func(steps []harness.Step, n int) []harness.Step {
		if !inModel(&steps[n]) || !steps[n].Changed || strings.HasSuffix(steps[n].Kind, "ock") || aStatus(&steps[n]) || steps[n].Wrote != 0 && named(&steps[n]) || steps[n].Site.Place().Action == "Sched!ResizeIdle" {
			return nil // which G it is, what time, which call of ForEachP, or how many Ps there are from now on, the model does not say
		}
		return with(steps, n, func(s *harness.Step) { s.Wrote++ })
	}},
	{"whether it changed anything", false, func(steps []harness.Step, n int) []harness.Step {
		if !inModel(&steps[n]) || strings.HasSuffix(steps[n].Kind, "ock") || aStatus(&steps[n]) {
			return nil
		}
		return with(steps, n, func(s *harness.Step) { s.Changed = !s.Changed })
	}},
	{"on another object", false, func(steps []harness.Step, n int) []harness.Step {
		if !inModel(&steps[n]) && !tooLate(&steps[n], steps[n].Site.Place()) || steps[n].Object == 0 || steps[n].Site.Place().Action == "Sched!Wake" || steps[n].Site.Place().Action == "Sched!Poll" || aStatus(&steps[n]) {
			return nil // which note, bell or G it is, the model does not say
		}
		return with(steps, n, func(s *harness.Step) {
			if s.Object--; n%2 == 0 {
				s.Object = -1 // none of the words
			}
		})
	}},
	{"by another thread", false, func(steps []harness.Step, n int) []harness.Step {
		if !inModel(&steps[n]) {
			return nil
		}
		other := slices.IndexFunc(steps, func(s harness.Step) bool { return s.Thread != steps[n].Thread })
		if other < 0 {
			return nil
		}
		return with(steps, n, func(s *harness.Step) { s.Thread = steps[other].Thread })
	}},
	{"by a line of another action", false, func(steps []harness.Step, n int) []harness.Step {
		action := steps[n].Site.Place().Action
		other := slices.IndexFunc(steps, func(s harness.Step) bool { return inModel(&s) && s.Site.Place().Action != action })
		if !inModel(&steps[n]) || other < 0 {
			return nil
		}
		return with(steps, n, func(s *harness.Step) { s.Site = steps[other].Site })
	}},
	{"before the operation before it, which it depends on", false, func(steps []harness.Step, n int) []harness.Step {
		if n == 0 || !inModel(&steps[n]) || !inModel(&steps[n-1]) || steps[n-1].Kind == "Unlock" || // to keep the lock longer does no harm
			strings.HasPrefix(steps[n].Site.Place().Action, "Sched!RecheckTimer") && steps[n].Site == steps[n-1].Site || // which P comes first
			steps[n].Thread != steps[n-1].Thread && (steps[n].Object != steps[n-1].Object || !matters(&steps[n]) && !matters(&steps[n-1])) {
			return nil
		}
		bad := slices.Clone(steps)
		bad[n], bad[n-1] = bad[n-1], bad[n]
		return bad
	}},
}

// TestTieDamage damages right executions, one operation at a time: each time the machine must lack
// one.
func TestTieDamage(t *testing.T) {
	t.Attr("req", "DN-WORK-RESCUER")
	tier.OnlyFull(t)
	payload, err := harness.Remote(t, func() ([]byte, error) {
		var missed []string
		tried := make(map[string]int)
		for _, name := range []string{"spawn", "spawn beside work", "yield, then work", "park, then work",
			"block beside work, retake, exit", "block long beside work", "block for ever", "sleep beside work", "sleep, one P, beside another",
			"from two Ps to one beside work", "a stop beside a syscall", "each P beside a syscall"} {
			s := sceneOf(t, name)
			stops = s.most > 0
			d, err := trace.NewDance(machineOf(s, 3))
			if err != nil {
				return nil, err
			}
			report, err := interleave.Explore(func(x *interleave.Exec) {
				sc := begun(x, s)
				x.Finally(func() {
					steps, objects := harness.Taken(x), sc.words().In(x)
					if diverges, err := d.Follow(steps, objects); diverges != nil || err != nil {
						missed = append(missed, fmt.Sprintf("%s, as it is: %v, %v", name, diverges, err))
						return
					}
					begin := slices.IndexFunc(steps, func(s harness.Step) bool { return s.Site.Place().Action == "RunQueue!GetCASNext" })
					for n := begin + 1; n < len(steps); n++ {
						if secondLook(steps, n) {
							continue
						}
						for _, damage := range damages {
							bad := damage.do(steps, n)
							if bad == nil {
								continue
							}
							tried[damage.name]++
							if diverges, err := d.Follow(bad, objects); diverges == nil || err != nil || damage.once && diverges.Step != n {
								place := steps[n].Site.Place()
								missed = append(missed, fmt.Sprintf("%s: step %d, %s of thread %d at %s:%d %s, %s: expected a divergence, saw %v (%v)",
									name, n, steps[n].Kind, steps[n].Thread, place.Func, place.Line, place.Action, damage.name, diverges, err))
							}
						}
					}
				})
			}, interleave.Walk(), interleave.Executions(20), harness.Retries())
			if err != nil {
				return nil, err
			}
			if f := report.Failure; f != nil || report.Certificate.Executions != 20 {
				missed = append(missed, fmt.Sprintf("%s: expected 20 executions to be damaged, saw %v: %+v", name, report.Certificate, f))
			}
		}
		for _, damage := range damages {
			if tried[damage.name] < 100 {
				missed = append(missed, fmt.Sprintf("%s: expected 100 operations to be damaged so, saw %d", damage.name, tried[damage.name]))
			}
		}
		return json.Marshal(struct {
			Tried  map[string]int
			Missed []string
		}{tried, missed})
	})
	if err != nil {
		t.Fatal(err)
	}
	if payload == nil {
		return
	}
	var all struct {
		Tried  map[string]int
		Missed []string
	}
	if err := json.Unmarshal(payload, &all); err != nil {
		t.Fatal(err)
	}
	t.Log(all.Tried)
	for _, text := range all.Missed[:min(len(all.Missed), 20)] {
		t.Error(text)
	}
	if len(all.Missed) > 0 {
		t.Errorf("%d in all", len(all.Missed))
	}
}
