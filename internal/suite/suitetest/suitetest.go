// Package suitetest makes streams for tests: those of a subject whose checks do
// what the test says, through suite.Run.
//
//interleave:off
package suitetest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"maps"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// A Check is a check that does what it says.
type Check struct {
	Name         string // "witness/what"
	Requirements []string
	Lacks        string
	Findings     []string // their fingerprints
	Found        []record.Finding
	Takes        time.Duration
	suite.Outcome
}

// Done is a check that is completed: it judged n calls by each requirement.
func Done(name string, n int64, requirements ...string) Check {
	c := Check{Name: name, Requirements: requirements}
	c.Ended, c.Judged = suite.Completed, make(map[string]int64)
	for _, id := range requirements {
		c.Judged[id] = n
	}
	return c
}

// A Control says what comes of a positive control.
type Control string

// The controls.
const (
	Caught  Control = "caught"
	Missed  Control = "missed"
	Broken  Control = "broken" // it could not be opened
	Missing Control = "missing"
)

// A Target has checks, and a subject of its own.
type Target struct {
	Name, Version string
	Profile       spec.Profile // "": Core
	NotOffered    map[string]string
	Checks        []Check
	Err           error                      // of opening it
	Controls      map[spec.Witness][]Control // nil: one that is caught, for each witness
	Kind, Command string
	Notes, Doubts []string
}

// Close does nothing.
func (t *Target) Close() error { return nil }

// Describe describes the target.
func (t *Target) Describe() suite.Description {
	return suite.Description{
		Name: t.Name, Version: cmp.Or(t.Version, "1"), Kind: cmp.Or(t.Kind, suite.InProcess), Profile: cmp.Or(t.Profile, spec.Core),
		Command: t.Command, Notes: t.Notes, Doubts: t.Doubts,
	}
}

// Source returns the target, to be opened.
func (t *Target) Source() suite.Source {
	s := &suite.Subject{Name: "subject of " + t.Name, NotOffered: func(_ suite.Target, id string) string { return t.NotOffered[id] }}
	controls := maps.Clone(t.Controls)
	if controls == nil {
		controls = make(map[spec.Witness][]Control)
	}
	for _, c := range t.Checks {
		w := witness(c.Name)
		s.Checks = append(s.Checks, c.check(w))
		if _, ok := controls[w]; !ok {
			controls[w] = []Control{Caught}
		}
	}
	for _, w := range spec.Witnesses() {
		for _, how := range controls[w] {
			if how != Missing {
				s.Controls = append(s.Controls, control(w, how))
			}
		}
	}
	return suite.Source{Name: t.Name, Subject: s, Open: func(context.Context, func(string)) (suite.Target, error) {
		if t.Err != nil {
			return nil, t.Err
		}
		return t, nil
	}}
}

func witness(check string) spec.Witness {
	w, _, _ := bytes.Cut([]byte(check), []byte("/"))
	return spec.Witness(w)
}

func (c Check) check(w spec.Witness) suite.Check {
	return suite.Check{
		Name: c.Name, Witness: w, Requirements: c.Requirements,
		Plan: func(suite.Target) suite.Plan { return suite.Plan{Text: "the plan", Lacks: c.Lacks} },
		Run: func(_ context.Context, _ suite.Target, k *suite.Task) suite.Outcome {
			time.Sleep(c.Takes)
			for _, f := range c.Found {
				k.Find(f)
			}
			for _, f := range c.Findings {
				id, _, _ := bytes.Cut([]byte(f), []byte("/"))
				k.Find(record.Finding{Requirement: string(id), Fingerprint: f, Expected: "what holds", Observed: "what does not"})
			}
			o := c.Outcome
			o.Judged = maps.Clone(o.Judged) // it is the run's to change
			return o
		},
	}
}

func control(w spec.Witness, how Control) suite.Control {
	c := Done(string(w)+"/control", 1, "RQ-LOST")
	if how == Caught {
		c.Findings = []string{"RQ-LOST"}
	}
	return suite.Control{
		Check: c.check(w), What: "a queue that loses", Falls: []string{"RQ-LOST"},
		Open: func() (suite.Target, error) {
			if how == Broken {
				return nil, errors.New("it does not open")
			}
			return &Target{Name: "control"}, nil
		},
	}
}

// Collect returns a sink that appends to list what is written to a file.
func Collect(list *[]suite.Event) func(suite.Event) {
	return func(e suite.Event) {
		if e.Event != suite.ProgressEvent {
			*list = append(*list, e)
		}
	}
}

// Run returns the events of a run.
func Run(ctx context.Context, t testing.TB, o suite.Options, targets ...*Target) []suite.Event {
	t.Helper()
	var list []suite.Event
	o.Sink = Collect(&list)
	var sources []suite.Source
	for _, target := range targets {
		sources = append(sources, target.Source())
	}
	if err := suite.Run(ctx, o, sources...); err != nil {
		t.Fatal(err)
	}
	return list
}

// Encode writes events, with a footer whose counts and digest are right.
func Encode(events []suite.Event) []byte {
	var b bytes.Buffer
	sink, failed := suite.WriteEvents(&b)
	counts := make(map[suite.EventKind]int)
	for _, e := range events {
		if e.Footer != nil {
			f := *e.Footer
			f.Events = maps.Clone(counts)
			e.Footer = &f
		}
		if e.Event != suite.ProgressEvent { // which is never written
			counts[e.Event]++
		}
		sink(e)
	}
	if err := failed(); err != nil {
		panic("suitetest: " + err.Error())
	}
	return b.Bytes()
}

// Decode reads events.
func Decode(stream []byte) ([]suite.Event, error) {
	var list []suite.Event
	err := suite.ReadEvents(bytes.NewReader(stream), func(e suite.Event) { list = append(list, e) })
	return list, err
}
