package unseen

import (
	"bytes"
	"container/list"
	"context"
	"expvar"
	"fmt"
	"io"
	"log"
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"example.com/counter"
	"example.com/old"

	"github.com/spindle-go/spindle/interleave"
)

// two explores two threads that do the same.
func two(t *testing.T, body func(x *interleave.Exec) func()) {
	t.Helper()
	interleave.Test(t, func(x *interleave.Exec) {
		f := body(x)
		x.Go("one", f)
		x.Go("two", f)
	})
}

func TestLostUpdate(t *testing.T) {
	two(t, func(x *interleave.Exec) func() {
		c := new(counter.Plain)
		return func() { c.Add(1) }
	})
}

func TestCheckThenAct(t *testing.T) {
	two(t, func(x *interleave.Exec) func() {
		c := new(counter.Locked)
		return func() {
			if c.Value() == 0 {
				c.Add(1)
			}
		}
	})
}

func TestMethodAsThread(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		c := new(counter.Locked)
		x.Go("one", c.Once)
		x.Go("two", c.Once)
	})
}

func TestInterface(t *testing.T) {
	two(t, func(x *interleave.Exec) func() {
		var c interface{ Add(int) } = new(counter.Locked)
		return func() { c.Add(1) }
	})
}

type holds struct{ *counter.Plain }

func TestEmbedded(t *testing.T) {
	two(t, func(x *interleave.Exec) func() {
		h := holds{new(counter.Plain)}
		return func() { h.Add(1) }
	})
}

func TestOldModule(t *testing.T) {
	two(t, func(x *interleave.Exec) func() {
		c := new(old.Counter)
		return func() { c.Add() }
	})
}

func TestCancel(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		ctx, cancel := context.WithCancel(context.Background())
		x.Go("cancels", cancel)
		x.Go("asks", func() {
			if ctx.Err() != nil {
				_ = x
			}
		})
	})
}

// The data race that is none: cancel orders the two.
func TestCancelOrders(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		ctx, cancel := context.WithCancel(context.Background())
		done := false
		x.Go("cancels", func() { done = true; cancel() })
		x.Go("asks", func() {
			if ctx.Err() != nil && !done {
				x.Fatalf("canceled before it was done")
			}
		})
	})
}

func TestBuilder(t *testing.T) {
	two(t, func(x *interleave.Exec) func() {
		var b strings.Builder
		return func() { b.WriteString("x") }
	})
}

func TestBuffer(t *testing.T) {
	two(t, func(x *interleave.Exec) func() {
		b := new(bytes.Buffer)
		return func() { b.WriteByte('x') }
	})
}

func TestFprintf(t *testing.T) {
	two(t, func(x *interleave.Exec) func() {
		var b strings.Builder
		return func() { fmt.Fprintf(&b, "%d", 1) }
	})
}

func TestWriter(t *testing.T) {
	two(t, func(x *interleave.Exec) func() {
		var w io.Writer = new(bytes.Buffer)
		return func() { w.Write([]byte("x")) }
	})
}

func TestList(t *testing.T) {
	two(t, func(x *interleave.Exec) func() {
		l := list.New()
		return func() { l.PushBack(1) }
	})
}

func TestListExpression(t *testing.T) {
	two(t, func(x *interleave.Exec) func() {
		l := list.New()
		return func() { (*list.List).PushBack(l, 1) }
	})
}

func TestListExpressionLater(t *testing.T) {
	two(t, func(x *interleave.Exec) func() {
		l, push := list.New(), (*list.List).PushBack
		return func() { push(l, 1) }
	})
}

func TestWriterExpression(t *testing.T) {
	two(t, func(x *interleave.Exec) func() {
		var w io.Writer = new(bytes.Buffer)
		return func() { io.Writer.Write(w, []byte("x")) }
	})
}

func TestLogged(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		p := new(struct{ a int })
		x.Go("one", func() { t.Log(p) })
		x.Go("two", func() { p.a = 1 })
	})
}

func TestLoggedByInterface(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		p, tb := new(struct{ a int }), testing.TB(t)
		x.Go("one", func() { tb.Log(p) })
		x.Go("two", func() { p.a = 1 })
	})
}

func TestListElement(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		l := list.New()
		e := l.PushBack(1)
		x.Go("one", func() { e.Next() })
		x.Go("two", func() { l.Remove(l.Front()) })
	})
}

func TestMapsCopy(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		m := map[int]int{}
		x.Go("one", func() { maps.Copy(m, map[int]int{1: 1}) })
		x.Go("two", func() { m[2] = 2 })
	})
}

func TestSlicesSort(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		s := []int{3, 1, 2}
		x.Go("one", func() { slices.Sort(s) })
		x.Go("two", func() { s[0] = 7 })
	})
}

func TestSortInts(t *testing.T) {
	two(t, func(x *interleave.Exec) func() {
		s := []int{3, 1, 2}
		return func() { sort.Ints(s) }
	})
}

type pair struct{ a, b int }

func TestFormat(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		p := new(pair)
		x.Go("one", func() { _ = fmt.Sprint(p) })
		x.Go("two", func() { p.a = 1 })
	})
}

func TestExpvar(t *testing.T) {
	two(t, func(x *interleave.Exec) func() {
		v := new(expvar.Int)
		return func() { v.Set(v.Value() + 1) }
	})
}

func TestExpvarWithoutRaces(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		v := new(expvar.Int)
		x.Go("one", func() { v.Set(v.Value() + 1) })
		x.Go("two", func() { v.Set(v.Value() + 1) })
	}, interleave.NoRaces())
}

func TestLog(t *testing.T) {
	two(t, func(x *interleave.Exec) func() {
		var b bytes.Buffer
		l := log.New(&b, "", 0)
		return func() { l.Print("x") }
	})
}

func TestNothing(t *testing.T) {
	two(t, func(x *interleave.Exec) func() { return func() {} })
}

// What is right: the same, ordered by a lock of its own, or used by one thread.

func TestRightLocked(t *testing.T) {
	two(t, func(x *interleave.Exec) func() {
		var mu sync.Mutex
		var b strings.Builder
		l, c := list.New(), new(counter.Plain)
		return func() {
			mu.Lock()
			defer mu.Unlock()
			b.WriteString(fmt.Sprint(l.Len()))
			l.PushBack(c)
			c.Add(1)
		}
	})
}

func TestRightOwn(t *testing.T) {
	two(t, func(x *interleave.Exec) func() {
		var n atomic.Int32
		return func() {
			var b bytes.Buffer
			fmt.Fprintf(&b, "%d %v", n.Add(1), []string{"x"})
			s := []int{3, 1, 2}
			sort.Ints(s)
			t.Log(b.String(), slices.Max(s))
		}
	})
}

func TestRightOneThread(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var n atomic.Int32
		v := new(expvar.Int)
		x.Go("one", func() { v.Add(int64(n.Add(1))) })
		x.Go("two", func() { n.Add(1) })
		x.Finally(func() {
			if v.Value() == 0 {
				x.Fatalf("nothing was added")
			}
		})
	})
}

func TestRightPublished(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var p atomic.Pointer[pair]
		x.Go("one", func() { q := new(pair); q.a = 1; p.Store(q) })
		x.Go("two", func() {
			if q := p.Load(); q != nil && fmt.Sprint(q) != "&{1 0}" {
				x.Fatalf("half of it")
			}
		})
	})
}

type logs struct {
	mu  sync.Mutex
	all []string
}

func (l *logs) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, string(b))
	return len(b), nil
}

func TestRightWriter(t *testing.T) {
	two(t, func(x *interleave.Exec) func() {
		l := new(logs)
		return func() { fmt.Fprintf(l, "x") }
	})
}
