// Package sequential says what each call of a run queue may do when calls are made one
// after another. Machine is a set of Ps and a global queue. Replay judges a history by the
// machine. Conserve judges it by counting alone, whatever the order of the calls. The
// requirements in a Violation are those of package spec.
//
//interleave:off
package sequential
