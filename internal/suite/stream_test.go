package suite_test

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/suitetest"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// tiny has two checks, of which the first finds two things, and three controls.
func tiny() *suitetest.Target {
	x := suitetest.Done("sequence/x", 5, "RQ-LOST", "RQ-TWICE")
	x.Findings = []string{"RQ-TWICE/get", "RQ-TWICE/steal"}
	return &suitetest.Target{
		Name: "tiny", Checks: []suitetest.Check{x, suitetest.Done("stress/y", 7, "RQ-TWICE")},
		Controls: map[spec.Witness][]suitetest.Control{spec.Sequence: {suitetest.Caught, suitetest.Caught}, spec.Stress: {suitetest.Caught}},
	}
}

// at returns the place of the n-th event of a kind, from 0.
func at(events []suite.Event, kind suite.EventKind, n int) int {
	for i, e := range events {
		if e.Event == kind {
			if n--; n < 0 {
				return i
			}
		}
	}
	panic("there is none")
}

// TestStreamRefuses breaks what each part says of another. The footer is put right
// each time.
func TestStreamRefuses(t *testing.T) {
	type events = []suite.Event
	edit := func(kind suite.EventKind, n int, change func(*suite.Event)) func(events) events {
		return func(e events) events {
			change(&e[at(e, kind, n)])
			return e
		}
	}
	remove := func(kind suite.EventKind, n int) func(events) events {
		return func(e events) events { i := at(e, kind, n); return slices.Delete(e, i, i+1) }
	}
	swap := func(a, b int) func(events) events {
		return func(e events) events { e[a], e[b] = e[b], e[a]; return e }
	}
	for _, c := range []struct {
		name   string
		change func(events) events
		want   error
	}{
		{"no header", remove(suite.HeaderEvent, 0), record.ErrFormat},
		{"two headers", func(e events) events { return slices.Insert(e, 1, e[0]) }, record.ErrFormat},
		{"schema", edit(suite.HeaderEvent, 0, func(e *suite.Event) { e.Header.Schema++ }), suite.ErrSchema},
		{"no footer", remove(suite.FooterEvent, 0), suite.ErrTruncated},
		{"two footers", func(e events) events { return append(e, e[len(e)-1]) }, record.ErrFormat},
		{"more behind the footer", func(e events) events { return append(e, e[at(e, suite.ControlEvent, 0)]) }, record.ErrFormat},
		{"kind", edit(suite.ControlEvent, 0, func(e *suite.Event) { e.Event = "nonsense" }), record.ErrFormat},
		{"a check without a name", edit(suite.CheckEvent, 0, func(e *suite.Event) { e.Check = "" }), record.ErrFormat},
		{"a control without one", edit(suite.ControlEvent, 0, func(e *suite.Event) { e.Control = nil }), record.ErrFormat},
		{"a target that is open and is not", edit(suite.TargetEvent, 0, func(e *suite.Event) { e.Text = "no" }), record.ErrFormat},
		{"a target is missing", edit(suite.HeaderEvent, 0, func(e *suite.Event) { e.Header.Targets = []string{"tiny", "other"} }), suite.ErrDamaged},
		{"a target is described as another", edit(suite.TargetEvent, 0, func(e *suite.Event) { e.Description.Name = "other" }), suite.ErrDamaged},
		{"a check is missing", remove(suite.CheckEvent, 1), suite.ErrDamaged},
		{"a check is announced", edit(suite.TargetEvent, 0, func(e *suite.Event) { e.Checks = append(e.Checks, "stress/z") }), suite.ErrDamaged},
		{"a check is not announced", edit(suite.TargetEvent, 0, func(e *suite.Event) { e.Checks = e.Checks[:1] }), suite.ErrDamaged},
		{"checks in another order", swap(4, 5), suite.ErrDamaged},
		{"a finding is missing", remove(suite.FindingEvent, 1), suite.ErrDamaged},
		{"a finding of another way", edit(suite.FindingEvent, 0, func(e *suite.Event) { e.Finding.Fingerprint = "RQ-TWICE/put" }), suite.ErrDamaged},
		{"a finding's fingerprint is another requirement's", func(e events) events {
			e[at(e, suite.FindingEvent, 0)].Finding.Fingerprint = "RQ-LOST/get"
			e[at(e, suite.RequirementEvent, 1)].Requirement.Fingerprints[0] = "RQ-LOST/get"
			return e
		}, suite.ErrDamaged},
		{"a finding of no requirement", func(e events) events {
			no := e[at(e, suite.FindingEvent, 0)]
			no.Finding = &record.Finding{Requirement: "RQ-NO", Fingerprint: "RQ-NO"}
			return slices.Insert(e, 2, no)
		}, suite.ErrDamaged},
		{"a finding of another target", edit(suite.FindingEvent, 0, func(e *suite.Event) { e.Target = "other" }), suite.ErrDamaged},
		{"a finding behind its check", swap(3, 4), suite.ErrDamaged},
		{"a requirement is missing", remove(suite.RequirementEvent, 0), suite.ErrDamaged},
		{"a requirement more", func(e events) events {
			return slices.Insert(e, at(e, suite.ControlEvent, 0), e[at(e, suite.RequirementEvent, 9)])
		}, suite.ErrDamaged},
		{"a requirement is kept", edit(suite.RequirementEvent, 1, func(e *suite.Event) { e.Requirement.Standing = suite.Kept }), suite.ErrDamaged},
		{"a check ended otherwise", edit(suite.CheckEvent, 1, func(e *suite.Event) { e.Result.Ended = suite.Inconclusive }), suite.ErrDamaged},
		{"a check ended in no way", func(e events) events {
			e[at(e, suite.CheckEvent, 1)].Result.Ended = "passed"
			e[at(e, suite.RequirementEvent, 1)].Requirement.Reason = "stress/y: no reason was given"
			return e
		}, suite.ErrDamaged},
		{"a check of another witness", edit(suite.CheckEvent, 1, func(e *suite.Event) { e.Result.Witness = spec.Sequence }), suite.ErrDamaged},
		{"a check of no requirement", edit(suite.CheckEvent, 1, func(e *suite.Event) { e.Result.Requirements, e.Result.Judged = nil, nil }), suite.ErrDamaged},
		{"a check of another profile's", edit(suite.CheckEvent, 1, func(e *suite.Event) { e.Result.Requirements = append(e.Result.Requirements, "RQ-LIFO") }), suite.ErrDamaged},
		{"a check judged less than nothing", edit(suite.CheckEvent, 1, func(e *suite.Event) { e.Result.Judged["RQ-TWICE"] = -1 }), suite.ErrDamaged},
		{"a check judged what it does not list", edit(suite.CheckEvent, 1, func(e *suite.Event) { e.Result.Judged["RQ-LOST"] = 1 }), suite.ErrDamaged},
		{"a check took less than no time", edit(suite.CheckEvent, 1, func(e *suite.Event) { e.Result.Elapsed = -1 }), suite.ErrDamaged},
		{"a check of a target that was not open", edit(suite.TargetEvent, 0, func(e *suite.Event) { e.Description, e.Text = nil, "no" }), suite.ErrDamaged},
		{"the first control is missing", remove(suite.ControlEvent, 0), suite.ErrDamaged},
		{"the second control is missing", remove(suite.ControlEvent, 1), suite.ErrDamaged},
		{"a control twice", func(e events) events { i := at(e, suite.ControlEvent, 1); return slices.Insert(e, i, e[i]) }, suite.ErrDamaged},
		{"a control of more", edit(suite.ControlEvent, 1, func(e *suite.Event) { e.Control.Of = 3 }), suite.ErrDamaged},
		{"a control of fewer", edit(suite.ControlEvent, 1, func(e *suite.Event) { e.Control.Of = 1 }), suite.ErrDamaged},
		{"a target behind the controls", func(e events) events {
			return slices.Insert(e, len(e)-1, suite.Event{Event: suite.TargetEvent, Target: "other", Text: "no", Ended: suite.Error})
		}, suite.ErrDamaged},
		{"a target twice", func(e events) events {
			return slices.Insert(e, at(e, suite.ControlEvent, 0), suite.Event{Event: suite.TargetEvent, Target: "tiny", Text: "no", Ended: suite.Error})
		}, suite.ErrDamaged},
	} {
		t.Run(c.name, func(t *testing.T) {
			stream := suitetest.Encode(c.change(suitetest.Run(t.Context(), t, suite.Options{}, tiny())))
			if _, err := suitetest.Decode(stream); !errors.Is(err, c.want) {
				t.Errorf("expected %v, saw %v", c.want, err)
			}
		})
	}
	stream := suitetest.Encode(suitetest.Run(t.Context(), t, suite.Options{}, tiny()))
	if events, err := suitetest.Decode(stream); err != nil || !bytes.Equal(suitetest.Encode(events), stream) {
		t.Errorf("the stream as it was: %v", err)
	}
}

// TestFooterOfAnotherEvent holds that an event of another kind that brings a footer is not the end of the stream.
func TestFooterOfAnotherEvent(t *testing.T) {
	events := suitetest.Run(t.Context(), t, suite.Options{}, tiny())
	last := len(events) - 1
	events[last-1].Footer = events[last].Footer
	var s suite.Stream
	for i := range events[:last] {
		if err := s.Add(&events[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.End(); !errors.Is(err, suite.ErrTruncated) {
		t.Errorf("expected %v, saw %v", suite.ErrTruncated, err)
	}
}

// TestCounts holds that a footer that counts something else is refused, whatever its
// digest says.
func TestCounts(t *testing.T) {
	events := suitetest.Run(t.Context(), t, suite.Options{}, tiny())
	for _, kind := range []suite.EventKind{suite.CheckEvent, suite.FindingEvent, suite.ControlEvent} {
		for _, more := range []int{-1, 1} {
			var b bytes.Buffer
			sink, _ := suite.WriteEvents(&b)
			for _, e := range events {
				if e.Footer != nil {
					f := *e.Footer
					f.Events = maps.Clone(f.Events)
					f.Events[kind] += more
					e.Footer = &f
				}
				sink(e)
			}
			if _, err := suitetest.Decode(b.Bytes()); !errors.Is(err, suite.ErrTruncated) {
				t.Errorf("%+d %s: expected %v, saw %v", more, kind, suite.ErrTruncated, err)
			}
		}
	}
}

// TestWeight holds that a short text that would be a large value is not read.
func TestWeight(t *testing.T) {
	header, _, _ := bytes.Cut(suitetest.Encode(suitetest.Run(t.Context(), t, suite.Options{}, tiny())), []byte("\n"))
	line := `{"event":"finding","finding":{"evidence":[` + strings.Repeat("{},", suite.MaxWeight/128) + `{}]}}`
	if _, err := suitetest.Decode([]byte(string(header) + "\n" + line + "\n")); err == nil || !strings.Contains(err.Error(), "weigh") {
		t.Errorf("expected an error about what it weighs, saw %v", err)
	}
}

// TestEveryBitCounts flips every bit of a stream, the footer's included.
func TestEveryBitCounts(t *testing.T) {
	tier.NotShort(t)
	small := &suitetest.Target{Name: "t", Checks: []suitetest.Check{suitetest.Done("stress/y", 7, "RQ-LOST")}}
	stream := suitetest.Encode(suitetest.Run(t.Context(), t, suite.Options{}, small))
	last := bytes.LastIndex(stream[:len(stream)-1], []byte("\n"))
	for i := range stream {
		bits := 8
		if i < last {
			bits = 1 // of what stands above, one is enough
		}
		for bit := range bits {
			damaged := slices.Clone(stream)
			damaged[i] ^= 1 << bit
			if _, err := suitetest.Decode(damaged); err == nil {
				t.Fatalf("bit %d of byte %d: %.80q is read as if nothing was", bit, i, damaged[i:])
			}
		}
	}
}

// TestUnknownFields holds that a reader passes over what a later writer says.
func TestUnknownFields(t *testing.T) {
	stream := suitetest.Encode(suitetest.Run(t.Context(), t, suite.Options{}, tiny()))
	more := strings.Replace(string(stream), `"event":"header"`, `"event":"header","more":{"x":[1]}`, 1)
	if _, err := suitetest.Decode([]byte(more)); !errors.Is(err, suite.ErrDamaged) || !strings.Contains(err.Error(), "digest") {
		t.Errorf("expected the digest to be all that is wrong, saw %v", err)
	}
}
