// Package goroot makes the overlay by which a test is built with a runtime whose
// goroutines hand over to each other.
//
// The files are those of the user's own GOROOT, with insertions at places that are
// found by their form; no line of the runtime stands here. GOROOT is not written.
package goroot

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/internal/overlay"
)

var (
	//go:embed runtime.go.txt
	runtimeText []byte
	//go:embed sync.go.txt
	syncText []byte
	//go:embed atomic.go.txt
	atomicText []byte
	//go:embed maps.go.txt
	mapsText []byte
)

// ours are the files that packages have besides.
var ours = map[string][]byte{
	added: runtimeText, "sync/spindle.go": syncText, "sync/atomic/spindle.go": atomicText, "internal/runtime/maps/spindle.go": mapsText,
}

// Tag is the build tag of the engine's files that need the overlay.
const Tag = "spindle_runtime"

// ThreadsVar chooses what threads are where code is explored: goroutines, of an edited runtime, or coroutines.
const ThreadsVar = "SPINDLE_THREADS"

// Wanted reports whether threads are to be goroutines.
func Wanted() (bool, error) {
	switch v := os.Getenv(ThreadsVar); v {
	case "coroutines":
		return false, nil
	case "", "goroutines":
		return true, nil
	default:
		return false, fmt.Errorf("%s: expected goroutines or coroutines, saw %q", ThreadsVar, v)
	}
}

// added is the file that package runtime has besides.
const added = "runtime/spindle.go"

// edits are the insertions, by file.
var edits = slices.Concat([]edit{
	{"runtime/proc.go", []overlay.Insertion{
		{At: overlay.Place{Func: "newproc"}, Before: "if spindleGo(fn) { return }"},
		{At: overlay.Place{Func: "Gosched"}, Before: "if spindleYielded() { return }"},
		{At: overlay.Place{Func: "gopark"}, Before: "spindleParks(reason)"},
		{At: overlay.Place{Func: "gopark", Kind: "Expr", Calls: "mcall", Nth: 1, Of: 1}, After: "spindleUnparks()"},
		{At: overlay.Place{Func: "park_m", Kind: "Expr", Calls: "decActive", Nth: 2, Of: 2}, Before: "spindleGone(gp, bubble)"},
		{At: overlay.Place{Func: "park_m", Kind: "Expr", Calls: "schedule", Nth: 1, Of: 1}, Before: "if bubble == nil { spindleGone(gp, nil) }"},
		{At: overlay.Place{Func: "goready"}, Before: "if gp.racectx != 0 && spindleReadies(gp) { return }"},
	}},
	{"runtime/chan.go", []overlay.Insertion{
		{At: overlay.Place{Func: "makechan", Kind: "Expr", Calls: "lockInit", Nth: 1, Of: 1}, After: "spindleMade(c)"},
		{At: overlay.Place{Func: "chansend"}, Before: "spindleTalks(c, spindleSends, block)"},
		{At: overlay.Place{Func: "chanrecv"}, Before: "spindleTalks(c, spindleReceives, block)"},
		{At: overlay.Place{Func: "closechan"}, Before: "spindleTalks(c, spindleCloses, true)"},
		{At: overlay.Place{Func: "chanlen"}, Before: "if c != nil { spindleTalks(c, spindleLooks, true) }"},
	}},
	{"runtime/select.go", []overlay.Insertion{
		{At: overlay.Place{Func: "block"}, Before: "spindleSelects(nil, 0, 0, true)"},
		{At: overlay.Place{Func: "selectgo"}, Before: "spindlePick := spindleSelects(cas0, nsends, nrecvs, block)"},
		{At: overlay.Place{Func: "selectgo", Kind: "Assign", Names: "pollorder", Nth: 2, Of: 2}, After: "spindleFirst(pollorder, spindlePick)"},
	}},
	{"runtime/mgc.go", []overlay.Insertion{
		{At: overlay.Place{Func: "gcBgMarkStartWorkers"}, Before: "defer spindleMark(spindleAside())"}, // which waits at a channel
	}},
	{"runtime/coro.go", []overlay.Insertion{
		{At: overlay.Place{Func: "newcoro", Kind: "Assign", Calls: "newproc1", Nth: 1, Of: 1}, Before: "spindleMarked := gp.racectx", After: "gp.racectx = spindleMarked"},
		{At: overlay.Place{Func: "coroexit"}, Before: "getg().racectx = 0"},
	}},
	{"runtime/debug.go", []overlay.Insertion{
		{At: overlay.Place{Func: "NumGoroutine"}, Before: "if n := spindleGoroutines(); n > 0 { return n }"},
	}},
	{"runtime/rand.go", []overlay.Insertion{
		{At: overlay.Place{Func: "rand"}, Before: "if n, is := spindleRandom(); is { return n }"},
	}},
	{"internal/runtime/maps/table.go", []overlay.Insertion{
		{At: overlay.Place{Func: "(*Iter).Init"}, Before: "if m != nil && m.used > 1 { spindleIterates() }"},
	}},
	{"runtime/time.go", []overlay.Insertion{
		{At: overlay.Place{Func: "time_runtimeNow"}, Before: "if at, is := spindleNow(); is { return spindleClockBegin + at/1e9, int32(at % 1e9), spindleEpoch + at }"},
		{At: overlay.Place{Func: "time_runtimeNano"}, Before: "if at, is := spindleNow(); is { return spindleEpoch + at }"},
		{At: overlay.Place{Func: "timeSleep"}, Before: "if spindleSleeps(ns) { return }"},
		{At: overlay.Place{Func: "newTimer"}, Before: "if t := spindleTimer(when, period, f, arg); t != nil { return t }"},
		{At: overlay.Place{Func: "stopTimer"}, Before: "if was, is := spindleStops(t); is { return was }"},
		{At: overlay.Place{Func: "resetTimer"}, Before: "if was, is := spindleSets(t, when, period); is { return was }"},
	}},
	{"runtime/mcleanup.go", []overlay.Insertion{
		{At: overlay.Place{Func: "AddCleanup"}, Before: "cleanup = spindleCleanup(cleanup)"},
	}},
	{"runtime/mfinal.go", []overlay.Insertion{
		{At: overlay.Place{Func: "SetFinalizer"}, Before: "finalizer = spindleFinalizer(finalizer)"},
	}},
	{"runtime/netpoll.go", []overlay.Insertion{
		{At: overlay.Place{Func: "poll_runtime_pollWait"}, Before: "if spindleWaitsFor(\"waits for the network, or a file\") { return pollErrClosing }"},
	}},
	{"runtime/cgocall.go", []overlay.Insertion{
		{At: overlay.Place{Func: "cgocall"}, Before: "spindleCgo()"},
		{At: overlay.Place{Func: "cgocallbackg1"}, Before: "if spindleWaitsFor(\"is called from C\") { defer spindleMark(spindleMark(0)) }"}, // it cannot hand over
	}},
	{"runtime/panic.go", []overlay.Insertion{
		{At: overlay.Place{Func: "sync_fatal"}, Before: "spindleFatal(s)"},
		{At: overlay.Place{Func: "internal_sync_fatal"}, Before: "spindleFatal(s)"},
		{At: overlay.Place{Func: "maps_fatal"}, Before: "spindleFatal(s)"},
	}},
}, ofSync(), ofAtomic())

type edit struct {
	file       string
	insertions []overlay.Insertion
}

// An Overlay is the runtime of a build.
type Overlay struct {
	Set    *overlay.Set
	Digest string // of the files as they were
}

// Make makes the overlay of a toolchain. Its errors wrap overlay.ErrForm where a place
// in a file is not as it was expected.
// A toolchain that is not pinned is to be tried before it is used (Overlay.Try).
func Make(root string) (*Overlay, error) { return makes(root, nil) }

// makes is Make with other texts of our files, by name.
func makes(root string, other map[string][]byte) (*Overlay, error) {
	set, err := overlay.New(filepath.Join(root, "src"))
	if err != nil {
		return nil, err
	}
	digest := sha256.New()
	for _, e := range edits {
		text, err := set.Text(e.file)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(digest, "%s %d\n%s", e.file, len(text), text)
		if text, err = overlay.Insert(e.file, text, e.insertions...); err != nil {
			return nil, err
		}
		if err := set.Put(e.file, text); err != nil {
			return nil, err
		}
	}
	o := &Overlay{Set: set, Digest: hex.EncodeToString(digest.Sum(nil))}
	unpinned := o.Digest
	if Pinned[o.Digest] != "" {
		unpinned = ""
	}
	for name, text := range ours {
		if o := other[name]; o != nil {
			text = o
		}
		if name == added {
			text = fmt.Appendf(slices.Clone(text), "\n// spindleDigest is that of a toolchain which is not pinned.\nconst spindleDigest = %q\n", unpinned)
		}
		if err := set.Put(name, text); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// Pinned are the releases that have been tried, by digest. Of another toolchain it is not known more than that the places are as they
// were.
var Pinned = map[string]string{
	"af26b21434a60ed9e2a217a52708b5bb959d0a969238c818005d7c7b0f2ebc7c": "go1.26.8",
	"98417e57d54a3c8363d1cc850813b385756345d974fd7e9bb441d01bee1bdc46": "go1.27.3",
}

// Releases returns those that are pinned, in words.
func Releases() string { return strings.Join(slices.Sorted(maps.Values(Pinned)), ", ") }
