package report

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
	"github.com/spindle-go/spindle/internal/suite/suitetest"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// golden holds got against a file of testdata, or writes it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if tier.Update() {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("expected what is in %s, saw\n%s\nto accept it, run SPINDLE_UPDATE=1 go test ./internal/suite/report", path, got)
	}
}

// events reads testdata/events.ndjson, which has one of everything, and holds that it
// is what the run below writes.
func events(t *testing.T) []suite.Event { return read(t, "events.ndjson", everything) }

// clean returns the events of a run in which nothing is to be said but that all is
// kept or known.
func clean(t *testing.T) []suite.Event { return read(t, "clean.ndjson", harmony) }

// read holds the stream of a run against a golden file and reads it.
func read(t *testing.T, file string, run func(*testing.T) []suite.Event) []suite.Event {
	t.Helper()
	var stream []byte
	synctest.Test(t, func(t *testing.T) { // its clock is always the same
		list := run(t)
		h := list[0].Header
		h.Suite, h.Go, h.OS, h.Arch, h.CPUs, h.GOMAXPROCS = "0.2.0", "go1.26.8", "linux", "amd64", 4, 4
		stream = suitetest.Encode(list)
	})
	golden(t, file, string(stream))
	list, err := suitetest.Decode(stream)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// judged returns what the gate makes of events.
func judged(events []suite.Event) *gate.Result {
	var g gate.Gate
	for _, e := range events {
		g.Event(e)
	}
	r := g.Result()
	return &r
}

// check is a check that ended with what it judged of each requirement.
func check(name string, ended suite.Ended, reason string, judged map[string]int64, complete bool, found ...record.Finding) suitetest.Check {
	return suitetest.Check{
		Name: name, Requirements: slices.Sorted(maps.Keys(judged)), Found: found, Takes: 40 * time.Millisecond,
		Outcome: suite.Outcome{Ended: ended, Reason: reason, Judged: judged, Complete: complete, Scenarios: 12, Calls: 31200},
	}
}

func found(fingerprint, observed string, evidence ...record.Evidence) record.Finding {
	id, _, _ := strings.Cut(fingerprint, "/")
	return record.Finding{Requirement: id, Fingerprint: fingerprint, Expected: "every G taken once", Observed: observed, Evidence: evidence}
}

var calls = record.Evidence{Kind: record.Calls, Lines: []string{
	"T0 put P0 17 [1000..1096]; P0.ring->global 9 10 11 12",
	"T1 steal P0->P1 = 16 [1040..1260]; P0.ring->P1.ring 13 14 15",
	"T2 steal P0->P2 = 14 [1050..1300]",
	"T0 get P0 = 14 (runnext) [1100..1190]",
	"T1 empty P1 [1310..?]",
}}

var left = record.Evidence{Kind: record.Left, Lines: []string{"P0 ring 3 2 3"}}

var steps = record.Evidence{Kind: record.Steps, Execution: &record.Execution{
	Schedule: "0.1x3.0", Threads: []string{"main", "owner", "thief"},
	Steps: []record.Step{
		{Thread: 1, Text: "p.head.Load = 3", Action: "RunQueue!GetLoadHead", File: "impl/runq/get.go", Line: 31},
		{Thread: 2, Text: "p.head.CompareAndSwap(3, 4) = true", File: "impl/runq/steal.go", Line: 77, Switch: "owner goes on later"},
		{Thread: 1, Text: "p.head.Store(4)", File: "impl/runq/get.go", Line: 35},
	},
}}

// everything is a run with one of everything.
func everything(t *testing.T) []suite.Event {
	const budget = "12 scenarios when the budget of 1m0s ended"
	skipped := suitetest.Check{Name: "sequence/drain", Requirements: []string{"RQ-DRAIN"}, Lacks: "the target does not offer drain"}
	mine := &suitetest.Target{
		Name: "mine", Version: "v2.1.0", Kind: suite.Child, Profile: spec.GoRT, Command: "'exec:./mine -serve'",
		Notes:    []string{"the global queue is shared between two pools, so that a share is a share of both; the shorter of the two is looked at first"},
		Controls: map[spec.Witness][]suitetest.Control{spec.Linearizability: {suitetest.Caught, suitetest.Missed}},
		Checks: []suitetest.Check{
			check("sequence/order", suite.Completed, "", map[string]int64{"RQ-LOST": 560, "RQ-CRASH": 560, "RQ-FIFO": 560}, true),
			skipped,
			check("linearizability/ring", suite.Completed, "", map[string]int64{"RQ-FIFO": 31200, "RQ-TWICE": 31200, "RQ-LOST": 31200}, false,
				found("RQ-TWICE/get", "1 G of 17 [14], the first by T2 steal P0->P2 = 14 and by T0 get P0 = 14 (runnext)", calls),
				found("RQ-FIFO/steal", "T1 steal gave 16 before 14", calls)),
			check("linearizability/overflow", suite.Inconclusive, budget, map[string]int64{"RQ-CAPACITY": 12, "RQ-TWICE": 12}, false,
				found("RQ-TWICE/overflow", "1 G of 900 [31], the first by T1 steal P0 = 31 and in the final contents", calls)),
			check("linearizability/empty", suite.Inconclusive, budget, map[string]int64{"RQ-EMPTY-TRUE": 4}, false),
			check("linearizability/len", suite.Inconclusive, "seen after 600 scenarios: expected 100 calls of len during a steal, saw 7", map[string]int64{"RQ-LEN": 4}, false),
			check("interleave/get-steal", suite.Completed, "", map[string]int64{"RQ-TWICE": 2, "RQ-LOST": 2}, true,
				found("RQ-TWICE/get", "1 G of 2 [2] by owner and thief", steps),
				found("RQ-LOST/get", "1 G of 2 [1] never seen again", steps, left)),
			check("interleave/overflow", suite.Error, "the child process ended: exit status 3", map[string]int64{"RQ-OVERFLOW": 0}, true),
		},
	}
	control := &suitetest.Target{
		Name: "control", Version: "go1.26.8", Profile: spec.FIFO, Command: "control",
		Checks: []suitetest.Check{
			check("sequence/order", suite.Completed, "", map[string]int64{"RQ-LOST": 168, "RQ-TWICE": 168, "RQ-CRASH": 168}, true,
				found("RQ-TWICE", "1 G of 3 [3], twice in the final contents", calls, left),
				found("RQ-LOST", "1 G of 3 [1] never seen again", calls)),
			check("sequence/random", suite.Completed, "", map[string]int64{"RQ-FIFO": 9000}, false),
		},
	}
	idle := []suitetest.Check{check("sequence/order", suite.Completed, "", map[string]int64{"RQ-LOST": 1}, true)}
	absent := &suitetest.Target{Name: "go", Checks: idle, Err: errors.New("goruntime: no usable go command: exec: \"go\": executable file not found in $PATH\ninstall Go 1.23 or later, or name its go command")}
	slow := &suitetest.Target{Name: "slow", Checks: idle, Err: fmt.Errorf("%w: %w", suite.ErrOpen, context.DeadlineExceeded)}
	model := &suitetest.Target{
		Name: "model", Version: "go1.26", Kind: suite.Machine, Profile: spec.Protocol, Command: "model",
		Checks: []suitetest.Check{
			check("model/runqueue-drain", suite.Completed, "", map[string]int64{"RQ-GLOBAL-FIFO": 47823}, true),
			check("model/dance", suite.Completed, "", map[string]int64{"DN-DEADLOCK": 512}, true, found("DN-DEADLOCK", "all Ms stopped, one G waits")),
		},
	}
	return suitetest.Run(t.Context(), t, suite.Options{Seed: 0xff, Budget: time.Minute, Known: []suite.Known{
		{Fingerprint: "RQ-FIFO", Target: "mine", URL: "https://example.com/issues/12", Reason: "batches may be split"},
		{Fingerprint: "RQ-FIFO", Target: "control", URL: "https://example.com/issues/13", Reason: "seldom out of order"},
		{Fingerprint: "RQ-CRASH", Target: "control", URL: "https://example.com/issues/14", Reason: "crashed once"},
		{Fingerprint: "RQ-TWICE/long", Target: "control", From: "go1.20", To: "go1.22", URL: "https://example.com/issues/15", Reason: "fixed in go1.23"},
		{Fingerprint: "DN-DEADLOCK", Target: "model", URL: "docs/findings.md", Reason: "a wake-up is lost between two looks"},
	}}, mine, control, absent, slow, model)
}

// harmony is a run in which all is kept or known.
func harmony(t *testing.T) []suite.Event {
	all := make(map[string]int64)
	for i := range spec.Requirements {
		if q := &spec.Requirements[i]; q.In(spec.FIFO) {
			all[q.ID] = 100
		}
	}
	order := check("sequence/order", suite.Completed, "", all, true, found("RQ-FIFO/get", "T0 get gave 2 before 1", calls))
	order.Takes = 3 * time.Second
	return suitetest.Run(t.Context(), t, suite.Options{
		Seed: 1, Known: []suite.Known{{Fingerprint: "RQ-FIFO", Target: "ref", URL: "https://example.com/12", Reason: "batches may be split"}},
	}, &suitetest.Target{Name: "ref", Version: "v1", Profile: spec.FIFO, Checks: []suitetest.Check{order}})
}
