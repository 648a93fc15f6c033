package tla

import "slices"

// Mutants is the table of known-bad variants. spindle model -measure prints the
// numbers of a row.
var Mutants = slices.Concat(runQueueMutants, schedMutants, schedActionMutants, twoLevelMutants)
