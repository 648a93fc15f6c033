package engine

import (
	"strings"

	"github.com/spindle-go/spindle/interleave/internal/place"
)

// A Place is one of package place.
type Place = place.Place

// SitesOf makes sites of places in explored code, and returns the first.
func SitesOf(places ...place.Place) (first Site) {
	for i, p := range places {
		s := place.Add(place.Known{Place: p, Explored: true, Named: true, Tally: place.No, Invisible: strings.HasPrefix(p.Action, place.Invisible)})
		if i == 0 {
			first = s
		}
	}
	return first
}

// TallySite makes one that only adds to something.
func TallySite() Site {
	s := SitesOf(place.Place{})
	place.Find(s).Tally = place.Yes
	return s
}
