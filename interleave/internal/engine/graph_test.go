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
