package runqueue

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spindle-go/spindle/spec/constants"
	"github.com/spindle-go/spindle/spec/record"
)

// What the definitions are in Go that configurations of the run queue put in the
// place of constants, by their names in MCRunQueue.tla and MCRunQueueScripts.tla.
var (
	// owners are Free: the calls that every thread makes at will.
	owners = map[string][]Op{
		"Owners":      {Put, PutNext, Get, Steal, StealNext},
		"Rings":       {Put, Get, Steal},
		"PutsSteals":  {Put, Steal},
		"Batches":     {PutBatch, Get, GlobalPut, Steal},
		"Globals":     {GlobalPut, GlobalGet, Get, Steal},
		"Drains":      {Put, PutNext, Drain, Steal, GlobalPut},
		"Empties":     {Put, PutNext, Get, Steal, Empty},
		"Nexts":       {Put, PutNext, Get, StealNext, Len},
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

// FromConstants reads the constants of a configuration file of the module: each name
// with its value in TLA+ syntax, or with "<- " and the name of a definition. With
// history, it is one of MCRunQueueCalls.
func FromConstants(values map[string]string, history bool) (Config, error) {
	r := constants.New(values)
	ps, gs := r.Set("Ps"), r.Set("Gs")
	c := Config{
		Ps: len(ps), Gs: len(gs),
		Capacity: r.Number("Cap"), Wrap: r.Number("W"), Start: r.Number("Start"), MaxPuts: r.Number("MaxPuts"), Batch: r.Number("Batch"),
		Bugs: r.Strings("Bugs"), Calls: history,
	}
	if len(ps) > 0 {
		_, err := strconv.Atoi(ps[0])
		c.Model = err != nil
	}
	r.Other("NoP", "Ps", ps)
	r.Other("NoG", "Gs", gs)
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

func readFree(r *constants.Reader, c *Config) {
	name := r.Definition("Free")
	ops, ok := owners[name]
	switch {
	case name == ownerAndLoners:
		for p := range c.Ps {
			ops := []Op{Steal, StealNext, GlobalPut}
			if p == 0 {
				ops = []Op{Put, PutNext, Drain}
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

func readScripts(r *constants.Reader, c *Config) error {
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
		of, _, err := OfScenario(&s)
		if err != nil {
			return err
		}
		c.Scripts = of.Scripts
	}
	return nil
}

func oneOf[V any](m map[string]V) string {
	return "one of " + strings.Join(slices.Sorted(maps.Keys(m)), ", ")
}
