package mechanisms

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/spindle-go/spindle/spec"
)

// runs says why the command of a statement cannot be run: its subcommand, or what it names, does not exist.
func (s *Statement) runs() error {
	f := strings.Fields(s.Command)
	switch {
	case s.Command == "none":
		return nil
	case len(f) > 1 && f[0] == "spindle":
		names, err := subcommands()
		if err == nil && !slices.Contains(names, f[1]) {
			err = fmt.Errorf("expected one of %v, saw %q", names, f[1])
		}
		if err != nil {
			return err
		}
		return s.spindle(f[1], f[2:])
	case len(f) > 1 && f[0] == "go":
		return ofGo(f[1:])
	}
	return fmt.Errorf("expected a command of spindle or of go, or none")
}

// subcommands returns the names of spindle's commands, as the code has them.
var subcommands = sync.OnceValues(func() (names []string, err error) {
	for _, dir := range []string{"cmd/spindle", "tla/command", "internal/suite/gate/cli"} {
		files, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			ast.Inspect(f, func(n ast.Node) bool {
				lit, ok := n.(*ast.CompositeLit)
				if !ok {
					return true
				}
				if of, ok := lit.Type.(*ast.SelectorExpr); !ok || of.Sel.Name != "Command" {
					return true
				}
				for _, e := range lit.Elts {
					if kv, ok := e.(*ast.KeyValueExpr); ok && kv.Key.(*ast.Ident).Name == "Name" {
						if value, ok := kv.Value.(*ast.BasicLit); ok {
							name, _ := strconv.Unquote(value.Value)
							names = append(names, name)
						}
					}
				}
				return true
			})
		}
	}
	return names, nil
})

// spindle looks at what a subcommand is given.
func (s *Statement) spindle(sub string, args []string) error {
	for i, a := range args {
		switch {
		case strings.HasPrefix(a, "-"):
		case i > 0 && args[i-1] == "-run":
			for id := range strings.SplitSeq(a, ",") {
				if !slices.Contains(s.Requirements, id) {
					return fmt.Errorf("expected a requirement of the statement behind -run, saw %s", id)
				}
			}
		case sub == "check":
			text, err := read("cmd/spindle/targets.go")
			if err != nil {
				return err
			}
			if m := regexp.MustCompile(`targetNames = "([^"]*)"`).FindStringSubmatch(text); m == nil || !slices.Contains(strings.Split(m[1], ", "), a) {
				return fmt.Errorf("expected a target of cmd/spindle/targets.go, saw %q", a)
			}
		case sub == "model":
			name, bugs, _ := strings.Cut(a, "+")
			if err := inModel("configuration " + name); err != nil {
				return err
			}
			if bugs != "" && !isBug(bugs) {
				return fmt.Errorf("expected a bug or a fix of tla/variant, saw %q", bugs)
			}
		case sub == "findings":
			if _, err := os.Stat(filepath.Join(root, "tla/findings", a+".md")); err != nil {
				return err
			}
		case sub == "requirements":
			if _, err := spec.Lookup(a); err != nil {
				return err
			}
		case sub == "contract":
			if _, err := spec.ParseProfile(a); err != nil {
				return err
			}
		default:
			return fmt.Errorf("expected no arguments of %s, saw %q", sub, a)
		}
	}
	return nil
}

func isBug(name string) bool {
	files, _ := filepath.Glob(filepath.Join(root, "tla/variant/*.edits"))
	return slices.ContainsFunc(files, func(file string) bool {
		text, err := os.ReadFile(file)
		return err == nil && regexp.MustCompile(`(?m)^(bug|fix) `+regexp.QuoteMeta(name)+` `).Match(text)
	})
}

// ofGo looks at what the go command is given: go test ./PACKAGE -run TEST, go run ./PACKAGE, or go -C FOLDER before.
func ofGo(args []string) error {
	dir := ""
	if args[0] == "-C" && len(args) > 2 {
		dir, args = args[1], args[2:]
	}
	if !slices.Contains([]string{"test", "run", "vet", "doc"}, args[0]) {
		return fmt.Errorf("expected go test, run, vet or doc, saw go %s", args[0])
	}
	var names []string
	for i, a := range args {
		switch {
		case strings.HasPrefix(a, "./"):
			of, err := inFolder(filepath.Join(dir, a))
			if err != nil {
				return err
			}
			names = append(names, of...)
		case i > 0 && args[0] == "test" && slices.Contains([]string{"-run", "-bench"}, args[i-1]):
			kind := map[string]string{"-run": "Test", "-bench": "Benchmark"}[args[i-1]]
			if a != "xxx" && !slices.Contains(names, kind+strings.TrimPrefix(a, kind)) {
				return fmt.Errorf("expected a function %s%s in the package, saw none", kind, strings.TrimPrefix(a, kind))
			}
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("expected a package, saw none")
	}
	return nil
}
