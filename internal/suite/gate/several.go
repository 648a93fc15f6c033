package gate

import (
	"io"
	"slices"

	"github.com/spindle-go/spindle/internal/suite"
)

// Several judges streams that belong together, such as those of the tests of one
// go test: each by itself, and all of them against the baseline. The gravest
// counts. Each target must be in one stream alone: which of two runs of it would
// speak for it?
type Several struct {
	Known  []suite.Known // as in Gate, for each stream
	Base   *Summary
	Strict bool
	Part   bool

	names []string
	gates []*Gate
}

// Read reads one stream. What is wrong with it is an error of the result, with the
// name.
func (s *Several) Read(name string, r io.Reader) {
	g := &Gate{Known: s.Known, Base: s.Base, Strict: s.Strict, Part: s.Part}
	_ = g.Read(r) // the gate keeps it
	s.names, s.gates = append(s.names, name), append(s.gates, g)
}

// Result judges what was read. Without any stream nothing ran.
func (s *Several) Result() Result {
	if len(s.gates) == 1 {
		s.gates[0].Base = s.Base
		return s.gates[0].Result()
	}
	all := &judge{Result: Result{Verdict: Pass}, base: s.Base, whole: len(s.gates) > 0}
	if len(s.gates) == 0 {
		all.worse(Inconclusive, "nothing ran: expected streams of events, saw none")
	}
	for i, g := range s.gates {
		g.Base = s.Base
		all.add(s.names[i], g.judge())
	}
	if all.whole {
		all.compare()
	}
	return all.done()
}

// add takes over what was made of another stream.
func (j *judge) add(name string, o *judge) {
	for v, texts := range o.reasons {
		for _, text := range texts {
			if !o.whole {
				text = name + ": " + text
			}
			j.worse(v, "%s", text)
		}
	}
	j.whole = j.whole && o.whole
	j.strict = j.strict || o.strict && o.Verdict != Pass
	j.Interrupted = j.Interrupted || o.Interrupted
	for _, t := range o.Targets {
		if slices.ContainsFunc(j.Targets, func(was *suite.Judged) bool { return was.Target == t.Target }) {
			j.whole = false
			j.worse(Error, "%s: expected each target in one stream, saw %q in two: run each test once, into an empty folder, and name the tests of two packages apart", name, t.Target)
		}
	}
	j.Targets = append(j.Targets, o.Targets...)
	j.Decisions = append(j.Decisions, o.Decisions...)
	j.Controls = append(j.Controls, o.Controls...)
	for i, k := range o.Known {
		at := slices.Index(j.Known, k)
		if at < 0 {
			at = len(j.Known)
			j.Known, j.used = append(j.Known, k), append(j.used, false)
		}
		j.used[at] = j.used[at] || o.used[i]
	}
	j.header(name, o.Header)
	j.footer(o.Footer)
}

// header holds that the streams are of one suite, one toolchain and one platform.
// The seed is the one that all have, or 0.
func (j *judge) header(name string, h *suite.Header) {
	switch {
	case h == nil:
	case j.Header == nil:
		j.Header = new(*h)
	default:
		for _, f := range []struct{ what, was, is string }{
			{"suite", j.Header.Suite, h.Suite}, {"go", j.Header.Go, h.Go}, {"platform", j.Header.OS + "/" + j.Header.Arch, h.OS + "/" + h.Arch},
			{"shard", j.Header.Shard, h.Shard},
		} {
			if f.was != f.is {
				j.whole = false
				j.worse(Error, "%s: expected %s %q, as the first stream has, saw %q", name, f.what, f.was, f.is)
			}
		}
		j.Header.Targets = slices.Concat(j.Header.Targets, h.Targets)
		if j.Header.Seed != h.Seed {
			j.Header.Seed = 0
		}
		if j.Header.Select != h.Select {
			j.Header.Select = "each stream its own"
		}
		if h.Begin.Before(j.Header.Begin) {
			j.Header.Begin = h.Begin
		}
	}
}

// footer has the events and the time of all streams together.
func (j *judge) footer(f *suite.Footer) {
	switch {
	case f == nil:
	default:
		if j.Footer == nil {
			j.Footer = &suite.Footer{Events: make(map[suite.EventKind]int)}
		}
		for kind, n := range f.Events {
			j.Footer.Events[kind] += n
		}
		j.Footer.Elapsed += f.Elapsed
		j.Footer.Interrupted = j.Footer.Interrupted || f.Interrupted
	}
}
