package interleave_test

import (
	"bytes"
	"sync"
	"sync/atomic"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/internal/racy/boxed"
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
	val     byValue
	ptr     byPointer
	deep    deep
	holds   holds
	list    measures
	grid    grid
	generic pairOf[string]
	timed   timed
	buffer  bytes.Buffer
	builds  builds
	buffers buffers
	sorted  sorted
	worded  worded
	failed  failed
	box     *boxed.Box
	text    string
	spots   map[spot]int
	z       complex128
	rows    [2][2]int
	tree    tree[int]
	array   *[4]int
	arrays  struct{ *embeds }
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
	v.box = boxed.New()
	v.array, v.arrays.embeds = new([4]int), new(embeds)
	v.spots, v.text = map[spot]int{}, "a"
	v.nested.spot, v.ptr.spot, v.deep.byPointer = new(spot), new(spot), &byPointer{spot: new(spot)}
	v.holds.summer, v.buffers.Buffer, v.sorted = v.q, new(bytes.Buffer), sorted{2, 1}
	return v
}

func twoResults() (int, int) { return 1, 2 }
func use(...any)             {}
func text(string) bool       { return true }

// A pair is of two accesses to what two threads share.
type pair struct {
	name       string
	one, two   func(v *things)
	undetected bool // the race detector of Go does not see it
}

// statements has a pair of accesses a row.
func statements() []pair {
	return []pair{
		{name: "assignment", one: func(v *things) { v.n = 1 }, two: func(v *things) { v.n = 2 }},
		{name: "read", one: func(v *things) { use(v.n) }, two: func(v *things) { v.n = 2 }},
		{name: "increment", one: func(v *things) { v.n++ }, two: func(v *things) { use(v.n) }},
		{name: "assignment with an operation", one: func(v *things) { v.n += 2 }, two: func(v *things) { use(v.n) }},
		{name: "append within the capacity", one: func(v *things) { _ = append(v.s, 1) }, two: func(v *things) { use(v.s[:3][2]) }},
		{name: "append beyond it", one: func(v *things) { _ = append(v.s[:2:2], 1) }, two: func(v *things) { v.s[1] = 1 }},
		{name: "append of elements", one: func(v *things) { _ = append([]int(nil), v.s...) }, two: func(v *things) { v.s[1] = 1 }},
		{name: "append of a string", one: func(v *things) { _ = append(v.b, "ab"...) }, two: func(v *things) { use(v.b[:4][3]) }},
		{name: "copy to", one: func(v *things) { copy(v.s, []int{1, 2}) }, two: func(v *things) { use(v.s[1]) }},
		{name: "copy from", one: func(v *things) { copy([]int{1, 2}, v.s) }, two: func(v *things) { v.s[1]++ }},
		{name: "copy to an array", one: func(v *things) { copy(v.a[:], []int{1, 2}) }, two: func(v *things) { use(v.a[1]) }},
		{name: "copy of a string", one: func(v *things) { copy(v.b, "ab") }, two: func(v *things) { use(v.b[1]) }},
		{name: "clear of a slice", undetected: true, one: func(v *things) { clear(v.s) }, two: func(v *things) { use(v.s[1]) }},
		{name: "clear of a map", one: func(v *things) { clear(v.table) }, two: func(v *things) { use(len(v.table)) }},
		{name: "delete", one: func(v *things) { delete(v.table, "a") }, two: func(v *things) { use(v.table["b"]) }},
		{name: "element of a map", one: func(v *things) { v.table["a"]++ }, two: func(v *things) { use(v.table["b"]) }},
		{name: "range over an array", one: func(v *things) {
			for _, e := range v.a {
				use(e)
			}
		}, two: func(v *things) { v.a[3] = 1 }},
		{name: "range over a pointer to an array", one: func(v *things) {
			for _, e := range &v.a {
				use(e)
			}
		}, two: func(v *things) { v.a[3] = 1 }},
		{name: "range over a slice", one: func(v *things) {
			for _, e := range v.s {
				use(e)
			}
		}, two: func(v *things) { v.s[1] = 1 }},
		{name: "range over a map", one: func(v *things) {
			for range v.table {
			}
		}, two: func(v *things) { v.table["b"] = 1 }},
		{name: "range that assigns", one: func(v *things) {
			for _, v.n = range []int{1} {
			}
		}, two: func(v *things) { use(v.n) }},
		{name: "string of bytes", one: func(v *things) { text(string(v.b)) }, two: func(v *things) { v.b[1] = 1 }},
		{name: "string of runes", one: func(v *things) { text(string(v.r)) }, two: func(v *things) { v.r[1] = 1 }},
		{name: "array of a slice", one: func(v *things) { use([2]int(v.s)) }, two: func(v *things) { v.s[1] = 1 }},
		{name: "key of bytes", one: func(v *things) { use(v.table[string(v.b)]) }, two: func(v *things) { v.b[1] = 1 }},
		{name: "value receiver", one: func(v *things) { use(v.p.sum()) }, two: func(v *things) { v.p.y = 1 }},
		{name: "value receiver by a pointer", one: func(v *things) { use(v.q.sum()) }, two: func(v *things) { v.q.y = 1 }},
		{name: "value receiver, embedded", one: func(v *things) { use(v.nested.sum()) }, two: func(v *things) { v.nested.y = 1 }},
		{name: "method value", one: func(v *things) { f := v.q.sum; use(f) }, two: func(v *things) { v.q.y = 1 }},
		{name: "embedded pointer", one: func(v *things) { v.nested.x = 1 }, two: func(v *things) { v.nested.spot = new(spot) }},
		{name: "field of an element of a map", one: func(v *things) {
			m := map[string]spot{"a": v.p}
			use(m["a"].x)
		}, two: func(v *things) { v.p.x = 1 }},
		{name: "struct", one: func(v *things) { use(v.p) }, two: func(v *things) { v.p.y = 1 }},
		{name: "struct over an atomic", one: func(v *things) { v.c = counts{} }, two: func(v *things) { v.c.hits.Add(1) }},
		{name: "struct over a lock", one: func(v *things) { v.c = counts{} }, two: func(v *things) { v.c.mu.TryLock() }},
		{name: "struct over a readers' lock", one: func(v *things) { v.c = counts{} }, two: func(v *things) { v.c.rw.TryRLock() }},
		{name: "struct with an atomic, beside it", one: func(v *things) { v.c = counts{} }, two: func(v *things) { use(v.c.n) }},
		{name: "atomic and plain", one: func(v *things) { atomic.AddInt64(&v.word, 1) }, two: func(v *things) { use(v.word == 1) }},
		{name: "atomic load and plain", one: func(v *things) { use(atomic.LoadInt64(&v.word)) }, two: func(v *things) { v.word = 1 }},
		{name: "swap that fails and plain", one: func(v *things) { atomic.CompareAndSwapInt64(&v.word, 7, 8) }, two: func(v *things) { use(v.word) }},
		{name: "comparison", one: func(v *things) { use(v.p == spot{}) }, two: func(v *things) { v.p.y = 1 }},
		{name: "comparison of arrays", one: func(v *things) { use(v.a == [4]int{}) }, two: func(v *things) { v.a[3] = 1 }},
		{name: "deferred argument", one: func(v *things) { defer use(v.n) }, two: func(v *things) { v.n = 1 }},
		{name: "deferred function", one: func(v *things) { defer v.f() }, two: func(v *things) { v.f = func() int { return 2 } }},
		{name: "deferred delete", one: func(v *things) { defer delete(v.table, "a") }, two: func(v *things) { use(len(v.table)) }},
		{name: "started with", one: func(v *things) { go use(v.n) }, two: func(v *things) { v.n = 1 }},
		{name: "result", one: func(v *things) { v.n = v.f() }, two: func(v *things) { use(v.n) }},
		{name: "results", one: func(v *things) { v.n, v.m = twoResults() }, two: func(v *things) { use(v.m) }},
		{name: "results of a clause", one: func(v *things) {
			if v.n, v.m = twoResults(); true {
				use()
			}
		}, two: func(v *things) { use(v.m) }},
		{name: "returned", one: func(v *things) { use(func() int { return v.n }()) }, two: func(v *things) { v.n = 1 }},
		{name: "else", one: func(v *things) {
			if v.f == nil {
				use()
			} else if v.n == 1 {
				use()
			} else {
				v.m = 1
			}
		}, two: func(v *things) { use(v.m) }},
		{name: "switch", one: func(v *things) {
			switch v.n {
			}
		}, two: func(v *things) { v.n = 1 }},
		{name: "case", one: func(v *things) {
			switch 1 {
			case 2, v.n:
			}
		}, two: func(v *things) { v.n = 2 }},
		{name: "type switch", one: func(v *things) {
			switch v.any.(type) {
			}
		}, two: func(v *things) { v.any = 2 }},
		{name: "composite", one: func(v *things) { use([]int{1, v.n}, spot{y: v.m}) }, two: func(v *things) { v.m = 2 }},
		{name: "in an interface", one: func(v *things) { v.any = v.p }, two: func(v *things) { v.p.x = 2 }},
		{name: "minimum", one: func(v *things) { use(min(1, v.n)) }, two: func(v *things) { v.n = 2 }},
		{name: "generic", one: func(v *things) { generically(v.s, &v.n) }, two: func(v *things) { use(v.n) }},
		{name: "elements of a generic", one: func(v *things) { generically(v.s, new(int)) }, two: func(v *things) { v.s[0] = 1 }},
	}
}

// litmusOf makes two programs of each pair: a lock orders the two, or nothing does.
func litmusOf(pairs []pair) (all []litmus) {
	for _, row := range pairs {
		program := func(locked bool) func(x *interleave.Exec) {
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
		all = append(all, litmus{row.name, program(true), program(false)})
	}
	return all
}

func generically[S ~[]E, E any](s S, to *E) { *to = s[0] }
