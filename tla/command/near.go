package command

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/tla"
	"github.com/spindle-go/spindle/tla/variant"
)

// nearer names the models nearest to the first name that is none, if that is what is
// wrong.
func nearer(err error, files fs.FS, names []string) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	models, _ := tla.Models(files) // those that can be read
	var known []string
	for i := range models {
		known = append(known, models[i].Name)
	}
	for i := range tla.Mutants {
		known = append(known, tla.Mutants[i].Name())
	}
	at := slices.IndexFunc(names, func(n string) bool { return !strings.Contains(n, ":") && !slices.Contains(known, n) })
	if at < 0 || len(known) == 0 {
		return err
	}
	return fmt.Errorf("unknown model %q; near it: %s; spindle model -list lists all", names[at], near(names[at], known))
}

// nearerBug names the bugs nearest to the first of a mutant that its module does not know, if
// that is what is wrong.
func nearerBug(t *tla.Task, err error) error {
	if err == nil || t.Mutant == nil {
		return err
	}
	known := bugs(t.Module)
	at := slices.IndexFunc(t.Mutant.Bugs, func(b string) bool { return !slices.Contains(known, b) })
	if at < 0 || len(known) == 0 {
		return err
	}
	return fmt.Errorf("%s: unknown bug %q; near it: %s; spindle model -list -mutants lists all", t.Name, t.Mutant.Bugs[at], near(t.Mutant.Bugs[at], known))
}

// bugs are those of a module: of the family Sched all that are edits, of another one those
// that are in mutants.
func bugs(module string) (list []string) {
	if tla.Family(module) == "Sched" {
		all, _ := variant.Sched() // without an error, or nothing is near
		for i := range all {
			if all[i].Bug {
				list = append(list, all[i].Name)
			}
		}
		return list
	}
	for i := range tla.Mutants {
		m := &tla.Mutants[i]
		if strings.EqualFold(tla.Family(module), strings.SplitN(m.Model, "-", 2)[0]) {
			list = append(list, m.Bugs...)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
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
