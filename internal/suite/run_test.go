package suite_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
	"github.com/spindle-go/spindle/internal/suite/suitetest"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// standing returns where a requirement stands.
func standing(r gate.Result, id string) suite.Standing {
	for _, d := range r.Decisions {
		if d.Row.ID == id {
			return d.Row.Standing
		}
	}
	return ""
}

func TestCounters(t *testing.T) {
	for name, c := range map[string]struct {
		counter   *counter
		sum, same suite.Standing
		exit      int
	}{
		"right":   {right(), suite.Kept, suite.Kept, 0},
		"forgets": {forgets(), suite.Broken, suite.Kept, 1},
		"fickle":  {fickle(), suite.Kept, suite.Broken, 1},
	} {
		r, events := judge(t, suite.Options{Seed: 1}, counters(), c.counter)
		if standing(r, sumID) != c.sum || standing(r, sameID) != c.same || r.Exit != c.exit {
			t.Errorf("%s: %s %s, %s %s, exit %d: %v", name, sumID, standing(r, sumID), sameID, standing(r, sameID), r.Exit, r.Reasons)
		}
		if kinds := kindsOf(events); kinds[0] != suite.HeaderEvent || kinds[len(kinds)-1] != suite.FooterEvent {
			t.Errorf("%s: events %v, want a header first and a footer last", name, kinds)
		}
	}
}

func kindsOf(events []suite.Event) (kinds []suite.EventKind) {
	for _, e := range events {
		kinds = append(kinds, e.Event)
	}
	return kinds
}

// TestAKnownFailureHidesNothing: a counter with two faults, one of them known, is
// red by the other one, and what is known is not.
func TestAKnownFailureHidesNothing(t *testing.T) {
	both := forgets()
	both.read = fickle().read
	known := []suite.Known{{Fingerprint: sumID, Target: "counter", URL: "https://example.org/1", Reason: "it forgets"}}
	r, _ := judge(t, suite.Options{Seed: 1, Known: known}, counters(), both)
	if r.Exit != 1 || len(r.Reasons) != 1 || !strings.Contains(r.Reasons[0], sameID) {
		t.Errorf("exit %d: %v, want 1 for %s alone", r.Exit, r.Reasons, sameID)
	}
	if r, _ := judge(t, suite.Options{Seed: 1, Known: known}, counters(), forgets()); r.Exit != 0 || r.Count(gate.Known) != 1 {
		t.Errorf("exit %d, %d known: %v, want a pass with one known", r.Exit, r.Count(gate.Known), r.Reasons)
	}
}

// TestNothingIsKeptWithoutACall, nor by a check that did not come to its end.
func TestNothingIsKeptWithoutACall(t *testing.T) {
	for name, c := range map[string]struct {
		out  suite.Outcome
		want suite.Standing
		exit int
	}{
		"a call":       {suite.Outcome{Ended: suite.Completed, Judged: map[string]int64{sumID: 1}}, suite.Kept, 0},
		"no call":      {suite.Outcome{Ended: suite.Completed, Calls: 9, Judged: map[string]int64{sameID: 9}}, suite.Unknown, 3},
		"cut":          {suite.Outcome{Ended: suite.Completed, Judged: map[string]int64{sumID: 1}, Cut: map[string]string{sumID: "half of it"}}, suite.Unknown, 3},
		"inconclusive": {suite.Outcome{Ended: suite.Inconclusive, Judged: map[string]int64{sumID: 1}}, suite.Unknown, 3},
		"error":        {suite.Outcome{Ended: suite.Error, Judged: map[string]int64{sumID: 1}}, suite.Unknown, 4},
		"skipped":      {suite.Outcome{Ended: suite.Skipped, Reason: "it cannot"}, suite.NotOffered, 3},
		"no outcome":   {suite.Outcome{Judged: map[string]int64{sumID: 1}}, suite.Unknown, 4},
	} {
		s := counters()
		s.Checks = []suite.Check{random}
		s.Checks[0].Requirements = []string{sumID}
		s.Checks[0].Run = func(context.Context, suite.Target, *suite.Task) suite.Outcome { return c.out }
		r, _ := judge(t, suite.Options{Seed: 1}, s, right())
		if got := standing(r, sumID); got != c.want || r.Exit != c.exit {
			t.Errorf("%s: %s, exit %d, want %s, exit %d: %v", name, got, r.Exit, c.want, c.exit, r.Reasons)
		}
	}
}

// TestControlThatIsNotCaught: a witness that misses what is wrong on purpose has
// shown nothing.
func TestControlThatIsNotCaught(t *testing.T) {
	for name, c := range map[string]struct {
		open func() (suite.Target, error)
		exit int
	}{
		"right":     {func() (suite.Target, error) { return right(), nil }, 3},
		"otherwise": {func() (suite.Target, error) { return fickle(), nil }, 3}, // another requirement falls
		"gone":      {func() (suite.Target, error) { return nil, errors.New("gone") }, 4},
	} {
		s := counters()
		s.Controls[0].Open = c.open
		if r, _ := judge(t, suite.Options{Seed: 1}, s, right()); r.Exit != c.exit {
			t.Errorf("%s: exit %d, want %d: %v", name, r.Exit, c.exit, r.Reasons)
		}
		s.Controls = nil
		if r, _ := judge(t, suite.Options{Seed: 1}, s, right()); r.Exit != 3 {
			t.Errorf("without a control: exit %d, want 3", r.Exit)
		}
	}
}

// TestControlOfASample: a check that is a sample has three tries to catch what is wrong, each with a seed and a target of its own. Another check has one.
func TestControlOfASample(t *testing.T) {
	for name, c := range map[string]struct {
		sample       bool
		misses       int // so often a target is opened that is right
		opened, exit int
	}{
		"caught at once":      {true, 0, 1, 0},
		"caught at the third": {true, 2, 3, 0},
		"never caught":        {true, 9, 3, 3},
		"no sample":           {false, 1, 1, 3},
	} {
		s, opened, seeds := counters(), 0, make(map[record.Seed]bool)
		control := &s.Controls[0]
		control.Check.Sample = c.sample
		control.Check.Run = func(ctx context.Context, t suite.Target, k *suite.Task) suite.Outcome {
			seeds[k.Seed] = true
			return random.Run(ctx, t, k)
		}
		control.Open = func() (suite.Target, error) {
			if opened++; opened <= c.misses {
				return right(), nil
			}
			return forgets(), nil
		}
		r, events := judge(t, suite.Options{Seed: 1}, s, right())
		if r.Exit != c.exit || opened != c.opened || len(seeds) != c.opened {
			t.Errorf("%s: expected exit %d after %d tries, saw exit %d after %d, with %d seeds: %v", name, c.exit, c.opened, r.Exit, opened, len(seeds), r.Reasons)
		}
		if n := len(slices.DeleteFunc(events, func(e suite.Event) bool { return e.Event != suite.ControlEvent })); n != 1 {
			t.Errorf("%s: expected one event of the control, saw %d", name, n)
		}
	}
}

// TestBudgets: opening and checks end with the budget or an interrupt, and the
// footer comes all the same.
func TestBudgets(t *testing.T) {
	wait := func(ctx context.Context, _ func(string)) (suite.Target, error) { <-ctx.Done(); return nil, ctx.Err() }
	deaf := func(context.Context, func(string)) (suite.Target, error) { select {} }
	for name, open := range map[string]func(context.Context, func(string)) (suite.Target, error){"waits": wait, "deaf": deaf} {
		begin := time.Now()
		r, err := gate.Run(t.Context(), suite.Options{Budget: 20 * time.Millisecond}, suite.Source{Name: "slow", Subject: counters(), Open: open})
		if err != nil || r.Exit != 3 || time.Since(begin) > 3*time.Second {
			t.Errorf("%s: exit %d after %v, %v: %v", name, r.Exit, time.Since(begin), err, r.Reasons)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	s := counters()
	s.Checks[0].Run = func(ctx context.Context, _ suite.Target, k *suite.Task) suite.Outcome {
		cancel()
		<-ctx.Done()
		return k.Stopped(ctx, "1 of 2")
	}
	r, err := gate.Run(ctx, suite.Options{}, suite.Opened(s, right()))
	if err != nil || r.Exit != 130 || !r.Interrupted || standing(r, sumID) != suite.Unknown {
		t.Errorf("interrupted: exit %d, %v: %v", r.Exit, err, r.Reasons)
	}
	r, err = gate.Run(t.Context(), suite.Options{}, suite.Source{Name: "gone", Subject: counters(), Open: func(context.Context, func(string)) (suite.Target, error) {
		return nil, errors.New("cannot be had")
	}})
	if err != nil || r.Exit != 4 {
		t.Errorf("a target that cannot be opened: exit %d, %v", r.Exit, err)
	}
}

// TestFindings: a check sends each fingerprint once, and no more than it may.
func TestFindings(t *testing.T) {
	s := counters()
	s.Checks[0].Run = func(_ context.Context, _ suite.Target, k *suite.Task) suite.Outcome {
		for i := range 100 {
			if again := k.Find(record.Finding{Requirement: sumID, Fingerprint: sumID}); again != (i == 0) {
				t.Errorf("finding %d sent: %v", i, again)
			}
			k.Find(record.Finding{Requirement: sameID, Fingerprint: sameID + "/" + string(rune('A'+i))})
		}
		if !k.Broken(sumID) || !k.Found(sumID) || k.Found("RQ-FIFO") {
			t.Error("what was found is not known")
		}
		return suite.Outcome{Ended: suite.Completed}
	}
	_, events := judge(t, suite.Options{}, s, right())
	n, last := 0, ""
	for _, e := range events {
		if e.Event == suite.FindingEvent {
			n, last = n+1, e.Finding.Fingerprint
			if e.Finding.Witness != string(spec.Sequence) {
				t.Errorf("finding of witness %q", e.Finding.Witness)
			}
		}
	}
	// What is above the bound is one more finding, so that it is not lost.
	if n != 33 || last != sameID+"/more" {
		t.Errorf("expected 32 findings and %s/more, saw %d, the last %s", sameID, n, last)
	}
}

// TestStreamIsReadAgain: what was written is read as it was, and judged the same.
func TestStreamIsReadAgain(t *testing.T) {
	for _, c := range []*counter{right(), forgets(), fickle()} {
		var b bytes.Buffer
		sink, failed := suite.WriteEvents(&b)
		var wrote []suite.Event
		collect := suitetest.Collect(&wrote)
		r, err := gate.Run(t.Context(), suite.Options{Seed: 1 << 63, Sink: func(e suite.Event) { sink(e); collect(e) }}, suite.Opened(counters(), c))
		if err != nil || failed() != nil {
			t.Fatal(err, failed())
		}
		var g gate.Gate
		var read []suite.Event
		if err := suite.ReadEvents(&b, func(e suite.Event) { g.Event(e); read = append(read, e) }); err != nil {
			t.Fatal(err)
		}
		if again := g.Result(); again.Exit != r.Exit || !slices.Equal(again.Reasons, r.Reasons) || len(read) != len(wrote) {
			t.Errorf("exit %d: %v, read again %d: %v", r.Exit, r.Reasons, again.Exit, again.Reasons)
		}
		for i := range read[:len(read)-1] {
			if read[i].Header != nil {
				read[i].Header.Begin, wrote[i].Header.Begin = time.Time{}, time.Time{}
			}
			if !reflect.DeepEqual(read[i], wrote[i]) {
				t.Errorf("line %d: wrote %+v, read %+v", i+1, wrote[i], read[i])
			}
		}
	}
}

func TestSelect(t *testing.T) {
	for sel, want := range map[string]error{"": nil, "sums": nil, sumID: nil, sumID + "," + sameID: nil, "RQ-NOPE": suite.ErrSelect, "(": suite.ErrSelect, "^none$": suite.ErrNothing, "RQ-FIFO": suite.ErrNothing} {
		if _, err := gate.Run(t.Context(), suite.Options{Select: sel}, suite.Opened(counters(), right())); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", sel, err, want)
		}
	}
	if err := suite.Run(t.Context(), suite.Options{}); !errors.Is(err, suite.ErrNothing) {
		t.Errorf("no target: %v", err)
	}
}

func TestWriteEventsSaysWhatFailed(t *testing.T) {
	sink, failed := suite.WriteEvents(fullDisk{})
	sink(suite.Event{Event: suite.HeaderEvent})
	if err := failed(); err == nil || !strings.Contains(err.Error(), "no space") {
		t.Errorf("error %v", err)
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// TestProcessorsStay holds that a run leaves the processors as they are, and says how many they were.
func TestProcessorsStay(t *testing.T) {
	was := runtime.GOMAXPROCS(3)
	defer runtime.GOMAXPROCS(was)
	events := suitetest.Run(t.Context(), t, suite.Options{}, tiny())
	if now, said := runtime.GOMAXPROCS(0), events[0].Header.GOMAXPROCS; now != 3 || said != 3 {
		t.Errorf("expected 3 processors, saw %d, the header says %d", now, said)
	}
}

// TestParallel: checks that run side by side come out in their order, each behind
// its own findings, and once each.
func TestParallel(t *testing.T) {
	const n = 40
	s := counters()
	s.Checks = nil
	for i := range n {
		c := random
		c.Name, c.Parallel = fmt.Sprintf("sequence/%02d", i), i != n/2
		c.Run = func(_ context.Context, _ suite.Target, k *suite.Task) suite.Outcome {
			time.Sleep(time.Duration(n-i) * 100 * time.Microsecond)
			k.Progress("on its way")
			k.Find(record.Finding{Requirement: sumID, Observed: c.Name})
			k.Keep("x", nil)
			return suite.Outcome{Ended: suite.Completed, Scenarios: i}
		}
		s.Checks = append(s.Checks, c)
	}
	kept := 0
	_, events := judge(t, suite.Options{Keep: func(string, []byte) string { kept++; return "" }}, s, right())
	var got []string
	for _, e := range events {
		switch e.Event {
		case suite.FindingEvent:
			got = append(got, "finding "+e.Check+" "+e.Finding.Observed)
		case suite.CheckEvent:
			got = append(got, fmt.Sprint("check ", e.Check, " ", e.Result.Scenarios))
		}
	}
	var want []string
	for i, c := range s.Checks {
		want = append(want, "finding "+c.Name+" "+c.Name, fmt.Sprint("check ", c.Name, " ", i))
	}
	if !slices.Equal(got, want) || kept != n {
		t.Errorf("kept %d, saw\n%s", kept, strings.Join(got, "\n"))
	}
}
