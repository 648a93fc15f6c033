package instrument

import (
	"bytes"
	"fmt"
	"go/types"
	"strings"
)

// table is the text of the generated file: the places of the package's sites,
// and its variables.
func (u *unit) table(first int) []byte {
	var b bytes.Buffer
	var globals []string
	if !u.pkg.external() {
		globals = u.globals()
	}
	fmt.Fprintf(&b, "package %s\n\nimport (\n\tzzhook %q\n", u.types.Name(), hookPath)
	if len(globals) > 0 {
		b.WriteString("\tzzunsafe \"unsafe\"\n")
	}
	fmt.Fprintf(&b, ")\n\nfunc init() {\n\tzzhook.Register(%d, []zzhook.Place{\n", first)
	for _, p := range u.places {
		fmt.Fprintf(&b, "\t\t{File: %q, Line: %d, Func: %q, Expr: %q, Action: %q", p.file, p.line, p.fn, p.expr, p.action)
		if p.unseen != "" {
			fmt.Fprintf(&b, ", Unseen: %q", p.unseen)
		}
		b.WriteString("},\n")
	}
	b.WriteString("\t})\n")
	fmt.Fprintf(&b, "\tzzhook.Rewritten(%q)\n", u.pkg.path())
	if u.plain {
		b.WriteString(u.declared())
	}
	for _, l := range []struct {
		name  string
		sites []int
	}{{"Tallies", u.tallies}, {"Unmarked", u.unmarked}} {
		if len(l.sites) > 0 {
			fmt.Fprintf(&b, "\tzzhook.%s(%s)\n", l.name, strings.Trim(strings.Join(strings.Fields(fmt.Sprint(l.sites)), ", "), "[]"))
		}
	}
	if len(globals) > 0 {
		b.WriteString("\tzzhook.Globals(\n")
		for _, name := range globals {
			fmt.Fprintf(&b, "\t\tzzhook.Global{Name: %q, Addr: zzunsafe.Pointer(&%s), Size: zzunsafe.Sizeof(%s), Pointer: &%s},\n", u.pkg.path()+"."+name, name, name, name)
		}
		b.WriteString("\t)\n")
	}
	b.WriteString("}\n")
	return b.Bytes()
}

// unseenTable is the text of a file that says which packages are not rewritten.
func (u *unit) unseenTable() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "package %s\n\nimport zzhook %q\n\nfunc init() {\n\tzzhook.UnseenPackages(\n", u.types.Name(), hookPath)
	for _, o := range u.outsides() {
		fmt.Fprintf(&b, "\t\tzzhook.Unseen{Package: %q", o.path)
		if len(o.inside) > 0 {
			fmt.Fprintf(&b, ", Inside: %q", strings.Join(o.inside, ", "))
		}
		if len(o.meets) > 0 {
			fmt.Fprintf(&b, ", Meets: %#v", o.meets)
		}
		if len(o.chance) > 0 {
			fmt.Fprintf(&b, ", Chance: %#v", o.chance)
		}
		if len(o.starts) > 0 {
			fmt.Fprintf(&b, ", Starts: %#v", o.starts)
		}
		b.WriteString("},\n")
	}
	b.WriteString("\t)\n")
	for _, path := range u.build.hiding() {
		fmt.Fprintf(&b, "\tzzhook.Hiding(%q)\n", path)
	}
	for _, name := range u.build.noRace {
		fmt.Fprintf(&b, "\tzzhook.NoRace(%q)\n", name)
	}
	b.WriteString("}\n")
	return b.Bytes()
}

// globals returns the names of the package-level variables outside of test
// files, which nobody but the tests changes.
func (u *unit) globals() []string {
	var names []string
	scope := u.types.Scope()
	for _, name := range scope.Names() {
		v, ok := scope.Lookup(name).(*types.Var)
		if !ok || name == "_" || strings.HasSuffix(u.fset.PositionFor(v.Pos(), false).Filename, "_test.go") {
			continue
		}
		names = append(names, name)
	}
	return names
}
