// Package goroot makes the overlay by which a test is built with a runtime whose
// goroutines hand over to each other.
//
// The files are those of the user's own GOROOT, with insertions at places that are
// found by their form; no line of the runtime stands here. GOROOT is not written.
package goroot

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/internal/overlay"
)

var (
	//go:embed runtime.go.txt
	runtimeText []byte
	//go:embed race.go.txt
	raceText []byte
	//go:embed state.go.txt
	stateText []byte
	//go:embed stack.go.txt
	stackText []byte
	//go:embed bytes.go.txt
	bytesText []byte
	//go:embed byteorder.go.txt
	byteorderText []byte
	//go:embed maphash.go.txt
	maphashText []byte
	//go:embed sysrand.go.txt
	sysrandText []byte
	//go:embed os.go.txt
	osText []byte
	//go:embed weak.go.txt
	weakText []byte
	//go:embed slices.go.txt
	slicesText []byte
	//go:embed strconv.go.txt
	strconvText []byte
	//go:embed sync.go.txt
	syncText []byte
	//go:embed atomic.go.txt
	atomicText []byte
	//go:embed maps.go.txt
	mapsText []byte
)

// ours are the files that packages have besides.
var ours = map[string][]byte{
	added: runtimeText, "runtime/spindle_race.go": raceText, "runtime/spindle_state.go": stateText, "runtime/spindle_stack.go": stackText,
	"bytes/spindle.go": bytesText, "internal/byteorder/spindle.go": byteorderText, "hash/maphash/spindle.go": maphashText, "strconv/spindle.go": strconvText, "crypto/internal/sysrand/spindle.go": sysrandText, "os/spindle.go": osText, "slices/spindle.go": slicesText, "weak/spindle.go": weakText, "sync/spindle.go": syncText, "sync/atomic/spindle.go": atomicText, "internal/runtime/maps/spindle.go": mapsText,
}

// Reporting are the compiler's flags by which code reports what it reads and writes. Nothing of ThreadSanitizer is linked: the runtime has what it calls.
const Reporting = "-race -d=checkptr=0"

// Project begins the paths of this project's packages.
const Project = "github.com/spindle-go/spindle/"

// Silent are the packages of the explorer that do not report what they do: each operation goes through them. They must not use generic functions
// of others that are not made part of their callers: see package list.
var Silent = []string{
	"interleave", "interleave/atomic", "interleave/hook", "interleave/sync",
	"interleave/internal/certificate", "interleave/internal/dpor", "interleave/internal/engine", "interleave/internal/list", "interleave/internal/object", "interleave/internal/order", "interleave/internal/place", "interleave/internal/race", "interleave/internal/rounds",
	"interleave/internal/schedule", "interleave/internal/settings", "interleave/internal/slots", "interleave/internal/strategy", "interleave/internal/unseen", "interleave/internal/variables", "internal/awake", "internal/cputime",
}

// Flags are the flags of the go command for a build with the overlay, of a program of the explorer's own.
func Flags() []string {
	all := []string{"-tags=" + Tags, "-gcflags=all=" + Reporting}
	for _, path := range Silent {
		all = append(all, "-gcflags="+Project+path+"=")
	}
	return all
}

// Tag is the build tag of the engine's files that need the overlay.
const Tag = "spindle_runtime"

// Tags are the build tags of a build with the overlay: with the others, packages are written in Go that are in assembly else, of which nothing is reported.
const Tags = Tag + ",purego,math_big_pure_go"

// ErrPlatform is wrapped where the compiler has no race instrumentation for a platform, by which threads are seen.
var ErrPlatform = errors.New("the compiler does not report what code reads and writes on this platform")

// Supported says whether code can be explored on a platform: where the compiler has -race. See internal/platform of its source.
func Supported(goos, goarch string) error {
	if slices.Contains(Platforms, goos+"/"+goarch) {
		return nil
	}
	return fmt.Errorf("%w: expected one of %s, saw %s/%s", ErrPlatform, strings.Join(Platforms, ", "), goos, goarch)
}

// Platforms are those.
var Platforms = []string{
	"linux/amd64", "linux/arm64", "linux/loong64", "linux/ppc64le", "linux/riscv64", "linux/s390x",
	"darwin/amd64", "darwin/arm64", "freebsd/amd64", "netbsd/amd64", "windows/amd64",
}

// added is the file that package runtime has besides.
const added = "runtime/spindle.go"

// edits are the insertions, by file.
var edits = slices.Concat([]edit{
	{"runtime/proc.go", []overlay.Insertion{
		{At: overlay.Place{Func: "newproc"}, Before: "if spindleGo(fn) { return }"},
		{At: overlay.Place{Func: "newproc", Kind: "Assign", Calls: "newproc1", Nth: 1, Of: 1}, After: "if gp.racectx == spindleOther { newg.racectx = spindleOther }"},
		{At: overlay.Place{Func: "Gosched"}, Before: "if spindleYielded() { return }"},
		{At: overlay.Place{Func: "gopark"}, Before: "spindleParks(reason)"},
		{At: overlay.Place{Func: "gopark", Kind: "Expr", Calls: "mcall", Nth: 1, Of: 1}, After: "spindleUnparks()"},
		{At: overlay.Place{Func: "park_m", Kind: "Expr", Calls: "decActive", Nth: 2, Of: 2}, Before: "spindleGone(gp, bubble)"},
		{At: overlay.Place{Func: "park_m", Kind: "Expr", Calls: "schedule", Nth: 1, Of: 1}, Before: "if bubble == nil { spindleGone(gp, nil) }"},
		{At: overlay.Place{Func: "preemptone"}, Before: "if spindleGoesOn(pp) { return false }"},
		{At: overlay.Place{Func: "goready"}, Before: "if gp.racectx != 0 && spindleReadies(gp) { return }"},
	}},
	{"runtime/chan.go", []overlay.Insertion{
		{At: overlay.Place{Func: "makechan", Kind: "Expr", Calls: "lockInit", Nth: 1, Of: 1}, After: "spindleMade(c)"},
		{At: overlay.Place{Func: "chansend"}, Before: "spindleTalks(c, spindleSends, block, ep)"},
		{At: overlay.Place{Func: "chanrecv"}, Before: "spindleTalks(c, spindleReceives, block, ep)"},
		{At: overlay.Place{Func: "closechan"}, Before: "spindleTalks(c, spindleCloses, true, nil)"},
		{At: overlay.Place{Func: "chanlen"}, Before: "if c != nil { spindleTalks(c, spindleLooks, true, nil) }"},
	}},
	{"runtime/select.go", []overlay.Insertion{
		{At: overlay.Place{Func: "block"}, Before: "spindleSelects(nil, 0, 0, true)"},
		{At: overlay.Place{Func: "selectgo"}, Before: "spindlePick := spindleSelects(cas0, nsends, nrecvs, block)"},
		{At: overlay.Place{Func: "selectgo", Kind: "Assign", Names: "pollorder", Nth: 2, Of: 2}, After: "spindleFirst(pollorder, spindlePick)"},
	}},
	{"runtime/mgc.go", []overlay.Insertion{
		{At: overlay.Place{Func: "gcBgMarkStartWorkers"}, Before: "defer spindleMark(spindleAside())"}, // which waits at a channel
		{At: overlay.Place{Func: "gcTrigger.test"}, Before: "if t.kind != gcTriggerCycle && spindleQuiet() { return false }"},
	}},
	{"runtime/stack.go", []overlay.Insertion{
		{At: overlay.Place{Func: "copystack", Kind: "Assign", Calls: "stackalloc", Nth: 1, Of: 1}, After: "if gp.racectx == spindleRuns { memclrNoHeapPointers(unsafe.Pointer(new.lo), newsize) }"},
	}},
	{"runtime/coro.go", []overlay.Insertion{
		{At: overlay.Place{Func: "newcoro", Kind: "Assign", Calls: "newproc1", Nth: 1, Of: 1}, Before: "spindleMarked := gp.racectx", After: "spindleCoro(gp, spindleMarked)"},
		{At: overlay.Place{Func: "coroswitch"}, Before: "spindleCoroSwitches(getg(), c)"},
		{At: overlay.Place{Func: "coroexit"}, Before: "getg().racectx = 0"},
	}},
	{"runtime/debug.go", []overlay.Insertion{
		{At: overlay.Place{Func: "NumGoroutine"}, Before: "if n := spindleGoroutines(); n > 0 { return n }"},
	}},
	{"runtime/map.go", []overlay.Insertion{
		{At: overlay.Place{Func: "mapclone"}, Before: "spindleTouches(uintptr(efaceOf(&m).data), 0, sys.GetCallerPC())"}, // which package maps calls
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
	{"runtime/atomic_pointer.go", []overlay.Insertion{
		{At: overlay.Place{Func: "sync_atomic_StorePointer"}, Before: "if spindleStores(ptr, new) { return }"},
		{At: overlay.Place{Func: "sync_atomic_SwapPointer"}, Before: "if was, is := spindleSwaps(ptr, new); is { return was }"},
		{At: overlay.Place{Func: "sync_atomic_CompareAndSwapPointer"}, Before: "if swapped, is := spindleCas(ptr, old, new); is { return swapped }"},
	}},
	{"runtime/race0.go", []overlay.Insertion{
		{At: overlay.Place{Func: "raceReadObjectPC"}, Before: "spindleTouched(addr, int(t.Size_), 0, callerpc)"},
		{At: overlay.Place{Func: "raceWriteObjectPC"}, Before: "spindleTouched(addr, int(t.Size_), 1, callerpc)"},
		{At: overlay.Place{Func: "racemalloc"}, Before: "spindleMakes(p, sz)"},
		{At: overlay.Place{Func: "racereadpc"}, Before: "spindleTouches(uintptr(addr), 0, callerpc)"},
		{At: overlay.Place{Func: "racewritepc"}, Before: "spindleTouches(uintptr(addr), 1, callerpc)"},
		{At: overlay.Place{Func: "racereadrangepc"}, Before: "spindleTouched(addr, int(sz), 0, callerpc)"},
		{At: overlay.Place{Func: "racewriterangepc"}, Before: "spindleTouched(addr, int(sz), 1, callerpc)"},
	}},
	{"internal/runtime/sys/consts_norace.go", nil},
	{raceOn, nil},
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
	{"slices/slices.go", []overlay.Insertion{
		{At: overlay.Place{Func: "Delete", Kind: "Expr", Calls: "clear", Nth: 1, Of: 1}, Before: "spindleWipes(s[len(s):oldlen])"},
		{At: overlay.Place{Func: "DeleteFunc", Kind: "Expr", Calls: "clear", Nth: 1, Of: 1}, Before: "spindleWipes(s[i:])"},
		{At: overlay.Place{Func: "Replace", Kind: "Expr", Calls: "clear", Nth: 1, Of: 2}, Before: "spindleWipes(s[len(s2):])"},
		{At: overlay.Place{Func: "Replace", Kind: "Expr", Calls: "clear", Nth: 2, Of: 2}, Before: "spindleWipes(s[tot:])"},
		{At: overlay.Place{Func: "Compact", Kind: "Expr", Calls: "clear", Nth: 1, Of: 1}, Before: "spindleWipes(s[k:])"},
		{At: overlay.Place{Func: "CompactFunc", Kind: "Expr", Calls: "clear", Nth: 1, Of: 1}, Before: "spindleWipes(s[k:])"},
	}},
	{"bytes/bytes.go", []overlay.Insertion{
		{At: overlay.Place{Func: "Equal"}, Before: "spindleReads(a); spindleReads(b)"},
		{At: overlay.Place{Func: "Compare"}, Before: "spindleReads(a); spindleReads(b)"},
		{At: overlay.Place{Func: "Count"}, Before: "spindleReads(s); spindleReads(sep)"},
		{At: overlay.Place{Func: "IndexByte"}, Before: "spindleReads(b)"},
		{At: overlay.Place{Func: "LastIndexByte"}, Before: "spindleReads(s)"},
		{At: overlay.Place{Func: "Index"}, Before: "spindleReads(s); spindleReads(sep)"},
	}},
	{"hash/maphash/maphash.go", []overlay.Insertion{
		{At: overlay.Place{Func: "Bytes"}, Before: "spindleReads(b)"},
	}},
	{"strconv/number.go", []overlay.Insertion{
		{At: overlay.Place{Func: "AppendBool"}, Before: "if b := strconv.AppendBool(dst, b); true { return spindleAppended(dst, b) }"},
		{At: overlay.Place{Func: "AppendInt"}, Before: "if b := strconv.AppendInt(dst, i, base); true { return spindleAppended(dst, b) }"},
		{At: overlay.Place{Func: "AppendUint"}, Before: "if b := strconv.AppendUint(dst, i, base); true { return spindleAppended(dst, b) }"},
		{At: overlay.Place{Func: "AppendFloat"}, Before: "if b := strconv.AppendFloat(dst, f, fmt, prec, bitSize); true { return spindleAppended(dst, b) }"},
	}},
	{"hash/crc32/crc32.go", nil}, // no tag has it be written in Go
	{"hash/maphash/maphash_runtime.go", nil},
	{"hash/maphash/maphash_purego.go", nil}, // it draws from package crypto/rand
	{"runtime/rand.go", []overlay.Insertion{
		{At: overlay.Place{Func: "rand"}, Before: "if n, is := spindleRandom(); is { return n }"},
		{At: overlay.Place{Func: "cheaprand"}, Before: "if n, is := spindleCheap(); is { return n }"},
	}},
	{"crypto/internal/sysrand/rand.go", []overlay.Insertion{
		{At: overlay.Place{Func: "Read"}, Before: `spindleChances("what package crypto/rand gives")`},
	}},
	{"os/exec.go", []overlay.Insertion{
		{At: overlay.Place{Func: "Getpid"}, Before: `spindleChances("the process id")`},
		{At: overlay.Place{Func: "Getppid"}, Before: `spindleChances("the process id")`},
	}},
	{"runtime/mbarrier.go", []overlay.Insertion{ // which package reflect calls
		{At: overlay.Place{Func: "reflect_typedmemclr"}, Before: "spindleTouched(ptr, int(typ.Size_), 1, sys.GetCallerPC())"},
		{At: overlay.Place{Func: "reflect_typedmemclrpartial"}, Before: "spindleTouched(ptr, int(size), 1, sys.GetCallerPC())"},
		{At: overlay.Place{Func: "reflect_typedarrayclear"}, Before: "spindleTouched(ptr, int(typ.Size_)*len, 1, sys.GetCallerPC())"},
	}},
	{"runtime/mstats.go", []overlay.Insertion{
		{At: overlay.Place{Func: "ReadMemStats"}, Before: `spindleChances("runtime.ReadMemStats")`},
	}},
	{"weak/pointer.go", []overlay.Insertion{
		{At: overlay.Place{Func: "Pointer.Value"}, Before: `if p.u != nil { spindleChances("what a weak pointer points to") }`},
	}},
}, ofSync(), ofAtomic(), ofByteOrder())

// ofByteOrder has the functions of package internal/byteorder report what they read and write.
func ofByteOrder() []edit {
	var all []overlay.Insertion
	for _, order := range []string{"LE", "BE"} {
		for _, bits := range []int{16, 32, 64} {
			for _, does := range [][2]string{{"Uint", "spindleReads"}, {"PutUint", "spindleWrites"}, {"AppendUint", "spindleAppends"}} {
				all = append(all, overlay.Insertion{At: overlay.Place{Func: fmt.Sprint(order, does[0], bits)}, Before: fmt.Sprintf("%s(b, %d)", does[1], bits/8)})
			}
		}
	}
	return []edit{{"internal/byteorder/byteorder.go", all}}
}

// replaced are texts of these files that have others in their place: the compiler reports plain accesses, no library of ThreadSanitizer
// is there, and sums are not made in assembly.
var replaced = map[string][]replacement{
	"runtime/race0.go":                      {{"const raceenabled = false", "const raceenabled = true", true}, {`throw("race")`, "", false}},
	"internal/runtime/sys/consts_norace.go": {{"const isRace = 0", "const isRace = 1", true}},
	raceOn:                                  {{"//go:build race\n", "\n", true}},
	"hash/maphash/maphash_runtime.go":       {{"//go:build !purego\n", "//go:build " + Tag + " || !purego\n", true}},
	"hash/maphash/maphash_purego.go":        {{"//go:build purego\n", "//go:build purego && !" + Tag + "\n", true}},
	"hash/crc32/crc32.go":                   {{"if archAvailableIEEE() {", "if false {", true}, {"if archAvailableCastagnoli() {", "if false {", true}},
}

// What package internal/race does where accesses are reported, and where they are not: the former stands in for the latter.
const (
	raceOn  = "internal/race/race.go"
	raceOff = "internal/race/norace.go"
)

// A replacement puts a text in the place of another one, wherever that stands; or it stands once.
type replacement struct {
	old, new string
	once     bool
}

// in returns the text of a file with the replacement made.
func (r replacement) in(file string, text []byte) ([]byte, error) {
	if n := bytes.Count(text, []byte(r.old)); n == 0 || r.once && n != 1 {
		return nil, fmt.Errorf("%w: %s: expected %q, saw it %d times", overlay.ErrForm, file, r.old, n)
	}
	return bytes.ReplaceAll(text, []byte(r.old), []byte(r.new)), nil
}

type edit struct {
	file       string
	insertions []overlay.Insertion
}

// early reports whether releases from Go 1.27 on have no such file.
func (e edit) early() bool { return path.Dir(e.file) == "hash/maphash" && e.insertions == nil }

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
		if errors.Is(err, fs.ErrNotExist) && e.early() {
			continue
		}
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(digest, "%s %d\n%s", e.file, len(text), text)
		if text, err = overlay.Insert(e.file, text, e.insertions...); err != nil {
			return nil, err
		}
		for _, r := range replaced[e.file] {
			if text, err = r.in(e.file, text); err != nil {
				return nil, err
			}
		}
		name := e.file
		if name == raceOn {
			name = raceOff
		}
		if err := set.Put(name, text); err != nil {
			return nil, err
		}
	}
	o := &Overlay{Set: set, Digest: hex.EncodeToString(digest.Sum(nil))}
	unpinned := o.Digest
	if Pinned[o.Digest] != "" {
		unpinned = ""
	}
	if err := set.Put("sync/atomic/asm.s", []byte("// Our file has these functions.\n")); err != nil {
		return nil, err
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
	"9c02cf858986cd56c61f065057f7b9af02ffe4848d37493696d293dba6f51333": "go1.26.8",
	"10df5dcaec3e8237ad50bd0cd0440028b7078afbb95a25344df7712f5af988f2": "go1.27.3",
}

// Releases returns those that are pinned, in words.
func Releases() string { return strings.Join(slices.Sorted(maps.Values(Pinned)), ", ") }
