package certificate

import "github.com/spindle-go/spindle/interleave/internal/list"

// Add makes c the certificate of two explorations, its own and d's: what both
// exhausted, and what either left out. The zero value is that of none.
func (c *Certificate) Add(d Certificate) {
	d.silent()
	if c.Executions == 0 && c.Ended == "" {
		*c = d
		c.Doubts = list.Clone(d.Doubts)
		return
	}
	c.silent()
	// Of a sum it is not known any more that one of the two never came to an end.
	c.Exhausted.Classes = c.Exhausted.Classes && d.Exhausted.Classes && !c.waits() && !d.waits()
	c.Exhausted.Preemptions = min(c.Exhausted.Preemptions, d.Exhausted.Preemptions)
	if c.Ended == ByExhaustion || d.Ended == "" {
		c.Ended, c.Bounds = d.Ended, d.Bounds
	}
	c.Cuts.Iterations += d.Cuts.Iterations
	c.Cuts.Threads += d.Cuts.Threads
	c.Cuts.Failures += d.Cuts.Failures
	c.Cuts.Bound += d.Cuts.Bound
	c.doubt(d.Doubts)
	c.NoRaces = c.NoRaces || d.NoRaces
	c.Strict = c.Strict || d.Strict
	c.Rules, c.Invisible = united(c.Rules, d.Rules), united(c.Invisible, d.Invisible)
	c.Executions += d.Executions
	c.Classes += d.Classes
	c.Blocked += d.Blocked
	c.Steps += d.Steps
	c.Longest = max(c.Longest, d.Longest)
	c.Threads = max(c.Threads, d.Threads)
	c.Left = max(c.Left, d.Left)
	c.Elapsed += d.Elapsed
}

// silent makes a doubt of it that there was no step: the steps of another
// exploration would hide that.
func (c *Certificate) silent() {
	if c.Steps == 0 && c.everything() && len(c.Doubts) == 0 {
		c.Doubts = []Doubt{{Kind: NotSeen, What: "any operation of one of the explorations", Count: 1}}
	}
}

// doubt adds doubts, each once.
func (c *Certificate) doubt(more []Doubt) {
	for _, d := range more {
		at := -1
		for i := range c.Doubts {
			if c.Doubts[i].Kind == d.Kind && c.Doubts[i].What == d.What {
				at = i
			}
		}
		if at < 0 {
			c.Doubts = append(c.Doubts, d)
		} else {
			c.Doubts[at].Count += d.Count
		}
	}
}

// united returns a and what is in b besides.
func united(a, b []string) []string {
	for _, s := range b {
		if !list.Contains(a, s) {
			a = append(a[:len(a):len(a)], s)
		}
	}
	return a
}
