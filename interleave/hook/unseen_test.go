package hook_test

import (
	"iter"
	"slices"
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/atomic"
	"github.com/spindle-go/spindle/interleave/hook"
	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/internal/std"
	"github.com/spindle-go/spindle/interleave/sync"
)

const call = hook.Site(7300) // of code that is not seen

func init() {
	hook.Register(call, []hook.Place{{File: "/x/x.go", Line: 1, Unseen: "p.F", Expr: "s"}})
}

// doubted reports whether two threads leave a doubt, and no failure.
func doubted(t *testing.T, body func(x *interleave.Exec)) bool {
	t.Helper()
	engine.PlainAccesses = true
	defer func() { engine.PlainAccesses = false }()
	r, err := interleave.Explore(body, interleave.Exhaustive())
	if err != nil || r.Failure != nil {
		t.Errorf("expected no failure; observed %v, %v", err, r)
		return false
	}
	return !r.Certificate.Complete()
}

// TestEffects: what a call may do with an operand is in doubt beside an access that
// conflicts with it, and beside no other.
func TestEffects(t *testing.T) {
	type node = struct { // types of this package are the explorer's own
		n    int
		next *struct{ n int }
		more []int // one of two
	}
	read := func(p *int) { hook.R(0, p) }
	write := func(p *int) { hook.W(0, p) }
	for _, c := range []struct {
		effect std.Effect
		access func(*int)
		own    bool // beside the object itself
		behind bool // beside what it points to
		spare  bool // beside what is behind the elements of a slice in it
	}{
		{std.Nothing, write, false, false, false},
		{std.MayRead, read, false, false, false},
		{std.MayRead, write, true, false, false},
		{std.MayReadAll, read, false, false, false},
		{std.MayReadAll, write, true, true, false},
		{std.MayWrite, read, true, false, false},
		{std.MayWriteAll, read, true, true, true},
		{std.Reads, write, true, false, false},
		{std.ReadsAll, write, true, true, false},
		{std.Writes, read, true, false, false},
		{std.WritesAll, read, true, true, true},
		{std.Consumes, read, true, false, false},
		{std.Consumes, write, true, true, false},
	} {
		for i, want := range []bool{c.own, c.behind, c.spare} {
			got := doubted(t, func(x *interleave.Exec) {
				v := &node{next: &struct{ n int }{}, more: make([]int, 1, 2)}
				w := new(atomic.Int32)
				of := []*int{&v.n, &v.next.n, &v.more[:2][1]}[i]
				x.Go("one", func() { w.Load(); hook.Given(call, c.effect, v) })
				x.Go("two", func() { w.Load(); c.access(of) })
			})
			if got != want {
				t.Errorf("%s, access %d: expected a doubt %v; observed %v", c.effect, i, want, got)
			}
		}
	}
	for effect, want := range map[std.Effect][2]bool{std.MayAppend: {false, true}, std.MayExtend: {true, true}, std.MayWrite: {true, false}} {
		for i := range want {
			got := doubted(t, func(x *interleave.Exec) {
				s, w := make([]int, 1, 2), new(atomic.Int32)
				x.Go("one", func() { w.Load(); hook.Given(call, effect, s) })
				x.Go("two", func() { w.Load(); hook.R(0, &s[:2][i]) })
			})
			if got != want[i] {
				t.Errorf("%s of a slice, element %d: expected a doubt %v; observed %v", effect, i, want[i], got)
			}
		}
	}
}

// TestMade: a function that a call has returned may do again what the call may do, when it
// is called, ranged over or passed on.
func TestMade(t *testing.T) {
	values := func(s []int) iter.Seq[int] { return hook.Later(call, "", "", "", "MayRead", slices.Values[[]int])(s) }
	for name, use := range map[string]func(iter.Seq[int]){
		"called":      func(all iter.Seq[int]) { hook.Func(call, all)(func(int) bool { return true }) },
		"passed on":   func(all iter.Seq[int]) { hook.Given(call, std.MayReadAll, all) },
		"in a struct": func(all iter.Seq[int]) { hook.Given(call, std.MayReadAll, &struct{ f iter.Seq[int] }{all}) },
		"ranged over": func(all iter.Seq[int]) {
			for range hook.Func(call, all) {
			}
		},
		"pulled": func(all iter.Seq[int]) {
			next, _ := hook.Later(call, "", "", "", "Nothing", iter.Pull[int])(all)
			hook.Func(call, next)()
		},
	} {
		for _, locked := range []bool{true, false} {
			got := doubted(t, func(x *interleave.Exec) {
				var m sync.Mutex
				s := make([]int, 2)
				x.Go("one", func() {
					m.Lock()
					all := values(s)
					if locked {
						use(all)
					}
					m.Unlock()
					if !locked {
						use(all)
					}
				})
				x.Go("two", func() { m.Lock(); hook.W(0, &s[1]); m.Unlock() })
			})
			if got == locked {
				t.Errorf("%s, with the lock %v: a doubt %v", name, locked, got)
			}
		}
	}
}
