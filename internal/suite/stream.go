package suite

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"maps"
	"reflect"

	"github.com/spindle-go/spindle/spec/record"
)

// Errors of reading what a run wrote. They are wrapped by errors that say what was
// expected and what was seen.
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

// The bounds of a stream that is read.
const (
	MaxLine  = 16 << 20
	MaxLines = 1 << 20
)

// WriteEvents returns a sink that writes each event as a line of JSON, and a
// function that returns the first error of writing: an event that was not written
// is a report that is not whole. The footer gets the digest of what stands above it.
func WriteEvents(w io.Writer) (sink func(Event), err func() error) {
	var failed error
	sum := sha256.New()
	return func(e Event) {
			if failed != nil || e.Event == ProgressEvent {
				return
			}
			if e.Footer != nil {
				f := *e.Footer
				f.Digest = digest(sum)
				e.Footer = &f
			}
			line, err := json.Marshal(e)
			if err == nil {
				line = append(line, '\n')
				sum.Write(line)
				_, err = w.Write(line)
			}
			if err != nil {
				failed = fmt.Errorf("suite: write events: %w", err)
			}
		}, func() error {
			return failed
		}
}

func digest(h hash.Hash) string { return "sha256:" + hex.EncodeToString(h.Sum(nil)) }

// ReadEvents reads a stream of events and hands each to sink. The stream must be
// whole: a header of a known schema first, a footer last, whose counts and digest
// are those of what stands between. Where each requirement stands must follow
// from the checks and findings of its target, if they were written for this
// version of the contract. Errors wrap ErrTruncated, ErrSchema, ErrDamaged,
// record.ErrFormat or the reader's; sink has then got a part of the events.
func ReadEvents(r io.Reader, sink func(Event)) error {
	in := bufio.NewReaderSize(r, 1<<16)
	s := stream{events: make(map[EventKind]int), sum: sha256.New()}
	for n := 1; ; n++ {
		line, err := readLine(in)
		if err == io.EOF && len(line) == 0 {
			break
		}
		if err == io.EOF {
			return fmt.Errorf("suite: line %d: %w: expected a newline at its end, saw the end of the file", n, ErrTruncated)
		}
		if err != nil {
			return fmt.Errorf("suite: line %d: %w", n, err)
		}
		if n > MaxLines {
			return fmt.Errorf("suite: %w: expected at most %d lines, saw more", record.ErrFormat, MaxLines)
		}
		var e Event
		if err := json.Unmarshal(line, &e); err != nil {
			return fmt.Errorf("suite: line %d: %w: expected an event in JSON: %w", n, record.ErrFormat, err)
		}
		if err := s.add(n, &e, line); err != nil {
			return fmt.Errorf("suite: line %d: %w", n, err)
		}
		sink(e)
	}
	if s.footer == nil {
		return fmt.Errorf("suite: events %w: expected a footer at the end, saw none", ErrTruncated)
	}
	return nil
}

// readLine returns the next line with its newline.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if line = append(line, part...); len(line) > MaxLine {
			return nil, fmt.Errorf("%w: expected at most %d bytes, saw more", record.ErrFormat, MaxLine)
		}
		if err != bufio.ErrBufferFull {
			return line, err
		}
	}
}

// stream is what was read of a stream so far.
type stream struct {
	header  *Header
	footer  *Footer
	events  map[EventKind]int
	sum     hash.Hash
	target  *Judged // the last one
	targets map[string]bool
}

// add checks an event against those before it.
func (s *stream) add(n int, e *Event, line []byte) error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", record.ErrFormat, fmt.Sprintf(format, args...))
	}
	if s.footer != nil {
		return bad("expected the end after the footer, saw %q", e.Event)
	}
	if (n == 1) != (e.Event == HeaderEvent) {
		return bad("expected a header in line 1 and nowhere else, saw %q", e.Event)
	}
	whole := true // it has the part that its kind is about
	switch e.Event {
	case HeaderEvent:
		if whole = e.Header != nil; whole && e.Header.Schema != Schema {
			return fmt.Errorf("%w: expected %d, saw %d, written by suite %q", ErrSchema, Schema, e.Header.Schema, e.Header.Suite)
		}
		s.header = e.Header
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
		return bad("unknown kind of event %q", e.Event)
	}
	if !whole {
		return bad("a %s event without what it is about", e.Event)
	}
	if err := s.order(e); err != nil {
		return err
	}
	if e.Event != FooterEvent {
		s.events[e.Event]++
		s.sum.Write(line)
		return nil
	}
	s.footer = e.Footer
	if !maps.Equal(s.footer.Events, s.events) {
		return fmt.Errorf("%w: the footer counts %v, the stream has %v", ErrTruncated, s.footer.Events, s.events)
	}
	if saw := digest(s.sum); s.footer.Digest != saw {
		return fmt.Errorf("%w: the footer has digest %q, the lines above have %q", ErrDamaged, s.footer.Digest, saw)
	}
	return nil
}

// order checks that events of a target follow its target event, and that its rows
// follow from the rest.
func (s *stream) order(e *Event) error {
	switch e.Event {
	case FindingEvent, CheckEvent, RequirementEvent:
		if s.target == nil || e.Target != s.target.Target {
			return fmt.Errorf("%w: a %s of target %q outside of its events", ErrDamaged, e.Event, e.Target)
		}
		if e.Event != RequirementEvent && len(s.target.Rows) > 0 {
			return fmt.Errorf("%w: a %s of target %q behind its requirements", ErrDamaged, e.Event, e.Target)
		}
		if e.Event == CheckEvent && s.target.Results[e.Check] != nil {
			return fmt.Errorf("%w: check %s of target %q twice", ErrDamaged, e.Check, e.Target)
		}
		s.target.Add(*e)
		return nil
	}
	if s.target != nil {
		if err := s.target.consistent(s.header.Contract); err != nil {
			return err
		}
		s.target = nil
	}
	if e.Event == TargetEvent {
		if s.targets[e.Target] {
			return fmt.Errorf("%w: target %q twice", ErrDamaged, e.Target)
		}
		if s.targets == nil {
			s.targets = make(map[string]bool)
		}
		s.targets[e.Target] = true
		s.target = &Judged{Select: s.header.Select}
		s.target.Add(*e)
	}
	return nil
}

// consistent reports whether the target's rows are those that follow.
func (j *Judged) consistent(contract string) error {
	for _, e := range j.Findings {
		if j.Results[e.Check] == nil {
			return fmt.Errorf("%w: a finding of check %s, which has no result, for target %q", ErrDamaged, e.Check, j.Target)
		}
	}
	if contract != Contract {
		return nil // the catalogue is another
	}
	want := j.Standings()
	for i := range max(len(want), len(j.Rows)) {
		switch {
		case i >= len(j.Rows):
			return fmt.Errorf("%w: expected a requirement %s of target %q, saw none", ErrDamaged, want[i].ID, j.Target)
		case i >= len(want):
			return fmt.Errorf("%w: expected no requirement %s of target %q, saw one", ErrDamaged, j.Rows[i].ID, j.Target)
		case !reflect.DeepEqual(*j.Rows[i], want[i]):
			a, _ := json.Marshal(want[i])
			b, _ := json.Marshal(j.Rows[i])
			if !bytes.Equal(a, b) {
				return fmt.Errorf("%w: expected of target %q, by its checks and findings, %s, saw %s", ErrDamaged, j.Target, a, b)
			}
		}
	}
	return nil
}
