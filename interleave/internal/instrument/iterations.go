package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
)

// What happens between one iteration of a loop and the next: the variables of a for
// clause are copied (from Go 1.22 on), the next element of a range is read. It is told
// at the end of the body and before each continue. The body becomes a block of its
// own, so that what it declares hides nothing:
//
//	for i := 0; i < n; i++ { zzc := &i; { ...; { zzhook.Copies(zzc); continue }; ... }; zzhook.Copies(zzc) }

// between puts statements at the beginning of the body of a loop, and at the end of each
// iteration after which there may be another.
func (w *walker) between(body *ast.BlockStmt, label string, before, after string) {
	w.hooked = true
	w.open(w.offset(body.Lbrace)+1, before+"{ ")
	w.close(w.offset(body.Rbrace), "}; "+after+" ")
	for _, c := range continues(body, label) {
		w.open(w.offset(c.Pos()), "{ "+after+"; ")
		w.close(w.offset(c.End()), " }")
	}
}

// continues returns the continue statements of a loop.
func continues(body *ast.BlockStmt, label string) (all []*ast.BranchStmt) {
	var within func(n ast.Node, inner bool)
	within = func(n ast.Node, inner bool) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ForStmt:
				within(n.Body, true)
				return false
			case *ast.RangeStmt:
				within(n.Body, true)
				return false
			case *ast.BranchStmt:
				if n.Tok == token.CONTINUE && (n.Label == nil && !inner || n.Label != nil && n.Label.Name == label) {
					all = append(all, n)
				}
			}
			return true
		})
	}
	within(body, false)
	return all
}

// from reports whether the file is of a version of Go, or of a later one.
func (w *walker) from(v string) bool {
	return version.Compare(w.info.FileVersions[w.ast], v) >= 0
}

// copiedVariables has the copies of the variables of a for clause told.
func (w *walker) copiedVariables(s *ast.ForStmt, label string) {
	define, ok := s.Init.(*ast.AssignStmt)
	if !ok || define.Tok != token.DEFINE || !w.plain || !w.from("go1.22") {
		return
	}
	before, after := "", ""
	for _, x := range define.Lhs {
		id := x.(*ast.Ident)
		if v, ok := w.info.Defs[id].(*types.Var); ok && w.shared[v] && id.Name != "_" {
			site := w.site(s.For, id)
			before += fmt.Sprintf(" zzc%s := &%s;", site, id.Name)
			if after != "" {
				after += "; "
			}
			after += fmt.Sprintf("zzhook.R(%s, zzc%s)", site, site)
		}
	}
	if after != "" {
		w.between(s.Body, label, before+" ", after)
	}
}

// local declares a variable of package hook at the beginning of the function, where no
// goto jumps over it, and returns its name.
func (w *walker) local(what string) string {
	name := "zz" + what + w.site(w.inside.body.Lbrace, nil)
	w.hooked = true
	w.open(w.offset(w.inside.body.Lbrace)+1, " var "+name+" zzhook."+what+";")
	return name
}
