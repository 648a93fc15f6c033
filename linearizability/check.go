package linearizability

import (
	"cmp"
	"fmt"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/sequential"
)

// Options say what a history is held to.
type Options struct {
	// Rules are those of the target's profile: sequential.RulesOf.
	Rules sequential.Rules
	// Timeout bounds porcupine's work on one object; 0 means 5 s.
	Timeout time.Duration

	method method // if set, no other one is used
}

const defaultTimeout = 5 * time.Second

// A method is a way of deciding.
type method string

const (
	auto        method = ""          // the monitor, and the others where it does not apply
	byMonitor   method = "monitor"   // exact and nearly linear, for what has one producer and is first in, first out
	byPatterns  method = "patterns"  // bad patterns: decides queues without order, and finds evidence for the others
	bySearch    method = "search"    // finds an order that fits, or says nothing
	byPorcupine method = "porcupine" // exact, exponential, in bounded time
)

// A Verdict is what is known of a history or an object.
type Verdict int

// The verdicts, the worst last.
const (
	Ok Verdict = iota
	Unknown
	Illegal
)

func (v Verdict) String() string { return [...]string{"ok", "unknown", "illegal"}[v] }

// An ObjectResult is the verdict on one object.
type ObjectResult struct {
	Object      string // "P0.ring", "P0.runnext", "P0" for both together, "global"
	Verdict     Verdict
	Reason      string       // why Unknown
	Explanation *Explanation // why Illegal

	by method // which method decided
}

// A Result is the verdict on a history.
type Result struct {
	Verdict Verdict // the worst of the objects'
	Objects []ObjectResult

	// conservation explains the ids that were lost, taken twice or invented, if
	// any: then the objects' explanations are consequences.
	conservation *Explanation
}

// Explanation returns the evidence that comes first, nil if there is none.
func (r *Result) Explanation() *Explanation {
	for _, e := range r.Explanations() {
		return e
	}
	return nil
}

// Explanations returns all evidence: first that of ids that were taken twice,
// invented or lost, then that of each illegal object.
func (r *Result) Explanations() []*Explanation {
	var all []*Explanation
	if r.conservation != nil {
		all = append(all, r.conservation)
	}
	for i := range r.Objects {
		if e := r.Objects[i].Explanation; e != nil {
			all = append(all, e)
		}
	}
	return all
}

// Check checks h object by object. A history with objects that could not be
// checked, because the target does not say what its calls moved or because the
// time was over, is Unknown unless something else is Illegal.
func Check(h *record.History, opt Options) Result {
	var r Result
	if r.conservation = conserve(h); r.conservation != nil {
		r.Verdict = Illegal
	}
	bad := make(map[int]bool) // by P
	for _, o := range project(h, opt.Rules) {
		if o.lanes > 1 && bad[o.place.P] {
			continue // the two together would only repeat it
		}
		j := judge(o, opt)
		bad[o.place.P] = bad[o.place.P] || j.Verdict == Illegal
		r.Objects = append(r.Objects, j)
		r.Verdict = max(r.Verdict, j.Verdict)
	}
	return r
}

// judge decides on one object.
func judge(o *object, opt Options) ObjectResult {
	switch {
	case o.broken != nil:
		return ObjectResult{o.name, Illegal, "", o.broken, byMonitor}
	case o.err != nil:
		return ObjectResult{o.name, Unknown, o.err.Error(), nil, auto}
	}
	timeout := cmp.Or(opt.Timeout, defaultTimeout)
	why := fmt.Sprintf("porcupine had not decided after %v", timeout)
	if opt.method != byPorcupine {
		v, not, e := monitored(o)
		if v != Unknown || opt.method == byMonitor {
			return ObjectResult{o.name, v, not, e, byMonitor}
		}
		if v, e := patterns(o); v != Unknown {
			return ObjectResult{o.name, v, "", e, byPatterns}
		}
		why += "; the monitor does not apply: " + not
		if o.ordered() {
			return ObjectResult{o.name, Ok, "", nil, bySearch}
		}
	}
	switch askPorcupine(o, timeout) {
	case porcupine.Ok:
		return ObjectResult{o.name, Ok, "", nil, byPorcupine}
	case porcupine.Illegal:
		return ObjectResult{o.name, Illegal, "", o.unexplained(timeout), byPorcupine}
	}
	return ObjectResult{o.name, Unknown, why, nil, byPorcupine}
}

// monitored asks the monitor. If the verdict is Unknown it says why that does
// not decide; if it is Illegal it explains it.
func monitored(o *object) (Verdict, string, *Explanation) {
	l, why, e := layOut(o)
	switch {
	case e != nil:
		return Illegal, "", e
	case why != "":
		return Unknown, why, nil
	}
	m := newMonitor(l, nil)
	failed, why := m.run()
	switch {
	case why != "":
		return Unknown, why, nil
	case failed < 0:
		return Ok, "", nil
	case l.guessed: // another order of the puts may be good
		return Unknown, severalProducers, nil
	}
	return Illegal, "", explain(m, failed)
}
