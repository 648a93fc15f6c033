package main

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/tier"
)

// These tests attack the command: each behaviour has its exit code. Children are the
// commands liar and hostile (liar_test.go).

// within makes the time of a scenario of a child short.
func within(t *testing.T, limit time.Duration) {
	old := scenarioTimeout
	scenarioTimeout = limit
	t.Cleanup(func() { scenarioTimeout = old })
}

// checked runs spindle check in this process, with a folder for findings.
func checked(t *testing.T, args ...string) (code int, out string) {
	t.Helper()
	var both bytes.Buffer
	code = spindle(t.Context(), append([]string{"check", "-seed", "1", "-out", t.TempDir()}, args...), strings.NewReader(""), &both, &both)
	return code, both.String()
}

// TestBudgetIsNoCrash: the run's own end is no finding about a child that is in the
// middle of a scenario.
func TestBudgetIsNoCrash(t *testing.T) {
	t.Attr("req", "RQ-CRASH")
	tier.OnlyFull(t)
	for _, c := range []struct{ budget, target string }{
		{"150ms", "exec:liar slow"}, {"700ms", "exec:liar slow"},
		{"60ms", "exec:spindle serve ref"}, {"300ms", "exec:spindle serve ref"}, {"900ms", "exec:spindle serve ref"},
	} {
		if code, out := checked(t, "-budget", c.budget, c.target); code != 3 || strings.Contains(out, "broken RQ-CRASH") {
			t.Errorf("%v: expected exit 3 and no finding, saw exit %d\n%s", c, code, out)
		}
	}
}

// TestHangs: a hang is tried again in a fresh child. One that comes again is a
// finding, one that does not is not.
func TestHangs(t *testing.T) {
	tier.NotShort(t)
	t.Attr("req", "RQ-CRASH")
	within(t, 300*time.Millisecond)
	code, out := checked(t, "-run", "^sequence/order$", "-budget", "2s", "exec:liar hangs")
	if code != 1 || !strings.Contains(out, "broken RQ-CRASH/hang, seen by sequence/order") || !strings.Contains(unwrapped(out), "no answer within 300ms (run again; before: no answer within 300ms)") {
		t.Errorf("always: expected exit 1 and both tries, saw exit %d\n%s", code, out)
	}
	t.Setenv("SPINDLE_INTERNAL_ONCE", filepath.Join(t.TempDir(), "once"))
	code, out = checked(t, "-run", "^sequence/order$", "exec:liar hangs once")
	if code != 3 || strings.Contains(out, "broken RQ-CRASH") || !strings.Contains(unwrapped(out), "no answer within 300ms; the same scenario ended when it was run again") {
		t.Errorf("once: expected exit 3 and both tries, saw exit %d\n%s", code, out)
	}
}

// TestKnownHidesNothing: a known failure does not hide another one of the same calls.
func TestKnownHidesNothing(t *testing.T) {
	known := filepath.Join(t.TempDir(), "known")
	if err := os.WriteFile(known, []byte("RQ-FIFO mask * https://example.com/1 newest first\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	code, out := checked(t, "-run", "^sequence/", "-known", known, "exec:liar mask")
	if code != 1 || !strings.Contains(out, "  broken RQ-GET-NONE/get, seen by ") || !regexp.MustCompile(`because mask: [^:]*RQ-GET-NONE[^:]* broken: shown above`).MatchString(unwrapped(out)) {
		t.Errorf("expected exit 1 and RQ-GET-NONE, saw exit %d\n%s", code, out)
	}
	// One that is not there is said to be of no use.
	if err := os.WriteFile(known, []byte("RQ-FIFO other * https://example.com/1 nobody\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, out := checked(t, "-run", "^sequence/order$", "-known", known, "exec:liar right"); code != 0 || !strings.Contains(out, "https://example.com/1") {
		t.Errorf("expected exit 0, and that the entry is not used, saw exit %d\n%s", code, out)
	}
}

// TestLies: calls that were not made, or not those that were asked for, are no pass.
func TestLies(t *testing.T) {
	exits := map[string]int{
		"right": 0, "empty": 4, "empty, gort": 4, "half": 4, "other": 4, "huge": 4, "refuse": 3, "capacity": 4, "named": 4,
	}
	for _, lie := range tier.Some(t, slices.Sorted(maps.Keys(exits)), 4) {
		want := exits[lie]
		for _, run := range []string{"^sequence/", "^stress/wrap$|^stress/steal$"} {
			if lie == "refuse" && run != "^sequence/" {
				continue // it waits for steals until the budget ends
			}
			code, out := checked(t, "-run", run, "-budget", "20s", "exec:liar "+lie)
			if code != want {
				t.Errorf("%s, %s: expected exit %d, saw %d\n%s", lie, run, want, code, out)
			}
			if strings.Contains(out, "\n::") || strings.Contains(out, "\npass: exit 0; 1 target, 24 checks") {
				t.Errorf("%s: a line of the child's:\n%s", lie, out)
			}
		}
	}
}

// TestEscapes: what a child says reaches neither the terminal nor the log as codes.
func TestEscapes(t *testing.T) {
	code, out := checked(t, "-run", "^sequence/order$", "-v", "exec:liar escapes")
	if code != 1 || !strings.Contains(out, "broken RQ-CRASH") || !strings.Contains(out, "pwned") {
		t.Errorf("expected exit 1, saw exit %d\n%s", code, out)
	}
	for line := range strings.Lines(out) {
		if strings.ContainsAny(line, "\x1b\a") || strings.HasPrefix(line, "::") || strings.HasPrefix(line, "##[") || strings.HasPrefix(line, "pass: ") {
			t.Errorf("the child wrote the line %q", line)
		}
	}
}

// TestEventsStay: a run that does not take place leaves the last one's events.
func TestEventsStay(t *testing.T) {
	file := filepath.Join(t.TempDir(), "events.ndjson")
	if code, out := checked(t, "-run", "^sequence/order$", "-json", file, "ref"); code != 0 {
		t.Fatalf("exit %d\n%s", code, out)
	}
	before, err := os.ReadFile(file)
	if err != nil || len(before) == 0 {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"-run", "^zzz"}, {"-run", "("}, {"-run", "VA-BACKOFF"}, {"nothing"}} {
		if code, _ := checked(t, append(args, "-json", file, "ref")...); code == 0 {
			t.Errorf("%v: expected another exit than 0", args)
		}
		if after, err := os.ReadFile(file); err != nil || !bytes.Equal(before, after) {
			t.Errorf("%v: expected the events of before, saw %d bytes, %v", args, len(after), err)
		}
		if left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), ".*")); len(left) > 0 {
			t.Errorf("%v: left %v", args, left)
		}
	}
}

// TestReplayWithoutAFooter: a stream whose end is missing is not taken for a whole one.
// There is no verdict, and it is said why.
func TestReplayWithoutAFooter(t *testing.T) {
	var events, progress bytes.Buffer
	if code := spindle(t.Context(), []string{"check", "-run", "^sequence/order$", "-json", "-", "ref"}, strings.NewReader(""), &events, &progress); code != 0 {
		t.Fatalf("exit %d\n%s", code, progress.String())
	}
	lines := strings.SplitAfter(strings.TrimSuffix(events.String(), "\n"), "\n")
	for _, c := range []struct {
		name, stream, says string
		code               int
	}{
		{"whole", events.String(), "", 0},
		{"without its footer", strings.Join(lines[:len(lines)-1], ""), "cut off", 4},
		{"with a part of its footer", strings.TrimSuffix(events.String(), "}\n"), "cut off", 4},
	} {
		var out, errs bytes.Buffer
		code := spindle(t.Context(), []string{"replay", "-"}, strings.NewReader(c.stream), &out, &errs)
		verdict := strings.Contains(out.String(), "pass: exit 0; ")
		if code != c.code || verdict != (c.code == 0) || !strings.Contains(errs.String(), c.says) || (c.says == "") != (errs.Len() == 0) {
			t.Errorf("%s: expected exit %d and %q, saw exit %d, a verdict %v, %q", c.name, c.code, c.says, code, verdict, errs.String())
		}
	}
}

// TestReplayOfAStream: what is read from standard input is read as a file is, and a
// pipe that never ends is left at an interrupt.
func TestReplayOfAStream(t *testing.T) {
	var events, out bytes.Buffer
	if code := spindle(t.Context(), []string{"check", "-run", "^sequence/order$", "-json", "-", "ref"}, strings.NewReader(""), &events, &out); code != 0 {
		t.Fatalf("exit %d\n%s", code, out.String())
	}
	out.Reset()
	if code := spindle(t.Context(), []string{"replay", "-"}, bytes.NewReader(events.Bytes()), &out, &out); code != 0 || !strings.Contains(out.String(), "pass: exit 0") {
		t.Errorf("expected exit 0, saw exit %d\n%s", code, out.String())
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	begin := time.Now()
	if code := spindle(ctx, []string{"replay", "-"}, r, &out, &out); code != 130 || time.Since(begin) > 2*time.Second {
		t.Errorf("expected exit 130 at once, saw exit %d after %v", code, time.Since(begin))
	}
	// What has no end is read up to a bound.
	if zero, err := os.Open("/dev/zero"); err == nil {
		defer zero.Close()
		out.Reset()
		if code := spindle(t.Context(), []string{"replay", "/dev/zero"}, strings.NewReader(""), &out, &out); code != 4 {
			t.Errorf("/dev/zero: expected exit 4, saw exit %d: %s", code, out.String())
		}
	}
}

// TestMisses: a child may be held to a contract that it does not state itself. It is told
// when gets may miss; one that does not heed that is not judged by such a contract.
func TestMisses(t *testing.T) {
	tier.OnlyFull(t)
	for _, c := range []struct {
		contract, target, want string
		code                   int
	}{
		{"fifo,get-miss=anytime", "exec:liar misses", "pass", 0},
		{"fifo", "exec:liar misses", "broken RQ-GET-NONE", 1},
		{"fifo,get-miss=anytime", "exec:liar misses unheeded", "it asks again where they do (misses)", 3},
		{"fifo,get-miss=anytime,steal-miss=never", "exec:liar right", "it asks again where they do (misses)", 3},
	} {
		code, out := checked(t, "-run", "^sequence/order$|^stress/", "-contract", c.contract, c.target)
		if code != c.code || !strings.Contains(unwrapped(out), c.want) {
			t.Errorf("%+v: saw exit %d\n%s", c, code, out)
		}
	}
}
