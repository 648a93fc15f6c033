// Package tlc runs TLC, the model checker of TLA+, and reads what it prints.
//
// It finds Java and TLC's jar, runs a module with a configuration in folders of
// its own, and returns what was found as values: counts, the property that is
// violated, the counterexample state by state, actions that never happened, the
// graph of states. It knows nothing of the modules that it runs.
//
// TLC runs in its tool mode, in which each message has a number: the numbers
// are the same in every version, the sentences are not.
//
//interleave:off
package tlc
