package interleave_test

import (
	"testing"
	"time"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/internal/racy/boxed"
)

// Types whose methods are called through interfaces.

type summer interface{ sum() int }

type bumper interface{ bump() int }

type adder interface{ add(n int) int }

func (p spot) add(n int) int { return p.x + p.y + n }

func (p *spot) bump() int { return 1 }

type byValue struct {
	_ int
	spot
}

type byPointer struct {
	_ int
	*spot
}

type deep struct {
	_ int
	*byPointer
}

type holds struct {
	_ int
	summer
}

type timed struct {
	_ int
	time.Duration
}

type measures []int

func (l measures) sum() int { return len(l) }

type grid [3]int

func (g grid) sum() int { return g[0] + g[1] + g[2] }

type pairOf[T any] struct{ a, b T }

func (p pairOf[T]) sum() int { return len([]T{p.a, p.b}) }

type stringer interface{ String() string }

func sumOf[T summer](v T) int { return v.sum() }

func boundOf[T summer](v T) func() int { return v.sum }

func exprOf[T summer]() func(T) int { return T.sum }

func deferred(f func() int) { defer f() }

func byPointerOf(v *things) byPointer { return byPointer{spot: v.q} }

// calls has methods whose receiver is copied by what the compiler writes around them,
// or that are come by through pointers.
func calls() []pair {
	return []pair{
		{name: "interface on a pointer", one: func(v *things) { var i summer = v.q; use(i.sum()) }, two: func(v *things) { v.q.y = 1 }},
		{name: "interface on a pointer, all bytes", one: func(v *things) { var i summer = v.q; use(i.sum()) }, two: func(v *things) { v.q.x = 1 }},
		{name: "interface on an embedded value", one: func(v *things) { var i summer = &v.val; use(i.sum()) }, two: func(v *things) { v.val.y = 1 }},
		{name: "interface on an embedded pointer", one: func(v *things) { var i summer = &v.ptr; use(i.sum()) }, two: func(v *things) { v.ptr.spot.y = 1 }},
		{name: "interface through an embedded pointer", one: func(v *things) { var i summer = &v.ptr; use(i.sum()) }, two: func(v *things) { v.ptr.spot = new(spot) }},
		{name: "interface on a copy with an embedded pointer", one: func(v *things) { var i summer = byPointer{spot: v.q}; use(i.sum()) }, two: func(v *things) { v.q.y = 1 }},
		{name: "interface on a method of a pointer, through one", one: func(v *things) { var i bumper = &v.ptr; use(i.bump()) }, two: func(v *things) { v.ptr.spot = new(spot) }},
		{name: "interface through two pointers", one: func(v *things) { var i bumper = &v.deep; use(i.bump()) }, two: func(v *things) { v.deep.byPointer = new(byPointer) }},
		{name: "interface through two pointers, the second", one: func(v *things) { var i bumper = &v.deep; use(i.bump()) }, two: func(v *things) { v.deep.byPointer.spot = new(spot) }},
		{name: "interface on an embedded interface", one: func(v *things) { var i summer = &v.holds; use(i.sum()) }, two: func(v *things) { v.holds.summer = v.q }},
		{name: "interface on what an embedded interface has", one: func(v *things) { var i summer = &v.holds; use(i.sum()) }, two: func(v *things) { v.q.x = 1 }},
		{name: "interface on a slice", one: func(v *things) { var i summer = &v.list; use(i.sum()) }, two: func(v *things) { v.list = nil }},
		{name: "interface on an array", one: func(v *things) { var i summer = &v.grid; use(i.sum()) }, two: func(v *things) { v.grid[2] = 1 }},
		{name: "interface on a generic", one: func(v *things) { var i summer = &v.generic; use(i.sum()) }, two: func(v *things) { v.generic.b = "b" }},
		{name: "interface on an embedded time", one: func(v *things) { var i stringer = &v.timed; use(i.String()) }, two: func(v *things) { v.timed.Duration = 1 }},
		{name: "interface on a time", one: func(v *things) { var i stringer = &v.timed.Duration; use(i.String()) }, two: func(v *things) { v.timed.Duration = 1 }},
		{name: "method value of an interface", one: func(v *things) { var i summer = v.q; f := i.sum; use(f()) }, two: func(v *things) { v.q.y = 1 }},
		{name: "method value of an interface, passed on", one: func(v *things) { deferred(summer(v.q).sum) }, two: func(v *things) { v.q.y = 1 }},
		{name: "method expression of a pointer", one: func(v *things) { use((*spot).sum(v.q)) }, two: func(v *things) { v.q.y = 1 }},
		{name: "method expression as a value", one: func(v *things) { f := (*spot).add; use(f(v.q, 1)) }, two: func(v *things) { v.q.y = 1 }},
		{name: "method expression of an interface", one: func(v *things) { use(summer.sum(v.q)) }, two: func(v *things) { v.q.y = 1 }},
		{name: "method expression of what is embedded", one: func(v *things) { use((*byValue).sum(&v.val)) }, two: func(v *things) { v.val.y = 1 }},
		{name: "method expression through a pointer", one: func(v *things) { use(byPointer.sum(byPointer{spot: v.q})) }, two: func(v *things) { v.q.y = 1 }},
		{name: "method of what a function returns", one: func(v *things) { use(byPointerOf(v).sum()) }, two: func(v *things) { v.q.y = 1 }},
		{name: "field through a pointer without a name here", one: func(v *things) { use(v.box.N) }, two: func(v *things) { v.box.Renew() }},
		{name: "field through the second such pointer", one: func(v *things) { use(v.box.N) }, two: func(v *things) { v.box.RenewMost() }},
		{name: "address through such pointers", one: func(v *things) { use(&v.box.M) }, two: func(v *things) { v.box.RenewMost() }},
		{name: "method through such pointers", one: func(v *things) { v.box.Put(1) }, two: func(v *things) { v.box.Renew() }},
		{name: "copy through such pointers", one: func(v *things) { use(v.box.Sum()) }, two: func(v *things) { v.box.M = 1 }},
		{name: "copy through such pointers of a variable", one: func(v *things) { use((*v.box).Sum()) }, two: func(v *things) { v.box.RenewMost() }},
		{name: "interface through such pointers", one: func(v *things) { var i interface{ Sum() int } = v.box; use(i.Sum()) }, two: func(v *things) { v.box.RenewMost() }},
		{name: "method value through such pointers", one: func(v *things) { f := v.box.Sum; use(f) }, two: func(v *things) { v.box.M = 1 }},
		{name: "method expression through such pointers", one: func(v *things) { use((*boxed.Box).Sum(v.box)) }, two: func(v *things) { v.box.M = 1 }},
		{name: "type parameter", one: func(v *things) { use(sumOf(v.q)) }, two: func(v *things) { v.q.y = 1 }},
		{name: "type parameter, embedded", one: func(v *things) { use(sumOf(&v.val)) }, two: func(v *things) { v.val.y = 1 }},
		{name: "type parameter that is an interface", one: func(v *things) { use(sumOf[summer](v.q)) }, two: func(v *things) { v.q.y = 1 }},
		{name: "method value of a type parameter", one: func(v *things) { use(boundOf(v.q)()) }, two: func(v *things) { v.q.y = 1 }},
		{name: "method expression of a type parameter", one: func(v *things) { use(exprOf[*spot]()(v.q)) }, two: func(v *things) { v.q.y = 1 }},
		{name: "deferred call of an interface", one: func(v *things) { var i adder = v.q; defer i.add(1) }, two: func(v *things) { v.q.y = 1 }},
		{name: "deferred call of an expression", one: func(v *things) { defer (*spot).add(v.q, 1) }, two: func(v *things) { v.q.y = 1 }},
	}
}

type rescuer interface {
	sum() int
	rescue()
}

func (p spot) rescue() {
	if e := recover(); e != "lost" {
		panic(e)
	}
}

// TestDeferredMethodRecovers: a deferred method is called by nobody else, so that it
// can recover, and what it copies is copied when it is called.
func TestDeferredMethodRecovers(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		v := newThings()
		done := make([]bool, 2)
		for i, f := range []func(){
			func() { defer rescuer(v.q).rescue(); panic("lost") },
			func() { defer (*spot).rescue(v.q); panic("lost") },
		} {
			x.Go("one", func() { f(); done[i] = true })
		}
		x.Finally(func() {
			if !done[0] || !done[1] {
				x.Fatalf("expected both to recover; observed %v", done)
			}
		})
	})
}
