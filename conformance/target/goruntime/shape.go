package goruntime

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// ErrShape is wrapped by errors about a runtime whose run queue is not built in
// one of the ways that this package knows.
var ErrShape = errors.New("unknown shape of the run queue")

// A Shape says in which of the known ways the run queue of one Go version is
// built. It is read off the syntax of the sources, not off the version, so that
// a tree between two releases is understood as well.
type Shape struct {
	PutBatchCounts bool // runqputbatch is told the size of the batch, and itself sends the rest to the global queue (1.23, 1.24)
	DrainCounts    bool // runqdrain also returns how many it took (1.23, 1.24)
	GlobalCounts   bool // globrunqputbatch is told the size of the batch (1.23, 1.24)
	GlobalBatch    bool // globrunqgetbatch(n) returns a batch (since 1.25); before, globrunqget(pp, max) also put it
	SchedSize      bool // the length is in sched.runqsize (1.23, 1.24)
	QueueSize      bool // the length is in gQueue.size (since 1.25)
	Ring           int  // slots of p.runq
}

// Notes says in words what was found.
func (s Shape) Notes() []string {
	say := func(b bool, yes, no string) string {
		if b {
			return yes
		}
		return no
	}
	return []string{
		fmt.Sprintf("p.runq has %d slots", s.Ring),
		say(s.PutBatchCounts, "runqputbatch sends what does not fit to the global queue", "runqputbatch leaves what does not fit to its caller"),
		say(s.GlobalBatch, "globrunqgetbatch returns a batch", "globrunqget puts a batch on the P"),
		say(s.QueueSize, "the global queue's length is in gQueue.size", "the global queue's length is in sched.runqsize"),
	}
}

// readShape reads the runtime's sources in dir. replace gives the text of files
// that stand in for those of the same base name.
func readShape(dir string, replace map[string][]byte) (Shape, error) {
	var s Shape
	decls, err := readDecls(dir, replace)
	if err != nil {
		return s, err
	}
	for _, f := range functions {
		if err := f.match(decls, &s); err != nil {
			return s, err
		}
	}
	for _, f := range fields {
		if err := f.match(decls, &s); err != nil {
			return s, err
		}
	}
	if s.SchedSize == s.QueueSize {
		return s, fmt.Errorf("%w: expected the global queue's length in either sched.runqsize (Go 1.23, 1.24) or gQueue.size (since Go 1.25), saw it in %s",
			ErrShape, map[bool]string{true: "both", false: "neither"}[s.SchedSize])
	}
	return s, nil
}

// decls is what matters of the declarations of a package: the signatures of
// its functions, "recv.name" for methods, and the fields of its structs,
// "type.field".
type decls struct {
	signatures map[string]string
	fields     map[string]string
}

// readDecls parses the files in which the run queue has always been, and all
// the others only when something was not there.
func readDecls(dir string, replace map[string][]byte) (*decls, error) {
	d := &decls{map[string]string{}, map[string]string{}}
	usual := []string{"proc.go", "runtime1.go", "runtime2.go"}
	for _, name := range usual {
		if err := d.read(dir, name, replace); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	if d.complete() {
		return d, nil
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		if err := d.read(dir, filepath.Base(name), replace); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// complete reports whether everything that is looked for was seen.
func (d *decls) complete() bool {
	for _, f := range functions {
		if _, ok := d.signatures[f.name]; !ok && len(f.forms) > 0 && !f.optional() {
			return false
		}
	}
	for _, f := range fields {
		if _, ok := d.fields[f.name]; !ok && !f.optional {
			return false
		}
	}
	return true
}

func (d *decls) read(dir, name string, replace map[string][]byte) error {
	text, ok := replace[name]
	if !ok {
		var err error
		if text, err = os.ReadFile(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("reading the runtime: %w", err)
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			name := decl.Name.Name
			if decl.Recv != nil && len(decl.Recv.List) == 1 {
				name = types.ExprString(decl.Recv.List[0].Type) + "." + name
			}
			d.signatures[name] = signature(decl.Type)
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				d.spec(spec)
			}
		}
	}
	return nil
}

func (d *decls) spec(spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		st, ok := spec.Type.(*ast.StructType)
		if !ok {
			return
		}
		for _, f := range st.Fields.List {
			for _, n := range f.Names {
				d.fields[spec.Name.Name+"."+n.Name] = types.ExprString(f.Type)
			}
		}
	case *ast.ValueSpec: // package-level variables and constants, without a dot
		typ := ""
		if spec.Type != nil {
			typ = types.ExprString(spec.Type)
		}
		for _, n := range spec.Names {
			d.fields[n.Name] = typ
		}
	}
}

// signature shows a function's type without the names of its parameters.
func signature(t *ast.FuncType) string {
	var b bytes.Buffer
	b.WriteString("(" + list(t.Params) + ")")
	if t.Results != nil {
		b.WriteString(" (" + list(t.Results) + ")")
	}
	return b.String()
}

func list(fields *ast.FieldList) string {
	var out []string
	for _, f := range fields.List {
		for range max(1, len(f.Names)) {
			out = append(out, types.ExprString(f.Type))
		}
	}
	return strings.Join(out, ", ")
}

// oneOf lists the keys of forms in a fixed order, for an error.
func oneOf(forms map[string]func(*Shape)) string {
	var out []string
	for f := range forms {
		out = append(out, "func"+f)
	}
	sort.Strings(out)
	return strings.Join(out, " or ")
}
