package lint

import (
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/sched"
	"github.com/spindle-go/spindle/spec/twolevel"
)

// annotation is the comment at the end of a line that touches shared memory: its action,
// or several where several functions come by; or why it is none.
var annotation = regexp.MustCompile(`^// (?:(with )?([A-Za-z]+![A-Za-z]+(?:, [A-Za-z]+)*)(: \S.*)?)$|^//(interleave:invisible) \S.*$|^// (outside): \S.*$`)

// TestEveryAccessNamesItsAction holds that each line of impl on shared memory
// makes one access and ends in the name of its action, and that each action of
// the run queue's list and of the two levels' is somewhere.
func TestEveryAccessNamesItsAction(t *testing.T) {
	used := make(map[string]bool)
	for _, c := range []struct {
		dir     string
		actions []string
		least   int // lines with an access
	}{
		{"impl/runq", spec.Actions, 40},
		{"impl/sched", append(sched.Actions(), "outside"), 40},
		{"impl/twolevel", append(twolevel.Actions(), "outside"), 40},
	} {
		problems, lines := annotated(t, filepath.Join(root, c.dir), nil, c.actions, used)
		for _, p := range problems {
			t.Error(p)
		}
		if lines < c.least {
			t.Errorf("%s: saw %d lines with an access, want at least %d", c.dir, lines, c.least)
		}
	}
	for _, a := range slices.Concat(spec.Actions, twolevel.Actions()) {
		if !used[a] && a != "TwoLevel!ExitSyscall" { // that touches nothing
			t.Errorf("the model has %s, but no line of impl is it", a)
		}
	}
}

func TestAnnotationsCanFail(t *testing.T) {
	const head = "package p\nimport \"sync/atomic\"\nvar x, y atomic.Uint32\nfunc f() {\n"
	for _, c := range []struct{ line, problem string }{
		{"x.Load()", "names no action"},
		{"x.Load() // what is in x", "names no action"},
		{"x.Load() // RunQueue!NoSuchAction", "not in the list"},
		{"x.Store(y.Load()) // RunQueue!PutLoadHead", "2 accesses"},
		{"x.Load() //interleave:invisible", "names no action"},
		{"x.Load() // RunQueue!PutLoadHead", ""},
		{"x.Load() // with RunQueue!PutLoadHead: a reason", ""},
		{"x.Load() // with RunQueue!PutLoadHead", "gives no reason"},
		{"x.Load() // RunQueue!PutLoadHead, GetLoadHead", ""},
		{"x.Load() // RunQueue!PutLoadHead, NoSuchAction", "RunQueue!NoSuchAction is not in the list"},
		{"x.Load() // outside: a reason", "outside is not in the list"},
		{"x.Load() // outside", "names no action"},
	} {
		problems, _ := annotated(t, "", []byte(head+c.line+"\n}\n"), spec.Actions, map[string]bool{})
		got := strings.Join(problems, "; ")
		if c.problem == "" && got != "" || !strings.Contains(got, c.problem) {
			t.Errorf("%q: problems %q, want %q", c.line, got, c.problem)
		}
	}
}

// annotated returns what is wrong with the annotations of a package's ordinary
// files, or of src, and how many lines make an access. Actions are those that there are, and
// "outside" if lines may be outside the model.
func annotated(t *testing.T, dir string, src []byte, actions []string, used map[string]bool) (problems []string, lines int) {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	names := []string{"src.go"}
	if src == nil {
		names, _ = filepath.Glob(filepath.Join(dir, "*.go"))
		names = slices.DeleteFunc(names, func(n string) bool {
			built, err := build.Default.MatchFile(dir, filepath.Base(n))
			return err != nil || !built || strings.HasSuffix(n, "_test.go")
		})
	}
	for _, n := range names {
		var content any
		if src != nil {
			content = src
		}
		f, err := parser.ParseFile(fset, n, content, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	info := &types.Info{Selections: make(map[*ast.SelectorExpr]*types.Selection), Uses: make(map[*ast.Ident]types.Object)}
	conf := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	if _, err := conf.Check("p", fset, files, info); err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		comments := make(map[int]string)
		for _, g := range f.Comments {
			for _, c := range g.List {
				comments[fset.Position(c.Pos()).Line] = c.Text
			}
		}
		accesses := make(map[int]int)
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && shared(info, call) {
				accesses[fset.Position(call.Pos()).Line]++
			}
			return true
		})
		for line, n := range accesses {
			lines++
			at := filepath.Base(fset.Position(f.Pos()).Filename) + ":" + strconv.Itoa(line)
			m := annotation.FindStringSubmatch(comments[line])
			switch {
			case m == nil:
				problems = append(problems, at+": names no action: "+comments[line])
			case n > 1:
				problems = append(problems, at+": "+strconv.Itoa(n)+" accesses on one line")
			case m[1] != "" && m[3] == "":
				problems = append(problems, at+": gives no reason why "+m[2]+" includes it")
			default:
				for _, a := range named(m[2] + m[5]) {
					if !slices.Contains(actions, a) {
						problems = append(problems, at+": "+a+" is not in the list of actions")
					}
					used[a] = used[a] || m[1] == ""
				}
			}
		}
	}
	return problems, lines
}

// named returns the actions of an annotation: of "A!B, C" it is A!B and A!C.
func named(text string) (actions []string) {
	module, _, _ := strings.Cut(text, "!")
	for i, name := range strings.Split(text, ", ") {
		if i > 0 {
			name = module + "!" + name
		}
		if name != "" {
			actions = append(actions, name)
		}
	}
	return actions
}

// shared reports whether call is an operation of sync/atomic or of a lock.
func shared(info *types.Info, call *ast.CallExpr) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	f, ok := info.Uses[sel.Sel].(*types.Func)
	return ok && f.Pkg() != nil && (f.Pkg().Path() == "sync/atomic" || f.Pkg().Path() == "sync")
}
