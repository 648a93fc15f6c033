package engine

import (
	"reflect"
	"runtime"
	"strings"
)

// sites are places in the source that were met: see siteOfCall. They come after all others.
const firstMade = Site(1 << 30)

var madeSites []madeSite

type madeSite struct {
	Place
	pkg    string // that it is in
	tally  answer // it only adds to something, and does not look at the sum
	own    bool   // it is in a package that is explored
	named  bool   // its names were looked up
	hidden bool   // it is on a line that is invisible
}

// An answer is one that may not have been asked for yet.
type answer uint8

const (
	notAsked answer = iota
	yes
	no
)

// explored are the packages that are explored, by import path.
var explored = make(map[string]bool)

// Explored says that a package is explored.
func Explored(path string) { explored[path] = true }

// made returns what is known of a site, nil if nothing is.
func made(s Site) *madeSite {
	if n := int(s) - int(firstMade); n >= 0 && n < len(madeSites) {
		return &madeSites[n]
	}
	return nil
}

// PlaceOf returns what a site is, zero if unknown.
func PlaceOf(s Site) Place { return placeOf(s) }

func placeOf(s Site) Place {
	switch s {
	case counted:
		return Place{Expr: "goroutines"}
	case ticking:
		return Place{Expr: "time"}
	}
	if m := made(s); m != nil {
		return m.Place
	}
	return Place{}
}

// packageOfSite returns the package of a site, "" if it is not known.
func packageOfSite(s Site) string {
	if m := made(s); m != nil {
		return m.pkg
	}
	return ""
}

// ofExplored reports whether a site is in a package that is explored.
func ofExplored(s Site) bool {
	m := made(s)
	return m != nil && m.own
}

// tallies reports whether a site only adds to something.
func tallies(s Site) bool {
	m := made(s)
	return m != nil && m.tally == yes
}

// root is where the standard library is, as functions say it.
var root = func() string {
	file, _ := runtime.FuncForPC(reflect.ValueOf(strings.Cut).Pointer()).FileLine(reflect.ValueOf(strings.Cut).Pointer())
	return strings.TrimSuffix(file, "strings/strings.go")
}()

// ofLibrary reports whether an access is one of the standard library.
func ofLibrary(site Site) bool { return strings.HasPrefix(placeOf(site).File, root) }
