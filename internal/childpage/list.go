package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/spec"
)

// A List is children/list.json: what is judged, and what people say of it.
type List struct {
	Languages []*Language `json:"languages"`
	Children  []*Child    `json:"children"`
	Explored  []Explored  `json:"explored"`
}

// A Language is a folder of children.
type Language struct {
	Name   string   `json:"name"`
	Folder string   `json:"folder"`
	Needs  []string `json:"needs,omitempty"` // commands on PATH; without one of them the language is skipped
	Build  string   `json:"build,omitempty"` // a line of bash, run in the folder
	Child  string   `json:"child,omitempty"` // what runs a child, from the root, in front of its name
	// Wrong says which requirement each pool that is wrong on purpose breaks. Right is the one without a fault.
	Wrong map[string]string `json:"wrong,omitempty"`
	Right string            `json:"right,omitempty"`
}

// A Child is a row of the page.
type Child struct {
	Name     string   `json:"name"`              // of the target, as it calls itself; of the row
	Targets  []string `json:"targets,omitempty"` // the names of its targets, if they are others or several
	Of       string   `json:"of,omitempty"`      // how the version begins that its targets say; a row without it has all others
	Night    bool     `json:"night,omitempty"`   // not judged in the shorter run
	Title    string   `json:"title"`
	Language string   `json:"language"`
	Folder   string   `json:"folder"`
	Command  string   `json:"command,omitempty"` // what runs it, from the root; "" for what go test runs
	Needs    []string `json:"needs,omitempty"`   // what it needs besides its language: sentences for people
	Prepare  string   `json:"prepare,omitempty"` // a line of bash, run at the root; where it fails the child is skipped
	Test     string   `json:"test,omitempty"`    // the command of bash that judges it, where no child is to be run
	Version  string   `json:"version,omitempty"` // of the library as pinned, if the target does not say it
	Kind     string   `json:"kind"`              // scheduler or queue
	Contract []Choice `json:"contract"`
	// Limits are by requirement: what breaks there was promised in no document that is quoted here, and the sentence says so.
	Limits map[string]Sentence `json:"limits,omitempty"`
	// Findings are by requirement.
	Findings map[string]Said `json:"findings,omitempty"`
	Notes    string          `json:"notes,omitempty"`
}

// A Choice is one of a contract where it differs from the profile, with what stands behind it.
type Choice struct {
	Choice string `json:"choice"` // as closes=alone
	Sentence
}

// A Sentence is one of somebody's documentation, and what we say of it. One of both may be missing.
type Sentence struct {
	Text   string `json:"sentence"` // as it stands there
	Source string `json:"source"`   // the page or the file, and the version
	Ours   string `json:"ours,omitempty"`
}

// said returns the sentence as a quotation, and behind it what is ours.
func (s Sentence) said() string {
	if s.Text == "" {
		return s.Ours
	}
	return strings.TrimSpace("“" + s.Text + "” " + s.Ours)
}

// Said is what is known of a finding elsewhere.
type Said struct {
	Issue   string `json:"issue"`             // its address, or "not yet reported"
	Tracker string `json:"tracker"`           // what was looked for, and what was said
	Program string `json:"program,omitempty"` // what shows it without spindle
}

// Explored is what an explorer saw that no events tell.
type Explored struct {
	What   string `json:"what"`
	By     string `json:"by"`
	Result string `json:"result"`
	Source string `json:"source"`
}

const (
	schedulerKind = "scheduler"
	queueKind     = "queue"
	notReported   = "not yet reported"
)

func readList(path string) (*List, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var l List
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&l); err != nil {
		return nil, fmt.Errorf("childpage: %s: %w", path, err)
	}
	return &l, l.check()
}

// check returns what the list lacks.
func (l *List) check() error {
	seen := make(map[string]bool)
	for _, c := range l.Children {
		bad := func(format string, args ...any) error {
			return fmt.Errorf("childpage: child %q: %s", c.Name, fmt.Sprintf(format, args...))
		}
		switch {
		case c.Name == "" || c.Title == "" || c.Folder == "":
			return bad("expected a name, a title and a folder, saw %+v", c)
		case c.Kind != schedulerKind && c.Kind != queueKind:
			return bad("expected the kind scheduler or queue, saw %q", c.Kind)
		case l.language(c.Language) == nil:
			return bad("expected one of the languages, saw %q", c.Language)
		case (c.Command == "") == (c.Test == ""):
			return bad("expected a command or a test, saw %q and %q", c.Command, c.Test)
		}
		for _, t := range c.targets() {
			if seen[t+" "+c.Of] {
				return bad("target %q is in two rows", t)
			}
			seen[t+" "+c.Of] = true
		}
		for _, q := range c.Contract {
			if name, value, ok := strings.Cut(q.Choice, "="); !ok || name == "" || value == "" || q.said() == "" || q.Source == "" {
				return bad("expected choices, each with a sentence and its source, saw %+v", q)
			}
		}
		for id, s := range c.Limits {
			if _, err := spec.Lookup(id); err != nil || s.said() == "" || s.Source == "" {
				return bad("limit %s: expected a requirement, a sentence and its source, saw %+v", id, s)
			}
		}
		for id, s := range c.Findings {
			if _, err := spec.Lookup(id); err != nil || s.Tracker == "" || s.Issue != notReported && !strings.HasPrefix(s.Issue, "https://") {
				return bad("finding %s: expected a requirement, an address or %q, and what the tracker says, saw %+v", id, notReported, s)
			}
			if c.Limits[id].said() != "" {
				return bad("%s is a limit and a finding", id)
			}
		}
	}
	for _, lang := range l.Languages {
		for pool, id := range lang.Wrong {
			if _, err := spec.Lookup(id); err != nil {
				return fmt.Errorf("childpage: language %s: pool %s: %w", lang.Name, pool, err)
			}
		}
	}
	return nil
}

func (l *List) language(name string) *Language {
	at := slices.IndexFunc(l.Languages, func(x *Language) bool { return x.Name == name })
	if at < 0 {
		return nil
	}
	return l.Languages[at]
}

// of returns the row of a target that says that version, or nil.
func (l *List) of(target, version string) (found *Child) {
	for _, c := range l.Children {
		if slices.Contains(c.targets(), target) && strings.HasPrefix(version, c.Of) && (found == nil || len(c.Of) > len(found.Of)) {
			found = c
		}
	}
	return found
}

func (c *Child) targets() []string {
	if len(c.Targets) > 0 {
		return c.Targets
	}
	return []string{c.Name}
}

// plan prints what children/run needs, a line each, with tabs between: the languages, with what they need and how they are built; their
// children, with their commands; the pools that are wrong on purpose, with the requirements; and the tests of Go.
func (l *List) plan(w io.Writer) error {
	var err error
	line := func(f ...string) {
		for i := range f {
			f[i] = cmp.Or(f[i], "-") // a shell reads two tabs as one
		}
		if err == nil {
			_, err = fmt.Fprintln(w, strings.Join(f, "\t"))
		}
	}
	for _, lang := range l.Languages {
		if lang.Child == "" {
			continue
		}
		line("language", lang.Name, lang.Folder, strings.Join(lang.Needs, " "), lang.Build, lang.Child)
		for _, c := range l.Children {
			if c.Language == lang.Name && c.Command != "" {
				line("child", lang.Name, c.Name, c.Kind, c.Command, c.Prepare, map[bool]string{true: "night"}[c.Night])
			}
		}
		if lang.Right != "" {
			line("right", lang.Name, lang.Right, schedulerKind, lang.Child+" "+lang.Right)
		}
		for _, pool := range slices.Sorted(maps.Keys(lang.Wrong)) {
			line("wrong", lang.Name, pool, lang.Wrong[pool], lang.Child+" "+pool)
		}
	}
	tests := make(map[string]bool)
	for _, c := range l.Children {
		if c.Test != "" && !tests[c.Test] {
			tests[c.Test] = true
			line("test", c.Language, c.Test)
		}
	}
	return err
}
