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
	asked := newRow("loom", exhaust, fixture.Scripts[0])
	line := `{"tool":"loom","mode":"exhaust","script":"PG","thieves":1,"steals":1,"capacity":4,"bug":"none",` +
		`"executions":29,"seconds":0.5,"complete":true,"found":false,"finding":""}`
	r, err := parseRow([]byte(line), asked)
	if err != nil || r.Executions != 29 || !r.Complete || r.rate() != 58 {
		t.Errorf("parseRow = %+v, %v", r, err)
	}
	for _, bad := range []string{"", strings.Replace(line, `"PG"`, `"PPG"`, 1)} {
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
	l := limits{exhaust: time.Second, seeds: 2, own: 5}
	if got, want := len(plan(l, regexp.MustCompile(""))), 5*len(fixture.Scripts)+10*len(fixture.Hunts); got != want {
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
	h := newRow("shuttle", hunt, fixture.Hunts[0].Script)
	h.Size = "small"
	found, lost := h, h
	found.Found, found.Executions, found.Seconds = true, 30, 0.002
	lost.Executions, lost.Seconds = 1000, 5
	e := newRow("loom", exhaust, fixture.Scripts[0])
	e.Complete, e.Executions, e.Seconds = true, 29, 0.5
	printTables(&out, []row{e, found, lost})
	for _, want := range []string{
		`PG 1x1 +loom +29 +0\.5000 +0\.00 +58 +- +complete`,
		`slots-after-cas +small +PPGPG 1x2 +2 +shuttle PCT +1 of 2 +30 +2\.00 +0\.0 +- +- +1000 in 5\.0 s`,
	} {
		if !regexp.MustCompile(want).Match(out.Bytes()) {
			t.Errorf("no %s in\n%s", want, &out)
		}
	}
	if strings.Contains(out.String(), "Random") {
		t.Errorf("a table of nothing in\n%s", &out)
	}
}

func TestRatios(t *testing.T) {
	s := fixture.Script{Owner: "PPGPG", Thieves: 2, Steals: 1, Capacity: 4}
	ours, loom := newRow(ourselves, exhaust, s), newRow("loom", exhaust, s)
	ours.Seconds, loom.Seconds, loom.Complete = 0.02, 60, false
	mine, theirs := newRow(ourselves, random, s), newRow("shuttle", random, s)
	mine.Executions, mine.CPU = 600, 2
	theirs.Executions, theirs.CPU = 100, 1
	var out bytes.Buffer
	printRatios(&out, []row{ours, loom, mine, theirs})
	for _, want := range []string{"PPGPG 2x1: 3000, when it was cut (wanted: 100)", "PPGPG 2x1: 3.0 (wanted: 5)"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
	out.Reset()
	if printRatios(&out, []row{loom}); out.Len() > 0 {
		t.Errorf("ratios of nothing: %s", &out)
	}
}

// TestExplore explores a script and hunts for a bug as the command does, without
// Rust.
func TestExplore(t *testing.T) {
	s := fixture.Script{Owner: "PG", Thieves: 1, Steals: 1, Capacity: 4}
	if r, err := explore(s, exhaust, time.Minute, 0); err != nil || !r.Complete || r.Found {
		t.Errorf("exhaust: %+v, %v", r, err)
	}
	if r, err := explore(s, random, 10*time.Millisecond, 1); err != nil || r.Complete || r.Found || r.Executions == 0 {
		t.Errorf("random: %+v, %v", r, err)
	}
	for _, h := range fixture.Hunts {
		if r, err := explore(h.Script, hunt, time.Minute, 1); err != nil || !r.Found || r.Switches > 8 {
			t.Errorf("%v %s: %+v, %v", h.Script.Bug, h.Size, r, err)
		}
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
