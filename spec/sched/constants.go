package sched

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// FromConstants reads the constants of a configuration file of the module: each name
// with its value in TLA+ syntax. Ps and Ms may be numbers or model values; they are
// numbered in the order of their sets, and NoP and NoM are whatever is in no set.
func FromConstants(values map[string]string) (Config, error) {
	r := reader{values: maps.Clone(values)}
	ps, ms := r.set("Ps"), r.set("Ms")
	c := Config{
		Ps: len(ps), Ms: len(ms), Gs: r.number("Gs"), RingCap: r.number("RingCap"),
		FirstM: r.places("FirstM", ms), FirstP: r.places("FirstP", ps), FirstProcs: r.places("FirstProcs", ps),
		Sysmon:   1 + slices.Index(ms, r.take("Sysmon")),
		Features: r.strings("Features"), Fixes: r.strings("Fixes"), Bugs: r.strings("Bugs"),
	}
	r.take("NoP")
	r.take("NoM")
	for name, v := range r.values {
		if name == strings.TrimSpace(v) {
			delete(r.values, name) // a model value
		}
	}
	if r.err == nil && len(r.values) > 0 {
		return c, fmt.Errorf("sched: expected no other constants, saw %s", strings.Join(slices.Sorted(maps.Keys(r.values)), ", "))
	}
	return c, r.err
}

// A reader takes constants and keeps the first error.
type reader struct {
	values map[string]string
	err    error
}

func (r *reader) fail(name, expected, seen string) {
	if r.err == nil {
		r.err = fmt.Errorf("sched: constant %s: expected %s, saw %q", name, expected, seen)
	}
}

func (r *reader) take(name string) string {
	v, ok := r.values[name]
	if !ok {
		r.fail(name, "a value", "")
	}
	delete(r.values, name)
	return strings.TrimSpace(v)
}

func (r *reader) number(name string) int {
	v := r.take(name)
	n, err := strconv.Atoi(v)
	if err != nil {
		r.fail(name, "a number", v)
	}
	return n
}

// set reads {a, b}.
func (r *reader) set(name string) []string {
	v := r.take(name)
	inner, open := strings.CutPrefix(v, "{")
	inner, closed := strings.CutSuffix(inner, "}")
	if !open || !closed {
		r.fail(name, "a set such as {1, 2}", v)
		return nil
	}
	list := []string{}
	for _, e := range strings.Split(inner, ",") {
		if e = strings.TrimSpace(e); e != "" {
			list = append(list, e)
		}
	}
	return list
}

func (r *reader) places(name string, of []string) []int {
	list := []int{}
	for _, e := range r.set(name) {
		i := slices.Index(of, e)
		if i < 0 {
			r.fail(name, "some of "+strings.Join(of, ", "), e)
		}
		list = append(list, i+1)
	}
	return list
}

func (r *reader) strings(name string) []string {
	list := r.set(name)
	for i, e := range list {
		s, err := strconv.Unquote(e)
		if err != nil {
			r.fail(name, "strings", e)
		}
		list[i] = s
	}
	return list
}
