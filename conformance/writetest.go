package conformance

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path"
	"strconv"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue/checks"
	"github.com/spindle-go/spindle/internal/suite/gate"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// testFileVar is the environment variable that asks for a Go test of what the
// explorer finds: the file is written anew, with one test that runs the failing
// schedule of the smallest scenario.
const testFileVar = "SPINDLE_TEST_FILE"

// a caller is the call of TestQueue or TestSet in the user's test.
type caller struct {
	file string
	line int
}

// made is how the caller makes its queue.
type made struct {
	pkg     string
	queue   string // an expression
	imports map[string]string
}

// writable reports why no test could be written for the caller, before anything
// runs.
func (c caller) writable() error {
	_, err := c.parse()
	return err
}

// write writes a test of the first finding of the explorer, and says so.
func (c caller) write(t *testing.T, name string, p spec.Profile, r *gate.Result) {
	t.Helper()
	for _, target := range r.Targets {
		for _, e := range target.Findings {
			if e.Finding.Execution() == nil {
				continue
			}
			test := "TestSchedule" + strings.ReplaceAll(strings.TrimPrefix(e.Finding.Requirement, "RQ-"), "-", "")
			if err := c.writeTest(name, test, p, e.Finding); err != nil {
				t.Error(err)
			} else {
				t.Logf("%s is in %s", test, name)
			}
			return
		}
	}
	t.Logf("%s: the explorer has found nothing, and no test was written", testFileVar)
}

// parse finds the call and how it makes its queue, which must mean the same in
// another function: a name, not a closure.
func (c caller) parse() (*made, error) {
	bad := func(what string) (*made, error) {
		return nil, fmt.Errorf("conformance: %s: no test can be written for %s:%d: %s", testFileVar, c.file, c.line, what)
	}
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, c.file, nil, 0)
	if err != nil {
		return bad(err.Error())
	}
	var call *ast.CallExpr
	ast.Inspect(parsed, func(n ast.Node) bool {
		if e, ok := n.(*ast.CallExpr); ok && call == nil && fset.Position(e.Pos()).Line <= c.line && c.line <= fset.Position(e.End()).Line && len(e.Args) >= 2 {
			if sel, ok := e.Fun.(*ast.SelectorExpr); ok && strings.HasPrefix(sel.Sel.Name, "Test") {
				call = e
			}
		}
		return true
	})
	if call == nil {
		return bad("expected a call of TestQueue or TestSet there")
	}
	imports := map[string]string{"conformance": "", "interleave": "", "spec": "", "spec/record": ""}
	m := &made{pkg: parsed.Name.Name, imports: imports}
	const closure = "expected the name of a function of the package that makes queues, such as New, saw another expression: a closure means nothing elsewhere"
	switch e := call.Args[1].(type) {
	case *ast.Ident:
		if local(parsed, call, e.Name) {
			return bad(closure)
		}
		m.queue = e.Name
	case *ast.SelectorExpr:
		x, ok := e.X.(*ast.Ident)
		if !ok || local(parsed, call, x.Name) {
			return bad(closure)
		}
		m.queue = x.Name + "." + e.Sel.Name
		for _, i := range parsed.Imports {
			at, _ := strconv.Unquote(i.Path.Value)
			if i.Name != nil && i.Name.Name == x.Name || i.Name == nil && path.Base(at) == x.Name {
				imports[at] = x.Name
			}
		}
	default:
		return bad(closure)
	}
	if call.Fun.(*ast.SelectorExpr).Sel.Name == "TestQueue" {
		m.queue, imports["conformance/queue"] = "queue.Single("+m.queue+")", ""
	}
	return m, nil
}

// local reports whether the function round the call declares the name itself, so
// that it means nothing, or something else, in another function.
func local(f *ast.File, call *ast.CallExpr, name string) bool {
	found := false
	declares := func(list ...ast.Expr) {
		for _, e := range list {
			if id, ok := e.(*ast.Ident); ok && id.Name == name {
				found = true
			}
		}
	}
	for _, d := range f.Decls {
		if d.Pos() > call.Pos() || call.Pos() >= d.End() {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				if n.Tok == token.DEFINE {
					declares(n.Lhs...)
				}
			case *ast.RangeStmt:
				declares(n.Key, n.Value)
			case *ast.Field:
				for _, id := range n.Names {
					declares(id)
				}
			case *ast.ValueSpec:
				for _, id := range n.Names {
					declares(id)
				}
			}
			return true
		})
	}
	return found
}

// writeTest writes a test that shows the finding to the file name, in the package
// of the caller.
func (c caller) writeTest(name, test string, p spec.Profile, f *record.Finding) error {
	m, err := c.parse()
	if err != nil {
		return err
	}
	s, err := checks.ScenarioOf(f)
	if err != nil {
		return err
	}
	const module = "github.com/spindle-go/spindle/"
	var b bytes.Buffer
	fmt.Fprintf(&b, "package %s\n\nimport (\n\"testing\"\n\n", m.pkg)
	for at, name := range m.imports {
		if !strings.Contains(at, ".") {
			at = module + at
		}
		fmt.Fprintf(&b, "%s %q\n", name, at)
	}
	fmt.Fprintf(&b, ")\n\n// %s is %s: %s\nfunc %s(t *testing.T) {\n", test, f.Requirement, strings.ReplaceAll(f.Observed, "\n", " "), test)
	fmt.Fprintf(&b, "t.Attr(\"req\", %q)\n", f.Requirement)
	fmt.Fprintf(&b, "conformance.Interleave(t, spec.Profile(%q), %s, record.Scenario{\nPs: %d, Capacity: %d, Start: %d,\nThreads: []record.Thread{\n", p, m.queue, s.Ps, s.Capacity, s.Start)
	for _, t := range s.Threads {
		fmt.Fprintf(&b, "{P: %d, Script: %q},\n", t.P, t.Script)
	}
	fmt.Fprintf(&b, "},\nBefore: %q, After: %q, Shared: %v,\n}, interleave.Schedule(%q))\n}\n", s.Before, s.After, s.Shared, f.Execution().Schedule)
	source, err := format.Source(b.Bytes())
	if err != nil {
		return fmt.Errorf("conformance: the test of %s: %w", f.Requirement, err)
	}
	return os.WriteFile(name, source, 0o666)
}
