package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/linearizability"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/sequential"
)

// A Verdict is what one witness says of one history.
type Verdict struct {
	Findings []record.Finding
	// Unjudged says why the history was not judged by the requirements that have no
	// finding, or "": a witness that cannot look past a fault has not seen the rest.
	Unjudged string
	// Doubt says why the witness came to no verdict, or "".
	Doubt string

	smaller *record.Scenario // that shows the same, if there is one
}

// Judge has one witness look at a history.
func Judge(w spec.Witness, h *record.History, p spec.Profile) Verdict {
	rules := sequential.RulesOf(p, h.Capacity)
	if hasWaits(h) {
		return judgeClosings(w, h, rules)
	}
	return judge(w, h, rules)
}

func judge(w spec.Witness, h *record.History, rules sequential.Rules) Verdict {
	v := Verdict{}
	switch w {
	case spec.Sequence:
		v.sequence(h, rules)
	case spec.Stress:
		v.add(sequential.Conserve(h), nil, "")
	case spec.Linearizability:
		v.linearizable(h, rules)
	case spec.Interleave:
		if vs := sequential.Conserve(h); len(vs) > 0 {
			v.add(vs, h.Ops, "")
			v.Unjudged = "its Gs do not add up"
		} else if !hidden(h) {
			v.linearizable(h, rules)
		}
	default:
		panic(fmt.Sprintf("checks: no checker %q", w))
	}
	for i := range v.Findings {
		v.Findings[i].Witness = string(w)
	}
	return v
}

// hidden reports whether a steal from queue to queue of h does not say what it moved: then Gs
// can be counted, and no more.
func hidden(h *record.History) bool {
	return !h.Moves && slices.ContainsFunc(h.Ops, func(op record.Op) bool { return op.Kind.Steals() && op.Thief != record.None })
}

// byCounting are the requirements that such a history can break.
func byCounting(ids []string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id != "RQ-RACE" && !slices.Contains(conservation, id) })
}

// add takes over violations: the first of each requirement, which is the nearest
// to the cause. Ops are the calls that show them, nil for the violation's own.
// What is the rest of the fingerprint.
func (v *Verdict) add(vs []sequential.Violation, ops []record.Op, what string) {
	for _, x := range vs {
		if v.has(x.Requirement) {
			continue
		}
		calls := ops
		if calls == nil {
			calls = x.Ops
		}
		f := record.Finding{Requirement: x.Requirement, Fingerprint: x.Requirement + what, Expected: x.Expected, Observed: x.Observed}
		f.Evidence = append(f.Evidence, callsOf(calls)...)
		if len(ops) > 0 {
			f.Evidence[len(f.Evidence)-1].Marks = among(x.Ops, ops)
		}
		v.Findings = append(v.Findings, f)
	}
}

// among returns the numbers in list of the calls that ops are.
func among(ops, list []record.Op) (at []int) {
	for i := range list {
		if slices.ContainsFunc(ops, func(op record.Op) bool { return op.Thread == list[i].Thread && op.Call == list[i].Call }) {
			at = append(at, i)
		}
	}
	return at
}

func (v *Verdict) has(id string) bool {
	return slices.ContainsFunc(v.Findings, func(f record.Finding) bool { return f.Requirement == id })
}

// callsOf makes evidence of calls.
func callsOf(ops []record.Op) []record.Evidence {
	if len(ops) == 0 {
		return nil
	}
	e := record.Evidence{Kind: record.Calls}
	for i := range ops {
		e.Lines = append(e.Lines, ops[i].Text())
	}
	return []record.Evidence{e}
}

// ran is the end of a history of which nothing but the scenario is known.
const ran = "\nclock: order\n\nfinal: unknown\n"

// asked makes evidence of a scenario.
func asked(s record.Scenario) record.Evidence {
	h := record.History{Scenario: s, Clock: record.ClockOrder}
	return record.Evidence{Kind: record.Asked, Lines: strings.Split(strings.TrimSuffix(h.Text(), ran), "\n")}
}

// ScenarioOf returns the scenario among a finding's evidence.
func ScenarioOf(f *record.Finding) (record.Scenario, error) {
	for _, e := range f.Evidence {
		if e.Kind == record.Asked {
			h, err := record.ParseHistory(strings.NewReader(strings.Join(e.Lines, "\n") + ran))
			if err != nil {
				return record.Scenario{}, fmt.Errorf("checks: the scenario of a finding: %w", err)
			}
			return h.Scenario, nil
		}
	}
	return record.Scenario{}, fmt.Errorf("checks: %w: expected a scenario among the evidence of %s, saw none", record.ErrFormat, f.Fingerprint)
}

// sequence holds the calls against the sequential machine.
func (v *Verdict) sequence(h *record.History, rules sequential.Rules) {
	vs, stopped := sequential.Replay(h, rules)
	if len(vs) > 0 {
		// What is lost or taken twice says more than the first call that shows it.
		v.add(sequential.Conserve(h), lastOps(h, vs[0].Call), "")
	}
	for _, x := range vs {
		what := ""
		if x.Call != sequential.AtEnd {
			what = "/" + strings.ReplaceAll(h.Ops[x.Call].Kind.String(), " ", "-")
		}
		known := len(v.Findings)
		v.add([]sequential.Violation{x}, lastOps(h, x.Call), what)
		if x.Call != sequential.AtEnd && len(v.Findings) > known {
			if e := v.Findings[known].Evidence; len(e) > 0 {
				e[0].Marks = []int{len(e[0].Lines) - 1} // it is the last call
			}
		}
	}
	if rules.Batch == spec.Some && !h.Moves && len(vs) > 0 {
		other := rules
		if other.Returns = spec.Oldest; rules.Returns == spec.Oldest {
			other.Returns = spec.Newest
		}
		if vs, _ := sequential.Replay(h, other); len(vs) == 0 {
			v.Findings[0].Observed += fmt.Sprintf(" (under returns=%s all of this would be right)", other.Returns)
		}
	}
	switch {
	case stopped == len(h.Ops):
		v.Unjudged = "what lay in the queues at the end was not checked"
	case stopped >= 0:
		v.Unjudged = fmt.Sprintf("what the queues held after call %d of %d is not known", stopped+1, len(h.Ops))
	}
	if len(vs) > 0 && vs[0].Call == sequential.AtEnd {
		v.leftover(h)
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

// leftover adds what was left at the end to findings that only the end shows, if
// it is little enough to read.
func (v *Verdict) leftover(h *record.History) {
	n := len(h.Final.Global)
	for _, p := range h.Final.Ps {
		n += len(p.Ring) + 1
	}
	if n > 2*shownOps {
		return
	}
	for i := range v.Findings {
		v.Findings[i].Evidence = append(v.Findings[i].Evidence, record.Evidence{Kind: record.Left, Lines: []string{h.Final.Text()}})
	}
}

// linearizable asks for a moment for each call, object by object. After a finding
// it asks again without what the finding is about, so that one fault does not
// hide another.
func (v *Verdict) linearizable(h *record.History, rules sequential.Rules) {
	for {
		r := linearizability.Check(h, linearizability.Options{Rules: rules})
		if r.Verdict == linearizability.Ok {
			return
		}
		var fresh []string
		for _, e := range r.Explanations() {
			if f := e.Finding(); !v.has(f.Requirement) {
				v.Findings = append(v.Findings, f)
				fresh = append(fresh, f.Requirement)
			}
		}
		for _, o := range r.Objects {
			if o.Verdict == linearizability.Unknown && v.Doubt == "" {
				v.Doubt = fmt.Sprintf("%s: %s", o.Object, o.Reason)
			}
		}
		ok := len(fresh) > 0
		for _, id := range fresh {
			if ok {
				h, rules, ok = without(h, rules, id)
			}
		}
		if !ok {
			if len(v.Findings) > 0 {
				v.Unjudged = fmt.Sprintf("it was not checked beyond %s", v.Findings[len(v.Findings)-1].Requirement)
			}
			return
		}
	}
}

// without returns the history, or the rules, without what a requirement is about,
// if that leaves the meaning of the rest alone: calls that only look, and the
// order of a queue that has no other rules.
func without(h *record.History, rules sequential.Rules, id string) (*record.History, sequential.Rules, bool) {
	looks := func(op *record.Op) bool { return false }
	switch id {
	case "RQ-EMPTY-TRUE":
		looks = func(op *record.Op) bool { return op.Kind == record.Empty && op.OK }
	case "RQ-EMPTY-FALSE":
		looks = func(op *record.Op) bool { return op.Kind == record.Empty && !op.OK }
	case "RQ-GET-NONE":
		looks = func(op *record.Op) bool { return op.Kind == record.Get && !op.OK }
	case "RQ-STEAL-NONE":
		looks = func(op *record.Op) bool {
			return (op.Kind == record.Steal || op.Kind == record.StealNext) && !op.OK
		}
	case "RQ-FIFO", "RQ-LIFO":
		if rules.Batches() || rules.Slotted() || rules.Order == spec.AnyOrder {
			return h, rules, false
		}
		rules.Order = spec.AnyOrder
		return h, rules, true
	default:
		return h, rules, false
	}
	less := *h
	less.Ops = slices.DeleteFunc(slices.Clone(h.Ops), func(op record.Op) bool { return op.Return != 0 && len(op.Moved) == 0 && looks(&op) })
	return &less, rules, len(less.Ops) < len(h.Ops)
}
