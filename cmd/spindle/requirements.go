package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spindle-go/spindle/conformance/model"
	"github.com/spindle-go/spindle/conformance/queue/checks"
	ofschedulers "github.com/spindle-go/spindle/conformance/scheduler/checks"
	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/internal/suite/show"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/mechanisms"
)

var requirementsCommand = cli.Command{
	Name: "requirements", Args: "[ID...]", Short: "list the requirements, or explain some in full",
	Define: func(fs *flag.FlagSet) cli.Action {
		asJSON := fs.Bool("json", false, "print an array of JSON")
		return func(_ context.Context, std cli.Streams, ids []string) (int, error) {
			list, err := catalogue(ids)
			if err != nil {
				return exit.Usage, err
			}
			switch {
			case *asJSON:
				enc := json.NewEncoder(std.Out)
				enc.SetIndent("", "  ")
				enc.SetEscapeHTML(false)
				err = enc.Encode(list)
			case len(ids) == 0:
				tabulate(std.Out, list)
			default:
				for i, e := range list {
					if i > 0 {
						fmt.Fprintln(std.Out)
					}
					e.explain(std.Out)
				}
			}
			return exit.Pass, err
		}
	},
}

// An entry is a requirement as it is printed.
type entry struct {
	ID         string         `json:"id"`
	Level      spec.Level     `json:"level"`
	Sentence   string         `json:"sentence"`
	Intent     string         `json:"intent"`
	Source     string         `json:"source"`
	Profiles   []spec.Profile `json:"profiles"`
	Holds      string         `json:"holds"` // for which contracts
	Mechanisms []string       `json:"mechanisms,omitempty"`
	Witnesses  []spec.Witness `json:"witnesses,omitempty"`
	Checks     []string       `json:"checks,omitempty"` // of spindle check
}

// catalogue returns the entries of ids, or all.
func catalogue(ids []string) ([]entry, error) {
	var list []entry
	if len(ids) == 0 {
		for i := range spec.Requirements {
			ids = append(ids, spec.Requirements[i].ID)
		}
	}
	protocol, err := model.Source()
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		q, err := spec.Lookup(id)
		if err != nil {
			return nil, err
		}
		e := entry{
			ID: q.ID, Level: q.Level, Sentence: q.Sentence, Intent: q.Intent, Source: q.Source, Profiles: q.Profiles(), Holds: q.Holds(),
			Mechanisms: q.Mechanism, Witnesses: q.Witnesses,
		}
		for _, c := range slices.Concat(checks.Subject.Checks, ofschedulers.Subject.Checks, protocol.Subject.Checks) {
			if slices.Contains(c.Requirements, id) {
				e.Checks = append(e.Checks, c.Name)
			}
		}
		list = append(list, e)
	}
	return list, nil
}

// tabulate prints a line for each entry. Checkers are letters, so that the
// sentence begins where it can be read.
func tabulate(out io.Writer, list []entry) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tLEVEL\tPROFILES\tBY\tSENTENCE")
	for _, e := range list {
		letters := ""
		for _, name := range spec.Witnesses() {
			letter := "-"
			if slices.Contains(e.Witnesses, name) {
				letter = letterOf(name)
			}
			letters += letter
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", e.ID, e.Level, profiles(e.Profiles), letters, e.Sentence)
	}
	w.Flush()
	var legend []string
	for _, name := range spec.Witnesses() {
		legend = append(legend, letterOf(name)+" "+string(name))
	}
	fmt.Fprintf(out, "\n%d requirements, checked by: %s\n", len(list), strings.Join(legend, ", "))
}

func letterOf(w spec.Witness) string {
	switch w { // S is sequence
	case spec.Stress:
		return "T" // threads
	case spec.Scene:
		return "V" // valves
	}
	return strings.ToUpper(string(w[:1]))
}

func profiles(list []spec.Profile) string {
	if len(list) == len(queueProfiles()) {
		return "all"
	}
	return cli.Join(list, " ")
}

func (e *entry) explain(out io.Writer) {
	fmt.Fprintf(out, "%s (%s)\n", e.ID, e.Level)
	row := func(name, text string) {
		if text != "" {
			fmt.Fprint(out, show.Wrap(text, "  "+fmt.Sprintf("%-12s", name), "              "))
		}
	}
	row("sentence", e.Sentence)
	row("look at", e.Intent)
	row("source", e.Source)
	row("profiles", cli.Join(e.Profiles, ", "))
	row("holds", e.Holds)
	label := "mechanisms"
	for _, id := range e.Mechanisms {
		name, err := mechanisms.Name(id)
		if err != nil {
			name = err.Error() // a test holds that there is none
		}
		row(label, id+", "+name+": "+mechanisms.Page(id))
		label = ""
	}
	row("checkers", cli.Join(e.Witnesses, ", "))
	row("checks", cmp.Or(strings.Join(e.Checks, ", "), "none in spindle check"))
}
