package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/interleave/peers/fixture"
)

func TestRowsAreHeldAgainstWhatWasAsked(t *testing.T) {
	asked := newRow(task{Tool: loom, Mode: exhaust, Script: fixture.Scripts[0]})
	line := `{"tool":"loom","mode":"exhaust","script":"PG","thieves":1,"steals":1,"capacity":4,"bug":"none",` +
		`"runs":7,"executions":29,"seconds":0.5,"complete":true,"found":false,"finding":""}`
	r, err := parseRow([]byte(line), asked)
	if err != nil || r.Executions != 29 || r.Runs != 7 || !r.Complete || r.rate() != 58 {
		t.Errorf("parseRow = %+v, %v", r, err)
	}
	for _, bad := range []string{"", strings.Replace(line, `"PG"`, `"PPG"`, 1), strings.Replace(line, `"runs":7`, `"runs":0`, 1)} {
		if _, err := parseRow([]byte(bad), asked); err == nil {
			t.Errorf("no error for %q", bad)
		}
	}
}

// TestBothSidesHaveTheSameBugs reads the names off the Rust source: a machine
// without Rust must see it too.
func TestBothSidesHaveTheSameBugs(t *testing.T) {
	source, err := sources.ReadFile("rust/src/bug.rs")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range regexp.MustCompile(`\("([a-z-]+)", Bug::`).FindAllSubmatch(source, -1) {
		names = append(names, string(m[1]))
	}
	want := []string{fixture.None.String()}
	for _, b := range fixture.Bugs() {
		want = append(want, b.String())
	}
	if strings.Join(names, " ") != strings.Join(want, " ") {
		t.Errorf("Rust has %q, Go %q", names, want)
	}
}

func TestPlan(t *testing.T) {
	l := limits{exhaust: time.Second, seeds: 2}
	if got, want := len(plan(l, regexp.MustCompile(""))), 2*6+5*len(fixture.Scripts)+7*len(fixture.Hunts); got != want {
		t.Errorf("%d tasks, want %d", got, want)
	}
	if got := plan(l, regexp.MustCompile("^loom exhaust PPGPG 2x1$")); len(got) != 1 {
		t.Errorf("tasks %+v, want one", got)
	}
}

func TestSourcesAreWrittenOnce(t *testing.T) {
	dir := t.TempDir()
	if err := writeSources(dir); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "rust", "src", "ring.rs")
	old := time.Now().Add(-time.Hour).Truncate(time.Second)
	if err := os.Chtimes(name, old, old); err != nil {
		t.Fatal(err)
	}
	if err := writeSources(dir); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(name); err != nil || !info.ModTime().Equal(old) {
		t.Errorf("written again: %v, %v", info, err)
	}
}

func TestTables(t *testing.T) {
	var out bytes.Buffer
	h := newRow(task{Tool: shuttle, Mode: hunt, Script: fixture.Hunts[0].Script, Size: "small"})
	found, lost := h, h
	found.Found, found.Executions, found.Seconds = true, 30, 0.002
	lost.Executions, lost.Seconds = 1000, 5
	e := newRow(task{Tool: loom, Mode: exhaust, Script: fixture.Scripts[0]})
	e.Complete, e.Executions, e.Seconds = true, 29, 0.5
	own := newRow(task{Tool: ourselves, Mode: exhaust, Program: "indexer 15"})
	own.Complete, own.Executions, own.Classes, own.CPU = true, 4100, 4096, 0.05
	theirs, err := earlier{}.run(t.Context(), task{Tool: genmc, Mode: exhaust, Program: "indexer 15"})
	if err != nil {
		t.Fatal(err)
	}
	printTables(&out, []row{own, theirs, e, found, lost})
	for _, want := range []string{
		`indexer 15 +spindle +SC, races +4100 +4096 +0\.050 +82000 +complete`,
		`indexer 15 +GenMC +SC \(-sc\) +4096 +4096 +1\.710 +2395 +published; CPU measured earlier, elsewhere`,
		`GenMC was not run`,
		`PG 1x1 +loom +C11, stale reads +29 +0\.5000 +0\.0000 +58 +- +complete`,
		`slots-after-cas +small +PPGPG 1x2 +2 +shuttle +SC, PCT +1 of 2 +30 +2\.00 +0\.0 +- +- +1000 in 5\.0 s`,
	} {
		if !regexp.MustCompile(want).Match(out.Bytes()) {
			t.Errorf("no %s in\n%s", want, &out)
		}
	}
	if strings.Contains(out.String(), "Random") {
		t.Errorf("a table of nothing in\n%s", &out)
	}
	out.Reset()
	if printTables(&out, []row{own}); strings.Contains(out.String(), "GenMC") {
		t.Errorf("a word about GenMC without a row of it in\n%s", &out)
	}
}

func TestRatios(t *testing.T) {
	s := fixture.Script{Owner: "PPGPG", Thieves: 2, Steals: 1, Capacity: 4}
	ours, other := newRow(task{Tool: ourselves, Mode: exhaust, Script: s}), newRow(task{Tool: loom, Mode: exhaust, Script: s})
	ours.Seconds, other.Seconds, other.Complete = 0.02, 60, false
	mine, theirs := newRow(task{Tool: ourselves, Mode: random, Script: s}), newRow(task{Tool: shuttle, Mode: random, Script: s})
	mine.Executions, mine.CPU = 600, 2
	theirs.Executions, theirs.CPU = 100, 1
	own := newRow(task{Tool: ourselves, Mode: exhaust, Program: "big0"})
	own.Complete, own.Classes, own.CPU = true, 69112, 0.62
	then, err := earlier{}.run(t.Context(), task{Tool: genmc, Mode: exhaust, Program: "big0"})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	printRatios(&out, []row{own, then, ours, other, mine, theirs})
	for _, want := range []string{"another machine, big0: 0.5 (wanted: 1)", "PPGPG 2x1: 3000, when it was cut (wanted: 100)", "PPGPG 2x1: 3.0 (wanted: 5)"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
	out.Reset()
	if printRatios(&out, []row{other}); out.Len() > 0 {
		t.Errorf("ratios of nothing: %s", &out)
	}
}

func TestMisuse(t *testing.T) {
	for _, args := range [][]string{{"-only", "("}, {"-only", "no such run"}, {"here"}, {"-limit", "soon"}} {
		var out bytes.Buffer
		if err := run(t.Context(), args, &out, &out); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}
