package engine_test

import (
	"fmt"
	"slices"
)

// A world is a state of a program.
type world struct {
	pc    [3]int
	regs  [3][registers]uint64
	words [2]uint64
	locks [2]bool
	// Stores that are on their way to memory, of each thread the oldest first.
	buffers [3][deepest]pending
	pending [3]uint8
}

// A pending is a store in a buffer.
type pending struct {
	obj   uint8
	value uint64
}

// deepest is how many stores a buffer has room for here. The explorer's have no bound.
const deepest = 4

// A known is what there is to know of a program.
type known struct {
	outcomes map[string]bool
	stuck    bool // there are states from which no end can be reached
	full     bool // a buffer was: with more room there may be other outcomes, and other states
}

// graph goes through all states of a program. It fails if there are too many.
func (p *loopy) graph(limit int) (k known, ok bool) {
	var begin world
	p.settle(&begin)
	all := map[world]int{begin: 0}
	order := []world{begin}
	var back [][]int // by state: those that lead to it
	back = append(back, nil)
	k.outcomes = make(map[string]bool)
	var good []int
	for i := 0; i < len(order); i++ {
		w := order[i]
		if p.ended(&w) {
			k.outcomes[p.outcome(&w)] = true
			good = append(good, i)
			continue
		}
		for t := range 2 * len(p.threads) {
			next := w
			var made bool
			if t < len(p.threads) {
				k.full = k.full || p.fills(&w, t)
				made = p.step(&next, t)
			} else {
				made = flush(&next, t-len(p.threads))
			}
			if !made {
				continue
			}
			n, known := all[next]
			if !known {
				if n = len(order); n == limit {
					return k, false
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
	k.stuck = slices.Contains(reaches, false)
	return k, true
}

// fills reports whether a thread would store into a buffer that is full.
func (p *loopy) fills(w *world, t int) bool {
	return p.threads[t][w.pc[t]].op == "release" && w.pending[t] == deepest
}

// flush takes a store from a thread's buffer to memory, if there is one.
func flush(w *world, t int) bool {
	if w.pending[t] == 0 {
		return false
	}
	b := &w.buffers[t]
	w.words[b[0].obj] = b[0].value
	copy(b[:], b[1:])
	b[deepest-1] = pending{}
	w.pending[t]--
	return true
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
		if code[w.pc[t]].op != "end" || w.pending[t] > 0 {
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
	if s.op != "load" && s.op != "release" && w.pending[t] > 0 || p.fills(w, t) {
		return false
	}
	switch s.op {
	case "end":
		return false
	case "load":
		*r = *v
		for _, b := range w.buffers[t][:w.pending[t]] {
			if int(b.obj) == s.obj {
				*r = b.value
			}
		}
	case "release":
		w.buffers[t][w.pending[t]] = pending{uint8(s.obj), s.b}
		w.pending[t]++
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
