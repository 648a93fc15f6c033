package features

import (
	"context"
	"fmt"
	"math/bits"
	"sync"

	"github.com/spindle-go/spindle/spec/explore"
	"github.com/spindle-go/spindle/spec/sched"
	"github.com/spindle-go/spindle/tla/variant"
)

// enough is how many states are visited to see which actions a feature has.
const enough = 200_000

// owned is what own found: it depends on nothing that is asked.
var owned struct {
	sync.Mutex
	by map[string]map[string]bool
}

// own are the actions of a feature: those that are taken with it, and with at most one
// other feature alone, and not with none. With shrink there is none: it acts where there
// are fewer Ps.
func (k *Asker) own(ctx context.Context) (map[string]map[string]bool, error) {
	owned.Lock()
	defer owned.Unlock()
	if owned.by != nil {
		return owned.by, nil
	}
	taken := make(map[string]map[string]bool)
	takers := make(map[string]int)
	for _, of := range Singles() {
		a, err := ask(ctx, Config(of, variant.Mended(), Size{Ps: 2, Gs: 2, Ms: 3}), false, nil, Limits{States: enough, Workers: k.Limits.Workers})
		if err != nil {
			return nil, err
		}
		taken[Name(of)] = a.Taken
	}
	for _, of := range Singles() {
		for name := range taken[Name(of)] {
			// What it needs beside it takes its steps, too.
			if more := beside(of); len(more) > 0 && taken[more[0]][name] {
				taken[Name(of)][name] = false
			}
		}
		for name, is := range taken[Name(of)] {
			if is {
				takers[name]++
			}
		}
	}
	none := taken[Name(nil)]
	for f := range taken {
		if f == Name(nil) {
			continue
		}
		some := false
		for name := range taken[f] {
			taken[f][name] = taken[f][name] && takers[name] <= 2 && !none[name]
			some = some || taken[f][name]
		}
		if !some && f != "shrink" {
			return nil, fmt.Errorf("features: expected actions of %s, saw none in %d states", f, enough)
		}
	}
	owned.by = taken
	return taken, nil
}

// both says of a state whether both of two features act there.
type both struct {
	of      [2]map[string]bool // the names of the actions of one of them alone
	number  [2][256]bool
	shrinks int // which of them is shrink, or -1
	procs   int // how many Ps there are at most
}

func (k *Asker) both(ctx context.Context, pair [2]string, c *sched.Config) (*both, error) {
	b := &both{shrinks: -1, procs: c.Ps}
	all, err := k.own(ctx)
	if err != nil {
		return nil, err
	}
	for i, f := range pair {
		if f == "shrink" {
			b.shrinks = i
		}
	}
	m, err := sched.New(*c)
	if err != nil {
		return nil, err
	}
	for i, f := range pair {
		b.of[i] = make(map[string]bool)
		for n, name := range m.Actions() {
			if all[f][name] && !all[pair[1-i]][name] {
				b.of[i][name] = true
				b.number[i][n] = true
			}
		}
	}
	return b, nil
}

// act reports whether in s, of which these are the steps, one takes a step of the one
// feature and another a step of the other. shrink acts as long as there are fewer Ps.
func (b *both) act(s *sched.State, steps []explore.Edge[sched.State]) bool {
	var actors [2]uint32
	for i := range steps {
		step := steps[i].Step
		for f := range actors {
			if b.number[f][step.Action] {
				actors[f] |= 1 << step.Actor
			}
		}
	}
	if b.shrinks >= 0 {
		return s.Procs() < b.procs && actors[1-b.shrinks] != 0
	}
	one, other := actors[0], actors[1]
	return one != 0 && other != 0 && (one != other || bits.OnesCount32(one) > 1)
}

// took reports whether in a's searches both took a step.
func (b *both) took(a *Answer) bool {
	for f := range b.of {
		some := f == b.shrinks
		for name := range b.of[f] {
			some = some || a.Taken[name]
		}
		if !some {
			return false
		}
	}
	return true
}
