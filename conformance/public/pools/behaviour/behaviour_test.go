package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTable measures two rows once: the table has its columns and these rows, and so has the file.
func TestTable(t *testing.T) {
	if cores < 2 {
		t.Skip("the rows need two cores")
	}
	md := filepath.Join(t.TempDir(), "table.md")
	var out, progress strings.Builder
	if code := run(t.Context(), []string{"-rounds", "1", "-run", "^(pingpong-ns|timer-late)$", "-md", md}, &out, &progress); code != exitPass {
		t.Fatalf("expected exit code %d, saw %d:\n%s%s", exitPass, code, &out, &progress)
	}
	var lines [][]string
	for l := range strings.Lines(out.String()) {
		if strings.HasPrefix(l, "|") {
			cells := strings.Split(strings.Trim(l, "|\n"), "|")
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			lines = append(lines, cells)
		}
	}
	if len(lines) != 4 || strings.Join(lines[0], "|") != strings.Join(columns, "|") || lines[2][0] != "pingpong-ns" || lines[3][0] != "timer-late" {
		t.Fatalf("expected the columns, a rule and two rows, saw\n%s", &out)
	}
	for _, cells := range lines[2:] {
		for i, name := range columns[:7] {
			if cells[i] == "" {
				t.Errorf("%s: expected something in the column %s, saw nothing", cells[0], name)
			}
		}
	}
	if file, err := os.ReadFile(md); err != nil || string(file) != padding.ReplaceAllString(out.String(), " ") {
		t.Errorf("expected the table in the file, saw %v\n%s", err, file)
	}
	if !strings.Contains(progress.String(), "2/2 timer-late") {
		t.Errorf("expected the progress, saw %q", &progress)
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-run ^nothing$", `no row is named "^nothing$"; the rows are ready-1p, `},
		{"-run (", "-run: error parsing regexp"},
		{"-unknown", "flag provided but not defined: -unknown"},
		{"-rounds 0", "-rounds: expected 1 or more, saw 0"},
		{"-timeout 0s", "-timeout: expected more than 0"},
		{"-md " + filepath.Join(t.TempDir(), "no", "x.md"), "-md: open"},
		{"ready-1p", `expected flags alone, saw "ready-1p"`},
	} {
		var out, progress strings.Builder
		if code := run(t.Context(), strings.Fields(c.args), &out, &progress); code != exitUsage || out.Len() > 0 || !strings.Contains(progress.String(), c.want) {
			t.Errorf("%s: expected exit code %d and %q, saw %d and %q", c.args, exitUsage, c.want, code, &progress)
		}
	}
	var progress strings.Builder
	if code := measure(t.Context(), []*result{{row: row{name: "x"}, why: "needs 99 cores"}}, &progress); code != exitUsage {
		t.Errorf("no row that can be measured: expected exit code %d, saw %d", exitUsage, code)
	}
}

// TestInterrupted: what was measured is printed, and what was not is marked.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	list := []*result{
		{row: row{name: "a", procs: 1, run: func(t *trial) { t.value = 2 }}, rounds: 1},
		{row: row{name: "b", procs: 1, run: func(t *trial) { cancel(); t.pause(bound) }}, rounds: 1},
		{row: row{name: "c", procs: 1}, rounds: 1},
	}
	code := measure(ctx, list, new(strings.Builder))
	text := table(list, 1, true)
	for _, want := range []string{"INCOMPLETE", "within 2x", "incomplete: 0 of 1 rounds", "not measured: interrupted"} {
		if !strings.Contains(text, want) {
			t.Errorf("expected %q, saw\n%s", want, text)
		}
	}
	if code != exitInterrupted {
		t.Errorf("expected exit code %d, saw %d", exitInterrupted, code)
	}
}

// TestFailure: a row whose scheduler does not close has failed, and the next is measured.
func TestFailure(t *testing.T) {
	list := []*result{
		{row: row{name: "panics", procs: 1, unwatched: true, run: func(t *trial) { t.do("the task", func(task) { panic("of the test") }) }}, rounds: 1},
		{row: row{name: "stays", procs: 1, unwatched: true, run: func(t *trial) { t.start(func(k task) { k.g.Park("for ever", nil) }) }}, rounds: 1},
		{row: row{name: "next", procs: 1, unwatched: true, run: func(t *trial) {}}, rounds: 1},
	}
	if code := measure(t.Context(), list, new(strings.Builder)); code != exitFail {
		t.Errorf("expected exit code %d, saw %d", exitFail, code)
	}
	text := table(list, 1, false)
	if !strings.Contains(text, "failed: sched: sched: G 1 panicked: of the test") || !strings.Contains(text, "failed: sched: sched: deadlock") || list[2].done != 1 {
		t.Errorf("expected two rows to fail, saw\n%s", text)
	}
}
