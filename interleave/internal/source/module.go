package source

import (
	_ "embed"
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

//go:embed things.go
var thingsText string

//go:embed testdata/common.go
var commonText string

//go:embed testdata/run.go
var runText string

// imported are the packages that programs may use.
var imported = append(append(importsOf(libraryText), importsOf(moreText)...), "iter", "runtime", "sync", "sync/atomic", "github.com/spindle-go/spindle/interleave")

func importsOf(text string) (paths []string) {
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ImportsOnly)
	if err != nil {
		panic("source: " + err.Error())
	}
	for _, i := range file.Imports {
		path, _ := strconv.Unquote(i.Path.Value)
		paths = append(paths, path)
	}
	return paths
}

// Module returns the files of a module that has the programs and, in its test, runs them and
// writes a Result of each to results.json. Root is this module's folder.
func Module(programs []*Program, root string) (map[string]string, error) {
	var code, bodies strings.Builder
	for i, p := range programs {
		code.WriteString(p.Source(i))
		fmt.Fprintf(&bodies, "\tbody%d,\n", i)
	}
	fmt.Fprintf(&code, "var bodies = []func(*interleave.Exec, map[Final]bool){\n%s}\n", bodies.String())
	text, err := withImports(code.String())
	if err != nil {
		return nil, err
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return nil, err
	}
	return map[string]string{
		"go.sum":       string(sums),
		"go.mod":       fmt.Sprintf("module example.com/made\n\ngo 1.26\n\nrequire github.com/spindle-go/spindle v0.0.0\n\nreplace github.com/spindle-go/spindle => %q\n", root),
		"code.go":      text,
		"things.go":    thingsText,
		"common.go":    commonText,
		"made_test.go": runText,
	}, nil
}

// withImports makes a file of declarations.
func withImports(code string) (string, error) {
	used := make(map[string]bool)
	for _, id := range identifiers.FindAllString(code, -1) {
		if pkg, _, ok := strings.Cut(id, "."); ok {
			used[pkg] = true
		}
	}
	var b strings.Builder
	b.WriteString("package source\n\nimport (\n")
	for _, path := range slices.Compact(slices.Sorted(slices.Values(imported))) {
		if used[path[strings.LastIndexByte(path, '/')+1:]] {
			fmt.Fprintf(&b, "\t%q\n", path)
		}
	}
	b.WriteString(")\n\n" + code)
	text, err := format.Source([]byte(b.String()))
	if err != nil {
		return "", fmt.Errorf("source: %w in\n%s", err, b.String())
	}
	return string(text), nil
}
