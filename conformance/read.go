package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"

	"github.com/spindle-go/spindle/spec/record"
)

// Errors of reading what a run wrote. Both are wrapped by errors with the
// particulars: expected and seen.
var (
	// ErrTruncated: the file ends before what it began, so that nothing can be
	// concluded from what it lacks.
	ErrTruncated = errors.New("cut off")
	// ErrSchema: the file was written by a version whose streams this one
	// cannot read.
	ErrSchema = errors.New("unknown schema version")
)

// ReadEvents reads a stream of events, hands each to sink and returns the
// footer. The stream must be whole: a header of a known schema first, a footer
// last, and as many targets, findings and requirements of each verdict in
// between as the footer counts. Errors wrap ErrTruncated, ErrSchema,
// record.ErrFormat or the reader's; sink has then got a part of the events.
func ReadEvents(r io.Reader, sink func(Event)) (Footer, error) {
	var footer *Footer
	seen := Footer{Counts: make(map[string]int)}
	checks := 0 // the footer leaves out those that were skipped
	dec := json.NewDecoder(r)
	for n := 1; ; n++ {
		var e Event
		if err := dec.Decode(&e); err == io.EOF {
			break
		} else if err != nil {
			return seen, fmt.Errorf("conformance: event %d: %w", n, malformed(err))
		}
		switch {
		case footer != nil:
			return seen, fmt.Errorf("conformance: event %d: %w: expected the end after the footer, saw %q", n, record.ErrFormat, e.Event)
		case n == 1 && e.Event != HeaderEvent:
			return seen, fmt.Errorf("conformance: event 1: %w: expected a header, saw %q", record.ErrFormat, e.Event)
		case n > 1 && e.Event == HeaderEvent:
			return seen, fmt.Errorf("conformance: event %d: %w: expected one header, saw another", n, record.ErrFormat)
		}
		ok := true // it has the part that its kind is about
		switch e.Event {
		case HeaderEvent:
			if ok = e.Header != nil; ok && e.Header.Schema != SchemaVersion {
				return seen, fmt.Errorf("conformance: %w: expected %d, saw %d, written by suite %s", ErrSchema, SchemaVersion, e.Header.Schema, e.Header.Suite)
			}
		case TargetEvent:
			ok = e.Target != ""
			seen.Targets++
		case CheckEvent:
			ok = e.Result != nil
			checks++
		case FindingEvent:
			ok = e.Finding != nil
			seen.Findings++
		case RequirementEvent:
			if ok = e.Requirement != nil; ok {
				seen.Requirements++
				seen.Counts[e.Requirement.Verdict.String()]++
			}
		case ControlEvent:
			ok = e.Check != ""
		case FooterEvent:
			footer = e.Footer
			ok = footer != nil
		default:
			return seen, fmt.Errorf("conformance: event %d: %w: unknown kind %q", n, record.ErrFormat, e.Event)
		}
		if !ok {
			return seen, fmt.Errorf("conformance: event %d: %w: %q without what it is about", n, record.ErrFormat, e.Event)
		}
		sink(e)
	}
	if footer == nil {
		return seen, fmt.Errorf("conformance: events %w: expected a footer at the end, saw none", ErrTruncated)
	}
	if footer.Targets != seen.Targets || footer.Findings != seen.Findings || footer.Requirements != seen.Requirements ||
		footer.Checks > checks || !maps.Equal(footer.Counts, seen.Counts) {
		return seen, fmt.Errorf("conformance: events %w: the footer counts %s, the stream has %s",
			ErrTruncated, footer.counted(footer.Checks), seen.counted(checks))
	}
	return *footer, nil
}

func (f *Footer) counted(checks int) string {
	return fmt.Sprintf("%d targets, %d checks, %d findings, %d requirements %v", f.Targets, checks, f.Findings, f.Requirements, f.Counts)
}

// ReadHistory reads one history. It is checked as far as judges rely on it, so
// that no file can make one of them fall over, and its calls are those that its
// scenario asks for. Errors wrap ErrTruncated,
// record.ErrFormat or the reader's.
func ReadHistory(r io.Reader) (*record.History, error) {
	dec := json.NewDecoder(r)
	h := new(record.History)
	if err := dec.Decode(h); err != nil {
		return nil, fmt.Errorf("conformance: history: %w", malformed(err))
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("conformance: history: %w: expected the end after it, saw more", record.ErrFormat)
	}
	if err := h.Check(); err != nil {
		return nil, fmt.Errorf("conformance: history: %w", err)
	}
	if err := h.Answers(); err != nil {
		return nil, fmt.Errorf("conformance: history: %w", err)
	}
	return h, nil
}

// malformed tells what was cut off from what was never right.
func malformed(err error) error {
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: expected JSON, saw the end of the file", ErrTruncated)
	case errors.As(err, &syntax), errors.As(err, &typ):
		return fmt.Errorf("%w: %w", record.ErrFormat, err)
	}
	return err
}
