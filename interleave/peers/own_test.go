package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/interleave/peers/fixture"
	"github.com/spindle-go/spindle/internal/tier"
)

// TestOwnSide builds the instrumented copy and runs tasks with it, as the command
// does, without Rust.
func TestOwnSide(t *testing.T) {
	tier.OnlyFull(t)
	own, err := buildOwn(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	ask := func(k task) row {
		k.Tool = ourselves
		r, err := own.run(t.Context(), k)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	s := fixture.Script{Owner: "PG", Thieves: 1, Steals: 1, Capacity: 4}
	if r := ask(task{Mode: exhaust, Script: s, Limit: time.Minute}); !r.Complete || r.Found || r.Executions < 2 || r.Runs < 2 || r.CPU == 0 {
		t.Errorf("exhaust: %+v", r)
	}
	if r := ask(task{Mode: random, Script: s, Limit: 10 * time.Millisecond, Seed: 1}); r.Complete || r.Found || r.Executions == 0 || r.Runs != 1 {
		t.Errorf("random: %+v", r)
	}
	for _, h := range fixture.Hunts {
		if r := ask(task{Mode: hunt, Script: h.Script, Size: h.Size, Limit: time.Minute, Seed: 1}); !r.Found || r.Switches > 8 {
			t.Errorf("%v %s: %+v", h.Script.Bug, h.Size, r)
		}
	}
	if r := ask(task{Mode: exhaust, Program: "casw 4", Limit: time.Minute}); !r.Complete || r.Classes != 1200 {
		t.Errorf("casw 4: %+v", r)
	}
	if r, err := own.run(t.Context(), task{Tool: ourselves, Mode: exhaust, Program: "nothing", Limit: time.Minute}); err == nil {
		t.Errorf("a program that there is not: %+v", r)
	}
}

// TestSameForAll: short searches are repeated for as long on both sides.
func TestSameForAll(t *testing.T) {
	rust, err := sources.ReadFile("rust/src/outcome.rs")
	if err != nil {
		t.Fatal(err)
	}
	if want := "AT_LEAST: Duration = Duration::from_millis(" + regexp.MustCompile(`\d+`).FindString(atLeast.String()) + ")"; !strings.Contains(string(rust), want) {
		t.Errorf("expected %q in outcome.rs; observed another time for which short searches are repeated", want)
	}
}

// TestWhatIsNotThere: without a go command and cargo, what was published is left,
// and it is said what was not run.
func TestWhatIsNotThere(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	var out, said bytes.Buffer
	err := run(t.Context(), []string{"-only", "exhaust (big0|PG 1x1)"}, &out, &said)
	if err != nil || !strings.Contains(out.String(), "published;") {
		t.Errorf("expected the row of GenMC; observed %v\n%s", err, &out)
	}
	for _, want := range []string{"no go command", "no cargo"} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("expected %q to be said; observed %q", want, &said)
		}
	}
	if err := run(t.Context(), []string{"-only", "^loom exhaust PG 1x1"}, &out, &said); err == nil || !strings.Contains(err.Error(), "no cargo") {
		t.Errorf("expected an error about cargo; observed %v", err)
	}
}

// TestComparedPrograms: each has a published count.
func TestComparedPrograms(t *testing.T) {
	for _, c := range compared {
		r, err := earlier{}.run(t.Context(), task{Tool: genmc, Mode: exhaust, Program: c.program})
		if err != nil || r.Executions < 1000 || r.starved() {
			t.Errorf("%s: %+v, %v", c.program, r, err)
		}
	}
}

// TestCheckout runs a script in place of GenMC: what it prints is read, and held
// against what was published.
func TestCheckout(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a shell script stands in for GenMC")
	}
	dir := t.TempDir()
	big0 := task{Tool: genmc, Mode: exhaust, Program: "big0", Limit: time.Minute}
	if _, err := checkout(dir).run(t.Context(), big0); err == nil || !strings.Contains(err.Error(), "expected a checkout") {
		t.Errorf("expected an error about the checkout; observed %v", err)
	}
	print := func(complete int) {
		script := fmt.Sprintf("#!/bin/sh\necho Number of complete executions explored: %d\necho Number of blocked executions seen: 5\n", complete)
		if err := os.WriteFile(filepath.Join(dir, "genmc"), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	print(69112)
	if r, err := measure(t.Context(), checkout(dir), big0); err != nil || r.Executions != 69117 || r.Classes != 69112 || r.Earlier || r.Attempts != attempts {
		t.Errorf("%+v, %v", r, err)
	}
	print(69111)
	if r, err := checkout(dir).run(t.Context(), big0); err == nil {
		t.Errorf("expected an error about the number of executions; observed %+v", r)
	}
}
