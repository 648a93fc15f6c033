// Package constants reads the constants of a configuration of the model, for the
// machines in Go.
//
//interleave:off
package constants

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A Reader takes constants by name and keeps the first error.
type Reader struct {
	What   string // stands before a constant's name in errors
	values map[string]string
	err    error
}

// New returns a reader of a configuration's constants: each name with its value in
// TLA+ syntax, or "<- D" where a definition stands for it.
func New(values map[string]string) *Reader { return &Reader{values: maps.Clone(values)} }

// Err returns the first error. Constants that nobody took are one, but for model
// values.
func (r *Reader) Err() error {
	for name, v := range r.values {
		if name == strings.TrimSpace(v) {
			delete(r.values, name)
		}
	}
	if r.err == nil && len(r.values) > 0 {
		return fmt.Errorf("expected no other constants, saw %s", strings.Join(slices.Sorted(maps.Keys(r.values)), ", "))
	}
	return r.err
}

// Fail says what was expected of a constant.
func (r *Reader) Fail(name, expected, seen string) {
	if r.err == nil {
		r.err = fmt.Errorf("%s%s: expected %s, saw %q", r.What, name, expected, seen)
	}
}

// Take reads a constant as it is.
func (r *Reader) Take(name string) string {
	v, ok := r.values[name]
	if !ok {
		r.Fail(name, "a value", "")
	}
	delete(r.values, name)
	return strings.TrimSpace(v)
}

// Number reads a number.
func (r *Reader) Number(name string) int {
	v := r.Take(name)
	n, err := strconv.Atoi(v)
	if err != nil {
		r.Fail(name, "a number", v)
	}
	return n
}

// Other reads the value that stands for none: it is no element of a set.
func (r *Reader) Other(name, of string, set []string) string {
	v := r.Take(name)
	if slices.Contains(set, v) {
		r.Fail(name, fmt.Sprintf("none of %s (%s)", of, strings.Join(set, ", ")), v)
	}
	return v
}

// Set reads {a, b}.
func (r *Reader) Set(name string) []string {
	v := r.Take(name)
	inner, open := strings.CutPrefix(v, "{")
	inner, closed := strings.CutSuffix(inner, "}")
	if !open || !closed {
		r.Fail(name, "a set such as {1, 2}", v)
		return nil
	}
	list := []string{}
	for _, e := range strings.Split(inner, ",") {
		switch e = strings.TrimSpace(e); {
		case slices.Contains(list, e):
			r.Fail(name, "each once", e)
		case e != "":
			list = append(list, e)
		}
	}
	return list
}

// Places reads a set of some of the elements of another, as their numbers from 1.
func (r *Reader) Places(name string, of []string) []int {
	list := []int{}
	for _, e := range r.Set(name) {
		i := slices.Index(of, e)
		if i < 0 {
			r.Fail(name, "some of "+strings.Join(of, ", "), e)
		}
		list = append(list, i+1)
	}
	return list
}

// Strings reads a set of strings.
func (r *Reader) Strings(name string) []string {
	list := r.Set(name)
	for i, e := range list {
		s, err := strconv.Unquote(e)
		if err != nil {
			r.Fail(name, "strings", e)
		}
		list[i] = s
	}
	return list
}

// Definition reads what is substituted: "<- Nobody".
func (r *Reader) Definition(name string) string {
	v := r.Take(name)
	d, ok := strings.CutPrefix(v, "<-")
	if !ok {
		r.Fail(name, "<- and a definition", v)
	}
	return strings.TrimSpace(d)
}
