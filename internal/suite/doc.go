// Package suite is the engine of the conformance suite. It knows no queue and no
// scheduler: a Subject brings the checks, and how its targets are driven, judged,
// shown and shrunk; the engine brings plans, budgets, seeds, positive controls
// and the stream of events that every report reads.
//
// # Three questions
//
// How a check ended, where a requirement stands, and what the gate makes of it
// are three questions, with a type for each.
//
//   - Outcome: a check is completed, inconclusive, skipped, or in error. A check is
//     never "failed": what it finds are findings, and it goes on after them.
//   - Standing: a requirement is kept, broken, unknown, not offered or
//     not run. It follows from all outcomes and findings (Standings), and can be
//     computed again from the stream.
//   - The verdict of a run, with its exit code, is package gate's: a function of
//     the stream, a list of known failures and a baseline.
//
// # What makes a requirement kept
//
// A finding of any check breaks a requirement. Otherwise every check that lists
// it must have carried out its plan for it, and at least one call, or state, must
// have been judged that the requirement is about. A check that its budget, a
// crash or another finding cut short leaves its requirements unknown: this is
// the rule that a single verdict for "the check" cannot express. With one
// verdict, a check that found RQ-EMPTY-TRUE in its first scenario and stopped
// was a pass for the eight other requirements that it lists.
//
// # Why positive controls
//
// A witness that finds nothing has shown something only if it would have found
// something. So each witness that took part in a run judges, in the same
// process, something that is wrong on purpose (Control). If it misses the fault,
// the run is inconclusive.
//
// # What a budget counts
//
// The time in which this process ran (package awake): on a busy machine a right
// target is judged as on an idle one, and takes longer. The deadline of go test
// counts all time; a run ends before it, inconclusive.
//
//interleave:off
package suite
