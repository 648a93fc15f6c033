package instrument

import (
	"fmt"
	"go/ast"
	"go/types"
)

// Builtins and conversions read and write elements of their operands.

func (w *walker) builtin(x *ast.CallExpr, fun ast.Expr) {
	name := ""
	switch fun := fun.(type) {
	case *ast.Ident:
		name = fun.Name
	case *ast.SelectorExpr:
		name = fun.Sel.Name // of package unsafe
	}
	var first, second types.Type
	if len(x.Args) > 0 {
		first = w.under(x.Args[0])
	}
	if len(x.Args) > 1 {
		second = w.under(x.Args[1])
	}
	if len(x.Args) == 1 {
		if t, ok := w.info.TypeOf(x.Args[0]).(*types.Tuple); ok {
			w.builtinOfResults(x, fun, name, t)
			return
		}
	}
	_, isSlice := first.(*types.Slice)
	_, isMap := first.(*types.Map)
	switch name {
	case "Sizeof", "Alignof", "Offsetof":
		return
	case "close":
		w.refuse(x.Args[0], x.Pos(), "the close of a channel")
	case "len", "cap":
		switch first.(type) {
		case *types.Array:
			w.addr(x.Args[0])
			return
		case *types.Map:
			w.mapAccess(x.Args[0], "MapR")
		case *types.Chan:
			if name == "len" {
				w.refuse(x.Args[0], x.Pos(), "the length of a channel")
			}
		}
	case "append":
		// The slice first, then what is appended, and then it is done.
		if isSlice && len(x.Args) > 1 {
			text := w.mixed(x.Args[1])
			switch {
			case !x.Ellipsis.IsValid() || isSliceType(second) || text:
				w.hook(x, fun, "Append")
				w.apart(x)
				if text && x.Ellipsis.IsValid() {
					w.around(x.Args[1], "zzhook.Bytes(", ")")
				}
			case isString(second):
				w.hook(x, fun, "AppendString")
				w.apart(x)
				if w.plain {
					w.around(x.Args[1], "zzhook.Text(", ")")
					w.replace(w.offset(x.Ellipsis), len("..."), "")
				}
			}
		}
	case "copy":
		text := w.mixed(x.Args[1])
		switch {
		case isSlice && text:
			w.hook(x, fun, "Copy")
			w.around(x.Args[1], "zzhook.Bytes(", ")")
		case isSlice && isSliceType(second):
			w.hook(x, fun, "Copy")
		case isSlice && isString(second):
			w.hook(x, fun, "CopyString")
		}
	case "clear":
		switch {
		case isSlice:
			w.hook(x, fun, "Clear")
		case isMap:
			w.hook(x, fun, "ClearMap")
		}
	case "delete":
		if isMap {
			w.hook(x, fun, "Delete")
			w.apart(x)
		}
	}
	w.reads(x.Args)
}

func isSliceType(t types.Type) bool {
	_, ok := t.(*types.Slice)
	return ok
}

func isString(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// hook puts a function of package hook, with a site, in the place of a builtin.
func (w *walker) hook(x *ast.CallExpr, fun ast.Expr, name string) {
	if !w.plain {
		return
	}
	w.hooked = true
	w.replace(w.offset(fun.Pos()), int(fun.End()-fun.Pos()), "zzhook."+name)
	w.open(w.offset(x.Lparen)+1, w.site(x.Pos(), x.Args[0])+", ")
}

// apart makes f(x, y, z) a call of what f(x) returns, so that y and z are
// evaluated before it happens.
func (w *walker) apart(x *ast.CallExpr) {
	if !w.plain {
		return
	}
	at := w.offset(x.Args[0].End())
	for w.text[at] != ',' { // there may be a comment, which may have a comma: the arguments tell
		if w.text[at] == '/' {
			at = w.afterComment(at)
			continue
		}
		at++
	}
	w.replace(at, 1, ")(")
}

// afterComment returns where the comment at an offset ends.
func (w *walker) afterComment(at int) int {
	for _, g := range w.ast.Comments {
		for _, c := range g.List {
			if w.offset(c.Pos()) == at {
				return w.offset(c.End())
			}
		}
	}
	return at + 1
}

// conversion goes through what a conversion reads besides its operand: the
// elements of a slice that becomes a string or an array.
func (w *walker) conversion(x *ast.CallExpr) {
	if w.mixed(x.Args[0]) {
		w.around(x.Args[0], "zzhook.Contents("+w.site(x.Pos(), x.Args[0])+", ", ")")
		return
	}
	if _, ok := w.under(x.Args[0]).(*types.Slice); !ok || !w.plain {
		return
	}
	switch to := w.under(x).(type) {
	case *types.Basic:
		if isString(to) {
			w.around(x.Args[0], "zzhook.SliceR("+w.site(x.Pos(), x.Args[0])+", -1, ", ")")
		}
	case *types.Array:
		w.around(x.Args[0], "zzhook.SliceR("+w.site(x.Pos(), x.Args[0])+", "+fmt.Sprint(to.Len())+", ", ")")
	}
}

// element goes through the read of an element of a map, which is after the key
// has been computed.
func (w *walker) element(x *ast.IndexExpr) {
	if w.plain && !w.pure(x.Index) {
		name := "Element"
		if _, ok := w.info.TypeOf(x).(*types.Tuple); ok {
			name = "ElementOK"
		}
		w.hooked = true
		w.open(w.offset(x.Pos()), "zzhook."+name+"("+w.site(last(x.X), x.X)+", ")
		w.replace(w.offset(x.Lbrack), 1, ")(")
		w.replace(w.offset(x.Rbrack), 1, ")")
	} else {
		w.mapAccess(x.X, "MapR")
	}
	w.read(x.X)
	w.read(x.Index)
}
