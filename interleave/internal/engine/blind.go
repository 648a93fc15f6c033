package engine

import (
	"fmt"
	"strings"
)

// Code of which not all is reported: assembly, C, functions that say //go:norace. What it does is looked for in the machine code: see
// hidden_code.go. A goroutine that begins in such a package is a doubt.

// unseenPackages says of which packages not all is reported, and what is not: "assembly".
var unseenPackages = make(map[string]string)

// RegisterUnseen says so of a package.
func RegisterUnseen(path, what string) { unseenPackages[path] = what }

// Hiding are packages from which code may be called that writes without a report.
var Hiding = make(map[string]bool)

// NoRace are the functions that say //go:norace, as the runtime names them, without type arguments.
var NoRace = make(map[string]bool)

// Exploring reports whether the caller is of an execution that is under way: its body, a
// thread, or a function given to Finally.
func Exploring() bool { return (controlled || current != nil && current.outside) && insider() }

// Overlooked says that something was reached of which it is not seen what it does.
func Overlooked(site Site, what string) { current.doubts.add(NotSeen, what, where(site)) }

func both(a, b Place) string {
	if a.File == b.File && a.Line == b.Line {
		return place(a)
	}
	return place(a) + " and " + place(b)
}

func where(site Site) string { return place(placeOf(site)) }

func place(p Place) string {
	if p.File == "" {
		return "as a thread"
	}
	return fmt.Sprintf("at %s:%d", base(p.File), p.Line)
}

// packageOf returns the package of a function by the name that the runtime has
// for it: "context.WithCancel.func1" is of package context.
func packageOf(name string) string {
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
