package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/internal/printable"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
)

// A group is a column of a table: requirements that readers ask for together.
type group struct {
	name string
	ids  []string
}

// The columns. Each requirement of schedulers, and of queues, is in one group, or in byExplorer.
var (
	schedulerGroups = []group{
		{"runs once", []string{"SC-LOST", "SC-TWICE", "SC-ACCEPT", "SC-REFUSED", "SC-CALLS"}},
		{"none waits beside an idle worker", []string{"SC-WORK", "SC-TOGETHER", "SC-STEAL", "SC-WAKE", "SC-AFTER-IDLE", "SC-GROW", "SC-JOIN"}},
		{"close", []string{"SC-CLOSE-WAITS", "SC-CLOSE-RETURNS", "SC-CLOSE-WORKERS", "SC-CLOSED", "SC-WAIT-RETURNS", "SC-WAIT-WAITS", "SC-DEADLOCK", "SC-DEADLOCK-TRUE"}},
		{"time and blocking", []string{"TM-EARLY", "TM-LOST", "TM-BESIDE", "TM-LEAVES", "SY-BLOCK", "SY-RETURN"}},
		{"rest", []string{"SC-IDLE", "SC-SPIN", "SC-WAKES", "SC-THREADS"}},
		{"number, order, panics", []string{"SC-WORKERS", "SC-SHRINK", "SC-ORDER", "SC-PANIC", "SC-EXIT"}},
		{"fair", []string{"FA-YIELD", "FA-READY", "FA-AGAIN", "FA-PREEMPT"}},
	}
	queueGroups = []group{
		{"taken once", []string{"RQ-LOST", "RQ-TWICE", "RQ-INVENTED", "RQ-CRASH"}},
		{"order", []string{"RQ-FIFO", "RQ-LIFO", "RQ-RUNNEXT-FIRST", "RQ-RUNNEXT-KICK", "RQ-RUNNEXT-OWNER", "RQ-GLOBAL-FIFO"}},
		{"finds nothing only if empty", []string{"RQ-GET-NONE", "RQ-STEAL-NONE", "RQ-STEAL-SOME", "RQ-EMPTY-TRUE", "RQ-EMPTY-FALSE", "RQ-LEN"}},
		{"full", []string{"RQ-CAPACITY", "RQ-SIZES", "RQ-WRAP", "RQ-OVERFLOW"}},
		{"several at once", []string{"RQ-STEAL-HALF", "RQ-STEAL-ORDER", "RQ-STEAL-RUNNEXT", "RQ-DRAIN", "RQ-PUT-BATCH", "RQ-GLOBAL-BATCH"}},
		{"waits, closes", []string{"RQ-TAKE-WAKES", "RQ-TAKE-NONE", "RQ-CLOSE-WAKES", "RQ-CLOSE-DROPS", "RQ-CLOSE-PUT"}},
	}
	// byExplorer are judged by the explorer alone, which runs Go; it has a table of its own.
	byExplorer = []string{"SC-RACE", "RQ-RACE", "RQ-RANDOM"}
)

func groupsOf(kind string) []group {
	if kind == queueKind {
		return queueGroups
	}
	return schedulerGroups
}

// what a kind is judged by.
func unit(kind string) string {
	if kind == queueKind {
		return "scenarios"
	}
	return "graphs"
}

// cell returns what the table says of a row by the requirements of a group.
func cell(c *Child, row *Row, g group) string {
	by := make(map[suite.Standing][]string)
	var limits []string
	asked, graphs := 0, make(map[string]int)
	for _, id := range g.ids {
		at := row.Judged[id]
		if at == nil {
			continue // not promised
		}
		if at.Standing != suite.NotOffered {
			asked++
		}
		if at.Standing == suite.Kept {
			for check, n := range at.Checks {
				graphs[check] = max(graphs[check], n)
			}
		}
		if at.Standing == suite.Broken && c.Limits[id].said() != "" {
			limits = append(limits, id)
			continue
		}
		by[at.Standing] = append(by[at.Standing], id)
	}
	var parts []string
	if ids := by[suite.Broken]; len(ids) > 0 {
		parts = append(parts, fmt.Sprintf("[**broken**](#findings): %s", strings.Join(ids, ", ")))
	}
	if len(limits) > 0 {
		parts = append(parts, fmt.Sprintf("[*documented limit*](#documented-limits): %s", strings.Join(limits, ", ")))
	}
	if ids := append(by[suite.Unknown], by[suite.NotRun]...); len(ids) > 0 {
		parts = append(parts, "unknown: "+strings.Join(ids, ", "))
	}
	if ids := by[suite.Kept]; len(ids) > 0 {
		total := 0
		for _, n := range graphs {
			total += n
		}
		text := "kept"
		if len(ids) < asked {
			text += fmt.Sprintf(" %d of %d", len(ids), asked)
		}
		if total > 0 {
			text += " (" + thousands(total) + ")"
		}
		parts = append(parts, text)
	}
	switch {
	case len(parts) > 0:
	case len(by[suite.NotOffered]) > 0:
		parts = []string{"not offered"}
	default:
		parts = []string{"not promised"}
	}
	return strings.Join(parts, "; ")
}

// thousands writes a number as people read it.
func thousands(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// inRow escapes what would end a cell.
func inRow(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;", ">", "&gt;").Replace(s)
}

// code quotes text in a cell, where no escape works but that of the bar.
func code(s string) string {
	return "`" + strings.NewReplacer("|", `\|`, "`", "'", "\n", " ").Replace(s) + "`"
}

// words returns what a choice means.
func words(kind, choice string) string {
	name, value, _ := strings.Cut(choice, "=")
	type list struct {
		name   string
		values []spec.Value
	}
	var all []list
	if kind == queueKind {
		for _, q := range spec.Choices {
			all = append(all, list{q.Name, q.Values})
		}
	} else {
		for _, q := range spec.SchedulerChoices {
			all = append(all, list{q.Name, q.Values})
		}
	}
	for _, q := range all {
		for _, v := range q.values {
			if q.name == name && v.Name == value {
				return v.Sentence
			}
		}
	}
	return ""
}

// claimed returns the choices in which a contract differs from the weakest profile of its kind: "pool" and "core".
func claimed(c *Child, p spec.Profile) ([]string, error) {
	var out []string
	if c.Kind == schedulerKind {
		contract, err := spec.ParseSchedulerContract(string(p))
		if err != nil {
			return nil, err
		}
		for _, q := range spec.SchedulerChoices {
			if v := contract.Of(q.Name).Name; v != q.Values[0].Name {
				out = append(out, q.Name+"="+v)
			}
		}
		return out, nil
	}
	contract, err := spec.ParseContract(string(p))
	if err != nil {
		return nil, err
	}
	core, err := spec.ParseContract(string(spec.Core))
	if err != nil {
		return nil, err
	}
	for _, q := range spec.Choices {
		if v := q.Of(contract).Name; v != q.Of(core).Name {
			out = append(out, q.Name+"="+v)
		}
	}
	return out, nil
}

// version returns what the row is about.
func version(c *Child, row *Row) string { return cmp.Or(c.Version, row.Version) }

// page returns the text of docs/schedulers.md. It is an error if the list does not explain the results: a choice without a sentence, or something
// broken that is neither a limit nor a finding.
func page(list *List, results *Results) (string, error) {
	var w strings.Builder
	counts := make(map[string]int)
	languages := make(map[string]map[string]bool)
	for _, row := range results.Rows {
		c := list.child(row.Name)
		if c == nil {
			return "", fmt.Errorf("childpage: results have a row %q, which the list has not", row.Name)
		}
		if err := explained(c, row); err != nil {
			return "", err
		}
		counts[c.Kind]++
		if languages[c.Kind] == nil {
			languages[c.Kind] = make(map[string]bool)
		}
		languages[c.Kind][c.Language] = true
	}
	fmt.Fprintf(&w, `# Schedulers and queues of other people

%d schedulers in %d languages and %d queues in %d, each judged under the contract that its own documentation states.
What a library never promised is not held against it. No figure here is about speed.
Do you see a sentence that is read wrongly? Change [children/list.json](../children/list.json).

[How to judge your own scheduler](from-other-languages.md), in any language. [What the requirements say](scheduler.md): `+"`spindle requirements SC-WORK`"+`.

A cell says what came of a group of requirements:

| cell | meaning |
|---|---|
| kept (n) | no run broke one of them, and in one run at least every check came to its end; n graphs or scenarios were run |
| kept 3 of 5 (n) | the others of the five are named in front |
| **broken** | a run shows it; see the [findings](#findings) |
| *documented limit* | a run shows it, and the documentation says so, or the source where there is no other; see the [limits](#documented-limits) |
| unknown | no run decided it, mostly since a finding ended the check before its plan |
| not offered | the library has no call for what they are about |
| not promised | its documentation does not promise it, so it was not judged |

`, counts[schedulerKind], len(languages[schedulerKind]), counts[queueKind], len(languages[queueKind]))
	for _, kind := range []string{schedulerKind, queueKind} {
		fmt.Fprintf(&w, "## %ss\n\n", strings.ToUpper(kind[:1])+kind[1:])
		table(&w, list, results, kind)
	}
	if err := contracts(&w, list, results); err != nil {
		return "", err
	}
	findings(&w, list, results)
	limits(&w, list, results)
	explored(&w, list, results)
	runs(&w, list, results)
	w.WriteString(`## How this page is made

    children/run -all events && go run ./internal/childpage events

A test holds the page against [children/list.json](../children/list.json) and [children/results.json](../children/results.json). Each change of a child or of the suite is judged by
` + "`children/run`" + `, which compares the shorter runs of CI with a baseline.
`)
	return w.String(), nil
}

// explained returns what the list does not explain of a row.
func explained(c *Child, row *Row) error {
	want, err := claimed(c, row.Profile)
	if err != nil {
		return fmt.Errorf("childpage: %s: %w", c.Name, err)
	}
	var have []string
	for _, q := range c.Contract {
		have = append(have, q.Choice)
	}
	for _, q := range want {
		if !slices.Contains(have, q) {
			return fmt.Errorf("childpage: %s is judged by %s: expected a sentence behind it in the list, saw those of %v", c.Name, q, have)
		}
	}
	for _, q := range have {
		if words(c.Kind, q) == "" {
			return fmt.Errorf("childpage: %s: expected a choice of the suite's and its value, saw %q", c.Name, q)
		}
		name, _, _ := strings.Cut(q, "=")
		if !slices.Contains(want, q) && slices.ContainsFunc(want, func(w string) bool { return strings.HasPrefix(w, name+"=") }) {
			return fmt.Errorf("childpage: %s: the list says %s, the run was judged by %v", c.Name, q, want)
		}
	}
	for id, at := range row.Judged {
		_, limit := c.Limits[id]
		_, finding := c.Findings[id]
		if at.Standing == suite.Broken && !limit && !finding {
			return fmt.Errorf("childpage: %s breaks %s (graph %s): expected a limit or a finding in the list: look it up in the project's tracker first", c.Name, id, at.Graph)
		}
	}
	return nil
}

func table(w *strings.Builder, list *List, results *Results, kind string) {
	fmt.Fprintf(w, "| %s | version | language | promises |", kind)
	for _, g := range groupsOf(kind) {
		fmt.Fprintf(w, " %s |", g.name)
	}
	w.WriteString("\n|---|---|---|---|" + strings.Repeat("---|", len(groupsOf(kind))) + "\n")
	for _, row := range results.Rows {
		c := list.child(row.Name)
		if c.Kind != kind {
			continue
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s |", inRow(c.Title), inRow(version(c, row)), c.Language, code(string(row.Profile)))
		for _, g := range groupsOf(kind) {
			fmt.Fprintf(w, " %s |", cell(c, row, g))
		}
		w.WriteByte('\n')
	}
	fmt.Fprintf(w, "\nNumbers in brackets are %s.\n\n", unit(kind))
}

func contracts(w *strings.Builder, list *List, results *Results) error {
	w.WriteString(`## What each promises

Every other choice is that of the profile ` + "`pool`, of queues `core`: `spindle contract` lists them." + `

| library | choice | meaning | the documentation, in quotation marks, and how we read it | where |
|---|---|---|---|---|
`)
	for _, row := range results.Rows {
		c := list.child(row.Name)
		for _, q := range c.Contract {
			fmt.Fprintf(w, "| %s | %s | %s | %s | %s |\n", inRow(c.Title), code(q.Choice), inRow(words(c.Kind, q.Choice)), inRow(q.said()), inRow(q.Source))
		}
	}
	w.WriteByte('\n')
	return nil
}

// sorted returns the requirements of a row that are broken, in order.
func broken(row *Row) (ids []string) {
	for _, id := range slices.Sorted(maps.Keys(row.Judged)) {
		if row.Judged[id].Standing == suite.Broken {
			ids = append(ids, id)
		}
	}
	return ids
}

func sentence(id string) string {
	if q, err := spec.Lookup(id); err == nil {
		return q.Sentence
	}
	return ""
}

func findings(w *strings.Builder, list *List, results *Results) {
	w.WriteString("## Findings\n\n")
	n := 0
	for _, row := range results.Rows {
		c := list.child(row.Name)
		for _, id := range broken(row) {
			said, ok := c.Findings[id]
			if !ok {
				continue
			}
			n++
			at := row.Judged[id]
			fmt.Fprintf(w, "### %s, %s\n\n| | |\n|---|---|\n", c.Title, id)
			line := func(what, text string) {
				if text != "" {
					fmt.Fprintf(w, "| %s | %s |\n", what, text)
				}
			}
			line("requirement", inRow(sentence(id)))
			line("graph", code(at.Graph))
			line("expected, seen", inRow(printable.Line(at.Expected+"; "+at.Observed, 300)))
			line("seen in", fmt.Sprintf("%d of %d runs of %s", at.Broken, row.Runs, inRow(version(c, row))))
			line("again", code(at.Again))
			if said.Program != "" {
				line("without spindle", code(said.Program))
			}
			line("reported", inRow(said.Issue))
			line("how it is read, and what was looked for", inRow(said.Tracker))
			w.WriteByte('\n')
		}
	}
	if n == 0 {
		w.WriteString("There is none.\n\n")
	}
}

func limits(w *strings.Builder, list *List, results *Results) {
	w.WriteString("## Documented limits\n\n| library | requirement | what it says | where | graph |\n|---|---|---|---|---|\n")
	for _, row := range results.Rows {
		c := list.child(row.Name)
		for _, id := range broken(row) {
			if s, ok := c.Limits[id]; ok {
				fmt.Fprintf(w, "| %s | %s: %s | %s | %s | %s |\n", inRow(c.Title), id, inRow(sentence(id)), inRow(s.said()), inRow(s.Source), code(row.Judged[id].Graph))
			}
		}
	}
	w.WriteByte('\n')
}

func explored(w *strings.Builder, list *List, results *Results) {
	w.WriteString(`## What was explored

Runs on real threads may not meet what is there. An explorer tries every interleaving. Of what is not in this table nothing was explored.

| library | by | result | where |
|---|---|---|---|
`)
	for _, row := range results.Rows {
		c := list.child(row.Name)
		if len(row.Explored) == 0 {
			continue
		}
		fmt.Fprintf(w, "| %s | the explorer of this repository | complete: %s | `%s` |\n", inRow(c.Title),
			fmt.Sprintf("%s scenarios, %s executions", thousands(row.Scenarios), thousands(row.Executions)), strings.Join(row.Explored, "`, `"))
	}
	for _, e := range list.Explored {
		fmt.Fprintf(w, "| %s | %s | %s | %s |\n", inRow(e.What), inRow(e.By), inRow(e.Result), inRow(e.Source))
	}
	w.WriteByte('\n')
}

func runs(w *strings.Builder, list *List, results *Results) {
	w.WriteString("## The runs\n\n| library | command | runs | date | machine | seeds |\n|---|---|---|---|---|---|\n")
	for _, row := range results.Rows {
		c := list.child(row.Name)
		var seeds []string
		for i, s := range row.Seeds {
			if i == 3 {
				seeds = append(seeds, "…")
				break
			}
			seeds = append(seeds, s.String())
		}
		command := c.Test
		if c.Command != "" {
			command = "spindle check 'exec:" + c.Command + "'"
		}
		fmt.Fprintf(w, "| %s | %s | %d | %s | %s, %d processors | %s |\n", inRow(c.Title), code(command), row.Runs, row.Date, row.System, row.CPUs, strings.Join(seeds, ", "))
	}
	w.WriteByte('\n')
}
