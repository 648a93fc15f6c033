package checks

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

func enumerationOf(t *testing.T, p spec.Profile, caps queue.Capabilities) *enumeration {
	t.Helper()
	c, ok := p.Contract()
	if !ok {
		t.Fatalf("%s is no contract", p)
	}
	return newEnumeration(facts{profile: p, contract: c, caps: caps, kind: suite.InProcess})
}

// TestPlanIsAll holds the scenarios of a size against all combinations of scripts that
// there are, written down without a thought of symmetry: of those that differ in the
// names of threads alone, exactly one is there.
func TestPlanIsAll(t *testing.T) {
	for _, p := range []spec.Profile{spec.FIFO, "fifo,puts=any,gets=any", "fifo,steals=none,puts=any"} {
		e := enumerationOf(t, p, queue.Capabilities{Len: true})
		e.states = e.states[:1]
		for _, of := range sizes[:5] {
			// A thread is a letter for its role and its script; those beside the owner
			// may stand in any order.
			want := make(map[string]bool)
			var build func(left, threads int, so []string)
			build = func(left, threads int, so []string) {
				if left == 0 {
					if threads == 0 && strings.ContainsAny(strings.Join(so, ""), "pgs") {
						others := slices.Sorted(slices.Values(so[1:]))
						want[so[0]+" "+strings.Join(others, " ")] = true
					}
					return
				}
				if threads == 0 {
					return
				}
				for r := range e.roles {
					for k := 1; k <= left; k++ {
						words(e.roles[r].calls, k, nil, func(w []string) bool {
							build(left-k, threads-1, append(slices.Clone(so), fmt.Sprint(r, ":", strings.Join(w, ""))))
							return true
						})
					}
				}
			}
			for own := 0; own < of.calls; own++ {
				words(e.owner.calls, own, nil, func(w []string) bool {
					threads := of.threads
					if own > 0 {
						threads--
					}
					build(of.calls-own, threads, []string{"owner:" + strings.Join(w, "")})
					return true
				})
			}
			seen := make(map[string]int)
			e.casts(of, func(c cast) bool {
				if len(c.owner) > 0 && len(c.others)+1 != of.threads || len(c.owner) == 0 && len(c.others) != of.threads {
					t.Fatalf("%s, %v: %+v", p, of, c)
				}
				var others []string
				for _, o := range c.others {
					r := 0
					for o.role != &e.roles[r] {
						r++
					}
					others = append(others, fmt.Sprint(r, ":", strings.Join(o.script, "")))
				}
				slices.Sort(others)
				seen["owner:"+strings.Join(c.owner, "")+" "+strings.Join(others, " ")]++
				return true
			})
			for name := range want {
				if seen[name] != 1 {
					t.Fatalf("%s, %v: %q is there %d times", p, of, name, seen[name])
				}
			}
			if len(seen) != len(want) || len(want) == 0 {
				t.Errorf("%s, %v: %d scenarios, want %d", p, of, len(seen), len(want))
			}
			list := e.all(of)
			for i := range list {
				if err := list[i].Check(); err != nil {
					t.Fatal(err)
				}
			}
			n := len(list)
			if n != len(want) || e.count(of, 1<<30) != n {
				t.Errorf("%s, %v: %d scenarios, count says %d, want %d", p, of, n, e.count(of, 1<<30), len(want))
			}
		}
	}
}

// TestPlanGoesOn: of sizes that are too large, a plan has the scenarios in which every call
// changes a queue, all of them, and says so.
func TestPlanGoesOn(t *testing.T) {
	e := enumerationOf(t, spec.FIFO, queue.Capabilities{Len: true})
	e.states = e.states[:1]
	looks := func(s record.Scenario) bool {
		for _, th := range s.Threads {
			if strings.ContainsAny(th.Script, "el") {
				return true
			}
		}
		return false
	}
	full := 0
	for _, of := range sizes[:2] {
		full += e.count(of, 1<<30)
	}
	want := make(map[string]bool) // by their threads
	for _, of := range sizes[2:4] {
		for _, s := range e.all(of) {
			if !looks(s) {
				want[fmt.Sprint(s.Threads)] = true
			}
		}
	}
	list, which := e.plan(effort{4, full, 1 << 30})
	if !strings.Contains(which, "2 threads and at most 3 calls, and of 3 threads and 3 calls and of 2 threads and 4 calls in which every call changes a queue") {
		t.Errorf("it is called %q", which)
	}
	names := make(map[string]bool)
	for i, s := range list {
		names[s.Name] = true
		if i < full {
			continue
		}
		if !want[fmt.Sprint(s.Threads)] {
			t.Errorf("%s: %v is too much, or is there twice", s.Name, s.Threads)
		}
		delete(want, fmt.Sprint(s.Threads))
	}
	if len(want) > 0 || len(names) != len(list) {
		t.Errorf("%d are missing; %d names of %d", len(want), len(names), len(list))
	}
	// One that does not fit is left out, and a smaller one behind it is not.
	third := e.changing().count(sizes[2], 1<<30)
	if list, which := e.plan(effort{4, full, third}); len(list) != full+third || strings.Contains(which, "4 calls") {
		t.Errorf("%d scenarios of %s, want %d", len(list), which, full+third)
	}
	if list, which := e.plan(effort{4, full, 0}); len(list) != full || strings.Contains(which, "changes") {
		t.Errorf("%d scenarios of %s, want %d", len(list), which, full)
	}
}

// TestLeave: what a search is told to leave out is in none of its scenarios, and is there
// otherwise.
func TestLeave(t *testing.T) {
	caps := queue.Capabilities{Len: true, Batch: true, PutBatch: true, Moves: true, Capacity: 8, Resize: true, Sizes: []int{2, 4}}
	f := enumerationOf(t, spec.Tokio, caps).facts
	has := map[string]func(record.Scenario) bool{
		"tail": func(s record.Scenario) bool { return s.After != "" },
		"threads": func(s record.Scenario) bool {
			return len(s.Threads) > 2 && s.Threads[2].Script != "" && s.Threads[1].Script != "" && s.Threads[0].Script != ""
		},
		"sizes":   func(s record.Scenario) bool { return s.Capacity != 0 },
		"batches": func(s record.Scenario) bool { return strings.Contains(s.Threads[0].Script, "b") || s.Ps > 2 },
	}
	for _, w := range Leave {
		list, _ := newEnumeration(f).plan(effort{3, 20_000, 0})
		if !slices.ContainsFunc(list, has[w]) {
			t.Errorf("%s: in none of %d scenarios", w, len(list))
		}
		list, _ = newEnumeration(f.without([]string{w})).plan(effort{3, 20_000, 0})
		if slices.ContainsFunc(list, has[w]) || len(list) == 0 {
			t.Errorf("without %s: still in one of %d scenarios", w, len(list))
		}
	}
}

// TestSequencesTakeBatches: where the queue is large enough, a batch of the global queue has
// several Gs for the ring, so that their order shows.
func TestSequencesTakeBatches(t *testing.T) {
	for capacity, want := range map[int]bool{256: true, 4: false} {
		f := enumerationOf(t, spec.GoRT, queue.Capabilities{RunNext: true, Batch: true, Global: true, Moves: true, Capacity: capacity}).facts
		list, _ := sequences(f)
		if got := slices.ContainsFunc(list, func(s record.Scenario) bool {
			return s.Capacity == 0 && strings.Contains(s.Threads[0].Script, "qqqq") && strings.Contains(s.Threads[0].Script, "m4")
		}); got != want {
			t.Errorf("a ring of %d: a batch of four: %v, want %v", capacity, got, want)
		}
	}
}

// TestLaps: beside each call of another thread that changes a queue, from each state of a
// small ring, the owner's calls move its indices by one ring, and by two.
func TestLaps(t *testing.T) {
	caps := queue.Capabilities{Len: true, Capacity: 4, Resize: true, Sizes: []int{1, 2}}
	f := enumerationOf(t, "fifo,puts=any,gets=any", caps).facts
	states := newEnumeration(f).states
	list, _ := laps(f)
	seen := make(map[string]bool)
	for _, s := range list {
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		others := slices.DeleteFunc(slices.Clone(s.Threads[1:]), func(th record.Thread) bool { return th.Script == "" })
		n := s.Capacity * 2
		if len(others) != 1 || s.Threads[0].Script != strings.Repeat("pg", n/2) && s.Threads[0].Script != strings.Repeat("pg", n) {
			t.Fatalf("%s: %+v", s.Name, s.Threads)
		}
		seen[fmt.Sprint(s.Capacity, s.Before, s.Start, others[0].Script, len(s.Threads[0].Script)/n)] = true
	}
	if want := len(states) * 3 * 2; len(list) != want || len(seen) != want { // a steal, a put and a get
		t.Errorf("%d scenarios, %d different, want %d", len(list), len(seen), want)
	}
	large := enumerationOf(t, spec.FIFO, queue.Capabilities{Capacity: 256}).facts
	if list, _ := laps(large); len(list) > 0 {
		t.Errorf("a ring of 256 has %d scenarios", len(list))
	}
}

// TestTailCallsAll: the quiet tail makes every call that the target offers and its
// contract speaks of, and so no scenario is without one.
func TestTailCallsAll(t *testing.T) {
	caps := queue.Capabilities{RunNext: true, Batch: true, PutBatch: true, Drain: true, Len: true, Capacity: 4, Resize: true, Sizes: []int{2, 4}, Start: true, Moves: true, Global: true}
	for _, p := range []spec.Profile{spec.Core, spec.GoRT, spec.Tokio, "lifo-deque,steals=none"} {
		e := enumerationOf(t, p, caps)
		for i := range e.states {
			calls, err := record.ParseQuiet(e.tailOf(&e.states[i]))
			if err != nil {
				t.Fatal(err)
			}
			for _, k := range record.Kinds() {
				made := slices.ContainsFunc(calls, func(q record.QuietCall) bool { return q.Kind == k })
				if e.allowed(k) && !made && k != record.StealNext {
					t.Errorf("%s, state %+v: the tail makes no %v", p, e.states[i], k)
				}
				if !e.allowed(k) && made {
					t.Errorf("%s: the tail makes a %v, of which the contract does not speak", p, k)
				}
			}
		}
	}
}

// TestPartsAreAll: each scenario belongs to one part.
func TestPartsAreAll(t *testing.T) {
	for of := 1; of <= 8; of++ {
		var n [8]int
		for i := range 10_000 {
			in := 0
			for p := range of {
				if inPart(i, harness.Part{I: p, Of: of}) {
					in++
					n[p]++
				}
			}
			if in != 1 {
				t.Fatalf("scenario %d is in %d of %d parts", i, in, of)
			}
		}
		for p := range of {
			if n[p] < 10_000/of*8/10 {
				t.Errorf("part %d of %d has %d of 10000", p, of, n[p])
			}
		}
	}
}

// TestCutAfterFinding: scenarios that were left out since something was found long before
// leave the requirements that are not broken unknown.
func TestCutAfterFinding(t *testing.T) {
	target, err := Instrumented("tail first", spec.FIFO, queue.Single(func() queue.Queue { return new(tailFirst) }))
	if err != nil {
		t.Fatal(err)
	}
	Short(target)
	at := slices.IndexFunc(all, func(c check) bool { return c.name == "interleave/all" })
	// As many scenarios as leave some out.
	c := all[at]
	c.enumerates = func(f facts) ([]record.Scenario, string) {
		list, which := enumerated(f)
		first := record.Scenario{
			Name: "wrong", Ps: 1, Before: "T0:p",
			Threads: []record.Thread{{P: 0, Script: "p"}, {P: record.None, Script: "s"}, {P: record.None, Script: "e"}},
		}
		return append([]record.Scenario{first}, slices.Repeat(list, 3)...), which
	}
	out, events := carriedOn(t, t.Context(), c, target)
	broken := brokenIDs(events)
	if !slices.Equal(broken, []string{"RQ-EMPTY-TRUE"}) || out.Cut["RQ-FIFO"] == "" || out.Complete || !strings.HasPrefix(out.Note, "of ") {
		t.Errorf("broken %v, cut %v, complete %v, note %q", broken, out.Cut, out.Complete, out.Note)
	}
}

// TestWhole puts the reports of two parts together: both findings are there, and the whole
// is complete if both are, and if both are there.
func TestWhole(t *testing.T) {
	const name = "interleave/all"
	part := func(ended suite.Ended, complete, some bool, fingerprints ...string) (r Report) {
		for _, f := range fingerprints {
			r.Events = append(r.Events, suite.Event{Event: suite.FindingEvent, Check: name, Finding: &record.Finding{Requirement: f, Fingerprint: f}})
		}
		r.Events = append(r.Events, suite.Event{Event: suite.CheckEvent, Check: name, Result: &suite.Result{
			Outcome: suite.Outcome{Ended: ended, Reason: "as it is", Complete: complete, Scenarios: 3, Judged: map[string]int64{"RQ-FIFO": 2}},
		}})
		sum := interleave.Certificate{Executions: 5, Steps: 7, Ended: "exhausted"}
		sum.Exhausted.Classes = true
		r.Certificates = []Certificate{{name, "all 6 scenarios", sum, some}}
		return r
	}
	right := part(suite.Completed, true, false)
	// The result of another check that has none of this one's name.
	other := Report{Events: []suite.Event{{Event: suite.CheckEvent, Check: "interleave/steal", Result: &suite.Result{Outcome: suite.Outcome{Ended: suite.Completed, Complete: true, Note: "its own"}}}}}
	stepless := right
	stepless.Certificates = []Certificate{{Check: name, Which: "all 6 scenarios"}}
	for what, c := range map[string]struct {
		parts     []Report
		found     string
		ended     suite.Ended
		complete  bool
		scenarios int
		says      string // in the note, or in the reason
	}{
		"both complete":       {[]Report{right, right}, "", suite.Completed, true, 6, "all 6 scenarios: complete: 10 executions"},
		"findings of both":    {[]Report{part(suite.Completed, true, false, "RQ-FIFO"), part(suite.Completed, false, false, "RQ-FIFO", "RQ-LOST")}, "RQ-FIFO RQ-LOST", suite.Completed, false, 6, "of 6 scenarios, not all"},
		"one out of time":     {[]Report{right, part(suite.Inconclusive, false, false)}, "", suite.Inconclusive, false, 6, "as it is"},
		"one without result":  {[]Report{right, other}, "", suite.Inconclusive, false, 3, "of 2 processes that explored it, 1 reported no result"},
		"the other one":       {[]Report{{}, right}, "", suite.Inconclusive, false, 3, "1 reported no result"},
		"none with a result":  {[]Report{other, {}}, "", suite.Inconclusive, false, 0, "2 reported no result"},
		"found, and no more":  {[]Report{{Events: part(suite.Completed, true, false, "RQ-LOST").Events[:1]}, right}, "RQ-LOST", suite.Inconclusive, false, 3, "1 reported no result"},
		"no step":             {[]Report{stepless, stepless}, "", suite.Inconclusive, false, 6, "no operation that can be controlled"},
		"not all orders":      {[]Report{part(suite.Completed, false, true), right}, "", suite.Completed, false, 6, "not all orders of the calls were checked"},
		"one process for all": {[]Report{right}, "", suite.Completed, true, 3, "all 6 scenarios: complete: 5 executions"},
	} {
		events := Whole([]suite.Check{{Name: name, Witness: spec.Interleave}}, c.parts)
		var found []string
		for _, e := range events[:len(events)-1] {
			found = append(found, e.Finding.Requirement)
		}
		last := events[len(events)-1].Result
		if strings.Join(found, " ") != c.found || last.Ended != c.ended || last.Complete != c.complete || last.Scenarios != c.scenarios || last.Judged["RQ-FIFO"] != int64(2*c.scenarios/3) {
			t.Errorf("%s: found %v, result %+v", what, found, last)
		}
		if !strings.Contains(last.Reason+last.Note, c.says) {
			t.Errorf("%s: reason %q, note %q, want %q", what, last.Reason, last.Note, c.says)
		}
	}
	// Of a check that one process has whole, one result is all, and stays as it is.
	events := Whole([]suite.Check{{Name: "interleave/steal"}}, []Report{{}, other})
	if len(events) != 1 || !events[0].Result.Complete || events[0].Result.Note != "its own" {
		t.Errorf("a check of one process: %+v", events[0].Result)
	}
}

// TestUnusedIsSaid: what a target offers and no check calls is said.
func TestUnusedIsSaid(t *testing.T) {
	caps := queue.Capabilities{RunNext: true, Batch: true, Global: true, Len: true}
	for p, want := range map[spec.Profile]string{
		spec.FIFO: "put next, steal next, global put, global get, steals from queue to queue",
		spec.Core: "put next, steal next, global put, global get, steals from queue to queue",
		spec.GoRT: "",
	} {
		if got := strings.Join(enumerationOf(t, p, caps).unused(), ", "); got != want {
			t.Errorf("%s: unused %q, want %q", p, got, want)
		}
	}
}
