package interleave_test

import (
	"sync"
	"unsafe"

	"github.com/spindle-go/spindle/interleave"
)

func stringsAreMemory[S ~string | ~[]byte](s S, i int) byte { return s[i] }
func appendedTo[S ~string | ~[]byte](b []byte, s S) []byte  { return append(b, s...) }
func copiedTo[S ~string | ~[]byte](b []byte, s S) int       { return copy(b, s) }
func stringOf[S ~string | ~[]byte](s S) string              { return string(s) }
func setArray[S ~[]int | ~[4]int](s S)                      { s[1] = 2 }

func setShared[S ~[]int | ~[4]int](s S, start func(func())) {
	start(func() { s[1] = 2 })
	s[1] = 3
}

func setElement[S ~[]int | ~*[4]int](s S) { s[1] = 2 }

func changeElement[S ~[]int | ~*[4]int](s S) { s[1]++ }

type text2 interface {
	~string | ~[]byte
}

func named[S interface {
	text2
	comparable2
}](s S) string {
	return string(s)
}

type comparable2 interface{ ~string | ~[]byte }

type sliceOf[E any] interface{ ~[]E }

func nested[S interface{ sliceOf[E] }, E any](s S) E { return s[1] }

func elementOf[S ~[]int | ~[4]int](s S, i int) int { return s[i] }

type tree[T any] struct {
	left  *tree[T]
	value T
}

func (t *tree[T]) set(v T) { t.value = v }

func (t tree[T]) get() T { return t.value }

func (t *tree[T]) sum() (n int) {
	for range t.walk {
		n++
	}
	return n
}

func (t *tree[T]) walk(yield func(T) bool) {
	if t.left != nil {
		t.left.walk(yield)
	}
	yield(t.value)
}

type getter[T any] interface{ get() T }

func getOf[T any, G getter[T]](g G) T { return g.get() }

// expressions are of every kind that the compiler has the race detector look at.
func expressions() []pair {
	return []pair{
		{name: "comparison of strings", one: func(v *things) { use(v.text == "a") }, two: func(v *things) { v.text = "b" }},
		{name: "comparison of interfaces", one: func(v *things) { use(v.any == any(1)) }, two: func(v *things) { v.any = 2 }},
		{name: "comparison of a slice with nil", one: func(v *things) { use(v.s == nil) }, two: func(v *things) { v.s = nil }},
		{name: "comparison of a function with nil", one: func(v *things) { use(v.f == nil) }, two: func(v *things) { v.f = nil }},
		{name: "comparison behind a pointer", one: func(v *things) { use(*v.q == v.p) }, two: func(v *things) { v.q.y = 2 }},
		{name: "map with a key that is a struct", one: func(v *things) { use(map[spot]int{}[v.p]) }, two: func(v *things) { v.p.y = 2 }},
		{name: "key of a composite", one: func(v *things) { use(map[spot]int{v.p: 1}) }, two: func(v *things) { v.p.y = 2 }},
		{name: "assignment to an element by a struct", one: func(v *things) { v.spots[v.p] = 1 }, two: func(v *things) { v.p.y = 2 }},
		{name: "assignment to an element", one: func(v *things) { v.spots[spot{}] = 1 }, two: func(v *things) { use(len(v.spots)) }},
		{name: "two results of an element", one: func(v *things) { n, ok := v.spots[spot{}]; use(n, ok) }, two: func(v *things) { v.spots[spot{}] = 1 }},
		{name: "two results of an element, assigned", one: func(v *things) { var ok bool; v.n, ok = v.spots[spot{}]; use(ok) }, two: func(v *things) { use(v.n) }},
		{name: "two results of an assertion, assigned", one: func(v *things) { v.n, _ = v.any.(int) }, two: func(v *things) { use(v.n) }},
		{name: "assertion", one: func(v *things) { n, _ := v.any.(int); use(n) }, two: func(v *things) { v.any = 1 }},
		{name: "byte of a string", one: func(v *things) { use(v.text[0]) }, two: func(v *things) { v.text = "b" }},
		{name: "part of a string", one: func(v *things) { use(v.text[:1]) }, two: func(v *things) { v.text = "b" }},
		{name: "concatenation", one: func(v *things) { use(v.text + "b") }, two: func(v *things) { v.text = "b" }},
		{name: "concatenation, assigned", one: func(v *things) { v.text += "b" }, two: func(v *things) { use(v.text) }},
		{name: "range over a string", one: func(v *things) {
			for range v.text {
			}
		}, two: func(v *things) { v.text = "b" }},
		{name: "range over an integer", one: func(v *things) {
			for range v.n {
			}
		}, two: func(v *things) { v.n = 1 }},
		{name: "range over the bytes of a string", one: func(v *things) {
			for range []byte(v.text) {
			}
		}, two: func(v *things) { v.text = "b" }},
		{name: "maximum", one: func(v *things) { use(max(v.text, "b")) }, two: func(v *things) { v.text = "b" }},
		{name: "complex", one: func(v *things) { use(real(v.z)) }, two: func(v *things) { v.z = 1i }},
		{name: "complex, made", one: func(v *things) { use(complex(float64(v.n), 1)) }, two: func(v *things) { v.n = 1 }},
		{name: "pointer to an array of a slice", one: func(v *things) { use((*[2]int)(v.s)[1]) }, two: func(v *things) { v.s[1] = 1 }},
		{name: "slice by unsafe", one: func(v *things) { unsafe.Slice(&v.a[0], 4)[3] = 1 }, two: func(v *things) { use(v.a[3]) }},
		{name: "by unsafe", one: func(v *things) { *(*int)(unsafe.Pointer(&v.p)) = 1 }, two: func(v *things) { use(v.p.x) }},
		{name: "by unsafe, added to", one: func(v *things) { *(*int)(unsafe.Add(unsafe.Pointer(&v.p), 8)) = 1 }, two: func(v *things) { use(v.p.y) }},
		{name: "new of a value", one: func(v *things) { use(new(v.p)) }, two: func(v *things) { v.p.y = 2 }},
		{name: "conversion of a struct", one: func(v *things) { use(struct{ x, y int }(v.p)) }, two: func(v *things) { v.p.y = 2 }},
		{name: "conversion to an interface", one: func(v *things) { use(any(v.a)) }, two: func(v *things) { v.a[1] = 2 }},
		{name: "element of an element", one: func(v *things) { use(v.rows[1][1]) }, two: func(v *things) { v.rows[1][1] = 2 }},
		{name: "row", one: func(v *things) { use(v.rows[1]) }, two: func(v *things) { v.rows[1][1] = 2 }},
		{name: "swap", one: func(v *things) { v.n, v.m = v.m, v.n }, two: func(v *things) { use(v.m) }},
		{name: "shift", one: func(v *things) { v.n <<= v.m }, two: func(v *things) { v.m = 1 }},
		{name: "and", one: func(v *things) { use(v.f != nil && v.n == 1) }, two: func(v *things) { v.n = 1 }},
		{name: "capacity", one: func(v *things) { use(cap(v.s)) }, two: func(v *things) { v.s = nil }},
		{name: "make", one: func(v *things) { use(make([]int, v.n)) }, two: func(v *things) { v.n = 1 }},
		{name: "field of what a pointer in a map points to", one: func(v *things) { m := map[int]*spot{1: v.q}; m[1].y = 1 }, two: func(v *things) { use(v.q.y) }},
		{name: "generic field", one: func(v *things) { v.tree.set(1) }, two: func(v *things) { use(v.tree.get()) }},
		{name: "generic method through an interface", one: func(v *things) { var g getter[int] = &v.tree; use(g.get()) }, two: func(v *things) { v.tree.left = nil }},
		{name: "generic method by a type parameter", one: func(v *things) { use(getOf[int](&v.tree)) }, two: func(v *things) { v.tree.left = nil }},
		{name: "iterator", one: func(v *things) { use(v.tree.sum()) }, two: func(v *things) { v.tree.value = 2 }},
		{name: "closure that is captured", one: func(v *things) { n := &v.n; func() { *n = 1 }() }, two: func(v *things) { use(v.n) }},
		{name: "result by a deferred function", one: func(v *things) { v.n = func() (n int) { defer func() { n += v.m }(); return 1 }() }, two: func(v *things) { v.m = 1 }},
		{name: "argument of a deferred call", one: func(v *things) { defer func(int) {}(v.n) }, two: func(v *things) { v.n = 1 }},
		{name: "index of a deferred call", one: func(v *things) { defer use(v.a[v.n]) }, two: func(v *things) { v.a[0] = 1 }},
		{name: "deferred copy", one: func(v *things) { defer copy(v.s, []int{1, 2}) }, two: func(v *things) { use(v.s[1]) }},
		{name: "deferred clear", one: func(v *things) { defer clear(v.table) }, two: func(v *things) { use(len(v.table)) }},
		{name: "argument of panic", one: func(v *things) { defer func() { recover() }(); panic(v.text) }, two: func(v *things) { v.text = "b" }},
		{name: "type switch with a name", one: func(v *things) {
			switch x := v.any.(type) {
			case int:
				v.n = x
			default:
				use(v.n)
			}
		}, two: func(v *things) { v.n = 2 }},
		{name: "anonymous struct", one: func(v *things) { var i summer = &struct{ *spot }{v.q}; use(i.sum()) }, two: func(v *things) { v.q.y = 2 }},
		{name: "local struct", one: func(v *things) {
			type spot struct {
				_ int
				*byValue
			}
			var i summer = &spot{byValue: &v.val} // whose method is not that of the package's spot
			use(i.sum())
		}, two: func(v *things) { v.val.y = 2 }},
		{name: "locked through an interface", one: func(v *things) { var l sync.Locker = &v.c.mu; l.Lock(); use(v.n); l.Unlock(); use(v.n) }, two: func(v *things) { v.n = 1 }},
		{name: "byte of a type parameter", one: func(v *things) { use(stringsAreMemory(v.b, 1)) }, two: func(v *things) { v.b[1] = 1 }},
		{name: "type parameter of two constraints", one: func(v *things) { use(named(v.b)) }, two: func(v *things) { v.b[1] = 1 }},
		{name: "type parameter of a constraint within", one: func(v *things) { use(nested(v.s)) }, two: func(v *things) { v.s[1] = 1 }},
		{name: "element of a type parameter with arrays, assigned", one: func(v *things) { setArray(v.s) }, two: func(v *things) { use(v.s[1]) }},
		{name: "element of a type parameter, assigned", one: func(v *things) { setElement(v.s) }, two: func(v *things) { use(v.s[1]) }},
		{name: "element of a type parameter, changed", one: func(v *things) { changeElement(v.s) }, two: func(v *things) { use(v.s[1]) }},
		{name: "element of a type parameter", one: func(v *things) { use(elementOf(v.s, 1)) }, two: func(v *things) { v.s[1] = 1 }},
		{name: "append of a type parameter", one: func(v *things) { use(appendedTo(nil, v.b)) }, two: func(v *things) { v.b[1] = 1 }},
		{name: "append of a type parameter, within the capacity", one: func(v *things) { use(appendedTo(v.b, "ab")) }, two: func(v *things) { use(v.b[:4][3]) }},
		{name: "copy of a type parameter", one: func(v *things) { use(copiedTo(make([]byte, 2), v.b)) }, two: func(v *things) { v.b[1] = 1 }},
		{name: "copy of a type parameter, to", one: func(v *things) { use(copiedTo(v.b, "ab")) }, two: func(v *things) { use(v.b[1]) }},
		{name: "string of a type parameter", one: func(v *things) { use(stringOf(v.b)) }, two: func(v *things) { v.b[1] = 1 }},
	}
}

// lengths has loops over arrays, of which the length is a constant.
func lengths() (all []litmus) {
	for name, rows := range map[string][2]func(v *things){
		"range over the length of an array": {
			func(v *things) {
				for i := range v.array {
					use(i)
				}
			},
			func(v *things) {
				for _, e := range v.array {
					use(e)
				}
			},
		},
		"range over the length of an array that is embedded": {
			func(v *things) {
				for range v.arrays.fixed {
				}
			},
			func(v *things) {
				for range itself(v).arrays.fixed {
				}
			},
		},
	} {
		program := func(f func(v *things)) func(x *interleave.Exec) {
			return func(x *interleave.Exec) {
				v := newThings()
				x.Go("one", func() { f(v) })
				x.Go("two", func() { v.array, v.arrays.embeds = new([4]int), new(embeds) })
			}
		}
		all = append(all, litmus{name, program(rows[0]), program(rows[1])})
	}
	return all
}

type embeds struct{ fixed [4]int }
