package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// A return statement with values assigns them to the results, which a function
// literal may have captured; and whoever called reads them when the deferred
// calls are over. In a function with such a result
//
//	return f(), 2
//
// becomes
//
//	{ *zzr0, *zzr1 = f(), 2; zzhook.W(17, zzr0); return *zzr0, *zzr1 }

// results notes the results that return statements of a function assign to.
func (u *unit) results(t *ast.FuncType, body *ast.BlockStmt, assigned map[*types.Var]bool) {
	if t.Results == nil || body == nil {
		return
	}
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			found = found || len(n.Results) > 0
		}
		return !found
	})
	for _, f := range t.Results.List {
		for _, name := range f.Names {
			if v, ok := u.info.Defs[name].(*types.Var); ok && found {
				assigned[v] = true
			}
		}
	}
}

// A frame is a function whose body is being gone through.
type frame struct {
	results []*ast.Ident // if one of them is shared
}

// body goes through the body of a function.
func (w *walker) body(t *ast.FuncType, body *ast.BlockStmt) {
	before := w.frame
	defer func() { w.frame = before }()
	w.frame = frame{}
	var names []*ast.Ident
	shared := false
	if t.Results != nil {
		for _, f := range t.Results.List {
			for _, name := range f.Names {
				names = append(names, name)
				v, ok := w.info.Defs[name].(*types.Var)
				shared = shared || ok && w.shared[v]
			}
		}
	}
	if shared {
		w.frame.results = names
		text := ""
		for i, name := range names {
			to := name.Name
			if to == "_" {
				to = fmt.Sprint("zzn", i)
				w.replace(w.offset(name.Pos()), 1, to)
			}
			text += fmt.Sprintf(" zzr%d := &%s; _ = zzr%d;", i, to, i)
			if v := w.info.Defs[name].(*types.Var); w.shared[v] {
				w.hooked = true
				text += fmt.Sprintf(" defer zzhook.Result(%s, zzr%d);", w.site(body.Rbrace, name), i)
			}
		}
		w.open(w.offset(body.Lbrace)+1, text)
	}
	w.block(body.List)
}

// returns goes through a return statement.
func (w *walker) returns(s *ast.ReturnStmt) {
	if len(s.Results) > 0 && w.frame.results != nil {
		list, text := "", ""
		for i, name := range w.frame.results {
			if i > 0 {
				list += ", "
			}
			list += fmt.Sprint("*zzr", i)
			if v := w.info.Defs[name].(*types.Var); w.shared[v] {
				text += fmt.Sprintf("; zzhook.W(%s, zzr%d)", w.site(s.Return, name), i)
			}
		}
		w.hooked = true
		w.replace(w.offset(s.Return), len(token.RETURN.String()), "{ "+list+" =")
		w.close(w.offset(s.End()), text+"; return "+list+" }")
	}
	w.reads(s.Results)
}
