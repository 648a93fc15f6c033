package interleave_test

import (
	"bytes"
	"container/list"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/spindle-go/spindle/interleave"
)

type counted struct{ n int }

func (c *counted) more() bool { c.n++; return c.n < 3 }

func (c counted) plus() counted { return counted{c.n + 1} }

type counter interface{ more() bool }

type counting interface {
	Len() int
	WriteByte(byte) error
}

func again(n int, look func()) {
	for first := true; first; first = false {
		if look(); n > 1 {
			again(n-1, look)
		}
	}
}

func forever(yield func() bool) {
	for {
		if !yield() {
			return
		}
	}
}

func numbers(yield func(int) bool) {
	for i := 1; ; i++ {
		if !yield(i) {
			return
		}
	}
}

// rounds are loops that go round three times and look in each, and count in ways of
// which some are hard to see.
var rounds = map[string]func(look func()){
	"a variable of the loop": func(look func()) {
		for i := 0; i < 3; i++ {
			look()
		}
	},
	"a variable from outside": func(look func()) {
		i := 0
		for i < 3 {
			look()
			i = i + 1
		}
	},
	"read at the end of a round": func(look func()) {
		i := 0
		for {
			look()
			if i == 2 {
				break
			}
			i++
		}
	},
	"a range": func(look func()) {
		for range 3 {
			look()
		}
	},
	"a captured variable": func(look func()) {
		n := 0
		more := func() bool { n++; return n < 3 }
		for {
			if look(); !more() {
				return
			}
		}
	},
	"a field": func(look func()) {
		c := new(counted)
		for {
			if look(); !c.more() {
				return
			}
		}
	},
	"a field of a local struct": func(look func()) {
		var c struct{ a, b int }
		for c.b < 3 {
			look()
			c.b++
		}
	},
	"a struct that is assigned": func(look func()) {
		var c counted
		for look(); c.n < 2; look() {
			c = c.plus()
		}
	},
	"an element of an array": func(look func()) {
		var a [2]int
		for a[1] < 3 {
			look()
			a[1] += 1
		}
	},
	"an element of a slice": func(look func()) {
		a := make([]int, 2)
		for a[1] < 3 {
			look()
			a[1]++
		}
	},
	"the length of a slice": func(look func()) {
		var a []int
		for len(a) < 3 {
			look()
			a = append(a, 1)
		}
	},
	"what append writes": func(look func()) {
		a := make([]int, 1, 2)
		for {
			look()
			if a[0] == 2 {
				return
			}
			a = append(a[:0], a[0]+1)
		}
	},
	"the size of a map": func(look func()) {
		m := make(map[int]bool)
		for len(m) < 3 {
			look()
			m[len(m)] = true
		}
	},
	"a string": func(look func()) {
		for s := ""; s != "aaa"; s += "a" {
			look()
		}
	},
	"an interface": func(look func()) {
		var c counter = new(counted)
		for {
			if look(); !c.more() {
				return
			}
		}
	},
	"a value in an interface": func(look func()) {
		var v any = 0
		for v.(int) < 3 {
			look()
			v = v.(int) + 1
		}
	},
	"a pointer along a list": func(look func()) {
		type node struct{ next *node }
		for n := (&node{&node{new(node)}}); n != nil; n = n.next {
			look()
		}
	},
	"a function that is replaced": func(look func()) {
		third := func() bool { return true }
		second := func() bool { return false }
		last := func() bool { return false }
		for {
			look()
			if last() {
				return
			}
			last, second, third = second, third, nil
		}
	},
	"a builder": func(look func()) {
		var b strings.Builder
		for b.Len() < 3 {
			look()
			b.WriteByte('a')
		}
	},
	"a buffer behind an interface": func(look func()) {
		var b bytes.Buffer
		var w io.Writer = &b
		for b.Len() < 3 {
			look()
			io.WriteString(w, "a")
		}
	},
	"a buffer behind an interface of ours": func(look func()) {
		var b counting = new(bytes.Buffer)
		for b.Len() < 3 {
			look()
			b.WriteByte('a')
		}
	},
	"a buffer behind an interface in a struct": func(look func()) {
		b := struct{ counting }{new(bytes.Buffer)}
		for b.Len() < 3 {
			look()
			b.WriteByte('a')
		}
	},
	"a method of the library as a value": func(look func()) {
		b := new(bytes.Buffer)
		add, size := b.WriteByte, b.Len
		for size() < 3 {
			look()
			add('a')
		}
	},
	"a list of the library": func(look func()) {
		l := list.New()
		for l.Len() < 3 {
			look()
			l.PushBack(1)
		}
	},
	"the body of an endless iterator": func(look func()) {
		n := 0
		for range forever {
			look()
			if n = n + 1; n == 3 {
				break
			}
		}
	},
	"an iterator that counts": func(look func()) {
		for n := range numbers {
			look()
			if n == 3 {
				break
			}
		}
	},
	"an iterator that is pulled": func(look func()) {
		next, stop := iter.Pull(numbers)
		defer stop()
		for {
			n, _ := next()
			look()
			if n == 3 {
				break
			}
		}
	},
	"calls within calls": func(look func()) { again(3, look) },
	"deferred calls": func(look func()) {
		n := 0
		func() {
			for i := 0; ; {
				look()
				defer func() { n++ }()
				if i = i + 1; i == 3 {
					return
				}
			}
		}()
	},
	"a jump back": func(look func()) {
		i := 0
	again:
		look()
		if i++; i < 3 {
			goto again
		}
	},
	"a loop in a loop": func(look func()) {
		n := 0
	outer:
		for {
			for {
				look()
				if n++; n%2 == 1 {
					continue outer
				}
				if n == 2 {
					look()
					break outer
				}
			}
		}
	},
	"a call at three places": func(look func()) { look(); look(); look() },
	"a loop that is entered three times": func(look func()) {
		once := func() {
			for {
				look()
				break
			}
		}
		once()
		once()
		once()
	},
}

// TestRounds: loops that count are followed: another thread may act before each
// of the three looks, and after the last.
func TestRounds(t *testing.T) {
	names := slices.Sorted(maps.Keys(rounds))
	var programs []func(*interleave.Exec)
	for _, name := range names {
		round := rounds[name]
		programs = append(programs, func(x *interleave.Exec) {
			var w atomic.Int32
			x.Go("looks", func() { round(func() { w.Load() }) })
			x.Go("writes", func() { w.Store(1) })
		})
	}
	for i, n := range count(t, programs) {
		c := n.Certificate
		if n.Ended != 4 || c.Blocked != 0 || c.Cuts.Iterations != 0 || !c.Complete() {
			t.Errorf("%s: %v %v, want 4 executions", names[i], c, n.Failures)
		}
	}
}
