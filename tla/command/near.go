package command

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/tla"
)

// nearer names the models nearest to the first name that is none, if that is what is
// wrong.
func (o *options) nearer(err error, files fs.FS, names []string) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	found, _ := fs.Glob(files, "cfg/*.cfg") // the pattern is good
	var models []string
	for _, f := range found {
		models = append(models, strings.TrimSuffix(path.Base(f), ".cfg"))
	}
	for _, name := range names {
		known := models
		module, config, of := strings.Cut(name, ":")
		name, bugs, mutant := strings.Cut(name, "+")
		switch {
		case of:
			name, _, _ = strings.Cut(config, "+")
		case mutant && slices.Contains(models, name):
			model, err := tla.Find(files, name)
			if err != nil || isMutant(name+"+"+bugs) {
				continue
			}
			if err := knownBugs(files, model.Module, name, strings.Split(bugs, "+")); err != nil {
				return err
			}
			return fmt.Errorf("%s+%s is in no table; spindle %s %s:%s+%s runs it", name, bugs, o.command, model.Module, name, bugs)
		case mutant:
			name += "+" + bugs
			known = slices.Clone(models)
			for i := range tla.Mutants {
				known = append(known, tla.Mutants[i].Name())
			}
		}
		if len(known) > 0 && !slices.Contains(known, name) {
			if of {
				name = module + ":" + name
			}
			return fmt.Errorf("unknown model %q; near it: %s; spindle %s -list lists all", name, near(name[strings.Index(name, ":")+1:], known), o.command)
		}
	}
	return err
}

// isMutant reports whether a name is in the table of mutants.
func isMutant(name string) bool {
	return slices.ContainsFunc(tla.Mutants, func(m tla.Mutant) bool { return m.Name() == name })
}

// knownBugs names the bugs nearest to the first that the modules of a family do not know. A
// module would be explored without it, and nothing said.
func knownBugs(files fs.FS, module, config string, bugs []string) error {
	known := tla.Bugs(files, module)
	at := slices.IndexFunc(bugs, func(b string) bool { return !slices.Contains(known, b) })
	switch {
	case at < 0:
		return nil
	case len(known) == 0:
		return fmt.Errorf("%s+%s: unknown bug %q: module %s has none", config, strings.Join(bugs, "+"), bugs[at], module)
	}
	return fmt.Errorf("%s+%s: unknown bug %q; near it: %s; spindle model -list -mutants lists all", config, strings.Join(bugs, "+"), bugs[at], near(bugs[at], known))
}

// near are the three of known that are nearest to a name, the nearest first.
func near(name string, known []string) string {
	known = slices.Clone(known)
	slices.SortStableFunc(known, func(a, b string) int { return cmp.Compare(distance(name, a), distance(name, b)) })
	return strings.Join(known[:min(3, len(known))], ", ")
}

// distance is how many letters have to be changed, added or taken away to make b
// of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := corner
			if a[i] != b[j] {
				change++
			}
			corner = row[j+1]
			row[j+1] = min(change, corner+1, row[j]+1)
		}
	}
	return row[len(b)]
}
