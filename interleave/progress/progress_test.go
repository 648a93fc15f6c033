package progress_test

import (
	"strings"
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/atomic"
	"github.com/spindle-go/spindle/interleave/progress"
	"github.com/spindle-go/spindle/interleave/sync"
	"github.com/spindle-go/spindle/internal/tier"
)

func TestExplore(t *testing.T) {
	tier.NotShort(t)
	for _, c := range []struct {
		name string
		body func(x *interleave.Exec)
		want []string // in the lines of inc and read
		spin bool     // in a loop whose state is not known, since this code is not instrumented
	}{
		{"lock-free", func(x *interleave.Exec) {
			var n atomic.Int32
			x.Go("a", func() {
				progress.Do(x, "inc", func() {
					for {
						if v := n.Load(); n.CompareAndSwap(v, v+1) {
							return
						}
					}
				})
			})
			x.Go("b", func() { progress.Do(x, "read", func() { n.Load() }) })
			x.Go("c", func() { progress.Do(x, "inc", func() { n.Add(1) }) })
		}, []string{"finishes in these scenarios  at most 4 steps", "finishes in these scenarios  at most 1 steps"}, false},
		{"a lock", func(x *interleave.Exec) {
			var mu sync.Mutex
			n := 0
			for _, name := range []string{"a", "b"} {
				x.Go(name, func() {
					progress.Do(x, "inc", func() {
						mu.Lock()
						n++
						mu.Unlock()
					})
				})
			}
			x.Go("c", func() { progress.Do(x, "read", func() { new(atomic.Int32).Load() }) })
		}, []string{"blocks", "finishes in these scenarios  at most 1 steps"}, false},
		{"a spinlock", func(x *interleave.Exec) {
			var l atomic.Int32
			for _, name := range []string{"a", "b"} {
				x.Go(name, func() {
					progress.Do(x, "inc", func() {
						for !l.CompareAndSwap(0, 1) {
						}
						l.Store(0)
					})
				})
			}
			x.Go("c", func() { progress.Do(x, "read", func() { l.Load() }) })
		}, []string{"blocks", "finishes in these scenarios  at most 1 steps"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := progress.Explore(c.body)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			if err := r.Write(&b); err != nil {
				t.Fatal(err)
			}
			t.Log("\n" + b.String())
			lines := strings.Split(b.String(), "\n")
			for i, want := range c.want {
				if !strings.Contains(lines[i], want) {
					t.Errorf("line %q, want %q", lines[i], want)
				}
			}
			if r.Complete == c.spin || r.Stops == 0 {
				t.Errorf("%+v", r)
			}
		})
	}
}
