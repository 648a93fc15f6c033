package designs

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance"
	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/conformance/scheduler/checks"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/show"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// TestDesigns holds that right schedulers of other designs pass under the contracts that describe them, on threads and under the
// explorer. An ordinary run judges one, and explores it as go test -short does.
func TestDesigns(t *testing.T) {
	t.Attr("req", "SC-TOGETHER")
	for d, full := range tier.Split(t, All, 0) {
		t.Run(d.Name, func(t *testing.T) {
			opts := []conformance.TestOption{conformance.Profile(d.Contract), conformance.Budget(10 * time.Minute)}
			if !full {
				opts = append(opts, conformance.Short())
			}
			conformance.TestScheduler(t, func(workers int) scheduler.Scheduler { return d.Factory(workers) }, opts...)
		})
	}
}

// TestFiles holds that each file belongs to a design, and is there.
func TestFiles(t *testing.T) {
	known := map[string]bool{"all.go": true, "doc.go": true, "designs_test.go": true, "wrong_test.go": true}
	for _, d := range All {
		for _, f := range d.Files {
			known[f] = true
			if _, err := os.Stat(f); err != nil {
				t.Errorf("%s: %v", d.Name, err)
			}
		}
	}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !known[f.Name()] {
			t.Errorf("expected every file to be some design's, saw %s", f.Name())
		}
	}
}

// TestNoFalseAlarm judges each right scheduler on real threads a hundred times, from different seeds.
func TestNoFalseAlarm(t *testing.T) {
	tier.Long(t)
	t.Attr("req", "SC-WORK")
	const times = 100
	for d := range tier.Split(t, All, 0) {
		t.Run(d.Name, func(t *testing.T) {
			target, err := checks.InProcess(d.Name, d.Contract, d.Factory)
			if err != nil {
				t.Fatal(err)
			}
			checks.Short(target)
			begin, graphs := time.Now(), 0
			for seed := range uint64(times) {
				o := suite.Options{Seed: record.Seed(seed), Witnesses: []spec.Witness{spec.Stress}, Sink: func(e suite.Event) {
					switch {
					case e.Event == suite.FindingEvent:
						text, _ := show.Finding(e.Finding, false, "")
						t.Errorf("seed %d: %s, seen by %s\n%s", seed, e.Finding.Requirement, e.Check, text)
					case e.Event == suite.CheckEvent && e.Result.Ended == suite.Skipped && strings.Contains(e.Result.Reason, "not offer"):
					case e.Event == suite.CheckEvent && e.Result.Ended != suite.Completed:
						t.Errorf("seed %d: %s: %s %s", seed, e.Check, e.Result.Ended, e.Result.Reason)
					case e.Event == suite.CheckEvent:
						graphs += e.Result.Scenarios
					}
				}}
				if err := suite.Run(t.Context(), o, suite.Opened(checks.Subject, target)); err != nil {
					t.Fatal(err)
				}
			}
			if graphs == 0 {
				t.Error("expected graphs that were run, saw none")
			}
			t.Logf("%d runs in %v: %d graphs", times, time.Since(begin).Round(time.Second), graphs)
		})
	}
}
