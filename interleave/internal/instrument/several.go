package instrument

import (
	"go/ast"
	"go/types"
	"strconv"
	"strings"

	"github.com/spindle-go/spindle/interleave/internal/std"
)

// A call f(g()) passes all that g returns. It has no operands that could be wrapped one
// by one, so a function of package hook stands between the two, which is told of the
// sites when it has the values:
//
//	fmt.Sprint(zzhook.Two(g())(zzhook.Mark{17, "Formats"}, zzhook.Mark{18, "Formats"}))
//	zzhook.CopyOf(g())(17)

// mostResults is for how many values package hook has such functions.
const mostResults = 6

var between = [mostResults + 1]string{2: "Two", 3: "Three", 4: "Four", 5: "Five", 6: "Six"}

// several goes around what a call passes on to code that is not rewritten. It reports
// whether there is more than one value of it.
func (w *walker) several(x *ast.CallExpr, c *callee) bool {
	t, ok := w.info.TypeOf(x.Args[0]).(*types.Tuple)
	if !ok {
		return false
	}
	effects, matter := make([]std.Effect, t.Len()), false
	for i := range effects {
		effects[i] = c.arg(i)
		if _, isFunc := core(t.At(i).Type()).(*types.Signature); isFunc {
			effects[i] = std.MayReadAll
		} else if !matters(t.At(i).Type(), nil) {
			effects[i] = std.Nothing
		}
		matter = matter || effects[i] != std.Nothing
	}
	switch {
	case !matter:
	case t.Len() > mostResults:
		w.around(x.Fun, "zzhook.Overlooked("+w.mark(x.Pos(), nil, c.name)+", "+strconv.Quote("what "+c.name+" does with the results of "+w.text1(x.Args[0]))+", ", ")")
	default:
		marks := make([]string, len(effects))
		for i, e := range effects {
			before, _ := w.effect(x.Args[0], e, false, c)
			marks[i] = "zzhook.Mark{" + strings.TrimSuffix(strings.TrimPrefix(before, "zzhook.Given("), ", ") + "}"
		}
		w.around(x.Args[0], "zzhook."+between[t.Len()]+"(", ")("+strings.Join(marks, ", ")+")")
	}
	return true
}

// builtinOfResults goes through a builtin that is given what a function returns.
func (w *walker) builtinOfResults(x *ast.CallExpr, fun ast.Expr, name string, t *types.Tuple) {
	to := map[string]string{"append": "AppendOf", "copy": "CopyOf", "delete": "DeleteOf"}[name]
	if name == "copy" && isString(core(t.At(1).Type())) {
		to = "CopyStringOf"
	}
	if to != "" && w.plain {
		w.hooked = true
		w.replace(w.offset(fun.Pos()), int(fun.End()-fun.Pos()), "zzhook."+to)
		w.close(w.offset(x.End()), "("+w.site(x.Pos(), x.Args[0])+")")
	}
	w.reads(x.Args)
}
