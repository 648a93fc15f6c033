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
	if len(r.Differ) > 0 {
		s = fmt.Sprintf("%s differs from %s, which was modelled, in %d of %d functions and %d of %d declarations", r.Version, r.Modelled,
			r.differ(false), r.Functions, r.differ(true), r.Declarations)
	} else {
		s += fmt.Sprintf(", in all %d functions and %d declarations", r.Functions, r.Declarations)
	}
	if len(r.Alike) > 0 {
		s += fmt.Sprintf("; %s have another text there, which was read and means the same", strings.Join(r.alike(), ", "))
	}
	if !r.Read {
		return "not compared with this version: it was not read for the model; by its text alone, " + s
	}
	return s
}

// alike are the names of what means the same.
func (r *Report) alike() (names []string) {
	for _, d := range r.Alike {
		names = append(names, d.Function)
	}
	return names
}

// differ is how many functions, or declarations, differ: one may in two ways.
func (r *Report) differ(declared bool) int {
	names := make(map[string]bool)
	for _, d := range r.Differ {
		if (d.Why != "") == declared {
			names[d.Function] = true
		}
	}
	return len(names)
}

// Text says how it differs, which versions have it like this, and why a declaration counts.
func (d Difference) Text() string {
	if d.Why == "" {
		return d.text()
	}
	return d.text() + "; the model needs it: " + d.Why
}

func (d Difference) text() string {
	s := string(d.How)
	switch d.How {
	case New:
		s = "only before " + Modelled()
	case Renamed:
		s += " " + d.Now
	case Moved:
		s = "moved to this file"
	case Twin:
		s = "declared again, here"
		if d.Now != "" {
			s += " under the build constraint " + d.Now
		}
		return s + ": which of them is built, the text does not say"
	}
	if as := span(d.As); as != "" {
		s += "; as in " + as
		if d.Same != "" {
			s += "; the same to the model: " + d.Same
		}
		return s
	}
	return s + "; in no version that was read"
}

// String says all of a difference in one line: where it is, how it differs, and what changed in it.
func (d Difference) String() string {
	s := fmt.Sprintf("%s, %s: %s", d.Function, d.At(), d.Text())
	for _, c := range d.Changes {
		s += "; "
		if c.Line > 0 {
			s += fmt.Sprintf(":%d ", c.Line)
		}
		s += c.Text()
	}
	return s
}

// At is the file, with the line if there is one: "src/runtime/proc.go:3091".
func (d Difference) At() string {
	if d.Line > 0 {
		return fmt.Sprintf("%s:%d", d.File, d.Line)
	}
	return d.File
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
