package engine

import "slices"

type siteBlock struct {
	first  Site
	places []Place
}

var siteBlocks []siteBlock

func register(first Site, places []Place) {
	siteBlocks = append(siteBlocks, siteBlock{first, places})
	noteInvisible(first, places)
	slices.SortFunc(siteBlocks, func(a, b siteBlock) int { return int(a.first) - int(b.first) })
}

// madeSites are sites that no package has registered: see siteOfCall.
var madeSites []madeSite

type madeSite struct {
	Place
	marked bool // it is in code that is rewritten
}

// firstMade is the site of the first of them. They come after all others.
const firstMade = Site(1 << 30)

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
