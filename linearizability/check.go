package linearizability

import (
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
	// Timeout bounds porcupine's work on one object; 0 means DefaultTimeout.
	Timeout time.Duration
	// Judge, if set, lets only one of the judges work.
	Judge Judge
}

// DefaultTimeout is how long porcupine may think about one object.
const DefaultTimeout = 5 * time.Second

// A Judge is a way of deciding.
type Judge string

// The judges.
const (
	Either    Judge = ""          // the monitor, and porcupine where it does not apply
	Monitor   Judge = "monitor"   // exact and nearly linear, for what has one producer and is first in, first out
	Porcupine Judge = "porcupine" // exact, exponential, in bounded time
	Bounds    Judge = "bounds"    // when each id was surely there; decides queues without order, and finds evidence for the others
	Counting  Judge = "counting"  // ids alone: lost, twice, invented
)

// A Verdict is what a judge says.
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

// A Judgement is the verdict on one object.
type Judgement struct {
	Object      string // "P0.ring", "P0.runnext", "P0" for both together, "global"
	Place       record.Place
	Verdict     Verdict
	Judge       Judge        // who decided
	Parts       int          // how many operations on the object were judged
	Reason      string       // why Unknown
	Explanation *Explanation // why Illegal
}

// A Result is the verdict on a history.
type Result struct {
	Verdict Verdict // the worst of the objects'
	Objects []Judgement
	// Conservation explains the ids that were lost, taken twice or invented, if
	// any: then the objects' explanations are consequences.
	Conservation *Explanation
}

// Explanation returns the evidence that comes first: of ids that were taken
// twice, invented or lost, else of the first illegal object; nil if there is
// none.
func (r *Result) Explanation() *Explanation {
	if r.Conservation != nil {
		return r.Conservation
	}
	for i := range r.Objects {
		if e := r.Objects[i].Explanation; e != nil {
			return e
		}
	}
	return nil
}

// Explanations returns all evidence, that which comes first first.
func (r *Result) Explanations() []*Explanation {
	var all []*Explanation
	if r.Conservation != nil {
		all = append(all, r.Conservation)
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
	if opt.Timeout == 0 {
		opt.Timeout = DefaultTimeout
	}
	var r Result
	if r.Conservation = conserve(h); r.Conservation != nil {
		r.Verdict = Illegal
	}
	bad := make(map[int]bool) // by P
	for _, o := range project(h, opt.Rules) {
		if o.lanes > 1 && bad[o.place.P] {
			continue // the two together would only repeat it
		}
		j := judge(o, opt)
		if j.Verdict == Illegal {
			bad[o.place.P] = true
		}
		r.Objects = append(r.Objects, j)
		r.Verdict = max(r.Verdict, j.Verdict)
	}
	return r
}

// judge decides on one object.
func judge(o *object, opt Options) Judgement {
	j := Judgement{Object: o.name, Place: o.place, Parts: len(o.parts)}
	illegal := func(by Judge, e *Explanation) Judgement {
		j.Verdict, j.Judge, j.Explanation = Illegal, by, e
		return j
	}
	switch {
	case o.broken != nil:
		return illegal(Monitor, o.broken)
	case o.err != nil:
		j.Verdict, j.Reason = Unknown, o.err.Error()
		return j
	}
	var why untold
	if opt.Judge != Porcupine {
		var l *lay
		var e *Explanation
		if l, why, e = arrange(o); e != nil {
			return illegal(Monitor, e)
		}
		if why == "" {
			failed := -1
			if failed, why = l.run(); why == "" {
				if failed < 0 {
					j.Judge = Monitor
					return j
				}
				if !l.guessed {
					return illegal(Monitor, l.explain(failed))
				}
			}
		}
		if opt.Judge == Monitor {
			j.Verdict, j.Judge, j.Reason = Unknown, Monitor, string(why)
			return j
		}
		e, certain := lives(o)
		if e != nil {
			return illegal(Bounds, e)
		}
		if certain {
			j.Judge = Bounds
			return j
		}
	}
	j.Judge = Porcupine
	switch askPorcupine(o, opt.Timeout) {
	case porcupine.Ok:
	case porcupine.Illegal:
		return illegal(Porcupine, o.undecided(why))
	default:
		j.Verdict, j.Reason = Unknown, fmt.Sprintf("porcupine had not decided after %v", opt.Timeout)
		if why != "" {
			j.Reason += "; the monitor does not apply: " + string(why)
		}
	}
	return j
}
