package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

var update = flag.Bool("update", false, "write the golden files")

// golden holds got against a file of testdata, or writes it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("expected what is in %s, saw\n%s\nto accept it, run go test ./internal/suite/report -update", path, got)
	}
}

// events reads testdata/events.ndjson, which has one of everything, and holds that it
// is what one writes below.
func events(t *testing.T) []suite.Event {
	t.Helper()
	var b bytes.Buffer
	sink, failed := suite.WriteEvents(&b)
	for _, e := range everything() {
		sink(e)
	}
	if err := failed(); err != nil {
		t.Fatal(err)
	}
	golden(t, "events.ndjson", b.String())
	var list []suite.Event
	if err := suite.ReadEvents(&b, func(e suite.Event) { list = append(list, e) }); err != nil {
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

// one returns the events of a target: its rows follow from the rest.
func one(name string, d *suite.Description, events ...suite.Event) []suite.Event {
	d.Name = name
	events = slices.Concat([]suite.Event{{Event: suite.TargetEvent, Description: d}}, events)
	j := new(suite.Judged)
	for i := range events {
		events[i].Target = name
		j.Add(events[i])
	}
	for _, row := range j.Standings() {
		events = append(events, suite.Event{Event: suite.RequirementEvent, Target: name, Requirement: &row})
	}
	return events
}

// whole returns the stream of a run: its footer counts what is above.
func whole(h *suite.Header, elapsed time.Duration, parts ...[]suite.Event) []suite.Event {
	h.Schema, h.Suite, h.Contract = suite.Schema, suite.Version, suite.Contract
	list := slices.Concat(append([][]suite.Event{{{Event: suite.HeaderEvent, Header: h}}}, parts...)...)
	count := make(map[suite.EventKind]int)
	for _, e := range list {
		count[e.Event]++
	}
	return append(list, suite.Event{Event: suite.FooterEvent, Footer: &suite.Footer{Events: count, Elapsed: elapsed}})
}

// check is a check that ended, with what it judged of each requirement.
func check(name string, w spec.Witness, ended suite.Ended, reason string, judged map[string]int64, complete bool) suite.Event {
	var ids []string
	for id := range judged {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return suite.Event{Event: suite.CheckEvent, Check: name, Result: &suite.Result{
		Witness: w, Requirements: ids, Plan: "60 scenarios", Elapsed: 40 * time.Millisecond,
		Outcome: suite.Outcome{Ended: ended, Reason: reason, Judged: judged, Complete: complete, Scenarios: 12, Calls: 31200},
	}}
}

func found(check, id, fingerprint, observed string, evidence ...record.Evidence) suite.Event {
	return suite.Event{Event: suite.FindingEvent, Check: check, Finding: &record.Finding{
		Requirement: id, Witness: "witness", Fingerprint: fingerprint, Expected: "every G taken once", Observed: observed, Evidence: evidence,
		Again: []record.Again{{Kind: record.RunAgain, Command: "spindle check -run '^" + check + "$' -seed 0xff 'exec:./mine -serve'"}},
	}}
}

func caught(subject, name string, w spec.Witness, what, id string) suite.Event {
	c := &suite.Caught{Witness: w, What: what, Ended: suite.Completed}
	if id != "" {
		c.Finding = &record.Finding{Requirement: id, Fingerprint: id, Expected: "every G taken once", Observed: "1 G of 9 [1] never seen again"}
	} else {
		c.Reason = "60 scenarios without a finding"
	}
	return suite.Event{Event: suite.ControlEvent, Target: subject, Check: name, Control: c}
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
func everything() []suite.Event {
	const budget = "12 scenarios when the budget of 1m0s ended"
	mine := one("mine", &suite.Description{
		Version: "v2.1.0", Kind: suite.Child, Subject: "queue", Profile: spec.GoRT, Offers: []string{"runnext"}, Command: "'exec:./mine -serve'",
		Notes:      []string{"the global queue is shared between two pools, so that a share is a share of both; the shorter of the two is looked at first"},
		NotOffered: map[string]string{"RQ-DRAIN": "the target does not offer drain"},
	},
		check("sequence/order", spec.Sequence, suite.Completed, "", map[string]int64{"RQ-LOST": 560, "RQ-CRASH": 560, "RQ-FIFO": 560}, true),
		check("sequence/drain", spec.Sequence, suite.Skipped, "the target does not offer drain", map[string]int64{"RQ-DRAIN": 0}, false),
		found("linearizability/ring", "RQ-TWICE", "RQ-TWICE/get", "1 G of 17 [14], the first by T2 steal P0->P2 = 14 and by T0 get P0 = 14 (runnext)", calls),
		found("linearizability/ring", "RQ-FIFO", "RQ-FIFO/steal", "T1 steal gave 16 before 14", calls),
		check("linearizability/ring", spec.Linearizability, suite.Completed, "", map[string]int64{"RQ-FIFO": 31200, "RQ-TWICE": 31200, "RQ-LOST": 31200}, false),
		found("linearizability/overflow", "RQ-TWICE", "RQ-TWICE/overflow", "1 G of 900 [31], the first by T1 steal P0 = 31 and by the final drain", calls),
		check("linearizability/overflow", spec.Linearizability, suite.Inconclusive, budget, map[string]int64{"RQ-CAPACITY": 12, "RQ-TWICE": 12}, false),
		check("linearizability/empty", spec.Linearizability, suite.Inconclusive, budget, map[string]int64{"RQ-EMPTY-TRUE": 4}, false),
		check("linearizability/len", spec.Linearizability, suite.Inconclusive, "seen after 600 scenarios: 7 calls of len during a steal, want 100", map[string]int64{"RQ-LEN": 4}, false),
		found("interleave/get-steal", "RQ-TWICE", "RQ-TWICE/get", "1 G of 2 [2] by owner and thief", steps),
		found("interleave/get-steal", "RQ-LOST", "RQ-LOST/get", "1 G of 2 [1] never seen again", steps, left),
		check("interleave/get-steal", spec.Interleave, suite.Completed, "", map[string]int64{"RQ-TWICE": 2, "RQ-LOST": 2}, true),
		check("interleave/overflow", spec.Interleave, suite.Error, "the child process ended: exit status 3", map[string]int64{"RQ-OVERFLOW": 0}, true),
	)
	control := one("control", &suite.Description{Version: "go1.26.8", Kind: suite.InProcess, Subject: "queue", Profile: spec.FIFO, Command: "control"},
		found("sequence/order", "RQ-TWICE", "RQ-TWICE", "1 G of 3 [3], by the final drain twice", calls, left),
		found("sequence/order", "RQ-LOST", "RQ-LOST", "1 G of 3 [1] never seen again", calls),
		check("sequence/order", spec.Sequence, suite.Completed, "", map[string]int64{"RQ-LOST": 168, "RQ-TWICE": 168, "RQ-CRASH": 168}, true),
		check("sequence/random", spec.Sequence, suite.Completed, "", map[string]int64{"RQ-FIFO": 9000}, false),
	)
	model := one("model", &suite.Description{Version: "go1.26", Kind: suite.Machine, Subject: "model", Profile: spec.Protocol, Command: "model"},
		check("model/runqueue-drain", spec.Model, suite.Completed, "", map[string]int64{"RQ-GLOBAL-FIFO": 47823}, true),
		found("model/dance", "DN-DEADLOCK", "DN-DEADLOCK", "all Ms stopped, one G waits"),
		check("model/dance", spec.Model, suite.Completed, "", map[string]int64{"DN-DEADLOCK": 512}, true),
	)
	return whole(&suite.Header{
		Go: "go1.26.8", OS: "linux", Arch: "amd64", CPUs: 4, GOMAXPROCS: 4, Seed: 0xff, Budget: "1m0s",
		Begin: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC),
		Known: []suite.Known{
			{Fingerprint: "RQ-FIFO", Target: "mine", URL: "https://example.com/issues/12", Reason: "batches may be split"},
			{Fingerprint: "RQ-FIFO", Target: "control", URL: "https://example.com/issues/13", Reason: "seldom out of order"},
			{Fingerprint: "RQ-CRASH", Target: "control", URL: "https://example.com/issues/14", Reason: "crashed once"},
			{Fingerprint: "RQ-TWICE/long", Target: "control", From: "go1.20", To: "go1.22", URL: "https://example.com/issues/15", Reason: "fixed in go1.23"},
			{Fingerprint: "DN-DEADLOCK", Target: "model", URL: "docs/findings.md", Reason: "a wake-up is lost between two looks"},
		},
	}, 41*time.Second,
		mine, control,
		[]suite.Event{
			{Event: suite.TargetEvent, Target: "go", Ended: suite.Error, Text: "goruntime: no usable go command: exec: \"go\": executable file not found in $PATH\ninstall Go 1.23 or later, or name its go command"},
			{Event: suite.TargetEvent, Target: "slow", Ended: suite.Inconclusive, Text: "suite: the target was not open in time: context deadline exceeded"},
		},
		model,
		[]suite.Event{
			caught("queue", "sequence/random", spec.Sequence, "a ring whose full test is off by one", "RQ-LOST"),
			caught("queue", "linearizability/empty", spec.Linearizability, "a ring that says it is empty when it holds one", ""),
			caught("queue", "interleave/get-steal", spec.Interleave, "a get that moves head by a store", "RQ-TWICE"),
			caught("model", "model/dance", spec.Model, "a dance without the second look", "DN-DEADLOCK"),
		})
}

// clean is a run in which nothing is to be said but that all is kept or known.
func clean() []suite.Event {
	all := map[string]int64{}
	for i := range spec.Requirements {
		if q := &spec.Requirements[i]; q.In(spec.FIFO) && q.Untestable == "" {
			all[q.ID] = 100
		}
	}
	ref := one("ref", &suite.Description{Version: "v1", Kind: suite.InProcess, Subject: "queue", Profile: spec.FIFO},
		found("sequence/order", "RQ-FIFO", "RQ-FIFO/get", "T0 get gave 2 before 1", calls),
		check("sequence/order", spec.Sequence, suite.Completed, "", all, true))
	return whole(&suite.Header{Known: []suite.Known{{Fingerprint: "RQ-FIFO", Target: "ref", URL: "https://example.com/12", Reason: "batches may be split"}}},
		3*time.Second, ref, []suite.Event{caught("queue", "sequence/order", spec.Sequence, "a ring", "RQ-LOST")})
}
