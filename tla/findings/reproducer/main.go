//go:build unix

// Command reproducer plays the schedule of one finding again and again, and prints a
// line for each try. Package findings builds it: as it is, or with an overlay of the
// runtime that has gates (the build tag spindle_overlay). Without gates each step is
// left to chance.
//
// A line is "try MET SHOWN NS": whether the schedule was met, that is, all gates were
// passed if they were closed; whether the flaw was seen; and how long the one that waits
// has waited. The last line is "end N" with the number of tries.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// script plays the schedule of one finding, until r.more says no.
type script func(r *run) error

var scripts = map[string]script{
	"stw-syscall": stwSyscall, "safepoint": safepoint,
	"wakep": wakep, "handoffp": handoffp, "batch": batch, "gomaxprocs": gomaxprocs, "goyield": goyield, "timer": dueTimer,
	"sysmon-sleep": sysmonSleep, "poller": poller,
}

type run struct {
	gated bool // the gates are closed at the beginning of each try
	begin time.Time
	limit time.Duration
	last  uint32 // the stage at which all gates have been passed
	out   *bufio.Writer
	n     int
}

func main() {
	gates := flag.Bool("gates", false, "close the gates")
	mended := flag.Bool("mend", false, "run the mended lines")
	awake := flag.Bool("awake", false, "make a syscall first, which wakes sysmon")
	limit := flag.Duration("for", time.Second, "begin tries for the time `D`")
	flag.Parse()
	if flag.Arg(0) == writer {
		write()
		return
	}
	play, ok := scripts[flag.Arg(0)]
	if !ok {
		fail(fmt.Errorf("expected the name of a finding, saw %q", flag.Arg(0)))
	}
	syscallFirst = *awake
	mend(*mended)
	// A collection stops the world and wakes Ms: it is none of the schedule's steps.
	debug.SetGCPercent(-1)
	r := &run{gated: *gates, begin: time.Now(), limit: *limit, out: bufio.NewWriter(os.Stdout)}
	if err := play(r); err != nil {
		fail(err)
	}
	fmt.Fprintln(r.out, "end", r.n)
	if err := r.out.Flush(); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "reproducer:", err)
	os.Exit(1)
}

// more reports whether there is time for one more try, and closes the gates for it.
func (r *run) more() bool {
	if time.Since(r.begin) >= r.limit {
		return false
	}
	if r.n%1000 == 999 {
		runtime.GC() // nothing else does
	}
	return true
}

// arm closes the gates: the next M that comes to the first one is held there.
func (r *run) arm() {
	if r.gated {
		setStage(1)
	}
}

// missed opens all gates for this try, of which one was not passed.
func (r *run) missed() {
	if r.gated && stage() != r.last {
		setStage(r.last + 1)
	}
}

// disarm opens all gates, and reports whether all have been passed, if they were closed.
func (r *run) disarm() bool {
	met := !r.gated || stage() == r.last
	setStage(0)
	return met
}

// reach waits until the stage is n. Without gates it waits a time of up to 10 µs.
func (r *run) reach(n uint32) {
	if r.gated {
		await(func() bool { return stage() >= n }, time.Second)
		return
	}
	busyFor(rand.N(10 * time.Microsecond))
}

func (r *run) tried(met, shown bool, wait time.Duration) {
	r.n++
	fmt.Fprintln(r.out, "try", met, shown, int64(wait))
	if r.out.Buffered() > 2000 {
		_ = r.out.Flush()
	}
}

// busyFor computes for the time d, and keeps its P.
func busyFor(d time.Duration) { await(func() bool { return false }, d) }

// await computes until is says yes, for at most limit. It makes no syscall and does
// not yield: its G keeps its P.
func await(is func() bool, limit time.Duration) bool {
	for begin := time.Now(); !is(); {
		if time.Since(begin) > limit {
			return false
		}
	}
	return true
}

// Times of watch: a wake-up that is on its way takes less than quiet, and sysmon
// preempts who computes before giveUp. Between two looks that are further apart than
// blink anything may have been.
const (
	quiet  = 200 * time.Microsecond
	blink  = 20 * time.Microsecond
	giveUp = 300 * time.Millisecond
)

// watch computes until at is set, and reports whether the flaw was seen meanwhile: for
// the time quiet a P was idle while no M was spinning, or about to. Where the poller is
// one who would come, nobody was waiting in it either.
func watch(at *atomic.Int64, since time.Time, byPoller bool) (shown bool, wait time.Duration) {
	alone := time.Now()
	for last := alone; at.Load() == 0 && last.Sub(since) < giveUp; {
		idle, spinning, polling := counts()
		look := time.Now()
		if idle == 0 || spinning != 0 || byPoller && polling || look.Sub(last) > blink {
			alone = look
		} else if look.Sub(alone) >= quiet && at.Load() == 0 {
			shown = true
		}
		last = look
	}
	if ran := at.Load(); ran != 0 {
		return shown, time.Duration(ran - int64(since.Sub(start)))
	}
	return shown, time.Since(since)
}

// start is what times in an atomic are counted from.
var start = time.Now()

// now is the time for watch.
func now() int64 { return int64(time.Since(start)) }

// busy starts a G that computes until the function that it returns is called. With it
// and its caller two Ps are busy.
func busy() (end func()) {
	var runs, ended atomic.Bool
	go func() {
		runs.Store(true)
		for !ended.Load() {
		}
	}()
	await(runs.Load, time.Second)
	return func() { ended.Store(true) }
}
