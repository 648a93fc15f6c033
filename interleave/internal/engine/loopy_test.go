package engine_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	. "github.com/spindle-go/spindle/interleave/internal/engine"
)

// Random programs with loops, held against an interpreter that knows nothing of
// loops: it goes through the graph of all states.

// loopy is a program with loops: its threads in a code of a few instructions.
type loopy struct {
	threads [][]step
	words   int
	locks   int
	tso     bool // stores may stay in buffers
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

const registers = 3

// Operations have places, as in explored code.
var (
	somewhere = SitesOf(Place{})
	tallySite = TallySite()
)

// A compiler makes code of random statements.
type compiler struct {
	*rand.Rand
	p    *loopy
	code []step
	held []int // locks, the last taken last
	size int   // left
}

func newLoopy(r *rand.Rand, tso bool) *loopy {
	p := &loopy{words: 1 + r.IntN(2), locks: 1 + r.IntN(2), tso: tso}
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
			c.emit(step{op: c.store(), obj: r.IntN(p.words), b: uint64(r.IntN(3))})
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
	switch {
	case s.op == "add" && c.IntN(3) == 0:
		s.a = -s.a
	case s.op == "store":
		s.op = c.store()
	case c.p.tso && c.IntN(8) == 0:
		s.op = "fence"
	}
	c.emit(s)
}

// store is the store that is made: where there are buffers, most often one into them.
func (c *compiler) store() string {
	if c.p.tso && c.IntN(4) > 0 {
		return "release"
	}
	return "store"
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
