package designs

import (
	"fmt"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec/record"
)

// Scripts of an owner and of thieves, and of threads that all put and get.
var (
	oneOwner = []string{
		"ppgpg ss s", "pgpg s s", "pgpgp s s", "pppgg s s", "ppgp s e", "pgpg s ee", "ppg ss ee", "ppp s se",
		"pgpg es s", "ppgpp ss", "ppgpgpg se", "pp s e e", "pspg s", "ppgppgg s",
		"pg s s", "pg s e", "pp s s", "pp s e", "ppg s", "pgp s e", "ppp ss", "pgpg s", "pgpg e", "ppgg se",
	}
	several = []string{
		"pp pp gg", "p p gg", "pg pg", "pp p gg", "pp p ge", "p pg ee", "ppp g s", "pg pg g",
		"ppp pp g", "p p p gg", "pe pe g", "pg pe s", "ppp gp s",
	}
)

// newPrivate and newTwoLock are factories, of which nothing can be asked.
var (
	newPrivate = queue.Single(NewPrivate)
	newTwoLock = queue.Single(NewTwoLock)
)

// near starts the indices just below their end.
func near(capacity int) queue.Options { return queue.Options{Capacity: capacity, Start: ^uint32(0)} }

// What each design promises, as its comment says.
var (
	promisesABP     = promises{lifo: true, stolen: "s", refused: any}
	promisesSplit   = promises{lifo: true, stolen: any, refused: "s"}
	promisesPrivate = promises{lifo: true, stolen: any}
	promisesVyukov  = promises{miss: "p", stolen: "p", refused: "gs", yes: "p"}
	promisesOne     = promises{refused: "gs"} // of Vyukov, while one thread puts
	promisesAll     = promises{}              // nothing is ever off
)

func (p promises) of(capacity int) promises {
	p.capacity = capacity
	return p
}

// TestPromises holds that each design keeps what it promises, in all
// interleavings of each script, or of the longest ones in so many.
func TestPromises(t *testing.T) {
	tier.OnlyFull(t)
	type one struct {
		name     string
		factory  queue.Factory
		capacity int
		promises promises
		script   string
	}
	var all []one
	for _, d := range []struct {
		name       string
		factory    queue.Factory
		promises   promises
		capacities []int // 0: there is none
		limited    bool
		scripts    []string
	}{
		{"abp", NewABP, promisesABP, []int{1, 2, 3}, true, oneOwner},
		{"split", NewSplit, promisesSplit, []int{1, 2, 4}, true, oneOwner},
		{"private", newPrivate, promisesPrivate, []int{0}, false, oneOwner},
		{"vyukov, one puts", NewVyukov, promisesOne, []int{2, 4}, true, oneOwner},
		{"vyukov", NewVyukov, promisesVyukov, []int{2, 4}, true, several},
		{"segments, one puts", NewSegments, promisesAll, []int{1, 2, 3}, false, oneOwner},
		{"segments", NewSegments, promisesAll, []int{1, 2, 3}, false, several},
		{"two locks, one puts", newTwoLock, promisesAll, []int{0}, false, oneOwner},
		{"two locks", newTwoLock, promisesAll, []int{0}, false, several},
	} {
		for _, c := range d.capacities {
			p := d.promises
			if d.limited {
				p = p.of(c)
			}
			for _, s := range d.scripts {
				all = append(all, one{d.name, d.factory, c, p, s})
			}
		}
	}
	for _, d := range tier.Some(t, all, 5) {
		t.Run(fmt.Sprintf("%s/%d/%s", d.name, d.capacity, d.script), func(t *testing.T) {
			scripted(t, d.factory, near(d.capacity), d.promises, d.script, interleave.Executions(tier.N(t, 5_000, 20_000)))
		})
	}
}

// TestPromisesAreNeeded holds that none of the promises could be a stronger one:
// each answer that may be untrue is so somewhere.
func TestPromisesAreNeeded(t *testing.T) {
	tier.OnlyFull(t)
	change := func(p promises, to func(*promises)) promises {
		to(&p)
		return p
	}
	for _, c := range []struct {
		name     string
		factory  queue.Factory
		promises promises
		script   string
	}{
		{"abp, a steal loses to a steal", NewABP, change(promisesABP, func(p *promises) { p.stolen = "pge" }), "ppp s se"},
		{"abp, refused while nobody is at work", NewABP, change(promisesABP, func(p *promises) { p.refused = "pgse" }), "ppgpp ss"},
		{"split, no steal while nobody is at work", NewSplit, change(promisesSplit, func(p *promises) { p.stolen = "pgse" }), "ppp s se"},
		{"split, refused", NewSplit, change(promisesSplit, func(p *promises) { p.refused = "pge" }), "ppp s se"},
		{"private, no steal while nobody is at work", newPrivate, change(promisesPrivate, func(p *promises) { p.stolen = "pgse" }), "pp s e e"},
		{"vyukov, refused", NewVyukov, change(promisesOne, func(p *promises) { p.refused = "pe" }), "ppp s se"},
		{"vyukov, a get", NewVyukov, change(promisesVyukov, func(p *promises) { p.miss = "gse" }), "pg pg"},
		{"vyukov, a steal", NewVyukov, change(promisesVyukov, func(p *promises) { p.stolen = "gse" }), "pg pe s"},
		{"vyukov, empty", NewVyukov, change(promisesVyukov, func(p *promises) { p.yes = "gse" }), "p pg ee"},
	} {
		t.Run(c.name, func(t *testing.T) {
			scripted(t, c.factory, near(2), c.promises.of(capacityOf(c.factory)), c.script, interleave.MustFail(func(interleave.Report) {}))
		})
	}
}

// capacityOf returns 2 for a factory of queues with a bound, and 0 for another.
func capacityOf(f queue.Factory) int {
	if s, err := f(queue.Options{Ps: 1, Capacity: 2}); err == nil {
		if b, ok := s.P(0).(queue.Bounded); ok {
			return b.Cap()
		}
	}
	return 0
}

// TestTagWraps holds that a deque's tags go past their end.
func TestTagWraps(t *testing.T) {
	s, err := NewABP(queue.Options{Ps: 1, Capacity: 1})
	if err != nil {
		t.Fatal(err)
	}
	q := s.P(0).(*ABP)
	q.age.Store(newAge(^uint32(0), 0))
	for id := record.ID(1); id < 4; id++ {
		if !q.Put(id) || q.Put(9) || q.Empty() {
			t.Fatalf("expected room for %d alone", id)
		}
		if got, ok := q.Get(); got != id || !ok || !q.Empty() {
			t.Fatalf("got %d, %v, want %d", got, ok, id)
		}
	}
	if tag, _ := splitAge(q.age.Load()); tag != 2 {
		t.Errorf("tag is %d, want 2 after three new starts", tag)
	}
}

// TestABPRefuses holds that what thieves emptied is free only when the owner
// has found nothing.
func TestABPRefuses(t *testing.T) {
	s, err := NewABP(queue.Options{Ps: 1, Capacity: 2})
	if err != nil {
		t.Fatal(err)
	}
	q := s.P(0).(*ABP)
	q.Put(1)
	q.Put(2)
	q.Steal()
	q.Steal()
	if !q.Empty() || q.Len() != 0 || q.Put(3) {
		t.Error("a put at the end of the array")
	}
	if _, ok := q.Get(); ok || !q.Put(3) {
		t.Error("no put after the owner found nothing")
	}
}

// TestCapacities holds that a factory says which capacities it cannot make.
func TestCapacities(t *testing.T) {
	for name, c := range map[string]struct {
		factory queue.Factory
		good    []int
		bad     []int
	}{
		"abp":      {NewABP, []int{0, 1, 2, 3}, []int{-1}},
		"split":    {NewSplit, []int{0, 1, 2, 4}, []int{-1, 3}},
		"vyukov":   {NewVyukov, []int{0, 2, 4}, []int{-2, 1, 3}},
		"segments": {NewSegments, []int{0, 1, 2, 3}, []int{-1}},
	} {
		for _, n := range c.good {
			if s, err := c.factory(queue.Options{Ps: 2, Capacity: n}); err != nil || s.P(0) == s.P(1) {
				t.Errorf("%s: capacity %d: expected two queues, saw %v, %v", name, n, s, err)
			}
		}
		for _, n := range c.bad {
			if _, err := c.factory(queue.Options{Ps: 2, Capacity: n}); err == nil {
				t.Errorf("%s: capacity %d: expected an error", name, n)
			}
		}
	}
}
