package engine

import "strings"

// SitesOf makes sites of places in explored code, and returns the first.
func SitesOf(places ...Place) Site {
	first := firstMade + Site(len(madeSites))
	for _, p := range places {
		madeSites = append(madeSites, madeSite{Place: p, own: true, named: true, tally: no, hidden: strings.HasPrefix(p.Action, directive)})
	}
	return first
}

// TallySite makes one that only adds to something.
func TallySite() Site {
	s := SitesOf(Place{})
	made(s).tally = yes
	return s
}
