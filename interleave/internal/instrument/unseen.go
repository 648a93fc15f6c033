package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// Calls of code that is not rewritten are wrapped at their operands, by functions
// of package hook that say what the call does with each: see std.go for the
// standard library. Other packages may read and write all that they can reach.

// A callee is a function that is not rewritten.
type callee struct {
	pkg    string
	name   string // "list.List.PushBack"
	inside bool   // threads can meet in the package
	exception
}

// unseenCall wraps the operands of a call, unless it is of code that is seen.
func (w *walker) unseenCall(x *ast.CallExpr, fun ast.Expr) {
	id := called(fun)
	f, _ := w.info.Uses[id].(*types.Func)
	if id == nil || f == nil {
		w.dynamic(fun)
		return
	}
	if recv := f.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		if sel, ok := fun.(*ast.SelectorExpr); ok {
			w.method(sel, f)
		}
		return
	}
	c, ok := w.callee(f)
	if !ok {
		return
	}
	sure := !w.deferred
	w.deferred = false
	operands := x.Args
	for i := range operands {
		sure = sure && (i == 0 && f.Signature().Recv() == nil || w.callsNothing(operands[i]))
	}
	w.mapOrderOf(x, &c)
	told := false // of what is inside, by one operand
	tell := func(n ast.Expr, object ast.Expr, before, after string) {
		var open, close string
		if c.chance {
			open += "zzhook.Chance(" + w.mark(n.Pos(), nil, c.name) + ", " + strconv.Quote(c.name) + ", "
			close += ")"
		}
		if c.inside && !c.quiet {
			open += "zzhook.Reached(" + w.mark(n.Pos(), nil, c.name) + ", " + strconv.Quote(c.pkg) + ", "
			close += ")"
		}
		if open+before != "" {
			w.around(n, open+before, after+close)
		}
		told = true
	}
	if f.Signature().Recv() == nil {
		if text, ok := w.typeArgs(fun); ok && (c.chance || c.inside && !c.quiet) {
			tell(fun, nil, "", text)
		}
	} else if sel, ok := fun.(*ast.SelectorExpr); ok {
		if before, after, ok := w.receiverOf(sel, f, c.recv, sure, &c); ok {
			tell(sel.X, sel.X, before, after)
		}
	}
	for i, a := range x.Args {
		e := c.rest
		if i == 0 {
			e = c.first
		}
		_, isFunc := w.under(a).(*types.Signature) // says what it does when it is called
		if e == nothing || isFunc || !w.wrappable(a) {
			if !told && w.wrappable(a) && i == len(x.Args)-1 && (c.chance || c.inside && !c.quiet) {
				tell(a, a, "", "")
			}
			continue
		}
		before, after := w.effect(a, e, sure, &c)
		if told {
			w.around(a, before, after)
		} else {
			tell(a, a, before, after)
		}
	}
}

// effect returns what is put around an operand.
func (w *walker) effect(x ast.Expr, e effect, sure bool, c *callee) (before, after string) {
	if !sure && e == reads {
		e = mayRead
	}
	if !sure && e == writes {
		e = mayWrite
	}
	name := c.name
	if e == reads || e == writes {
		name = ""
	}
	return "zzhook." + string(e) + "(" + w.mark(last(x), x, name) + ", ", ")"
}

// mark is a site of code that is not rewritten.
func (w *walker) mark(pos token.Pos, x ast.Expr, unseen string) string {
	s := w.site(pos, x)
	w.places[len(w.places)-1].unseen = unseen
	return s
}

// called returns the name of the function that is called, nil if it has none.
func called(fun ast.Expr) *ast.Ident {
	switch fun := ast.Unparen(fun).(type) {
	case *ast.Ident:
		return fun
	case *ast.SelectorExpr:
		return fun.Sel
	case *ast.IndexExpr:
		return called(fun.X)
	case *ast.IndexListExpr:
		return called(fun.X)
	}
	return nil
}

// callee returns what is known of a function, and whether it is one that is not
// rewritten.
func (w *walker) callee(f *types.Func) (callee, bool) {
	if f.Pkg() == nil {
		return callee{}, false
	}
	path := f.Pkg().Path()
	p := w.all[path]
	if w.rewritten[path] || dropIns[path] != "" || w.partOf(path) || p == nil {
		return callee{}, false
	}
	name, recv := bareName(f), f.Signature().Recv()
	c := callee{pkg: path, name: f.Pkg().Name() + "." + name}
	if !p.Standard {
		c.inside = true // whatever the package has: the table of packages says it
		c.recv, c.first, c.rest = mayWriteAll, mayWriteAll, mayWriteAll
		return c, true
	}
	s := stdOf(path)
	c.inside = s.inside != ""
	if e, ok := s.except[name]; ok {
		c.exception = e
		return c, true
	}
	c.first, c.rest = s.args, s.args
	if recv != nil {
		c.recv = s.recv
	}
	return c, true
}

// partOf reports whether a package is the explorer's own, or one of this project's that
// is built on it: the suite, the tie. They start threads, and take care that these
// share nothing in them.
func (b *build) partOf(path string) bool {
	return path == interleavePath || strings.HasPrefix(path, interleavePath+"/") || b.own[path] || b.builders()[path]
}

// builders returns the packages of this project that import the explorer, and those
// of it that these import.
func (b *build) builders() map[string]bool {
	if b.built == nil {
		b.built = make(map[string]bool)
		project := interleavePath[:strings.LastIndexByte(interleavePath, '/')+1]
		for _, p := range b.list { // what is imported comes first
			for _, i := range p.Imports {
				if d := b.all[i]; d != nil && strings.HasPrefix(p.path(), project) && (d.path() == interleavePath || b.built[d.path()]) {
					b.built[p.path()] = true
				}
			}
		}
		for _, p := range slices.Backward(b.list) {
			for _, i := range p.Imports {
				if d := b.all[i]; d != nil && p.ForTest == "" && b.built[p.path()] && strings.HasPrefix(d.path(), project) {
					b.built[d.path()] = true
				}
			}
		}
	}
	return b.built
}

// receiverOf returns what is put around the operand of a method.
func (w *walker) receiverOf(sel *ast.SelectorExpr, f *types.Func, e effect, sure bool, c *callee) (before, after string, ok bool) {
	s := w.info.Selections[sel]
	if s == nil || s.Kind() != types.MethodVal {
		return "", "", false // of a method expression, the receiver is an argument
	}
	path, ok := w.fields(sel, s)
	if !ok {
		return "", "", false
	}
	_, byPointer := f.Signature().Recv().Type().Underlying().(*types.Pointer)
	holder := w.info.TypeOf(sel.X)
	if path != "" {
		holder = w.holderOf(sel, s)
	}
	_, isPointer := holder.Underlying().(*types.Pointer)
	and := ""
	if byPointer && !isPointer {
		and = "&"
	}
	if e == nothing || and == "" && !matters(holder, nil) {
		if !c.chance && (!c.inside || c.quiet) {
			return "", "", true
		}
		return and, path, true
	}
	before, after = w.effect(sel.X, e, sure, c)
	return before + and, path + after, true
}

// fields returns the selectors of the embedded fields that a method comes by,
// ".Mutex", and whether they can be written in this package.
func (w *walker) fields(sel *ast.SelectorExpr, s *types.Selection) (path string, ok bool) {
	t := w.info.TypeOf(sel.X)
	for _, i := range s.Index()[:len(s.Index())-1] {
		if p, isPointer := t.Underlying().(*types.Pointer); isPointer {
			t = p.Elem()
		}
		st, isStruct := t.Underlying().(*types.Struct)
		if !isStruct {
			return "", false
		}
		f := st.Field(i)
		if !f.Exported() && f.Pkg() != w.types {
			return "", false
		}
		path += "." + f.Name()
		t = f.Type()
	}
	return path, true
}

// holderOf returns the type of the field that fields ends at.
func (w *walker) holderOf(sel *ast.SelectorExpr, s *types.Selection) types.Type {
	t := w.info.TypeOf(sel.X)
	for _, i := range s.Index()[:len(s.Index())-1] {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		t = t.Underlying().(*types.Struct).Field(i).Type()
	}
	return t
}

// method wraps the operand of a method of an interface, or of a type parameter.
func (w *walker) method(sel *ast.SelectorExpr, f *types.Func) {
	s := w.info.Selections[sel]
	if s == nil || s.Kind() != types.MethodVal {
		return
	}
	if n := namedOf(w.info.TypeOf(sel.X)); n != nil && n.Obj().Pkg() != nil {
		if path := n.Obj().Pkg().Path(); path == "testing" || path == "reflect" {
			return
		}
	}
	path, ok := w.fields(sel, s)
	if !ok || w.isType(sel.X) {
		return
	}
	w.around(sel.X, "zzhook.Method("+w.mark(last(sel), sel.X, f.Name())+", ", path+")")
}

// dynamic wraps a function value that is called.
func (w *walker) dynamic(fun ast.Expr) {
	if _, literal := fun.(*ast.FuncLit); literal || !w.wrappable(fun) {
		return
	}
	if _, ok := w.under(fun).(*types.Signature); ok {
		w.around(fun, "zzhook.Func("+w.mark(last(fun), fun, w.text1(fun))+", ", ")")
	}
}

// text1 is the source of an expression on one line.
func (w *walker) text1(x ast.Expr) string { return strings.Join(strings.Fields(w.source(x)), " ") }

// instance reports whether a function can be passed as it stands: it is not
// generic, or has its type arguments.
func (w *walker) instance(fun ast.Expr) bool {
	text, ok := w.typeArgs(fun)
	return ok && text == ""
}

// asValue wraps a function or method that is not rewritten and is used as a value.
func (w *walker) asValue(x ast.Expr, f *types.Func) bool {
	c, ok := w.callee(f)
	if !ok || !w.instance(x) || f.Signature().TypeParams().Len() > 0 {
		return false
	}
	if c.exception.recv == nothing && c.first == nothing && c.rest == nothing && !c.chance && (!c.inside || c.quiet) {
		return false
	}
	receiver, pkg, chance := "nil", c.pkg, ""
	if c.quiet {
		pkg = ""
	}
	if c.chance {
		chance = c.name
	}
	if sel, ok := x.(*ast.SelectorExpr); ok && f.Signature().Recv() != nil {
		s := w.info.Selections[sel]
		if s == nil || s.Kind() != types.MethodVal || types.IsInterface(f.Signature().Recv().Type()) {
			return false
		}
		path, ok := w.fields(sel, s)
		text := w.raw(sel.X)
		if !ok || text == "" {
			return false
		}
		if _, byPointer := f.Signature().Recv().Type().Underlying().(*types.Pointer); byPointer {
			if _, isPointer := w.holderOf(sel, s).Underlying().(*types.Pointer); !isPointer {
				text = "&" + text
			}
		}
		if c.exception.recv != nothing {
			receiver = text + path
		}
	}
	w.around(x, "zzhook.Later("+w.mark(last(x), x, c.name)+", "+strconv.Quote(pkg)+", "+strconv.Quote(chance)+", "+receiver+", ", ")")
	return true
}

// wrappable reports whether an operand can go through a generic function, and may
// point to something.
func (w *walker) wrappable(x ast.Expr) bool {
	tv, ok := w.info.Types[x]
	if !ok || tv.IsType() || tv.IsNil() || tv.IsBuiltin() || tv.Value != nil || tv.Type == nil {
		return false
	}
	if _, tuple := tv.Type.(*types.Tuple); tuple {
		return false
	}
	if f, ok := tv.Type.Underlying().(*types.Signature); ok && (f.TypeParams().Len() > 0 || !w.instance(x)) {
		return false
	}
	return matters(tv.Type, nil)
}

// callsNothing reports whether the evaluation of an operand calls nothing, so that what
// is said of the one before it is said at the right time.
func (w *walker) callsNothing(x ast.Expr) bool {
	calm := true
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if tv := w.info.Types[n.Fun]; !tv.IsType() && !tv.IsBuiltin() {
				calm = false
			}
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			calm = calm && n.Op != token.ARROW
		}
		return calm
	})
	return calm
}

// matters reports whether two threads can meet behind values of t.
func matters(t types.Type, within []types.Type) bool {
	for _, o := range within {
		if o == t {
			return false
		}
	}
	within = append(within, t)
	if n := namedOf(t); n != nil && n.Obj().Pkg() != nil {
		switch n.Obj().Pkg().Path() {
		case "time":
			if n.Obj().Name() == "Time" || n.Obj().Name() == "Location" {
				return false
			}
		case "testing":
			return false
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Struct:
		for f := range u.Fields() {
			if matters(f.Type(), within) {
				return true
			}
		}
		return false
	case *types.Array:
		return matters(u.Elem(), within)
	}
	return true
}
