package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
)

// block goes through statements, after each of which another may be put.
func (w *walker) block(list []ast.Stmt) {
	for _, s := range list {
		w.stmt(s, true)
	}
}

// stmt goes through a statement. Listed says that another may be put behind it.
func (w *walker) stmt(s ast.Stmt, listed bool) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		if w.addsOnly(s.X) {
			w.tally(func() { w.read(s.X) })
		} else {
			w.read(s.X)
		}
	case *ast.SendStmt:
		w.refuse(s.Chan, s.Arrow, "a channel send")
		w.read(s.Chan)
		w.read(s.Value)
	case *ast.IncDecStmt:
		w.update(s, listed)
	case *ast.AssignStmt:
		w.assign(s, listed)
	case *ast.GoStmt:
		w.goStmt(s)
	case *ast.DeferStmt:
		w.deferStmt(s)
	case *ast.ReturnStmt:
		w.returns(s)
	case *ast.BlockStmt:
		w.block(s.List)
	case *ast.LabeledStmt:
		switch loop := s.Stmt.(type) {
		case *ast.ForStmt:
			w.forStmt(loop, s.Pos(), s.Label.Name)
		case *ast.RangeStmt:
			w.rangeStmt(loop, s.Label.Name)
		default:
			w.stmt(s.Stmt, listed)
		}
	case *ast.DeclStmt:
		w.specs(s.Decl.(*ast.GenDecl))
	case *ast.IfStmt:
		w.stmt(s.Init, false)
		w.read(s.Cond)
		w.block(s.Body.List)
		w.stmt(s.Else, false)
	case *ast.ForStmt:
		w.forStmt(s, s.Pos(), "")
	case *ast.RangeStmt:
		w.rangeStmt(s, "")
	case *ast.SwitchStmt:
		w.stmt(s.Init, false)
		w.read(s.Tag)
		w.cases(s.Body)
	case *ast.TypeSwitchStmt:
		w.stmt(s.Init, false)
		w.stmt(s.Assign, false)
		w.cases(s.Body)
	case *ast.SelectStmt:
		w.selectStmt(s)
	}
}

func (w *walker) cases(body *ast.BlockStmt) {
	for _, c := range body.List {
		c := c.(*ast.CaseClause)
		w.reads(c.List)
		w.block(c.Body)
	}
}

// refuse wraps an operand that is evaluated before something that cannot be
// controlled happens at pos.
func (w *walker) refuse(operand ast.Expr, pos token.Pos, what string) {
	w.around(operand, "zzhook.Refused("+w.site(pos, operand)+`, "`+what+`", `, ")")
}

// selectStmt refuses a select at the operand of its first channel: all operands
// are evaluated on entry, and a statement in front could come between a label
// and the select.
func (w *walker) selectStmt(s *ast.SelectStmt) {
	refused := false
	for _, c := range s.Body.List {
		c := c.(*ast.CommClause)
		if c.Comm == nil {
			continue
		}
		var operand ast.Expr
		switch comm := c.Comm.(type) {
		case *ast.SendStmt:
			operand = comm.Chan
		case *ast.ExprStmt:
			operand = ast.Unparen(comm.X).(*ast.UnaryExpr).X
		case *ast.AssignStmt:
			operand = ast.Unparen(comm.Rhs[0]).(*ast.UnaryExpr).X
		}
		if !refused {
			refused = true
			w.refuse(operand, s.Select, "a select")
		}
		// Only what the operands need: a case must keep its form.
		w.read(operand)
		if send, ok := c.Comm.(*ast.SendStmt); ok {
			w.read(send.Value)
		}
	}
	if len(s.Body.List) == 0 {
		w.hooked = true
		w.open(w.offset(s.Select), "zzhook.Refuse("+w.site(s.Select, nil)+`, "a select without cases"); `)
	}
	for _, c := range s.Body.List {
		w.block(c.(*ast.CommClause).Body)
	}
}

// goStmt makes a go statement a call of package hook, and keeps evaluation of
// the function and its arguments where it is.
func (w *walker) goStmt(s *ast.GoStmt) {
	w.hooked = true
	site := w.site(s.Go, nil)
	c := s.Call
	if tv := w.info.Types[ast.Unparen(c.Fun)]; tv.IsBuiltin() {
		w.open(w.offset(s.Go), "zzhook.Refuse("+site+`, "a go statement of a builtin"); `)
		return
	}
	signature, _ := w.under(c.Fun).(*types.Signature)
	typeArgs, ok := w.typeArgs(c.Fun)
	if signature == nil || !ok {
		w.open(w.offset(s.Go), "zzhook.Refuse("+site+`, "a go statement of a function with inferred type arguments"); `)
		w.reads(c.Args)
		return
	}

	if f := w.functionOf(c); f != nil {
		if _, tells := w.tellsAsValue(ast.Unparen(c.Fun), f); tells {
			typeArgs = "" // what goes around it has them
		}
	}
	name := "zzhook.Call("
	if signature.Params().Len() == 0 && signature.Results().Len() == 0 {
		name = "zzhook.Go("
	}
	w.replace(w.offset(s.Go), len("go"), name+site+",")
	if name == "zzhook.Go(" {
		// The comma lets the parenthesis be on another line.
		w.replace(w.offset(c.Lparen), 1, typeArgs+",")
	} else {
		w.close(w.offset(c.Fun.End()), typeArgs+")")
	}
	w.read(c.Fun)
	w.reads(c.Args)
}

// typeArgs returns the type arguments that a call of a generic function left to
// inference, in brackets, or that they cannot be written in this file.
func (w *walker) typeArgs(fun ast.Expr) (text string, ok bool) {
	var id *ast.Ident
	switch fun := ast.Unparen(fun).(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	case *ast.IndexExpr, *ast.IndexListExpr:
		return "", !w.partial(fun)
	default:
		return "", true
	}
	if _, ok := w.info.Uses[id].(*types.Func); !ok {
		return "", true
	}
	instance := w.info.Instances[id]
	if instance.TypeArgs.Len() == 0 {
		return "", true
	}
	ok = true
	for i := range instance.TypeArgs.Len() {
		if i > 0 {
			text += ", "
		}
		text += types.TypeString(instance.TypeArgs.At(i), func(p *types.Package) string {
			if p == w.types {
				return ""
			}
			name := w.importName(p.Path())
			ok = ok && name != ""
			return name
		})
	}
	return "[" + text + "]", ok
}

// partial reports whether an index expression leaves type arguments out.
func (w *walker) partial(fun ast.Expr) bool {
	x, n := fun, 0
	switch fun := fun.(type) {
	case *ast.IndexExpr:
		x, n = fun.X, 1
	case *ast.IndexListExpr:
		x, n = fun.X, len(fun.Indices)
	}
	var id *ast.Ident
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		id = x
	case *ast.SelectorExpr:
		id = x.Sel
	default:
		return false
	}
	if _, ok := w.info.Uses[id].(*types.Func); !ok {
		return false // an element of a slice of functions
	}
	return w.info.Instances[id].TypeArgs.Len() != n
}

// importName returns the name that the file imports a package by.
func (w *walker) importName(path string) string {
	for _, i := range w.ast.Imports {
		var p *types.PkgName
		if i.Name != nil {
			p, _ = w.info.Defs[i.Name].(*types.PkgName)
		} else {
			p, _ = w.info.Implicits[i].(*types.PkgName)
		}
		if p != nil && p.Imported().Path() == path && p.Name() != "_" && p.Name() != "." {
			return p.Name()
		}
	}
	return ""
}
