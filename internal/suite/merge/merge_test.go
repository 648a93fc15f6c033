package merge

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
	"github.com/spindle-go/spindle/internal/suite/suitetest"
	"github.com/spindle-go/spindle/spec"
)

// tiny has five checks of three witnesses.
func tiny() *suitetest.Target {
	x := suitetest.Done("interleave/a", 9, "RQ-LOST", "RQ-TWICE")
	x.Complete, x.Executions = true, 146
	return &suitetest.Target{Name: "tiny", Checks: []suitetest.Check{
		x, suitetest.Done("stress/b", 1, "RQ-TWICE"), suitetest.Done("stress/c", 2, "RQ-LOST", "RQ-LEN"),
		suitetest.Done("sequence/d", 3, "RQ-INVENTED"), suitetest.Done("stress/e", 4, "RQ-TWICE"),
	}}
}

// shards runs the targets in n shards; change sees the events of each.
func shards(t testing.TB, n int, o suite.Options, change func(i int, events []suite.Event) []suite.Event, targets ...*suitetest.Target) (list []*Shard) {
	t.Helper()
	for i := 1; i <= n; i++ {
		o.Shard = suite.Shard{I: i, N: n}
		events := suitetest.Run(t.Context(), t, o, targets...)
		if change != nil {
			events = change(i, events)
		}
		s, err := Read(fmt.Sprintf("shard%d", i), bytes.NewReader(suitetest.Encode(events)))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
	return list
}

// result merges, writes, reads and gates.
func result(t testing.TB, list []*Shard) gate.Result {
	t.Helper()
	var b bytes.Buffer
	sink, failed := suite.WriteEvents(&b)
	if err := Streams(sink, list...); err != nil {
		t.Fatal(err)
	}
	if err := failed(); err != nil {
		t.Fatal(err)
	}
	var g gate.Gate
	if err := suite.ReadEvents(&b, g.Event); err != nil {
		t.Fatal(err)
	}
	return g.Result()
}

// says is what a result says, without the order of checks.
func says(r gate.Result) string {
	var b strings.Builder
	fmt.Fprintln(&b, r.Verdict, r.Exit, r.Header.Shard)
	for _, d := range r.Decisions {
		row := d.Row
		checks := slices.Sorted(slices.Values(row.Checks))
		fmt.Fprintln(&b, d.Target, d.Ruling, row.ID, row.Standing, row.Judged, row.Complete, checks, row.Fingerprints)
	}
	for _, t := range r.Targets {
		fmt.Fprintln(&b, t.Target, t.Error, slices.Sorted(slices.Values(t.Checks)))
	}
	return b.String()
}

// TestMergeIsTheWholeRun holds that shards, however many and in whatever order, make
// what one run would have said, and that none of them says it alone.
func TestMergeIsTheWholeRun(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var targets []*suitetest.Target
		for i := range rapid.IntRange(1, 3).Draw(rt, "targets") {
			targets = append(targets, suitetest.Draw(rt, fmt.Sprint("tiny", i)))
		}
		n := rapid.IntRange(1, 3).Draw(rt, "shards")
		n = min(n, len(targets[0].Checks)) // a shard without a check does not run
		list := shards(t, n, suite.Options{Seed: 5}, nil, targets...)
		merged := result(t, rapid.Permutation(list).Draw(rt, "order"))
		var g gate.Gate
		for _, e := range suitetest.Run(t.Context(), t, suite.Options{Seed: 5}, targets...) {
			g.Event(e)
		}
		if a, b := says(merged), says(g.Result()); a != b {
			rt.Fatalf("the shards say\n%s\nthe run says\n%s", a, b)
		}
	})
}

func TestShardAlone(t *testing.T) {
	for _, c := range []struct {
		part    bool
		exit    int
		reasons string
	}{{false, 3, "[this is shard 2/3 of a run: merge first]"}, {true, 0, "[]"}} {
		g := gate.Gate{Part: c.part}
		for _, e := range suitetest.Run(t.Context(), t, suite.Options{Shard: suite.Shard{I: 2, N: 3}}, tiny()) {
			g.Event(e)
		}
		if r := g.Result(); r.Exit != c.exit || fmt.Sprint(r.Reasons) != c.reasons {
			t.Errorf("part %v: exit %d: %v", c.part, r.Exit, r.Reasons)
		}
	}
}

// TestMergeFailsClosed gives the merge what does not make one run.
func TestMergeFailsClosed(t *testing.T) {
	// second changes the target of the second shard.
	second := func(change func(*suitetest.Target)) func() []*Shard {
		return func() []*Shard {
			list := shards(t, 2, suite.Options{}, nil, tiny())
			other := tiny()
			change(other)
			return []*Shard{list[0], shards(t, 2, suite.Options{}, func(_ int, e []suite.Event) []suite.Event {
				e[0].Header.Chosen = list[0].header.Chosen
				return e
			}, other)[1]}
		}
	}
	changed := func(change func(*suite.Header)) func() []*Shard {
		return func() []*Shard {
			list := shards(t, 2, suite.Options{}, nil, tiny())
			change(list[1].header)
			return list
		}
	}
	three := func() []*Shard { return shards(t, 3, suite.Options{}, nil, tiny()) }
	for _, c := range []struct {
		name string
		list func() []*Shard
		says string
	}{
		{"none", func() []*Shard { return nil }, "expected streams, saw none"},
		{"missing", func() []*Shard { return three()[:2] }, "expected 3 streams, saw 2"},
		{"doubled", func() []*Shard { l := three(); return []*Shard{l[0], l[1], l[1]} }, "shard 2/3 twice"},
		{"one more", func() []*Shard { l := three(); return append(l, l[0]) }, "expected 3 streams, saw 4"},
		{"no shard", changed(func(h *suite.Header) { h.Shard = "" }), `expected a shard such as 2/3, saw ""`},
		{"no number", changed(func(h *suite.Header) { h.Shard = "2/2x" }), `saw "2/2x"`},
		{"0", changed(func(h *suite.Header) { h.Shard = "0/2" }), `saw "0/2"`},
		{"sign", changed(func(h *suite.Header) { h.Shard = "+2/2" }), `saw "+2/2"`},
		{"beyond", changed(func(h *suite.Header) { h.Shard = "3/2" }), `saw "3/2"`},
		{"another count", changed(func(h *suite.Header) { h.Shard = "2/3" }), "is shard 2/3: expected 3 streams, saw 2"},
		{"seed", changed(func(h *suite.Header) { h.Seed++ }), "seed of shard1 is "},
		{"suite", changed(func(h *suite.Header) { h.Suite = "0.0" }), "suite of shard1 is "},
		{"go", changed(func(h *suite.Header) { h.Go = "go1.1" }), "go of shard1 is "},
		{"arch", changed(func(h *suite.Header) { h.Arch = "pdp11" }), "arch of shard1 is "},
		{"budget", changed(func(h *suite.Header) { h.Budget = "1s" }), "budget of shard1 is "},
		{"selection", changed(func(h *suite.Header) { h.Select = "RQ-LOST" }), "select of shard1 is "},
		{"strict", changed(func(h *suite.Header) { h.Strict = true }), "strict of shard1 is "},
		{"known", changed(func(h *suite.Header) { h.Known = []suite.Known{{Fingerprint: "RQ-LOST"}} }), "known of shard1 is "},
		{"checks", changed(func(h *suite.Header) { h.Chosen = "" }), "chosen of shard1 is "},
		{"targets", changed(func(h *suite.Header) { h.Targets = []string{"other"} }), "targets of shard1 is "},
		{"name", func() []*Shard {
			return shards(t, 2, suite.Options{}, func(i int, events []suite.Event) []suite.Event {
				for k := range events {
					if i == 2 && events[k].Target == "tiny" {
						events[k].Target = "other"
						if events[k].Description != nil {
							events[k].Description.Name = "other"
						}
					}
				}
				return events
			}, tiny())
		}, `target "tiny" where shard2 has "other"`},
		{"version", second(func(t *suitetest.Target) { t.Version = "2" }), `target "tiny" is`},
		{"not offered", second(func(t *suitetest.Target) { t.NotOffered = map[string]string{"RQ-RACE": "it has none"} }), `target "tiny" is`},
		{"not open", second(func(t *suitetest.Target) { t.Err = errors.New("it is not there") }), `target "tiny" was open in one of`},
		{"a check twice", second(func(t *suitetest.Target) { t.Checks[1], t.Checks[0] = t.Checks[0], t.Checks[1] }), `check "interleave/a" of target "tiny" in two shards`},
		{"a control is missing", second(func(t *suitetest.Target) {
			t.Controls = map[spec.Witness][]suitetest.Control{spec.Stress: nil}
		}), `shard2 has no control for checker "stress"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			sent := 0
			err := Streams(func(suite.Event) { sent++ }, c.list()...)
			if !errors.Is(err, ErrShards) || !strings.Contains(err.Error(), c.says) || sent > 0 {
				t.Errorf("expected %v with %q, and nothing written, saw %v, %d events", ErrShards, c.says, err, sent)
			}
		})
	}
}

// TestControlsOfAll: a control that came with a check of one shard is one of the whole run, counted again.
func TestControlsOfAll(t *testing.T) {
	list := shards(t, 2, suite.Options{}, nil, tiny())
	other := tiny()
	other.Controls = map[spec.Witness][]suitetest.Control{spec.Stress: {suitetest.Caught, suitetest.Caught}}
	list[1] = shards(t, 2, suite.Options{}, func(_ int, e []suite.Event) []suite.Event {
		e[0].Header.Chosen = list[0].header.Chosen
		return e
	}, other)[1]
	var of []string
	if err := Streams(func(e suite.Event) {
		if e.Control != nil && e.Control.Witness == spec.Stress {
			of = append(of, fmt.Sprintf("%d of %d", e.Control.Nth, e.Control.Of))
		}
	}, list...); err != nil || fmt.Sprint(of) != "[1 of 2 2 of 2]" {
		t.Errorf("saw %v, %v", of, err)
	}
}

func TestReadFailsClosed(t *testing.T) {
	whole := suitetest.Encode(suitetest.Run(t.Context(), t, suite.Options{Shard: suite.Shard{I: 1, N: 2}}, tiny()))
	if _, err := Read("cut", bytes.NewReader(whole[:len(whole)-1])); !errors.Is(err, suite.ErrTruncated) {
		t.Errorf("expected %v, saw %v", suite.ErrTruncated, err)
	}
	old := suitetest.Run(t.Context(), t, suite.Options{Shard: suite.Shard{I: 1, N: 2}}, tiny())
	old[0].Header.Contract = "1"
	if _, err := Read("old", bytes.NewReader(suitetest.Encode(old))); !errors.Is(err, ErrShards) {
		t.Errorf("expected %v, saw %v", ErrShards, err)
	}
}

// TestMissedControl holds that what a witness missed in one shard is not made good by
// another.
func TestMissedControl(t *testing.T) {
	for _, at := range []int{1, 2} {
		list := shards(t, 2, suite.Options{}, func(i int, events []suite.Event) []suite.Event {
			for _, e := range events {
				if i == at && e.Control != nil && e.Control.Witness == spec.Stress {
					e.Control.Finding, e.Control.Reason = nil, "nothing was found"
				}
			}
			return events
		}, tiny())
		r := result(t, list)
		if r.Exit != 3 || len(r.Reasons) != 1 || !strings.Contains(r.Reasons[0], "stress/control did not catch") {
			t.Errorf("shard %d: exit %d: %v", at, r.Exit, r.Reasons)
		}
	}
}

// TestFooter holds that the run is interrupted if a shard is, and took what all took.
func TestFooter(t *testing.T) {
	list := shards(t, 2, suite.Options{}, func(i int, events []suite.Event) []suite.Event {
		f := events[len(events)-1].Footer
		f.Elapsed, f.Interrupted = 3, i == 2
		return events
	}, tiny())
	if r := result(t, list); r.Exit != exit.Interrupted || r.Footer.Elapsed != 6 {
		t.Errorf("exit %d, %v", r.Exit, r.Footer.Elapsed)
	}
}

// TestNotOpen holds that a target that no shard could open is not open in the run.
func TestNotOpen(t *testing.T) {
	list := shards(t, 2, suite.Options{}, nil, tiny(), &suitetest.Target{Name: "absent", Err: errors.New("it is not there"), Checks: tiny().Checks})
	if r := result(t, list); r.Exit != 4 || !slices.Equal(r.Reasons, []string{"absent: it is not there"}) {
		t.Errorf("exit %d: %v", r.Exit, r.Reasons)
	}
}
