package mechanisms

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
)

const (
	root    = "../.."
	program = "numgoroutine/main.go"
	write   = "SPINDLE_UPDATE=1 go test ./spec/mechanisms -run TestPage"
)

const intro = "<!-- generated: " + write + " -->\n" + `# The mechanisms of the Go scheduler, and what documents say of them

A requirement names the mechanisms that it is about, such as M06. This page says what each is. It also takes five
documents on the design of the scheduler apart, into %d statements. Each statement has a verdict: how far the model, the
code and the requirements of this repository keep it.

The data are two texts in [spec/mechanisms](../spec/mechanisms/mechanisms.txt), and a test holds them to the repository.
Requirements, definitions of TLA+, functions and commands that are named here exist. ` + "`spindle requirements ID`" + ` shows a
requirement in full.

## How many statements are kept

The first reading was of an earlier commit, 3eb32b4. A statement with two verdicts counts by the first. S3.5, which the code
had wrong then, counts as missing.

| verdict | meaning | first reading | now |
|---|---|---|---|
`

const programIntro = `## The program of S4

S4 has one program, and calls its output the same on every machine: N+1 goroutines while N are parked, and 1 after
` + "`done.Wait()`" + `. This function does the same:

`

const programEnd = `
A goroutine calls ` + "`Done`" + ` and ends a moment later. The G that waits may run in between, and count it. So 1 is likely, and not
sure. With Go 1.26.8 on two cores:

| program | more than 1 after Wait |
|---|---|
| that of the document | 137 of 6,134 runs (2.2 %) |
| this function, 10 goroutines | 13 of 5,000 runs (0.3 %) |
| this function, 100 goroutines | 22 of 5,000 runs (0.4 %) |
| this function, 1,000 goroutines | 344 of 5,000 runs (6.9 %) |

All goroutines of a run have ended before the next run begins. The figure differs from time to time, and more on a busy
machine. To measure it again, within ten seconds:

    go run ./spec/mechanisms/numgoroutine -g 1000

`

// page is the page that the data give.
func page(all []Mechanism, statements []Statement, source string) string {
	var b strings.Builder
	fmt.Fprintf(&b, intro, len(statements))
	was, now := make(map[Verdict]int), make(map[Verdict]int)
	for _, s := range statements {
		was[s.Was]++
		now[s.Verdict]++
	}
	for _, v := range Verdicts {
		fmt.Fprintf(&b, "| %s | %s | %d | %d |\n", v.Verdict, v.Means, was[v.Verdict], now[v.Verdict])
	}
	fmt.Fprintf(&b, "| | all | %d | %[1]d |\n\n## The mechanisms\n\n", len(statements))
	b.WriteString("| id | mechanism | requirements | statements |\n|---|---|---|---|\n")
	for _, m := range all {
		var ids, links []string
		for i := range spec.Requirements {
			if r := &spec.Requirements[i]; slices.Contains(r.Mechanism, m.ID) {
				ids = append(ids, "`"+r.ID+"`")
			}
		}
		for _, s := range statements {
			if slices.Contains(s.Mechanisms, m.ID) {
				links = append(links, link(s.ID))
			}
		}
		text := m.Says
		if m.Alone != "" {
			text += " " + m.Alone
		}
		fmt.Fprintf(&b, "| %s | **%s**<br>%s | %s | %s |\n", anchor(m.ID), m.Name, text, strings.Join(ids, " "), strings.Join(links, " "))
	}
	b.WriteString("\n## The statements\n\nThe documents are named by their kind:\n\n")
	for _, d := range Documents {
		fmt.Fprintf(&b, "- %s is %s.\n", d.ID, d.Kind)
	}
	for _, d := range Documents {
		fmt.Fprintf(&b, "\n### %s\n\n| id | statement | verdict | where |\n|---|---|---|---|\n", d.ID)
		for _, s := range statements {
			if strings.HasPrefix(s.ID, d.ID+".") {
				b.WriteString(s.row())
			}
		}
	}
	b.WriteString("\n## Sentences that are false or contradict each other\n\n| id | what the document says | what is right |\n|---|---|---|\n")
	for _, s := range statements {
		if s.Right != "" {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", link(s.ID), s.Says, s.Right)
		}
	}
	_, rest, _ := strings.Cut(source, "\n// program returns")
	text, _, _ := strings.Cut("// program returns"+rest, "\n}\n")
	b.WriteString("\n" + programIntro + "```go\n" + text + "\n}\n```\n" + programEnd)
	return strings.TrimRight(b.String(), "\n") + "\n"
}

func anchor(id string) string { return fmt.Sprintf(`<a id="%s"></a>%s`, strings.ToLower(id), id) }

func link(id string) string { return fmt.Sprintf("[%s](#%s)", id, strings.ToLower(id)) }

// row is a statement as a row of its table.
func (s *Statement) row() string {
	verdict := "**" + string(s.Verdict) + "**"
	if s.Because != "" {
		verdict += "<br>" + s.Because
	}
	var where []string
	add := func(name string, list []string, word func(string) string) {
		if len(list) == 0 {
			return
		}
		var words []string
		for _, l := range list {
			words = append(words, word(l))
		}
		where = append(where, name+strings.Join(words, ", "))
	}
	add("", s.Mechanisms, link)
	add("model: ", s.Model, modelLink)
	add("code: ", s.Code, func(at string) string {
		file, decl, _ := strings.Cut(at, " ")
		if decl == "" {
			decl = filepath.Base(file)
		}
		return fmt.Sprintf("[`%s`](../%s)", decl, file)
	})
	add("requirements: ", s.Requirements, func(id string) string { return "`" + id + "`" })
	if s.Command != "none" {
		where = append(where, "`"+s.Command+"`")
	}
	return fmt.Sprintf("| %s | %s | %s | %s |\n", anchor(s.ID), s.Says, verdict, strings.Join(where, "<br>"))
}

func modelLink(at string) string {
	if kind, name, ok := strings.Cut(at, " "); ok {
		if kind == "feature" {
			return fmt.Sprintf("feature [`%s`](../tla/FEATURES.md)", name)
		}
		return fmt.Sprintf("[`%s`](../tla/cfg/%[1]s.cfg)", name)
	}
	module, _, _ := strings.Cut(at, "!")
	return fmt.Sprintf("[`%s`](../tla/%s.tla)", at, module)
}

// data returns what the package has, and fails t if it cannot be read.
func data(t *testing.T) ([]Mechanism, []Statement) {
	t.Helper()
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	statements, err := Statements()
	if err != nil {
		t.Fatal(err)
	}
	return all, statements
}

// TestPage holds the page to the data. SPINDLE_UPDATE=1 writes the page.
func TestPage(t *testing.T) {
	all, statements := data(t)
	source, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	now, name := page(all, statements, string(source)), filepath.Join(root, "docs/mechanisms.md")
	if tier.Update() {
		if err := os.WriteFile(name, []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(file) != now {
		t.Errorf("docs/mechanisms.md is not what spec/mechanisms gives; to write it: %s", write)
	}
}
