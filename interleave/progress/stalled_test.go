package progress_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/impl/runq"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/interleave/progress"
	"github.com/spindle-go/spindle/internal/tier"
)

// TestRunQueueWithoutItsThreads: in the run queue nobody waits for anybody. A
// thread that is stopped for ever, wherever, keeps no put, get, steal or emptiness
// test from its end; only an overflow takes a lock, and one that is stopped with
// it keeps others from theirs.
func TestRunQueueWithoutItsThreads(t *testing.T) {
	tier.OnlyFull(t)
	payload, err := harness.Remote(t, func() ([]byte, error) {
		var reports []progress.Report
		for _, overflows := range []bool{false, true} {
			r, err := progress.Explore(func(x *interleave.Exec) {
				global := new(runq.Global)
				p := runq.NewP(global, runq.Config{Capacity: 2})
				thief := runq.NewP(global, runq.Config{Capacity: 2})
				gs := make([]runq.G, 6)
				if overflows {
					x.Go("owner", func() {
						for i := range 3 {
							progress.Do(x, "put", func() { p.Put(&gs[i], false) })
						}
					})
					x.Go("other", func() {
						for i := range 3 {
							progress.Do(x, "put", func() { thief.Put(&gs[3+i], false) })
						}
					})
					return
				}
				x.Go("owner", func() {
					progress.Do(x, "put", func() { p.Put(&gs[0], false) })
					progress.Do(x, "put next", func() { p.Put(&gs[1], true) })
					progress.Do(x, "get", func() { p.Get() })
				})
				x.Go("thief", func() { progress.Do(x, "steal", func() { thief.Steal(p, true) }) })
				x.Go("asks", func() { progress.Do(x, "empty", func() { p.Empty() }) })
			})
			if err != nil {
				return nil, err
			}
			reports = append(reports, r)
		}
		return json.Marshal(reports)
	}, interleave.NoRaces())
	if err != nil {
		t.Fatal(err)
	}
	var reports []progress.Report
	if err := json.Unmarshal(payload, &reports); err != nil || len(reports) != 2 {
		t.Fatalf("%v: %s", err, payload)
	}
	for i, want := range []map[string]bool{ // whether it blocks
		{"put": false, "put next": false, "get": false, "steal": false, "empty": false},
		{"put": true},
	} {
		r := &reports[i]
		var b strings.Builder
		r.Write(&b)
		t.Log("\n" + b.String())
		if !r.Complete || len(r.Operations) != len(want) {
			t.Errorf("%+v", r)
		}
		for _, op := range r.Operations {
			if blocks, ok := want[op.Name]; !ok || blocks != (op.Blocks != nil) {
				t.Errorf("%s: blocks: %+v, want %v", op.Name, op.Blocks, blocks)
			}
		}
	}
}
