package property_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"

	"github.com/leanovate/gopter"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/spec/record"
)

// A program is what real threads are asked to do: the owner of P0 and one to
// three thieves, each with a script of calls, run over and over.
type program struct {
	capacity int
	start    uint32
	owner    []string   // calls, each as a script
	thieves  [][]string // of the owners of P1, P2, ...
	repeat   int
}

// A thief looks at P0 alone, so that an owner's program fits any number of them.
var (
	ownerCalls = strings.Fields("p p p p n n g g g b2 b5 d e0 l0 q m2 m9")
	thiefCalls = strings.Fields("s0 s0 s0 r0 r0 e0 g")
)

func (p program) scenario() record.Scenario {
	s := record.Scenario{Name: "property", Ps: 1 + len(p.thieves), Capacity: p.capacity, Start: p.start}
	s.Threads = append(s.Threads, record.Thread{P: 0, Script: strings.Join(p.owner, ""), Repeat: p.repeat})
	for i, calls := range p.thieves {
		s.Threads = append(s.Threads, record.Thread{P: 1 + i, Script: strings.Join(calls, ""), Repeat: p.repeat})
	}
	return s
}

// size is what shrinking makes smaller.
func (p program) size() int {
	n := len(p.owner)
	for _, calls := range p.thieves {
		n += len(calls)
	}
	return n
}

// String shows the program as its scripts.
func (p program) String() string {
	s := fmt.Sprintf("capacity %d, indices from %d, %d times: owner %s", p.capacity, p.start, p.repeat, strings.Join(p.owner, " "))
	for i, calls := range p.thieves {
		s += fmt.Sprintf("; thief %d %s", i+1, strings.Join(calls, " "))
	}
	return s
}

// programs generates programs of the calls that a target with capabilities c
// can make.
func programs(c queue.Capabilities) gopter.Gen {
	supported := func(calls []string) []string {
		return slices.DeleteFunc(slices.Clone(calls), func(call string) bool { return !c.Supports(record.Kind(call[0])) })
	}
	ofOwner, ofThief := supported(ownerCalls), supported(thiefCalls)
	return func(params *gopter.GenParameters) *gopter.GenResult {
		r := params.Rng
		p := program{owner: script(r, ofOwner, 3, 14), repeat: 5 + r.Intn(25)}
		if c.Resize {
			p.capacity = 2 << r.Intn(4)
		}
		if c.Start && r.Intn(2) == 0 {
			p.start = -uint32(1 + r.Intn(100))
		}
		for range 1 + r.Intn(3) {
			p.thieves = append(p.thieves, script(r, ofThief, 1, 6))
		}
		return gopter.NewGenResult(p, shrink)
	}
}

func script(r *rand.Rand, calls []string, least, most int) []string {
	out := make([]string, least+r.Intn(most-least+1))
	for i := range out {
		out[i] = calls[r.Intn(len(calls))]
	}
	return out
}

// shrink gives the smaller neighbours of a program, the smallest first: without
// a thief, without a part of a script, without a call, run less often, from 0.
func shrink(v any) gopter.Shrink {
	p := v.(program)
	var smaller []program
	for i := range p.thieves {
		if len(p.thieves) > 1 {
			q := p
			q.thieves = slices.Delete(slices.Clone(p.thieves), i, i+1)
			smaller = append(smaller, q)
		}
	}
	for _, part := range []int{2, 4, 0} { // halves, quarters, single calls
		for _, calls := range without(p.owner, part) {
			q := p
			q.owner = calls
			smaller = append(smaller, q)
		}
		for i := range p.thieves {
			for _, calls := range without(p.thieves[i], part) {
				q := p
				q.thieves = slices.Clone(p.thieves)
				q.thieves[i] = calls
				smaller = append(smaller, q)
			}
		}
	}
	if p.start != 0 {
		q := p
		q.start = 0
		smaller = append(smaller, q)
	}
	if p.repeat > 1 {
		q := p
		q.repeat /= 2
		smaller = append(smaller, q)
	}
	return func() (any, bool) {
		if len(smaller) == 0 {
			return nil, false
		}
		q := smaller[0]
		smaller = smaller[1:]
		return q, true
	}
}

// without returns calls without each of its parts in turn; parts 0 stands for
// as many parts as calls. At least one call is left.
func without(calls []string, parts int) (out [][]string) {
	length := 1
	if parts > 0 {
		length = len(calls) / parts
	}
	if length == 0 || length == len(calls) || parts > 0 && length == 1 {
		return nil
	}
	for at := 0; at+length <= len(calls); at += length {
		out = append(out, slices.Delete(slices.Clone(calls), at, at+length))
	}
	return out
}
