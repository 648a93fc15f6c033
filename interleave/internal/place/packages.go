package place

import (
	"path"
	"reflect"
	"runtime"
	"strings"

	"github.com/spindle-go/spindle/interleave/internal/list"
)

// Project begins the import paths of this project's packages.
const Project = "github.com/spindle-go/spindle/"

// Explorer begins those of the explorer, and Suite and Helpers those of what runs on threads, and is not what is explored.
const (
	Explorer = Project + "interleave/"
	Suite    = Project + "conformance/"
	Helpers  = Project + "internal/"
)

// alongside are packages, besides those of the suite, that run on threads and are not what is explored.
var alongside = map[string]bool{
	Project + "interleave": true, Explorer + "harness": true, Project + "linearizability": true, Project + "linearizability/recorder": true,
}

// explored are the packages that are explored, by import path.
var explored = make(map[string]bool)

// Explore says that a package is explored.
func Explore(path string) { explored[path] = true }

// Explored reports whether a package is explored.
func Explored(path string) bool { return explored[path] }

// OfProject reports whether a package is one of this project, and not what is explored.
func OfProject(path string) bool { return strings.HasPrefix(path, Project) && !explored[path] }

// Root is where the standard library is, as functions say it.
var Root = func() string {
	file, _ := runtime.FuncForPC(reflect.ValueOf(strings.Cut).Pointer()).FileLine(reflect.ValueOf(strings.Cut).Pointer())
	return strings.TrimSuffix(file, "strings/strings.go")
}()

// folder is that of package interleave, as functions say it.
var folder = func() string {
	_, file, _, _ := runtime.Caller(0)
	return strings.TrimSuffix(path.Dir(file), "internal/place")
}()

// parts are the packages of the explorer that threads run in.
var parts = []string{
	"atomic", "hook", "sync", "internal/certificate", "internal/dpor", "internal/engine", "internal/list", "internal/object", "internal/order", "internal/place", "internal/race",
	"internal/rounds", "internal/schedule", "internal/settings", "internal/slots", "internal/strategy", "internal/unseen", "internal/variables",
}

// Ours reports whether a function is part of the explorer, not of what is explored.
func Ours(function string) bool {
	rest, ok := strings.CutPrefix(function, Explorer)
	if !ok {
		return false
	}
	for _, part := range parts {
		if strings.HasPrefix(rest, part) && strings.HasPrefix(rest[len(part):], ".") {
			return true
		}
	}
	return false
}

// oursIn reports whether a file is of the explorer, though the function that its code is in may be another's.
func oursIn(file string) bool {
	rest, ok := strings.CutPrefix(path.Dir(file), folder)
	return ok && list.Contains(parts, rest) && !strings.HasSuffix(file, "_test.go")
}

// PackageOf returns the package of a function by the name that the runtime has
// for it: "context.WithCancel.func1" is of package context.
func PackageOf(name string) string {
	slash := strings.LastIndexByte(name, '/') + 1
	if i := strings.IndexByte(name, '['); i >= 0 { // type arguments may have slashes
		slash = strings.LastIndexByte(name[:i], '/') + 1
	}
	dot := strings.IndexByte(name[slash:], '.')
	if dot < 0 {
		return name
	}
	return strings.ReplaceAll(name[:slash+dot], "%2e", ".")
}

// PackageAt returns the package of a function by its address, and whether it is one of the standard library.
func PackageAt(code uintptr) (name string, std bool) {
	f := runtime.FuncForPC(code)
	if f == nil {
		return "", false
	}
	file, _ := f.FileLine(code)
	return PackageOf(f.Name()), strings.HasPrefix(file, Root)
}

// OfProgram reports whether a goroutine, by the function that it began with, is neither of the toolchain's own nor of the explorer's.
func OfProgram(start uintptr) bool {
	name, std := PackageAt(start)
	switch {
	case name == "": // it has none
		return false
	case std:
		return name != "runtime" && name != "testing" && name != "os/signal" && !strings.HasPrefix(name, "internal/")
	case name == Explorer+"internal/engine", name == Explorer+"internal/rerun", strings.HasPrefix(name, Suite), strings.HasPrefix(name, Helpers):
		return false
	}
	return true
}

// Packages of the standard library of which the operations are no steps: what they do for themselves is to keep things for later, or to guard
// what they write to, and in which order threads come there shows nowhere else. What they read and write is seen, as that of others.
var oneStep = []string{
	"fmt", "reflect", "strconv", "unicode", "regexp", "text", "html", "encoding", "mime", "unique", "weak", // tables and pools
	"log", "testing", "time", "os", "syscall", "runtime", "internal", "vendor", // locks round the system, or the explorer's own time
	"crypto", "hash", "math", "compress", "archive", "image", "go", "debug", "embed", // made at first use
}

// steps are below these, and are steps all the same.
var steps = map[string]bool{"os/exec": true, "os/signal": true}

// OneStep reports whether the operations of a package are no steps. Std says that it is one of the standard library.
func OneStep(pkg string, std bool) bool {
	top, _, _ := strings.Cut(pkg, "/")
	return std && list.Contains(oneStep, top) && !steps[pkg]
}

// LikeStd reports whether an import path is one that the standard library may have.
func LikeStd(pkg string) bool { return !strings.Contains(strings.SplitN(pkg, "/", 2)[0], ".") }
