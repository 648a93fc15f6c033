package instrument

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// declared is the text that says which methods types declare: those of the package,
// and those of packages that are not rewritten as far as the package uses them.
func (u *unit) declared() string {
	all := make(map[string]string)
	local := make(map[string]bool)
	for _, o := range u.info.Defs {
		if t, ok := o.(*types.TypeName); ok && t.Parent() != u.types.Scope() {
			local[t.Name()] = true
		}
	}
	for _, name := range u.types.Scope().Names() {
		if t, ok := u.types.Scope().Lookup(name).(*types.TypeName); ok && !t.IsAlias() {
			if n, ok := t.Type().(*types.Named); ok && n.NumMethods()+interfaceMethods(n) > 0 {
				u.declares(n, local[name], all)
			}
		}
	}
	for _, o := range u.info.Uses {
		if t, ok := o.(*types.TypeName); ok {
			u.foreignTypes(t.Type(), all)
		}
	}
	for _, tv := range u.info.Types {
		if tv.Type != nil {
			u.foreignTypes(tv.Type, all)
		}
	}
	if len(all) == 0 {
		return ""
	}
	lines := make([]string, 0, len(all))
	for _, line := range all {
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return "\tzzhook.Methods(\n" + strings.Join(lines, "") + "\t)\n"
}

// foreignTypes adds the type that t names, if it is of a package that is not rewritten,
// and what it embeds.
func (u *unit) foreignTypes(t types.Type, all map[string]string) {
	n := namedOf(t)
	if n == nil || n.Obj().Pkg() == nil || n.Obj().Pkg() == u.types {
		return
	}
	if path := n.Obj().Pkg().Path(); u.rewritten[path] || u.partOf(path) || all[u.typeKey(n)] != "" {
		return
	}
	u.declares(n, false, all)
	if s, ok := n.Underlying().(*types.Struct); ok {
		for f := range s.Fields() {
			if f.Embedded() {
				u.foreignTypes(f.Type(), all)
			}
		}
	}
}

// typeKey is the name of a type for package hook, as reflection has it.
func (u *unit) typeKey(n *types.Named) string {
	path := n.Obj().Pkg().Path()
	if to, ok := dropIns[path]; ok {
		path = to
	}
	return path + "." + n.Obj().Name()
}

// declares adds the line of a type.
func (u *unit) declares(n *types.Named, twice bool, all map[string]string) {
	n = n.Origin()
	var byValue, byPointer, ofInterface []string
	for m := range n.Methods() {
		if m.Pkg() != u.types && !m.Exported() {
			continue // nobody here can call it
		}
		if _, ok := m.Signature().Recv().Type().Underlying().(*types.Pointer); ok {
			byPointer = append(byPointer, idOf(m))
		} else {
			byValue = append(byValue, idOf(m))
		}
	}
	if i, ok := n.Underlying().(*types.Interface); ok {
		for m := range i.Methods() {
			ofInterface = append(ofInterface, idOf(m))
		}
	}
	text := fmt.Sprintf("\t\tzzhook.Declared{Type: %q", u.typeKey(n))
	for _, l := range []struct {
		name string
		of   []string
	}{{"Value", byValue}, {"Pointer", byPointer}, {"Interface", ofInterface}} {
		if len(l.of) > 0 {
			slices.Sort(l.of)
			text += fmt.Sprintf(", %s: %q", l.name, strings.Join(l.of, " "))
		}
	}
	switch {
	case twice && n.TypeParams().Len() > 0:
		text += ", Twice: true"
	case twice:
		text += ", Of: (*" + n.Obj().Name() + ")(nil)"
	}
	all[u.typeKey(n)] = text + "},\n"
}

func interfaceMethods(n *types.Named) int {
	if i, ok := n.Underlying().(*types.Interface); ok {
		return i.NumMethods()
	}
	return 0
}
