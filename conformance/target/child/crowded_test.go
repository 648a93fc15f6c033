package child

import (
	"strings"
	"testing"

	"github.com/spindle-go/spindle/spec/record"
)

// TestCrowded: a task that waits does not count as one that runs if the contract says that it leaves its worker, and counts if not.
func TestCrowded(t *testing.T) {
	one, two := 0, 1
	did := func(who int, step string) []record.TaskEvent {
		return []record.TaskEvent{{What: record.Does, Who: who, Step: step}, {What: record.Did, Who: who, Step: step}}
	}
	begins := func(who int) record.TaskEvent { return record.TaskEvent{What: record.Begins, Who: who} }
	ends := func(who int) record.TaskEvent { return record.TaskEvent{What: record.Ends, Who: who} }
	for name, c := range map[string]struct {
		events        []record.TaskEvent
		keeps, leaves bool // whether it has too many
	}{
		"one behind the other": {[]record.TaskEvent{begins(one), ends(one), begins(two), ends(two)}, false, false},
		"both":                 {[]record.TaskEvent{begins(one), begins(two), ends(one), ends(two)}, true, true},
		"one waits":            {[]record.TaskEvent{begins(one), did(one, "w0")[0], begins(two), ends(two), did(one, "w0")[1], ends(one)}, true, false},
		"one joins":            {[]record.TaskEvent{begins(one), did(one, "j1")[0], begins(two), ends(two), did(one, "j1")[1], ends(one)}, true, false},
		"one sleeps":           {[]record.TaskEvent{begins(one), did(one, "z5")[0], begins(two), ends(two), did(one, "z5")[1], ends(one)}, false, false},
		"goes on too early":    {[]record.TaskEvent{begins(one), did(one, "m0")[0], begins(two), did(one, "m0")[1], ends(two), ends(one)}, true, true},
		"has waited":           {append(append([]record.TaskEvent{begins(one)}, did(one, "w0")...), begins(two), ends(one), ends(two)), true, true},
		"spins":                {[]record.TaskEvent{begins(one), did(one, "h0")[0], begins(two), ends(two), did(one, "h0")[1], ends(one)}, true, true},
	} {
		for _, parks := range []bool{false, true} {
			want := c.keeps
			if parks {
				want = c.leaves
			}
			saw := 0
			for _, e := range crowded(&record.TaskProgram{Most: 1}, c.events, parks) {
				if e.What == record.TooMany && strings.HasPrefix(e.Text, "2 of 1") {
					saw++
				}
			}
			if saw > 0 != want {
				t.Errorf("%s, parks %v: expected too many: %v, saw %d", name, parks, want, saw)
			}
		}
	}
}
