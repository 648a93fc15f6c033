// Package merge makes one stream of those of several shards: as if one run had
// carried out all checks. What is missing, there twice, or from another run is an
// error: a shard that nobody saw must not pass.
//
//interleave:off
package merge

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
)

// ErrShards is wrapped by errors about shards that do not make one run.
var ErrShards = errors.New("the shards do not make one run")

// A Shard is the stream of one.
type Shard struct {
	name     string // for errors
	header   *suite.Header
	footer   *suite.Footer
	targets  []*suite.Judged
	controls []suite.Event
}

// Read reads a shard's stream, which must be whole. The name is for errors.
func Read(name string, r io.Reader) (*Shard, error) {
	s := &Shard{name: name}
	var g gate.Gate
	err := suite.ReadEvents(r, func(e suite.Event) {
		g.Event(e)
		switch e.Event {
		case suite.ControlEvent:
			s.controls = append(s.controls, e)
		case suite.HeaderEvent:
			s.header = e.Header
		case suite.FooterEvent:
			s.footer = e.Footer
		}
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if s.header.Contract != suite.Contract {
		return nil, fmt.Errorf("%s: %w: expected contract %s, saw %s", name, ErrShards, suite.Contract, s.header.Contract)
	}
	s.targets = g.Result().Targets
	return s, nil
}

// Streams hands the events of the run that the shards make to sink.
func Streams(sink func(suite.Event), shards ...*Shard) error {
	shards, err := inOrder(shards)
	if err != nil {
		return err
	}
	m := &merged{sink: sink, events: make(map[suite.EventKind]int)}
	var list []suite.Event
	for i := range shards[0].targets {
		events, err := target(shards, i)
		if err != nil {
			return err
		}
		list = append(list, events...)
	}
	controls, err := controls(shards)
	if err != nil {
		return err
	}
	// Nothing goes out before all is known to fit.
	m.send(suite.Event{Event: suite.HeaderEvent, Header: header(shards)})
	for _, e := range append(list, controls...) {
		m.send(e)
	}
	m.send(suite.Event{Event: suite.FooterEvent, Footer: m.footer(shards)})
	return nil
}

// merged is the stream that comes out.
type merged struct {
	sink   func(suite.Event)
	events map[suite.EventKind]int
}

func (m *merged) send(e suite.Event) {
	if e.Event != suite.FooterEvent {
		m.events[e.Event]++
	}
	m.sink(e)
}

// footer has the time of all shards together.
func (m *merged) footer(shards []*Shard) *suite.Footer {
	f := &suite.Footer{Events: m.events}
	for _, s := range shards {
		f.Elapsed += s.footer.Elapsed
		f.Interrupted = f.Interrupted || s.footer.Interrupted
	}
	return f
}

func mismatch(format string, args ...any) error {
	return fmt.Errorf("merge: %w: %s", ErrShards, fmt.Sprintf(format, args...))
}

// inOrder returns the shards as 1/n to n/n, each there once, of one run.
func inOrder(shards []*Shard) ([]*Shard, error) {
	if len(shards) == 0 {
		return nil, mismatch("expected streams, saw none")
	}
	list := make([]*Shard, len(shards))
	for _, s := range shards {
		i, n, err := number(s.header.Shard)
		if err != nil {
			return nil, mismatch("%s: %v", s.name, err)
		}
		if n != len(shards) {
			return nil, mismatch("%s is shard %s: expected %d streams, saw %d", s.name, s.header.Shard, n, len(shards))
		}
		if list[i-1] != nil {
			return nil, mismatch("shard %s twice: %s and %s", s.header.Shard, list[i-1].name, s.name)
		}
		list[i-1] = s
	}
	for _, s := range list[1:] {
		if err := sameRun(list[0], s); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// number reads "2/3".
func number(shard string) (i, n int, err error) {
	a, b, _ := strings.Cut(shard, "/")
	i, err = strconv.Atoi(a)
	if err == nil {
		n, err = strconv.Atoi(b)
	}
	if err != nil || i < 1 || i > n || shard != (suite.Shard{I: i, N: n}).String() {
		return 0, 0, fmt.Errorf("expected a shard such as 2/3, saw %q", shard)
	}
	return i, n, nil
}

// sameRun holds that two shards were asked for the same, in the same surroundings.
func sameRun(a, b *Shard) error {
	h, k := *a.header, *b.header
	for _, x := range []*suite.Header{&h, &k} {
		// What may differ from machine to machine. All else must be the same.
		x.Shard, x.CPUs, x.GOMAXPROCS, x.Begin = "", 0, 0, time.Time{}
	}
	x, y := reflect.ValueOf(h), reflect.ValueOf(k)
	for i := range x.NumField() {
		if p, q := x.Field(i).Interface(), y.Field(i).Interface(); !reflect.DeepEqual(p, q) {
			field, _, _ := strings.Cut(x.Type().Field(i).Tag.Get("json"), ",")
			return mismatch("%s of %s is %.200q, of %s %.200q", field, a.name, fmt.Sprint(p), b.name, fmt.Sprint(q))
		}
	}
	return nil
}

// header is that of the first shard to begin, on the smallest of the machines.
func header(shards []*Shard) *suite.Header {
	h := *shards[0].header
	h.Shard = ""
	for _, s := range shards[1:] {
		if s.header.Begin.Before(h.Begin) {
			h.Begin = s.header.Begin
		}
		h.CPUs, h.GOMAXPROCS = min(h.CPUs, s.header.CPUs), min(h.GOMAXPROCS, s.header.GOMAXPROCS)
	}
	return &h
}

// target returns the events of the i-th target: the checks of all shards, and
// where each requirement stands by all of them.
func target(shards []*Shard, i int) (list []suite.Event, err error) {
	first := shards[0].targets[i]
	all := &suite.Judged{Select: shards[0].header.Select}
	var planned []string
	for _, s := range shards {
		t := s.targets[i]
		if err := sameTarget(shards[0].name, first, s.name, t); err != nil {
			return nil, err
		}
		for _, name := range t.Checks {
			if slices.Contains(planned, name) {
				return nil, mismatch("check %q of target %q in two shards, the second of them %s", name, t.Target, s.name)
			}
			planned = append(planned, name)
		}
	}
	tell := func(e suite.Event) {
		e.Target = first.Target
		all.Add(e)
		list = append(list, e)
	}
	tell(suite.Event{Event: suite.TargetEvent, Description: first.Description, Checks: planned, Text: first.Error, Ended: first.Ended})
	for _, s := range shards {
		t := s.targets[i]
		for _, name := range t.Checks {
			for _, e := range t.Findings {
				if e.Check == name {
					tell(e)
				}
			}
			tell(suite.Event{Event: suite.CheckEvent, Check: name, Result: t.Results[name]})
		}
	}
	for _, row := range all.Standings() {
		tell(suite.Event{Event: suite.RequirementEvent, Requirement: &row})
	}
	return list, nil
}

// sameTarget holds that two shards judged the same target. Notes may differ, and
// how it is named on the command line.
func sameTarget(aName string, a *suite.Judged, bName string, b *suite.Judged) error {
	switch {
	case a.Target != b.Target:
		return mismatch("%s has target %q where %s has %q", aName, a.Target, bName, b.Target)
	case a.Description == nil || b.Description == nil:
		if a.Description == nil && b.Description == nil && a.Ended == b.Ended {
			return nil // that says the merged stream, too
		}
		return mismatch("target %q was open in one of %s and %s, and not in the other: %.200q", a.Target, aName, bName, cmp.Or(a.Error, b.Error))
	}
	d, e := *a.Description, *b.Description
	d.Notes, e.Notes, d.Command, e.Command = nil, nil, "", ""
	if !reflect.DeepEqual(d, e) {
		return mismatch("target %q is %.200q in %s, and %.200q in %s", a.Target, fmt.Sprintf("%+v", d), aName, fmt.Sprintf("%+v", e), bName)
	}
	return nil
}
