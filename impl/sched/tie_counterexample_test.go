package sched

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/trace"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec/explore"
)

// playedVar has what TestTieCounterexample found for its instrumented binaries.
const playedVar = "SPINDLE_INTERNAL_TIE_PLAYED"

// A played is a behaviour of the machine, as a program and a schedule of it.
type played struct {
	Choices       map[int][]string
	Schedule      string
	Steps, States int
}

// as is the scene in which the Gs of each M do what the behaviour has them do.
func (b *played) as(shipped Shipped) scene {
	count := func(of []string, name string) (n int) {
		for _, other := range of {
			if other == name {
				n++
			}
		}
		return n
	}
	sc := scene{ring: 4, tick: 1, shipped: shipped}
	for _, list := range b.Choices {
		sc.retakes += count(list, "Retake")
		sc.hours += count(list, "TimerDue")
	}
	sc.main = func(g *G) {
		left := make([][]string, 8) // by M
		for m, list := range b.Choices {
			left[m] = slices.Clone(list)
		}
		next := func(g *G, only string) (name string) {
			list := &left[g.m.id-1]
			if len(*list) > 0 && (only == "" || (*list)[0] == only) {
				name, *list = (*list)[0], (*list)[1:]
			}
			return name
		}
		var obey func(*G)
		blocks := func(g *G, block func(func())) {
			if next(g, "ExitSyscall") == "" {
				block(forever)
			}
			block(func() {})
		}
		obey = func(g *G) {
			for {
				switch next(g, "") {
				case "Ready":
					g.Go(obey)
				case "Gosched":
					g.Yield()
				case "Goyield":
					g.m.p.schedtick = 0 // it is the 61st time
					g.YieldHere()
				case "EnterSyscall":
					blocks(g, g.Block)
				case "EnterSyscallBlock":
					blocks(g, g.BlockLong)
				case "TimerSet":
					g.Sleep(1)
				case "TimerAfter":
					g.AfterFunc(1, obey)
				case "Block":
					return
				case "":
					forever()
				}
			}
		}
		obey(g)
	}
	return sc
}

// TestTieCounterexample turns the shortest way in which the model of Go 1.26 breaks a promise, in a small scope, into a
// program and a schedule of the code with the same flaw, which breaks it, too. The code that is mended
// cannot follow, and is right in 2,000 executions of that program by chance (20,000 in the full tier).
func TestTieCounterexample(t *testing.T) {
	tier.NotShort(t)
	for _, c := range tier.Some(t, []struct {
		page      string // of tla/findings
		shipped   Shipped
		gs        int
		features  []string
		most      map[string]int
		invariant string
		breaks    string
		parts     string // where the mended scheduler does something else
	}{
		{"wakep", Shipped{Wakep: true}, 4, nil, map[string]int{"Ready": 3, "Block": 3}, "WorkQuiet", "DN-WORK-QUIET", "wakep (dance.go"},
		{"handoffp", Shipped{Handoffp: true}, 3, []string{"block", "syscall"}, map[string]int{"Ready": 2, "Block": 2, "EnterSyscallBlock": 1}, "WorkQuiet", "DN-WORK-QUIET", "handoffp (dance.go"},
		{"timer", Shipped{Timer: true}, 2, []string{"timer", "block", "syscall"},
			map[string]int{"Ready": 1, "Block": 1, "EnterSyscallBlock": 1, "ExitSyscall": 1, "TimerAfter": 1, "TimerDue": 1}, "PollPrompt", "TM-POLL-IDLE", "pidlegetSpinning (dance.go"},
		{"goyield", Shipped{Goyield: true}, 3, []string{"yield", "tick", "syscall"},
			map[string]int{"Ready": 2, "Block": 1, "EnterSyscall": 1, "ExitSyscall": 1, "Retake": 1, "Tick": 1}, "WorkQuiet", "DN-WORK-QUIET", "wakep (dance.go"},
	}, 2) {
		t.Run(c.page, func(t *testing.T) {
			t.Attr("req", c.breaks)
			var b played
			if text := os.Getenv(playedVar); text != "" {
				if err := json.Unmarshal([]byte(text), &b); err != nil {
					t.Fatal(err)
				}
			} else {
				m := machine((&played{}).as(c.shipped).config(), c.gs)
				m.Features = c.features
				if !slices.Contains(c.features, "syscall") {
					m.Sysmon, m.Ms = 0, m.Ms-1
				}
				payload, err := harness.Remote(t, func() ([]byte, error) {
					d, err := trace.NewDance(m)
					if err != nil {
						return nil, err
					}
					program, err := d.Program(trace.DanceScope{Most: c.most})
					if err != nil {
						return nil, err
					}
					falls, err := program.Holds(c.invariant)
					if err != nil {
						return nil, err
					}
					r, err := explore.Explore(t.Context(), program, explore.Options[trace.DanceState]{Invariants: []explore.Invariant[trace.DanceState]{falls}})
					if err == nil && r.Violation == nil {
						err = errors.New("expected that " + c.invariant + " falls, saw that it holds")
					}
					if err != nil {
						return nil, err
					}
					b.Choices, b.Steps, b.States = program.Choices(r.Violation.Trace), len(r.Violation.Trace)-1, int(r.Distinct)
					letters := map[int]string{0: "a"}
					for _, actor := range []int{m.Sysmon - 1, m.Ms} { // as begun starts them
						if len(b.Choices[actor]) > 0 {
							letters[actor] = string('a' + rune(len(letters)))
						}
					}
					if b.Schedule, err = program.Guide(r.Violation.Trace, letters, runOf(b.as(c.shipped))); err != nil {
						return nil, err
					}
					if _, mended := program.Guide(r.Violation.Trace, letters, runOf(b.as(Shipped{}))); mended == nil {
						return nil, errors.New("expected that the mended code cannot follow, saw that it does")
					}
					return json.Marshal(b)
				})
				if err != nil {
					t.Fatal(err)
				}
				if payload == nil {
					return
				}
				if err := json.Unmarshal(payload, &b); err != nil {
					t.Fatal(err)
				}
				t.Logf("%s falls after %d steps of the machine, in %d states; the Gs of each M do %v; the schedule is %s", c.invariant, b.Steps, b.States, b.Choices, b.Schedule)
				t.Setenv(playedVar, string(payload))
			}
			t.Run("shipped", func(t *testing.T) { // counts its calls for itself
				var found *interleave.Failure
				play(t, b.as(c.shipped), interleave.Schedule(b.Schedule), interleave.MustFail(func(r interleave.Report) {
					if f := r.Failure; !strings.Contains(f.Message, c.breaks) {
						t.Errorf("expected %s, saw %s", c.breaks, r.Text(""))
					}
					t.Log(r.Text(""))
					found = r.Failure
				}))
				again(t, b.as(c.shipped), found, c.parts)
			})
			t.Run("mended", func(t *testing.T) {
				play(t, b.as(Shipped{}), interleave.PCT(), interleave.Executions(tier.N(t, 2000, 20_000)))
			})
		})
	}
}

// runOf executes schedules of a scene.
func runOf(sc scene) func(string) (trace.DanceRun, error) {
	return func(schedule string) (run trace.DanceRun, err error) {
		err = errors.New("the execution has no end")
		_, wrong := interleave.Explore(func(x *interleave.Exec) {
			s := begun(x, sc)
			x.Finally(func() { run, err = trace.DanceRun{Steps: harness.Taken(x), Objects: s.words().In(x)}, nil })
		}, interleave.Schedule(schedule), harness.Retries())
		return run, errors.Join(wrong, err)
	}
}
