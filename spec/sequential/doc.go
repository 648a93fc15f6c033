// Package sequential says what each call of a run queue may do when calls are made one
// after another: the machine of a set of Ps and a global queue, and who judges a history
// by it (Replay) or by counting alone (Conserve). Violations bear the ids of package spec.
//
//interleave:off
package sequential
