package gate

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/suitetest"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// A situation is what may happen in a run, as far as the gate can tell it apart:
// check sequence/x judges requirement ID, and stress/y keeps RQ-TWICE.
type situation struct {
	ID          string // a MUST, or a SHOULD
	Findings    []string
	Judged      string // "some", "none", "cut"
	Ended       suite.Ended
	Complete    bool
	Offered     bool
	Asked       bool // whether the check is about ID
	Known       list
	Strict      bool
	Control     suitetest.Control // of the witness sequence
	Interrupted bool
}

// A list is a list of known failures, with its name in the table.
type list struct {
	name    string
	entries []suite.Known
}

func lists(id string) []list {
	k := func(fingerprint, target, version string) suite.Known {
		return suite.Known{Fingerprint: fingerprint, Target: target, From: version, To: version, URL: "https://example.org/1", Reason: "it is so"}
	}
	return []list{
		{"-", nil},
		{"all", []suite.Known{k(id, "tiny", "")}},
		{"a", []suite.Known{k(id+"/a", "tiny", "1")}},
		{"a, b", []suite.Known{k(id+"/a", "tiny", ""), k(id+"/b", "tiny", "")}},
		{"other way", []suite.Known{k(id+"/aa", "tiny", "")}},
		{"other target", []suite.Known{k(id, "tin", "")}},
		{"other version", []suite.Known{k(id, "tiny", "2")}},
		{"RQ-TWICE", []suite.Known{k("RQ-TWICE", "tiny", "")}},
	}
}

// runs returns every situation that takes a run of its own.
func runs() (all []situation) {
	for _, id := range []string{"RQ-LOST", "RQ-LEN"} {
		for _, findings := range [][]string{nil, {id + "/a"}, {id + "/a", id + "/b/c"}} {
			for _, judged := range []string{"some", "none", "cut"} {
				for _, ended := range []suite.Ended{suite.Completed, suite.Inconclusive, suite.Skipped, suite.Error} {
					for _, control := range []suitetest.Control{suitetest.Caught, suitetest.Missed, suitetest.Missing, suitetest.Broken} {
						for bits := range 8 {
							all = append(all, situation{
								ID: id, Findings: findings, Judged: judged, Ended: ended, Control: control,
								Complete: bits&1 != 0, Offered: bits&2 != 0, Asked: bits&4 != 0,
							})
						}
					}
				}
			}
		}
	}
	return all
}

// situations calls f with each of a third of them, drawn by chance, and what the gate makes of it.
func situations(t *testing.T, f func(*situation, []suite.Event, Result)) {
	t.Helper()
	all := runs()
	for _, s := range tier.Some(t, all, len(all)/3) {
		events := s.events(t)
		footer := *events[len(events)-1].Footer
		for _, s.Known = range lists(s.ID) {
			for bits := range 4 {
				s.Strict, s.Interrupted = bits&1 != 0, bits&2 != 0
				footer.Interrupted = s.Interrupted
				events[len(events)-1].Footer = &footer
				f(&s, events, judged(events, s.gate()))
			}
		}
	}
}

// gate is a gate with the situation's list and strictness.
func (s *situation) gate() *Gate {
	known := s.Known.entries
	if known == nil {
		known = []suite.Known{}
	}
	return &Gate{Known: known, Strict: s.Strict}
}

// events makes the situation happen.
func (s *situation) events(t testing.TB) []suite.Event {
	id := s.ID
	if !s.Asked {
		id = "RQ-INVENTED"
	}
	x := suitetest.Done("sequence/x", 5, id)
	x.Ended, x.Complete = s.Ended, s.Complete
	if s.Asked {
		x.Findings = s.Findings
	}
	switch {
	case s.Ended == suite.Skipped:
		x.Lacks = "it has no such thing"
	case s.Ended != suite.Completed:
		x.Reason = "this is why"
	}
	switch s.Judged {
	case "none":
		x.Judged = nil
	case "cut":
		x.Cut = map[string]string{id: "it was too long"}
	}
	target := &suitetest.Target{
		Name: "tiny", Checks: []suitetest.Check{x, suitetest.Done("stress/y", 7, "RQ-TWICE")},
		Controls: map[spec.Witness][]suitetest.Control{spec.Sequence: {s.Control}, spec.Stress: {suitetest.Caught}},
	}
	if !s.Offered {
		target.NotOffered = map[string]string{s.ID: "it has no such thing"}
	}
	events := suitetest.Run(t.Context(), t, suite.Options{Known: s.Known.entries, Strict: s.Strict}, target)
	events[len(events)-1].Footer.Interrupted = s.Interrupted
	return events
}

func judged(events []suite.Event, g *Gate) Result {
	for _, e := range events {
		g.Event(e)
	}
	return g.Result()
}

// What follows are the rules, said of situations. None looks at a standing.

// ran: the check judged something of the target.
func (s *situation) ran() bool {
	return s.Ended != suite.Skipped && (s.Offered || !s.Asked)
}

// about: it judged the requirement.
func (s *situation) about() bool { return s.ran() && s.Asked }

// uncovered: a failure was found that no entry is about.
func (s *situation) uncovered() bool {
	return s.about() && slices.ContainsFunc(s.Findings, func(f string) bool {
		return !slices.ContainsFunc(s.Known.entries, func(k suite.Known) bool {
			return s.applies(k) && strings.HasPrefix(f+"/", k.Fingerprint+"/")
		})
	})
}

func (s *situation) applies(k suite.Known) bool { return k.Target == "tiny" && k.To != "2" }

// stale: the list has a failure that cannot be there: everything was judged.
func (s *situation) stale() bool {
	everything := s.about() && s.Ended == suite.Completed && s.Complete && s.Judged == "some"
	return everything && slices.ContainsFunc(s.Known.entries, func(k suite.Known) bool {
		return s.applies(k) && strings.HasPrefix(k.Fingerprint, s.ID) && !slices.ContainsFunc(s.Findings, func(f string) bool {
			return strings.HasPrefix(f+"/", k.Fingerprint+"/")
		})
	})
}

// doubt: what the check or a control should have shown it has not shown.
func (s *situation) doubt() bool {
	if !s.ran() {
		return false
	}
	silent := s.Judged != "some" && !(s.Asked && len(s.Findings) > 0)
	return s.Ended == suite.Inconclusive || silent || s.Control != suitetest.Caught
}

// lacking: a MUST could not be judged, for what the target is.
func (s *situation) lacking() bool {
	return s.ID == "RQ-LOST" && (!s.Offered || s.Asked && s.Ended == suite.Skipped) ||
		!s.Asked && s.Ended == suite.Skipped // RQ-INVENTED
}

// exit is the exit code by the rules.
func (s *situation) exit() int {
	switch {
	case s.Interrupted:
		return 130
	case s.ran() && (s.Ended == suite.Error || s.Control == suitetest.Broken):
		return 4
	case s.uncovered() || s.stale():
		return 1
	case s.doubt() || s.Strict && s.lacking():
		return 3
	}
	return 0
}

// TestDecisions holds the gate to the rules in every situation. A list of known
// failures changes nothing but the rulings on the requirements that it names.
func TestDecisions(t *testing.T) {
	tier.NotShort(t)
	exits := make(map[int]int)
	var without Result
	situations(t, func(s *situation, _ []suite.Event, r Result) {
		exits[r.Exit]++
		switch {
		case r.Exit != s.exit():
			t.Fatalf("%+v: expected exit %d, saw %d, %s: %v", s, s.exit(), r.Exit, r.Verdict, r.Reasons)
		case (r.Verdict == Pass) != (len(r.Reasons) == 0):
			t.Fatalf("%+v: %s for the reasons %q", s, r.Verdict, r.Reasons)
		case (r.Exit == 0) != (r.Verdict == Pass || r.Verdict == Partial && !s.Strict):
			t.Fatalf("%+v: %s has exit %d", s, r.Verdict, r.Exit)
		}
		if s.Known.entries == nil {
			without = r // the list that comes first
		}
		for i, d := range r.Decisions {
			named := slices.ContainsFunc(s.Known.entries, func(k suite.Known) bool { return s.applies(k) && requirement(k) == d.Row.ID })
			if o := without.Decisions[i]; !named && (o.Ruling != d.Ruling || o.Text != d.Text) {
				t.Fatalf("%+v: %s is %s %q with the list, %s %q without", s, d.Row.ID, d.Ruling, d.Text, o.Ruling, o.Text)
			}
		}
		for _, k := range s.Known.entries {
			unused := !s.applies(k) || strings.HasPrefix(k.Fingerprint, s.ID) && (!s.Offered || s.Asked && !s.about())
			if slices.Contains(r.Unused, k) != unused {
				t.Fatalf("%+v: entry %v: expected unused %v, saw %v", s, k, unused, r.Unused)
			}
		}
	})
	for _, exit := range []int{0, 1, 3, 4, 130} {
		if exits[exit] < 50 {
			t.Errorf("exit %d in %d situations: the rules are not tried", exit, exits[exit])
		}
	}
}

// TestHeaderSays holds that list and strictness are the header's, unless the caller
// has others.
func TestHeaderSays(t *testing.T) {
	for _, s := range runs() {
		if s.Judged != "some" || s.Control != suitetest.Caught {
			continue
		}
		for _, s.Known = range lists(s.ID) {
			for _, s.Strict = range []bool{false, true} {
				if r := judged(s.events(t), new(Gate)); r.Exit != s.exit() {
					t.Fatalf("%+v: expected exit %d, saw %d: %v", s, s.exit(), r.Exit, r.Reasons)
				}
			}
		}
	}
}

// TestNothingFollows holds that nothing makes good what a stream once was wrong in, and that progress is no part of it.
func TestNothingFollows(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func([]suite.Event) []suite.Event
		exit   int
		says   string
	}{
		{name: "progress", change: func(e []suite.Event) []suite.Event {
			return slices.Insert(e, 2, suite.Event{Event: suite.ProgressEvent, Target: "ref", Text: "on its way"})
		}},
		{name: "an unknown kind", exit: 4, says: "not whole", change: func(e []suite.Event) []suite.Event {
			return slices.Insert(e, 2, suite.Event{Event: "nonsense"})
		}},
		{name: "a finding of another target", exit: 4, says: "not whole", change: func(e []suite.Event) []suite.Event {
			return slices.Insert(e, 2, suite.Event{Event: suite.FindingEvent, Target: "other", Check: "stress/y", Finding: new(record.Finding)})
		}},
		{name: "another contract", exit: 4, says: "expected contract " + suite.Contract + ", saw 0.0", change: func(e []suite.Event) []suite.Event {
			e[0].Header.Contract = "0.0"
			return e
		}},
	} {
		r := judged(c.change(suitetest.Run(t.Context(), t, suite.Options{}, ref())), new(Gate))
		if r.Exit != c.exit || (r.Verdict == Pass) != (c.exit == 0) || !strings.Contains(strings.Join(r.Reasons, "\n"), c.says) {
			t.Errorf("%s: expected exit %d with %q, saw %d, %s: %q", c.name, c.exit, c.says, r.Exit, r.Verdict, r.Reasons)
		}
	}
}

// TestRemovedEvent holds that nothing gets better by what is missing, even if the
// footer has been put right.
func TestRemovedEvent(t *testing.T) {
	n := 0
	for _, s := range runs() {
		s.Known = lists(s.ID)[n%8]
		if n++; n%7 != 0 || s.exit() == 0 {
			continue
		}
		events := s.events(t)
		for i := range events {
			less := slices.Delete(slices.Clone(events), i, i+1)
			if r := judged(less, new(Gate)); r.Exit == 0 {
				t.Fatalf("%+v: exit 0 without event %d, a %s", s, i, events[i].Event)
			}
			if i == len(events)-1 {
				continue
			}
			var g Gate
			if err := g.Read(bytes.NewReader(suitetest.Encode(less))); err == nil && g.Result().Exit == 0 {
				t.Fatalf("%+v: exit 0 without event %d, a %s, and with a footer put right", s, i, events[i].Event)
			}
		}
	}
}

// TestTable writes what people read: the situations that differ in what is found,
// and beside one of them everything else, one by one.
func TestTable(t *testing.T) {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "level\tfindings\tlisted\tcomplete\tended\tjudged\tcontrol\tbesides\tstanding\truling\tverdict\texit")
	base := situation{ID: "RQ-LOST", Judged: "some", Ended: suite.Completed, Offered: true, Asked: true, Known: lists("RQ-LOST")[0], Control: suitetest.Caught}
	row := func(s situation) {
		r := judged(s.events(t), new(Gate))
		i := slices.IndexFunc(r.Decisions, func(d Decision) bool { return d.Row.ID == s.ID })
		var besides []string
		for _, b := range []struct {
			so   bool
			name string
		}{{!s.Offered, "not offered"}, {!s.Asked, "no check"}, {s.Strict, "strict"}, {s.Interrupted, "interrupted"}, {len(r.Unused) > 0, "unused entry"}} {
			if b.so {
				besides = append(besides, b.name)
			}
		}
		level := "MUST"
		if s.ID == "RQ-LEN" {
			level = "SHOULD"
		}
		var found []string
		for _, f := range s.Findings {
			found = append(found, strings.TrimPrefix(f, s.ID+"/"))
		}
		complete := "samples"
		if s.Complete {
			complete = "complete"
		}
		if len(found) == 0 {
			found = []string{"-"}
		}
		if besides == nil {
			besides = []string{"-"}
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\n", level, strings.Join(found, ", "), s.Known.name, complete, s.Ended, s.Judged,
			s.Control, strings.Join(besides, ", "), r.Decisions[i].Row.Standing, r.Decisions[i].Ruling, r.Verdict, r.Exit)
	}
	for _, findings := range [][]string{nil, {"RQ-LOST/a"}, {"RQ-LOST/a", "RQ-LOST/b/c"}} {
		for _, known := range lists("RQ-LOST") {
			for _, complete := range []bool{false, true} {
				s := base
				s.Findings, s.Known, s.Complete = findings, known, complete
				row(s)
			}
		}
	}
	for _, findings := range [][]string{nil, {"RQ-LOST/a"}} {
		for _, change := range []func(*situation){
			func(s *situation) { s.Judged = "none" }, func(s *situation) { s.Judged = "cut" },
			func(s *situation) { s.Ended = suite.Inconclusive }, func(s *situation) { s.Ended = suite.Skipped }, func(s *situation) { s.Ended = suite.Error },
			func(s *situation) { s.Control = suitetest.Missed }, func(s *situation) { s.Control = suitetest.Missing }, func(s *situation) { s.Control = suitetest.Broken },
			func(s *situation) { s.Offered = false }, func(s *situation) { s.Offered, s.Strict = false, true }, func(s *situation) { s.Asked = false },
			func(s *situation) { s.Interrupted = true }, func(s *situation) { s.Strict = true },
		} {
			s := base
			if s.Findings = findings; findings != nil {
				s.Known = lists("RQ-LOST")[1]
			}
			change(&s)
			row(s)
		}
	}
	should := base
	should.ID, should.Known = "RQ-LEN", lists("RQ-LEN")[0]
	row(should)
	should.Findings = []string{"RQ-LEN/a"}
	row(should)
	should.Offered, should.Strict = false, true
	row(should)
	w.Flush()
	golden(t, "testdata/decisions.golden", b.String())
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if tier.Update() {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: expected\n%s\nsaw\n%s", file, want, got)
	}
}
