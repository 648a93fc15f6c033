package tla

import (
	"io/fs"
	"slices"

	"github.com/spindle-go/spindle/tla/variant"
)

// Mutants is the table of known-bad variants. spindle model -measure prints the
// numbers of a row.
var Mutants = slices.Concat(runQueueMutants, schedMutants, schedActionMutants, twoLevelMutants, slicesMutants)

// Bugs are the names that are bugs in a module's family, sorted: edits of it, and those
// that its modules ask for. What cannot be read has none.
func Bugs(files fs.FS, module string) (list []string) {
	family := Family(module)
	edits, _ := variant.Family(family).Variants() // Audit says what is wrong with it
	for i := range edits {
		if edits[i].Bug {
			list = append(list, edits[i].Name)
		}
	}
	all, _ := sources(files)
	for name, s := range all {
		if Family(name) == family {
			list = append(list, s.bugs...)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
