// Package place has the places in the source that operations are made at: what they are called, in which package they are, and whether that is explored.
package place

import (
	"fmt"
	"strings"

	"github.com/spindle-go/spindle/interleave/internal/order"
)

// A Place says what a site is.
type Place struct {
	File   string // as the compiler names it
	Line   int
	Func   string // "(*P).Get"
	Expr   string // the object as the source has it, "p.head"; empty if it has no name
	Action string // the comment at the end of the line, without its slashes
	Caller string // where explored code calls it, "x.go:12", if it is of another package, and that was asked for
}

// Sites that stand for no place in the source.
const (
	First                 = order.Site(1 << 30) // of those that Make makes: they come after all others
	Goroutines order.Site = 1<<31 - 1           // of operations on how many goroutines there are
	Time                  = Goroutines - 1      // of what moves the clock
)

// Known is what is known of a site.
type Known struct {
	Place
	Package   string // that it is in
	Tally     Answer // it only adds to something, and does not look at the sum
	Explored  bool   // it is in a package that is explored
	Named     bool   // its names were looked up
	Invisible bool   // it is on a line that says so
}

// An Answer is one that may not have been asked for yet.
type Answer uint8

// The answers.
const (
	NotAsked Answer = iota
	Yes
	No
)

// Invisible begins the comment of a line of which the operations are no steps.
const Invisible = "interleave:invisible "

var sites []Known

// Make makes a site.
func Make(at Place, pkg string) order.Site {
	k := Known{Place: at, Package: pkg}
	if Explored(pkg) {
		k.Explored, k.Action = true, action(at.File, at.Line)
		k.Invisible = strings.HasPrefix(k.Action, Invisible)
	}
	return Add(k)
}

// Add makes a site of which something is known.
func Add(k Known) order.Site {
	sites = append(sites, k)
	return First + order.Site(len(sites)-1)
}

// Find returns what is known of a site, nil if nothing is.
func Find(s order.Site) *Known {
	if n := int(s) - int(First); n >= 0 && n < len(sites) {
		return &sites[n]
	}
	return nil
}

// Of returns what a site is, zero if unknown.
func Of(s order.Site) Place {
	switch s {
	case Goroutines:
		return Place{Expr: "goroutines"}
	case Time:
		return Place{Expr: "time"}
	}
	if k := Find(s); k != nil {
		return k.Place
	}
	return Place{}
}

// Package returns the package of a site, "" if it is not known.
func Package(s order.Site) string {
	if k := Find(s); k != nil {
		return k.Package
	}
	return ""
}

// OfExplored reports whether a site is in a package that is explored.
func OfExplored(s order.Site) bool {
	k := Find(s)
	return k != nil && k.Explored
}

// Tallies reports whether a site only adds to something.
func Tallies(s order.Site) bool {
	k := Find(s)
	return k != nil && k.Tally == Yes
}

// OfStd reports whether a site is in the standard library.
func OfStd(s order.Site) bool { return strings.HasPrefix(Of(s).File, Root) }

// Where words a site: "at x.go:12".
func Where(s order.Site) string { return Of(s).String() }

// Both words two sites.
func Both(a, b order.Site) string {
	p, q := Of(a), Of(b)
	if p.File == q.File && p.Line == q.Line {
		return p.String()
	}
	return p.String() + " and " + q.String()
}

// String is "at x.go:12".
func (p Place) String() string {
	if p.File == "" {
		return "as a thread"
	}
	return fmt.Sprintf("at %s:%d", Base(p.File), p.Line)
}

// Base is a file without its folder.
func Base(file string) string { return file[strings.LastIndexAny(file, `/\`)+1:] }
