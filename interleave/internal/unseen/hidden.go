//go:build spindle_runtime

package unseen

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/list"
	"github.com/spindle-go/spindle/interleave/internal/place"
	"github.com/spindle-go/spindle/interleave/internal/race"
)

//go:linkname spindleCode runtime.spindleCode
func spindleCode(pc uintptr) (code []byte, assembly bool)

//go:linkname spindleFunctions runtime.spindleFunctions
func spindleFunctions(each func(entry uintptr, assembly bool))

//go:linkname spindleConstants runtime.spindleConstants
func spindleConstants() (from, to uintptr)

//go:linkname spindleSections runtime.spindleSections
func spindleSections() [4][2]uintptr

// Values returns what is not seen and may be called by way of a value of a function, or an interface: no function calls it that the machine code tells.
func Values() []string {
	valuesOnce.Do(func() { values = findValues() })
	return values
}

var (
	values     []string
	valuesOnce sync.Once
)

func findValues() (values []string) {
	names := make(map[uintptr]string)
	whats := make(map[string]string) // by name: a function has two beginnings, if it is written in assembly
	spindleFunctions(func(entry uintptr, assembly bool) {
		f := runtime.FuncForPC(entry)
		name := plainName(f.Name())
		names[entry] = name
		switch file, _ := f.FileLine(entry); {
		case NoRace[name]:
			whats[name] = noRaceOf(place.PackageOf(name))
		case assembly && !strings.HasPrefix(file, place.Root):
			whats[name] = assemblyOf(place.PackageOf(name))
		}
	})
	if len(whats) == 0 {
		return nil
	}
	from, to := spindleConstants()
	sections := spindleSections()
	for _, r := range append(sections[:], [2]uintptr{from, to}) {
		const word = unsafe.Sizeof(uintptr(0))
		for at := (r[0] + word - 1) &^ (word - 1); at+word <= r[1]; at += word {
			if name, is := names[**(**uintptr)(unsafe.Pointer(&at))]; is {
				if what := whats[name]; what != "" && !list.Contains(values, what) {
					values = append(values, what)
				}
			}
		}
	}
	return values
}

func noRaceOf(pkg string) string   { return "functions that say //go:norace of package " + pkg }
func assemblyOf(pkg string) string { return "assembly of package " + pkg }

// In returns what a function calls that is not seen, nil if nothing is.
func In(f *runtime.Func) *race.Hidden {
	pkg := place.PackageOf(f.Name())
	if place.Ours(f.Name()) || place.OfProject(pkg) {
		return nil
	}
	if !CallsKnown {
		if what := Packages[pkg]; what != "" {
			file, line := f.FileLine(f.Entry())
			return &race.Hidden{What: what + " of package " + pkg, At: fmt.Sprintf("called at %s:%d", place.Base(file), line), Orders: !onlyHides[what]}
		}
		return nil
	}
	for _, c := range callsOf(f.Entry()) {
		what, orders := hiddenAt(c.target, 0)
		if what == "" {
			continue
		}
		frame, _ := runtime.CallersFrames([]uintptr{c.pc}).Next()
		in := place.PackageOf(frame.Function)
		if place.OfProject(in) || what == aClear && strings.HasPrefix(frame.File, place.Root) { // that is of what the standard library has copied
			continue
		}
		if what == aClear {
			what += " of package " + in
		}
		return &race.Hidden{What: what, At: fmt.Sprintf("called at %s:%d", place.Base(frame.File), frame.Line), Orders: orders}
	}
	return nil
}

// onlyHides are what leaves accesses of a package unseen, and no operation that orders others.
var onlyHides = map[string]bool{"clear of a slice": true, "functions that say //go:norace": true}

const aClear = "clear of a slice"

// hiddenAt says what of a function is not seen, "" if nothing is, and whether it may have operations of its own.
func hiddenAt(entry uintptr, depth int) (what string, orders bool) {
	f := runtime.FuncForPC(entry)
	name := f.Name()
	pkg := place.PackageOf(name)
	switch {
	case name == "runtime.memclrNoHeapPointers", name == "runtime.memclrHasPointers":
		return aClear, false
	case name == "runtime.cgocall":
		return "C", true
	case NoRace[plainName(name)]:
		return noRaceOf(pkg), false
	case reportsAssembly(pkg), place.OfProject(pkg), depth > 3:
		return "", false
	}
	if _, assembly := spindleCode(entry); assembly {
		return assemblyOf(pkg), true
	}
	calls := callsOf(entry)
	for _, c := range calls {
		if name := runtime.FuncForPC(c.target).Name(); name == "runtime.racefuncenter" {
			return "", false // it says itself that it is entered
		}
	}
	for _, c := range calls { // it leads to assembly, or the compiler reports nothing of its package
		if what, orders := hiddenAt(c.target, depth+1); what != "" && what != aClear {
			return what, orders
		}
	}
	return "", false
}

// plainName is the name of a function without type arguments.
func plainName(name string) string { return strings.ReplaceAll(name, "[...]", "") }

// reportsAssembly reports whether assembly of a package accesses no memory of a program, or what calls it reports what it does.
func reportsAssembly(pkg string) bool {
	switch pkg {
	case "runtime", "reflect", "math", "os/signal", "sync", "sync/atomic", "syscall", "time":
		return true
	}
	return strings.HasPrefix(pkg, "runtime/") || strings.HasPrefix(pkg, "internal/") && pkg != "internal/chacha8rand"
}

// callsOf returns the calls, and jumps, from a function to the beginnings of others. What looks like one, and is none, counts, too.
func callsOf(entry uintptr) (all []call) {
	code, _ := spindleCode(entry)
	for _, c := range calls(runtime.GOARCH, code, entry) {
		if f := runtime.FuncForPC(c.target); f != nil && f.Entry() == c.target {
			all = append(all, c)
		}
	}
	return all
}
