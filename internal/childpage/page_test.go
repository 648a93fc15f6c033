package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/scheduler/checks"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
)

const root = "../.."

func read(t *testing.T) (*List, *Results) {
	t.Helper()
	list, err := readList(filepath.Join(root, listFile))
	if err != nil {
		t.Fatal(err)
	}
	results, err := readResults(filepath.Join(root, resultsFile))
	if err != nil {
		t.Fatal(err)
	}
	return list, results
}

// TestPage holds docs/schedulers.md against the list and the results. With SPINDLE_UPDATE=1 it writes the page; with SPINDLE_CHILDREN=FOLDER besides it
// takes over the events that are there.
func TestPage(t *testing.T) {
	if folder := os.Getenv("SPINDLE_CHILDREN"); tier.Update() {
		var folders []string
		if folder != "" {
			folders = []string{folder}
		}
		if err := run(os.Stdout, root, folders); err != nil {
			t.Fatal(err)
		}
	}
	list, results := read(t)
	want, err := page(list, results)
	if err != nil {
		t.Fatal(err)
	}
	have, err := os.ReadFile(filepath.Join(root, pageFile))
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != want {
		t.Errorf("expected %s as it is made from the list and the results: SPINDLE_UPDATE=1 go test ./internal/childpage", pageFile)
	}
	if results.Contract != suite.Contract {
		t.Errorf("the results are by contract %s of the suite, which has %s by now: children/run -all FOLDER", results.Contract, suite.Contract)
	}
	for _, row := range results.Rows {
		asked := 0
		for _, at := range row.Judged {
			if at.Standing == suite.Kept || at.Standing == suite.Broken {
				asked++
			}
		}
		if asked == 0 || row.Runs == 0 || len(row.Seeds) == 0 {
			t.Errorf("%s: expected runs that judged something, saw %d requirements, %d runs", row.Name, asked, row.Runs)
		}
	}
}

// TestKnown: what the gate lets pass is on the page, as a limit or as a finding.
func TestKnown(t *testing.T) {
	list, _ := read(t)
	f, err := os.Open(filepath.Join(root, "children/known.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	known, err := gate.ReadKnown(f)
	if err != nil {
		t.Fatal(err)
	}
	listed := make(map[string]bool)
	for _, k := range known {
		said := false
		for _, c := range list.Children {
			if slices.Contains(c.targets(), k.Target) {
				_, limit := c.Limits[k.Fingerprint]
				_, finding := c.Findings[k.Fingerprint]
				said = said || limit || finding
			}
		}
		if !said {
			t.Errorf("children/known.txt: %s of %s: expected a limit or a finding of the list", k.Fingerprint, k.Target)
		}
		listed[k.Target+" "+k.Fingerprint] = true
	}
	for _, c := range list.Children {
		for _, ids := range [][]string{keys(c.Limits), keys(c.Findings)} {
			for _, id := range ids {
				if c.Command != "" && !listed[c.targets()[0]+" "+id] {
					t.Errorf("children/known.txt lacks %s of %s, which the list has", id, c.Name)
				}
			}
		}
	}
}

func keys[V any](m map[string]V) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// TestGroups: each requirement of schedulers and of queues is in one column.
func TestGroups(t *testing.T) {
	seen := make(map[string]int)
	for _, g := range slices.Concat(schedulerGroups, queueGroups, []group{{"", byExplorer}}) {
		for _, id := range g.ids {
			seen[id]++
			if _, err := spec.Lookup(id); err != nil {
				t.Error(err)
			}
		}
	}
	for i := range spec.Requirements {
		q := &spec.Requirements[i]
		target := strings.HasPrefix(q.ID, "SC-") || strings.HasPrefix(q.ID, "RQ-") || strings.HasPrefix(q.ID, "FA-") || q.In(spec.Pool)
		if want := 1; target && seen[q.ID] != want {
			t.Errorf("%s: expected it in one column, saw it in %d", q.ID, seen[q.ID])
		}
	}
}

// sample is a list with one child, and a row of it.
func sample() (*List, *Results) {
	c := &Child{Name: "x", Title: "x", Language: "Go", Folder: "x", Command: "x", Kind: schedulerKind, Contract: []Choice{{"workers=exact", Sentence{"At most n.", "x.md", ""}}}}
	row := &Row{Name: "x", Profile: "pool,workers=exact", Runs: 1, Judged: map[string]*At{
		"SC-LOST":  {Standing: suite.Kept, Checks: map[string]int{"a": 1000, "b": 20}},
		"SC-TWICE": {Standing: suite.Kept, Checks: map[string]int{"a": 1000}},
		"SC-WORK":  {Standing: suite.Unknown}, "SC-IDLE": {Standing: suite.NotOffered},
	}}
	return &List{Languages: []*Language{{Name: "Go", Folder: "x"}}, Children: []*Child{c}}, &Results{Contract: suite.Contract, Rows: []*Row{row}}
}

// TestPageCanFail: what the list does not explain is an error, and cells say what the runs said.
func TestPageCanFail(t *testing.T) {
	list, results := sample()
	if err := list.check(); err != nil {
		t.Fatal(err)
	}
	text, err := page(list, results)
	if err != nil {
		t.Fatal(err)
	}
	want := "| x |  | Go | `pool,workers=exact` | kept (1,020) | unknown: SC-WORK | not promised | not promised | not offered | not promised | not promised |"
	if !strings.Contains(text, want) {
		t.Errorf("expected the line %s, saw\n%s", want, text)
	}
	broken := &At{Standing: suite.Broken, Graph: "s0|s1 c/| on 1", Broken: 1}
	for name, c := range map[string]struct {
		change func(c *Child, row *Row)
		want   string // of the page or, behind !, of the error
	}{
		"a choice without a sentence": {func(c *Child, row *Row) { row.Profile = "pool,workers=exact,panics=isolated" }, "!panics=isolated"},
		"a choice that is not there":  {func(c *Child, row *Row) { c.Contract[0].Choice = "workers=some" }, "!workers=some"},
		"another choice": {func(c *Child, row *Row) {
			c.Contract = append(c.Contract, Choice{"workers=at-least", Sentence{"x", "x", ""}})
		}, "!workers=at-least"},
		"broken, and nothing said": {func(c *Child, row *Row) { row.Judged["SC-LOST"] = broken }, "!breaks SC-LOST (graph s0|s1 c/| on 1)"},
		"broken": {func(c *Child, row *Row) {
			row.Judged["SC-LOST"] = broken
			c.Findings = map[string]Said{"SC-LOST": {Issue: notReported, Tracker: "nothing"}}
		}, "[**broken**](#findings): SC-LOST; kept 1 of 2 (1,000)"},
		"limit": {func(c *Child, row *Row) {
			row.Judged["SC-LOST"] = broken
			c.Limits = map[string]Sentence{"SC-LOST": {"x", "x", ""}}
		}, "[*documented limit*](#documented-limits): SC-LOST; kept 1 of 2 (1,000)"},
		"none of the list": {func(c *Child, row *Row) { row.Name = "y" }, `!a row "y"`},
	} {
		list, results := sample()
		c.change(list.Children[0], results.Rows[0])
		text, err := page(list, results)
		if want, ok := strings.CutPrefix(c.want, "!"); ok {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: expected an error with %q, saw %v", name, want, err)
			}
		} else if err != nil || !strings.Contains(text, c.want) {
			t.Errorf("%s: expected %q, saw %v\n%s", name, c.want, err, text)
		}
	}
	for name, change := range map[string]func(c *Child){
		"kind": func(c *Child) { c.Kind = "pool" }, "language": func(c *Child) { c.Language = "Ada" }, "command": func(c *Child) { c.Command = "" },
		"sentence": func(c *Child) { c.Contract[0].Text = "" }, "issue": func(c *Child) { c.Findings = map[string]Said{"SC-LOST": {Issue: "42", Tracker: "x"}} },
		"limit and finding": func(c *Child) {
			c.Limits, c.Findings = map[string]Sentence{"SC-LOST": {"x", "x", ""}}, map[string]Said{"SC-LOST": {Issue: notReported, Tracker: "x"}}
		},
	} {
		list, _ := sample()
		change(list.Children[0])
		if err := list.check(); err == nil {
			t.Errorf("%s: expected an error of the list", name)
		}
	}
}

// TestTake: events become a row, a run that is not whole is none.
func TestTake(t *testing.T) {
	tier.NotShort(t)
	target, err := checks.InProcess("x", spec.Pool, checks.WrongPool())
	if err != nil {
		t.Fatal(err)
	}
	var events bytes.Buffer
	write, _ := suite.WriteEvents(&events)
	o := suite.Options{Seed: 1, Select: "^stress/(meet|storm)$", Sink: write}
	if err := suite.Run(context.Background(), o, suite.Opened(checks.Subject, target)); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if _, err := readFolders([]string{folder}); err == nil {
		t.Error("expected an error of a folder without events")
	}
	file := filepath.Join(folder, "x.jsonl")
	if err := os.WriteFile(file, events.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	runs, err := readFolders([]string{folder})
	if err != nil {
		t.Fatal(err)
	}
	list, results := sample()
	if err := results.take(list, slices.Concat(runs, runs)); err != nil {
		t.Fatal(err)
	}
	found := 0
	for id, at := range results.of("x").Judged {
		if at.Standing == suite.Broken {
			found++
			if at.Graph == "" || at.Observed == "" || at.Broken != 2 {
				t.Errorf("%s: expected a graph and two runs, saw %+v", id, at)
			}
		}
	}
	if row := results.of("x"); found == 0 || row.Runs != 2 || len(row.Seeds) != 1 || row.Profile != spec.Pool {
		t.Errorf("expected two runs of one seed that broke something, saw %+v", row)
	}
	if err := results.take(&List{}, runs); err == nil {
		t.Error("expected an error of events of no child")
	}
	if err := os.WriteFile(file, events.Bytes()[:events.Len()-100], 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := readFolders([]string{folder}); err == nil {
		t.Error("expected an error of events that were cut off")
	}
}

// TestPlan: children/run finds each language with its pools, and each child with a command.
func TestPlan(t *testing.T) {
	list, _ := read(t)
	var w strings.Builder
	if err := list.plan(&w); err != nil {
		t.Fatal(err)
	}
	for _, l := range list.Languages {
		if l.Child == "" {
			continue
		}
		if len(l.Wrong) < 5 || l.Right == "" || !strings.Contains(w.String(), "language\t"+l.Name+"\t"+l.Folder+"\t") {
			t.Errorf("%s: expected a line of its own, a right pool and five wrong ones, saw %v", l.Name, l.Wrong)
		}
	}
	for _, c := range list.Children {
		if c.Command != "" && !strings.Contains(w.String(), "\t"+c.Name+"\t"+c.Kind+"\t"+c.Command+"\t") {
			t.Errorf("%s is not in the plan", c.Name)
		}
	}
}
