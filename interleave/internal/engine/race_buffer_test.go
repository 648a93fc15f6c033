package engine_test

import (
	"fmt"
	"testing"

	. "github.com/spindle-go/spindle/interleave/internal/engine"
)

// TestBufferedAccess: a store in a buffer is an access of the thread that stored.
func TestBufferedAccess(t *testing.T) {
	PlainAccesses = true
	defer func() { PlainAccesses = false }()
	for _, c := range []struct {
		name    string
		race    bool
		threads []func(s *scene)
	}{
		{"its own word", false, []func(s *scene){func(s *scene) { set(&s.w); s.w.release(1); s.v.load(); get(&s.w) }}},
		{"published", false, []func(s *scene){
			func(s *scene) { set(&s.x); s.w.release(1); set(&s.y) },
			func(s *scene) {
				if s.w.load() == 1 {
					get(&s.x)
				}
			},
		}},
		{"after it was published", true, []func(s *scene){
			func(s *scene) { s.w.release(1); set(&s.x); s.v.load() },
			func(s *scene) {
				if s.w.load() == 1 {
					get(&s.x)
				}
			},
		}},
		{"beside plain", true, []func(s *scene){
			func(s *scene) { s.w.release(1) },
			func(s *scene) { get(&s.w) },
		}},
		{"beside plain that is seen later", true, []func(s *scene){
			func(s *scene) { s.w.release(1); s.v.load() },
			func(s *scene) { set(&s.w); s.v.store(1) },
		}},
	} {
		cert, f, err := Explore(Options{Strategy: Exhaustive, Bound: -1, TSO: true}, func(x *Exec) {
			s := new(scene)
			for i, th := range c.threads {
				x.Go(fmt.Sprint("t", i), func() { th(s) })
			}
		})
		if err != nil || (f != nil) != c.race || f != nil && f.Kind != DataRace {
			t.Errorf("%s: %v, %v, %v", c.name, cert, f, err)
		}
	}
}
