package stress

import (
	"runtime"
	"testing"

	"github.com/spindle-go/spindle/interleave/internal/engine"
)

// TestBegunAnew: an execution that is broken off, so that the exploration begins anew or without the reduction, is none of those that are asked for.
func TestBegunAnew(t *testing.T) {
	if !engine.Hosted {
		return
	}
	for name, does := range map[string]func(){
		"counts": func() { runtime.NumGoroutine() },
		"waits":  func() { c := make(chan bool); go close(c); <-c },
	} {
		for _, strategy := range []engine.Strategy{engine.Portfolio, engine.Exhaustive, engine.Random} {
			_, f, err := engine.Explore(engine.Options{Strategy: strategy, Executions: 1}, func(x *engine.Exec) {
				x.Go("a", func() { does(); step(); x.Fatalf("wrong") })
			})
			if err != nil || f == nil {
				t.Errorf("%s, %q: expected the one execution to be run to its end, and to fail; saw %v, %v", name, strategy, f, err)
			}
		}
	}
}
