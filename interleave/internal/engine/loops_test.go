package engine_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	. "github.com/spindle-go/spindle/interleave/internal/engine"
)

// Random programs with loops, held against an interpreter that knows nothing of
// loops: it goes through the graph of all states.

// loopy is a program with loops: its threads in a code of a few instructions.
type loopy struct {
	threads [][]step
	words   int
	locks   int
}

// A step is an instruction. The registers a thread has are numbered; what an
// operation returns goes into register r.
type step struct {
	op    string
	obj   int
	r     int
	a, b  uint64
	to    int    // of jumps
	alive []bool // of a head: the registers that are read before they are written
}

const (
	registers = 3
	tallySite = Site(2)
)

func init() {
	// So that operations have places, as in instrumented code.
	Register(1, make([]Place, 2))
	Tallies(tallySite)
}

// A compiler makes code of random statements.
type compiler struct {
	*rand.Rand
	p    *loopy
	code []step
	held []int // locks, the last taken last
	size int   // left
}

func newLoopy(r *rand.Rand) *loopy {
	p := &loopy{words: 1 + r.IntN(2), locks: 1 + r.IntN(2)}
	n := 2 + r.IntN(2)
	for range n {
		c := &compiler{Rand: r, p: p, size: 8 - 2*n + r.IntN(3)}
		for c.size > 0 {
			c.statement(0)
		}
		if r.IntN(8) > 0 {
			for len(c.held) > 0 {
				c.unlock()
			}
		}
		c.emit(step{op: "end"})
		liveness(c.code)
		p.threads = append(p.threads, c.code)
	}
	if n == 2 && r.IntN(3) > 0 { // somebody who helps
		c := &compiler{Rand: r, p: p}
		for range 1 + r.IntN(3) {
			c.emit(step{op: "store", obj: r.IntN(p.words), b: uint64(r.IntN(3))})
		}
		c.emit(step{op: "end"})
		liveness(c.code)
		p.threads = append(p.threads, c.code)
	}
	return p
}

func (c *compiler) emit(s step) int {
	c.code = append(c.code, s)
	return len(c.code) - 1
}

func (c *compiler) statement(depth int) {
	switch n := c.IntN(10); {
	case n < 4 && depth < 2:
		c.loop(depth)
	case n == 4:
		c.size--
		at := c.emit(step{op: "jump if not", r: c.IntN(registers), a: uint64(c.IntN(3))})
		c.operation()
		c.code[at].to = len(c.code)
	default:
		c.operation()
	}
}

func (c *compiler) operation() {
	c.size--
	s := step{obj: c.IntN(c.p.words), r: c.IntN(registers), a: uint64(c.IntN(3)), b: uint64(1 + c.IntN(2))}
	s.op = []string{"load", "load", "store", "store", "add", "cas", "swap", "count"}[c.IntN(8)]
	if s.op == "add" && c.IntN(3) == 0 {
		s.a = -s.a
	}
	c.emit(s)
}

func (c *compiler) lock(m int) {
	c.emit(step{op: "lock", obj: m})
	c.held = append(c.held, m)
}

func (c *compiler) unlock() {
	c.emit(step{op: "unlock", obj: c.held[len(c.held)-1]})
	c.held = c.held[:len(c.held)-1]
}

// loop makes a loop of one of the forms in which programs wait.
func (c *compiler) loop(depth int) {
	c.size -= 2
	m, w, r, a := c.IntN(c.p.locks), c.IntN(c.p.words), c.IntN(registers), uint64(c.IntN(3))
	if slices.Contains(c.held, m) {
		m = -1
	}
	form := c.IntN(8)
	if form == 4 && m >= 0 {
		c.lock(m)
	}
	n := 0
	if form == 6 {
		n = 1 + c.IntN(4)
		c.emit(step{op: "set", r: r, a: 0})
	}
	c.emit(step{op: "enter"})
	head := c.emit(step{op: "head"})
	var out []int
	leave := func(op string, r int, a uint64) { out = append(out, c.emit(step{op: op, r: r, a: a})) }
	switch form {
	case 0: // until the word has a value
		c.emit(step{op: "load", obj: w, r: r})
		leave("jump if", r, a)
	case 1: // by CompareAndSwap
		c.emit(step{op: "cas", obj: w, r: r, a: a, b: 1})
		leave("jump if", r, 1)
	case 2: // add and take back
		c.emit(step{op: "add", obj: w, r: r, a: 1})
		leave("jump if", r, a)
		if c.IntN(2) == 0 {
			c.emit(step{op: "add", obj: w, r: r, a: ^uint64(0)})
		} else {
			c.emit(step{op: "count", obj: w, a: ^uint64(0)})
		}
	case 3: // look under a lock
		if m >= 0 {
			c.emit(step{op: "lock", obj: m})
		}
		c.emit(step{op: "load", obj: w, r: r})
		if m >= 0 {
			c.emit(step{op: "unlock", obj: m})
		}
		leave("jump if", r, a)
	case 4: // the same, with the lock held at the head
		c.emit(step{op: "load", obj: w, r: r})
		leave("jump if", r, a)
		if m >= 0 {
			c.emit(step{op: "unlock", obj: m})
			c.emit(step{op: "lock", obj: m})
		}
	case 5: // try a lock
		if m < 0 {
			leave("jump", 0, 0)
			break
		}
		c.emit(step{op: "try", obj: m, r: r})
		leave("jump if", r, 1)
		if c.IntN(2) == 0 {
			c.statement(depth + 1)
		}
	case 6: // a few times
		leave("jump if", r, uint64(n))
		c.emit(step{op: "load", obj: w, r: (r + 1) % registers})
		if c.IntN(2) == 0 {
			leave("jump if", (r+1)%registers, a)
		}
		c.emit(step{op: "inc", r: r})
	case 7: // anything, until the word has a value
		c.statement(depth + 1)
		c.emit(step{op: "load", obj: w, r: r})
		leave("jump if", r, a)
	}
	c.emit(step{op: "jump", to: head})
	for _, at := range out {
		c.code[at].to = len(c.code)
	}
	if form == 5 && m >= 0 {
		c.held = append(c.held, m)
	}
}

// reads and writes return the register that a step reads and the one that it writes, or
// -1.
func (s *step) reads() int {
	if strings.HasPrefix(s.op, "jump if") || s.op == "inc" {
		return s.r
	}
	return -1
}

func (s *step) writes() int {
	switch s.op {
	case "load", "add", "cas", "swap", "try", "set", "inc":
		return s.r
	}
	return -1
}

// liveness finds what the heads need. At the end all registers are looked at.
func liveness(code []step) {
	live := make([][registers]bool, len(code)+1)
	for changed := true; changed; {
		changed = false
		for i := len(code) - 1; i >= 0; i-- {
			s := &code[i]
			var l [registers]bool
			switch s.op {
			case "end":
				l = [registers]bool{true, true, true}
			case "jump":
				l = live[s.to]
			default:
				l = live[i+1]
			}
			if strings.HasPrefix(s.op, "jump if") {
				for r, yes := range live[s.to] {
					l[r] = l[r] || yes
				}
			}
			if w := s.writes(); w >= 0 {
				l[w] = false
			}
			if r := s.reads(); r >= 0 {
				l[r] = true
			}
			if l != live[i] {
				live[i], changed = l, true
			}
		}
	}
	for i := range code {
		code[i].alive = append([]bool(nil), live[i][:]...)
	}
}

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
	loops := make(map[int]int)
	for pc := 0; code[pc].op != "end"; {
		s := &code[pc]
		switch s.op {
		case "enter":
			loops[pc+1] = EnterLoop(1)
		case "head":
			state := uint64(0)
			for r, v := range regs {
				if s.alive[r] {
					state = state<<16 ^ v&0xffff
				}
			}
			Head(loops[pc], 0, state)
		}
		if to := s.local(pc, regs); to >= 0 {
			pc = to
			continue
		}
		pc++
		*made++
		switch s.op {
		case "load":
			regs[s.r] = words[s.obj].loadAt(1)
		case "store":
			words[s.obj].storeAt(1, s.b)
		case "add":
			regs[s.r] = words[s.obj].addAt(1, s.a)
		case "count":
			words[s.obj].addAt(tallySite, s.a)
		case "swap":
			regs[s.r] = words[s.obj].swapAt(1, s.b)
		case "cas":
			regs[s.r] = 0
			if words[s.obj].casAt(1, s.a, s.b) {
				regs[s.r] = 1
			}
		case "lock":
			locks[s.obj].lockAt(1)
		case "unlock":
			locks[s.obj].unlockAt(1)
		case "try":
			regs[s.r] = 0
			if locks[s.obj].tryLockAt(1) {
				regs[s.r] = 1
			}
		}
	}
}

// A world is a state of a program.
type world struct {
	pc    [3]int
	regs  [3][registers]uint64
	words [2]uint64
	locks [2]bool
}

// graph is what there is to know of a program: the outcomes, and whether there are
// states from which no end can be reached. It fails if there are too many.
func (p *loopy) graph(limit int) (outcomes map[string]bool, stuck, ok bool) {
	var begin world
	p.settle(&begin)
	all := map[world]int{begin: 0}
	order := []world{begin}
	var back [][]int // by state: those that lead to it
	back = append(back, nil)
	outcomes = make(map[string]bool)
	var good []int
	for i := 0; i < len(order); i++ {
		w := order[i]
		if p.ended(&w) {
			outcomes[p.outcome(&w)] = true
			good = append(good, i)
			continue
		}
		for t := range p.threads {
			next := w
			if !p.step(&next, t) {
				continue
			}
			n, known := all[next]
			if !known {
				if n = len(order); n == limit {
					return nil, false, false
				}
				all[next] = n
				order = append(order, next)
				back = append(back, nil)
			}
			back[n] = append(back[n], i)
		}
	}
	reaches := make([]bool, len(order))
	for _, g := range good {
		reaches[g] = true
	}
	for len(good) > 0 {
		n := good[len(good)-1]
		good = good[:len(good)-1]
		for _, from := range back[n] {
			if !reaches[from] {
				reaches[from] = true
				good = append(good, from)
			}
		}
	}
	return outcomes, slices.Contains(reaches, false), true
}

// settle takes the threads to their next operation.
func (p *loopy) settle(w *world) {
	for t, code := range p.threads {
		for n := 0; n < 1000; n++ {
			to := code[w.pc[t]].local(w.pc[t], &w.regs[t])
			if to < 0 {
				break
			}
			w.pc[t] = to
		}
	}
}

func (p *loopy) ended(w *world) bool {
	for t, code := range p.threads {
		if code[w.pc[t]].op != "end" {
			return false
		}
	}
	return true
}

func (p *loopy) outcome(w *world) string {
	words, locks := make([]word, p.words), make([]mutex, p.locks)
	for i := range words {
		words[i].v = w.words[i]
	}
	for i := range locks {
		locks[i].locked = w.locks[i]
	}
	return fmt.Sprint(w.regs[:len(p.threads)], words, locks)
}

// step carries out the operation of a thread, if that is possible.
func (p *loopy) step(w *world, t int) bool {
	s := &p.threads[t][w.pc[t]]
	r := &w.regs[t][s.r]
	v := &w.words[min(s.obj, 1)]
	l := &w.locks[min(s.obj, 1)]
	switch s.op {
	case "end":
		return false
	case "load":
		*r = *v
	case "store":
		*v = s.b
	case "add":
		*v += s.a
		*r = *v
	case "count":
		*v += s.a
	case "swap":
		*r, *v = *v, s.b
	case "cas":
		*r = 0
		if *v == s.a {
			*r, *v = 1, s.b
		}
	case "lock":
		if *l {
			return false
		}
		*l = true
	case "unlock":
		*l = false
	case "try":
		*r = 0
		if !*l {
			*r, *l = 1, true
		}
	}
	w.pc[t]++
	p.settle(w)
	return true
}

func (p *loopy) String() string {
	var b strings.Builder
	for t, code := range p.threads {
		fmt.Fprintf(&b, "%c:\n", 'a'+t)
		for i, s := range code {
			fmt.Fprintf(&b, "  %d %s obj %d r%d a %d b %d to %d %v\n", i, s.op, s.obj, s.r, int64(s.a), s.b, s.to, s.alive)
		}
	}
	return b.String()
}

// TestLoopsLoseNothing: for random programs with loops the reduction sees all
// outcomes, and an end that cannot be reached; and no search sees anything else.
func TestLoopsLoseNothing(t *testing.T) {
	PlainAccesses = true
	defer func() { PlainAccesses = false }()
	want := 600
	if n, err := strconv.Atoi(os.Getenv("SPINDLE_LOOPS")); err == nil {
		want = n
	}
	for _, seed := range []uint64{1, seedOf(t)} {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			var n, large, cut, endless, stuck, ended, blocked int
			r := rand.New(rand.NewPCG(seed, 7))
			for n < want {
				p := newLoopy(r)
				outcomes, dead, ok := p.graph(3000)
				if !ok {
					large++
					continue
				}
				n++
				seen, c, failures := p.explore(t, Options{Strategy: Exhaustive, Steps: 60, Executions: 5000})
				name := fmt.Sprintf("program %d of seed %d", n, seed)
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
				case failures[StepBound] > 0 || !c.Complete && c.Executions >= 5000:
					endless++
				case c.Cut > 0:
					cut++
				case !c.Complete && len(outcomes) == 0:
				case !c.Complete || !maps.Equal(seen, outcomes):
					t.Fatalf("%s: %v: outcomes %v, want %v; %v\n%v", name, c, seen, outcomes, failures, p)
				case bad != dead:
					t.Fatalf("%s: %v: failures %v, but ends that cannot be reached: %v\n%v", name, c, failures, dead, p)
				}
				if dead {
					stuck++
				}
				for _, st := range []Strategy{Random, PCT} {
					seen, _, failures := p.explore(t, Options{Strategy: st, Steps: 400, Executions: 20, Seed: uint64(n)})
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
			t.Logf("%d programs (%d too large): %d explored with cuts, %d without end, %d with ends that cannot be reached; %d executions ended, %d blocked", n, large, cut, endless, stuck, ended, blocked)
		})
	}
}

// explore returns the outcomes, and how many executions failed.
func (p *loopy) explore(t *testing.T, o Options) (map[string]bool, Certificate, map[FailureKind]int) {
	t.Helper()
	outcomes, failures := make(map[string]bool), make(map[FailureKind]int)
	var outcome string
	var made int // operations
	o.Each = func(v *View) bool {
		if f := v.Failure(); f != nil {
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
		t.Fatalf("%v: %v %v", p, f, err)
	}
	return outcomes, c, failures
}
