package gate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/suitetest"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// ref is a target that keeps what it is judged by.
func ref() *suitetest.Target {
	x := suitetest.Done("interleave/x", 9, "RQ-LOST", "RQ-TWICE")
	x.Complete, x.Executions, x.States, x.Scenarios = true, 146, 7, 3
	return &suitetest.Target{Name: "ref", Checks: []suitetest.Check{x, suitetest.Done("stress/y", 7, "RQ-TWICE", "RQ-LEN")}}
}

// gated runs the targets and returns what the gate makes of that.
func gated(t *testing.T, g *Gate, o suite.Options, targets ...*suitetest.Target) Result {
	t.Helper()
	return judged(suitetest.Run(t.Context(), t, o, targets...), g)
}

// baseline returns the summary of a run, as it comes out of a file.
func baseline(t *testing.T, o suite.Options, targets ...*suitetest.Target) *Summary {
	t.Helper()
	r := gated(t, new(Gate), o, targets...)
	s, err := r.Summary()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := s.Write(&b); err != nil {
		t.Fatal(err)
	}
	if s, err = ReadSummary(&b); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestBaseline says what each change does to the gate.
func TestBaseline(t *testing.T) {
	find := func(check int, fingerprints ...string) func(*suitetest.Target) {
		return func(t *suitetest.Target) { t.Checks[check].Findings = fingerprints }
	}
	same := func(*suitetest.Target) {}
	steal := []suite.Known{{Fingerprint: "RQ-TWICE/steal", Target: "ref", URL: "https://example.org/1", Reason: "it is so"}}
	for _, c := range []struct {
		name       string
		base, head func(*suitetest.Target)
		known      []suite.Known
		exit       int
		lines      []string // what is said of it, with the severity
		reasons    []string
	}{
		{name: "nothing changed", base: same, head: same},
		{
			name: "newly broken", base: same, head: find(1, "RQ-TWICE/steal"), exit: 1,
			lines:   []string{"red ref: RQ-TWICE: newly broken: RQ-TWICE/steal; it passed"},
			reasons: []string{"ref: RQ-TWICE is newly broken: RQ-TWICE/steal, seen by stress/y: expected what holds, saw what does not"},
		},
		{name: "broken as before", base: find(1, "RQ-TWICE/steal"), head: find(1, "RQ-TWICE/steal")},
		{
			name: "broken in a new way", base: find(1, "RQ-TWICE/steal"), head: find(1, "RQ-TWICE/get", "RQ-TWICE/steal"), exit: 1,
			lines:   []string{"red ref: RQ-TWICE: newly broken: RQ-TWICE/get; it was broken"},
			reasons: []string{"ref: RQ-TWICE is newly broken: RQ-TWICE/get, seen by stress/y: expected what holds, saw what does not"},
		},
		{name: "broken in one way less", base: find(1, "RQ-TWICE/get", "RQ-TWICE/steal"), head: find(1, "RQ-TWICE/steal")},
		{
			name: "newly broken, as is known", base: same, head: find(1, "RQ-TWICE/steal"), known: steal,
			lines: []string{"note ref: RQ-TWICE: newly broken: RQ-TWICE/steal, as the list of known failures has it; it passed"},
		},
		{
			name: "one is known, the other is new", base: same, head: find(1, "RQ-TWICE/steal", "RQ-TWICE/get"), known: steal, exit: 1,
			lines: []string{
				"red ref: RQ-TWICE: newly broken: RQ-TWICE/get; it passed",
				"note ref: RQ-TWICE: newly broken: RQ-TWICE/steal, as the list of known failures has it; it passed",
			},
			reasons: []string{"ref: RQ-TWICE is newly broken: RQ-TWICE/get, seen by stress/y: expected what holds, saw what does not"},
		},
		{
			name: "newly passed", base: find(1, "RQ-TWICE/steal"), head: same,
			lines: []string{"note ref: RQ-TWICE: newly passed: it was broken"},
		},
		{
			name: "newly broken, outside of the profile", base: same, head: find(1, "RQ-FIFO/get"), exit: 1,
			lines:   []string{"red ref: RQ-FIFO: newly broken: RQ-FIFO/get; it was not run"},
			reasons: []string{"ref: RQ-FIFO is newly broken: RQ-FIFO/get, seen by stress/y: expected what holds, saw what does not"},
		},
		{
			name: "a check disappeared", base: same, head: func(t *suitetest.Target) { t.Checks = t.Checks[:1] }, exit: 1,
			lines:   []string{"red ref: RQ-LEN: newly not run: it passed", "red ref: stress/y: disappeared: it completed"},
			reasons: []string{"ref: RQ-LEN: newly not run: it passed", "ref: stress/y: disappeared: it completed"},
		},
		{
			name: "a failure is no longer looked for", base: find(1, "RQ-LEN/a"), head: func(t *suitetest.Target) { t.Checks[1].Requirements = []string{"RQ-TWICE"} }, exit: 1,
			lines:   []string{"red ref: RQ-LEN: newly not run: it was broken"},
			reasons: []string{"ref: RQ-LEN: newly not run: it was broken"},
		},
		{
			name: "a new check", base: func(t *suitetest.Target) { t.Checks = t.Checks[:1] }, head: same,
			lines: []string{"note ref: RQ-LEN: newly passed: it was not run", "note ref: stress/y: new: it completed"},
		},
		{
			name: "newly unknown", base: same, head: func(t *suitetest.Target) { t.Checks[1].Judged = map[string]int64{"RQ-TWICE": 1} }, exit: 3,
			lines:   []string{"note ref: RQ-LEN: newly unknown: it passed"},
			reasons: []string{"ref: stress/y: nothing was judged: what did not come about is a call of Len that returns. Look what the target did instead: whether it refused, or accepted all, or waited, or had no time"},
		},
		{
			name: "unknown as before", exit: 3,
			base: func(t *suitetest.Target) { t.Checks[1].Judged = nil }, head: func(t *suitetest.Target) { t.Checks[1].Judged = nil },
			reasons: []string{"ref: stress/y: nothing was judged: what did not come about is a G that comes out again. Look what the target did instead: whether it refused, or accepted all, or waited, or had no time", "ref: stress/y: nothing was judged: what did not come about is a call of Len that returns. Look what the target did instead: whether it refused, or accepted all, or waited, or had no time"},
		},
		{
			name: "newly not offered", base: same, head: func(t *suitetest.Target) { t.NotOffered = map[string]string{"RQ-LEN": "it has none"} }, exit: 1,
			lines:   []string{"red ref: RQ-LEN: newly not offered: it passed"},
			reasons: []string{"ref: RQ-LEN: newly not offered: it passed"},
		},
		{
			name: "newly skipped", base: same, head: func(t *suitetest.Target) { t.Checks[0].Lacks = "it has none" }, exit: 1,
			lines:   []string{"red ref: RQ-LOST: newly not offered: it passed", "red ref: interleave/x: newly not run: it is skipped; it completed"},
			reasons: []string{"ref: RQ-LOST: newly not offered: it passed", "ref: interleave/x: newly not run: it is skipped; it completed", "ref: RQ-LOST is not offered: it has none"},
		},
		{
			name: "no longer complete", base: same, head: func(t *suitetest.Target) { t.Checks[0].Complete = false }, exit: 1,
			lines:   []string{"red ref: interleave/x: newly not complete: the baseline's plan was all there is"},
			reasons: []string{"ref: interleave/x: newly not complete: the baseline's plan was all there is"},
		},
		{
			name: "other counters", base: same, head: func(t *suitetest.Target) { t.Checks[0].Executions, t.Checks[0].States = 155, 8 },
			lines: []string{"note ref: interleave/x: changed: 155 executions, 146 before", "note ref: interleave/x: changed: 8 states, 7 before"},
		},
		{
			name: "other counters of samples", head: func(t *suitetest.Target) { t.Checks[1].Executions = 3 }, base: same,
		},
		{
			name: "another version of the target", base: same, head: func(t *suitetest.Target) { t.Version = "2" },
		},
		{
			name: "an error", base: same, head: func(t *suitetest.Target) { t.Checks[0].Ended, t.Checks[0].Reason = suite.Error, "it did not work" }, exit: 4,
			lines:   []string{"note ref: RQ-LOST: newly unknown: it passed", "note ref: RQ-TWICE: newly unknown: it passed"},
			reasons: []string{"ref: interleave/x: it did not work"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			before, after := ref(), ref()
			c.base(before)
			c.head(after)
			r := gated(t, &Gate{Base: baseline(t, suite.Options{}, before)}, suite.Options{Known: c.known, Seed: 7}, after)
			var saw []string
			for _, d := range r.Differences {
				saw = append(saw, string(d.Severity)+" "+d.String())
			}
			if r.Exit != c.exit || !slices.Equal(saw, c.lines) || !slices.Equal(r.Reasons, c.reasons) {
				t.Errorf("exit %d, expected %d\n%s\nexpected\n%s\nreasons\n%s\nexpected\n%s", r.Exit, c.exit,
					strings.Join(saw, "\n"), strings.Join(c.lines, "\n"), strings.Join(r.Reasons, "\n"), strings.Join(c.reasons, "\n"))
			}
			found := func(t *suitetest.Target) (list []string) {
				for _, c := range t.Checks {
					list = append(list, c.Findings...)
				}
				return list
			}
			broken := slices.ContainsFunc(found(after), func(f string) bool { return slices.Contains(found(before), f) })
			if broken && c.exit == 0 && r.Count(AsBefore) != 1 {
				t.Errorf("expected a ruling %q, saw %v", AsBefore, r.Decisions)
			}
		})
	}
}

// TestBaselineFailsClosed holds that what cannot be compared is an error.
func TestBaselineFailsClosed(t *testing.T) {
	good := baseline(t, suite.Options{}, ref())
	other := ref()
	other.Name = "other"
	fifo := ref()
	fifo.Profile = spec.FIFO
	for _, c := range []struct {
		name   string
		change func(*Summary)
		o      suite.Options
		heads  []*suitetest.Target
		says   string
	}{
		{name: "contract", change: func(s *Summary) { s.Contract = "1" }, says: `expected contract "1"`},
		{name: "schema", change: func(s *Summary) { s.Schema = 9 }, says: `expected schema "9"`},
		{name: "selection", o: suite.Options{Select: "^interleave/"}, says: `expected selection of ref "", as the baseline has, saw "^interleave/"`},
		{name: "shard", o: suite.Options{Shard: suite.Shard{I: 1, N: 2}}, says: "saw shard 1/2: merge first"},
		{name: "no targets", change: func(s *Summary) { s.Targets = nil }, says: "expected targets, saw none"},
		{name: "nothing judged", change: func(s *Summary) { s.Targets[0].Requirements = nil }, says: `of target "ref" that were checked, saw none`},
		{name: "nothing checked", change: func(s *Summary) { s.Targets[0].Checks = nil }, says: `of target "ref" that were checked, saw none`},
		{name: "profile", heads: []*suitetest.Target{fifo}, says: `expected profile of ref "core"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			base := *good
			base.Targets = slices.Clone(good.Targets)
			if c.change != nil {
				c.change(&base)
			}
			if c.heads == nil {
				c.heads = []*suitetest.Target{ref()}
			}
			r := gated(t, &Gate{Base: &base, Part: true}, c.o, c.heads...)
			if r.Exit != 4 || r.Verdict != Error || !strings.Contains(r.Reasons[0], c.says) {
				t.Errorf("expected an error with %q, saw exit %d: %v", c.says, r.Exit, r.Reasons)
			}
		})
	}
	two := ref()
	two.Name = "two"
	r := gated(t, &Gate{Base: baseline(t, suite.Options{}, ref(), two)}, suite.Options{}, ref())
	if r.Exit != 1 || !slices.Equal(r.Reasons, []string{"two: disappeared"}) {
		t.Errorf("a target disappeared: exit %d: %v", r.Exit, r.Reasons)
	}
	r = gated(t, &Gate{Base: good}, suite.Options{}, ref(), other)
	if r.Exit != 0 || len(r.Differences) != 1 || r.Differences[0].String() != "other: new" {
		t.Errorf("one more target: exit %d: %v, %v", r.Exit, r.Reasons, r.Differences)
	}
	other.Checks[0].Findings = []string{"RQ-TWICE/steal"}
	for _, heads := range [][]*suitetest.Target{{ref(), other}, {other}} {
		if r = gated(t, &Gate{Base: good}, suite.Options{}, heads...); r.Exit != 1 {
			t.Errorf("a target that is new and wrong: exit %d: %v", r.Exit, r.Reasons)
		}
	}
}

// TestSummaryRefuses holds that what says nothing, or not all, is no baseline.
func TestSummaryRefuses(t *testing.T) {
	failing := ref()
	failing.Checks[0].Ended = suite.Error
	absent := &suitetest.Target{Name: "absent", Err: fmt.Errorf("not in time: %w", suite.ErrOpen)}
	idle := ref()
	idle.Name, idle.NotOffered = "idle", map[string]string{"RQ-LOST": "no", "RQ-TWICE": "no", "RQ-LEN": "no"}
	for _, c := range []struct {
		name    string
		o       suite.Options
		targets []*suitetest.Target
		change  func([]suite.Event) []suite.Event
		says    string
	}{
		{name: "cut off", change: func(e []suite.Event) []suite.Event { return e[:len(e)-1] }, says: "not whole"},
		{name: "an event is missing", change: func(e []suite.Event) []suite.Event { return slices.Delete(e, 3, 4) }, says: "not whole"},
		{name: "nothing", change: func([]suite.Event) []suite.Event { return nil }, says: "not whole"},
		{name: "interrupted", change: func(e []suite.Event) []suite.Event { e[len(e)-1].Footer.Interrupted = true; return e }, says: "interrupted"},
		{name: "shard", o: suite.Options{Shard: suite.Shard{I: 2, N: 2}}, says: "saw shard 2/2"},
		{name: "error", targets: []*suitetest.Target{failing}, says: "interleave/x"},
		{name: "not open", targets: []*suitetest.Target{ref(), absent}, says: "target absent was not open"},
		{name: "nothing ran", targets: []*suitetest.Target{ref(), idle}, says: `target "idle" that were checked, saw none`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.targets == nil {
				c.targets = []*suitetest.Target{ref()}
			}
			events := suitetest.Run(t.Context(), t, c.o, c.targets...)
			if c.change != nil {
				events = c.change(events)
			}
			r := judged(events, &Gate{Part: true})
			if _, err := r.Summary(); !errors.Is(err, ErrNoBaseline) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("expected %v with %q, saw %v", ErrNoBaseline, c.says, err)
			}
		})
	}
}

// TestReadSummaryRefuses damages a baseline: nothing but what was written is read.
func TestReadSummaryRefuses(t *testing.T) {
	var b bytes.Buffer
	if err := baseline(t, suite.Options{}, ref()).Write(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, c := range []struct {
		name, text string
		want       error
	}{
		{"nothing", "", suite.ErrTruncated},
		{"blanks", "\n \n", suite.ErrTruncated},
		{"schema", strings.Replace(text, `"schema": 2`, `"schema": 1`, 1), suite.ErrSchema},
		{"a later schema", strings.Replace(text, `"schema": 2`, `"schema": 3`, 1), suite.ErrSchema},
		{"no schema", "{}", suite.ErrSchema},
		{"digest", strings.Replace(text, `"sha256:`, `"sha256:0`, 1), suite.ErrDamaged},
		{"standing", strings.Replace(text, `"kept"`, `"unknown"`, 1), suite.ErrDamaged},
		{"field", strings.Replace(text, `"suite"`, `"sweet"`, 1), suite.ErrDamaged},
		{"large", text + strings.Repeat(" ", maxSummary), suite.ErrDamaged},
		{"empty", emptied(t, text), ErrNoBaseline},
	} {
		if _, err := ReadSummary(strings.NewReader(c.text)); !errors.Is(err, c.want) {
			t.Errorf("%s: expected %v, saw %v", c.name, c.want, err)
		}
	}
	rng := rand.New(rand.NewPCG(3, 5))
	whole := baseline(t, suite.Options{}, ref())
	for range 300 {
		damaged := damages[rng.IntN(7)].do(rng, []byte(text), nil)
		s, err := ReadSummary(bytes.NewReader(damaged))
		if err == nil && fmt.Sprint(s) != fmt.Sprint(whole) {
			t.Errorf("read %s", damaged)
		}
	}
}

// emptied is a baseline without targets, with its right digest.
func emptied(t *testing.T, text string) string {
	s := new(Summary)
	if err := json.Unmarshal([]byte(text), s); err != nil {
		t.Fatal(err)
	}
	s.Targets = nil
	s.Digest = s.digest()
	var b bytes.Buffer
	s.Write(&b)
	return b.String()
}

// TestUnchangedIsGreen runs the same again, each time with another seed.
func TestUnchangedIsGreen(t *testing.T) {
	broken := ref()
	broken.Checks[1].Findings = []string{"RQ-TWICE/steal"}
	base := baseline(t, suite.Options{}, broken)
	for seed := range record.Seed(100) {
		if r := gated(t, &Gate{Base: base}, suite.Options{Seed: seed}, broken); r.Exit != 0 || len(r.Differences) > 0 {
			t.Fatalf("seed %v: exit %d: %v %v", seed, r.Exit, r.Reasons, r.Differences)
		}
	}
}

// TestNothingRan holds that zero things run are no pass, of one target of several
// either.
func TestNothingRan(t *testing.T) {
	idle := ref()
	idle.Name, idle.NotOffered = "idle", map[string]string{"RQ-LOST": "no", "RQ-TWICE": "no", "RQ-LEN": "no"}
	r := gated(t, new(Gate), suite.Options{}, ref(), idle)
	if r.Exit != 3 || r.Verdict != Inconclusive || r.Reasons[0] != "idle: nothing ran" {
		t.Errorf("exit %d, %s: %v", r.Exit, r.Verdict, r.Reasons)
	}
	idle.NotOffered, idle.Checks[0].Judged, idle.Checks[1].Judged = nil, nil, nil // it was asked, and nothing is known
	if r := gated(t, new(Gate), suite.Options{}, idle); r.Exit != 3 || slices.Contains(r.Reasons, "idle: nothing ran") {
		t.Errorf("all is unknown: exit %d, %v", r.Exit, r.Reasons)
	}
	events := suitetest.Run(t.Context(), t, suite.Options{}, ref())
	header, footer := events[0], events[len(events)-1]
	header.Header.Targets, footer.Footer.Events = nil, map[suite.EventKind]int{suite.HeaderEvent: 1}
	if r := judged([]suite.Event{header, footer}, new(Gate)); r.Exit != 3 || fmt.Sprint(r.Reasons) != "[nothing ran: there is no target]" {
		t.Errorf("no target: exit %d, %v", r.Exit, r.Reasons)
	}
}

// TestNothingRanInShard holds the same of a shard: one of its targets may have nothing
// to do there, but not all.
func TestNothingRanInShard(t *testing.T) {
	skipped := func(name string) *suitetest.Target {
		c := ref().Checks[0]
		c.Lacks = "it has none"
		return &suitetest.Target{Name: name, Checks: []suitetest.Check{ref().Checks[1], c}}
	}
	o := suite.Options{Shard: suite.Shard{I: 2, N: 2}}
	if r := gated(t, &Gate{Part: true}, o, ref(), skipped("a"), &suitetest.Target{Name: "b", Checks: ref().Checks[:1]}); r.Exit != 0 {
		t.Errorf("some ran: exit %d: %v", r.Exit, r.Reasons)
	}
	r := gated(t, &Gate{Part: true}, o, skipped("a"), &suitetest.Target{Name: "b", Checks: ref().Checks[:1]})
	if r.Exit != 3 || r.Reasons[0] != "nothing ran in shard 2/2" {
		t.Errorf("nothing ran: exit %d: %v", r.Exit, r.Reasons)
	}
}

// TestDecisionsSoFar holds that the rulings on a target are there once its requirements
// are, and are those of the result.
func TestDecisionsSoFar(t *testing.T) {
	broken := ref()
	broken.Name, broken.Checks[1].Findings = "broken", []string{"RQ-TWICE/steal"}
	g := new(Gate)
	var sofar []Decision
	last := ""
	for _, e := range suitetest.Run(t.Context(), t, suite.Options{}, broken, ref()) {
		if g.Event(e); last != "" && e.Target != last {
			sofar = append(sofar, g.Decisions(last)...)
		}
		if last = ""; e.Event == suite.RequirementEvent {
			last = e.Target
		}
	}
	if r := g.Result(); len(sofar) == 0 || fmt.Sprint(sofar) != fmt.Sprint(r.Decisions) {
		t.Errorf("expected %v, saw %v", r.Decisions, sofar)
	}
	if g.Event(suite.Event{Event: suite.HeaderEvent}); g.Decisions("ref") != nil {
		t.Error("rulings of a stream that is damaged")
	}
}

// TestOneLine holds that what a hostile target says makes no line of its own.
func TestOneLine(t *testing.T) {
	target := &suitetest.Target{Name: "tiny", Err: errors.New("one\ntwo\x1b[31m\u202e\xff::error::" + strings.Repeat("x", 5<<20))}
	r := gated(t, new(Gate), suite.Options{}, target, ref())
	if len(r.Reasons) != 1 || len(r.Reasons[0]) > 2*maxReason || !strings.HasPrefix(r.Reasons[0], `tiny: one\ntwo\x1b[31m\u202e\xff::error::xxx`) {
		t.Errorf("%.300q", r.Reasons)
	}
}
