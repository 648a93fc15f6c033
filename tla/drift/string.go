package drift

import (
	"fmt"
	"slices"
	"strings"
)

// String says in one line whether anything differs.
func (r *Report) String() string {
	s := fmt.Sprintf("%s is as it was modelled", r.Version)
	if r.Version != r.Modelled {
		s += ", as " + r.Modelled
	}
	if n := len(r.Differ); n > 0 {
		s = fmt.Sprintf("%s differs from %s, which was modelled, in %d of %d functions", r.Version, r.Modelled, n, r.Functions)
	} else {
		s += fmt.Sprintf(", in all %d functions", r.Functions)
	}
	if !r.Read {
		return "not compared with this version: nobody has read it for the model; by its text alone, " + s
	}
	return s
}

// Text says how the function differs, and which versions have it like this.
func (d Difference) Text() string {
	s := string(d.How)
	switch d.How {
	case New:
		s = "only before " + Modelled()
	case Renamed:
		s += " " + d.Now
	case Moved:
		s = "moved to this file"
	}
	if as := span(d.As); as != "" {
		return s + "; as in " + as
	}
	return s + "; in no version that was read"
}

// span shortens versions that follow one another in the table: "go1.23.5 to go1.25.14".
func span(versions []string) string {
	t, err := known()
	if err != nil || len(versions) < 3 {
		return strings.Join(versions, ", ")
	}
	at := slices.Index(t.versions, versions[0])
	if at < 0 || at+len(versions) > len(t.versions) || !slices.Equal(t.versions[at:at+len(versions)], versions) {
		return strings.Join(versions, ", ")
	}
	return versions[0] + " to " + versions[len(versions)-1]
}

// Text says what was at the place of the change, and which actions stand for it.
func (c Change) Text() string {
	if len(c.Places) == 0 && len(c.Near) == 0 {
		return c.How
	}
	of, by := c.Places, ": "
	if len(of) == 0 {
		of, by = c.Near, ", near: "
	}
	var list []string
	for _, p := range of {
		list = append(list, fmt.Sprintf("%s [%s]", p.Says, strings.Join(p.List(), " ")))
	}
	return c.How + by + strings.Join(list, "; ")
}
