package drift

import (
	"fmt"
	"go/ast"
	"go/version"
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
	Read bool
	// Functions and Declarations are how many were compared.
	Functions, Declarations int
	Differ                  []Difference
	Alike                   []Difference // what has another text, which was read and means the same to the model
	// Unread is what no version that was read has like this: of its series where that was read, so
	// that older code in a newer tree counts; else all that differs.
	Unread []Difference
}

// A Difference is a function or a declaration that is not as it was modelled.
type Difference struct {
	Function string // as in Functions, or in Declarations
	Why      string // why the model needs a declaration
	Same     string // why another text means the same to the model
	File     string // "src/runtime/proc.go"
	Line     int    // of the function; 0 if it is missing
	How      How
	Now      string   // if it was renamed, its name now; of a twin, the build constraint of its file
	As       []string // the versions in the table that have it like this
	Changes  []Change // what changed in it; of a missing one, all that the model has of it
}

// A How says in which way a function or a declaration differs.
type How string

// The ways. A function that is New is one that the modelled version lacks and an older one had.
const (
	Changed How = "changed"
	Missing How = "missing"
	New     How = "new"
	Renamed How = "renamed"
	Moved   How = "moved"
	Twin    How = "twin" // it is declared in this place again
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
// modelled, in the order of the names; none if all are, or mean the same. A function is named as in
// [Functions]; a method may be named without its type. One that is declared again, or
// whose file has another build constraint, is not as it was modelled. What counts is the text, not the
// version, but for what was read to mean the same.
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
		f = declared(f)
		twins, err := t.again(s, f)
		if err != nil {
			return nil, err
		}
		differs := len(twins) > 0
		for _, body := range bodies(f) {
			now, err := s.digest(body)
			if err != nil {
				return nil, err
			}
			built, err := t.difference(s, "build "+fileOf[body])
			if err != nil {
				return nil, err
			}
			differs = differs || now != t.functions[body].modelled() && t.sameAs(s.version, body, now) == "" || built != nil
		}
		if differs {
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
	r := &Report{GOROOT: goroot, Version: s.version, Modelled: t.modelled, Read: t.reads(s.version), Functions: len(Functions()), Declarations: len(Declarations())}
	for _, name := range slices.Sorted(maps.Keys(t.functions)) {
		d, err := t.difference(s, name)
		if err != nil {
			return nil, err
		}
		switch {
		case d != nil && d.Same != "":
			r.Alike = append(r.Alike, *d)
		case d != nil:
			r.Differ = append(r.Differ, *d)
		}
		if d, err = t.unread(s, name, d); err != nil {
			return nil, err
		}
		if d != nil {
			r.Unread = append(r.Unread, *d)
		}
	}
	twins, err := t.again(s, slices.Sorted(maps.Keys(t.functions))...)
	if err != nil {
		return nil, err
	}
	for _, list := range []*[]Difference{&r.Differ, &r.Unread} {
		*list = append(*list, twins...)
		for i := range *list {
			(*list)[i].Why = whyOf[(*list)[i].Function]
		}
	}
	return r, nil
}

// unread returns how a function or declaration differs from the versions of the same series that
// were read, where d is how it differs from the modelled one; nil if one of them has it like this.
func (t *table) unread(s *runtimeSource, name string, d *Difference) (*Difference, error) {
	if !t.reads(s.version) || d != nil && d.How == Moved {
		return d, nil
	}
	f := t.functions[name]
	now, err := s.digest(name)
	if err != nil {
		return nil, err
	}
	as := f.versionsWith(now)
	switch {
	case slices.ContainsFunc(as, func(v string) bool { return version.Lang(v) == version.Lang(s.version) }):
		return nil, nil
	case d != nil:
		return d, nil
	}
	// It is as it was modelled, and in this series that is a change.
	d = &Difference{Function: name, How: Changed, File: "src/runtime/" + fileOf[name], As: as}
	decl, err := s.find(name)
	if err != nil {
		return nil, err
	}
	if decl == nil {
		d.How = Missing
		return d, nil
	}
	d.File, d.Line = s.place(decl.Pos())
	return d, nil
}

// difference compares one function or declaration; nil if nothing differs.
func (t *table) difference(s *runtimeSource, name string) (*Difference, error) {
	f := t.functions[name]
	decl, err := s.find(name)
	if err != nil {
		return nil, err
	}
	d := &Difference{Function: name, How: Changed, File: "src/runtime/" + fileOf[name]}
	if decl == nil && f.modelled() != "" {
		strays, err := s.strays(declared(name))
		if err != nil {
			return nil, err
		}
		if len(strays) > 0 {
			decl, d.How = strays[0].node, Moved
		}
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
	all, err := s.statements(name, decl)
	if err != nil {
		return nil, err
	}
	now := digestsOf(all)
	d.As = f.versionsWith(sumOf(now))
	switch {
	case f.modelled() == "":
		d.How = New
		return d, nil
	case d.How == Changed && sumOf(now) == f.modelled():
		return nil, nil
	}
	if d.How == Changed {
		d.Same = t.sameAs(s.version, name, sumOf(now))
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
	if err != nil {
		return err
	}
	for _, other := range slices.Sorted(maps.Keys(in.has)) {
		decl, ok := in.has[other][0].(*ast.FuncDecl)
		if f := t.functions[other]; !ok || f != nil && f.modelled() != "" {
			continue
		}
		all, err := s.statements(other, decl)
		if err != nil {
			return err
		}
		if sumOf(digestsOf(all)) == t.functions[d.Function].modelled() {
			d.How, d.Now = Renamed, other
			_, d.Line = s.place(decl.Pos())
			break
		}
	}
	return nil
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

// skeleton returns the statements of a function or declaration, none if there is none.
func (s *runtimeSource) skeleton(name string) ([]statement, error) {
	f, err := s.find(name)
	if f == nil || err != nil {
		return nil, err
	}
	return s.statements(name, f)
}

// digest returns that of a function or declaration, "" if there is none.
func (s *runtimeSource) digest(name string) (string, error) {
	all, err := s.skeleton(name)
	if all == nil || err != nil {
		return "", err
	}
	return sumOf(digestsOf(all)), nil
}
