package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// Results is children/results.json: what the runs said, as short as the page needs it.
type Results struct {
	Contract string `json:"contract"` // of the suite
	Rows     []*Row `json:"rows"`
}

// A Row is what all runs of one child said.
type Row struct {
	Name    string         `json:"name"`
	Version string         `json:"version,omitempty"`
	Profile spec.Profile   `json:"profile"`
	Date    string         `json:"date"` // of the latest run
	System  string         `json:"system"`
	CPUs    int            `json:"cpus"`
	Runs    int            `json:"runs"`
	Seeds   []record.Seed  `json:"seeds"`
	Judged  map[string]*At `json:"judged"` // by requirement: what the profile asks for, and whatever is broken
	// Explored are the checks that explored all that they planned.
	Explored []string `json:"explored,omitempty"`
	// Of these: scenarios and executions.
	Scenarios  int `json:"scenarios,omitempty"`
	Executions int `json:"executions,omitempty"`
}

// At says where a requirement stands.
type At struct {
	Standing suite.Standing `json:"standing"`
	Checks   map[string]int `json:"checks,omitempty"` // that judged it: how many graphs or scenarios each had, over all runs
	Broken   int            `json:"broken,omitempty"` // of how many runs
	Reason   string         `json:"reason,omitempty"` // why it is unknown, or not offered
	Graph    string         `json:"graph,omitempty"`  // that shows it, the smallest
	Expected string         `json:"expected,omitempty"`
	Observed string         `json:"observed,omitempty"`
	Again    string         `json:"again,omitempty"` // the command
	lines    int            // of the graph, with its letters: to find the smallest
}

func readResults(path string) (*Results, error) {
	r := new(Results)
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, r)
	}
	return r, err
}

func (r *Results) write(path string) error {
	data, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o666)
}

func (r *Results) of(name string) *Row {
	at := slices.IndexFunc(r.Rows, func(row *Row) bool { return row.Name == name })
	if at < 0 {
		return nil
	}
	return r.Rows[at]
}

// A judged is a target of a stream that is whole.
type judged struct {
	header *suite.Header
	target *suite.Judged
}

// readFolders reads all streams of events. Nothing is taken over from one that is not whole, was interrupted, or in which the suite did
// not work: a control that missed what it had to see included.
func readFolders(folders []string) (list []judged, err error) {
	files := 0
	for _, folder := range folders {
		names, err := filepath.Glob(filepath.Join(folder, "*.[jn]*s*on*")) // .jsonl; .ndjson of SPINDLE_EVENTS
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			files++
			f, err := os.Open(name)
			if err != nil {
				return nil, err
			}
			var g gate.Gate
			err = g.Read(f)
			err = cmp.Or(err, f.Close())
			r := g.Result()
			switch {
			case err != nil:
				return nil, fmt.Errorf("childpage: %s: %w", name, err)
			case r.Verdict == gate.Error:
				return nil, fmt.Errorf("childpage: %s: %s", name, strings.Join(r.Reasons, "; "))
			case r.Interrupted || r.Header.Shard != "":
				return nil, fmt.Errorf("childpage: %s: expected a whole run, saw one that was interrupted, or a shard", name)
			}
			for _, c := range r.Controls {
				if c.Control.Finding == nil {
					return nil, fmt.Errorf("childpage: %s: a positive control saw nothing: %s", name, c.Control.What)
				}
			}
			for _, t := range r.Targets {
				list = append(list, judged{r.Header, t})
			}
		}
	}
	if files == 0 {
		return nil, fmt.Errorf("childpage: expected events, NAME.jsonl, in %q, saw none", folders)
	}
	return list, nil
}

// take replaces the rows that the runs are about.
func (r *Results) take(list *List, runs []judged) error {
	fresh := make(map[string]*Row)
	for _, j := range runs {
		if j.target.Description == nil {
			return fmt.Errorf("childpage: target %s was not open: %s", j.target.Target, j.target.Error)
		}
		c := list.of(j.target.Target, j.target.Description.Version)
		if c == nil {
			continue // a pool that is wrong on purpose, or nothing of this page
		}
		if fresh[c.Name] == nil {
			fresh[c.Name] = &Row{Name: c.Name, Judged: make(map[string]*At)}
		}
		if err := fresh[c.Name].add(j); err != nil {
			return err
		}
	}
	if len(fresh) == 0 {
		return errors.New("childpage: expected events of a child of the list, saw none")
	}
	if r.Contract != suite.Contract && r.Contract != "" {
		for _, row := range r.Rows {
			if fresh[row.Name] == nil {
				return fmt.Errorf("childpage: %s was judged by contract %s, expected %s: judge all anew", row.Name, r.Contract, suite.Contract)
			}
		}
	}
	r.Contract = suite.Contract
	r.Rows = slices.DeleteFunc(r.Rows, func(row *Row) bool { return fresh[row.Name] != nil || list.child(row.Name) == nil })
	for _, name := range slices.Sorted(maps.Keys(fresh)) {
		r.Rows = append(r.Rows, fresh[name])
	}
	slices.SortFunc(r.Rows, func(a, b *Row) int { return cmp.Compare(list.index(a.Name), list.index(b.Name)) })
	return nil
}

func (l *List) index(name string) int {
	return slices.IndexFunc(l.Children, func(c *Child) bool { return c.Name == name })
}

func (l *List) child(name string) *Child {
	if at := l.index(name); at >= 0 {
		return l.Children[at]
	}
	return nil
}

// add takes over one run of one target of the row.
func (row *Row) add(j judged) error {
	d, h := j.target.Description, j.header
	if row.Profile != "" && row.Profile != d.Profile {
		return fmt.Errorf("childpage: %s: expected each run under the contract %s, saw %s", row.Name, row.Profile, d.Profile)
	}
	row.Version, row.Profile, row.System, row.CPUs = d.Version, d.Profile, h.OS+"/"+h.Arch, h.CPUs
	row.Runs++
	if !slices.Contains(row.Seeds, h.Seed) {
		row.Seeds = append(row.Seeds, h.Seed)
	}
	row.Date = max(row.Date, h.Begin.UTC().Format(time.DateOnly))
	for _, q := range j.target.Standings() {
		at := row.Judged[q.ID]
		if at == nil {
			at = new(At)
			row.Judged[q.ID] = at
		}
		at.add(&q, j.target)
	}
	for id, reason := range d.NotOffered {
		if row.Judged[id] == nil {
			row.Judged[id] = &At{Standing: suite.NotOffered, Reason: reason}
		}
	}
	for _, name := range j.target.Checks {
		if res := j.target.Results[name]; res.Witness == spec.Interleave && res.Complete && res.Ended == suite.Completed && !slices.Contains(row.Explored, name) {
			row.Explored = append(row.Explored, name)
			row.Scenarios += res.Scenarios
			row.Executions += res.Executions
		}
	}
	return nil
}

// rank orders what several runs say of a requirement. What a run did not come to decide says nothing against one that did.
var rank = []suite.Standing{suite.NotRun, suite.NotOffered, suite.Unknown, suite.Kept, suite.Broken}

func (at *At) add(q *suite.Row, t *suite.Judged) {
	if slices.Index(rank, q.Standing) > slices.Index(rank, at.Standing) {
		at.Standing, at.Reason = q.Standing, ""
		if q.Standing == suite.Unknown || q.Standing == suite.NotOffered {
			at.Reason = q.Reason
		}
	}
	for _, name := range q.Checks {
		if res := t.Results[name]; res.Ended == suite.Completed {
			if at.Checks == nil {
				at.Checks = make(map[string]int)
			}
			at.Checks[name] += res.Scenarios
		}
	}
	if q.Standing != suite.Broken {
		return
	}
	at.Broken++
	for _, e := range t.Findings {
		if f := e.Finding; f.Requirement == q.ID {
			if graph, n := graphOf(f); at.Graph == "" || n > 0 && n < at.lines {
				at.Graph, at.lines, at.Expected, at.Observed = graph, n, f.Expected, f.Observed
				if len(f.Again) > 0 {
					at.Again = f.Again[0].String()
				}
			}
		}
	}
}

// graphOf returns the graph or the scenario of a finding in a line, and how long it is in all.
func graphOf(f *record.Finding) (graph string, size int) {
	for _, e := range f.Evidence {
		if e.Kind == record.Asked && len(e.Lines) > 0 {
			text := strings.Join(e.Lines, "; ")
			if g, err := record.ParseTaskLines(e.Lines); err == nil {
				return g.Name, len(text)
			}
			return text, len(text)
		}
	}
	return "", 0
}
