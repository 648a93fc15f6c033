package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/tier"
)

// TestServeSchedulers: a scheduler in Go has the same verdicts in process and as a child, but of what a child does not offer.
func TestServeSchedulers(t *testing.T) {
	tier.NotShort(t)
	for name, broken := range map[string]string{"sched": "", "control-sched": "SC-TOGETHER"} {
		standings := func(target string) map[string]suite.Standing {
			file := filepath.Join(t.TempDir(), "events")
			code, out, errs := runSpindle(t.Context(), "check", "-seed", "1", "-run", "^stress/meet$", "-json", file, target)
			if want := map[bool]int{true: 0, false: 1}[broken == ""]; code != want {
				t.Errorf("%s: expected exit %d, saw %d\n%s%s", target, want, code, out, errs)
			}
			f, err := os.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			list := make(map[string]suite.Standing)
			if err := suite.ReadEvents(f, func(e suite.Event) {
				if e.Event == suite.RequirementEvent {
					list[e.Requirement.ID] = e.Requirement.Standing
				}
			}); err != nil {
				t.Fatal(err)
			}
			return list
		}
		here, there := standings(name), standings("exec:spindle serve "+name)
		compared := 0
		for id, s := range here {
			if there[id] == suite.NotOffered {
				if !slices.Contains([]string{"SC-CLOSE-WORKERS", "SC-THREADS", "SC-DEADLOCK", "SC-DEADLOCK-TRUE", "SC-WAKES"}, id) && s != suite.NotOffered && !strings.HasPrefix(id, "VA-") {
					t.Errorf("%s: %s is not offered by the child, and %v in process", name, id, s)
				}
				continue
			}
			if compared++; s != there[id] {
				t.Errorf("%s: %s: expected the same, saw %v in process and %v of the child", name, id, s, there[id])
			}
		}
		if compared < 10 || broken != "" && there[broken] != suite.Broken {
			t.Errorf("%s: %d requirements were compared; %s is %v", name, compared, broken, there[broken])
		}
	}
}
