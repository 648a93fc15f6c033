package lint

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The pages that a user reads. ci/README.md and interleave/README.md have rules of their own.
const (
	longest = 35  // words of a sentence
	median  = 18  // words of the sentences of a page
	wide    = 120 // columns of the README
)

// lines is how long some pages may be.
var lines = map[string]int{"README.md": 150, "CONTRIBUTING.md": 40}

// private are words of the house, with the field's word. They are looked for as whole words.
var private = map[string]string{
	"witness": "checker", "witnesses": "checkers", "mend": "fix", "mended": "fixed", "mends": "fixes",
	"whoever": "a noun", "nobody": "no, and a noun", "somebody": "a noun", "loot": "stolen batch", "kick": "displace",
	"coda": "final livelock check", "standing": "status", "standings": "statuses", "by chance": "random", "dance": "spin/park protocol",
	"crowd": "several producers",
}

// TestProse holds the pages to short sentences, to the field's words and to links that lead somewhere.
func TestProse(t *testing.T) {
	pages := []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md"}
	docs, err := filepath.Glob(filepath.Join(root, "docs/*.md"))
	if err != nil || len(docs) == 0 {
		t.Fatalf("expected pages in docs, saw %v, %v", docs, err)
	}
	for _, d := range docs {
		pages = append(pages, "docs/"+filepath.Base(d))
	}
	for _, page := range pages {
		data, err := os.ReadFile(filepath.Join(root, page))
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range wrongProse(page, string(data)) {
			t.Errorf("%s: %s", page, w)
		}
		for _, w := range deadLinks(page, string(data)) {
			t.Errorf("%s: %s", page, w)
		}
	}
}

// TestProseCanFail: each rule finds what breaks it, and no more.
func TestProseCanFail(t *testing.T) {
	words := func(n int) string { return strings.TrimSpace(strings.Repeat("word ", n)) + ". " }
	for name, c := range map[string]struct {
		page, text string
		want       []string
	}{
		"right":          {"docs/x.md", words(18) + words(35) + words(2), nil},
		"long":           {"docs/x.md", words(36) + words(2) + words(2), []string{"36 words"}},
		"long items":     {"docs/x.md", "- " + words(20) + "\n- " + words(20) + "\n", []string{"median of 20"}},
		"code":           {"docs/x.md", words(2) + "\n\n```go\n" + words(50) + "witness\n```\n\n    " + words(50) + "\n", nil},
		"tables":         {"docs/x.md", words(2) + "\n| a | " + words(40) + " |\n", nil},
		"two lines":      {"docs/x.md", strings.Repeat("word\n", 36) + ".", []string{"36 words", "median of 36"}},
		"private":        {"docs/x.md", "A witness fails. Nobody waits.", []string{"witness", "nobody"}},
		"private, row":   {"docs/x.md", "| a | mended |\n", []string{"mended"}},
		"not private":    {"docs/x.md", "An eyewitness, `witness` and outstanding work.", nil},
		"wide":           {"README.md", strings.Repeat("x", 121) + "\n", []string{"line 1 has 121 columns"}},
		"README":         {"README.md", strings.Repeat("a.\n", 151), []string{"151 lines"}},
		"CONTRIBUTING":   {"CONTRIBUTING.md", strings.Repeat("a.\n", 41), []string{"41 lines"}},
		"wide elsewhere": {"docs/x.md", strings.Repeat("x", 121) + "\n", nil},
	} {
		got := wrongProse(c.page, c.text)
		if len(got) != len(c.want) {
			t.Errorf("%s: expected %d complaints, saw %q", name, len(c.want), got)
			continue
		}
		for i, w := range c.want {
			if !slices.ContainsFunc(got, func(g string) bool { return strings.Contains(g, w) }) {
				t.Errorf("%s: expected %q (%d), saw %q", name, w, i, got)
			}
		}
	}
	for text, want := range map[string]int{
		"[a](../README.md) [b](https://example.org/x) [c][d]\n\n[d]: testing.go\n": 1,
		"[a](../CONTRIBUTING.md#nowhere)":                                          1,
		"[a](mechanisms.md#m06)":                                                   0,
		"[a](mechanisms.md#m6)":                                                    1,
		"[a](../internal/lint)":                                                    0,
		"![p](no.svg)":                                                             1,
		"| [queue] | [none] |\n\n[queue]: x.md":                                    2,
		"[a][none]":                                                                1,
	} {
		if got := deadLinks("docs/x.md", text); len(got) != want {
			t.Errorf("%q: expected %d dead links, saw %q", text, want, got)
		}
	}
}

var (
	fenced    = regexp.MustCompile("(?ms)^```.*?^```$")
	indented  = regexp.MustCompile(`(?m)^(?: {4}|\t).*$`)
	row       = regexp.MustCompile(`(?m)^\|.*$`)
	definedAt = regexp.MustCompile(`(?m)^\[([^\]]+)\]: (\S+)$`)
	heading   = regexp.MustCompile(`(?m)^#.*$`)
	quoted    = regexp.MustCompile("`[^`\n]*`")
	linked    = regexp.MustCompile(`!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])?`)
	inline    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	byName    = regexp.MustCompile(`\[([^\]]+)\]\[([^\]]*)\]`)
	shortcut  = regexp.MustCompile(`(.|^)\[([a-z-]+)\](.|$)`)
	endOf     = regexp.MustCompile(`[.?!:](?:\s+|$)`)
)

// wrongProse returns what is wrong with the prose of a page: code, indented blocks and tables have no sentences.
func wrongProse(page, text string) (wrong []string) {
	if most, n := lines[page], strings.Count(text, "\n"); most > 0 && n > most {
		wrong = append(wrong, fmt.Sprintf("expected at most %d lines, saw %d lines", most, n))
	}
	if page == "README.md" {
		for i, l := range strings.Split(text, "\n") {
			if n := len([]rune(l)); n > wide {
				wrong = append(wrong, fmt.Sprintf("line %d has %d columns, expected at most %d", i+1, n, wide))
			}
		}
	}
	text = indented.ReplaceAllString(fenced.ReplaceAllString(text, "\n\n"), "")
	plain := quoted.ReplaceAllString(definedAt.ReplaceAllString(text, ""), "x")
	plain = linked.ReplaceAllString(plain, "$1")
	for _, w := range slices.Sorted(maps.Keys(private)) {
		if page != "docs/glossary.md" && regexp.MustCompile(`(?i)\b`+w+`\b`).MatchString(plain) {
			wrong = append(wrong, fmt.Sprintf("%q: expected %s", w, private[w]))
		}
	}
	prose := heading.ReplaceAllString(row.ReplaceAllString(plain, "\n"), "\n")
	var counts []int
	for _, paragraph := range regexp.MustCompile(`\n\s*\n|\n *(?:[-*]|[0-9]+\.) `).Split("\n"+prose, -1) {
		for _, s := range endOf.Split(paragraph, -1) {
			n := len(strings.Fields(s))
			if n == 0 {
				continue
			}
			if counts = append(counts, n); n > longest {
				wrong = append(wrong, fmt.Sprintf("a sentence of %d words, expected at most %d: %.80s...", n, longest, strings.Join(strings.Fields(s), " ")))
			}
		}
	}
	slices.Sort(counts)
	if len(counts) > 0 {
		if m := counts[len(counts)/2]; m > median {
			wrong = append(wrong, fmt.Sprintf("a median of %d words a sentence, expected at most %d", m, median))
		}
	}
	return wrong
}

// deadLinks returns the links of a page that lead to no file, heading or definition of this repository.
func deadLinks(page, text string) (dead []string) {
	text = indented.ReplaceAllString(fenced.ReplaceAllString(text, ""), "")
	text = quoted.ReplaceAllString(text, "x")
	defined := make(map[string]string)
	var targets []string
	for _, m := range definedAt.FindAllStringSubmatch(text, -1) {
		defined[m[1]] = m[2]
		targets = append(targets, m[2])
	}
	body := definedAt.ReplaceAllString(text, "")
	for _, m := range inline.FindAllStringSubmatch(body, -1) {
		targets = append(targets, m[1])
	}
	for _, m := range byName.FindAllStringSubmatch(body, -1) {
		if name := m[2]; defined[name] == "" {
			dead = append(dead, fmt.Sprintf("[%s] is defined nowhere", name))
		}
	}
	for _, m := range shortcut.FindAllStringSubmatch(body, -1) {
		if name := m[2]; m[1] != "]" && !strings.Contains("[(:", m[3]) && defined[name] == "" || m[3] == "" && defined[name] == "" {
			dead = append(dead, fmt.Sprintf("[%s] is defined nowhere", name))
		}
	}
	for _, target := range targets {
		if strings.HasPrefix(target, "https://") {
			continue
		}
		file, anchor, _ := strings.Cut(target, "#")
		at := filepath.Join(root, filepath.Dir(page), file)
		if file == "" {
			at = filepath.Join(root, page)
		}
		if _, err := os.Stat(at); err != nil {
			dead = append(dead, fmt.Sprintf("%s leads to no file", target))
			continue
		}
		if anchor != "" {
			data, err := os.ReadFile(at)
			if err != nil || !strings.Contains(string(data), `<a id="`+anchor+`"></a>`) &&
				!slices.ContainsFunc(heading.FindAllString(string(data), -1), func(h string) bool { return anchorOf(h) == anchor }) {
				dead = append(dead, fmt.Sprintf("%s leads to no heading", target))
			}
		}
	}
	return dead
}

// anchorOf is the anchor that GitHub gives to a heading.
func anchorOf(heading string) string {
	h := strings.ToLower(strings.TrimSpace(strings.TrimLeft(heading, "#")))
	h = regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(h, "")
	return strings.ReplaceAll(h, " ", "-")
}
