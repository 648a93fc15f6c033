package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/tla"
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

func runSpindle(ctx context.Context, args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = spindle(ctx, args, strings.NewReader(""), &out, &err)
	return code, out.String(), err.String()
}

// A property that falls where the table says that it holds is a broken requirement,
// with the steps that break it; what else differs from the table is the suite's own
// trouble.
func TestCheckModelFails(t *testing.T) {
	t.Attr("req", "DN-WORK-RESCUER")
	for _, c := range []struct {
		name   string
		change func(*tla.Model)
		code   int
		want   []string
	}{
		{"as it is", func(*tla.Model) {}, 0, []string{"pass: exit 0; 1 target, 2 checks, 1 finding (1 known)", "sched-shipped violates WorkRescuer (tla/findings)"}},
		{"said to hold", func(m *tla.Model) { m.Violates = "" }, 1, []string{
			"  broken DN-WORK-RESCUER/sched-shipped, seen by model/sched-shipped\n    requirement  MUST: While a G is queued ",
			"    expected     WorkRescuer in every state that can be reached\n    observed     Invariant WorkRescuer is violated; ",
			"    steps\n      step  M1  ", " Sched!WakepUndo\n",
			"    see again    spindle check -run '^model/sched-shipped$' -seed 0x1 model\n    see again    spindle model -v sched-shipped\n",
			"  DN-WORK-RESCUER   MUST   broken ", "fail: exit 1; 1 target, 2 checks, 1 finding",
		}},
		{"said to break another", func(m *tla.Model) {
			if m.Violates != "" {
				m.Violates = "WorkQuiet"
			}
		}, 1, []string{"broken DN-WORK-RESCUER/sched-shipped, seen by model/finds-sched-shipped"}},
		{"another depth", func(m *tla.Model) { m.Depth++ }, 4, []string{"because model: model/finds-sched-shipped: not the table of models: expected depth ", "error: exit 4"}},
		{"another count", func(m *tla.Model) { m.Distinct++ }, 4, []string{"because model: model/sched-mended: not the table of models: expected distinct states "}},
	} {
		t.Run(c.name, func(t *testing.T) {
			onlyModels(t, c.change, "sched-mended", "sched-shipped")
			code, out, errs := runSpindle(t.Context(), "check", "-seed", "1", "model")
			if code != c.code || errs != "" {
				t.Errorf("expected exit code %d, saw %d, %s", c.code, code, errs)
			}
			for _, want := range c.want {
				if !strings.Contains(unwrapped(out), unwrapped(want)) {
					t.Errorf("expected %q, saw\n%s", want, out)
				}
			}
		})
	}
}

// unwrapped is text with one blank for any, so that it matters not where lines end.
func unwrapped(text string) string { return strings.Join(strings.Fields(text), " ") }

// A row that no machine can have is left to TLC, which is said; with no other there
// is no target.
func TestCheckModelWithoutAMachine(t *testing.T) {
	onlyModels(t, func(m *tla.Model) {
		if m.Violates != "" {
			m.Module = "Elsewhere"
		}
	}, "sched-mended", "sched-shipped")
	if code, out, errs := runSpindle(t.Context(), "check", "model"); code != 0 || !strings.Contains(out, "note: TLC alone answers sched-shipped: spindle tlc") {
		t.Errorf("saw %d, %s, %s", code, out, errs)
	}
	onlyModels(t, func(m *tla.Model) { m.Module = "Elsewhere" }, "sched-mended")
	code, _, errs := runSpindle(t.Context(), "check", "model")
	if code != 2 || !strings.Contains(errs, "target model: expected models that have a machine in Go, saw none") {
		t.Errorf("saw %d, %s", code, errs)
	}
}
