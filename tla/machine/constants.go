package machine

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

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
	r := reader{values: modelValuesAside(cfg.Constants)}
	ps, gs := r.set("Ps"), r.set("Gs")
	c := runqueue.Config{
		Ps: len(ps), Gs: len(gs),
		Capacity: r.number("Cap"), Wrap: r.number("W"), Start: r.number("Start"), MaxPuts: r.number("MaxPuts"), Batch: r.number("Batch"),
		Bugs: r.strings("Bugs"),
	}
	if len(ps) > 0 {
		_, err := strconv.Atoi(ps[0])
		c.Model = err != nil
	}
	r.take("NoP")
	r.take("NoG")
	switch cfg.Specification {
	case "Spec", "LiveSpec": // what is fair is part of the property here
	case "CallSpec":
		c.Calls = true
	default:
		r.fail("SPECIFICATION", "Spec, LiveSpec or CallSpec", cfg.Specification)
	}
	switch loners := r.definition("Loners"); loners {
	case "Nobody":
	case others:
		for p := 1; p < c.Ps; p++ {
			c.Loners = append(c.Loners, p)
		}
	default:
		r.fail("Loners", "Nobody or "+others, loners)
	}
	r.free(&c)
	r.scripts(&c)
	if r.err == nil && len(r.values) > 0 {
		return c, fmt.Errorf("expected no other constants, saw %s", strings.Join(slices.Sorted(maps.Keys(r.values)), ", "))
	}
	return c, r.err
}

func (r *reader) free(c *runqueue.Config) {
	name := r.definition("Free")
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
		r.fail("Free", oneOf(owners), name)
	case ops != nil:
		for range c.Ps {
			c.Free = append(c.Free, ops)
		}
	}
}

func (r *reader) scripts(c *runqueue.Config) {
	name := r.definition("Scripts")
	list, ok := scripts[name]
	switch {
	case !ok:
		r.fail("Scripts", oneOf(scripts), name)
	case list == nil:
	case len(list) != c.Ps:
		r.fail("Scripts", fmt.Sprintf("scripts of %d threads", c.Ps), name)
	default:
		s := record.Scenario{Name: name, Ps: c.Ps, Capacity: c.Capacity}
		for p, script := range list {
			s.Threads = append(s.Threads, record.Thread{P: p, Script: script})
		}
		of, _, err := runqueue.OfScenario(&s)
		if r.err = errors.Join(r.err, err); err == nil {
			c.Scripts = of.Scripts
		}
	}
}

func schedConfig(cfg *tlc.Config) (sched.Config, error) {
	if cfg.Specification != "Spec" && cfg.Specification != "LiveSpec" {
		return sched.Config{}, fmt.Errorf("SPECIFICATION: expected Spec or LiveSpec, saw %q", cfg.Specification)
	}
	return sched.FromConstants(modelValuesAside(cfg.Constants))
}

// modelValuesAside leaves out the model values that are in sets: "p1 = p1".
func modelValuesAside(constants map[string]string) map[string]string {
	kept := maps.Clone(constants)
	maps.DeleteFunc(kept, func(name, value string) bool { return name == value && !strings.HasPrefix(name, "No") })
	return kept
}

// A reader takes constants and keeps the first error.
type reader struct {
	values map[string]string
	err    error
}

func (r *reader) fail(name, expected, seen string) {
	if r.err == nil {
		r.err = fmt.Errorf("%s: expected %s, saw %q", name, expected, seen)
	}
}

func (r *reader) take(name string) string {
	v, ok := r.values[name]
	if !ok {
		r.fail(name, "a value", "")
	}
	delete(r.values, name)
	return v
}

func (r *reader) number(name string) int {
	v := r.take(name)
	n, err := strconv.Atoi(v)
	if err != nil {
		r.fail(name, "a number", v)
	}
	return n
}

// definition reads what is substituted: "<- Nobody".
func (r *reader) definition(name string) string {
	v := r.take(name)
	d, ok := strings.CutPrefix(v, "<-")
	if !ok {
		r.fail(name, "<- and a definition", v)
	}
	return strings.TrimSpace(d)
}

func (r *reader) elements(name string) []tlc.Value {
	text := r.take(name)
	v, err := tlc.ParseValue(text)
	if err != nil || v.Kind != tlc.Set {
		r.fail(name, "a set such as {1, 2}", text)
	}
	return v.Elems
}

func (r *reader) set(name string) []string {
	var list []string
	for _, e := range r.elements(name) {
		list = append(list, e.Text)
	}
	return list
}

func (r *reader) strings(name string) []string {
	var list []string
	for _, e := range r.elements(name) {
		if e.Kind != tlc.String {
			r.fail(name, "strings", e.String())
		}
		list = append(list, e.Text)
	}
	return list
}

func oneOf[V any](m map[string]V) string {
	return "one of " + strings.Join(slices.Sorted(maps.Keys(m)), ", ")
}
