// Package gate says what to make of a run: its verdict and its exit code. They
// are a function of the stream of events, a list of known failures and a
// baseline, so that they can be computed again tomorrow from the same file.
//
//interleave:off
package gate

import (
	"io"
	"slices"

	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/internal/printable"
	"github.com/spindle-go/spindle/internal/suite"
)

// A Verdict is what is said of a run.
type Verdict string

// The verdicts, from the best to the gravest.
const (
	Pass         Verdict = "pass"         // every requirement of the profile is kept, or broken as is known
	Partial      Verdict = "partial"      // the same, but a MUST is not offered by a target
	Inconclusive Verdict = "inconclusive" // something is unknown, or nothing ran
	Fail         Verdict = "fail"         // something is broken, or worse than in the baseline, or passes though it is listed as known
	Error        Verdict = "error"        // the suite, or a target's harness, did not work; or there is no comparing
)

var verdicts = []Verdict{Pass, Partial, Inconclusive, Fail, Error}

// Exit returns the exit code that stands for the verdict.
func (v Verdict) Exit(strict bool) int {
	switch {
	case v == Pass, v == Partial && !strict:
		return exit.Pass
	case v == Fail:
		return exit.Fail
	case v == Partial, v == Inconclusive:
		return exit.Inconclusive
	}
	return exit.Error
}

// A Ruling is what the gate makes of one requirement of one target.
type Ruling string

// The rulings.
const (
	OK         Ruling = "ok"
	Known      Ruling = "known"              // broken, as the list of known failures says
	AsBefore   Ruling = "as in the baseline" // broken, as in the baseline or as the list says
	NotSeen    Ruling = "known, not seen"    // listed, kept by samples: it may still be there
	Unexpected Ruling = "unexpected pass"    // listed, and not found by checks that are complete
	Broken     Ruling = "broken"
	Unknown    Ruling = "unknown"
	Missing    Ruling = "not offered" // a MUST, or a SHOULD, that the target does not offer
	None       Ruling = "none"        // nothing was asked of it
)

// A Decision is the ruling on one requirement of one target.
type Decision struct {
	Target string
	Row    *suite.Row
	Ruling Ruling
	Text   string
	// Findings are those behind a requirement that is broken.
	Findings []suite.Event
	known    []string // fingerprints that the list has
}

// maxReason bounds what is said in one line, in characters.
const maxReason = 600

// A Result is what the gate makes of a stream.
type Result struct {
	Verdict     Verdict
	Exit        int
	Interrupted bool
	Decisions   []Decision
	// Reasons say why the verdict is not a pass, the gravest first, each cause once.
	Reasons     []string
	Known       []suite.Known // the list that the decisions rest on
	Unused      []suite.Known // entries of it that fit nothing in the stream
	Differences []Difference  // from the baseline
	Targets     []*suite.Judged
	// Controls are those of the stream, as events.
	Controls []suite.Event
	Header   *suite.Header
	Footer   *suite.Footer
}

// Count returns how many requirements have the ruling.
func (r *Result) Count(ruling Ruling) int {
	n := 0
	for i := range r.Decisions {
		if r.Decisions[i].Ruling == ruling {
			n++
		}
	}
	return n
}

// Worse makes the verdict at least v, for a reason that is not in the stream.
func (r *Result) Worse(v Verdict, reason string) {
	if slices.Index(verdicts, v) < slices.Index(verdicts, r.Verdict) {
		r.Reasons = append(r.Reasons, printable.Line(reason, maxReason))
		return
	}
	r.Verdict = v
	r.Reasons = slices.Insert(r.Reasons, 0, printable.Line(reason, maxReason))
	if !r.Interrupted {
		r.Exit = v.Exit(true)
	}
}

// A Gate reads a stream. Its zero value is ready.
type Gate struct {
	Known  []suite.Known // in place of the header's; nil: the header's
	Base   *Summary      // what to compare with; nil: nothing
	Strict bool          // as if the header said so
	Part   bool          // a shard may pass for itself

	stream   suite.Stream
	err      error // of the stream: nothing is concluded from it
	header   *suite.Header
	footer   *suite.Footer
	targets  []*suite.Judged
	controls []suite.Event
}

// Event takes over the next event of the stream.
func (g *Gate) Event(e suite.Event) {
	if e.Event == suite.ProgressEvent || g.err != nil {
		return
	}
	if g.err = g.stream.Add(&e); g.err != nil {
		return
	}
	switch e.Event {
	case suite.HeaderEvent:
		g.header = e.Header
	case suite.FooterEvent:
		g.footer = e.Footer
	case suite.ControlEvent:
		g.controls = append(g.controls, e)
	case suite.TargetEvent:
		g.targets = append(g.targets, &suite.Judged{Select: g.header.Select, Shard: g.header.Shard})
		fallthrough
	default:
		g.targets[len(g.targets)-1].Add(e)
	}
}

// Read reads a stream from a file. What is wrong with the file is an error of the
// result, too.
func (g *Gate) Read(r io.Reader) error {
	err := suite.ReadEvents(r, g.Event)
	if err != nil && g.err == nil {
		g.err = err
	}
	return err
}

// Decisions returns the rulings on a target whose requirements have come, for who
// reports while the run goes on. The verdict is Result's alone: what has yet to come
// may show that nothing follows from the stream.
func (g *Gate) Decisions(target string) []Decision {
	if g.err != nil || g.header == nil {
		return nil
	}
	j := &judge{base: g.Base}
	g.list(j)
	for _, t := range g.targets {
		if t.Target == target {
			j.target(t)
		}
	}
	return j.Decisions
}

// list gives the judge the list of known failures.
func (g *Gate) list(j *judge) {
	if j.Known = g.Known; j.Known == nil {
		j.Known = g.header.Known
	}
	j.used = make([]bool, len(j.Known))
	j.Header = g.header
}

// Result judges what was read. A stream that is not whole is an error: nothing is
// concluded from what is missing.
func (g *Gate) Result() Result {
	j := g.judge()
	if j.whole {
		j.compare()
	}
	return j.done()
}

// judge judges what was read, but for the comparison with the baseline.
func (g *Gate) judge() *judge {
	j := &judge{Result: Result{Verdict: Pass, Targets: g.targets, Controls: g.controls, Header: g.header, Footer: g.footer}, base: g.Base, strict: g.Strict}
	if g.err == nil {
		g.err = g.stream.End()
	}
	switch {
	case g.err != nil:
		j.worse(Error, "the stream is not whole: %v", g.err)
		return j
	case g.header.Contract != suite.Contract:
		j.worse(Error, "expected contract %s, saw %s: use suite %s, which wrote the stream", suite.Contract, g.header.Contract, g.header.Suite)
		return j
	}
	j.whole, j.strict = true, g.Strict || g.header.Strict
	if j.Interrupted = g.footer.Interrupted; j.Interrupted {
		j.worse(Inconclusive, "the run was interrupted")
	}
	g.list(j)
	if shard := g.header.Shard; shard != "" && !g.Part {
		j.worse(Inconclusive, "this is shard %s of a run: merge first", shard)
	}
	if len(g.targets) == 0 {
		j.worse(Inconclusive, "nothing ran: there is no target")
	}
	for _, t := range g.targets {
		j.target(t)
	}
	if !j.ran && g.header.Shard != "" {
		j.worse(Inconclusive, "nothing ran in shard %s", g.header.Shard)
	}
	g.caught(j)
	return j
}
