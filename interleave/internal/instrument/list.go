package instrument

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
)

// A pkg is a package as the go command lists it. Packages that are compiled
// once more for a test are listed as "p [p.test]".
type pkg struct {
	ImportPath string
	Name       string
	Dir        string
	ForTest    string
	Standard   bool
	Export     string // the file with its export data
	GoFiles    []string
	CgoFiles   []string
	SFiles     []string
	Imports    []string
	ImportMap  map[string]string // import path in the source to ImportPath
	Module     *struct {
		Main      bool
		Dir       string
		GoVersion string
		GoMod     string
	}
}

// path is the import path without the name of the test it is compiled for.
func (p *pkg) path() string {
	path, _, _ := strings.Cut(p.ImportPath, " ")
	return path
}

func (p *pkg) main() bool { return p.Module != nil && p.Module.Main }

// external reports whether p is a package of tests beside the package they
// test: foo_test.
func (p *pkg) external() bool { return p.ForTest != "" && p.path() == p.ForTest+"_test" }

func byPath(all []*pkg) map[string]*pkg {
	m := make(map[string]*pkg, len(all))
	for _, p := range all {
		m[p.ImportPath] = p
	}
	return m
}

// A ListError is a package that the go command does not find, or cannot build.
type ListError struct {
	Package string
	Dir     string // where the go command ran
	Output  string // what it said
	Err     error
}

func (e *ListError) Error() string {
	return fmt.Sprintf("instrument: go list of %s in %s: %v\n%s", e.Package, e.Dir, e.Err, e.Output)
}

func (e *ListError) Unwrap() error { return e.Err }

// list asks the go command for the package under test, its tests and all that
// they import, with export data.
func list(ctx context.Context, r Request, overlay string) ([]*pkg, error) {
	command := r.Go
	if command == "" {
		command = "go"
	}
	args := []string{"list", "-test", "-deps", "-export", "-overlay=" + overlay,
		"-json=ImportPath,Standard,Name,Dir,ForTest,Export,GoFiles,CgoFiles,SFiles,Imports,ImportMap,Module"}
	args = append(append(args, r.Flags...), "--", r.Package)
	cmd := exec.CommandContext(ctx, command, args...)
	cmd.Dir, cmd.Env = r.Dir, r.Env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, &ListError{r.Package, r.Dir, stderr.String(), err}
	}
	var all []*pkg
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(pkg)
		if err := d.Decode(p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("instrument: what go list printed: %w", err)
		}
		all = append(all, p)
	}
}

// partOf is why a package of interleave is not explored.
const partOf = "it is part of interleave"

// A NothingError is a package under test of which nothing is explored.
type NothingError struct {
	Package string
	Skipped []Skip
}

func (e *NothingError) Error() string {
	var why []string
	for _, s := range e.Skipped {
		why = append(why, s.Package+" ("+s.Why+")")
	}
	return fmt.Sprintf("expected a package to explore in the test of %s; observed only %s", e.Package, strings.Join(why, ", "))
}

// choose says which packages to explore.
func choose(all []*pkg, under string, s *sources) (chosen []*pkg, skipped []Skip, err error) {
	named := byPath(all)
	if named[hookPath] == nil {
		return nil, nil, fmt.Errorf("instrument: the tests of %s do not import %s", under, interleavePath)
	}
	// What the hooks and drop-ins import cannot import them. The rest of the
	// explorer could, but is better left alone, unless it is what is tested.
	below, own := make(map[string]bool), make(map[string]bool)
	for _, root := range []string{hookPath, dropIns["sync"], dropIns["sync/atomic"]} {
		closure(named, root, below)
	}
	for _, root := range []string{interleavePath, interleavePath + "/internal/rerun"} {
		closure(named, root, own)
	}
	for _, p := range all {
		if !p.main() || p.ImportPath == under+".test" {
			continue
		}
		if p.ForTest == "" && named[p.ImportPath+" ["+under+".test]"] != nil {
			continue // the variant for the test is the one that is linked
		}
		if len(p.GoFiles) == 0 && len(p.CgoFiles) == 0 {
			continue // of a folder that has external tests alone
		}
		why, on := "", false
		switch {
		case len(p.CgoFiles) > 0:
			why = "it imports C"
		case len(p.SFiles) > 0:
			why = "it has assembly files"
		default:
			var off bool
			if off, on, err = directives(p, s); err != nil {
				return nil, nil, err
			} else if off {
				why = "it says //interleave:off"
			}
		}
		part := strings.HasPrefix(p.path()+"/", interleavePath+"/") && !on
		if why == "" && !p.external() && (part || below[p.path()] || own[p.path()] && p.path() != under) {
			why = partOf
		}
		if why != "" {
			skipped = append(skipped, Skip{p.path(), why})
			continue
		}
		chosen = append(chosen, p)
	}
	if len(chosen) == 0 {
		return nil, skipped, &NothingError{under, skipped}
	}
	return chosen, skipped, nil
}

// closure adds root to set, and what it imports.
func closure(named map[string]*pkg, root string, set map[string]bool) {
	p := named[root]
	if p == nil || set[root] {
		return
	}
	set[root] = true
	for _, i := range p.Imports {
		closure(named, i, set)
	}
}

// directives looks for comments in front of the package clauses.
func directives(p *pkg, s *sources) (off, on bool, err error) {
	for _, name := range p.GoFiles {
		text, err := s.text(filepath.Join(p.Dir, name))
		if err != nil {
			return false, false, err
		}
		if !bytes.Contains(text, []byte("//interleave:")) {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments|parser.PackageClauseOnly)
		if err != nil {
			return false, false, fmt.Errorf("instrument: %w", err)
		}
		for _, g := range f.Comments {
			for _, c := range g.List {
				off = off || c.Text == "//interleave:off"
				on = on || c.Text == "//interleave:on"
			}
		}
	}
	return off, on, nil
}
