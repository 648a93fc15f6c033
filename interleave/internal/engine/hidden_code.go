//go:build spindle_runtime

package engine

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/list"
	"github.com/spindle-go/spindle/interleave/internal/race"
)

// Code that is not seen: assembly, C, functions that say //go:norace, and the builtin clear of a slice. The machine code says which functions call it: see package race.

//go:linkname spindleIsHarmless runtime.spindleIsHarmless
func spindleIsHarmless(pc uintptr)

//go:linkname spindleCode runtime.spindleCode
func spindleCode(pc uintptr) (code []byte, assembly bool)

// CallsKnown reports whether the calls of a function can be read from the machine code of this platform.
const CallsKnown = runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64"

//go:linkname spindleFunctions runtime.spindleFunctions
func spindleFunctions(each func(entry uintptr, assembly bool))

//go:linkname spindleConstants runtime.spindleConstants
func spindleConstants() (from, to uintptr)

// hiddenValues is what is not seen and may be called by way of a value of a function, or an interface: no function calls it that the machine code tells.
var hiddenValues []string

var hiddenOnce sync.Once

func findHiddenValues() {
	names := make(map[uintptr]string)
	whats := make(map[string]string) // by name: a function has two beginnings, if it is written in assembly
	spindleFunctions(func(entry uintptr, assembly bool) {
		f := runtime.FuncForPC(entry)
		name := plainName(f.Name())
		names[entry] = name
		switch file, _ := f.FileLine(entry); {
		case NoRace[name]:
			whats[name] = noRaceOf(packageOf(name))
		case assembly && !strings.HasPrefix(file, root):
			whats[name] = assemblyOf(packageOf(name))
		}
	})
	if len(whats) == 0 {
		return
	}
	from, to := spindleConstants()
	sections := spindleSections()
	for _, r := range append(sections[:], [2]uintptr{from, to}) {
		const word = unsafe.Sizeof(uintptr(0))
		for at := (r[0] + word - 1) &^ (word - 1); at+word <= r[1]; at += word {
			if name, is := names[**(**uintptr)(unsafe.Pointer(&at))]; is {
				if what := whats[name]; what != "" && !list.Contains(hiddenValues, what) {
					hiddenValues = append(hiddenValues, what)
				}
			}
		}
	}
}

func noRaceOf(pkg string) string   { return "functions that say //go:norace of package " + pkg }
func assemblyOf(pkg string) string { return "assembly of package " + pkg }

// hiddenCodes are what functions call that is not seen, by where they begin; nil: nothing.
var hiddenCodes = make(map[uintptr]*race.Hidden)

// enters notes that t has entered a function, or leaves it, by where its report returns to, and by how deep its frame is.
func (s *scheduler) enters(t *thread, pc, depth uintptr, leaves bool) {
	entry := runtime.FuncForPC(pc).Entry()
	code, known := hiddenCodes[entry]
	if !known {
		code = hiddenIn(runtime.FuncForPC(entry))
		hiddenCodes[entry] = code
	}
	switch {
	case code == nil:
		spindleIsHarmless(pc)
	case leaves:
		if s.races.Leaves(t.ID, code, depth) {
			t.loop.fresh = t.loop.tick + 1
		}
	default:
		t.loop.fresh = t.loop.tick + 1
		s.races.Enters(t.ID, code, depth)
	}
}

// hiddenIn returns what a function calls that is not seen.
func hiddenIn(f *runtime.Func) *race.Hidden {
	pkg := packageOf(f.Name())
	if ours(f.Name()) || strings.HasPrefix(pkg, project) && !explored[pkg] {
		return nil
	}
	if !CallsKnown {
		if what := unseenPackages[pkg]; what != "" {
			file, line := f.FileLine(f.Entry())
			return &race.Hidden{What: what + " of package " + pkg, At: fmt.Sprintf("called at %s:%d", base(file), line), Orders: !onlyHides[what]}
		}
		return nil
	}
	for _, c := range callsOf(f.Entry()) {
		what, orders := hiddenAt(c.target, 0)
		if what == "" {
			continue
		}
		frame, _ := runtime.CallersFrames([]uintptr{c.pc}).Next()
		in := packageOf(frame.Function)
		if strings.HasPrefix(in, project) && !explored[in] || what == aClear && strings.HasPrefix(frame.File, root) { // that is of what the standard library has copied
			continue
		}
		if what == aClear {
			what += " of package " + in
		}
		return &race.Hidden{What: what, At: fmt.Sprintf("called at %s:%d", base(frame.File), frame.Line), Orders: orders}
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
	pkg := packageOf(name)
	switch {
	case name == "runtime.memclrNoHeapPointers", name == "runtime.memclrHasPointers":
		return aClear, false
	case name == "runtime.cgocall":
		return "C", true
	case NoRace[plainName(name)]:
		return noRaceOf(pkg), false
	case reportsAssembly(pkg), strings.HasPrefix(pkg, project) && !explored[pkg], depth > 3:
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

// A machineCall is a call of a function.
type machineCall struct{ pc, target uintptr }

// callsOf returns the calls, and jumps, from a function to the beginnings of others. What looks like one, and is none, counts, too.
func callsOf(entry uintptr) (all []machineCall) {
	code, _ := spindleCode(entry)
	add := func(at int, target uintptr) {
		if target-entry < uintptr(len(code)) {
			return
		}
		if f := runtime.FuncForPC(target); f != nil && f.Entry() == target {
			all = append(all, machineCall{entry + uintptr(at) + 1, target})
		}
	}
	switch runtime.GOARCH {
	case "amd64":
		for i := 0; i+5 <= len(code); i++ {
			if code[i] == 0xe8 || code[i] == 0xe9 { // CALL, JMP
				add(i, entry+uintptr(i)+5+uintptr(int32(binary.LittleEndian.Uint32(code[i+1:]))))
			}
		}
	case "arm64":
		for i := 0; i+4 <= len(code); i += 4 {
			if word := binary.LittleEndian.Uint32(code[i:]); word>>26&0x1f == 0b00101 { // BL, B
				add(i, entry+uintptr(i)+uintptr(int32(word<<6)>>4))
			}
		}
	}
	return all
}
