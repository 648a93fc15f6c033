package property

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/queue/drive"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/sequential"
)

// A Failure is what a call broke, and all that was called until then.
type Failure struct {
	Violations []sequential.Violation // the first is the nearest to the cause
	Ops        []record.Op            // the last one broke something, unless the end did
	Scenario   record.Scenario        // the calls, as a scenario to run again
}

// Requirements returns the ids of what broke, each once.
func (f *Failure) Requirements() []string {
	var ids []string
	for _, v := range f.Violations {
		if !slices.Contains(ids, v.Requirement) {
			ids = append(ids, v.Requirement)
		}
	}
	return ids
}

// Findings returns what err, of Do, Finish or Replay, says was broken: none if it is no
// *Failure.
func Findings(err error) (list []record.Finding) {
	var f *Failure
	if !errors.As(err, &f) {
		return nil
	}
	calls := record.Evidence{Kind: record.Calls}
	for i := max(0, len(f.Ops)-maxShown); i < len(f.Ops); i++ {
		calls.Lines = append(calls.Lines, f.Ops[i].Text())
	}
	for _, v := range f.Violations {
		list = append(list, record.Finding{
			Requirement: v.Requirement, Fingerprint: v.Requirement, Expected: v.Expected, Observed: v.Observed,
			Evidence: []record.Evidence{calls}, Again: []record.Again{{Kind: record.RunAgain, Command: f.Command()}},
		})
	}
	return list
}

// maxShown bounds the calls that Error shows; the scenario has all of them.
const maxShown = 40

// Error shows the requirements with what was expected and observed, the last
// calls, and the command that runs the scenario again on the reference.
func (f *Failure) Error() string {
	var b strings.Builder
	for _, v := range f.Violations {
		fmt.Fprintln(&b, v)
		if r, err := spec.Lookup(v.Requirement); err == nil {
			fmt.Fprintf(&b, "\t%s\n\tif this fails, look at: %s\n", r.Sentence, r.Intent)
		}
	}
	fmt.Fprintf(&b, "after %d calls (capacity %d, indices from %d):\n", len(f.Ops), f.Scenario.Capacity, f.Scenario.Start)
	skip := max(0, len(f.Ops)-maxShown)
	if skip > 0 {
		fmt.Fprintf(&b, "\t... %d calls before\n", skip)
	}
	for i, op := range f.Ops[skip:] {
		fmt.Fprintf(&b, "\t%3d  %v\n", skip+i, op)
	}
	fmt.Fprintf(&b, "to see it again: %s", f.Command())
	return b.String()
}

// ScenarioVariable is the environment variable from which TestScenario of this
// package reads a scenario in JSON.
const ScenarioVariable = "SPINDLE_SCENARIO"

// Command returns the command that runs the scenario on the reference.
func (f *Failure) Command() string {
	text, err := json.Marshal(f.Scenario)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%s='%s' go test -run '^TestScenario$' ./conformance/property", ScenarioVariable, text)
}

func (s *Sequence) failure(vs []sequential.Violation) *Failure {
	f := &Failure{Violations: vs, Ops: s.ops, Scenario: s.Scenario()}
	if s.options.Start == 0 {
		return f
	}
	// Does it need the indices where they are?
	again := f.Scenario
	again.Start = 0
	if Replay(s.factory, again) == nil {
		f.Violations = append([]sequential.Violation{{
			Requirement: "RQ-WRAP",
			Expected:    fmt.Sprintf("the same from index %d as from 0, where all is well", s.options.Start),
			Observed:    vs[0].Requirement + " broken",
		}}, vs...)
	}
	return f
}

// Scenario returns the calls so far as a scenario: one thread for each P, in
// the order in which they were made.
func (s *Sequence) Scenario() record.Scenario {
	out := record.Scenario{
		Name: "sequence", Ps: len(s.ps), Capacity: s.options.Capacity, Start: s.options.Start,
		Threads: make([]record.Thread, len(s.ps)), Snapshot: true, Order: make([]int, len(s.ops)),
	}
	scripts := make([]strings.Builder, len(s.ps))
	for k := range s.ops {
		op := &s.ops[k]
		out.Order[k] = op.Thread
		b := &scripts[op.Thread]
		b.WriteByte(byte(op.Kind))
		switch op.Kind {
		case record.PutBatch:
			fmt.Fprint(b, len(op.In))
		case record.GlobalGet:
			fmt.Fprint(b, op.Want)
		case record.Steal, record.StealNext, record.Empty, record.Len:
			fmt.Fprint(b, op.P)
		}
	}
	for i := range scripts {
		out.Threads[i] = record.Thread{P: i, Script: scripts[i].String()}
	}
	return out
}

// History returns what was called and returned so far. Its final contents are
// empty: nothing was taken out yet.
func (s *Sequence) History() *record.History {
	h := &record.History{Scenario: s.Scenario(), Capacity: s.options.Capacity, Clock: record.ClockOrder, Ops: s.ops}
	_, h.Moves = s.ps[0].(queue.Mover)
	h.Final = record.Contents{Ps: make([]record.PContents, len(s.ps))}
	return h
}

// Replay makes the calls of a scenario in its order. The error says what broke, or is drive.Run's.
func Replay(f queue.Factory, s record.Scenario) error {
	ctx, cancel := context.WithTimeout(context.Background(), replayLimit)
	defer cancel()
	h, err := drive.Run(ctx, f, s)
	if err != nil {
		return err
	}
	if vs, _ := sequential.Replay(h, sequential.RulesOf(spec.GoRT, h.Capacity)); len(vs) > 0 {
		return &Failure{Violations: vs, Ops: h.Ops, Scenario: s}
	}
	return nil
}

// replayLimit bounds a replay.
const replayLimit = 10 * time.Second
