package interleave_test

import (
	"sync"
	"sync/atomic"

	"github.com/spindle-go/spindle/interleave"
)

// things are what two threads share in the statements below.
type things struct {
	n, m   int
	word   int64
	a      [4]int
	s      []int // two of four
	b      []byte
	r      []rune
	table  map[string]int
	p      spot
	q      *spot
	c      counts
	f      func() int
	any    any
	nested struct {
		*spot
		in spot
	}
}

type spot struct{ x, y int }

func (p spot) sum() int { return p.x + p.y }

type counts struct {
	n    int
	hits atomic.Int64
	mu   sync.Mutex
	rw   sync.RWMutex
}

func newThings() *things {
	v := &things{s: make([]int, 2, 4), b: make([]byte, 2, 8), r: []rune("ab"), table: map[string]int{"a": 1}, q: new(spot)}
	v.f = func() int { return 1 }
	v.nested.spot = new(spot)
	return v
}

func twoResults() (int, int) { return 1, 2 }
func use(...any)             {}
func text(string) bool       { return true }

// statements has a pair of accesses a row; a lock orders them, or nothing does.
func statements() (all []litmus) {
	for _, row := range []struct {
		name     string
		one, two func(v *things)
	}{
		{"assignment", func(v *things) { v.n = 1 }, func(v *things) { v.n = 2 }},
		{"read", func(v *things) { use(v.n) }, func(v *things) { v.n = 2 }},
		{"increment", func(v *things) { v.n++ }, func(v *things) { use(v.n) }},
		{"assignment with an operation", func(v *things) { v.n += 2 }, func(v *things) { use(v.n) }},
		{"append within the capacity", func(v *things) { _ = append(v.s, 1) }, func(v *things) { use(v.s[:3][2]) }},
		{"append beyond it", func(v *things) { _ = append(v.s[:2:2], 1) }, func(v *things) { v.s[1] = 1 }},
		{"append of elements", func(v *things) { _ = append([]int(nil), v.s...) }, func(v *things) { v.s[1] = 1 }},
		{"append of a string", func(v *things) { _ = append(v.b, "ab"...) }, func(v *things) { use(v.b[:4][3]) }},
		{"copy to", func(v *things) { copy(v.s, []int{1, 2}) }, func(v *things) { use(v.s[1]) }},
		{"copy from", func(v *things) { copy([]int{1, 2}, v.s) }, func(v *things) { v.s[1]++ }},
		{"copy to an array", func(v *things) { copy(v.a[:], []int{1, 2}) }, func(v *things) { use(v.a[1]) }},
		{"copy of a string", func(v *things) { copy(v.b, "ab") }, func(v *things) { use(v.b[1]) }},
		{"clear of a slice", func(v *things) { clear(v.s) }, func(v *things) { use(v.s[1]) }},
		{"clear of a map", func(v *things) { clear(v.table) }, func(v *things) { use(len(v.table)) }},
		{"delete", func(v *things) { delete(v.table, "a") }, func(v *things) { use(v.table["b"]) }},
		{"element of a map", func(v *things) { v.table["a"]++ }, func(v *things) { use(v.table["b"]) }},
		{"range over an array", func(v *things) {
			for _, e := range v.a {
				use(e)
			}
		}, func(v *things) { v.a[3] = 1 }},
		{"range over a pointer to an array", func(v *things) {
			for _, e := range &v.a {
				use(e)
			}
		}, func(v *things) { v.a[3] = 1 }},
		{"range over a slice", func(v *things) {
			for _, e := range v.s {
				use(e)
			}
		}, func(v *things) { v.s[1] = 1 }},
		{"range over a map", func(v *things) {
			for range v.table {
			}
		}, func(v *things) { v.table["b"] = 1 }},
		{"range that assigns", func(v *things) {
			for _, v.n = range []int{1} {
			}
		}, func(v *things) { use(v.n) }},
		{"string of bytes", func(v *things) { text(string(v.b)) }, func(v *things) { v.b[1] = 1 }},
		{"string of runes", func(v *things) { text(string(v.r)) }, func(v *things) { v.r[1] = 1 }},
		{"array of a slice", func(v *things) { use([2]int(v.s)) }, func(v *things) { v.s[1] = 1 }},
		{"key of bytes", func(v *things) { use(v.table[string(v.b)]) }, func(v *things) { v.b[1] = 1 }},
		{"value receiver", func(v *things) { use(v.p.sum()) }, func(v *things) { v.p.y = 1 }},
		{"value receiver by a pointer", func(v *things) { use(v.q.sum()) }, func(v *things) { v.q.y = 1 }},
		{"value receiver, embedded", func(v *things) { use(v.nested.sum()) }, func(v *things) { v.nested.y = 1 }},
		{"method value", func(v *things) { f := v.q.sum; use(f) }, func(v *things) { v.q.y = 1 }},
		{"embedded pointer", func(v *things) { v.nested.x = 1 }, func(v *things) { v.nested.spot = new(spot) }},
		{"field of an element of a map", func(v *things) {
			m := map[string]spot{"a": v.p}
			use(m["a"].x)
		}, func(v *things) { v.p.x = 1 }},
		{"struct", func(v *things) { use(v.p) }, func(v *things) { v.p.y = 1 }},
		{"struct over an atomic", func(v *things) { v.c = counts{} }, func(v *things) { v.c.hits.Add(1) }},
		{"struct over a lock", func(v *things) { v.c = counts{} }, func(v *things) { v.c.mu.TryLock() }},
		{"struct over a readers' lock", func(v *things) { v.c = counts{} }, func(v *things) { v.c.rw.TryRLock() }},
		{"struct with an atomic, beside it", func(v *things) { v.c = counts{} }, func(v *things) { use(v.c.n) }},
		{"atomic and plain", func(v *things) { atomic.AddInt64(&v.word, 1) }, func(v *things) { use(v.word == 1) }},
		{"atomic load and plain", func(v *things) { use(atomic.LoadInt64(&v.word)) }, func(v *things) { v.word = 1 }},
		{"swap that fails and plain", func(v *things) { atomic.CompareAndSwapInt64(&v.word, 7, 8) }, func(v *things) { use(v.word) }},
		{"comparison", func(v *things) { use(v.p == spot{}) }, func(v *things) { v.p.y = 1 }},
		{"comparison of arrays", func(v *things) { use(v.a == [4]int{}) }, func(v *things) { v.a[3] = 1 }},
		{"deferred argument", func(v *things) { defer use(v.n) }, func(v *things) { v.n = 1 }},
		{"deferred function", func(v *things) { defer v.f() }, func(v *things) { v.f = func() int { return 2 } }},
		{"deferred delete", func(v *things) { defer delete(v.table, "a") }, func(v *things) { use(len(v.table)) }},
		{"started with", func(v *things) { go use(v.n) }, func(v *things) { v.n = 1 }},
		{"result", func(v *things) { v.n = v.f() }, func(v *things) { use(v.n) }},
		{"results", func(v *things) { v.n, v.m = twoResults() }, func(v *things) { use(v.m) }},
		{"results of a clause", func(v *things) {
			if v.n, v.m = twoResults(); true {
				use()
			}
		}, func(v *things) { use(v.m) }},
		{"returned", func(v *things) { use(func() int { return v.n }()) }, func(v *things) { v.n = 1 }},
		{"else", func(v *things) {
			if v.f == nil {
				use()
			} else if v.n == 1 {
				use()
			} else {
				v.m = 1
			}
		}, func(v *things) { use(v.m) }},
		{"switch", func(v *things) {
			switch v.n {
			}
		}, func(v *things) { v.n = 1 }},
		{"case", func(v *things) {
			switch 1 {
			case 2, v.n:
			}
		}, func(v *things) { v.n = 2 }},
		{"type switch", func(v *things) {
			switch v.any.(type) {
			}
		}, func(v *things) { v.any = 2 }},
		{"composite", func(v *things) { use([]int{1, v.n}, spot{y: v.m}) }, func(v *things) { v.m = 2 }},
		{"in an interface", func(v *things) { v.any = v.p }, func(v *things) { v.p.x = 2 }},
		{"minimum", func(v *things) { use(min(1, v.n)) }, func(v *things) { v.n = 2 }},
		{"generic", func(v *things) { generically(v.s, &v.n) }, func(v *things) { use(v.n) }},
		{"elements of a generic", func(v *things) { generically(v.s, new(int)) }, func(v *things) { v.s[0] = 1 }},
	} {
		pair := func(locked bool) func(x *interleave.Exec) {
			return func(x *interleave.Exec) {
				v, mu := newThings(), new(sync.Mutex)
				under := func(f func(v *things)) func() {
					return func() {
						if locked {
							mu.Lock()
							defer mu.Unlock()
						}
						f(v)
					}
				}
				x.Go("one", under(row.one))
				x.Go("two", under(row.two))
			}
		}
		all = append(all, litmus{row.name, pair(true), pair(false)})
	}
	return all
}

func generically[S ~[]E, E any](s S, to *E) { *to = s[0] }
