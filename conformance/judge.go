package conformance

import (
	"fmt"
	"slices"

	"github.com/spindle-go/spindle/linearizability"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// Judge has one witness look at a history and returns what it found. An error
// is a *Doubt: the witness came to no verdict.
func Judge(w spec.Witness, h *record.History, p spec.Profile) ([]record.Finding, error) {
	rules := spec.RulesOf(p, h.Capacity)
	switch w {
	case spec.Sequence:
		return sequential(h, rules)
	case spec.Stress:
		return findings(w, spec.Conserve(h), nil), nil
	case spec.Linearizability:
		return linearizable(h, rules)
	case spec.Interleave:
		if vs := spec.Conserve(h); len(vs) > 0 {
			return findings(w, vs, h.Ops), nil
		}
		return linearizable(h, rules)
	}
	return nil, fmt.Errorf("conformance: no judge for witness %q", w)
}

// sequential holds the calls against the machine, one after another. Where it
// could not go on after a finding, there is a *Doubt as well.
func sequential(h *record.History, rules spec.Rules) ([]record.Finding, error) {
	vs, stopped := spec.Replay(h, rules)
	var list []record.Finding
	if len(vs) > 0 {
		// What is lost or taken twice says more than the first call that shows it.
		list = findings(spec.Sequence, spec.Conserve(h), lastOps(h, vs[0].Call))
		if vs[0].Call == spec.AtEnd {
			leftover(h, list)
		}
	}
	for _, v := range vs {
		if slices.ContainsFunc(list, func(f record.Finding) bool { return f.Requirement == v.Requirement }) {
			continue
		}
		fs := findings(spec.Sequence, []spec.Violation{v}, lastOps(h, v.Call))
		if v.Call == spec.AtEnd {
			leftover(h, fs)
		}
		list = append(list, fs...)
	}
	if stopped >= 0 {
		return list, &Doubt{fmt.Sprintf("what the queues held after call %d is not known: later calls were not judged", stopped)}
	}
	return list, nil
}

// findings makes one finding for each requirement, keeping the first violation
// of each: it is the nearest to the cause.
func findings(w spec.Witness, vs []spec.Violation, ops []record.Op) []record.Finding {
	var list []record.Finding
	seen := make(map[string]bool)
	for _, v := range vs {
		if seen[v.Requirement] {
			continue
		}
		seen[v.Requirement] = true
		list = append(list, record.Finding{Requirement: v.Requirement, Witness: string(w), Expected: v.Expected, Observed: v.Observed, Ops: ops})
		if ops == nil {
			list[len(list)-1].Ops = v.Ops
		}
	}
	return list
}

// leftover adds what was left at the end to findings that only the end shows,
// if it is little enough to read.
func leftover(h *record.History, fs []record.Finding) {
	n := len(h.Final.Global)
	for _, p := range h.Final.Ps {
		n += len(p.Ring) + 1
	}
	for i := range fs {
		if n <= 2*shownOps {
			fs[i].Final = &h.Final
		}
	}
}

// shownOps bounds the calls that a finding carries.
const shownOps = 24

// lastOps returns the calls up to and with number at; all of them if at is -1.
func lastOps(h *record.History, at int) []record.Op {
	if at < 0 {
		at = len(h.Ops) - 1
	}
	ops := h.Ops[:at+1]
	return ops[max(0, len(ops)-shownOps):]
}

// linearizable asks for a moment for each call, object by object.
func linearizable(h *record.History, rules spec.Rules) ([]record.Finding, error) {
	r := linearizability.Check(h, linearizability.Options{Rules: rules})
	var list []record.Finding
	for _, e := range r.Explanations() {
		if f := e.Finding(h); !slices.ContainsFunc(list, func(g record.Finding) bool { return g.Requirement == f.Requirement }) {
			list = append(list, f)
		}
	}
	if len(list) == 0 && r.Verdict != linearizability.Ok {
		for _, o := range r.Objects {
			if o.Verdict == linearizability.Unknown {
				return nil, &Doubt{fmt.Sprintf("%s: %s", o.Object, o.Reason)}
			}
		}
	}
	return list, nil
}
