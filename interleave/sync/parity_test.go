package sync

import (
	"go/importer"
	"go/token"
	"go/types"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
)

// What takes no step, and so has no variant with a site.
var noOperation = map[string]bool{
	"NewCond": true, "OnceFunc": true, "OnceValue": true, "OnceValues": true, "RWMutex.RLocker": true,
}

// TestAPI compares package sync and sync/atomic of the toolchain with the
// drop-ins: what has a name there has it here, with the same type, and there is
// nothing more here but the variants with a site.
func TestAPI(t *testing.T) {
	tier.NotShort(t)
	source := importer.ForCompiler(token.NewFileSet(), "source", nil)
	load := func(path string) *types.Package {
		p, err := source.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	const base = "github.com/spindle-go/spindle/interleave/"
	for _, p := range []struct{ original, ours string }{{"sync", base + "sync"}, {"sync/atomic", base + "atomic"}} {
		original, ours := load(p.original), load(p.ours)
		want, got := exported(original), exported(ours)
		for name, typ := range want {
			if got[name] != typ {
				t.Errorf("%s.%s is %s, want %s", p.ours, name, got[name], typ)
			}
			if strings.HasPrefix(typ, "func(") && !noOperation[name] && p.original == "sync" { // the runtime's hooks call these
				at := strings.Replace(typ, "func(", "func(site P.Site, ", 1)
				at = strings.Replace(at, ", )", ")", 1)
				if got[name+"At"] != at {
					t.Errorf("%s.%sAt is %s, want %s", p.ours, name, got[name+"At"], at)
				}
			}
		}
		for name, typ := range got {
			_, known := want[name]
			_, variant := want[strings.TrimSuffix(name, "At")]
			if !known && (!variant || noOperation[strings.TrimSuffix(name, "At")]) && !forModels[name] {
				t.Errorf("%s.%s (%s) is not in %s", p.ours, name, typ, p.original)
			}
		}
		if len(want) < 20 {
			t.Errorf("%s has only %d names", p.original, len(want))
		}
	}
}

// forModels are what the drop-ins have besides.
var forModels = map[string]bool{"Site": true, "StoreRelease": true, "Fence": true}

// exported lists what a package exports: functions, types, and the methods and
// fields of those, with their types.
func exported(p *types.Package) map[string]string {
	all := make(map[string]string)
	text := func(typ types.Type) string {
		return types.TypeString(typ, func(*types.Package) string { return "P" })
	}
	for _, name := range p.Scope().Names() {
		o := p.Scope().Lookup(name)
		if !o.Exported() {
			continue
		}
		typ, isType := o.(*types.TypeName)
		if !isType {
			all[name] = text(o.Type())
			continue
		}
		if i, ok := typ.Type().Underlying().(*types.Interface); ok {
			all[name] = text(i)
			continue
		}
		all[name] = text(typ.Type())
		methods := types.NewMethodSet(types.NewPointer(typ.Type()))
		for i := range methods.Len() {
			if m := methods.At(i).Obj(); m.Exported() {
				all[name+"."+m.Name()] = text(m.Type())
			}
		}
		if s, ok := typ.Type().Underlying().(*types.Struct); ok {
			for i := range s.NumFields() {
				if f := s.Field(i); f.Exported() {
					all[name+"."+f.Name()] = "field " + text(f.Type())
				}
			}
		}
	}
	return all
}

func TestSizes(t *testing.T) {
	for _, x := range [][2]any{
		{Mutex{}, sync.Mutex{}}, {RWMutex{}, sync.RWMutex{}}, {Cond{}, sync.Cond{}}, {WaitGroup{}, sync.WaitGroup{}},
		{Once{}, sync.Once{}}, {Pool{}, sync.Pool{}}, {Map{}, sync.Map{}},
	} {
		ours, original := reflect.TypeOf(x[0]), reflect.TypeOf(x[1])
		if ours.Size() != original.Size() || ours.Align() != original.Align() {
			t.Errorf("%v has size %d and alignment %d, the original %d and %d", ours, ours.Size(), ours.Align(), original.Size(), original.Align())
		}
		if ours.Comparable() != original.Comparable() {
			t.Errorf("%v can be compared: %t", ours, ours.Comparable())
		}
	}
}
