package twolevel

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec/follow"
)

// A tied is what came of holding a scene against the machine.
type tied struct {
	Report                     interleave.Report
	Executions, Steps, Largest int
	Wakes                      uint64 // the most of an execution
}

func (r *tied) String() string {
	return fmt.Sprintf("%v; %d executions followed, %d steps, at most %d states at once; at most %d wake-ups", r.Report.Certificate, r.Executions, r.Steps, r.Largest, r.Wakes)
}

// tieScene explores a scene and holds each execution against the machine. It returns nil in the instrumented binary.
func tieScene(t *testing.T, sc scene, opts ...interleave.Option) *tied {
	t.Helper()
	if schedule := harness.ScheduleAsked(t); schedule != "" {
		opts = append(opts, interleave.Schedule(schedule))
	}
	payload, err := harness.Remote(t, func() ([]byte, error) {
		d, err := newTie(sc.procs, sc.spawns+1)
		if err != nil {
			return nil, err
		}
		var r tied
		r.Report, err = interleave.Explore(func(x *interleave.Exec) {
			s := begun(x, sc)
			x.Finally(func() {
				if wrong := d.follow(harness.Taken(x), objectsOf(x, s), sc.procs); wrong != "" {
					x.Fatalf("%s", wrong)
				}
				atRest(x, s, sc)
				r.Wakes = max(r.Wakes, s.idle.wakes)
			})
		}, append(opts, interleave.Exhaustive(), harness.Retries())...)
		if err != nil {
			return nil, err
		}
		r.Executions, r.Steps, r.Largest = d.executions, d.steps, d.follower.Largest
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

// TestTie holds every execution of scenes against the machine: each operation on a word that Ms share is a step of it, and its
// invariants hold after each.
func TestTie(t *testing.T) {
	tier.NotShort(t)
	t.Attr("req", "DN-WORK-RESCUER")
	for _, sc := range scenes {
		t.Run(sc.name, func(t *testing.T) {
			if sc.long {
				tier.OnlyFull(t)
			}
			r := tieScene(t, sc)
			if r == nil {
				return
			}
			t.Log(r)
			if f := r.Report.Failure; f != nil {
				t.Errorf("DN-WORK-RESCUER: the code departs from the machine that keeps it: %s", r.Report.Text(harness.Reproduce(t, f.Schedule)))
			} else if !r.Report.Certificate.Complete() {
				t.Errorf("expected a complete exploration, saw %v", r)
			}
		})
	}
}

// A damage is done to a step of a right execution.
var damages = []struct {
	name string
	do   func(steps []harness.Step, n int) []harness.Step
}{
	{"left out", func(steps []harness.Step, n int) []harness.Step { return slices.Delete(steps, n, n+1) }},
	{"twice", func(steps []harness.Step, n int) []harness.Step { return slices.Insert(steps, n, steps[n]) }},
	{"another value was read", func(steps []harness.Step, n int) []harness.Step { steps[n].Read++; return steps }},
	{"another value was written", func(steps []harness.Step, n int) []harness.Step {
		steps[n].Wrote++
		steps[n].Changed = true
		return steps
	}},
	{"by another thread", func(steps []harness.Step, n int) []harness.Step { steps[n].Thread ^= 1; return steps }},
	{"on another object", func(steps []harness.Step, n int) []harness.Step { steps[n].Object = -1; return steps }},
}

// TestTieDamage holds that the machine refuses an execution of which one step is damaged, whichever it is.
func TestTieDamage(t *testing.T) {
	tier.NotShort(t)
	t.Attr("req", "DN-WORK-RESCUER")
	for _, sc := range scenes {
		if sc.name != "spawn, call, one P" && sc.name != "call for ever" {
			continue
		}
		t.Run(sc.name, func(t *testing.T) {
			refused, err := harness.Remote(t, func() ([]byte, error) {
				d, err := newTie(sc.procs, sc.spawns+1)
				if err != nil {
					return nil, err
				}
				refused := make([]int, len(damages))
				r, err := interleave.Explore(func(x *interleave.Exec) {
					s := begun(x, sc)
					x.Finally(func() {
						steps, objects := harness.Taken(x), objectsOf(x, s)
						for n := range steps {
							if text := strings.TrimSpace(steps[n].Site.Place().Action); !strings.HasPrefix(text, "TwoLevel!") || looks(&steps[n], text) {
								continue
							}
							for i, c := range damages {
								if strings.HasSuffix(steps[n].Kind, "ock") && strings.Contains(c.name, "value") {
									continue
								}
								if d.follow(c.do(slices.Clone(steps), n), objects, sc.procs) == "" {
									x.Fatalf("step %d, %s: %s, and nothing was seen", n, shown(&steps[n]), c.name)
								}
								refused[i]++
							}
						}
					})
				}, interleave.Exhaustive(), interleave.Executions(50))
				if err == nil && r.Failure != nil {
					err = fmt.Errorf("%s", r.Text(""))
				}
				return fmt.Appendf(nil, "%v", refused), err
			})
			if err != nil {
				t.Fatal(err)
			}
			if refused != nil {
				t.Logf("refused: %s", refused)
			}
		})
	}
}

// looks reports whether an action that takes something has only looked, and goes on to take it.
func looks(s *harness.Step, text string) bool {
	return (strings.Contains(text, "Take") || text == "TwoLevel!Get") && (s.Kind == "Load" && s.Read != 0 || s.Kind == "CompareAndSwap" && !s.Changed)
}

// expected words what a thread might have done.
func (d *tie) expected(tried follow.Set[stand], thread uint8) string {
	var list []string
	for i := range tried {
		e := &tried[i]
		if m := int(e.of[thread]); m != 0 {
			d.out.Reset()
			d.m.Steps(&e.s, m, &d.out)
			for _, edge := range d.out.Edges() {
				list = append(list, fmt.Sprintf("%s of M%d, then %+v", d.m.Actions()[edge.Step.Action], m, d.m.Words(&edge.To)))
			}
		}
	}
	slices.Sort(list)
	if list = slices.Compact(list); len(list) == 0 {
		return "no operation of this thread"
	}
	return strings.Join(list, ", or ")
}

// shown words an operation.
func shown(s *harness.Step) string {
	at := s.Site.Place()
	return fmt.Sprintf("%s: %s of %s by thread %d (%d -> %d)", at.Action, s.Kind, at.Expr, s.Thread, int64(s.Read), int64(s.Wrote))
}
