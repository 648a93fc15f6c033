package linearizability

import (
	"cmp"
	"fmt"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// Options say what a history is held to.
type Options struct {
	// Rules are those of the target's profile: spec.RulesOf.
	Rules spec.Rules
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

func (v Verdict) String() string {
	switch v {
	case Ok:
		return "ok"
	case Unknown:
		return "unknown"
	case Illegal:
		return "illegal"
	}
	return fmt.Sprintf("Verdict(%d)", int(v))
}

// An ObjectResult is the verdict on one object.
type ObjectResult struct {
	Object      string // "P0.ring", "P0.runnext", "P0" for both together, "global"
	Verdict     Verdict
	Reason      string       // why Unknown
	Explanation *Explanation // why Illegal

	by method // who decided
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

// Check judges h object by object. A history with objects that could not be
// judged, because the target does not say what its calls moved or because the
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
	result := func(v Verdict, by method, why string, e *Explanation) ObjectResult {
		return ObjectResult{Object: o.name, Verdict: v, Reason: why, Explanation: e, by: by}
	}
	switch {
	case o.broken != nil:
		return result(Illegal, byMonitor, "", o.broken)
	case o.err != nil:
		return result(Unknown, auto, o.err.Error(), nil)
	}
	var why reason
	if opt.method != byPorcupine {
		var certain bool
		var e *Explanation
		if certain, why, e = monitored(o); e != nil {
			return result(Illegal, byMonitor, "", e)
		} else if certain {
			return result(Ok, byMonitor, "", nil)
		}
		if opt.method == byMonitor {
			return result(Unknown, byMonitor, string(why), nil)
		}
		if e, certain = patterns(o); e != nil {
			return result(Illegal, byPatterns, "", e)
		} else if certain {
			return result(Ok, byPatterns, "", nil)
		}
	}
	timeout := cmp.Or(opt.Timeout, defaultTimeout)
	switch askPorcupine(o, timeout) {
	case porcupine.Ok:
		return result(Ok, byPorcupine, "", nil)
	case porcupine.Illegal:
		return result(Illegal, byPorcupine, "", o.unexplained())
	}
	text := fmt.Sprintf("porcupine had not decided after %v", timeout)
	if why != "" {
		text += "; the monitor does not apply: " + string(why)
	}
	return result(Unknown, byPorcupine, text, nil)
}

// monitored asks the monitor. It returns why that does not decide, or the
// explanation of an illegal object, or that the object is good for certain.
func monitored(o *object) (certain bool, why reason, e *Explanation) {
	l, why, e := layOut(o)
	if why != "" || e != nil {
		return false, why, e
	}
	m := newMonitor(l, nil)
	failed, why := m.run()
	switch {
	case why != "":
		return false, why, nil
	case failed < 0:
		return true, "", nil
	case l.guessed: // another order of the puts may be good
		return false, severalProducers, nil
	}
	return false, "", explain(m, failed)
}
