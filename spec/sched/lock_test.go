package sched

import "testing"

// The two places at which a fix alone holds the lock are no exceptions in the shipped
// code: the module's LockHeld falls there.
func TestLockHeldInShippedPlaces(t *testing.T) {
	t.Attr("req", "DN-LOCK")
	for _, c := range []struct {
		at  place
		fix string
	}{{handoffClear, "handoff_need"}, {batchPut, "batch_locked"}} {
		for _, fixed := range []bool{false, true} {
			config := Config{Ps: 1, Ms: 2, Gs: 2, RingCap: 4, FirstM: []int{1}, FirstP: []int{1}}
			if fixed {
				config.Fixes = []string{c.fix}
			}
			m, err := New(config)
			if err != nil {
				t.Fatal(err)
			}
			s := State{procs: allPs(1), lock: 1}
			s.ms[0].pc, s.ms[1].pc = c.at, unborn
			if m.lockHeld(&s) != fixed {
				t.Errorf("an M has the lock at %v, fixes %v: expected LockHeld %v, saw %v", c.at, config.Fixes, fixed, !fixed)
			}
			if s.lock = 0; !m.lockHeld(&s) {
				t.Errorf("nobody has the lock, an M is at %v, fixes %v: expected LockHeld, saw that it falls", c.at, config.Fixes)
			}
		}
	}
}
