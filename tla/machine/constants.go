package machine

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spindle-go/spindle/spec/constants"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/runqueue"
	"github.com/spindle-go/spindle/spec/sched"
	"github.com/spindle-go/spindle/tla/tlc"
)

// What the definitions are in Go that configurations of the run queue put in the
// place of constants, by their names in MCRunQueue.tla and MCRunQueueScripts.tla.
var (
	// owners are Free: the calls that every thread makes at will.
	owners = map[string][]runqueue.Op{
		"Owners":      {runqueue.Put, runqueue.PutNext, runqueue.Get, runqueue.Steal, runqueue.StealNext},
		"Rings":       {runqueue.Put, runqueue.Get, runqueue.Steal},
		"PutsSteals":  {runqueue.Put, runqueue.Steal},
		"Batches":     {runqueue.PutBatch, runqueue.Get, runqueue.GlobalPut, runqueue.Steal},
		"Globals":     {runqueue.GlobalPut, runqueue.GlobalGet, runqueue.Get, runqueue.Steal},
		"Drains":      {runqueue.Put, runqueue.PutNext, runqueue.Drain, runqueue.Steal, runqueue.GlobalPut},
		"Empties":     {runqueue.Put, runqueue.PutNext, runqueue.Get, runqueue.Steal, runqueue.Empty},
		"Nexts":       {runqueue.Put, runqueue.PutNext, runqueue.Get, runqueue.StealNext, runqueue.Len},
		"OnlyScripts": nil,
	}
	// scripts are Scripts, in the letters of package record.
	scripts = map[string][]string{
		"NoScripts":      nil,
		"Steal":          {"ppgpg", "s0s0"},
		"EmptyRunnext":   {"nng", "e0"},
		"FullRing":       {"ppp", "s0"},
		"TwoOverflows":   {"ppp", "ppp"},
		"KickOverflows":  {"ppnn", "r0"},
		"DrainNext":      {"npd", "r0"},
		"GlobalBatch":    {"qqm2g", "m1"},
		"Share8":         {"qqqqm4gg", "s0"},
		"BatchOverflows": {"b3", "s0"},
		"FullThief":      {"ppp", "ppps0"},
		"Loot":           {"ppp", "s0g", "s1"},
	}
)

// ownerAndLoners is the one value of Free in which threads differ, and others
// the value of Loners that goes with it.
const (
	ownerAndLoners = "OwnerAndLoners"
	others         = "Others"
)

func runQueueConfig(cfg *tlc.Config) (runqueue.Config, error) {
	r := constants.New(cfg.Constants)
	ps, gs := r.Set("Ps"), r.Set("Gs")
	c := runqueue.Config{
		Ps: len(ps), Gs: len(gs),
		Capacity: r.Number("Cap"), Wrap: r.Number("W"), Start: r.Number("Start"), MaxPuts: r.Number("MaxPuts"), Batch: r.Number("Batch"),
		Bugs: r.Strings("Bugs"),
	}
	if len(ps) > 0 {
		_, err := strconv.Atoi(ps[0])
		c.Model = err != nil
	}
	r.Take("NoP")
	r.Take("NoG")
	switch cfg.Specification {
	case "Spec", "LiveSpec": // what is fair is part of the property here
	case "CallSpec":
		c.Calls = true
	default:
		r.Fail("SPECIFICATION", "Spec, LiveSpec or CallSpec", cfg.Specification)
	}
	switch loners := r.Definition("Loners"); loners {
	case "Nobody":
	case others:
		for p := 1; p < c.Ps; p++ {
			c.Loners = append(c.Loners, p)
		}
	default:
		r.Fail("Loners", "Nobody or "+others, loners)
	}
	readFree(r, &c)
	err := readScripts(r, &c)
	return c, errors.Join(r.Err(), err)
}

func readFree(r *constants.Reader, c *runqueue.Config) {
	name := r.Definition("Free")
	ops, ok := owners[name]
	switch {
	case name == ownerAndLoners:
		for p := range c.Ps {
			ops := []runqueue.Op{runqueue.Steal, runqueue.StealNext, runqueue.GlobalPut}
			if p == 0 {
				ops = []runqueue.Op{runqueue.Put, runqueue.PutNext, runqueue.Drain}
			}
			c.Free = append(c.Free, ops)
		}
	case !ok:
		r.Fail("Free", oneOf(owners), name)
	case ops != nil:
		for range c.Ps {
			c.Free = append(c.Free, ops)
		}
	}
}

func readScripts(r *constants.Reader, c *runqueue.Config) error {
	name := r.Definition("Scripts")
	list, ok := scripts[name]
	switch {
	case !ok:
		r.Fail("Scripts", oneOf(scripts), name)
	case list == nil:
	case len(list) != c.Ps:
		r.Fail("Scripts", fmt.Sprintf("scripts of %d threads", c.Ps), name)
	default:
		s := record.Scenario{Name: name, Ps: c.Ps, Capacity: c.Capacity}
		for p, script := range list {
			s.Threads = append(s.Threads, record.Thread{P: p, Script: script})
		}
		of, _, err := runqueue.OfScenario(&s)
		if err != nil {
			return err
		}
		c.Scripts = of.Scripts
	}
	return nil
}

func schedConfig(cfg *tlc.Config) (sched.Config, error) {
	if cfg.Specification != "Spec" && cfg.Specification != "LiveSpec" {
		return sched.Config{}, fmt.Errorf("SPECIFICATION: expected Spec or LiveSpec, saw %q", cfg.Specification)
	}
	return sched.FromConstants(cfg.Constants)
}

func oneOf[V any](m map[string]V) string {
	return "one of " + strings.Join(slices.Sorted(maps.Keys(m)), ", ")
}
