package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/conformance"
	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/explore"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/tla"
	"github.com/spindle-go/spindle/tla/machine"
	"github.com/spindle-go/spindle/tla/tlc"
)

// modelTarget is the target that is no implementation: the protocol itself. Its
// checks are the models that spindle model explores when nobody says which, but
// for those that are about no requirement.
const (
	modelTarget = "model"
	modelDoc    = "the protocol itself: every state of small configurations"
	modelled    = "go1.26" // whose proc.go the modules follow
)

// modelSource is the model as a target.
func modelSource() (conformance.Source, error) {
	s := conformance.Source{Name: modelTarget}
	bad := func(err error) (conformance.Source, error) {
		return s, fmt.Errorf("target %s: %w", modelTarget, err)
	}
	var flaws, left []string
	for i := range tla.Models {
		t, err := tla.Models[i].Task(tla.Files)
		if err != nil {
			return bad(err)
		}
		if !machine.Quick(t) {
			continue
		}
		c, err := modelCheck(t)
		var none *machine.NoneError
		switch {
		case errors.As(err, &none):
			left = append(left, t.Name)
			continue
		case err != nil:
			return bad(err)
		case c == nil:
			continue
		case t.Violates != "":
			flaws = append(flaws, fmt.Sprintf("%s (%s)", t.Name, strings.Join(c.Requirements, ", ")))
		}
		s.Checks = append(s.Checks, *c)
	}
	if len(s.Checks) == 0 {
		return bad(fmt.Errorf("expected models that have a machine in Go, saw none; TLC alone answers %s", strings.Join(left, ", ")))
	}
	var err error
	if s.Control, err = modelControl(); err != nil {
		return bad(err)
	}
	d := conformance.Description{
		Name: modelTarget, Version: modelled, Kind: conformance.MachineKind, Profile: spec.Protocol, Command: modelTarget,
		Capabilities: queue.Capabilities{
			RunNext: true, Batch: true, PutBatch: true, Drain: true, Len: true, Capacity: 4,
			Resize: true, Start: true, Moves: true, Show: true, Global: true,
		},
	}
	if len(flaws) > 0 {
		d.Notes = append(d.Notes, "the checks model/finds-... find what is known to be wrong, with the protocol as it is shipped "+
			"and with mends that are none; spindle model -v NAME shows one: "+strings.Join(flaws, ", "))
	}
	if len(left) > 0 {
		d.Notes = append(d.Notes, "TLC alone answers "+strings.Join(left, ", ")+": spindle tlc")
	}
	s.Open = func(context.Context, func(string)) (conformance.Target, error) { return conformance.Described(d), nil }
	return s, nil
}

// modelCheck is the check of a model, or nil if the machines in Go have nothing to
// say of it that a requirement is about.
func modelCheck(t *tla.Task) (*conformance.Check, error) {
	m, err := machine.Of(t)
	if err != nil {
		return nil, err
	}
	c := &conformance.Check{
		Name: modelTarget + "/" + t.Name, Doc: t.Question, Witness: spec.Model, Profiles: []spec.Profile{spec.Protocol},
		Complete: true, States: t.Distinct,
		Judge: func(ctx context.Context, progress func(string)) conformance.Exploration {
			return judgeModel(ctx, m, progress)
		},
	}
	judged := m.Judged
	if t.Violates != "" {
		c.Name = modelTarget + "/finds-" + t.Name
		c.Doc = fmt.Sprintf("a counterexample to %s of %d states", t.Violates, t.Depth)
		judged = []string{t.Violates}
	}
	for _, p := range judged {
		ids, err := tla.RequirementsOf(tla.Files, t.Module, p)
		if err != nil {
			return nil, err
		}
		c.Requirements = append(c.Requirements, ids...)
	}
	slices.Sort(c.Requirements)
	if c.Requirements = slices.Compact(c.Requirements); len(c.Requirements) == 0 {
		return nil, nil
	}
	return c, nil
}

// modelControl is the positive control: a dance that must fall.
func modelControl() (*conformance.Check, error) {
	mutant := tla.Mutant{Bugs: []string{"no_needspinning"}, Model: "sched-mended", Violates: "WorkRescuer"}
	t, err := mutant.Task(tla.Files)
	if err != nil {
		return nil, err
	}
	t.Violates = "" // what falls is to be a finding
	c, err := modelCheck(t)
	if c != nil {
		c.Doc = "a dance in which nobody sets needspinning"
		c.Requirements = []string{"DN-WORK-RESCUER", "DN-WORK-QUIET"}
	}
	return c, err
}

// judgeModel explores m and holds what it finds against the table. A model in
// which something else falls than the table says breaks the requirement; counts
// that differ mean that the machine is not the model, and say nothing of it.
func judgeModel(ctx context.Context, m *machine.Machine, progress func(string)) (e conformance.Exploration) {
	t, res := m.Task, &e.Result
	found, err := m.Run(ctx, machine.Options{Progress: func(p explore.Progress) { progress(fmt.Sprintf("%d states", p.Distinct)) }})
	if err != nil {
		res.Verdict, res.Reason = conformance.Error, err.Error()
		return e
	}
	res.States, res.Elapsed = found.Distinct, found.Wall
	differs := t.Compare(&found.Result)
	switch {
	case found.Outcome == tlc.TimedOut:
		res.Verdict, res.Reason = conformance.Inconclusive, fmt.Sprintf("%d states when the budget ended", found.Distinct)
	case found.Outcome == tlc.Interrupted:
		res.Verdict, res.Reason = conformance.Inconclusive, fmt.Sprintf("interrupted after %d states", found.Distinct)
	case found.Outcome == tlc.Violated && found.Property != t.Violates:
		res.Verdict = conformance.Fail
		e.Findings, err = modelFindings(m, found)
		if err != nil {
			res.Verdict, res.Reason = conformance.Error, err.Error()
		}
	case len(differs) > 0:
		for i := range differs {
			differs[i] = strings.TrimPrefix(differs[i], t.Name+": ")
		}
		res.Verdict, res.Reason = conformance.Error, "not the table of models: "+strings.Join(differs, "; ")
	case t.Violates != "": // what is known to be wrong was found, and is no pass
		res.Verdict, res.Reason = conformance.Known, found.String()+": see tla/findings"
	default:
		res.Verdict, res.Complete = conformance.Pass, true
		res.Note = found.String()
	}
	return e
}

// modelFindings are the requirements that a counterexample breaks, with its steps at
// the first.
func modelFindings(m *machine.Machine, found *machine.Result) ([]record.Finding, error) {
	t := m.Task
	ids, err := tla.RequirementsOf(tla.Files, t.Module, found.Property)
	if err == nil && len(ids) == 0 {
		err = fmt.Errorf("%s: expected that it %s, saw %v, which is about no requirement", t.Name, t.Expected(), found)
	}
	var list []record.Finding
	for _, id := range ids {
		list = append(list, found.Result.Finding(id, "spindle model -v "+cli.Quote(t.Name)))
	}
	if err == nil {
		list[0].Execution = found.Execution(tla.Family(t.Module), tla.Thread(t.Module))
	}
	return list, err
}
