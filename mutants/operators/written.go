package operators

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/internal/overlay"
)

// A Written mutant is edits of functions of one package, by hand.
type Written struct {
	ID     string
	Number int // what the switch takes; above 0, and no other's
	Edits  []overlay.Edit
}

// WrittenIn makes mutants of the package in dir that are written by hand, beside one
// another in one source as those by operator are. An edit that does not fit or does
// not type-check is an error.
func WrittenIn(dir string, list []Written) (*Design, error) {
	p, err := load(dir, nil, nil)
	if err != nil {
		return nil, err
	}
	d := &Design{pkg: p}
	for _, file := range p.files {
		for _, f := range file.functions(p) {
			for _, w := range list {
				m, err := f.written(w)
				if err != nil {
					return nil, fmt.Errorf("operators: %s: %w", w.ID, err)
				}
				if m != nil {
					d.mutants = append(d.mutants, m)
				}
			}
			if len(d.mutants) > 0 && d.mutants[len(d.mutants)-1].file == file && !slices.Contains(d.files, file) {
				d.files = append(d.files, file)
			}
		}
	}
	for _, w := range list {
		for _, e := range w.Edits {
			if !slices.ContainsFunc(d.mutants, func(m *mutant) bool {
				return m.Number == w.Number && m.File == e.File && m.Func == plain(e.Func)
			}) {
				return nil, fmt.Errorf("operators: %s: expected a function %s in %s, saw none", w.ID, e.Func, e.File)
			}
		}
	}
	made := slices.Clone(d.mutants)
	if err := d.check(); err != nil {
		return nil, err
	}
	for _, m := range made {
		if !slices.Contains(d.mutants, m) {
			return nil, fmt.Errorf("operators: %s: expected an edit of %s that type-checks, saw one that does not", m.ID, m.Func)
		}
	}
	return d, nil
}

// plain turns "(*P).Get" into "P.Get".
func plain(name string) string { return strings.NewReplacer("(", "", ")", "", "*", "").Replace(name) }

// written is the function with those edits of w that are about it, nil if none is.
func (f *function) written(w Written) (*mutant, error) {
	text := slices.Clone(f.file.text[f.from:f.to])
	var old, new []string
	for _, e := range w.Edits {
		if e.File != f.file.path || plain(e.Func) != f.name {
			continue
		}
		if n := bytes.Count(text, []byte(e.Old)); n != 1 || e.Old == "" {
			return nil, &overlay.EditError{Edit: e, Expected: fmt.Sprintf("1 occurrence of %q", e.Old), Observed: fmt.Sprint(n)}
		}
		text = bytes.Replace(text, []byte(e.Old), []byte(e.New), 1)
		old, new = append(old, e.Old), append(new, e.New)
	}
	if old == nil {
		return nil, nil
	}
	name := f.offset(f.decl.Name.Pos()) - f.from
	if to := name + len(f.decl.Name.Name); !bytes.HasPrefix(text, f.file.text[f.from:f.from+to]) {
		return nil, fmt.Errorf("%s: expected edits behind the name of the function, saw one in front of it", f.name)
	}
	m := &mutant{file: f.file, fn: f, Mutant: Mutant{
		ID: w.ID, Number: w.Number, Operator: "by hand", File: f.file.path, Func: f.name, Line: f.line(f.decl.Pos()),
		Old: oneLine(strings.Join(old, "; ")), New: oneLine(strings.Join(new, "; ")),
	}}
	whole, at := f.copyWith(nil)
	head := at - name
	m.text, m.name = whole[:head]+string(text), at
	return m, nil
}

// Only leaves those mutants that keep wants, and numbers them from first on. It
// returns the number behind the last.
func (d *Design) Only(first int, keep func(Mutant) bool) (next int) {
	d.mutants = slices.DeleteFunc(d.mutants, func(m *mutant) bool { return !keep(m.Mutant) })
	for _, m := range d.mutants {
		m.Number = first
		first++
	}
	return first
}

// Package returns the import path of the package.
func (d *Design) Package() string { return d.pkg.path }

// Lines returns the first and the last line of the function of each mutant, by
// number, with the base name of its file.
func (d *Design) Lines() map[int]Span {
	out := make(map[int]Span)
	for _, m := range d.mutants {
		out[m.Number] = Span{path.Base(m.File), m.fn.line(m.fn.decl.Body.Lbrace), m.fn.line(m.fn.decl.Body.Rbrace)}
	}
	return out
}

// A Span is lines of a file.
type Span struct {
	File     string // base name
	From, To int
}
