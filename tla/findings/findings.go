// Package findings shows what the model found on the runtime that is installed: each
// finding has a page in this folder, and a reproducer.
//
// Where the window is a few instructions wide nobody meets it by chance. Then the
// runtime is built with gates: an overlay of proc.go in which an M that has come to
// one line waits, for a bounded time, until another M has gone on, so that the
// steps follow each other as on the page. Nothing else is changed; GOROOT is read
// and never written. The mended lines are in the same build, behind a switch, so that
// they meet the same gates. The shipped lines run without gates, too: on the
// runtime as it is, or where the counters of the dance must be seen, with one file
// added and no line changed.
//
// Places in proc.go are found on the syntax tree: no line of the runtime is in this
// repository. A place that is not found as expected is an error (overlay.ErrForm), and a
// toolchain whose functions are not those that were modelled is refused (ErrRefused).
package findings

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spindle-go/spindle/internal/overlay"
	"github.com/spindle-go/spindle/tla/drift"
)

// A Finding is a flaw, and how to show it.
type Finding struct {
	Name  string // of the page, without .md
	Short string
	// Functions are those of proc.go that the finding rests on.
	Functions []string
	// Waits says what the times are that a reproducer measures.
	Waits string
	// Shows says what counts as shown.
	Shows string
	// Mend says what the mended lines do.
	Mend     string
	Variants []Variant
	edits    []overlay.Insertion
}

// How a runtime is built.
type build int

const (
	asIs  build = iota // no overlay
	added              // one file more, by which the counters of the dance can be seen
	gated              // and the gates
)

// A Variant is a runtime on which a reproducer runs.
type Variant struct {
	Name   string
	Expect Expect
	// Weight is this variant's part of the time, against the others'.
	Weight int
	built  build
	args   []string // of the reproducer
}

// Runtime says on which runtime the variant runs.
func (v Variant) Runtime() string {
	switch {
	case v.built == asIs:
		return "as it is"
	case v.built == added:
		return "proc.go as it is"
	case v.Gates():
		return "gates closed"
	}
	return "gates open"
}

// Gates reports whether the gates are closed, so that a try counts only if all of
// them were passed.
func (v Variant) Gates() bool { return slices.Contains(v.args, "-gates") }

// Expect is what a variant is expected to show.
type Expect int

const (
	Maybe Expect = iota // zero is as good an answer as any
	Shown               // what is not seen has not been shown
	Never               // a mend that does not mend is no mend
)

// byGates are the variants of a flaw whose window is a few instructions wide, with
// their weights. The mended lines run without a delay, too: they are the control for what
// the shipped lines show without one.
func byGates(shipped build, weights ...int) []Variant {
	return []Variant{
		{Name: "shipped", Expect: Maybe, Weight: weights[0], built: shipped},
		{Name: "shipped, delayed", Expect: Shown, Weight: weights[1], built: gated, args: []string{"-gates"}},
		{Name: "mended, delayed", Expect: Never, Weight: weights[2], built: gated, args: []string{"-gates", "-mend"}},
		mended(weights[3]),
	}
}

// mended is the variant with the mended lines, without a delay.
func mended(weight int) Variant {
	return Variant{Name: "mended", Expect: Never, Weight: weight, built: gated, args: []string{"-mend"}}
}

// byPoller are those of a flaw that the runtime shows as it is.
func byPoller() []Variant {
	return []Variant{
		{Name: "shipped", Expect: Shown, Weight: 2, built: asIs},
		{Name: "shipped, a syscall first", Expect: Maybe, Weight: 1, built: asIs, args: []string{"-awake"}},
		mended(1),
	}
}

const (
	readyToRun = "from made runnable to run"
	idleBeside = "for 200 µs a P was idle, no M was spinning or about to, and the G had not run"
)

// All is every finding.
var All = []Finding{
	{
		Name: "wakep", Short: "a wakep that finds no idle P loses its message",
		Functions: []string{"wakep", "findRunnable", "resetspinning", "becomeSpinning", "pidlegetSpinning", "stealWork"},
		Waits:     readyToRun, Shows: idleBeside, edits: wakepEdits, Variants: byGates(added, 2, 1, 1, 2),
		Mend: "wakep takes back its token before it sets needspinning (undo_first)",
	},
	{
		Name: "handoffp", Short: "handoffp makes a P idle and does not look at needspinning",
		Functions: []string{"handoffp", "wakep", "pidlegetSpinning", "stoplockedm", "startm"},
		Waits:     readyToRun, Shows: idleBeside, edits: handoffpEdits, Variants: byGates(added, 2, 1, 1, 2),
		Mend: "handoffp looks at needspinning under the lock (handoff_need)",
	},
	{
		Name: "batch", Short: "a batch is put in the ring after the lock was released",
		Functions: []string{"findRunnable", "globrunqgetbatch", "runqputbatch", "checkRunqsNoP", "wakep"},
		Waits:     readyToRun, Shows: idleBeside, edits: batchEdits, Variants: byGates(added, 2, 1, 1, 2),
		Mend: "who puts a batch in its ring and does not spin calls wakep (batch_wakep)",
	},
	{
		Name: "gomaxprocs", Short: "the re-check looks at the Ps that there were before GOMAXPROCS grew",
		Functions: []string{"findRunnable", "checkRunqsNoP", "snapshotAllp", "procresize", "wakep"},
		Waits:     readyToRun, Shows: idleBeside, edits: gomaxprocsEdits, Variants: byGates(added, 2, 1, 1, 2),
		Mend: "who looks again takes a P and begins anew if allp has grown (rescan)",
	},
	{
		Name: "goyield", Short: "a G yields to another one, which a thief has taken, and lies in a ring beside an idle P",
		Functions: []string{"semrelease1", "readyWithTime", "goyield_m", "findRunnable", "checkRunqsNoP", "exitsyscall", "exitsyscallTryGetP", "exitsyscallNoP", "wakep"},
		Waits:     "of Unlock, of a starving mutex", Shows: idleBeside, edits: goyieldEdits, Variants: byGates(added, 2, 1, 1, 2),
		Mend: "goyield calls wakep when the G is in the ring (goyield_wakep)",
	},
	{
		Name: "timer", Short: "a timer is due beside an idle P, and nobody comes",
		Functions: []string{"findRunnable", "checkTimersNoP", "pidlegetSpinning", "stealWork"},
		Waits:     "from due to run", Shows: strings.Replace(idleBeside, "the G", "the timer", 1), edits: timerEdits,
		Variants: byGates(added, 2, 1, 1, 2),
		Mend:     "who comes from the poller and finds no idle P sets needspinning",
	},
	{
		Name: "poller", Short: "an M comes back from the poller with a G, and nobody polls in its place",
		Functions: []string{"findRunnable", "injectglist", "sysmon"},
		Waits:     "from ready to run, of a G whose descriptor becomes ready beside an idle P while another computes 2 s", Shows: "it waited for more than 1 s",
		edits: pollerEdits, Variants: byPoller(),
		Mend: "who comes from the poller with a G calls wakep",
	},
	{
		Name: "sysmon-sleep", Short: "nobody preempts a G that comes from the poller: sysmon is in its deep sleep",
		Functions: []string{"findRunnable", "pidleget", "sysmon", "retake"},
		Waits:     "of a G behind one that comes from the poller and computes 2 s, with one P", Shows: "it waited for more than 1 s",
		edits: sysmonEdits, Variants: byPoller(),
		Mend: "who takes an idle P wakes sysmon",
	},
	{
		Name: "stw-syscall", Short: "a stop of the world waits until a syscall ends",
		Functions: []string{"reentersyscall", "stopTheWorldWithSema", "setBlockOnExitSyscall", "sysmon", "retake"},
		Waits:     "of ReadMemStats, while a G enters a syscall of 500 ms (it is ended when the stop is over)", Shows: "the stop took more than 250 ms",
		edits: stwSyscall, Variants: byGates(asIs, 8, 55, 5, 7),
		Mend: "the stop looks for syscalls again each time that its wait of 100 µs is over",
	},
	{
		Name: "safepoint", Short: "forEachP waits until sysmon comes, for a G that has entered a syscall",
		Functions: []string{"reentersyscall", "forEachPInternal", "runSafePointFn", "setBlockOnExitSyscall", "retake"},
		Waits:     "of forEachP, with 3 Ps of which one is idle, while a G enters a syscall of 500 ms (it is ended when forEachP is over)", Shows: "forEachP took more than 9 ms",
		edits: safepoint, Variants: byGates(added, 2, 1, 1, 2),
		Mend: "forEachP looks for syscalls again each time that its wait of 100 µs is over",
	},
}

// Select returns the findings of these names, in that order; without names all.
func Select(names []string) ([]Finding, error) {
	if len(names) == 0 {
		return All, nil
	}
	var out []Finding
	for _, name := range names {
		i := slices.IndexFunc(All, func(f Finding) bool { return f.Name == name })
		if i < 0 {
			var known []string
			for _, f := range All {
				known = append(known, f.Name)
			}
			return nil, fmt.Errorf("unknown finding: expected one of %s, saw %q", strings.Join(known, ", "), name)
		}
		out = append(out, All[i])
	}
	return out, nil
}

// Share is the time of variant i, of all.
func (f *Finding) Share(i int, all time.Duration) time.Duration {
	sum := 0
	for _, v := range f.Variants {
		sum += v.Weight
	}
	return all * time.Duration(f.Variants[i].Weight) / time.Duration(sum)
}

// Refused returns an error that names the functions of the finding that are not in
// the GOROOT as they were modelled; nil if all are. It wraps ErrRefused.
func (f *Finding) Refused(goroot string) error {
	differ, err := drift.Differing(goroot, f.Functions...)
	if err == nil && len(differ) > 0 {
		err = fmt.Errorf("%w: %s: expected in %s the functions that were modelled, saw others: %s", ErrRefused, f.Name, goroot, strings.Join(differ, ", "))
	}
	return err
}

// ErrRefused is wrapped by errors about a toolchain that is not the modelled one.
var ErrRefused = errors.New("the finding is about other functions")
