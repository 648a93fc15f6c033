package wakes

import (
	"maps"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/spec/explore"
	"github.com/spindle-go/spindle/spec/explore/machinetest"
	"github.com/spindle-go/spindle/spec/twolevel"
)

// kinds are the kinds of the steps of the two-level protocol.
var kinds = map[string]Kind{"Spawn": Spawn, "EnterSyscall": Syscall, "EnsureWake": Wake}

func machine(t *testing.T, kinds map[string]Kind, c Config) (*Machine[twolevel.State], explore.Machine[State[twolevel.State]]) {
	t.Helper()
	of, err := twolevel.New(twolevel.Config{Ps: 2, Ms: 3, Gs: 3, FirstM: []int{1, 2, 3}, FirstP: []int{1, 2}})
	if err != nil {
		t.Fatal(err)
	}
	m := New[twolevel.State](of, kinds, c)
	return m, m.Symmetric(of.Symmetric())
}

// TestMachine checks what the explorer takes the machine's word for, its symmetry too.
func TestMachine(t *testing.T) {
	t.Attr("req", "DN-WAKES")
	m, symmetric := machine(t, kinds, Config{Spawns: 1, Syscalls: 1, PerSpawn: 2, PerSyscall: 2})
	machinetest.Check(t, symmetric, 300_000, nil, m.Invariants()...)
}

func explored(t *testing.T, kinds map[string]Kind, c Config) explore.Result {
	t.Helper()
	m, symmetric := machine(t, kinds, c)
	r, err := explore.Explore(t.Context(), symmetric, explore.Options[State[twolevel.State]]{Invariants: m.Invariants()})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestCounts holds the bound and the limits; package tla/machine holds the counts against
// TLC's.
func TestCounts(t *testing.T) {
	t.Attr("req", "DN-WAKES")
	enough := Config{Spawns: 1, Syscalls: 1, PerSpawn: 2, PerSyscall: 2}
	if r := explored(t, kinds, enough); !r.Holds() {
		t.Errorf("expected two wake-ups for each to be enough, saw %+v", r.Violation)
	}
	less := enough
	less.PerSpawn = 1
	r := explored(t, kinds, less)
	if r.Violation == nil {
		t.Fatalf("expected one wake-up for a spawn not to be enough, saw that it is in %d states", r.Distinct)
	}
	m, _ := machine(t, kinds, less)
	taken := make(map[string]int)
	for _, s := range r.Violation.Trace[1:] {
		taken[m.Actions()[s.Step.Action]]++
	}
	last := r.Violation.Trace[len(r.Violation.Trace)-1].State.(State[twolevel.State])
	if int(last.Spawns) != taken["Spawn"] || int(last.Syscalls) != taken["EnterSyscall"] || int(last.Wakes) != taken["EnsureWake"] {
		t.Errorf("expected the numbers of %v, saw %d spawns, %d syscalls, %d wake-ups", taken, last.Spawns, last.Syscalls, last.Wakes)
	}
	never := maps.Clone(kinds)
	never["EnterSyscall"] = Never
	less.PerSpawn, less.PerSyscall = 2, 0
	if r := explored(t, never, less); !r.Holds() {
		t.Errorf("expected no syscall and so no wake-up for it, saw %+v", r.Violation)
	}
}

func TestFromConstants(t *testing.T) {
	good := map[string]string{"MaxSpawns": "3", "MaxSyscalls": "2", "PerSpawn": "2", "PerSyscall": "1", "Gs": "3"}
	values := maps.Clone(good)
	c, err := FromConstants(values)
	if err != nil || c != (Config{3, 2, 2, 1}) {
		t.Errorf("expected 3, 2, 2 and 1, saw %+v, %v", c, err)
	}
	if len(values) != 1 || values["Gs"] != "3" {
		t.Errorf("expected the protocol's constants to be left, saw %v", values)
	}
	for _, bad := range []struct{ name, value, want string }{
		{"MaxSpawns", "-1", "saw -1, 2 and 0"},
		{"MaxSyscalls", "251", "expected 0 to 250 spawns, syscalls and wake-ups, saw "},
		{"PerSpawn", "100", "saw 3, 2 and 302"},
		{"PerSyscall", "few", `constant PerSyscall: expected a number, saw "few"`},
	} {
		values := maps.Clone(good)
		values[bad.name] = bad.value
		if _, err := FromConstants(values); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%s = %s: expected an error with %q, saw %v", bad.name, bad.value, bad.want, err)
		}
	}
}
