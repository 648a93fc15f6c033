package tla

import "slices"

// Mutants is the table of known-bad variants. spindle model -measure prints the
// numbers of a row.
var Mutants = slices.Concat(runQueueMutants, schedMutants, twoLevelMutants)

// Unreached says of equivalent mutants, by name, why they have as many states as their
// models: the damaged step differs from the good one in no state that is reached. Every
// other mutant with its model's counts is an error.
var Unreached = map[string]string{
	"sched-timer-prompt+handoff_no_timer": "not reachable in this configuration: see its Features; without a call that blocks, a syscall, a stop or a locked G nobody hands a P off",
}
