// Package model is the subject "model" of the conformance suite: the protocol
// itself. Its one target is no implementation; its checks are the models that
// spindle model explores when nobody says which, but for those that are about no
// requirement.
package model

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/explore"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/tla"
	"github.com/spindle-go/spindle/tla/drift"
	"github.com/spindle-go/spindle/tla/machine"
	"github.com/spindle-go/spindle/tla/tlc"
)

// The target's name, what it is, and the version of the runtime whose proc.go the
// modules follow.
const (
	Target  = "model"
	Doc     = "the protocol itself: every state of small configurations"
	Version = "go1.26"
)

// Files are the modules and configurations that Source reads.
var Files fs.FS = tla.Files

// Source is the model as a target.
func Source() (suite.Source, error) {
	s := suite.Source{Name: Target, Subject: &suite.Subject{Name: Target}}
	bad := func(err error) (suite.Source, error) { return s, fmt.Errorf("target %s: %w", Target, err) }
	var left []string
	models, err := tla.Models(Files)
	if err != nil {
		return bad(err)
	}
	for i := range models {
		t, err := models[i].Task(Files)
		if err != nil {
			return bad(err)
		}
		if !machine.Quick(t) {
			continue
		}
		c, err := check(t)
		var none *machine.NoneError
		switch {
		case errors.As(err, &none) && !t.MachineAlone:
			left = append(left, t.Name)
			continue
		case err != nil:
			return bad(err)
		case c == nil:
			continue
		case t.Violates != "":
			for _, id := range c.Requirements {
				s.Known = append(s.Known, suite.Known{
					Fingerprint: fingerprint(id, t), Target: Target, URL: "tla/findings",
					Reason: fmt.Sprintf("%s violates %s", t.Name, t.Violates), Check: c.Name,
				})
			}
		}
		s.Subject.Checks = append(s.Subject.Checks, *c)
	}
	if len(s.Subject.Checks) == 0 {
		return bad(fmt.Errorf("expected models that have a machine in Go, saw none; TLC alone answers %s", strings.Join(left, ", ")))
	}
	k, err := control()
	if err != nil {
		return bad(err)
	}
	s.Subject.Controls = []suite.Control{*k}
	d := suite.Description{Name: Target, Version: Version, Kind: suite.Machine, Profile: spec.Protocol, Command: Target}
	d.Notes = append(d.Notes, "the model is that of "+strings.Join(drift.Said(), ", ")+", whose functions were read: spindle model -source compares another")
	if len(s.Known) > 0 {
		d.Notes = append(d.Notes, fmt.Sprintf("%d checks find what is known to be wrong, in the protocol as it is shipped and in fixes that fix nothing: spindle model -v NAME shows one", len(s.Known)))
	}
	if len(left) > 0 {
		d.Notes = append(d.Notes, suite.Limit+"only TLC checks "+strings.Join(left, ", ")+": spindle tlc")
	}
	s.Open = func(context.Context, func(string)) (suite.Target, error) { return target{d}, nil }
	return s, nil
}

type target struct{ d suite.Description }

func (t target) Describe() suite.Description { return t.d }
func (t target) Close() error                { return nil }

// fingerprint is that of a finding of a model: the requirement and the model.
func fingerprint(id string, t *tla.Task) string { return id + "/" + t.Name }

// check is the check of a model, or nil if the machines in Go have nothing to say
// of it that a requirement is about.
func check(t *tla.Task) (*suite.Check, error) {
	m, err := machine.Of(t)
	if err != nil {
		return nil, err
	}
	plan := suite.Plan{Text: t.Question}
	if t.Distinct > 0 {
		plan.Text = fmt.Sprintf("all %d states", t.Distinct)
	}
	c := &suite.Check{
		Name: Target + "/" + t.Name, Doc: t.Question, Witness: spec.Model, Parallel: true,
		Plan: func(suite.Target) suite.Plan { return plan },
		Run: func(ctx context.Context, _ suite.Target, k *suite.Task) suite.Outcome {
			return explored(ctx, m, k)
		},
	}
	judged := m.Judged
	if t.Violates != "" {
		c.Name = Target + "/finds-" + t.Name
		c.Doc = fmt.Sprintf("a counterexample to %s of %d states", t.Violates, t.Depth)
		judged = []string{t.Violates}
	}
	for _, p := range judged {
		ids, err := tla.RequirementsOf(Files, t.Module, p)
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

// control is the positive control: a dance that must fall.
func control() (*suite.Control, error) {
	mutant := tla.Mutant{Bugs: []string{"no_needspinning"}, Model: "sched-mended", Violates: "WorkRescuer"}
	t, err := mutant.Task(Files)
	if err != nil {
		return nil, err
	}
	t.Violates = "" // what falls is no known failure
	c, err := check(t)
	if err != nil {
		return nil, err
	}
	return &suite.Control{
		Check: *c, What: "a spin/park protocol in which no M sets needspinning", Falls: []string{"DN-WORK-RESCUER", "DN-WORK-QUIET"},
		Open: func() (suite.Target, error) {
			return target{suite.Description{Name: "control", Kind: suite.Machine, Profile: spec.Protocol}}, nil
		},
	}, nil
}

// explored explores m and holds what it finds against what its configuration expects. Whatever
// falls is a finding; what is expected to fall is a known one (Source).
// Other counts mean that the machine is not the model, and say
// nothing of it.
func explored(ctx context.Context, m *machine.Machine, k *suite.Task) suite.Outcome {
	t := m.Task
	found, err := m.Run(ctx, machine.Options{Progress: func(p explore.Progress) { k.Progress("%d states", p.Distinct) }})
	if err != nil {
		return suite.Outcome{Ended: suite.Error, Reason: err.Error()}
	}
	out := suite.Outcome{Ended: suite.Completed, Complete: true, States: found.Distinct, Note: t.Verdict(&found.Result), Judged: make(map[string]int64)}
	stop := func(ended suite.Ended, format string, args ...any) suite.Outcome {
		out.Ended, out.Complete, out.Reason = ended, false, fmt.Sprintf(format, args...)
		return out
	}
	if !found.Ended() {
		return k.Stopped(ctx, fmt.Sprintf("%d states", found.Distinct))
	}
	if found.Outcome == tlc.Violated || found.Outcome == tlc.Deadlock {
		ids, err := tla.RequirementsOf(Files, t.Module, found.Property)
		if err != nil {
			return stop(suite.Error, "%v", err)
		}
		if len(ids) == 0 {
			return stop(suite.Error, "%s: expected that it %s, saw %v, which is about no requirement", t.Name, t.Expected(), found)
		}
		for i, id := range ids {
			var steps *record.Execution
			if i == 0 && found.Property != t.Violates {
				steps = found.Execution(tla.Family(t.Module), tla.Thread(t.Module))
			}
			f := found.Finding(id, "spindle model -v "+t.Name, steps)
			f.Fingerprint = fingerprint(id, t)
			k.Find(f)
		}
		if found.Property != t.Violates {
			return stop(suite.Inconclusive, "%v; the states behind it were not explored", found)
		}
	}
	if differs := t.Compare(&found.Result); len(differs) > 0 {
		for i := range differs {
			differs[i] = strings.TrimPrefix(differs[i], t.Name+": ")
		}
		return stop(suite.Error, "not what the configuration expects: %s", strings.Join(differs, "; "))
	}
	for _, id := range k.Requirements {
		out.Judged[id] = found.Distinct
	}
	return out
}
