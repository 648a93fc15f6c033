package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/tla"
)

// files returns where the modules are, and how to say so.
func (o *options) files() (fs.FS, string, error) {
	dir := o.dir
	if dir == "" {
		if root, err := cli.Checkout(); err == nil {
			dir = filepath.Join(root, "tla")
			if _, err := os.Stat(filepath.Join(dir, "cfg")); err == nil {
				return os.DirFS(dir), dir, nil
			}
		}
		return tla.Files, "this command", nil
	}
	if found, err := filepath.Glob(filepath.Join(dir, "*.tla")); err != nil || len(found) == 0 {
		return nil, "", fmt.Errorf("-dir %s: expected modules *.tla and cfg/*.cfg in it, saw none", dir)
	}
	return os.DirFS(dir), dir, nil
}

// tasks returns what is to be run. A named configuration that is in no table is
// a problem, not wrong usage: the file is there.
func (o *options) tasks(files fs.FS, names []string) (tasks []*tla.Task, problems []string, err error) {
	if len(names) == 0 {
		tasks, problems = o.ofSet(files)
		return tasks, problems, nil
	}
	for _, name := range names {
		t, err := o.named(files, name)
		if err != nil {
			var absent *absentError
			if errors.As(err, &absent) {
				problems = append(problems, err.Error())
				continue
			}
			return nil, nil, err
		}
		tasks = append(tasks, t...)
	}
	return tasks, problems, nil
}

// ofSet returns what belongs to the set; a row whose file is gone is a problem.
func (o *options) ofSet(files fs.FS) (tasks []*tla.Task, problems []string) {
	add := func(t *tla.Task, err error) {
		switch {
		case errors.Is(err, fs.ErrNotExist): // the audit says it
		case err != nil:
			problems = append(problems, err.Error())
		case tla.Set(o.set).Has(t.Set):
			tasks = append(tasks, t)
		}
	}
	if o.mutants {
		for i := range tla.Mutants {
			add(tla.Mutants[i].Task(files))
		}
		return tasks, problems
	}
	for i := range tla.Models {
		add(tla.Models[i].Task(files))
	}
	return tasks, problems
}

// absentError is about a configuration that is in no table.
type absentError struct{ name string }

func (e *absentError) Error() string {
	return fmt.Sprintf("cfg/%s.cfg is not in the table of models (tla/models.go); spindle tlc -measure MODULE:%s prints its row", e.name, e.name)
}

// named returns what a name on the command line stands for.
func (o *options) named(files fs.FS, name string) ([]*tla.Task, error) {
	if module, config, ok := strings.Cut(name, ":"); ok {
		config, bugs, mutant := strings.Cut(config, "+")
		model := &tla.Model{Name: config, Module: module, Set: tla.Gate}
		t, err := model.Task(files)
		if mutant {
			t, err = (&tla.Mutant{Bugs: strings.Split(bugs, "+"), Model: config}).Of(model, files)
		}
		if err != nil {
			return nil, err
		}
		t.Absent = true
		return []*tla.Task{t}, nil
	}
	var list []*tla.Task
	for i := range tla.Mutants {
		if m := &tla.Mutants[i]; m.Name() == name || o.mutants && m.Model == name {
			t, err := m.Task(files)
			if err != nil {
				return nil, err
			}
			list = append(list, t)
		}
	}
	m, err := tla.Find(name)
	switch {
	case len(list) > 0:
		return list, nil
	case err == nil && o.mutants:
		return nil, fmt.Errorf("model %s has no mutants", name)
	case err == nil:
		t, err := m.Task(files)
		return []*tla.Task{t}, err
	}
	if _, bad := fs.Stat(files, "cfg/"+name+".cfg"); bad == nil {
		err = &absentError{name}
	}
	return nil, err
}
