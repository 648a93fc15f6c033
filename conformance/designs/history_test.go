package designs

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/spec/record"
)

// The suite lets one thread put. What several may do, and how far a design's
// answers may be off, is judged here by trying all orders of a few calls.

// when says when an answer may be untrue: while one of these calls of another
// thread is under way, as letters of a script.
type when string

const (
	never when = ""
	any   when = "any" // and beside no call at all
)

// promises are what a design says of its answers.
type promises struct {
	lifo     bool // the owner takes the newest
	miss     when // a get may find nothing, though there is something
	stolen   when // a steal may
	refused  when // a put may be refused, though there is room
	yes      when // empty may say yes, though there is something
	capacity int  // 0: no put is refused
}

// call is one call and its answer.
type call struct {
	kind      byte // as in a script
	id        record.ID
	ok        bool
	thread, n int    // the n-th call of its thread
	returned  []int  // how many calls of each thread had returned when it was made
	beside    string // the calls that overlap it
}

func (c call) String() string {
	return fmt.Sprintf("T%d %c %d %v after %v", c.thread, c.kind, c.id, c.ok, c.returned)
}

// before reports whether c had returned when d was made.
func (c call) before(d call) bool { return d.returned[c.thread] > c.n }

// scripted runs a script for each thread, "ppg s s", on the one queue that f
// makes, and holds that the calls and what is left at the end have an order in
// which they keep the promises.
//
// Which calls had returned when a call was made is said by atomics. The explorer
// then tries both, whatever the calls do; by the positions of their steps it
// would not tell apart two executions in which the same steps met.
func scripted(t *testing.T, f queue.Factory, o queue.Options, p promises, threads string, opts ...interleave.Option) {
	t.Helper()
	seen := make(map[string]bool)
	interleave.Test(t, func(x *interleave.Exec) {
		o.Ps = 1
		set, err := f(o)
		if err != nil {
			x.Fatalf("%v", err)
		}
		q := set.P(0)
		scripts := strings.Fields(threads)
		calls := make([][]call, len(scripts))
		returned := make([]atomic.Int32, len(scripts))
		id := record.ID(0)
		for i, script := range scripts {
			first := id
			id += record.ID(strings.Count(script, "p"))
			x.Go("", func() {
				next := first
				for n, kind := range []byte(script) {
					c := call{kind: kind, thread: i, n: n, returned: make([]int, len(scripts)+1)}
					c.returned[i] = n
					for k := range scripts {
						if k != i {
							c.returned[k] = int(returned[k].Load())
						}
					}
					switch kind {
					case 'p':
						next++
						c.id, c.ok = next, q.Put(next)
					case 'g':
						c.id, c.ok = q.Get()
					case 's':
						c.id, c.ok = q.Steal()
					case 'e':
						c.ok = q.Empty()
					}
					calls[i] = append(calls[i], c)
					returned[i].Store(int32(n + 1))
				}
			})
		}
		x.Finally(func() {
			all, left := overlaps(slices.Concat(calls...)), 0
			sized, counts := q.(queue.Sized)
			if counts {
				left = sized.Len()
			}
			last := make([]int, len(scripts)+1)
			for i, script := range scripts {
				last[i] = len(script)
			}
			for n := 0; ; n++ {
				c := call{kind: 'g', thread: len(scripts), n: n, returned: slices.Clone(last)}
				c.id, c.ok = q.Get()
				all = append(all, c)
				if last[len(scripts)]++; !c.ok {
					break
				}
				left--
			}
			key := fmt.Sprint(all)
			switch {
			case counts && left != 0:
				x.Fatalf("no order keeps the promises: the length was wrong by %d: %s", left, key)
			case !seen[key] && !p.kept(all):
				x.Fatalf("no order keeps the promises: %s", key)
			}
			seen[key] = true
		})
	}, opts...)
}

// overlaps fills in what each call has beside it.
func overlaps(all []call) []call {
	for i, c := range all {
		for _, d := range all {
			if d.thread != c.thread && !c.before(d) && !d.before(c) {
				all[i].beside += string(d.kind)
			}
		}
	}
	return all
}

// kept looks for an order of the calls, each after those that had returned, in which each
// answer is true or may be untrue.
func (p promises) kept(calls []call) bool {
	tried := make(map[string]bool)
	var from func(done uint64, holds []record.ID) bool
	from = func(done uint64, holds []record.ID) bool {
		key := fmt.Sprint(done, holds)
		if done == 1<<len(calls)-1 || tried[key] {
			return !tried[key]
		}
		for i, c := range calls {
			first := done&(1<<i) == 0
			for k, d := range calls {
				first = first && (done&(1<<k) != 0 || !d.before(c))
			}
			if after, ok := p.step(c, holds); first && ok && from(done|1<<i, after) {
				return true
			}
		}
		tried[key] = true
		return false
	}
	return from(0, nil)
}

// step returns what the queue holds after c, and whether c may answer so.
func (p promises) step(c call, holds []record.ID) (after []record.ID, ok bool) {
	untrue := func(w when) bool { return w == any || strings.ContainsAny(c.beside, string(w)) }
	n := len(holds)
	switch {
	case c.kind == 'e':
		return holds, c.ok == (n == 0) || c.ok && untrue(p.yes)
	case c.kind == 'p' && c.ok:
		return append(slices.Clone(holds), c.id), p.capacity == 0 || n < p.capacity
	case c.kind == 'p':
		return holds, p.capacity > 0 && (n == p.capacity || untrue(p.refused))
	case !c.ok && c.kind == 'g':
		return holds, n == 0 || untrue(p.miss)
	case !c.ok:
		return holds, n == 0 || untrue(p.stolen)
	case n == 0:
		return nil, false
	case p.lifo && c.kind == 'g':
		return holds[:n-1], holds[n-1] == c.id
	}
	return holds[1:], holds[0] == c.id
}
