package sched

import (
	"fmt"
	"slices"
	"testing"
	"unsafe"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/tier"
)

// A lockOrder is which kinds of locks were taken while others were held, in all executions of a test.
type lockOrder map[[2]string]bool

// add adds what an execution did. It returns a cycle, or nil. Two heaps of timers may be locked in any order under sched.lock: nobody
// else locks two.
func (o lockOrder) add(x *interleave.Exec, s *Scheduler) []string {
	kinds := make(map[int]string)
	name := func(lock unsafe.Pointer, kind string) {
		if n := harness.Object(x, lock); n >= 0 {
			kinds[n] = kind
		}
	}
	name(unsafe.Pointer(&s.global.Mutex), "sched.lock")
	name(unsafe.Pointer(&s.allg.mu), "allg")
	name(unsafe.Pointer(&s.allpLock), "allp")
	name(unsafe.Pointer(&s.gfree.mu), "gfree")
	name(unsafe.Pointer(&s.stacks.mu), "stacks")
	name(unsafe.Pointer(&s.worldsema.mu), "worldsema")
	name(unsafe.Pointer(&s.idlework.mu), "idlework")
	for _, p := range s.everyp {
		name(unsafe.Pointer(&p.timers.mu), "timers")
	}
	held := make(map[int][]int)
	for _, step := range harness.Taken(x) {
		kind := kinds[step.Object]
		mine := held[step.Thread]
		switch {
		case kind == "":
		case step.Kind == "Unlock":
			held[step.Thread] = slices.DeleteFunc(mine, func(n int) bool { return n == step.Object })
		case step.Kind == "Lock":
			for _, n := range mine {
				if kinds[n] != kind || !slices.ContainsFunc(mine, func(n int) bool { return kinds[n] == "sched.lock" }) {
					o[[2]string{kinds[n], kind}] = true
				}
			}
			held[step.Thread] = append(mine, step.Object)
		}
	}
	for edge := range o {
		if path := o.path(edge[1], edge[0], nil); path != nil {
			return append([]string{edge[0]}, path...)
		}
	}
	return nil
}

// path returns how one kind is reached from another, or nil.
func (o lockOrder) path(from, to string, seen []string) []string {
	seen = append(seen, from)
	if from == to {
		return seen
	}
	for edge := range o {
		if edge[0] == from && !slices.Contains(seen, edge[1]) {
			if path := o.path(edge[1], to, seen); path != nil {
				return path
			}
		}
	}
	return nil
}

// TestLockOrder: locks have an order. No two kinds are taken in either, whether an execution ends in a deadlock or not.
func TestLockOrder(t *testing.T) {
	tier.NotShort(t)
	t.Attr("req", "VA-LOCKS")
	for _, name := range []string{"spawn work", "idle work of two", "sleep beside work", "from two Ps to one, with a queue", "one P, again", "block beside work, retake, exit"} {
		t.Run(name, func(t *testing.T) {
			sc, order := sceneOf(t, name), make(lockOrder)
			interleave.Test(t, func(x *interleave.Exec) {
				s := begun(x, sc)
				x.Finally(func() {
					if cycle := order.add(x, s); cycle != nil {
						x.Fatalf("VA-LOCKS: expected that locks are taken in one order, saw %s", fmt.Sprint(cycle))
					}
				})
			}, interleave.Executions(300))
		})
	}
}
