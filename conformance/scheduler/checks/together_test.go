package checks

import (
	"testing"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/spec"
)

// TestTogether holds that the graphs by hand ask nothing of a scheduler that its contract leaves open, and that each contract has some.
func TestTogether(t *testing.T) {
	t.Attr("req", "SC-TOGETHER")
	for profile, n := range map[spec.Profile]int{
		spec.Pool: 23, spec.Pool + ",closes=alone": 21, spec.Pool + ",submits=one": 14, spec.Pool + ",waits=worker": 20,
	} {
		c, ok := profile.Scheduler()
		if !ok {
			t.Fatalf("%s: expected a contract of schedulers", profile)
		}
		list, names := together(facts{caps: scheduler.Capabilities{Spawn: true}, contract: c}), make(map[string]bool)
		for _, g := range list {
			p, err := g.Program()
			if err != nil || !comesToEnd(p, c) || names[g.Name] {
				t.Errorf("%s: %s: expected another name, and that it comes to its end, saw %v", profile, g.Name, err)
				continue
			}
			names[g.Name] = true
			submitters := 0
			for _, script := range p.Threads {
				if submitsIn(script) {
					submitters++
				}
			}
			if submitters > 1 && (c.Is("submits", spec.One) || p.Closes && c.Is("closes", spec.Alone)) {
				t.Errorf("%s: %s: %d threads submit", profile, g.Name, submitters)
			}
		}
		if len(list) != n {
			t.Errorf("%s: expected %d graphs, saw %d", profile, n, len(list))
		}
	}
}
