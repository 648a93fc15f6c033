package source

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/interleave"
)

// A verdict is what is to be said of a Result.
type verdict struct {
	classes []string // what to count it as
	wrong   []string // what is false
	note    string   // what is missed under a word that promises less
}

func (v *verdict) is(class string) { v.classes = append(v.classes, class) }

func (v *verdict) falsely(format string, args ...any) {
	v.wrong = append(v.wrong, fmt.Sprintf(format, args...))
}

// judge compares what the explorer says of p with what it means.
func (m *Meaning) judge(p *Program, r *Result) (v verdict) {
	seen := make(map[Final]bool)
	for _, f := range r.Outcomes {
		if seen[f] = true; !m.Outcomes[f] {
			v.falsely("an outcome was seen that cannot be: %s", p.describe(&f))
		}
	}
	if f := r.Report.Failure; f != nil {
		v.is("fails: " + string(f.Kind))
		switch {
		case f.Kind == interleave.Deadlock && m.Deadlock, f.Kind == interleave.Livelock && m.Livelock,
			f.Kind == interleave.DataRace && m.MayRace, f.Kind == interleave.StepBound:
		default:
			v.falsely("it fails (%s), and should not", f.Kind)
		}
		return v
	}
	if r.Err != "" {
		v.is("error")
		v.note = r.Err
		return v
	}
	lost, serial := m.lost(p, seen)
	c := &r.Report.Certificate
	switch {
	case c.Complete() && c.Cuts.Iterations == 0:
		v.is("complete")
		if len(m.Outcomes) > 1 {
			v.is("complete, of two outcomes and more")
		}
		if c.Blocked > 0 {
			v.is("complete, with executions blocked")
		}
		if len(lost) > 0 {
			v.falsely("it is complete, and %s", strings.Join(lost, ", "))
		}
		return v
	case c.Complete():
		v.is("complete up to repeated iterations")
		if len(lost) > 0 {
			v.is("complete up to repeated iterations, and something is missed")
			v.note = "it is complete up to repeated iterations, and " + strings.Join(lost, ", ")
		}
		if serial {
			v.is("complete up to repeated iterations, and threads one after another are missed")
		}
	case c.Ended == "exhausted" && len(c.Doubts) > 0:
		v.is("doubt: " + c.Doubts[0].Kind)
		if len(lost) > 0 {
			v.is("doubt, and something is missed")
		}
	default:
		v.is("not complete")
		if len(lost) > 0 {
			v.is("not complete, and something is missed")
		}
	}
	return v
}

// lost says what can be and was not seen, and whether it is of threads one after another. Of a program with a data race
// outcomes say nothing.
func (m *Meaning) lost(p *Program, seen map[Final]bool) (lost []string, serial bool) {
	missing, first := 0, ""
	for f := range m.Outcomes {
		if seen[f] || m.MayRace {
			continue
		}
		missing++
		serial = serial || m.Serial[f]
		if s := p.describe(&f); first == "" || s < first {
			first = s
		}
	}
	if missing > 0 {
		lost = append(lost, fmt.Sprintf("%d of %d outcomes are missed, such as %s", missing, len(m.Outcomes), first))
	}
	if m.Deadlock {
		lost = append(lost, "a deadlock is missed")
	}
	if m.Livelock {
		lost = append(lost, "a livelock is missed")
	}
	if m.Race {
		lost = append(lost, "a data race is missed")
	}
	return lost, serial
}

// TestJudgeCanFail holds that a word that is false is called so.
func TestJudgeCanFail(t *testing.T) {
	p := twice(writes(0, 1), reads(0))
	one, ok := p.Meaning(100)
	if !ok || len(one.Outcomes) != 2 {
		t.Fatalf("expected two outcomes, saw %+v", one)
	}
	var all []Final
	for f := range one.Outcomes {
		all = append(all, f)
	}
	other := all[0]
	other.W[2] = 7
	complete := interleave.Certificate{Ended: "exhausted", Executions: 2, Classes: 2, Steps: 4}
	complete.Exhausted.Classes = true
	upTo := complete
	upTo.Cuts.Iterations = 1
	cut := complete
	cut.Ended = "executions"
	with := func(change func(*Meaning)) *Meaning {
		m := *one
		change(&m)
		return &m
	}
	fails := func(k interleave.FailureKind) interleave.Report {
		return interleave.Report{Failure: &interleave.Failure{Kind: k}}
	}
	for _, c := range []struct {
		m        *Meaning
		outcomes []Final
		report   interleave.Report
		wrong    string // "" for nothing
		class    string
	}{
		{one, all, interleave.Report{Certificate: complete}, "", "complete"},
		{one, all[:1], interleave.Report{Certificate: complete}, "1 of 2 outcomes are missed", "complete"},
		{one, append(all[:2:2], other), interleave.Report{Certificate: complete}, "cannot be", "complete"},
		{with(func(m *Meaning) { m.Deadlock = true }), all, interleave.Report{Certificate: complete}, "a deadlock is missed", "complete"},
		{with(func(m *Meaning) { m.Livelock = true }), all, interleave.Report{Certificate: complete}, "a livelock is missed", "complete"},
		{with(func(m *Meaning) { m.Race, m.MayRace = true, true }), all, interleave.Report{Certificate: complete}, "a data race is missed", "complete"},
		{with(func(m *Meaning) { m.MayRace = true }), all[:1], interleave.Report{Certificate: complete}, "", "complete"},
		{one, all[:1], interleave.Report{Certificate: upTo}, "", "complete up to repeated iterations, and something is missed"},
		{one, all[:1], interleave.Report{Certificate: cut}, "", "not complete, and something is missed"},
		{one, append(all[:1:1], other), interleave.Report{Certificate: cut}, "cannot be", "not complete"},
		{one, nil, fails(interleave.Deadlock), "should not", "fails: deadlock"},
		{one, nil, fails(interleave.Livelock), "should not", "fails: livelock"},
		{one, nil, fails(interleave.DataRace), "should not", "fails: data race"},
		{one, nil, fails(interleave.Assertion), "should not", "fails: assertion"},
		{one, nil, fails(interleave.Panic), "should not", "fails: panic"},
		{with(func(m *Meaning) { m.Deadlock = true }), nil, fails(interleave.Deadlock), "", "fails: deadlock"},
		{with(func(m *Meaning) { m.MayRace = true }), nil, fails(interleave.DataRace), "", "fails: data race"},
	} {
		v := c.m.judge(p, &Result{Outcomes: c.outcomes, Report: c.report})
		wrong := strings.Join(v.wrong, ", ")
		if (wrong == "") != (c.wrong == "") || !strings.Contains(wrong, c.wrong) || !strings.Contains(strings.Join(v.classes, ", "), c.class) {
			t.Errorf("expected %q, and %q in what is wrong; saw %q, %q", c.class, c.wrong, v.classes, wrong)
		}
	}
}
