package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/target/child/hostile"
	"github.com/spindle-go/spindle/internal/tier"
)

// TestExploringChild: a child that explores is judged by what it tells, and by calls in a
// fixed order, under its own contract and under another. It runs no threads freely.
func TestExploringChild(t *testing.T) {
	tier.NotShort(t)
	seed := 0
	for hostile.Of(uint64(seed)).Deed != "explored: nothing" {
		seed++
	}
	child := fmt.Sprintf("exec:hostile %d", seed)
	for _, args := range [][]string{{child}, {"-contract", "core", child}, {"-contract", "fifo,empty=quiet", child}} {
		code, out := checked(t, append([]string{"-v", "-run", "^(interleave/|stress/steal$|sequence/order$)"}, args...)...)
		text := unwrapped(out)
		for _, want := range []string{"complete by whole-calls as the target says; ", "the target explores its executions, and runs no threads freely", "positive control: interleave/explored caught"} {
			if code != 0 || !strings.Contains(text, want) {
				t.Errorf("%v: expected exit 0 and %q, saw exit %d\n%s", args, want, code, out)
			}
		}
		if strings.Contains(text, "interleave/all") || strings.Contains(text, "of 0 executions") {
			t.Errorf("%v: expected no check of our own explorer, saw\n%s", args, out)
		}
	}
	// By a contract that it does not keep it falls, and no threads were needed.
	code, out := checked(t, "-run", "^interleave/explored$", "-contract", "lifo-deque", child)
	if code != 1 || !strings.Contains(out, "broken RQ-LIFO, seen by interleave/explored") || !strings.Contains(unwrapped(out), "-contract lifo-deque") {
		t.Errorf("expected exit 1 by RQ-LIFO, saw exit %d\n%s", code, out)
	}
}
