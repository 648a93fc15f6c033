package report

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
)

// render returns the text report of a stream.
func render(t *testing.T, events []suite.Event, color, verbose bool) string {
	t.Helper()
	var b bytes.Buffer
	text := NewText(&b, color, verbose)
	for _, e := range events {
		text.Event(e)
	}
	if err := text.Err(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func lastLine(s string) string {
	list := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
	return list[len(list)-1]
}

func TestTextGolden(t *testing.T) {
	golden(t, "plain.golden", render(t, events(t), false, false))
	golden(t, "color.golden", render(t, events(t), true, false))
	golden(t, "verbose.golden", render(t, events(t), false, true))
	golden(t, "clean.golden", render(t, clean(t), false, false))
}

// What is only colour may not move anything.
func TestTextColorChangesNothingElse(t *testing.T) {
	plain := regexp.MustCompile("\x1b\\[[0-9]*m").ReplaceAllString(render(t, events(t), true, false), "")
	if plain != render(t, events(t), false, false) {
		t.Errorf("without its colours the report differs from the plain one:\n%s", plain)
	}
}

// The last line says the verdict and the exit code that the gate gives, and counts
// what is in the stream.
func TestTextLastLine(t *testing.T) {
	interrupted := clean(t)
	interrupted[len(interrupted)-1].Footer.Interrupted = true
	nothing := []suite.Event{
		{Event: suite.HeaderEvent, Header: &suite.Header{Schema: suite.Schema, Contract: suite.Contract}},
		{Event: suite.FooterEvent, Footer: &suite.Footer{Events: map[suite.EventKind]int{suite.HeaderEvent: 1}}},
	}
	for name, test := range map[string]struct {
		events []suite.Event
		want   string
	}{
		"everything":  {events(t), "error: exit 4; 5 targets, 12 checks, 8 findings (2 known), 440 ms"},
		"clean":       {clean(t), "pass: exit 0; 1 target, 1 check, 1 finding (1 known), 3 s"},
		"interrupted": {interrupted, "interrupted: exit 130; 1 target, 1 check, 1 finding (1 known), 3 s"},
		"nothing":     {nothing, "inconclusive: exit 3; 0 targets, 0 checks, 0 findings, 0 ms"},
	} {
		if got := lastLine(render(t, test.events, false, false)); got != test.want {
			t.Errorf("%s: expected %q, saw %q", name, test.want, got)
		}
		r := judged(test.events)
		if want := fmt.Sprintf("%s: exit %d; ", r.Verdict, r.Exit); !r.Interrupted && !strings.HasPrefix(test.want, want) {
			t.Errorf("%s: expected the gate to say %q, it says %q", name, test.want, want)
		}
		text := NewText(new(bytes.Buffer), false, false)
		for _, e := range test.events {
			text.Event(e)
		}
		if got := text.Result(); got.Verdict != r.Verdict || got.Exit != r.Exit || len(got.Decisions) != len(r.Decisions) {
			t.Errorf("%s: expected the gate's result, saw %s, exit %d", name, got.Verdict, got.Exit)
		}
	}
}

// A run that has no footer was cut off: nothing is concluded.
func TestTextOfAStreamThatWasCutOff(t *testing.T) {
	all := events(t)
	for n := range all {
		for line := range strings.Lines(render(t, all[:n], false, false)) {
			if regexp.MustCompile(`^\w+: exit `).MatchString(line) {
				t.Errorf("%d events: expected no verdict, saw %q", n, line)
			}
		}
	}
}

// A reader must be able to add up the line above the last: from the rows that -v shows,
// and from the lines of the short report.
func TestTextCountsAddUp(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(render(t, events(t), false, true)), "\n")
	line := lines[len(lines)-2]
	total, parts, ok := strings.Cut(line, ": ")
	if !ok {
		t.Fatalf("expected N requirements: N passed + ..., saw %q", line)
	}
	want, err := strconv.Atoi(strings.Fields(total)[0])
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	for part := range strings.SplitSeq(parts, " + ") {
		n, err := strconv.Atoi(strings.Fields(part)[0])
		if err != nil {
			t.Fatal(err)
		}
		sum += n
	}
	rows := regexp.MustCompile(`(?m)^  (RQ|DN|SY|TM)-\S+ +(MUST|SHOULD) `).FindAllString(strings.Join(lines, "\n"), -1)
	if sum != want || len(rows) != want {
		t.Errorf("%q: the parts add up to %d, and %d requirements are listed", line, sum, len(rows))
	}
	short := render(t, events(t), false, false)
	if !strings.Contains(short, "\n"+line+"\n") {
		t.Errorf("expected the same counts in the short report: %q", line)
	}
	for target, part := range targetParts(short) {
		of, passed, listed := 0, 0, 0
		head := regexp.MustCompile(`(?m)^  (\d+) of (\d+) requirements passed(?:; not run: ((?:.|\n    )*))?$`).FindStringSubmatch(part)
		if head == nil {
			t.Fatalf("%s: expected a line that says how many passed, saw\n%s", target, part)
		}
		passed, _ = strconv.Atoi(head[1])
		of, _ = strconv.Atoi(head[2])
		for _, list := range regexp.MustCompile(`([^()]+) \([^()]*\)`).FindAllStringSubmatch(head[3], -1) {
			if n, err := strconv.Atoi(strings.Trim(list[1], ", ")); err == nil {
				listed += n
			} else {
				listed += strings.Count(list[1], "-") // of ids with one hyphen
			}
		}
		for _, ids := range regexp.MustCompile(`(?m)^  (?:broken|unknown|not offered|known|known, not seen|unexpected pass) +((?:[A-Z]+-[A-Z-]+(?: \(SHOULD\))?(?:, )?)+)(?::|$)`).FindAllStringSubmatch(part, -1) {
			listed += len(strings.Split(ids[1], ", "))
		}
		if passed+listed != of {
			t.Errorf("%s: %d passed, and %d others are listed, of %d:\n%s", target, passed, listed, of, part)
		}
	}
}

// targetParts returns the parts of a report about the targets that were open, by name.
func targetParts(report string) map[string]string {
	parts := make(map[string]string)
	report, _, _ = strings.Cut(report, "\npositive controls")
	for _, part := range strings.Split(report, "\ntarget ")[1:] {
		if name, _, _ := strings.Cut(part, ":"); strings.Contains(part, "profile ") {
			parts[name] = part
		}
	}
	return parts
}

// What is not passed has a line of its own in the short report, whatever hides the rest.
func TestTextHidesNothing(t *testing.T) {
	short := render(t, events(t), false, false)
	parts := targetParts(short)
	r := judged(events(t))
	for i := range r.Decisions {
		d := &r.Decisions[i]
		if d.Ruling == gate.OK || d.Ruling == gate.None {
			continue
		}
		if !regexp.MustCompile(`(?m)^  ` + word(d) + ` +([A-Z-]+( \(SHOULD\))?, )*` + d.Row.ID + `\b`).MatchString(parts[d.Target]) {
			t.Errorf("expected a line that %s of %s is %s, saw\n%s", d.Row.ID, d.Target, word(d), parts[d.Target])
		}
	}
	if len(parts) != 3 {
		t.Errorf("expected 3 targets, saw %d", len(parts))
	}
	// Nothing else than the summary may say that a requirement passed.
	if n := strings.Count(short, "requirements passed"); n != 3 {
		t.Errorf("expected 3 lines that say how many passed, saw %d", n)
	}
}

// A part of a run says that it is one where it says how many passed.
func TestTextOfAPart(t *testing.T) {
	for _, test := range []struct {
		selected, shard, want string
	}{
		{"^sequence/", "", "14 of 15 requirements passed the selected checks\n"},
		{"", "1/2", "14 of 15 requirements passed the checks of this shard\n"},
		{"^sequence/", "1/2", "14 of 15 requirements passed the selected checks of this shard\n"},
		{"", "", "14 of 15 requirements passed\n"},
	} {
		list := clean(t)
		list[0].Header.Select, list[0].Header.Shard = test.selected, test.shard
		got := render(t, list, false, false)
		if !strings.Contains(got, test.want) {
			t.Errorf("expected %q, saw\n%s", test.want, got)
		}
		head, _, _ := strings.Cut(got, "\n\n")
		for label, value := range map[string]string{"\nselected: ": test.selected, "\nshard: ": test.shard} {
			if strings.Contains(head, label) != (value != "") || !strings.Contains(head+"\n", label+value+"\n") && value != "" {
				t.Errorf("expected %q with %q at its head, saw\n%s", label, value, head)
			}
		}
	}
}

// Notes that say what a pass does not cover are shown to everybody, and those of a child
// process; the others with -v.
func TestTextShowsLimits(t *testing.T) {
	for _, test := range []struct {
		kind    string
		verbose bool
		want    string
	}{
		{suite.InProcess, false, "  limit: not judged\n  14 of"},
		{suite.Child, false, "  note: plain\n  limit: not judged\n  14 of"},
		{suite.InProcess, true, "  note: plain\n  limit: not judged\n"},
	} {
		list := clean(t)
		list[1].Description.Kind = test.kind
		list[1].Description.Notes = []string{"plain", suite.Limit + "not judged"}
		if got := render(t, list, false, test.verbose); !strings.Contains(got, test.want) {
			t.Errorf("%s, verbose %v: expected %q, saw\n%s", test.kind, test.verbose, test.want, got)
		}
	}
}

// Many known failures of one page are one line; a few have their reasons.
func TestTextFoldsKnownFailures(t *testing.T) {
	var g grouped
	for i := range 2 * mostNamed {
		g.add(string(gate.Known), fmt.Sprintf("reason %d (docs/%d.md)", i, i%2), fmt.Sprintf("RQ-%d", i))
		want := i + 1
		if want > mostNamed {
			want = 2
		}
		if got := g.shorter(); len(got) != want {
			t.Errorf("%d known failures: expected %d lines, saw %v", i+1, want, got)
		}
	}
	if got := fmt.Sprint(g.shorter()[0]); got != "{known docs/0.md [RQ-0 RQ-2 RQ-4 RQ-6]}" {
		t.Errorf("expected the ids and the page, saw %s", got)
	}
}

// What is known is one row; its finding is shown to who asks for it. What is not
// known is always shown.
func TestTextShowsKnownFindingsToWhoAsks(t *testing.T) {
	const shown = "known RQ-FIFO/steal, seen by linearizability/ring"
	plain, verbose := render(t, events(t), false, false), render(t, events(t), false, true)
	if strings.Contains(plain, shown) || !strings.Contains(verbose, shown) {
		t.Errorf("expected %q only in the verbose report, saw\n%s\n%s", shown, plain, verbose)
	}
	if !regexp.MustCompile(`(?m)^  known +RQ-FIFO: batches may be split \(https://example.com/issues/12\)$`).MatchString(plain) {
		t.Error("expected a line for the known failure")
	}
	unlisted := events(t)
	unlisted[0].Header.Known = nil
	if got := render(t, unlisted, false, false); !strings.Contains(got, "broken RQ-FIFO/steal, seen by linearizability/ring") {
		t.Errorf("expected what is not known to be shown, saw\n%s", got)
	}
}

// A finding is shown once; the checks that saw it, too, are named in the line of its
// requirement. But the steps are shown, if no finding had them before.
func TestTextShowsAFindingOnce(t *testing.T) {
	got := render(t, events(t), false, false)
	for text, want := range map[string]int{
		"1 G of 17 [14], the first by T2": 1,
		"schedule ":                       1, // of RQ-TWICE
		"broken RQ-LOST/get, seen by interleave/get-steal: 1 G of 2":       1,
		"broken RQ-TWICE/get again":                                        1,
		"also seen by linearizability/overflow; also as RQ-TWICE/overflow": 1,
		"broken RQ-TWICE/overflow":                                         0,
		"mine: RQ-LOST, RQ-TWICE are broken: shown above":                  1,
	} {
		if n := strings.Count(got, text); n != want {
			t.Errorf("expected %q %d times, saw %d", text, want, n)
		}
	}
}

func TestFoldReasons(t *testing.T) {
	got := foldReasons([]string{
		"a: x: the budget ended", "a: y: the budget ended", "b: x: the budget ended", "a: z: other", "a: w: the budget ended", "a: x: the budget ended", "a: v: the budget ended", "nothing ran: no target", "q", "a\nb",
	})
	want := []string{"a: x, y, w and 1 more: the budget ended", "b: x: the budget ended", "a: z: other", "nothing ran: no target", "q", "a ..."}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("expected %q, saw %q", want, got)
	}
}

// One cause is said once, whatever number of requirements it leaves open.
func TestTextSaysACauseOnce(t *testing.T) {
	got := render(t, events(t), false, false)
	for _, cause := range []string{"12 scenarios when the budget of 1m0s ended", "seen after 600 scenarios"} {
		if n := strings.Count(got, cause); n != 1 {
			t.Errorf("expected %q once, saw it %d times in\n%s", cause, n, got)
		}
	}
}

func TestTextKeepsTheFirstErrorOfWriting(t *testing.T) {
	text := NewText(brokenWriter{}, false, false)
	for _, e := range events(t) {
		text.Event(e)
	}
	if text.Err() != os.ErrClosed {
		t.Errorf("expected %v, saw %v", os.ErrClosed, text.Err())
	}
	if r := text.Result(); r.Verdict != gate.Error {
		t.Errorf("expected the verdict all the same, saw %s", r.Verdict)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, os.ErrClosed }
