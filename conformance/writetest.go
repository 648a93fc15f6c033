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

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// TestFileVar is the environment variable that asks for a Go test of what the
// explorer finds: the file is written anew, with one test that runs the failing
// schedule of the smallest scenario.
const TestFileVar = "SPINDLE_TEST_FILE"

// a caller is the call of TestQueue or TestSet in the user's test.
type caller struct {
	file string
	line int
}

// writeTest writes a test that shows the finding to the file name, in the package
// of the caller. The queue is made as the caller makes it: its second argument
// must mean the same in another function.
func (c caller) writeTest(name, test string, p spec.Profile, s record.Scenario, f *record.Finding) error {
	bad := func(what string) error {
		return fmt.Errorf("conformance: no test written for %s:%d: %s", c.file, c.line, what)
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
	var queue string
	switch e := call.Args[1].(type) {
	case *ast.Ident:
		queue = e.Name
	case *ast.SelectorExpr:
		x, ok := e.X.(*ast.Ident)
		if !ok {
			return bad("expected the name of a function that makes queues")
		}
		queue = x.Name + "." + e.Sel.Name
		for _, i := range parsed.Imports {
			at, _ := strconv.Unquote(i.Path.Value)
			if i.Name != nil && i.Name.Name == x.Name || i.Name == nil && path.Base(at) == x.Name {
				imports[at] = x.Name
			}
		}
	default:
		return bad("expected the name of a function that makes queues")
	}
	if call.Fun.(*ast.SelectorExpr).Sel.Name == "TestQueue" {
		queue, imports["conformance/queue"] = "queue.Single("+queue+")", ""
	}
	const module = "github.com/spindle-go/spindle/"
	var b bytes.Buffer
	fmt.Fprintf(&b, "package %s\n\nimport (\n\"testing\"\n\n", parsed.Name.Name)
	for at, name := range imports {
		if !strings.Contains(at, ".") {
			at = module + at
		}
		fmt.Fprintf(&b, "%s %q\n", name, at)
	}
	fmt.Fprintf(&b, ")\n\n// %s is %s: %s\nfunc %s(t *testing.T) {\n", test, f.Requirement, strings.ReplaceAll(f.Observed, "\n", " "), test)
	fmt.Fprintf(&b, "t.Attr(\"req\", %q)\n", f.Requirement)
	fmt.Fprintf(&b, "conformance.Interleave(t, spec.Profile(%q), %s, record.Scenario{\nPs: %d, Capacity: %d, Start: %d,\nThreads: []record.Thread{\n", p, queue, s.Ps, s.Capacity, s.Start)
	for _, t := range s.Threads {
		fmt.Fprintf(&b, "{P: %d, Script: %q},\n", t.P, t.Script)
	}
	fmt.Fprintf(&b, "},\n}, interleave.Schedule(%q))\n}\n", f.Execution.Schedule)
	source, err := format.Source(b.Bytes())
	if err != nil {
		return bad(err.Error())
	}
	if err := os.WriteFile(name, source, 0o666); err != nil {
		return bad(err.Error())
	}
	return nil
}
