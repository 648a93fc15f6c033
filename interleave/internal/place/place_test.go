package place

import (
	"testing"

	"github.com/spindle-go/spindle/interleave/internal/object"
)

// TestPackageOf: the package of a function by the name that the runtime has for it.
func TestPackageOf(t *testing.T) {
	for name, want := range map[string]string{
		"context.WithCancel.func1": "context", "sync.(*Mutex).Lock": "sync", "example.com/a/b.F": "example.com/a/b", "gopkg.in/yaml%2ev3.Marshal": "gopkg.in/yaml.v3",
		"slices.Sort[go.shape.[]example.com/x.T]": "slices", "example.com/a.(*L[example.com/b/c.T]).Push": "example.com/a", "_rt0": "_rt0",
	} {
		if saw := PackageOf(name); saw != want {
			t.Errorf("%s: expected %s, saw %s", name, want, saw)
		}
	}
}

// TestOurs: what is part of the explorer, and what only begins like it.
func TestOurs(t *testing.T) {
	for name, want := range map[string]bool{
		Explorer + "internal/engine.begin": true, Explorer + "sync.(*Mutex).Lock": true, Explorer + "internal/list.Sort[go.shape.int]": true, Body: true,
		Explorer + "internal/engine_test.TestX": false, Explorer + "internal/engines.F": false, Explorer + "examples/pool.F": false, "sync.(*Mutex).Lock": false, "example.com/internal/engine.F": false,
	} {
		if saw := Ours(name); saw != want {
			t.Errorf("%s: expected %v, saw %v", name, want, saw)
		}
	}
}

// TestOneStep: of which packages the operations are no steps.
func TestOneStep(t *testing.T) {
	for path, want := range map[string]bool{"fmt": true, "encoding/json": true, "os": true, "os/exec": false, "sync": false, "net/http": false, "container/list": false} {
		if saw := OneStep(path, true); saw != want {
			t.Errorf("%s: expected %v, saw %v", path, want, saw)
		}
	}
	if OneStep("fmt", false) {
		t.Error("expected that package fmt of a module is none of the standard library, saw that its operations are no steps")
	}
}

// TestName: what an operation is on, as the line has it: nothing if it has two, and the line of the defer statement for a call that is made where the function ends.
func TestName(t *testing.T) {
	Explore("example.com/named")
	Register("n.go", Name{Line: 3, Op: "Load", Expr: "q.head", Action: "takes"}, Name{Line: 4, Op: "Load", Expr: "a"}, Name{Line: 4, Op: "Load", Expr: "b"},
		Name{Line: 5, Op: "Done", Expr: "wg"}, Name{Line: 9, Op: "Unlock", Expr: "mu", Of: 6}, Name{Line: 6, Action: Invisible + "for the log"})
	for _, c := range []struct {
		line      int
		kind      object.Kind
		want      string
		at        int
		invisible bool
	}{
		{3, object.Load, "q.head", 3, false}, {3, object.Store, "", 3, false}, {4, object.Load, "", 4, false}, {5, object.Count, "wg", 5, false}, {9, object.Unlock, "mu", 6, true},
	} {
		s := Make(Place{File: "n.go", Line: c.line}, "example.com/named")
		k := Find(s)
		k.Name(c.kind)
		if k.Expr != c.want || k.Line != c.at || k.Invisible != c.invisible {
			t.Errorf("line %d, %v: expected %q at line %d, invisible %v, saw %q at line %d, invisible %v", c.line, c.kind, c.want, c.at, c.invisible, k.Expr, k.Line, k.Invisible)
		}
	}
	if s := Make(Place{File: "n.go", Line: 3}, "example.com/named"); Find(s).Action != "takes" || !OfExplored(s) || Package(s) != "example.com/named" || Where(s) != "at n.go:3" {
		t.Errorf("expected what the line says, saw %+v", Find(s))
	}
	if s := Make(Place{File: "n.go", Line: 3}, "example.com/other"); Find(s).Action != "" || OfExplored(s) {
		t.Errorf("expected nothing of a package that is not explored, saw %+v", Find(s))
	}
}

// TestByFrames: what is known of stacks is found by all of their frames, and by what is asked.
func TestByFrames(t *testing.T) {
	var table ByFrames[int]
	for n := range 3000 {
		table.Add(uint64(n%2), []uintptr{uintptr(n), 7, uintptr(n * n)}, n)
	}
	for n := range 3000 {
		if o := table.Find(uint64(n%2), []uintptr{uintptr(n), 7, uintptr(n * n)}); o == nil || o.Is != n {
			t.Fatalf("expected %d, saw %v", n, o)
		}
	}
	if table.Find(1, []uintptr{0, 7, 0}) != nil || table.Find(0, []uintptr{0, 7}) != nil {
		t.Error("expected nothing of another stack, saw one")
	}
}
