package command

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/sample"
	"github.com/spindle-go/spindle/tla"
	"github.com/spindle-go/spindle/tla/tlc/tlctest"
)

// onlyModels makes the table of models rows of it, which change changes.
func onlyModels(t *testing.T, change func(*tla.Model), names ...string) {
	t.Helper()
	models := tla.Models
	t.Cleanup(func() { tla.Models = models })
	var rows []tla.Model
	for _, name := range names {
		m, err := tla.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		row := *m
		change(&row)
		rows = append(rows, row)
	}
	tla.Models = rows
}

// A row that no machine can have is left to TLC, which is said.
func TestModelWithoutAMachine(t *testing.T) {
	onlyModels(t, func(m *tla.Model) { m.Module = "Elsewhere" }, "sched-mended")
	const why = "sched-mended: module Elsewhere has no machine in Go\n"
	if code, _, errs := run(t.Context(), "model", "sched-mended"); code != 2 || !strings.Contains(errs, "TLC alone answers "+why) {
		t.Errorf("saw %d, %s", code, errs)
	}
	if _, out, _ := run(t.Context(), "model"); !strings.Contains(out, "left to TLC: "+why) {
		t.Errorf("saw %s", out)
	}
}

// An interrupt in the middle of a run ends it with what it has.
func TestModelInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	code, out, errs := run(ctx, "model", "-jobs", "1", "-set", "full")
	if code != 130 || !strings.Contains(out, "interrupted: exit 130; ") || !strings.Contains(errs, "interrupted; the results are partial") {
		t.Errorf("saw %d\n%s%s", code, out, errs)
	}
}

// What cannot be printed ends the run.
func TestModelWhenNobodyReads(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	defer w.Close()
	var errs bytes.Buffer
	code := program.Run(t.Context(), []string{"model", "-jobs", "1"}, strings.NewReader(""), w, &errs)
	if code == 0 || !strings.Contains(errs.String(), "interrupted") && !strings.Contains(errs.String(), "not whole") {
		t.Errorf("saw %d, %s", code, errs.String())
	}
}

// The same counterexample by TLC and by the machine: as long, by the same
// property, of the same requirement.
func TestModelFindsWhatTLCFinds(t *testing.T) {
	sample.OneIn(t, 2)
	t.Attr("req", "DN-WORK-RESCUER")
	tlctest.Find(t)
	columns := func(text string) (found []string) {
		for line := range strings.Lines(text) {
			switch word, _, _ := strings.Cut(strings.TrimSpace(line), " "); word {
			case "as", "expected", "observed", "requirement":
				found = append(found, strings.TrimSpace(line))
			}
		}
		return append(found, lastWords(text))
	}
	_, theirs, errs := run(t.Context(), "tlc", "-v", "sched-shipped")
	_, ours, _ := run(t.Context(), "model", "-v", "sched-shipped")
	a, b := strings.Join(columns(theirs), "\n"), strings.Join(columns(ours), "\n")
	if a != b || len(a) < 100 {
		t.Errorf("TLC says\n%s\n%s\nthe machine says\n%s", a, errs, b)
	}
}

// lastWords are the actions of the last step, by their names.
func lastWords(text string) string {
	_, rest, _ := strings.Cut(text, "    schedule ")
	schedule, _, _ := strings.Cut(rest, "    see again")
	words := strings.Fields(schedule)
	if len(words) == 0 {
		return "no schedule"
	}
	return words[len(words)-1]
}
