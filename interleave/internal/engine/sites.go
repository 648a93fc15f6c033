package engine

import (
	"path"
	"reflect"
	"runtime"
	"strings"

	"github.com/spindle-go/spindle/interleave/internal/list"
)

type siteBlock struct {
	first  Site
	places []Place
}

var siteBlocks []siteBlock

func register(first Site, places []Place) {
	siteBlocks = append(siteBlocks, siteBlock{first, places})
	for _, p := range places {
		folders[path.Dir(p.File)] = true
	}
	noteInvisible(first, places)
	list.Sort(siteBlocks, func(a, b siteBlock) int { return int(a.first) - int(b.first) })
}

// madeSites are sites that no package has registered: see siteOfCall.
var madeSites []madeSite

type madeSite struct {
	Place
	marked bool   // it is in code that is rewritten
	pkg    string // that it is in
	tally  answer // it only adds to something, and does not look at the sum
	own    bool   // it is in a package that is explored as it is
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

// firstMade is the site of the first of them. They come after all others.
const firstMade = Site(1 << 30)

// folders are those of packages that are rewritten.
var folders = make(map[string]bool)

// rewritten are the packages that are.
var rewritten = make(map[string]bool)

// Rewritten says that a package is rewritten.
func Rewritten(path string) { rewritten[path] = true }

// explored are the packages that are explored, by import path.
var explored = make(map[string]bool)

// Explored says that a package is explored as it is.
func Explored(path string) { explored[path] = true }

// IsRewritten reports whether one is.
func IsRewritten(path string) bool { return rewritten[path] }

// Instrumented reports whether this program has instrumented packages.
func Instrumented() bool { return len(siteBlocks) > 0 }

// PlaceOf returns what a site is, zero if unknown.
func PlaceOf(s Site) Place { return placeOf(s) }

func placeOf(s Site) Place {
	switch s {
	case counted:
		return Place{Expr: "goroutines"}
	case ticking:
		return Place{Expr: "time"}
	}
	if n := int(s) - int(firstMade); n >= 0 && n < len(madeSites) {
		return madeSites[n].Place
	}
	for _, b := range siteBlocks {
		if s >= b.first && s < b.first+Site(len(b.places)) {
			return b.places[s-b.first]
		}
	}
	return Place{}
}

// packageOfSite returns the package of a site that no package has registered, "" of another.
func packageOfSite(s Site) string {
	if n := int(s) - int(firstMade); n >= 0 && n < len(madeSites) {
		return madeSites[n].pkg
	}
	return ""
}

// ofExplored reports whether a site is in a package that is explored as it is.
func ofExplored(s Site) bool {
	n := int(s) - int(firstMade)
	return n >= 0 && n < len(madeSites) && madeSites[n].own
}

// root is where the standard library is, as functions say it.
var root = func() string {
	file, _ := runtime.FuncForPC(reflect.ValueOf(strings.Cut).Pointer()).FileLine(reflect.ValueOf(strings.Cut).Pointer())
	return strings.TrimSuffix(file, "strings/strings.go")
}()

// ofLibrary reports whether an access is one of the standard library.
func ofLibrary(site Site) bool { return strings.HasPrefix(placeOf(site).File, root) }
