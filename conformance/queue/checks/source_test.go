package checks

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// ownChecks is a source that is no queue. Its checks end as results say, by their
// names; its control has the findings falls.
func ownChecks(results map[string]Exploration, falls ...string) Source {
	found := func(ids ...string) (list []record.Finding) {
		for _, id := range ids {
			list = append(list, record.Finding{Requirement: id, Witness: string(spec.Model), Expected: "it holds", Observed: "it does not", Replay: "look again"})
		}
		return list
	}
	s := Source{
		Name: "own",
		Open: func(context.Context, func(string)) (Target, error) {
			return Described(Description{Name: "own", Kind: MachineKind, Profile: spec.Protocol, Command: "own"}), nil
		},
		Control: &Check{
			Name: "model/wrong", Doc: "one that is wrong", Requirements: []string{"DN-LOCK"},
			Judge: func(context.Context, func(string)) Exploration { return Exploration{Findings: found(falls...)} },
		},
	}
	for name, e := range results {
		e.Result.States = 7
		if e.Result.Verdict == Fail {
			e.Findings = found("DN-RING")
		}
		s.Checks = append(s.Checks, Check{
			Name: name, Witness: spec.Model, Requirements: []string{"DN-LOCK", "DN-RING"}, Profiles: []spec.Profile{spec.Protocol}, States: 7, Complete: true,
			Judge: func(ctx context.Context, progress func(string)) Exploration {
				progress("on its way")
				if ctx.Err() != nil {
					return Exploration{Result: CheckResult{Verdict: Inconclusive, Reason: "the budget ended"}}
				}
				return e
			},
		})
	}
	slices.SortFunc(s.Checks, func(a, b Check) int { return strings.Compare(a.Name, b.Name) })
	return s
}

func ended(v Verdict) Exploration {
	return Exploration{Result: CheckResult{Verdict: v, Reason: "why"}}
}

// A source may bring its own checks; whatever they come to, it is counted and told
// as what comes of queues.
func TestSourceWithChecksOfItsOwn(t *testing.T) {
	good := map[string]Exploration{"model/a": ended(Pass), "model/b": ended(Pass)}
	for _, c := range []struct {
		name    string
		source  Source
		options Options
		exit    int
		rows    map[string]Verdict
		because string
	}{
		{"pass", ownChecks(good, "DN-LOCK"), Options{}, ExitPass, map[string]Verdict{"DN-LOCK": Pass, "DN-RING": Pass, "DN-QUIET": NotRun}, ""},
		{"a requirement is broken", ownChecks(map[string]Exploration{"model/a": ended(Fail), "model/b": ended(Pass)}, "DN-LOCK"), Options{}, ExitFail, map[string]Verdict{"DN-LOCK": Pass, "DN-RING": Fail}, ""},
		{"the suite does not work", ownChecks(map[string]Exploration{"model/a": ended(Error)}, "DN-LOCK"), Options{}, ExitError, map[string]Verdict{"DN-RING": Error}, "own: model/a: why"},
		{"the control does not fall", ownChecks(good), Options{}, ExitError, map[string]Verdict{"DN-RING": Pass}, "model/wrong saw nothing wrong with one that is wrong"},
		{"the control falls elsewhere", ownChecks(good, "DN-RING"), Options{}, ExitError, map[string]Verdict{"DN-RING": Pass}, "model/wrong saw nothing wrong"},
		{"the budget ends", ownChecks(good, "DN-LOCK"), Options{Budget: time.Nanosecond}, ExitInconclusive, map[string]Verdict{"DN-RING": Inconclusive}, "own: model/a: the budget ended"},
		{"a part is chosen", ownChecks(map[string]Exploration{"model/a": ended(Fail), "model/b": ended(Pass)}, "DN-LOCK"), Options{Select: "^model/b$"}, ExitPass, map[string]Verdict{"DN-RING": Pass}, ""},
		{"by requirement", ownChecks(good, "DN-LOCK"), Options{Select: "DN-RING"}, ExitPass, map[string]Verdict{"DN-RING": Pass}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows := make(map[string]Verdict)
			var controls, moves int
			c.options.Sink = func(e Event) {
				switch e.Event {
				case CheckEvent:
					if r := e.Result; r.Plan != "all 7 states" || r.Witness != string(spec.Model) || len(r.Requirements) != 2 {
						t.Errorf("the check says %+v", r)
					}
				case FindingEvent:
					if want := "spindle check -run '^model/a$' -seed 0x0 own\nlook again"; e.Finding.Replay != want {
						t.Errorf("expected %q, saw %q", want, e.Finding.Replay)
					}
				case RequirementEvent:
					rows[e.Requirement.ID] = e.Requirement.Verdict
					if e.Requirement.Verdict == Pass && e.Requirement.States != int64(7*len(e.Requirement.Checks)) {
						t.Errorf("%+v: expected 7 states a check", e.Requirement)
					}
				case ControlEvent:
					controls++
				case ProgressEvent:
					moves++
				}
			}
			footer, err := Run(context.Background(), c.options, c.source)
			if err != nil {
				t.Fatal(err)
			}
			for id, v := range c.rows {
				if rows[id] != v {
					t.Errorf("%s: expected %v, saw %v", id, v, rows[id])
				}
			}
			if _, ok := rows["RQ-RACE"]; ok {
				t.Error("a requirement that the model does not judge has a row")
			}
			if footer.Exit != c.exit || !strings.Contains(strings.Join(footer.Reasons, "\n"), c.because) {
				t.Errorf("expected exit code %d because of %q, saw %d, %q", c.exit, c.because, footer.Exit, footer.Reasons)
			}
			if controls != 1 || moves == 0 {
				t.Errorf("expected one control, and progress, saw %d and %d", controls, moves)
			}
		})
	}
}

// What chooses nothing of one source may choose something of another.
func TestSelectFromSeveralSources(t *testing.T) {
	own := ownChecks(map[string]Exploration{"model/a": ended(Pass)}, "DN-LOCK")
	for _, sel := range []string{"^sequence/order$", "no such check"} {
		if _, err := Run(context.Background(), Options{Select: sel}, own); !errors.Is(err, ErrNothing) {
			t.Errorf("%q: expected %v, saw %v", sel, ErrNothing, err)
		}
	}
	if _, err := Run(context.Background(), Options{Select: "DN-NONE"}, own); !errors.Is(err, ErrSelect) {
		t.Errorf("expected %v, saw %v", ErrSelect, err)
	}
	if list, err := own.Select("DN-RING,RQ-LOST"); err != nil || len(list) != 1 {
		t.Errorf("expected one check, saw %d, %v", len(list), err)
	}
	if _, err := Described(Description{Name: "own"}).Run(context.Background(), record.Scenario{}); err == nil {
		t.Error("expected a target without scenarios to say so, saw none")
	}
}
