package drift

import (
	"fmt"
	"maps"
	"slices"
	"sync"
)

var known = sync.OnceValues(func() (*table, error) { return parseTable(embedded) })

// Modelled is the version of Go that the model was written from: "go1.26.8". It panics
// if the embedded table is not whole, which the package's tests rule out.
func Modelled() string {
	t, err := known()
	if err != nil {
		panic(err)
	}
	return t.modelled
}

// A Report says where the runtime of a GOROOT is not the modelled one.
type Report struct {
	GOROOT   string
	Version  string // "go1.26.8"; "devel" if its file VERSION names no release
	Modelled string
	// Read says whether somebody has read this version for the model: a patch of its
	// series is in the table. Of another one, an equal function may mean something else.
	Read      bool
	Functions int // how many were compared
	Differ    []Difference
}

// A Difference is a function that is not as it was modelled.
type Difference struct {
	Function string
	File     string // "src/runtime/proc.go"
	Line     int    // of the function; 0 if it is missing
	How      How
	Now      string   // if it was renamed, its name now
	As       []string // the versions in the table that have it like this
	Changes  []Change // what changed in it; of a missing one, all that the model has of it
}

// A How says in which way a function differs.
type How string

// The ways. A function that is New is one that the modelled version lacks and an older one had.
const (
	Changed How = "changed"
	Missing How = "missing"
	New     How = "new"
	Renamed How = "renamed"
	Moved   How = "moved"
)

// A Change is a place in a function where statements were changed, added or removed.
type Change struct {
	How  string // "changed", "added", "removed"
	Line int    // of the first of them, or of what follows where they were; 0 in a missing function
	// Places are the statements of the modelled version that are not there any more. If
	// the model has none of them, or they are new, Near are the places before and after.
	Places []Place
	Near   []Place
}

// Actions are the actions that stand for a function, or for the changed statements.
func (d Difference) Actions() []string {
	var list []string
	for _, c := range d.Changes {
		for _, p := range c.Places {
			list = append(list, p.List()...)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Differing returns those of the named functions that are not in the GOROOT as they were
// modelled, in the order of the names; none if all are. A function is named as in
// [Functions]; a method may be named without its type. It knows no versions: what counts
// is the text.
//
// Errors wrap [ErrSource] or [ErrTable], or name a function that is not in the list.
func Differing(goroot string, functions ...string) ([]string, error) {
	t, err := known()
	if err != nil {
		return nil, err
	}
	s, err := read(goroot)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, name := range functions {
		f, ok := full(name)
		if !ok {
			return nil, fmt.Errorf("drift: expected a function of the list, saw %q", name)
		}
		now, err := s.digest(f)
		if err != nil {
			return nil, err
		}
		if now != t.functions[f].modelled() {
			list = append(list, name)
		}
	}
	return list, nil
}

// Compare compares the runtime of a GOROOT with the modelled one. Errors wrap [ErrSource]
// or [ErrTable].
func Compare(goroot string) (*Report, error) {
	t, err := known()
	if err != nil {
		return nil, err
	}
	return t.compare(goroot)
}

func (t *table) compare(goroot string) (*Report, error) {
	s, err := read(goroot)
	if err != nil {
		return nil, err
	}
	r := &Report{GOROOT: goroot, Version: s.version, Modelled: t.modelled, Read: t.reads(s.version), Functions: len(t.functions)}
	for _, name := range slices.Sorted(maps.Keys(t.functions)) {
		d, err := t.difference(s, name)
		if err != nil {
			return nil, err
		}
		if d != nil {
			r.Differ = append(r.Differ, *d)
		}
	}
	return r, nil
}

// difference compares one function; nil if nothing differs.
func (t *table) difference(s *runtimeSource, name string) (*Difference, error) {
	f := t.functions[name]
	decl, err := s.find(name)
	if err != nil {
		return nil, err
	}
	d := &Difference{Function: name, How: Changed, File: "src/runtime/" + fileOf[name]}
	if decl == nil && f.modelled() != "" {
		if decl, err = s.elsewhere(name); err != nil {
			return nil, err
		}
		d.How = Moved
	}
	switch {
	case decl == nil && f.modelled() == "":
		return nil, nil
	case decl == nil:
		d.How, d.As = Missing, f.versionsWith("")
		d.Changes = []Change{{How: "removed", Places: f.between(name, 0, len(f.sums))}}
		return d, t.renamed(s, d)
	}
	d.File, d.Line = s.place(decl.Pos())
	all := skeleton(decl)
	now := digestsOf(all)
	d.As = f.versionsWith(sumOf(now))
	switch {
	case f.modelled() == "":
		d.How = New
		return d, nil
	case d.How == Changed && sumOf(now) == f.modelled():
		return nil, nil
	}
	for _, h := range diff(f.sums, now) {
		c := Change{How: "changed"}
		switch {
		case h.oldFrom == h.oldTo:
			c.How = "added"
		case h.nowFrom == h.nowTo:
			c.How = "removed"
		}
		_, c.Line = s.place(all[min(h.nowFrom, len(all)-1)].pos)
		c.Places = f.between(name, h.oldFrom, h.oldTo)
		if len(c.Places) == 0 {
			c.Near = f.around(name, h.oldFrom, h.oldTo)
		}
		d.Changes = append(d.Changes, c)
	}
	return d, nil
}

// renamed looks for a missing function under a new name in its file.
func (t *table) renamed(s *runtimeSource, d *Difference) error {
	in, err := s.file(fileOf[d.Function])
	for _, other := range slices.Sorted(maps.Keys(in)) {
		if f := t.functions[other]; (f == nil || f.modelled() == "") && sumOf(digestsOf(skeleton(in[other]))) == t.functions[d.Function].modelled() {
			d.How, d.Now = Renamed, other
			_, d.Line = s.place(in[other].Pos())
			break
		}
	}
	return err
}

// between are the places at statements from <= i < to, in the order of the text.
func (f *function) between(name string, from, to int) []Place {
	var list []Place
	for _, p := range Places {
		if at, ok := f.places[p.Find]; ok && p.Function == name && from <= at && at < to {
			list = append(list, p)
		}
	}
	slices.SortStableFunc(list, func(a, b Place) int { return f.places[a.Find] - f.places[b.Find] })
	return list
}

// around are the last place before some statements, and the first one after them.
func (f *function) around(name string, from, to int) []Place {
	var list []Place
	if before := f.between(name, 0, from); len(before) > 0 {
		list = append(list, before[len(before)-1])
	}
	if after := f.between(name, to, len(f.sums)); len(after) > 0 {
		list = append(list, after[0])
	}
	return list
}

// skeleton returns the statements of a function, none if there is no such function.
func (s *runtimeSource) skeleton(function string) ([]statement, error) {
	f, err := s.find(function)
	if f == nil || err != nil {
		return nil, err
	}
	return skeleton(f), nil
}

// digest returns that of a function, "" if there is no such function.
func (s *runtimeSource) digest(function string) (string, error) {
	all, err := s.skeleton(function)
	if all == nil || err != nil {
		return "", err
	}
	return sumOf(digestsOf(all)), nil
}
