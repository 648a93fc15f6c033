package main

import (
	"context"
	"errors"
	"flag"
	"os/exec"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
)

// TestOverlay holds that the runtime is among the variants, in the same process
// as the others, and that the test of what they do passes for it.
func TestOverlay(t *testing.T) {
	tier.OnlyFull(t)
	if testing.Short() {
		t.Skip("compiles the standard library")
	}
	var out, errs strings.Builder
	if err := overlay(t.Context(), []string{"-bench", "PutGet|Steal/8", "-benchtime", "1us", "-count", "2"}, &out, &errs); err != nil {
		t.Fatalf("%v: %s", err, &errs)
	}
	for _, name := range []string{"PutGet/impl", "PutGet/mutex", "PutGet/channel", "PutGet/runtime", "PutGetNext/runtime", "Steal/8/runtime"} {
		if n := strings.Count(out.String(), "Benchmark"+name); n != 2 {
			t.Errorf("%s was run %d times, want 2:\n%s", name, n, &out)
		}
	}
	binary, err := build(t.Context(), "", t.TempDir(), t.Output())
	if err != nil {
		t.Fatal(err)
	}
	text, err := exec.CommandContext(t.Context(), binary, "-test.run", "TestSubjects/runtime", "-test.v").CombinedOutput()
	if err != nil || !strings.Contains(string(text), "--- PASS: TestSubjects/runtime") {
		t.Errorf("%v: %s", err, text)
	}
}

func TestOverlayFails(t *testing.T) {
	for _, c := range []struct {
		args string
		is   error
		says string
	}{
		{"-x", errUsage, "-x"},
		{"-h", flag.ErrHelp, "-benchtime"},
		{"-count 0", errUsage, "positive numbers"},
		{"PutGet", errUsage, "no arguments"},
		{"-go /no/such/go", nil, "/no/such/go"},
	} {
		var out, errs strings.Builder
		err := overlay(t.Context(), strings.Fields(c.args), &out, &errs)
		if err == nil || c.is != nil && !errors.Is(err, c.is) || !strings.Contains(errs.String()+err.Error(), c.says) || out.Len() > 0 {
			t.Errorf("overlay %s: %v, wrote %q and %q; want an error that says %q", c.args, err, &out, &errs, c.says)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := overlay(ctx, nil, &strings.Builder{}, &strings.Builder{}); err == nil {
		t.Error("no error after an interrupt")
	}
}
