package checks

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// A Kept is a scenario that a test has failed, and that its next runs try first.
type Kept struct {
	File        string // where it is kept
	Witness     spec.Witness
	Requirement string // that it broke
	Profile     spec.Profile
	Scenario    record.Scenario
}

// MaxKept bounds the text of one, in bytes.
const MaxKept = 64 << 10

// KeptOf returns what is to be kept of a finding. Errors wrap record.ErrFormat: it has
// no scenario.
func KeptOf(f *record.Finding, p spec.Profile) (Kept, error) {
	s, err := ScenarioOf(f)
	return Kept{Witness: spec.Witness(f.Witness), Requirement: f.Requirement, Profile: p, Scenario: s}, err
}

// Text returns it in its text form: what failed, and the scenario as in a history.
//
//	# go test tries this scenario first, because it failed. ...
//	witness: interleave
//	requirement: RQ-TWICE
//	profile: fifo
//
//	scenario: steal-0
//	...
func (k *Kept) Text() string {
	return fmt.Sprintf("# go test tries this scenario first, because it failed. It may be removed when it is\n# right and covered otherwise.\nwitness: %s\nrequirement: %s\nprofile: %s\n\n%s\n",
		k.Witness, k.Requirement, k.Profile, strings.Join(asked(k.Scenario).Lines, "\n"))
}

// ParseKept reads the text of a file. Errors wrap record.ErrFormat and begin with the
// file's name.
func ParseKept(file, text string) (Kept, error) {
	bad := func(format string, args ...any) (Kept, error) {
		return Kept{}, fmt.Errorf("%s: %w: %w", file, record.ErrFormat, fmt.Errorf(format, args...))
	}
	if len(text) > MaxKept {
		return bad("expected at most %d bytes, saw more", MaxKept)
	}
	head, body, _ := strings.Cut(text, "\n\n")
	values := make(map[string]string)
	for line := range strings.SplitSeq(head, "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		key, value, ok := strings.Cut(line, ": ")
		if _, twice := values[key]; !ok || twice || !slices.Contains([]string{"witness", "requirement", "profile"}, key) {
			return bad("expected a checker, a requirement and a profile, once each, saw %.80q", line)
		}
		values[key] = value
	}
	k := Kept{File: file, Witness: spec.Witness(values["witness"]), Requirement: values["requirement"]}
	if _, err := spec.Lookup(k.Requirement); err != nil {
		return bad("%w", err)
	}
	var err error
	if k.Profile, err = spec.ParseProfile(values["profile"]); err != nil {
		return bad("%w", err)
	}
	h, err := record.ParseHistory(strings.NewReader(strings.TrimRight(body, "\n") + ran))
	if err != nil {
		return bad("%w", err)
	}
	k.Scenario = h.Scenario
	switch k.Witness {
	case spec.Sequence, spec.Interleave, spec.Stress, spec.Linearizability:
	default:
		return bad("expected a checker that runs scenarios, saw %.40q", k.Witness)
	}
	if (k.Witness == spec.Sequence) != (k.Scenario.Order != nil) {
		return bad("expected an order of the calls if and only if the checker is %s, saw %s", spec.Sequence, k.Witness)
	}
	return k, nil
}

// WithKept returns the subject with the checks that try scenarios again, each in front of the
// others of its checker: "sequence/kept", "interleave/kept" and so on, as far as there are any. Errors name the
// file of a scenario that t cannot run any more: what cannot be tried is no pass.
func WithKept(t Target, list []Kept) (*suite.Subject, error) {
	caps := factsOf(t).caps
	for _, k := range list {
		lacks := func(what string) (*suite.Subject, error) {
			return nil, fmt.Errorf("%s: %w: expected a scenario that the queue can run, saw one that needs %s: remove the file if that is meant to be", k.File, record.ErrFormat, what)
		}
		s := &k.Scenario
		switch {
		case s.Capacity != 0 && !caps.Resize:
			return lacks("another capacity")
		case s.Start != 0 && !caps.Start:
			return lacks("indices that start elsewhere")
		case s.Snapshot && !caps.Show:
			return lacks("its contents to be shown")
		}
		quiet, _ := record.ParseQuiet(s.Before + " " + s.After)
		if (len(quiet) > 0 || s.Shared) && !caps.Quiet {
			return lacks("calls at quiescent moments")
		}
		var ins []record.Instr
		for _, q := range quiet {
			ins = append(ins, q.Instr)
		}
		for _, thread := range s.Threads {
			script, _ := record.ParseScript(thread.Script)
			ins = append(ins, script...)
		}
		for _, in := range ins {
			if !caps.Supports(in.Kind) {
				return lacks(in.Kind.String())
			}
		}
	}
	with := *Subject
	with.Checks = slices.Clone(Subject.Checks)
	for _, w := range []spec.Witness{spec.Sequence, spec.Interleave, spec.Stress, spec.Linearizability} {
		of := slices.DeleteFunc(slices.Clone(list), func(k Kept) bool { return k.Witness != w })
		if len(of) > 0 {
			first := slices.IndexFunc(with.Checks, func(c suite.Check) bool { return c.Witness == w })
			with.Checks = slices.Insert(with.Checks, first, keptCheck(w, of))
		}
	}
	return &with, nil
}

// KeptName is the last part of the names of checks that try scenarios again.
const KeptName = "/kept"

// keptTries is how often a scenario of free threads is tried: its schedule is another
// one each time.
const keptTries = 20

// keptCheck is a check of kept scenarios. It may break whatever its witness judges.
func keptCheck(w spec.Witness, list []Kept) suite.Check {
	c := check{name: string(w) + KeptName, doc: "what failed before", witness: w, kept: true, complete: w == spec.Sequence || w == spec.Interleave, scenarios: len(list)}
	if !c.complete {
		c.scenarios *= keptTries
	}
	for _, other := range all {
		for _, id := range other.requirements {
			if other.witness == w && !slices.Contains(c.requirements, id) {
				c.requirements = append(c.requirements, id)
			}
		}
	}
	c.scenario = func(_ *gen, i int) record.Scenario {
		s := list[i%len(list)].Scenario
		s.Name = filepath.Base(list[i%len(list)].File)
		return s
	}
	out := c.suite()
	out.Run = func(ctx context.Context, t suite.Target, k *suite.Task) suite.Outcome {
		failed := make(map[string]bool)
		c := c
		c.failed = func(s record.Scenario) { failed[s.Name] = true }
		o := c.suite().Run(ctx, t, k)
		o.Again = true
		var fail, pass []string
		for _, k := range list {
			if failed[filepath.Base(k.File)] {
				fail = append(fail, k.File)
			} else if o.Ended == suite.Completed {
				pass = append(pass, k.File)
			}
		}
		var note []string
		for words, files := range map[string][]string{"failed again: ": fail, "passes now, and stays: ": pass} {
			if len(files) > 0 {
				note = append(note, words+strings.Join(files, ", "))
			}
		}
		slices.Sort(note)
		o.Note = strings.Join(note, "; ")
		return o
	}
	return out
}
