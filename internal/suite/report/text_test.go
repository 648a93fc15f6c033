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

// A reader must be able to add up the line above the last.
func TestTextCountsAddUp(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(render(t, events(t), false, false)), "\n")
	line := lines[len(lines)-2]
	total, parts, ok := strings.Cut(line, ": ")
	if !ok {
		t.Fatalf("expected N requirements: N kept + ..., saw %q", line)
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
	rows := regexp.MustCompile(`(?m)^  (RQ|DN)-\S+ +(MUST|SHOULD) `).FindAllString(strings.Join(lines, "\n"), -1)
	all := strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
	notRun := 0
	for _, list := range regexp.MustCompile(` not run, [^:]+(?:: spindle tlc)?: ((?:(?:RQ|DN|SY|TM)-[A-Z-]+(?:, )?)+)`).FindAllStringSubmatch(all, -1) {
		notRun += len(strings.Split(list[1], ", "))
	}
	if sum != want || len(rows)+notRun != want || notRun == 0 {
		t.Errorf("%q: the parts add up to %d, and %d requirements are listed", line, sum, len(rows)+notRun)
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
	if !regexp.MustCompile(`(?m)^  RQ-FIFO +MUST +known +batches may be split \(https://example.com/issues/12\)$`).MatchString(plain) {
		t.Error("expected the known failure in its row")
	}
	unlisted := events(t)
	unlisted[0].Header.Known = nil
	if got := render(t, unlisted, false, false); !strings.Contains(got, "broken RQ-FIFO/steal, seen by linearizability/ring") {
		t.Errorf("expected what is not known to be shown, saw\n%s", got)
	}
}

// A finding is shown once; that another check saw it, too, is one line. But the steps
// are shown, if no one had them before.
func TestTextShowsAFindingOnce(t *testing.T) {
	got := render(t, events(t), false, false)
	for text, want := range map[string]int{
		"1 G of 17 [14], the first by T2": 2, // the second is the reason for the verdict
		"schedule ":                       2, // of RQ-TWICE and RQ-LOST
		"broken RQ-TWICE/get again":       1,
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
