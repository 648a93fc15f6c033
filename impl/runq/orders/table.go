package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A result is what came of a scenario. The zero value: none failed.
type result struct {
	scenario    string
	fails       bool
	count, what string // executions; what was wrong
}

func (r result) String() string {
	switch {
	case r.fails:
		return r.scenario + ": " + r.what
	case r.scenario == "":
		return "no scenario of these fails"
	}
	return r.count + " executions, complete"
}

// A plan is what is explored, and what came of it.
type plan struct {
	scenarios [][]string // name, capacity, before, owner, others
	rows      [][]string // index of a site, call, access, order, weakened to
	complete  []result   // of the scenarios
	found     []result   // of the rows
	all       result     // of all rows at once that need nothing
}

func parse(list string) *plan {
	p := new(plan)
	for line := range strings.Lines(list) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if f[0] == "site" {
			p.rows = append(p.rows, f[1:])
		} else {
			p.scenarios = append(p.scenarios, f[1:])
		}
	}
	p.complete, p.found = make([]result, len(p.scenarios)), make([]result, len(p.rows))
	return p
}

// redundant returns the weakenings of which none fails, for all of them at once. A site
// without acquire and without release is relaxed.
func (p *plan) redundant() []string {
	orders := make(map[string]string)
	for i, r := range p.rows {
		if !p.found[i].fails {
			if orders[r[0]] != "" {
				r = []string{r[0], "", "", "", "relaxed"}
			}
			orders[r[0]] = r[0] + "=" + r[4]
		}
	}
	return slices.Sorted(maps.Values(orders))
}

func (p *plan) right() bool {
	return !p.all.fails && !slices.ContainsFunc(p.complete, func(r result) bool { return r.fails })
}

// String is the text of the page.
func (p *plan) String() string {
	var b strings.Builder
	b.WriteString("| access | order | weakened to | what fails |\n|---|---|---|---|\n")
	for i, r := range p.rows {
		fmt.Fprintf(&b, "| `%s`: %s | %s | %s | %v |\n", r[1], r[2], r[3], r[4], p.found[i])
	}
	fmt.Fprintf(&b, "| all rows without a failure, at once | | | %v |\n\n", p.all)
	b.WriteString("| scenario | slots | before | owner | others | the runtime's orders |\n|---|---|---|---|---|---|\n")
	for i, s := range p.scenarios {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %v |\n", s[0], s[1], s[2], s[3], strings.Join(s[4:], ", "), p.complete[i])
	}
	return b.String()
}

// The lines of the page between which the table is.
const (
	from = "<!-- written by go run ./impl/runq/orders -update -->\n"
	to   = "<!-- end -->\n"
)

// replace returns the page with the table.
func replace(page, table string) (string, error) {
	before, rest, ok := strings.Cut(page, from)
	_, after, ends := strings.Cut(rest, to)
	if !ok || !ends {
		return "", errors.New("expected the lines between which the table is, saw none")
	}
	return before + from + table + to + after, nil
}
