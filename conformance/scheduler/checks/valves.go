package checks

import (
	"context"
	"fmt"
	"slices"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/valve"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// valved is a scheduler that has scenes of its parts.
type valved interface{ Valves() []valve.Scene }

// shownByScenes are the requirements that scenes show.
var shownByScenes = func() (ids []string) {
	for _, r := range spec.Requirements {
		if slices.Contains(r.Witnesses, spec.Scene) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}()

// valveCheck plays the scenes of the parts of impl/sched.
var valveCheck = suite.Check{
	Name: "scene/valves", Witness: spec.Scene, Doc: "parts of the scheduler, driven by hand: what they decide by a count, a clock or chance",
	When:         []spec.Condition{spec.If("parts", spec.AsRuntime)},
	Requirements: shownByScenes,
	Plan: func(t suite.Target) suite.Plan {
		return suite.Plan{Text: fmt.Sprintf("%d scenes", len(shownByScenes)), Lacks: withoutValves(t)}
	},
	Run: playValves,
}

func withoutValves(t suite.Target) string {
	if in, ok := t.(*inProcess); !ok || len(in.valves) == 0 {
		return "the target is not impl/sched: nothing else has scenes of its parts"
	}
	return ""
}

func playValves(ctx context.Context, t suite.Target, k *suite.Task) suite.Outcome {
	out := suite.Outcome{Ended: suite.Completed, Judged: make(map[string]int64)}
	scenes := t.(*inProcess).valves
	for i := range scenes {
		s := &scenes[i]
		if ctx.Err() != nil {
			how := k.Stopped(ctx, fmt.Sprintf("%d of %d scenes", i, len(scenes)))
			out.Ended, out.Reason = how.Ended, how.Reason
			return out
		}
		k.Progress("%d of %d", i, len(scenes))
		out.Scenarios++
		out.Judged[s.Requirement]++
		if err := s.Play(); err != nil {
			k.Find(record.Finding{Requirement: s.Requirement, Fingerprint: s.Requirement, Expected: s.Doc, Observed: err.Error()})
		}
	}
	out.Note = fmt.Sprintf("%d scenes", len(scenes))
	return out
}

// shut is a pool that has the scenes of impl/sched, each with a valve that is shut.
type shut struct{ scheduler.Scheduler }

func (shut) Valves() (list []valve.Scene) {
	for _, id := range shownByScenes {
		list = append(list, valve.Scene{Requirement: id, Doc: "the valve is open", Run: func() error { return fmt.Errorf("it is shut") }})
	}
	return list
}

func newShut(workers int) scheduler.Scheduler { return shut{newWrongPool(workers, noBug)} }
