// Package sched is the machine of tla/Sched.tla in Go: how Ms look for work, go to
// sleep and are woken, one step for each access to a word that others touch.
//
// Module and package have the same variables, actions, features, fixes and
// damages, and the same state graphs, which a test compares. The module has the
// comments on the protocol and on where it departs from the code; here each
// action says which step of which function of proc.go it is.
//
//interleave:off
package sched

import (
	"fmt"
	"slices"
	"strings"
)

// The largest configuration that a State has room for.
const (
	MaxPs      = 4
	MaxMs      = 6
	MaxGs      = 15
	MaxCounted = 7 // Gs, with the features inject or net
	MaxRingCap = 15
)

// A Config is what the constants of the module are. Ps and Ms are numbered from 1;
// 0 is none.
type Config struct {
	Ps         int
	Ms         int
	Gs         int
	RingCap    int
	FirstM     []int // of which one runs at the start
	FirstP     []int // of which one is run at the start
	FirstProcs []int // the Ps that there are at the start; nil: all
	Sysmon     int   // the M that is sysmon, or 0
	Features   []string
	Fixes      []string // and assumptions about the world: see the function Fixes
	Bugs       []string
}

// check says what is wrong with c, or nil.
func (c *Config) check() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("sched: "+format, args...)
	}
	switch {
	case c.Ps < 1 || c.Ps > MaxPs:
		return bad("expected 1 to %d Ps, saw %d", MaxPs, c.Ps)
	case c.Ms < 1 || c.Ms > MaxMs:
		return bad("expected 1 to %d Ms, saw %d", MaxMs, c.Ms)
	case c.Gs < 1 || c.Gs > MaxGs:
		return bad("expected 1 to %d Gs, saw %d", MaxGs, c.Gs)
	case c.Gs > MaxCounted && (slices.Contains(c.Features, "inject") || slices.Contains(c.Features, "net")):
		return bad("expected 1 to %d Gs with inject or net, saw %d", MaxCounted, c.Gs)
	case slices.Contains(c.Features, "deadlines") && !slices.Contains(c.Features, "timer"):
		return bad("deadlines are those of timers: expected timer beside deadlines, saw none")
	case c.RingCap < 1 || c.RingCap > MaxRingCap:
		return bad("expected rings of 1 to %d, saw %d", MaxRingCap, c.RingCap)
	case c.Sysmon < 0 || c.Sysmon > c.Ms:
		return bad("sysmon is M %d of %d", c.Sysmon, c.Ms)
	case c.Sysmon == 0 && len(c.idle()) > 0:
		return bad("feature %s is what sysmon does: expected a sysmon, saw none", strings.Join(c.idle(), ", "))
	case len(c.FirstM) == 0 || len(c.FirstP) == 0:
		return bad("no M or no P runs at the start")
	}
	for _, i := range c.FirstM {
		if i < 1 || i > c.Ms || i == c.Sysmon {
			return bad("M %d of %d runs at the start, sysmon is %d", i, c.Ms, c.Sysmon)
		}
	}
	procs := c.firstProcs()
	for _, p := range c.FirstProcs {
		if p < 1 || p > c.Ps {
			return bad("P %d of %d is there at the start", p, c.Ps)
		}
	}
	for _, p := range c.FirstP {
		if p < 1 || p > c.Ps || !procs.has(uint8(p)) {
			return bad("P %d is run at the start, there are %v then", p, procs)
		}
	}
	return nil
}

// firstProcs are the Ps that there are at the start.
func (c *Config) firstProcs() pset {
	if c.FirstProcs == nil {
		return allPs(c.Ps)
	}
	return setOf(c.FirstProcs)
}

// idle are the features of c that act by sysmon alone. Without one they are there in name
// alone, and what holds beside them says nothing of them.
func (c *Config) idle() (list []string) {
	for _, f := range c.Features {
		if f == "inject" || f == "preempt" || f == "sysmon" {
			list = append(list, f)
		}
	}
	return list
}
