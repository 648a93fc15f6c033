package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec/record"
)

// A reproducer writes, for each finding of a graph, a program in the language of the child that shows it without spindle.
type reproducer struct {
	template *template.Template
	ending   string // of the files: that of the template's name without .tmpl
	keep     func(name string, data []byte) string
	names    map[string]string // of targets, as they call themselves
	written  map[string]bool
	say      func(format string, args ...any)
}

// reproduced is what a template is given.
type reproduced struct {
	Name, Requirement string
	Workers           int
	Outside, Tasks    [][]reproducedStep
	Events            []int // by event: how many steps it takes until it has happened
}

// A reproducedStep is a step of a script, which prints as its text.
type reproducedStep struct {
	Op  string
	Arg int
}

func (s reproducedStep) String() string { return fmt.Sprintf("%s%d", s.Op, s.Arg) }

// mostReproducer bounds a program, in bytes.
const mostReproducer = 1 << 20

func newReproducer(path string, keep func(string, []byte) string, say func(string, ...any)) (*reproducer, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("-reproducer: %w", err)
	}
	base := strings.TrimSuffix(filepath.Base(path), ".tmpl")
	if base == filepath.Base(path) {
		return nil, fmt.Errorf("-reproducer: expected the path of a template, as children/java/Reproducer.java.tmpl, saw %q", path)
	}
	t, err := template.New(base).Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("-reproducer: %w", err)
	}
	return &reproducer{template: t, ending: base, keep: keep, names: make(map[string]string), written: make(map[string]bool), say: say}, nil
}

// event writes the program of a finding, the first of each requirement.
func (r *reproducer) event(e *suite.Event) {
	switch {
	case e.Description != nil:
		r.names[e.Target] = e.Description.Name
	case e.Event == suite.FindingEvent && e.Finding != nil && !r.written[e.Target+" "+e.Finding.Requirement]:
		r.finding(e.Target, e.Finding)
	}
}

func (r *reproducer) finding(target string, f *record.Finding) {
	for _, evidence := range f.Evidence {
		if evidence.Kind != record.Asked {
			continue
		}
		g, err := record.ParseTaskLines(evidence.Lines)
		if err != nil {
			r.say("no reproducer of %s: %v", f.Requirement, err)
			return
		}
		text, err := r.program(r.names[target], f.Requirement, &g)
		if err != nil {
			r.say("no reproducer of %s: %v", f.Requirement, err)
			return
		}
		r.written[target+" "+f.Requirement] = true
		if path := r.keep(strings.ToLower(f.Requirement)+"-"+r.ending, text); path != "" {
			r.say("reproducer of %s, graph %s: %s", f.Requirement, g.Name, path)
		}
		return
	}
}

// program returns the text of the program.
func (r *reproducer) program(name, requirement string, g *record.TaskGraph) ([]byte, error) {
	p, err := g.Program()
	if err != nil {
		return nil, err
	}
	scripts := func(lists [][]record.TaskStep) (out [][]reproducedStep) {
		for _, list := range lists {
			steps := []reproducedStep{}
			for _, s := range list {
				steps = append(steps, reproducedStep{string(rune(s.Op)), s.Arg})
			}
			out = append(out, steps)
		}
		return out
	}
	data := reproduced{Name: name, Requirement: requirement, Workers: g.Workers, Outside: scripts(p.Threads), Tasks: scripts(p.Scripts), Events: make([]int, p.Events)}
	for e := range data.Events {
		data.Events[e] = max(1, p.Meets[e])
	}
	w := &bounded{most: mostReproducer}
	if err := r.template.Execute(w, data); err != nil {
		return nil, err
	}
	return w.text.Bytes(), nil
}

// bounded keeps what is written, up to a number of bytes.
type bounded struct {
	text bytes.Buffer
	most int
}

func (w *bounded) Write(b []byte) (int, error) {
	if w.text.Len()+len(b) > w.most {
		return 0, errors.New("the program is too long")
	}
	return w.text.Write(b)
}
