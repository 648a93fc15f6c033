package interleave_test

import (
	"slices"
	"sync"

	"github.com/spindle-go/spindle/interleave"
)

// A place is a statement with a call in it.
type place struct {
	name string
	one  func(v *things, call func() int)
	two  func(v *things)
}

// places has statements with a call in them. What they do to a variable besides is
// after the call: a lock that the call takes orders it, and one that the call gives
// back does not.
func places() (all []litmus) {
	for _, row := range slices.Concat([]place{
		{"assignment", func(v *things, call func() int) { v.n = call() }, func(v *things) { use(v.n) }},
		{"assignment with an operation", func(v *things, call func() int) { v.n += call() }, func(v *things) { use(v.n) }},
		{"two variables", func(v *things, call func() int) { v.n, v.m = 1, call() }, func(v *things) { use(v.n) }},
		{"index", func(v *things, call func() int) { v.a[call()] = 1 }, func(v *things) { use(v.a[0]) }},
		{"index, incremented", func(v *things, call func() int) { v.a[call()]++ }, func(v *things) { use(v.a[0]) }},
		{"indices", func(v *things, call func() int) { v.n, v.a[call()] = 1, 2 }, func(v *things) { use(v.n) }},
		{"read by index", func(v *things, call func() int) { use(v.a[call()]) }, func(v *things) { v.a[0] = 1 }},
		{"key", func(v *things, call func() int) { v.table[word(call())] = 1 }, func(v *things) { use(v.table["b"]) }},
		{"key, incremented", func(v *things, call func() int) { v.table[word(call())]++ }, func(v *things) { use(v.table["b"]) }},
		{"value of a key", func(v *things, call func() int) { v.table["a"] = call() }, func(v *things) { use(v.table["b"]) }},
		{"read by key", func(v *things, call func() int) { use(v.table[word(call())]) }, func(v *things) { v.table["b"] = 1 }},
		{"read by key, if it is there", func(v *things, call func() int) { _, ok := v.table[word(call())]; use(ok) }, func(v *things) { v.table["b"] = 1 }},
		{"delete", func(v *things, call func() int) { delete(v.table, word(call())) }, func(v *things) { use(v.table["b"]) }},
		{"append", func(v *things, call func() int) { _ = append(v.s, call()) }, func(v *things) { use(v.s[:3][2]) }},
		{"clause", func(v *things, call func() int) {
			if v.n, v.m = 1, call(); true {
				use()
			}
		}, func(v *things) { use(v.n) }},
		{"clause with an operation", func(v *things, call func() int) {
			switch v.n += call(); {
			}
		}, func(v *things) { use(v.n) }},
		{"after a clause", func(v *things, call func() int) {
			for i := 0; i < 1; i, v.n = 1, call() {
			}
		}, func(v *things) { use(v.n) }},
		{"definition that assigns", func(v *things, call func() int) {
			n := 0
			p := &n
			v.q = (*spot)(nil)
			n, m := call(), 1
			use(p, m)
			v.n = n
		}, func(v *things) { use(v.n) }},
		{"deferred delete", func(v *things, call func() int) {
			defer delete(v.table, "a")
			call()
		}, func(v *things) { use(v.table["b"]) }},
		{"range", func(v *things, call func() int) {
			for i := range v.s {
				if i == 0 {
					call()
				} else {
					v.s[i] = 1
				}
			}
		}, func(v *things) { v.s[1] = 1 }},
		{"element of a range", func(v *things, call func() int) {
			for i, e := range v.s {
				if i == 0 && e == 0 {
					call()
				}
			}
		}, func(v *things) { v.s[1] = 1 }},
		{"range that assigns by index", func(v *things, call func() int) {
			for v.a[call()] = range 1 {
			}
		}, func(v *things) { use(v.a[0]) }},
		{"range that assigns to an element of a map", func(v *things, call func() int) {
			for _, v.table[word(call())] = range []int{1} {
			}
		}, func(v *things) { use(v.table["a"]) }},
		{"interface", func(v *things, call func() int) { var i adder = v.q; use(i.add(call())) }, func(v *things) { v.q.y = 1 }},
		{"method value of an interface", func(v *things, call func() int) {
			var i summer = v.q
			f := i.sum
			call()
			use(f())
		}, func(v *things) { v.q.y = 1 }},
		{"method value of a pointer", func(v *things, call func() int) {
			call()
			f := v.q.sum
			use(f)
		}, func(v *things) { v.q.y = 1 }},
		{"method expression", func(v *things, call func() int) { use((*spot).add(v.q, call())) }, func(v *things) { v.q.y = 1 }},
		{"deferred interface", func(v *things, call func() int) {
			var i summer = v.q
			defer i.sum()
			call()
		}, func(v *things) { v.q.y = 1 }},
		{"deferred method expression", func(v *things, call func() int) {
			defer (*spot).sum(v.q)
			call()
		}, func(v *things) { v.q.y = 1 }},
		{"type parameter", func(v *things, call func() int) { use(addTo(v.q, call)) }, func(v *things) { v.q.y = 1 }},
		{"rest of a range over a map", func(v *things, call func() int) {
			m := v.table
			mine := map[int]int{1: 1}
			for range mine {
				call()
			}
			for range m {
				break
			}
		}, func(v *things) { v.table["a"] = 1 }},
	}, oldPlaces()) {
		pair := func(right bool) func(x *interleave.Exec) {
			return func(x *interleave.Exec) {
				v, mu := newThings(), new(sync.Mutex)
				x.Go("one", func() {
					call := func() int { mu.Lock(); return 0 }
					if !right {
						mu.Lock()
						call = func() int { mu.Unlock(); return 0 }
					}
					row.one(v, call)
					if right {
						mu.Unlock()
					}
				})
				x.Go("two", func() {
					mu.Lock()
					row.two(v)
					mu.Unlock()
				})
			}
		}
		all = append(all, litmus{"a call within: " + row.name, pair(true), pair(false)})
	}

	// What a function returns: the caller reads it after the deferred calls.
	returning := func(wait bool) func(x *interleave.Exec) {
		return func(x *interleave.Exec) {
			x.Go("one", func() {
				use(func() (n int) {
					var group sync.WaitGroup
					group.Go(func() { n = 1 })
					if wait {
						defer group.Wait()
					}
					return
				}())
			})
		}
	}
	setting := func(wait bool) func(x *interleave.Exec) {
		return func(x *interleave.Exec) {
			x.Go("one", func() {
				use(func() (n int, err error) {
					var group sync.WaitGroup
					group.Go(func() { n = 1 })
					defer group.Wait()
					if wait {
						group.Wait()
					}
					return two3()
				}())
			})
		}
	}
	return append(all, litmus{"named result", returning(true), returning(false)}, litmus{"result that is set", setting(true), setting(false)})
}

func two3() (int, error) { return 3, nil }

func addTo[T adder](v T, call func() int) int { return v.add(call()) }

func word(int) string { return "b" }
