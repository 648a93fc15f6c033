package model

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
)

// small are models of every machine that are explored in no time, one that must fall
// among them.
var small = []string{
	"model/runqueue-script-batch", "model/runqueue-script-steal", "model/runqueue-ref-share", "model/runqueue-live-full",
	"model/finds-sched-shipped", "model/twolevel-1p", "model/slices-live",
}

// TestSideBySide runs the checks of small models as spindle check does, all of them at
// the same time: what one of them finds is no matter of the others. The race detector
// looks at it (.ci/run).
func TestSideBySide(t *testing.T) {
	s, err := Source()
	if err != nil {
		t.Fatal(err)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(len(small))) // as many are begun at once
	var checks []suite.Check
	var begun atomic.Int32
	all := make(chan struct{})
	for _, name := range small {
		at := slices.IndexFunc(s.Subject.Checks, func(c suite.Check) bool { return c.Name == name })
		if at < 0 {
			t.Fatalf("expected a check %s, saw none", name)
		}
		c := s.Subject.Checks[at]
		explore := c.Run
		c.Run = func(ctx context.Context, target suite.Target, k *suite.Task) suite.Outcome {
			if int(begun.Add(1)) == len(small) {
				close(all)
			}
			select {
			case <-all:
				return explore(ctx, target, k)
			case <-ctx.Done():
				return suite.Outcome{Ended: suite.Error, Reason: "expected all checks at the same time, saw it wait for the others"}
			}
		}
		checks = append(checks, c)
	}
	subject := *s.Subject
	subject.Checks = checks
	s.Subject = &subject
	var results, findings []string
	err = suite.Run(t.Context(), suite.Options{
		Seed: 1, Budget: 15 * time.Second, Witnesses: []spec.Witness{spec.Model}, // no control
		Sink: func(e suite.Event) {
			switch {
			case e.Finding != nil:
				findings = append(findings, e.Finding.Fingerprint)
			case e.Result != nil:
				results = append(results, e.Check)
				r := e.Result
				if r.Ended != suite.Completed || !r.Complete || r.States == 0 {
					t.Errorf("%s: expected it complete, saw %+v", e.Check, r.Outcome)
				}
				for _, id := range r.Requirements {
					if r.Judged[id] != r.States {
						t.Errorf("%s: expected %s judged by its %d states, saw %d", e.Check, id, r.States, r.Judged[id])
					}
				}
			}
		},
	}, s)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(results, small) {
		t.Errorf("expected the results of %v, saw those of %v", small, results)
	}
	if want := "DN-WORK-RESCUER/sched-shipped"; strings.Join(findings, " ") != want {
		t.Errorf("expected the finding %s alone, saw %v", want, findings)
	}
}
