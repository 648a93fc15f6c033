package place

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/spindle-go/spindle/interleave/internal/order"
)

// A Call is what is known of a place where a function is called that makes an operation, or reports an access.
type Call struct {
	Inner    bool    // it is one of those that are called themselves: of package runtime, sync, or the like
	Via      Via     // what package it is of, if it is one that calls for others
	Own      bool    // it is the explorer's
	Silent   bool    // what it reads and writes does not count
	Seen     bool    // operations that are made there are steps
	Std      bool    // it is one of the standard library
	Adds     bool    // it is Add of an atomic.Int32
	Order    Passing // of an operation
	Counts   bool    // what it adds to so is for the package's own tests, and outlives an execution: package context counts goroutines
	File     string
	Line     int
	Package  string
	Hook     bool // it is what asks the explorer
	Site     order.Site
	function string
	short    string
}

// A Via is a set of packages that call for others.
type Via uint8

// The packages.
const (
	Reflect Via = 1 << iota
	Timers
)

var vias = map[string]Via{"reflect": Reflect, "internal/reflectlite": Reflect, "time": Timers}

// A Passing says how an operation that is no step orders accesses.
type Passing uint8

// The ways.
const (
	AcquiresAndReleases Passing = iota
	Acquires
	OfParts // what it is made of passes
)

func passingOf(function string) Passing {
	of, method, _ := strings.Cut(function, ").")
	switch {
	case of == "sync.(*Map", of == "sync.(*Once":
		return OfParts
	case strings.HasPrefix(function, "sync/atomic.Load"), strings.HasPrefix(of, "sync/atomic.(*") && method == "Load":
		return Acquires
	}
	return AcquiresAndReleases
}

// Body is the function that calls the body of a thread: from there on the stack is the explorer's, and stays as it is.
const Body = Explorer + "internal/engine.(*thread).calls"

// At finds out what is known of a call, by its return address.
func At(pc uintptr) *Call {
	f, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	pkg := PackageOf(f.Function)
	std := strings.HasPrefix(f.File, Root)
	c := &Call{File: f.File, Line: f.Line, Package: pkg, function: strings.TrimPrefix(f.Function, pkg+".")}
	switch {
	case std:
		c.Via = vias[pkg]
	case pkg == Explorer+"hook": // it calls function values for a program, by package reflect
		c.Via = Reflect | Timers
	}
	switch {
	case std && (pkg == "runtime" || pkg == "sync" || pkg == "sync/atomic" || pkg == "internal/sync" || strings.HasPrefix(pkg, "internal/runtime/")):
		c.Inner, c.Adds, c.Order = true, f.Function == "sync/atomic.(*Int32).Add", passingOf(f.Function)
		c.Hook = strings.Contains(f.Function, ".spindle")
	case f.Function == Body: // a go statement of an operation itself
		c.Seen, c.Site = true, Make(Place{}, "")
	case Ours(f.Function), oursIn(f.File), strings.HasPrefix(pkg, Suite), strings.HasPrefix(pkg, Helpers), alongside[pkg]:
		c.Own = true
	default:
		c.Counts = std && pkg == "context"
		c.Seen, c.Std = !OneStep(pkg, std), std
		c.Site = Make(Place{File: f.File, Line: f.Line, Func: c.function}, pkg)
	}
	if std && (f.File == Root+"runtime/runtime1.go" || f.File == Root+"runtime/type.go") { // maps of the names of types, which a lock of the runtime guards
		c.Own = true
	}
	c.Silent = c.Own || OfProject(pkg)
	return c
}

// Access returns the site of a plain access there, with its name.
func (c *Call) Access(write bool) order.Site {
	if c.Site == 0 {
		c.Site = Make(Place{File: c.File, Line: c.Line, Func: c.function}, c.Package)
	}
	if k := Find(c.Site); k.Explored && !k.Named {
		op := "read"
		if write {
			op = "write"
		}
		k.Named, k.Expr = true, NameAt(k.File, k.Line, op)
	}
	return c.Site
}

// Short is "x.go:12".
func (c *Call) Short() string {
	if c.short == "" {
		c.short = fmt.Sprintf("%s:%d", Base(c.File), c.Line)
	}
	return c.short
}
