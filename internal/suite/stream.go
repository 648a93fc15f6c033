package suite

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// Errors of a stream. They are wrapped by errors that say what was expected and
// what was seen.
var (
	// ErrTruncated: the file ends before what it began, so that nothing can be
	// concluded from what it lacks.
	ErrTruncated = errors.New("cut off")
	// ErrSchema: the file was written by a version whose streams this one cannot
	// read.
	ErrSchema = errors.New("unknown schema version")
	// ErrDamaged: the stream contradicts itself.
	ErrDamaged = errors.New("damaged")
)

// A Stream holds the events of a run against each other. Each part says what must
// come after it, so that none can be missing unseen: the header names the
// targets, a target its checks, a requirement its checks and findings, a control
// how many there are, and the footer counts all of them. Its zero value is ready.
type Stream struct {
	header   *Header
	footer   *Footer
	events   map[EventKind]int
	target   *Judged // the last one
	targets  int
	names    map[string]bool
	controls map[string]*Caught // by subject and witness: the last one
}

// Add holds the next event against those before it. After an error nothing
// follows from the stream.
func (s *Stream) Add(e *Event) error {
	if s.footer != nil {
		return format("expected the end after the footer, saw %q", e.Event)
	}
	if (s.header == nil) != (e.Event == HeaderEvent) {
		return format("expected one header, before all else, saw %q", e.Event)
	}
	whole := true // it has the part that its kind is about
	switch e.Event {
	case HeaderEvent:
		if whole = e.Header != nil; whole && e.Header.Schema != Schema {
			return fmt.Errorf("%w: expected %d, saw %d, written by suite %.40q", ErrSchema, Schema, e.Header.Schema, e.Header.Suite)
		}
		s.header, s.events, s.names = e.Header, make(map[EventKind]int), make(map[string]bool)
		s.controls = make(map[string]*Caught)
	case TargetEvent:
		whole = e.Target != "" && (e.Description != nil) != (e.Text != "")
	case CheckEvent:
		whole = e.Check != "" && e.Result != nil
	case FindingEvent:
		whole = e.Check != "" && e.Finding != nil
	case RequirementEvent:
		whole = e.Requirement != nil
	case ControlEvent:
		whole = e.Check != "" && e.Control != nil
	case FooterEvent:
		whole = e.Footer != nil
	default:
		return format("unknown kind of event %q", e.Event)
	}
	if !whole {
		return format("a %s event without what it is about", e.Event)
	}
	if err := s.order(e); err != nil {
		return err
	}
	if e.Event != FooterEvent {
		s.events[e.Event]++
		return nil
	}
	s.footer = e.Footer
	return s.whole()
}

func format(format string, args ...any) error {
	return fmt.Errorf("%w: %s", record.ErrFormat, short(fmt.Sprintf(format, args...)))
}

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, short(fmt.Sprintf(format, args...)))
}

// short bounds what an error says of a stream's texts.
func short(text string) string {
	const most = 800
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + " ..."
}

// End returns an error unless the stream has come to its footer.
func (s *Stream) End() error {
	if s.footer == nil {
		return fmt.Errorf("events %w: expected a footer at the end, saw none", ErrTruncated)
	}
	return nil
}

// whole holds the footer against what stands above.
func (s *Stream) whole() error {
	if !maps.Equal(s.footer.Events, s.events) {
		return fmt.Errorf("%w: the footer counts %v, the stream has %v", ErrTruncated, s.footer.Events, s.events)
	}
	if s.targets != len(s.header.Targets) {
		return damaged("the header names %d targets, the stream has %d", len(s.header.Targets), s.targets)
	}
	for of, c := range s.controls {
		if c.Nth < c.Of {
			return damaged("expected %d controls of %s, saw %d", c.Of, of, c.Nth)
		}
	}
	return nil
}

// order holds that an event stands where its kind belongs.
func (s *Stream) order(e *Event) error {
	switch e.Event {
	case FindingEvent, CheckEvent, RequirementEvent:
		return s.part(e)
	}
	if s.target != nil {
		if err := s.target.consistent(s.header.Contract); err != nil {
			return err
		}
		s.target = nil
	}
	switch e.Event {
	case TargetEvent:
		return s.begin(e)
	case ControlEvent:
		c := e.Control
		of := fmt.Sprintf("witness %q of subject %q", c.Witness, e.Target)
		nth := 1
		if last := s.controls[of]; last != nil {
			if nth = last.Nth + 1; c.Of != last.Of {
				return damaged("expected %d controls of %s, saw one of %d", last.Of, of, c.Of)
			}
		}
		if c.Nth != nth || nth > c.Of {
			return damaged("expected control %d of %d of %s, saw %d", nth, c.Of, of, c.Nth)
		}
		s.controls[of] = c
	}
	return nil
}

func (s *Stream) begin(e *Event) error {
	switch {
	case s.names[e.Target]:
		return damaged("target %q twice", e.Target)
	case s.events[ControlEvent] > 0:
		return damaged("target %q behind the controls", e.Target)
	case e.Description != nil && e.Description.Name != e.Target:
		return damaged("target %q is described as %q", e.Target, e.Description.Name)
	}
	s.names[e.Target] = true
	s.targets++
	s.target = &Judged{Select: s.header.Select, Shard: s.header.Shard}
	s.target.Add(*e)
	return nil
}

// part takes over an event of the target whose turn it is.
func (s *Stream) part(e *Event) error {
	t := s.target
	switch {
	case t == nil || e.Target != t.Target:
		return damaged("a %s of target %q outside of its events", e.Event, e.Target)
	case t.Description == nil:
		return damaged("a %s of target %q, which was not open", e.Event, e.Target)
	case e.Event == RequirementEvent:
		t.Add(*e)
		return nil
	case len(t.Rows) > 0:
		return damaged("a %s of target %q behind its requirements", e.Event, e.Target)
	case len(t.Checks) >= len(t.Planned) || t.Planned[len(t.Checks)] != e.Check:
		return damaged("a %s of check %q of target %q, whose turn it is not", e.Event, e.Check, e.Target)
	}
	if e.Event == FindingEvent {
		if f := e.Finding; !f.Covers(f.Requirement) {
			return damaged("a finding of %q has the fingerprint %q", f.Requirement, f.Fingerprint)
		}
		t.Add(*e)
		return nil
	}
	if t.Results[e.Check] != nil {
		return damaged("check %q of target %q twice", e.Check, e.Target)
	}
	if err := e.Result.sane(e.Check); err != nil {
		return err
	}
	t.Add(*e)
	return nil
}

// maxCount bounds what is counted: sums of counts must stay numbers.
const maxCount = 1 << 53

// sane reports whether the result can be that of a check of this name.
func (r *Result) sane(check string) error {
	if !slices.Contains([]Ended{Completed, Inconclusive, Skipped, Error}, r.Ended) {
		return damaged("check %q: expected an outcome, saw %q", check, r.Ended)
	}
	if witness, _, _ := strings.Cut(check, "/"); witness != string(r.Witness) {
		return damaged("check %q: expected its checker, saw %q", check, r.Witness)
	}
	for id, n := range r.Judged {
		if n < 0 || n > maxCount || !slices.Contains(r.Requirements, id) {
			return damaged("check %q: expected a count of what it checked, saw %d for %s", check, n, id)
		}
	}
	if r.Elapsed < 0 || int64(r.Elapsed) > maxCount*100 || r.Executions < 0 || r.States < 0 || r.Scenarios < 0 || r.Calls < 0 {
		return damaged("check %q: expected counts, saw a negative or a huge number", check)
	}
	return nil
}

// consistent reports whether the target has all that it announced, and whether its
// rows are those that follow.
func (j *Judged) consistent(contract string) error {
	if len(j.Checks) != len(j.Planned) {
		return damaged("target %q announced %d checks, the stream has %d", j.Target, len(j.Planned), len(j.Checks))
	}
	for _, e := range j.Findings {
		if j.Results[e.Check] == nil {
			return damaged("a finding of check %q, which has no result, for target %q", e.Check, j.Target)
		}
	}
	if contract != Contract {
		return nil // the catalogue is another
	}
	for _, name := range j.Checks {
		res := j.Results[name]
		if len(res.Requirements) == 0 {
			return damaged("check %q of target %q is about no requirement", name, j.Target)
		}
		for _, id := range res.Requirements {
			if q, err := spec.Lookup(id); err != nil || !q.In(j.Description.Profile) {
				return damaged("check %q is about %q, which is not asked of target %q", name, id, j.Target)
			}
		}
	}
	for _, e := range j.Findings {
		if _, err := spec.Lookup(e.Finding.Requirement); err != nil {
			return damaged("a finding of %q, which is no requirement, for target %q", e.Finding.Requirement, j.Target)
		}
	}
	return j.follows()
}

// follows reports whether the rows are those that follow from checks and findings.
func (j *Judged) follows() error {
	want := j.Standings()
	for i := range max(len(want), len(j.Rows)) {
		switch {
		case i >= len(j.Rows):
			return damaged("expected a requirement %q of target %q, saw none", want[i].ID, j.Target)
		case i >= len(want):
			return damaged("expected no requirement %q of target %q, saw one", j.Rows[i].ID, j.Target)
		case !reflect.DeepEqual(*j.Rows[i], want[i]):
			a, _ := json.Marshal(want[i])
			b, _ := json.Marshal(j.Rows[i])
			if string(a) != string(b) {
				return damaged("expected of target %q, by its checks and findings, %s, saw %s", j.Target, a, b)
			}
		}
	}
	return nil
}
