package checks

import (
	"slices"
	"testing"
)

// TestLocksOfTheSuite: a lock that has no place in the code is the suite's, and no reader knows it.
func TestLocksOfTheSuite(t *testing.T) {
	for _, c := range []struct {
		message, worded string
		ofScheduler     []string
	}{
		{"nobody can go on: T0 waits at Lock of object 5", "nobody can go on: T0 waits as its script says", []string{}},
		{"nobody can go on: T0 waits at Lock of object 5, held by T0.1 and T1, T0.1 waits at Lock of object 11", "nobody can go on: T0 waits as its script says, T0.1 waits in its task", []string{"T0.1 waits in its task"}},
		{"nobody can go on: T0 waits at p.mu.Lock (pool.go:9), held by T0.1, T0.1 (daemon) waits at Lock of object 11", "nobody can go on: T0 waits at p.mu.Lock (pool.go:9), held by T0.1, T0.1 (daemon) waits in its task", []string{"T0.1 (daemon) waits in its task"}},
		{"T0.1 repeats p.n.Load (pool.go:7), T0 waits at Lock of object 2, and nobody is left who could change what is read", "T0.1 repeats p.n.Load (pool.go:7), T0 waits as its script says, and nobody is left who could change what is read", []string{"T0.1 repeats p.n.Load (pool.go:7)"}},
		{"index out of range", "index out of range", nil},
	} {
		if got := worded(c.message); got != c.worded {
			t.Errorf("expected %q, saw %q", c.worded, got)
		}
		if got := ofScheduler(c.message); !slices.Equal(got, c.ofScheduler) || (got == nil) != (c.ofScheduler == nil) {
			t.Errorf("%s: expected %q, saw %q", c.message, c.ofScheduler, got)
		}
	}
}
