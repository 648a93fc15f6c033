package operators

import (
	"go/ast"
	"go/token"
	"go/types"
	"math/big"
)

// oneMore is an expression with one added or taken away.
func (f *function) oneMore(x ast.Expr, sign string) string {
	if l, ok := ast.Unparen(x).(*ast.BasicLit); ok {
		return other(l, sign == " + ")
	}
	text := f.src(x)
	if b, ok := x.(*ast.BinaryExpr); ok && b.Op.Precedence() < token.ADD.Precedence() {
		text = "(" + text + ")"
	}
	return text + sign + "1"
}

// other is a number one above or below.
func other(l *ast.BasicLit, up bool) string {
	n, ok := new(big.Int).SetString(l.Value, 0)
	if !ok {
		return l.Value
	}
	d := int64(-1)
	if up {
		d = 1
	}
	return n.Add(n, big.NewInt(d)).String()
}

// offByOne changes by one: indices, bounds of slices and ranges, arguments of
// atomic writes, of make and of functions of the package, the right side of a
// comparison, where a loop begins; and constants anywhere. Of a sum with a
// constant, and of a comparison with one, the constant alone is changed.
func offByOne(f *function) {
	around := func(x ast.Expr) {
		if x == nil || !f.integer(x) {
			return
		}
		switch x := ast.Unparen(x).(type) {
		case *ast.BasicLit:
			return
		case *ast.BinaryExpr:
			if _, lit := ast.Unparen(x.Y).(*ast.BasicLit); lit && (x.Op == token.ADD || x.Op == token.SUB) {
				return
			}
		}
		f.add(x, f.with(x, f.oneMore(x, " + ")))
		f.add(x, f.with(x, f.oneMore(x, " - ")))
	}
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			if _, isMap := f.info.TypeOf(n.X).Underlying().(*types.Map); !isMap && f.memory(n) {
				around(n.Index)
			}
		case *ast.SliceExpr:
			around(n.Low)
			around(n.High)
			around(n.Max)
		case *ast.CallExpr:
			for _, x := range f.counted(n) {
				around(x)
			}
		case *ast.BinaryExpr:
			_, lit := ast.Unparen(n.X).(*ast.BasicLit)
			if _, ok := mirrors[n.Op]; ok && !lit {
				around(n.Y)
			}
		case *ast.RangeStmt:
			around(n.X)
		case *ast.ForStmt:
			if a, ok := n.Init.(*ast.AssignStmt); ok {
				for _, x := range a.Rhs {
					around(x)
				}
			}
		case *ast.BasicLit:
			if n.Kind == token.INT {
				f.add(n, f.with(n, other(n, true)))
				f.add(n, f.with(n, other(n, false)))
			}
		}
		return true
	})
}

// counted are the arguments of a call that one more or less makes sense of.
func (f *function) counted(c *ast.CallExpr) []ast.Expr {
	if a, ok := f.atomic(c); ok {
		return a.args
	}
	var o types.Object
	switch fun := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		o = f.info.Uses[fun]
	case *ast.SelectorExpr:
		o = f.info.Uses[fun.Sel]
	}
	switch o := o.(type) {
	case *types.Builtin:
		if o.Name() == "make" {
			return c.Args[1:]
		}
	case *types.Func:
		if o.Pkg() == f.types {
			return c.Args
		}
	}
	return nil
}

// comparisons are the neighbours of each: weaker or stronger, and the contrary.
var comparisons = map[token.Token][]token.Token{
	token.EQL: {token.NEQ, token.LEQ, token.GEQ},
	token.NEQ: {token.EQL, token.LSS, token.GTR},
	token.LSS: {token.LEQ, token.NEQ, token.GEQ},
	token.LEQ: {token.LSS, token.EQL, token.GTR},
	token.GTR: {token.GEQ, token.NEQ, token.LEQ},
	token.GEQ: {token.GTR, token.EQL, token.LSS},
}

func comparison(f *function) {
	each(f, f.decl.Body, func(b *ast.BinaryExpr) {
		for _, op := range comparisons[b.Op] {
			if (b.Op == token.EQL || b.Op == token.NEQ) && op != token.EQL && op != token.NEQ && f.text(b.X) {
				continue // equal or not: texts that are asked so have no order that matters
			}
			f.add(b, f.operation(b, op))
		}
	})
}

// contrary are operators to be exchanged, of bits and of numbers.
var contrary = map[token.Token]token.Token{
	token.SHL: token.SHR, token.SHR: token.SHL, token.AND: token.OR, token.OR: token.AND,
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL,
}

func mask(f *function) {
	each(f, f.decl.Body, func(b *ast.BinaryExpr) {
		if !f.integer(b) {
			return
		}
		x, y := f.src(b.X), f.src(b.Y)
		switch b.Op {
		case token.AND:
			f.add(b, f.with(b, x))
			f.add(b, f.with(b, y))
			f.add(b, f.with(b.Y, y+" >> 1"))
			f.add(b, f.with(b.Y, y+"<<1 | 1"))
			f.add(b, f.operation(b, token.OR))
		case token.REM:
			f.add(b, f.with(b, x))
			f.add(b, f.with(b.Y, f.oneMore(b.Y, " + ")))
			f.add(b, f.with(b.Y, f.oneMore(b.Y, " - ")))
		case token.SHL, token.SHR, token.OR, token.XOR, token.AND_NOT:
			f.add(b, f.with(b, x))
			if b.Op == token.OR || b.Op == token.XOR {
				f.add(b, f.with(b, y))
			}
			if op, ok := contrary[b.Op]; ok {
				f.add(b, f.operation(b, op))
			}
		}
	})
}

func arithmetic(f *function) {
	each(f, f.decl.Body, func(b *ast.BinaryExpr) {
		switch b.Op {
		case token.ADD, token.SUB, token.MUL, token.QUO:
			if f.integer(b) {
				f.add(b, f.operation(b, contrary[b.Op]))
				f.add(b, f.with(b, f.src(b.X)))
			}
		}
	})
}

// count changes a += n, a -= n, a++ and a--, and the sign of what is added to an
// atomic. What a for loop counts is not left out, nor counted the other way:
// nothing could end it.
func count(f *function) {
	signs := map[token.Token]string{token.ADD_ASSIGN: "-=", token.SUB_ASSIGN: "+=", token.INC: "--", token.DEC: "++"}
	each(f, f.decl.Body, func(s ast.Stmt) {
		loop := false
		if p, ok := f.parent[s].(*ast.ForStmt); ok {
			loop = p.Post == s
		}
		switch s := s.(type) {
		case *ast.AssignStmt:
			if signs[s.Tok] == "" || !f.integer(s.Lhs[0]) {
				return
			}
			f.add(s, f.with(s.Rhs[0], f.oneMore(s.Rhs[0], " + ")))
			f.add(s, f.with(s.Rhs[0], f.oneMore(s.Rhs[0], " - ")))
			if !loop {
				f.add(s, f.omit(s))
				at := f.offset(s.TokPos)
				f.add(s, edit{at, at + 2, signs[s.Tok]})
			}
		case *ast.IncDecStmt:
			at := f.offset(s.TokPos)
			f.add(s, edit{at, at + 2, " " + s.Tok.String()[:1] + "= 2"})
			if !loop {
				f.add(s, f.omit(s))
				f.add(s, edit{at, at + 2, signs[s.Tok]})
			}
		}
	})
	for _, a := range f.atomics(f.decl.Body) {
		if a.kind == "Add" {
			f.add(a.call, f.with(a.args[0], "-("+f.src(a.args[0])+")"))
		}
	}
}

// assignOmit leaves assignments to local variables out.
func assignOmit(f *function) {
	each(f, f.decl.Body, func(s *ast.AssignStmt) {
		if s.Tok == token.DEFINE {
			return
		}
		if _, i := f.list(s); i >= 0 {
			f.add(s, f.omit(s))
		}
	})
}
