// Package features asks the machine of module Sched about each of its features, and about
// each pair: what the shipped code keeps, and whether what is mended holds where two
// features act together.
//
//interleave:off
package features

import (
	"fmt"
	"slices"

	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/spec/sched"
)

// A Size is how large a configuration is.
type Size struct {
	Ps, Gs int
	Grows  bool // one P more comes when the world is stopped
	Ms     int  // at most, beside sysmon; 0: as many as can have something to do
}

// beside are the features without which some of these would do nothing: shrink is how a
// stopped world starts again; and tick needs a global queue, which somebody fills.
func beside(of []string) (list []string) {
	lacks := func(feature string, oneOf ...string) bool {
		return slices.Contains(of, feature) && !slices.ContainsFunc(oneOf, func(n string) bool { return slices.Contains(of, n) })
	}
	if lacks("shrink", "stw") {
		list = append(list, "stw")
	}
	if lacks("tick", "yield", "preempt", "inject", "syscall") {
		list = append(list, "yield")
	}
	return list
}

// Config is the configuration of a size with these features, and those that they need.
// Its Ms are as many as there are Ps and Gs that can be in calls or locked, and one more; sysmon is
// there besides where it has something to do.
func Config(of, fixes []string, s Size) sched.Config {
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(of, n) })
	}
	c := sched.Config{
		Ps: s.Ps, Ms: s.Ps + 1, Gs: s.Gs, RingCap: 4, FirstM: []int{1}, FirstP: []int{1},
		Features: slices.Clone(of), Fixes: fixes,
	}
	c.Features = append(c.Features, beside(of)...)
	if has("block", "syscall", "lock") {
		c.Ms += s.Gs
	}
	if s.Grows {
		for p := range c.Ps {
			c.FirstProcs = append(c.FirstProcs, p+1)
		}
		c.Ps++
		c.Ms++
	}
	if s.Ms > 0 {
		c.Ms = min(c.Ms, s.Ms)
	}
	if has("syscall", "inject", "preempt", "net") {
		c.Ms++
		c.Sysmon = c.Ms
	}
	return c
}

// configs are the configurations of these sizes for which the machine has room, each once.
func configs(of, fixes []string, sizes []Size) (list []sched.Config) {
	for _, s := range sizes {
		c := Config(of, fixes, s)
		same := func(o sched.Config) bool { return Text(&o) == Text(&c) }
		if c.Ms <= sched.MaxMs && !slices.ContainsFunc(list, same) {
			list = append(list, c)
		}
	}
	return list
}

// Text says how large c is: "2 Ps, 3 Ms and sysmon, 2 Gs".
func Text(c *sched.Config) string {
	ps, ms := cli.Plural(c.Ps, "P"), cli.Plural(c.Ms, "M")
	if c.FirstProcs != nil {
		ps = fmt.Sprintf("%d to %d Ps", len(c.FirstProcs), c.Ps)
	}
	if c.Sysmon > 0 {
		ms = cli.Plural(c.Ms-1, "M") + " and sysmon"
	}
	return ps + ", " + ms + ", " + cli.Plural(c.Gs, "G")
}

// where says which configuration a row is about.
func (r *Row) where() string {
	text := Text(&r.Config)
	if more := beside(r.Of); len(more) > 0 {
		text += ", beside " + Name(more)
	}
	return text
}
