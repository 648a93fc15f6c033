package engine_test

import (
	"strings"
	"testing"
	"unsafe"

	. "github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/internal/std"
)

// What stands for package-level variables, and for code that is not rewritten.
var (
	left struct {
		n int
		p *int
		m map[string]int
		f func() int
	}
	far int
)

const (
	unseen = Site(5200) // a call of u.Add, of u.Dice, of u.Go
	dice   = unseen + 1
	starts = unseen + 2
)

func init() {
	captured := 0
	left.p, left.m, left.f = &far, make(map[string]int), func() int { captured++; return captured }
	RegisterGlobals(Global{Name: "left", Addr: unsafe.Pointer(&left), Size: unsafe.Sizeof(left), Pointer: &left})
	Register(unseen, []Place{{File: "/x/u.go", Line: 1, Unseen: "u.Add"}, {File: "/x/u.go", Line: 2, Unseen: "u.Dice"}, {File: "/x/u.go", Line: 3, Unseen: "u.Go"}})
	RegisterUnseen(Unseen{Package: "example.com/u", Inside: "locks", Starts: []string{"Go"}, Chance: map[string]string{"Dice": "rand.Intn"}})
}

// TestLeftBehind: state that an execution has changed makes the next another program.
func TestLeftBehind(t *testing.T) {
	for name, e := range map[string]struct {
		do, undo func()
		says     string
	}{
		"a variable":            {func() { left.n = 1 }, func() { left.n = 0 }, "the package-level variable left was changed"},
		"what it points to":     {func() { far = 1 }, func() { far = 0 }, "what the package-level variable left points to was changed"},
		"an element of its map": {func() { left.m["a"] = 1 }, func() { clear(left.m) }, "what the package-level variable left points to was changed"},
	} {
		_, f := explore(t, Options{Strategy: Exhaustive}, func(x *Exec) {
			w := new(word)
			x.Go("a", func() { w.load(); e.do() })
		})
		e.undo()
		if f == nil || f.Kind != LeftOver || !strings.Contains(f.Message, e.says) {
			t.Errorf("%s: expected %q; observed %+v", name, e.says, f)
		}
	}
	c, f := explore(t, Options{Strategy: Exhaustive}, func(x *Exec) {
		w := new(word)
		x.Go("a", func() { w.load(); CallsFunc(1, left.f) })
	})
	if f != nil || c.Complete() || len(c.Doubts) != 1 || c.Doubts[0].Kind != NotCompared {
		t.Errorf("a function that has captured something: %v, %+v", c, f)
	}
}

// TestDoubts: calls in a package that is not rewritten are in doubt if nothing orders
// them.
func TestDoubts(t *testing.T) {
	asInstrumented(t)
	for _, e := range []struct {
		name  string
		kind  DoubtKind // "" for none
		calls func(m *mutex)
	}{
		{"nothing orders them", NotSeen, func(*mutex) { Reached(unseen, "example.com/u") }},
		{"a lock orders them", "", func(m *mutex) { m.lock(); Reached(unseen, "example.com/u"); m.unlock() }},
		{"chance", Chance, func(m *mutex) { m.lock(); Reached(dice, "example.com/u"); m.unlock() }},
		{"goroutines", NotSeen, func(m *mutex) { m.lock(); Reached(starts, "example.com/u"); m.unlock() }},
		{"what may be written", NotSeen, func(*mutex) { Does(unseen, &far, std.MayWriteAll) }},
		{"what is only read", "", func(*mutex) { Does(unseen, &far, std.MayReadAll) }},
		{"what may be read behind it", NotSeen, func(*mutex) { Does(unseen, &left, std.MayWriteAll) }},
	} {
		c, f := explore(t, Options{Strategy: Exhaustive}, func(x *Exec) {
			m, w := new(mutex), new(word)
			for range 2 {
				x.Go("", func() { w.load(); e.calls(m) })
			}
		})
		switch {
		case f != nil || c.Complete() != (e.kind == ""):
			t.Errorf("%s: %v, %+v", e.name, c, f)
		case e.kind != "" && c.Doubts[0].Kind != e.kind:
			t.Errorf("%s: expected a doubt of kind %q; observed %+v", e.name, e.kind, c.Doubts)
		}
	}
}
