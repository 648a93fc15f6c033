package trace

import (
	"fmt"
	"slices"
	"time"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/spec/explore"
	"github.com/spindle-go/spindle/spec/follow"
)

// A DanceCover counts which edges of the machine that is restricted to a scope lie on some order of
// the operations of the executions that were explored. States that differ by names of Ms
// alone are one.
type DanceCover struct {
	d      *Dance
	scope  *DanceProgram
	edges  map[danceEdge]bool         // whether it is covered
	known  map[follow.Move[spot]]bool // moves that are covered
	left   int                        // edges that are not covered
	States int                        // of the restricted machine
	Orders int                        // cuts of executions that were looked at, in all
	Walked int                        // executions, until every edge was covered
	Took   time.Duration
}

// danceEdge is an edge, by representatives of its states.
type danceEdge struct {
	from, to spot
	action   uint8
}

// NewDanceCover makes the graph of d's machine in a scope.
func NewDanceCover(d *Dance, scope DanceScope) (*DanceCover, error) {
	program, err := d.Program(scope)
	if err != nil {
		return nil, err
	}
	c := &DanceCover{d: d, scope: program, edges: make(map[danceEdge]bool), known: make(map[follow.Move[spot]]bool)}
	start := spot{s: d.start}
	d.m.RenameMs(&start.s)
	seen := map[spot]bool{start: true}
	waiting := []spot{start}
	var out explore.Successors[spot]
	for len(waiting) > 0 {
		from := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		out.Reset()
		program.Next(&from, &out)
		for _, e := range out.Edges() {
			to := e.To
			d.m.RenameMs(&to.s)
			c.edges[danceEdge{from, to, e.Step.Action}] = false
			if !seen[to] {
				seen[to] = true
				waiting = append(waiting, to)
			}
			if len(seen) > maxGraph {
				return nil, fmt.Errorf("trace: more than %d states", maxGraph)
			}
		}
	}
	c.States, c.left = len(seen), len(c.edges)
	return c, nil
}

// A cutOf is how many operations of each thread were made.
type cutOf [maxThreads]uint8

// A node is a cut of an execution, with what agrees with it in any order.
type node struct {
	set    follow.Set[stand]
	values values
	ways   []way
	alive  []bool // of set
}

// A way leads from one cut to the next.
type way struct {
	to    cutOf
	moves []follow.Move[stand]
}

// turn is an operation with how many of each thread must come before it.
type turn struct {
	o     observation
	after cutOf
}

// Add marks the edges that lie on some order of the execution that was followed last, whose operations these
// are. It is for a function given to Finally, after [Dance.Follow] has returned nil.
func (c *DanceCover) Add(x *interleave.Exec, steps []harness.Step) error {
	since := time.Now()
	defer func() { c.Took += time.Since(since) }()
	if c.left == 0 {
		return nil
	}
	if _, known := harness.Before(x, 0, 0); !known {
		return nil // a trial of the explorer's, which is explored again
	}
	c.Walked++
	turns := c.turns(x, steps)
	first := &node{values: c.d.initial, set: slices.Clone(c.d.first())}
	level := map[cutOf]*node{{}: first}
	levels := []map[cutOf]*node{level}
	fresh := false
	for len(level) > 0 {
		next := make(map[cutOf]*node)
		for at, n := range level {
			c.Orders++
			for t := range turns {
				if int(at[t]) == len(turns[t]) || !at.covers(&turns[t][at[t]].after) {
					continue
				}
				o := turns[t][at[t]].o
				w := way{to: at}
				w.to[t]++
				values := n.values
				values.time(&o)
				if o.changed && o.word.kind != noWord {
					*values.at(o.word) = o.wrote
				}
				o.after = values.words()
				after, _, moves, err := follow.Advance(c.d.rules, n.set, &o)
				if err != nil {
					return err
				}
				if len(after) == 0 {
					return fmt.Errorf("trace: after %v operations of an execution, in another order, the machine lacks one of thread %d: not independent of what it was moved past", at, t)
				}
				w.moves = moves
				to := next[w.to]
				if to == nil {
					to = &node{values: values}
					next[w.to] = to
				}
				for i := range after {
					to.set.Add(&after[i])
				}
				fresh = fresh || c.fresh(moves)
				n.ways = append(n.ways, w)
			}
		}
		if level = next; len(level) > 0 {
			levels = append(levels, level)
		}
	}
	if fresh {
		c.mark(levels)
	}
	return nil
}

func (k *cutOf) covers(o *cutOf) bool {
	for i := range k {
		if k[i] < o[i] {
			return false
		}
	}
	return true
}

// turns are the operations of each thread that say something, and what must come before each.
func (c *DanceCover) turns(x *interleave.Exec, steps []harness.Step) (turns [maxThreads][]turn) {
	begin := len(steps) + 1 - len(c.d.last)
	var positions [maxThreads][]int // in steps
	for at := range c.d.last[:len(c.d.last)-1] {
		o := c.d.last[at]
		if o.nothing() {
			continue
		}
		pos := begin + at
		var after cutOf
		for q := range positions {
			if q == int(o.thread) {
				after[q] = uint8(len(positions[q]))
				continue
			}
			// Of a thread's operations the first ones come before.
			lo, hi := 0, len(positions[q])
			for lo < hi {
				mid := (lo + hi) / 2
				if before, _ := harness.Before(x, positions[q][mid], pos); before {
					lo = mid + 1
				} else {
					hi = mid
				}
			}
			after[q] = uint8(lo)
		}
		positions[o.thread] = append(positions[o.thread], pos)
		turns[o.thread] = append(turns[o.thread], turn{o, after})
	}
	return turns
}

// move is a move without what was learned.
func move(m *follow.Move[stand]) follow.Move[spot] {
	return follow.Move[spot]{From: spot{m.From.s, m.From.chosen}, To: spot{m.To.s, m.To.chosen}, Label: m.Label}
}

// fresh reports whether there is a step that was not covered so far.
func (c *DanceCover) fresh(moves []follow.Move[stand]) bool {
	for i := range moves {
		if moves[i].Steps && !moves[i].From.beyond && !c.known[move(&moves[i])] {
			return true
		}
	}
	return false
}

// mark marks the steps that lead to an end.
func (c *DanceCover) mark(levels []map[cutOf]*node) {
	over := observation{mode: ended}
	for k := len(levels) - 1; k >= 0; k-- {
		for _, n := range levels[k] {
			n.alive = make([]bool, len(n.set))
			if len(n.ways) == 0 {
				_, _, moves, err := follow.Advance(c.d.rules, n.set, &over)
				if err == nil {
					c.back(n, moves, func(*stand) bool { return true })
				}
			}
			for i := range n.ways {
				to := levels[k+1][n.ways[i].to]
				c.back(n, n.ways[i].moves, func(e *stand) bool {
					at := slices.Index(to.set, *e)
					return at >= 0 && to.alive[at]
				})
			}
		}
	}
}

// back finds which of n's set lead to where something is alive, and marks the steps between. Moves
// that were seen come after the silent ones.
func (c *DanceCover) back(n *node, moves []follow.Move[stand], alive func(*stand) bool) {
	good := make(map[stand]bool) // of those that were tried
	done := make([]bool, len(moves))
	for again := true; again; {
		again = false
		for i := len(moves) - 1; i >= 0; i-- {
			m := &moves[i]
			if done[i] || !(m.Seen && alive(&m.To) || !m.Seen && good[m.To]) {
				continue
			}
			done[i], again, good[m.From] = true, true, true
			if m.Steps && !m.From.beyond && !m.To.beyond {
				c.cover(move(m))
			}
		}
	}
	for i := range n.set {
		n.alive[i] = n.alive[i] || good[n.set[i]]
	}
}

func (c *DanceCover) cover(m follow.Move[spot]) {
	if c.known[m] {
		return
	}
	c.known[m] = true
	e := danceEdge{m.From, m.To, uint8(m.Label >> 3)}
	c.d.m.RenameMs(&e.from.s)
	c.d.m.RenameMs(&e.to.s)
	was, is := c.edges[e]
	if !is {
		panic(fmt.Sprintf("trace: %s is no step of the machine in this scope", c.d.m.Actions()[e.action]))
	}
	if !was {
		c.edges[e] = true
		c.left--
	}
}

// Count returns how many edges were covered, how many there are, and words for up to most that were not.
func (c *DanceCover) Count(most int) (covered, all int, missed []string) {
	for e, is := range c.edges {
		if is {
			covered++
			continue
		}
		text := c.d.m.Actions()[e.action] + " from"
		for m := 1; m <= c.d.config.Ms; m++ {
			p, given := e.from.s.Holds(m)
			text += fmt.Sprintf(" M%d:%s", m, e.from.s.At(m))
			if p+given > 0 {
				text += fmt.Sprintf("(P%d)", p+given)
			}
			for p := 1; p <= c.d.config.Ps; p++ {
				if todo, _ := e.from.s.Looks(m, p); todo {
					text += fmt.Sprintf("+%d", p)
				}
			}
		}
		text += fmt.Sprintf(" %+v, %v were chosen", e.from.s.Words(), e.from.chosen)
		missed = append(missed, text)
	}
	slices.Sort(missed)
	return covered, len(c.edges), missed[:min(len(missed), most)]
}
