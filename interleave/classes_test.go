package interleave_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/spindle-go/spindle/impl/runq"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/internal/tier"
)

// TestOneExecutionForEachClass: on the run queue, which knows nothing of this, the
// reduction runs at most 1.05 executions for each class that a search without
// reduction finds, and misses none.
func TestOneExecutionForEachClass(t *testing.T) {
	tier.OnlyFull(t)
	type count struct {
		Script, Thieves                     string
		Brute, Classes, Executions, Reduced int
	}
	scripts := []struct{ owner, thief string }{
		{"pg", "s"}, {"ng", "r"}, {"pg", "e"}, {"nn", "r"}, {"pp", "s"}, {"npg", "s"}, {"d", "s"}, {"pd", "s"}, {"ppp", "s"}, {"pppp", ""}, {"nng", "e"},
	}
	payload, err := harness.Remote(t, func() ([]byte, error) {
		var all []count
		for _, s := range scripts {
			body := func(x *engine.Exec) {
				global := new(runq.Global)
				p, thief := runq.NewP(global, runq.Config{Capacity: 2}), runq.NewP(global, runq.Config{Capacity: 2})
				x.Go("owner", func() {
					for i, c := range s.owner {
						switch c {
						case 'p', 'n':
							p.Put(&runq.G{ID: uint64(i + 1)}, c == 'n')
						case 'g':
							p.Get()
						case 'd':
							p.Drain()
						}
					}
				})
				if s.thief != "" {
					x.Go("thief", func() {
						switch s.thief {
						case "e":
							p.Empty()
						default:
							thief.Steal(p, s.thief == "r")
						}
					})
				}
			}
			classes, reduced := map[uint64]bool{}, map[uint64]bool{}
			o := engine.Options{Strategy: engine.DFS, Bound: -1, Executions: 400_000}
			o.Each = func(v *engine.View) bool { classes[v.Class()] = true; return true }
			brute, _, err := engine.Explore(o, body)
			if err != nil || !brute.Complete() {
				return nil, fmt.Errorf("%v: %v %v", s, brute, err)
			}
			o = engine.Options{Strategy: engine.Exhaustive}
			o.Each = func(v *engine.View) bool { reduced[v.Class()] = true; return true }
			few, _, err := engine.Explore(o, body)
			if err != nil || !few.Complete() {
				return nil, fmt.Errorf("%v: %v %v", s, few, err)
			}
			all = append(all, count{s.owner, s.thief, brute.Executions, len(classes), few.Executions, len(reduced)})
		}
		return json.Marshal(all)
	}, interleave.NoRaces())
	if err != nil {
		t.Fatal(err)
	}
	var all []count
	if err := json.Unmarshal(payload, &all); err != nil || len(all) != len(scripts) {
		t.Fatal(err, string(payload))
	}
	for _, c := range all {
		t.Logf("%s against %s: %d executions, %d classes; reduced %d executions", c.Script, c.Thieves, c.Brute, c.Classes, c.Executions)
		if c.Reduced != c.Classes || float64(c.Executions) > 1.05*float64(c.Classes) {
			t.Errorf("%+v, want all %d classes in at most %.0f executions", c, c.Classes, 1.05*float64(c.Classes))
		}
	}
}
