package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/tla"
	"github.com/spindle-go/spindle/tla/tlc"
)

// files returns where the modules are, and how to say so.
func (o *options) files() (fs.FS, string, error) {
	dir := o.dir
	if dir == "" {
		if root, err := cli.Checkout(); err == nil {
			dir = filepath.Join(root, "tla")
			if _, err := os.Stat(filepath.Join(dir, "cfg")); err == nil {
				o.written = dir
				return os.DirFS(dir), dir, nil
			}
		}
		return tla.Files, "this command", nil
	}
	if found, err := filepath.Glob(filepath.Join(dir, "*.tla")); err != nil || len(found) == 0 {
		return nil, "", fmt.Errorf("-dir %s: expected modules *.tla and cfg/*.cfg in it, saw none", dir)
	}
	o.written = dir
	return os.DirFS(dir), dir, nil
}

// tasks returns what is to be run. A named configuration that does not say what it
// must give is a problem, not wrong usage: the file is there.
func (o *options) tasks(files fs.FS, names []string) (tasks []*tla.Task, problems []string, err error) {
	if len(names) == 0 {
		return o.ofSet(files)
	}
	for _, name := range names {
		t, err := o.named(files, name)
		if err != nil {
			var absent *absentError
			if errors.As(err, &absent) || o.list && errors.Is(err, tlc.ErrFormat) {
				problems = append(problems, err.Error())
				continue
			}
			return nil, nil, err
		}
		tasks = append(tasks, t...)
	}
	return tasks, problems, nil
}

// wrong is the exit code of an error of tasks.
func wrong(err error) int {
	if errors.Is(err, tlc.ErrFormat) {
		return exit.Error
	}
	return exit.Usage
}

// ofSet returns what belongs to the set; a mutant whose model is gone is a problem. For a list
// so is a file without a row.
func (o *options) ofSet(files fs.FS) (tasks []*tla.Task, problems []string, err error) {
	models, err := tla.Models(files)
	switch {
	case err != nil && !o.list:
		return nil, nil, err
	case err != nil:
		problems = strings.Split(err.Error(), "\n")
	}
	if o.list && !o.mutants {
		problems = append(problems, rowless(files)...)
	}
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
		return tasks, problems, nil
	}
	for i := range models {
		add(models[i].Task(files))
	}
	return tasks, problems, nil
}

// rowless says which configurations do not say what they must give.
func rowless(files fs.FS) (problems []string) {
	found, _ := fs.Glob(files, "cfg/*.cfg") // the pattern is good
	for _, f := range found {
		name := strings.TrimSuffix(path.Base(f), ".cfg")
		if m, err := tla.Find(files, name); err == nil && m.Absent {
			problems = append(problems, (&absentError{name}).Error())
		}
	}
	return problems
}

// absentError is about a configuration that does not say what it is.
type absentError struct{ name string }

func (e *absentError) Error() string {
	return fmt.Sprintf("cfg/%s.cfg: expected a line %#q behind the question, saw none; spindle tlc MODULE:%s runs it without", e.name, `\* module: MODULE; set: SET; seconds: N`, e.name)
}

// named returns what a name on the command line stands for.
func (o *options) named(files fs.FS, name string) ([]*tla.Task, error) {
	if module, config, ok := strings.Cut(name, ":"); ok {
		config, bugs, mutant := strings.Cut(config, "+")
		model, err := tla.Find(files, config)
		if err != nil {
			return nil, err
		}
		if model.Module != module {
			model = &tla.Model{Name: config, Module: module, Set: tla.Gate, Absent: true}
		}
		t, err := model.Task(files)
		if mutant {
			if err := knownBugs(files, module, config, strings.Split(bugs, "+")); err != nil {
				return nil, err
			}
			t, err = (&tla.Mutant{Bugs: strings.Split(bugs, "+"), Model: config}).Of(model, files)
		}
		if err != nil {
			return nil, err
		}
		t.Absent = t.Absent || mutant
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
	if len(list) > 0 {
		return list, nil
	}
	m, err := tla.Find(files, name)
	switch {
	case err != nil:
		return nil, err
	case o.mutants:
		return nil, fmt.Errorf("model %s has no mutants", name)
	case m.Module == "":
		return nil, &absentError{name}
	}
	t, err := m.Task(files)
	return []*tla.Task{t}, err
}

// apart takes the tasks out that TLC does not judge, and returns their names, too. One
// that is named with its module it runs all the same.
func apart(tasks []*tla.Task, names []string) (rest []*tla.Task, alone []string) {
	for _, t := range tasks {
		if t.MachineAlone && !slices.Contains(names, t.Module+":"+t.Name) {
			alone = append(alone, t.Name)
		} else {
			rest = append(rest, t)
		}
	}
	return rest, alone
}
