package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

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
// that no file can make one of them fall over. Errors wrap ErrTruncated,
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
	if err := checkHistory(h); err != nil {
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

// maxIDs bounds the ids of a history that is read: judges keep something for
// each.
const maxIDs = 1 << 22

// maxStamp bounds the stamps: judges count on from the last one, and the
// greatest number stands for "never".
const maxStamp = 1 << 62

// checkHistory says what of h is not as judges rely on it: what no target's
// answers can lead to, because whoever calls it sees to it. What a call answered
// is not its business: that may be anything, and is judged.
func checkHistory(h *record.History) error {
	s := &h.Scenario
	if err := s.Check(); err != nil {
		return err
	}
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", record.ErrFormat, fmt.Sprintf(format, args...))
	}
	switch h.Clock {
	case record.ClockTime, record.ClockCounter, record.ClockOrder:
	default:
		return bad("unknown clock %q", h.Clock)
	}
	ids := 0
	for t := range s.Threads {
		if ids += s.Puts(t); ids > maxIDs {
			return bad("more than %d ids", maxIDs)
		}
	}
	if h.Capacity < 0 || h.Capacity > 1<<20 {
		return bad("capacity is %d", h.Capacity)
	}
	p := func(p int) bool { return p >= 0 && p < s.Ps }
	place := func(w record.Place) bool {
		return w.Object == record.Global || (w.Object == record.Ring || w.Object == record.Runnext) && p(w.P)
	}
	contents := func(c *record.Contents) bool { return c == nil || len(c.Ps) == s.Ps }
	kinds := record.Kinds()
	put := make([]bool, ids+1)
	free := make([]int64, len(s.Threads)) // when the thread's last call returned
	for i := range h.Ops {
		op := &h.Ops[i]
		switch {
		case op.Thread < 0 || op.Thread >= len(s.Threads):
			return bad("call %d is of thread %d of %d", i, op.Thread, len(s.Threads))
		case !slices.Contains(kinds, op.Kind):
			return bad("call %d has no kind", i)
		case !p(op.P) && (op.Kind != record.GlobalPut || op.P != record.None):
			return bad("call %d is about P%d of %d", i, op.P, s.Ps)
		case op.To != record.None && !p(op.To):
			return bad("call %d goes to P%d of %d", i, op.To, s.Ps)
		case puts(op.Kind) && len(op.In) == 0, op.Kind != record.PutBatch && len(op.In) > 1:
			return bad("call %d, a %v, puts %d Gs", i, op.Kind, len(op.In))
		case op.Kind.Takes() && op.OK && len(op.Out) == 0, op.Kind != record.Drain && len(op.Out) > 1:
			return bad("call %d, a %v, took %d Gs", i, op.Kind, len(op.Out))
		case op.Return != 0 && op.Return < op.Call:
			return bad("call %d returned at %d, before it was called at %d", i, op.Return, op.Call)
		case i > 0 && op.Call < h.Ops[i-1].Call:
			return bad("call %d was called at %d, before the one above it", i, op.Call)
		case !contents(op.After):
			return bad("after call %d there are %d Ps of %d", i, len(op.After.Ps), s.Ps)
		}
		for _, id := range op.In {
			if id == 0 || id > record.ID(ids) {
				return bad("call %d puts %d, want an id from 1 to %d", i, id, ids)
			}
			if put[id] {
				return bad("call %d puts %d, which was put before", i, id)
			}
			put[id] = true
		}
		for _, m := range op.Moved {
			if !place(m.From) || !place(m.To) {
				return bad("call %d moves from %v to %v", i, m.From, m.To)
			}
			if len(m.IDs) == 0 {
				return bad("call %d moves nothing from %v to %v", i, m.From, m.To)
			}
		}
		steals := op.Kind == record.Steal || op.Kind == record.StealNext
		switch own := s.Threads[op.Thread].P; {
		case op.Kind.Owner() && op.P != own:
			return bad("call %d, a %v, is about P%d, which thread %d does not own", i, op.Kind, op.P, op.Thread)
		case steals && (op.P == op.To || op.To != record.None && op.To != own):
			return bad("call %d, a %v of thread %d, goes from P%d to P%d", i, op.Kind, op.Thread, op.P, op.To)
		case op.Kind == record.GlobalGet && (op.Arg < 1 || op.Arg > 1<<16):
			return bad("call %d, a %v, asks for %d Gs", i, op.Kind, op.Arg)
		case !puts(op.Kind) && len(op.In) > 0:
			return bad("call %d, a %v, puts %d", i, op.Kind, op.In)
		case len(op.Out) > 0 && (!op.Kind.Takes() || !op.OK):
			return bad("call %d, a %v, took %d, and says that something came: %v", i, op.Kind, op.Out, op.OK)
		case op.Call < 1 || op.Call > maxStamp || op.Return < 0 || op.Return > maxStamp:
			return bad("call %d is stamped %d to %d", i, op.Call, op.Return)
		case op.Call < free[op.Thread]:
			return bad("call %d was called at %d, before thread %d returned from its last", i, op.Call, op.Thread)
		case op.Return == 0 && (op.OK || op.Next || op.N != 0 || len(op.Moved) > 0):
			return bad("call %d did not return, but has results", i)
		}
		if free[op.Thread] = op.Return; op.Return == 0 {
			free[op.Thread] = math.MaxInt64
		}
	}
	if len(h.Final.Ps) > 0 && !contents(&h.Final) { // none: the run did not come to its end
		return bad("at the end there are %d Ps of %d", len(h.Final.Ps), s.Ps)
	}
	return nil
}

func puts(k record.Kind) bool {
	switch k {
	case record.Put, record.PutNext, record.PutBatch, record.GlobalPut:
		return true
	}
	return false
}
