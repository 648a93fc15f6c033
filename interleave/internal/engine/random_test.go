package engine_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	. "github.com/spindle-go/spindle/interleave/internal/engine"
)

// A program is made at random: threads of a few operations on a few objects.
// What a thread reads decides what it does later, so that wrong pruning loses
// outcomes and not only classes.
type program struct {
	threads [][]instr
	words   int
}

type instr struct {
	op   byte
	obj  int
	a, b uint64
	skip bool // if what was read is a, skip the next
}

const opsOfWords = // load, store, swap, add, CompareAndSwap, buffered store
"lllsswaccr"

func newProgram(r *rand.Rand) *program {
	p := &program{words: 1 + r.IntN(2)}
	n := 2 + r.IntN(2)
	budget := []int{0, 0, 9, 7}[n] - r.IntN(3)
	kind := r.IntN(4)
	for t := range n {
		var th []instr
		length := budget / n
		if t == 0 {
			length = budget - (n-1)*length
		}
		locked, rlocked := false, false
		for range length {
			in := instr{obj: r.IntN(p.words), a: uint64(r.IntN(3)), b: uint64(1 + r.IntN(3)), skip: r.IntN(4) == 0}
			in.op = opsOfWords[r.IntN(len(opsOfWords))]
			switch roll := r.IntN(3); {
			case kind == 1 && roll == 0: // a mutex
				in.op, in.skip = "LUT"[r.IntN(2)], false
				if locked {
					in.op = 'U'
				} else {
					in.op = 'L'
				}
				locked = !locked
			case kind == 2 && roll == 0: // a mutex for readers and writers
				in.skip = false
				switch {
				case locked:
					in.op, locked = 'u', false
				case rlocked:
					in.op, rlocked = 'y', false
				case r.IntN(2) == 0:
					in.op, locked = 'k', true
				default:
					in.op, rlocked = 'x', true
				}
			case kind == 0 && roll == 0 && r.IntN(3) == 0: // a loop that waits
				in.op, in.skip = 'S', false
			case kind == 3 && roll == 0: // a group, and a lock tried
				in.op, in.skip = "dWtt"[r.IntN(4)], false
			}
			th = append(th, in)
		}
		for i := range th {
			// What is skipped must not be a lock or unlock.
			if i+1 == len(th) || !strings.ContainsRune(opsOfWords, rune(th[i+1].op)) {
				th[i].skip = false
			}
		}
		if locked {
			th = append(th, instr{op: map[bool]byte{true: 'U', false: 'u'}[kind == 1]})
		}
		if rlocked {
			th = append(th, instr{op: 'y'})
		}
		p.threads = append(p.threads, th)
	}
	return p
}

// body makes a test of p that leaves its outcome in *outcome.
func (p *program) body(outcome *string) func(*Exec) {
	return func(x *Exec) {
		words := make([]word, p.words)
		mu, rw, g := new(mutex), new(rwmutex), &group{n: 0}
		for _, th := range p.threads {
			for _, in := range th {
				if in.op == 'd' {
					g.n++
				}
			}
		}
		*outcome = ""
		regs := make([]strings.Builder, len(p.threads))
		for t, th := range p.threads {
			x.Go(string(rune('a'+t)), func() {
				for i := 0; i < len(th); i++ {
					in := th[i]
					w := &words[in.obj]
					var got uint64
					switch in.op {
					case 'l':
						got = w.load()
					case 's':
						w.store(in.b)
					case 'r':
						w.release(in.b)
					case 'w':
						got = w.swap(in.b)
					case 'a':
						got = w.add(in.b)
					case 'c':
						if w.cas(in.a, in.b) {
							got = 9
						}
					case 'S':
						for got == 0 {
							got = w.loadAt(Site(100*t + i + 1))
						}
					case 'L':
						mu.lock()
					case 'U':
						mu.unlock()
					case 't':
						if mu.tryLock() {
							got = 1
						}
					case 'k':
						rw.lock()
					case 'u':
						rw.unlock()
					case 'x':
						rw.rlock()
					case 'y':
						rw.runlock()
					case 'd':
						g.add(-1)
					case 'W':
						g.wait()
					}
					fmt.Fprintf(&regs[t], "%d ", got)
					if in.skip && got == in.a {
						i++
					}
				}
			})
		}
		x.Finally(func() {
			for t := range regs {
				*outcome += regs[t].String() + "|"
			}
			for i := range words {
				*outcome += fmt.Sprint(words[i].v, " ")
			}
		})
	}
}

func (p *program) String() string {
	var b strings.Builder
	for t, th := range p.threads {
		fmt.Fprintf(&b, "%c:", 'a'+t)
		for _, in := range th {
			fmt.Fprintf(&b, " %c%d", in.op, in.obj)
			if strings.ContainsRune("swac", rune(in.op)) {
				fmt.Fprintf(&b, "(%d,%d)", in.a, in.b)
			}
			if in.skip {
				fmt.Fprintf(&b, "?%d", in.a)
			}
		}
		b.WriteString("; ")
	}
	return b.String()
}

// explored is what one strategy sees of a program.
type explored struct {
	classes  map[uint64]int
	outcomes map[string]bool
	c        Certificate
}

func (p *program) explore(t *testing.T, o Options) explored {
	t.Helper()
	e := explored{classes: map[uint64]int{}, outcomes: map[string]bool{}}
	var outcome string
	o.Each = func(v *View) bool {
		if f := v.Failure(); f != nil {
			outcome = string(f.Kind) // a deadlock
		}
		e.classes[v.Class()]++
		e.outcomes[outcome] = true
		return true
	}
	var err error
	var f *Failure
	e.c, f, err = Explore(o, p.body(&outcome))
	if err != nil || f != nil {
		t.Fatalf("%v: %v %v", p, f, err)
	}
	return e
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

// TestReductionLosesNothing holds the reducing strategy against a search that
// reduces nothing, on random programs: the same classes, the same outcomes, and
// one execution for each class.
func TestReductionLosesNothing(t *testing.T) {
	for _, tso := range []bool{false, true} {
		for _, seed := range []uint64{1, seedOf(t)} {
			t.Run(fmt.Sprintf("tso=%v/%d", tso, seed), func(t *testing.T) { reduces(t, tso, seed) })
		}
	}
}

func reduces(t *testing.T, tso bool, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 0))
	n, brute, classes, executions, redundant, cut := 0, 0, 0, 0, 0, 0
	for n < 800 {
		p := newProgram(r)
		all := p.explore(t, Options{Strategy: DFS, Bound: -1, Executions: 20000, TSO: tso, Patience: 3})
		if !all.c.Complete() {
			continue // too large to count
		}
		n++
		few := p.explore(t, Options{Strategy: Exhaustive, TSO: tso, Patience: 3})
		if !few.c.Complete() {
			t.Fatalf("%v: %v", p, few.c)
		}
		brute += all.c.Executions
		classes += len(all.classes)
		executions += few.c.Executions
		redundant += few.c.Redundant
		cut += min(1, few.c.Cuts.Iterations)
		if !maps.Equal(keys(all.classes), keys(few.classes)) || !maps.Equal(all.outcomes, few.outcomes) {
			t.Fatalf("program %d: %v\nall executions: %d classes, outcomes %v\nreduced: %d classes, outcomes %v\nto reproduce: SPINDLE_SEED=%d go test -run TestReductionLosesNothing ./interleave/internal/engine",
				n, p, len(all.classes), all.outcomes, len(few.classes), few.outcomes, seed)
		}
	}
	ratio := float64(executions) / float64(classes)
	t.Logf("%d programs, %d with loops that wait: %d executions, %d classes; reduced: %d executions (%.3f for each class), %d broken off",
		n, cut, brute, classes, executions, ratio, redundant)
	if ratio > 1.05 {
		t.Errorf("%.3f executions for each class, want at most 1.05", ratio)
	}
}

func keys(m map[uint64]int) map[uint64]bool {
	k := make(map[uint64]bool)
	for c := range m {
		k[c] = true
	}
	return k
}
