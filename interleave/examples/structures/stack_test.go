package structures_test

import (
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/examples/structures"
)

// stack has threads follow scripts, p to push and g to pop, on a stack in which
// so many values are already.
func stack(full int64, scripts ...string) scenario {
	return func(x *interleave.Exec, _ structures.Flaw) {
		s := new(structures.Stack)
		for v := range full {
			s.Push(v + 1)
		}
		last := full
		got := make([][]int64, len(scripts))
		for i, script := range scripts {
			value := last + 1
			for _, c := range script {
				if c == 'p' {
					last++
				}
			}
			x.Go("", func() {
				for _, c := range script {
					if c == 'g' {
						take(&got[i], s.Pop)
						continue
					}
					s.Push(value)
					value++
				}
			})
		}
		x.Finally(func() { each(x, last, append(got, drain(s.Pop))...) })
	}
}

// freeList has threads follow scripts on a list of the numbers 1 to n: g gets one
// to keep, p puts back the one that was got first.
func freeList(n int, scripts ...string) scenario {
	return func(x *interleave.Exec, flaw structures.Flaw) {
		l := structures.NewFreeList(n, flaw)
		kept := make([][]int64, len(scripts))
		get := func() (int64, bool) { i := l.Get(); return int64(i), i != 0 }
		for i, script := range scripts {
			x.Go("", func() {
				for _, c := range script {
					if c == 'g' {
						take(&kept[i], get)
					} else if len(kept[i]) > 0 {
						l.Put(uint32(kept[i][0]))
						kept[i] = kept[i][1:]
					}
				}
			})
		}
		x.Finally(func() {
			var left []int64
			for range n + 1 { // a list that has a ring in it has no end
				take(&left, get)
			}
			each(x, int64(n), append(kept, left)...)
		})
	}
}

func TestStack(t *testing.T) {
	right(t, []named{
		{"two push", stack(0, "p", "p")},           // 4
		{"push and pop", stack(0, "pg", "pg")},     // 22
		{"two pop", stack(2, "g", "gg")},           // 3
		{"three threads", stack(1, "p", "g", "g")}, // 12
		{"pop and push", stack(2, "g", "ggp")},     // 4
		{"larger", stack(2, "pg", "gp", "gg")},     // 1,457
	})
}

func TestFreeList(t *testing.T) {
	right(t, []named{
		{"back again", freeList(2, "g", "ggp")},        // 4
		{"get and put", freeList(2, "gp", "gp")},       // 8
		{"three threads", freeList(3, "g", "gp", "g")}, // 14
		{"larger", freeList(3, "gpg", "gggp")},         // 63
	})
}

func TestWrongFreeList(t *testing.T) {
	wrong(t, structures.NoCount, "assertion", freeList(2, "g", "ggp"))
}
