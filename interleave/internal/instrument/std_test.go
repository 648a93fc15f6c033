package instrument

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/interleave/internal/std"
)

// standard has the packages of which functions are listed, and what they import.
func standard(t *testing.T, flags ...string) map[string]*pkg {
	t.Helper()
	args := append([]string{"list", "-deps", "-json=ImportPath,Standard,Dir,Export,GoFiles"}, flags...)
	for key := range std.Listed() {
		if !slices.Contains(args, key[0]) {
			args = append(args, key[0])
		}
	}
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]*pkg)
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(pkg)
		if err := d.Decode(p); err == io.EOF {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all[p.ImportPath] = p
	}
}

// functions are the functions and methods of a package, by their bare names.
func functions(p *types.Package) map[string]*types.Func {
	all := make(map[string]*types.Func)
	for _, name := range p.Scope().Names() {
		switch o := p.Scope().Lookup(name).(type) {
		case *types.Func:
			all[name] = o
		case *types.TypeName:
			if n, ok := types.Unalias(o.Type()).(*types.Named); ok {
				for m := range n.Methods() {
					all[bareName(m)] = m
				}
			}
		}
	}
	return all
}

// TestStandardLibrary holds the list of package std against the types of the standard
// library: what is listed exists, has an effect for operands that can reach memory and
// for no more, and says something that the rule does not; what is not listed may write
// all that it is given.
func TestStandardLibrary(t *testing.T) {
	t.Parallel()
	all := standard(t, "-export")
	imports := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		if p := all["vendor/"+path]; p != nil {
			return os.Open(p.Export)
		}
		return os.Open(all[path].Export)
	})
	w := &walker{unit: &unit{build: &build{all: all, own: make(map[string]bool), rewritten: make(map[string]bool)}}}
	listed := make(map[[2]string]std.Entry)
	for key, e := range std.Listed() {
		if !unexported(key[1]) {
			listed[key] = e
		}
	}
	met, unlisted := 0, 0
	for path := range all {
		if path == "unsafe" || dropIns[path] != "" || strings.Contains(path, "internal") || strings.HasPrefix(path, "vendor/") {
			continue
		}
		p, err := imports.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		known := functions(p)
		for key, e := range listed {
			if key[0] == path {
				met++
				holdEntry(t, key, e, known[key[1]])
			}
		}
		for name, f := range known {
			if _, ok := listed[[2]string{path, name}]; ok || ofInterface(f) || f.Pkg() != p || unexported(name) {
				continue
			}
			unlisted++
			c, ok := w.callee(f)
			for i, o := range operandsOf(f) {
				effects := c.args
				if f.Signature().Recv() != nil {
					effects = append([]std.Effect{c.recv}, c.args...)
				}
				if want := (map[bool]std.Effect{true: std.MayWriteAll, false: std.Nothing})[reaches(o)]; !ok || effects[i] != want {
					t.Errorf("%s.%s, operand %d of type %s: expected %s, for it is not listed; observed %v", path, name, i, o, want, effects)
				}
			}
		}
	}
	if met != len(listed) || unlisted < 2000 {
		t.Errorf("met %d of %d that are listed, and %d others", met, len(listed), unlisted)
	}
}

// unexported reports whether a method is of a type that export data may not have.
func unexported(name string) bool { return strings.Contains(name, ".") && !ast.IsExported(name) }

// operandsOf are the types of a function's operands, the receiver first.
func operandsOf(f *types.Func) (all []types.Type) {
	if recv := f.Signature().Recv(); recv != nil {
		all = append(all, recv.Type())
	}
	for p := range f.Signature().Params().Variables() {
		all = append(all, p.Type())
	}
	return all
}

var effects = []std.Effect{std.Nothing, std.Reads, std.Writes, std.ReadsAll, std.WritesAll, std.Consumes, std.MayRead, std.MayWrite, std.MayAppend, std.MayExtend,
	std.MayReadAll, std.MayWriteAll, std.Formats, std.Calls}

func holdEntry(t *testing.T, key [2]string, e std.Entry, f *types.Func) {
	name := key[0] + "." + key[1]
	if f == nil {
		t.Errorf("%s: the standard library has no such function", name)
		return
	}
	flagged := e.Chance || e.Quiet
	if e.Quiet && std.Inside(key[0]) == "" {
		t.Errorf("%s: quiet, and its package has nothing inside", name)
	}
	rule := slices.Equal(e.Effects, []std.Effect{std.MayWriteAll})
	reaching := slices.DeleteFunc(operandsOf(f), func(o types.Type) bool { return !reaches(o) })
	switch {
	case rule && !flagged:
		t.Errorf("%s: listed, and nothing is said of it", name)
	case !rule && len(reaching) < len(e.Effects):
		t.Errorf("%s: effects on %d operands, and %d can reach memory: %v", name, len(e.Effects), len(reaching), reaching)
	}
	for i, effect := range e.Effects {
		if !slices.Contains(effects, effect) {
			t.Errorf("%s: %q is no effect", name, effect)
		}
		if i >= len(reaching) {
			continue
		}
		u := core(reaching[i])
		_, isSlice := u.(*types.Slice)
		_, isPointer := u.(*types.Pointer)
		_, isMap := u.(*types.Map)
		_, isInterface := u.(*types.Interface)
		surely, _ := effect.Parts()
		switch {
		case (effect == std.MayAppend || effect == std.MayExtend) && !isSlice,
			surely != std.Nothing && !isPointer,
			effect == std.Calls && !isInterface && !isSlice,
			effect == std.MayWrite && !isSlice && !isPointer && !isMap && !isInterface:
			t.Errorf("%s: the effect %s on an operand of type %s", name, effect, reaching[i])
		}
	}
}
