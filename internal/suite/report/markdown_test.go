package report

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	unsafehtml "github.com/yuin/goldmark/renderer/html"

	"github.com/spindle-go/spindle/internal/printable/printabletest"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
	"github.com/spindle-go/spindle/spec/record"
)

func markdown(t *testing.T, r *gate.Result) string {
	t.Helper()
	var b bytes.Buffer
	if err := Markdown(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestMarkdownGolden(t *testing.T) {
	golden(t, "comment.golden", markdown(t, judged(events(t))))
	golden(t, "clean_comment.golden", markdown(t, judged(clean(t))))
}

// rendered is what a reader sees: the HTML that GitHub's Markdown makes, with all HTML
// that is in it left as it is.
func rendered(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	if err := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(unsafehtml.WithUnsafe())).Convert([]byte(text), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var (
	tag = regexp.MustCompile(`<[^>]*>`)
	// plainTags are those that the report makes: no link, no image, no attribute.
	plainTags = regexp.MustCompile(`^</?(p|strong|code|ul|li|pre|details|summary|table|thead|tbody|tr|th|td)>$|^<code class="language-text">$`)
	inCode    = regexp.MustCompile(`(?s)<code[^>]*>.*?</code>`)
	cell      = regexp.MustCompile(`(?s)<td>(.*?)</td>`)
	codeCell  = regexp.MustCompile(`^<code>[^<]*</code>$`)
)

// onlyCode reports why the rendered text has more of a target in it than code.
func onlyCode(page string) error {
	for _, name := range tag.FindAllString(page, -1) {
		if !plainTags.MatchString(name) {
			return fmt.Errorf("expected no tag but the report's, saw %.200q", name)
		}
	}
	for _, td := range cell.FindAllStringSubmatch(page, -1) {
		if !codeCell.MatchString(td[1]) {
			return fmt.Errorf("expected a cell to be code as a whole, saw %.200q", td[1])
		}
	}
	for _, name := range []string{"details", "summary", "table", "pre", "code"} {
		if begin, end := strings.Count(page, "<"+name), strings.Count(page, "</"+name+">"); begin != end {
			return fmt.Errorf("expected every %s to be closed, saw %d and %d", name, begin, end)
		}
	}
	// The report's own words have no such characters.
	rest := html.UnescapeString(tag.ReplaceAllString(inCode.ReplaceAllString(page, ""), ""))
	if i := strings.IndexAny(rest, "@#[]`~*_|<>&/\\!"); i >= 0 {
		return fmt.Errorf("expected no text of a target outside of code, saw %.200q", rest[i:])
	}
	return nil
}

func TestMarkdownOfHostileTargets(t *testing.T) {
	infected(t, func(t *testing.T, events []suite.Event) {
		got := markdown(t, judged(events))
		if n := utf8.RuneCountInString(got); n > maxComment {
			t.Errorf("expected at most %d characters, saw %d", maxComment, n)
		}
		if err := onlyCode(rendered(t, got)); err != nil {
			t.Error(err)
		}
		first, _, _ := strings.Cut(got, "\n")
		if want := fmt.Sprintf("Spindle says **%s** (exit %d): <code>", judged(events).Verdict, judged(events).Exit); !strings.HasPrefix(first, want) {
			t.Errorf("expected the verdict in the first line, saw %.200q", first)
		}
		for line := range strings.SplitSeq(strings.TrimSuffix(got, "\n"), "\n") {
			if strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "|") || strings.Contains(line, "<code>") {
				line = strings.ReplaceAll(line, "&#", "&")
			}
			if err := printabletest.Harmless(line); err != nil {
				t.Error(err)
			}
		}
	})
}

// Each thing that is wrong is in the table and has its details; what is as known is
// not.
func TestMarkdownTellsWhatIsWrong(t *testing.T) {
	r := judged(events(t))
	page := rendered(t, markdown(t, r))
	for i := range r.Decisions {
		d := &r.Decisions[i]
		wrong := d.Ruling == gate.Broken || d.Ruling == gate.Unknown || d.Ruling == gate.Unexpected
		row := fmt.Sprintf("<td><code>%s</code></td>\n<td><code>%s</code></td>\n<td><code>%s</code></td>", d.Target, d.Row.ID, d.Ruling)
		head := fmt.Sprintf("<summary><code>%s</code> of <code>%s</code>: <code>%s</code></summary>", d.Row.ID, d.Target, d.Ruling)
		// Goldmark leaves entities in inline HTML as they are only if it must.
		plain := html.UnescapeString(strings.ReplaceAll(page, "&lt;", "<"))
		if got := strings.Contains(plain, row); got != wrong {
			t.Errorf("%s %s, %s: expected a row %v, saw %v", d.Target, d.Row.ID, d.Ruling, wrong, got)
		}
		if got := strings.Contains(plain, head); got != wrong {
			t.Errorf("%s %s, %s: expected details %v, saw %v", d.Target, d.Row.ID, d.Ruling, wrong, got)
		}
	}
	for _, want := range []string{
		"observed     1 G of 17 [14], the first by T2", "1                   p.head.CompareAndSwap(3, 4) = true  steal.go:77",
		"goruntime: no usable go command", "RQ-DRAIN is not offered", "positive control: linearizability/control did not catch",
	} {
		if !strings.Contains(html.UnescapeString(page), want) {
			t.Errorf("expected %q in\n%s", want, page)
		}
	}
}

// A run with more that is wrong than there is room for says so.
func TestMarkdownIsBounded(t *testing.T) {
	r := judged(events(t))
	var broken gate.Decision
	for _, d := range r.Decisions {
		if d.Ruling == gate.Broken && d.Row.ID == "RQ-TWICE" {
			broken = d
		}
	}
	for range 500 {
		r.Decisions = append(r.Decisions, broken)
		r.Reasons = append(r.Reasons, fmt.Sprintf("%s %d", strings.Repeat("reason ", 20), len(r.Reasons)))
	}
	got := markdown(t, r)
	if len(got) > maxComment || len(got) < maxComment/2 {
		t.Errorf("expected nearly %d bytes, saw %d", maxComment, len(got))
	}
	for _, want := range []string{"\nThere was no room for 4", "\n- and ", "\nThere was no room for the details of "} {
		if !strings.Contains(got, want) {
			t.Errorf("expected %q in what is left out", want)
		}
	}
	if err := onlyCode(rendered(t, got)); err != nil {
		t.Error(err)
	}
}

// What is behind one decision takes no more than its share, ends with a whole line, and says how much is missing.
func TestMarkdownSectionIsBounded(t *testing.T) {
	line := strings.Repeat("x", 99) + "\n"
	lines := maxSection/len(line) + 100
	e := suite.Event{Check: "stress/y", Finding: &record.Finding{Fingerprint: "RQ-TWICE", Evidence: []record.Evidence{{Kind: record.Calls, Lines: slices.Repeat([]string{strings.TrimSpace(line)}, lines)}}}}
	d := &gate.Decision{Target: "tiny", Row: &suite.Row{ID: "RQ-TWICE"}, Ruling: gate.Broken, Findings: []suite.Event{e}}
	for len(why(d)) <= maxSection { // the text shows no more than the first calls of a finding
		d.Findings = append(d.Findings, suite.Event{Check: "stress/y", Finding: &record.Finding{
			Fingerprint: "RQ-TWICE", Expected: strings.Repeat("e", maxReason), Observed: strings.Repeat("o", maxReason),
		}})
		if len(d.Findings) > maxLines {
			t.Fatalf("%d findings take %d bytes", len(d.Findings), len(why(d)))
		}
	}
	got := mdSection(d)
	_, text, _ := strings.Cut(got, "```text\n")
	text, _, _ = strings.Cut(text, "\n```")
	shown, more, cut := strings.Cut(text, "... (")
	left, err := strconv.Atoi(strings.TrimSuffix(more, " bytes more)"))
	whole := strings.TrimRight(why(d), "\n")
	if !cut || err != nil || len(text) > maxSection+100 || !strings.HasPrefix(whole, shown) || !strings.HasSuffix(shown, "\n") || len(shown)+left != len(whole) {
		t.Errorf("expected whole lines of at most %d of %d bytes, saw %d, and %q", maxSection, len(whole), len(shown), more)
	}
}

// The check of hostile texts can fail.
func TestOnlyCodeCanFail(t *testing.T) {
	good := markdown(t, judged(events(t)))
	if err := onlyCode(rendered(t, good)); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{
		"\n@everyone\n", "\n[x](https://e.example)\n", "\nhttps://e.example\n", "\n![x](y)\n", "\n<b>x</b>\n", "\n#1\n", "\n</details>\n", "\n*x*\n",
	} {
		if onlyCode(rendered(t, good+bad)) == nil {
			t.Errorf("expected %q to be refused", bad)
		}
	}
	row := "| <code>mine</code> |"
	if bad := strings.Replace(good, row, "| <code>mi|ne</code> |", 1); bad == good || onlyCode(rendered(t, bad)) == nil {
		t.Error("expected a cell that ends early to be refused")
	}
}
