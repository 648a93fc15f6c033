package mutants

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/spec"
)

// print shows a matrix that is not what it should be.
func print(t *testing.T, m *Matrix) {
	t.Helper()
	var b strings.Builder
	m.Print(&b)
	t.Log("\n" + b.String())
}

// TestThree has the quickest witness judge three mutants.
func TestThree(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command four times")
	}
	m, err := Run(t.Context(), Options{Root: "..", IDs: []string{"G-1", "Q-21", "E-3"}, Witnesses: []spec.Witness{spec.Sequence}})
	if err != nil {
		t.Fatal(err)
	}
	if m.Exit() != 0 || len(m.Rows) != 3 || m.Counts()[Killed] != 2 || m.Counts()[Unseen] != 1 {
		print(t, &m)
		t.Errorf("exit %d, expected two mutants killed and one equivalent; to see it: go run ./cmd/spindle mutants -run sequence G-1 Q-21 E-3", m.Exit())
	}
	if c := m.Rows[0].Cells[0]; c.Fell["RQ-CAPACITY"] != 1 || c.Named != 1 || c.Median() <= 0 {
		t.Errorf("G-1: %+v, expected RQ-CAPACITY to fall", c)
	}
}

// TestWhole has every witness judge every mutant that it must see.
func TestWhole(t *testing.T) {
	if os.Getenv("SPINDLE_LONG") == "" {
		t.Skip("takes many minutes; SPINDLE_LONG=1 runs it")
	}
	m, err := Run(t.Context(), Options{Root: "..", OnlyNamed: true, Progress: func(s string) { t.Log(s) }})
	if err != nil {
		t.Fatal(err)
	}
	print(t, &m)
	if m.Exit() != 0 || len(m.Rows) != len(Catalogue()) {
		t.Errorf("exit %d, %d of %d mutants", m.Exit(), len(m.Rows), len(Catalogue()))
	}
}

func TestBroken(t *testing.T) {
	m, err := Run(t.Context(), Options{Root: "..", IDs: []string{"G-1"}, Command: "./mutants", Witnesses: []spec.Witness{spec.Sequence}})
	if err != nil {
		t.Fatal(err)
	}
	if m.Exit() != 4 || len(m.Rows) != 0 || len(m.Baseline) != 1 || m.Baseline[0].Error == "" {
		t.Errorf("a command that is none: exit %d, %+v", m.Exit(), m)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	begin := time.Now()
	m, err := Run(ctx, Options{Root: "..", Witnesses: []spec.Witness{spec.Sequence}, Progress: func(string) { cancel() }})
	if err != nil {
		t.Fatal(err)
	}
	if m.Exit() != 130 || !m.Interrupted || len(m.Rows) > 0 {
		t.Errorf("exit %d, %+v", m.Exit(), m)
	}
	if d := time.Since(begin); d > 10*time.Second {
		t.Errorf("the interrupt took %v", d)
	}
}

func TestUsage(t *testing.T) {
	for _, o := range []Options{
		{Root: "..", IDs: []string{"G-99"}},
		{Root: "..", Witnesses: []spec.Witness{"guess"}},
		{Root: t.TempDir()},
	} {
		if _, err := Run(t.Context(), o); !errors.Is(err, ErrUsage) {
			t.Errorf("%+v: error %v, want ErrUsage", o, err)
		}
	}
}
