package explore

import "context"

// components finds the strongly connected components of parts of a region, by
// Tarjan's algorithm with a stack of its own.
type components struct {
	r     *region
	order []uint32 // when a state was visited; 0: not yet; done: its component is known, or it is no part
	low   []uint32
	on    []uint32 // the stack of states whose component is not known
	calls []visit
}

type visit struct {
	state uint32
	next  int // arc to look at
}

func newComponents(r *region) *components {
	n := len(r.states)
	c := &components{r: r, order: make([]uint32, n), low: make([]uint32, n)}
	for s := range c.order {
		c.order[s] = done
	}
	return c
}

const done = 1<<32 - 1

// of calls found with each component of the graph that states span. The slice is
// good during the call. The error is ctx's, at whose end it stops.
func (c *components) of(ctx context.Context, states []uint32, found func([]uint32)) error {
	for _, s := range states {
		c.order[s] = 0
	}
	clock, looks := uint32(0), 0
	enter := func(s uint32) {
		clock++
		c.order[s], c.low[s] = clock, clock
		c.on = append(c.on, s)
		c.calls = append(c.calls, visit{state: s})
	}
	for _, root := range states {
		if c.order[root] != 0 {
			continue
		}
		enter(root)
		for len(c.calls) > 0 {
			if looks++; looks%(1<<16) == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			v := &c.calls[len(c.calls)-1]
			s := v.state
			if arcs := c.r.from(s); v.next < len(arcs) {
				to := arcs[v.next].to
				v.next++
				if c.order[to] == 0 {
					enter(to)
				} else if c.order[to] != done {
					c.low[s] = min(c.low[s], c.order[to])
				}
				continue
			}
			c.calls = c.calls[:len(c.calls)-1]
			if n := len(c.calls); n > 0 {
				up := c.calls[n-1].state
				c.low[up] = min(c.low[up], c.low[s])
			}
			if c.low[s] != c.order[s] {
				continue
			}
			i := len(c.on) - 1
			for c.on[i] != s {
				i--
			}
			for _, t := range c.on[i:] {
				c.order[t] = done
			}
			found(c.on[i:])
			c.on = c.on[:i]
		}
	}
	return nil
}
