// Package benchmark measures the run queue of impl/runq side by side with what
// one would compare it with: a lock around a slice, a channel, and the run queue
// of the Go runtime itself.
//
//	go test -bench . ./internal/benchmark
//
// has all but the runtime. Its functions are not exported; the command overlay
// builds the same benchmarks with a build overlay that exports them, for the
// toolchain at hand (package conformance/target/goruntime), and runs that. The
// tool ratios says how many times as long impl takes:
//
//	go run ./internal/benchmark/overlay | go -C tools run ./ratios
//
// and with limits:
//
//	go run ./internal/benchmark/overlay -bench PutGet | go -C tools run ./ratios -max PutGet=1.5,PutGetNext=1.3
//
// # What is measured
//
//	PutGet           a put and a get, on an empty queue
//	PutGetNext       the same through runnext
//	Steal/1, 8, 128  a steal of so many Gs, from a victim that has twice as many
//	OwnerWithThief   a put and a get, while a thief on another thread steals
//	                 without a pause
//	Recorder         what the recorder adds to a call
//
// # What makes it fair
//
// All variants run in one process, one after the other, for a short time, and
// the process is run many times: a machine that is slow for a while is slow for
// all. (-count would do all runs of one variant before the next.) Ratios are
// taken within a process. Each variant has its own loop, of direct calls; none
// allocates, and the collector is off. No thread is tied to a processor. The
// runtime's Ps and Gs are made up, and its functions the real ones, compiled as
// in any other program; each is called through a wrapper that is inlined.
//
// On a machine with other work to do the medians move, the ratios hardly.
// OwnerWithThief wants two idle processors: there, whether the thief runs at the
// same time makes all the difference (see stolen/op).
package benchmark
