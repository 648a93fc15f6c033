package rerun

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

const interleavePath = "github.com/spindle-go/spindle/interleave"

// fuzzing re-executes the run if it is to fuzz a target whose file imports
// interleave. Package flag has parsed nothing yet. An instrumented binary does
// not come here in vain: it is told by its environment what it is.
func fuzzing(args []string) error {
	fuzz := ""
	for _, a := range args {
		name, value, ok := strings.Cut(strings.TrimLeft(a, "-"), "=")
		switch {
		case !strings.HasPrefix(a, "-"):
			ok = false
		case name == "test.fuzzworker":
			return nil
		}
		if ok && name == "test.fuzz" {
			fuzz = value
		}
	}
	if fuzz == "" {
		return nil
	}
	file := target(at.dir, fuzz)
	if file == "" {
		return nil
	}
	s, err := find(file, "-fuzz="+fuzz)
	if err != nil {
		return err
	}
	s.fuzz = fuzz
	b, err := once(context.Background(), s)
	if err != nil {
		return err
	}
	return b.become()
}

// target returns the test file in dir that declares a fuzz target which matches
// the pattern and that imports interleave; empty for none.
func target(dir, pattern string) string {
	matches, err := regexp.Compile(pattern)
	if err != nil {
		return "" // package testing says so
	}
	names, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
	for _, name := range names {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil || !imports(f) {
			continue
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Fuzz") && matches.MatchString(fn.Name.Name) {
				return name
			}
		}
	}
	return ""
}

// imports reports whether a file imports interleave or what is below it, other
// than the drop-ins, which code may use without a thought of exploration.
func imports(f *ast.File) bool {
	for _, i := range f.Imports {
		path, _ := strconv.Unquote(i.Path.Value)
		rest, ok := strings.CutPrefix(path, interleavePath)
		if ok && (rest == "" || strings.HasPrefix(rest, "/")) && rest != "/atomic" && rest != "/sync" {
			return true
		}
	}
	return false
}
