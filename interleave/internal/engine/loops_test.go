package engine_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	. "github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/internal/tier"

	"github.com/spindle-go/spindle/interleave/internal/certificate"
)

// local carries out a step that touches nothing shared, and returns where the thread
// goes on, or -1 if it is no such step.
func (s *step) local(pc int, regs *[registers]uint64) int {
	switch s.op {
	case "jump":
		return s.to
	case "jump if":
		if regs[s.r] == s.a {
			return s.to
		}
	case "jump if not":
		if regs[s.r] != s.a {
			return s.to
		}
	case "set":
		regs[s.r] = s.a
	case "inc":
		regs[s.r]++
	case "enter", "head":
	default:
		return -1
	}
	return pc + 1
}

// body makes a test of p that leaves its outcome in *outcome.
func (p *loopy) body(outcome *string, made *int) func(*Exec) {
	return func(x *Exec) {
		*made = 0
		words, locks := make([]word, p.words), make([]mutex, p.locks)
		regs := make([][registers]uint64, len(p.threads))
		*outcome = ""
		for t, code := range p.threads {
			x.Go(string(rune('a'+t)), func() { run(code, &regs[t], words, locks, made) })
		}
		x.Finally(func() { *outcome = fmt.Sprint(regs, words, locks) })
	}
}

func run(code []step, regs *[registers]uint64, words []word, locks []mutex, made *int) {
	loops := make(map[int]*int)
	for pc := 0; code[pc].op != "end"; {
		s := &code[pc]
		switch s.op {
		case "enter":
			loops[pc+1] = new(int)
		case "head":
			state := uint64(0)
			for r, v := range regs {
				if s.alive[r] {
					state = state<<16 ^ v&0xffff
				}
			}
			Head(loops[pc], state)
		}
		if to := s.local(pc, regs); to >= 0 {
			pc = to
			continue
		}
		pc++
		if *made++; *made > endless {
			panic("this execution has no end, though threads have a bound of steps")
		}
		switch s.op {
		case "load":
			regs[s.r] = words[s.obj].loadAt(somewhere)
		case "store":
			words[s.obj].storeAt(somewhere, s.b)
		case "release":
			words[s.obj].releaseAt(somewhere, s.b)
			*made++ // and from the buffer to memory
		case "fence":
			FenceNow(somewhere)
		case "add":
			regs[s.r] = words[s.obj].addAt(somewhere, s.a)
		case "count":
			words[s.obj].addAt(tallySite, s.a)
		case "swap":
			regs[s.r] = words[s.obj].swapAt(somewhere, s.b)
		case "cas":
			regs[s.r] = 0
			if words[s.obj].casAt(somewhere, s.a, s.b) {
				regs[s.r] = 1
			}
		case "lock":
			locks[s.obj].lockAt(somewhere)
		case "unlock":
			locks[s.obj].unlockAt(somewhere)
		case "try":
			regs[s.r] = 0
			if locks[s.obj].tryLockAt(somewhere) {
				regs[s.r] = 1
			}
		}
	}
}

// endless is more than the operations of any execution with a bound of 400.
const endless = 10_000

// TestLoopsLoseNothing: for random programs with loops the reduction sees all
// outcomes, and an end that cannot be reached; and no search sees anything else.
func TestLoopsLoseNothing(t *testing.T) { loopsLoseNothing(t, false, tier.N(t, 120, 3000)) }

// TestLoopsUnderTSO is the same where stores go through buffers.
func TestLoopsUnderTSO(t *testing.T) { loopsLoseNothing(t, true, tier.N(t, 30, 500)) }

func loopsLoseNothing(t *testing.T, tso bool, want int) {
	PlainAccesses = true
	defer func() { PlainAccesses = false }()
	for i, seed := range []uint64{1, seedOf(t)} {
		t.Run([]string{"seed 1", "drawn"}[i], func(t *testing.T) {
			t.Logf("seed %d", seed)
			var n, large, cut, unended, full, stuck, ended, blocked int
			r := rand.New(rand.NewPCG(seed, 7))
			for n < want {
				p := newLoopy(r, tso)
				k, ok := p.graph(3000)
				if !ok {
					large++
					continue
				}
				n++
				outcomes, dead := k.outcomes, k.stuck
				seen, c, failures := p.explore(t, Options{Strategy: Exhaustive, Steps: 60, Executions: 5000, TSO: tso})
				name := fmt.Sprintf("program %d of seed %d", n, seed)
				if k.full { // nothing is known but that these outcomes can be
					full++
					for o := range outcomes {
						if !seen[o] && c.Complete() && c.Cuts.Iterations == 0 {
							t.Fatalf("%s: %v: no outcome %s\n%v", name, c, o, p)
						}
					}
					continue
				}
				for o := range seen {
					if !outcomes[o] {
						t.Fatalf("%s: outcome %s cannot be\n%v", name, o, p)
					}
				}
				bad := failures[Deadlock]+failures[Livelock] > 0
				if bad && !dead {
					t.Fatalf("%s: %v, though the end can always be reached; %v\n%v", name, failures, c, p)
				}
				ended, blocked = ended+c.Classes-c.Blocked, blocked+c.Blocked
				switch {
				case failures[StepBound] > 0 || c.Cuts.Bound > 0 || !c.Complete() && c.Executions >= 5000:
					unended++
				case c.Cuts.Iterations > 0:
					cut++
				case !c.Complete() && len(outcomes) == 0:
				case !c.Complete() || !maps.Equal(seen, outcomes):
					t.Fatalf("%s: %v: outcomes %v, want %v; %v\n%v", name, c, seen, outcomes, failures, p)
				case bad != dead:
					t.Fatalf("%s: %v: failures %v, but ends that cannot be reached: %v\n%v", name, c, failures, dead, p)
				}
				if dead {
					stuck++
				}
				for _, st := range []Strategy{Random, PCT} {
					seen, _, failures := p.explore(t, Options{Strategy: st, Steps: 400, Executions: 20, Seed: uint64(n), TSO: tso})
					if failures[Deadlock]+failures[Livelock] > 0 && !dead {
						t.Fatalf("%s: by %s: %v, though the end can always be reached\n%v", name, st, failures, p)
					}
					for o := range seen {
						if !outcomes[o] {
							t.Fatalf("%s: by %s: outcome %s cannot be\n%v", name, st, o, p)
						}
					}
				}
			}
			if unended > 5+n/5 { // 2 to 3 of 100 as a rule
				t.Errorf("%d of %d programs without end: too many to say anything", unended, n)
			}
			t.Logf("%d programs (%d too large): %d explored with cuts, %d without end, %d with full buffers, %d with ends that cannot be reached; %d executions ended, %d blocked",
				n, large, cut, unended, full, stuck, ended, blocked)
		})
	}
}

// explore returns the outcomes, and how many executions failed.
func (p *loopy) explore(t *testing.T, o Options) (map[string]bool, certificate.Certificate, map[FailureKind]int) {
	t.Helper()
	outcomes, failures := make(map[string]bool), make(map[FailureKind]int)
	var outcome string
	var made int // operations
	o.Each = func(v *View) bool {
		if f := v.Failure(); f != nil {
			if f.Kind == Panic {
				t.Fatalf("by %s: %s\n%v", o.Strategy, f.Message, p)
			}
			failures[f.Kind]++
		} else if !v.Waits() {
			if n := len(v.Steps()); n != made {
				t.Fatalf("%d steps of %d are shown\n%v", n, made, p)
			}
			outcomes[outcome] = true
		}
		return true
	}
	c, f, err := Explore(o, p.body(&outcome, &made))
	if err != nil || f != nil {
		t.Fatalf("by %s: %v: %v %v", o.Strategy, p, f, err)
	}
	return outcomes, c, failures
}

func seedOf(t *testing.T) uint64 {
	if s := os.Getenv("SPINDLE_SEED"); s != "" {
		n, err := strconv.ParseUint(s, 0, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	return uint64(time.Now().UnixNano())
}
