package tla

import "slices"

// Models is the table: a row for each file of cfg, in the order of the README.
// spindle tlc -measure prints the numbers of a row.
var Models = slices.Concat(runQueueModels, schedModels, twoLevelModels)

// Mutants is the table of known-bad variants.
var Mutants = slices.Concat(runQueueMutants, schedMutants, twoLevelMutants)
