package main

import (
	"bytes"
	"context"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/spindle-go/spindle/conformance/model"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/tla"
)

// onlyModels makes the target's models some of them, in whose configurations old is
// new.
func onlyModels(t *testing.T, old, new string, names ...string) {
	t.Helper()
	t.Cleanup(func() { model.Files = tla.Files })
	files := fstest.MapFS{}
	for _, pattern := range []string{"*.tla", "cfg/*.cfg"} {
		found, err := fs.Glob(tla.Files, pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range found {
			name, isConfig := strings.CutPrefix(file, "cfg/")
			if isConfig && !slices.Contains(names, strings.TrimSuffix(name, ".cfg")) {
				continue
			}
			text, err := tla.Files.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if isConfig {
				text = []byte(strings.Replace(string(text), old, new, 1))
			}
			files[file] = &fstest.MapFile{Data: text}
		}
	}
	model.Files = files
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
	tier.OnlyFull(t)
	for _, c := range tier.Some(t, []struct {
		name, old, new string
		code           int
		want           []string
	}{
		{"as it is", "", "", 0, []string{"pass: exit 0; 1 target, 2 checks, 1 finding (1 known)", "sched-shipped violates WorkRescuer (tla/findings)"}},
		{"said to hold", "violates WorkRescuer, 45 states", "holds, 1 generated, 1 distinct, depth 1", 1, []string{
			"  broken DN-WORK-RESCUER/sched-shipped, seen by model/sched-shipped\n    requirement  MUST: While a G is queued ",
			"    expected     WorkRescuer in every state that can be reached\n    observed     Invariant WorkRescuer is violated; ",
			"    steps\n      step  M1  ", " Sched!WakepUndo\n",
			"    see again    spindle check -run '^model/sched-shipped$' -seed 0x1 model\n    see again    spindle model -v sched-shipped\n",
			"  DN-WORK-RESCUER   MUST   broken ", "fail: exit 1; 1 target, 2 checks, 1 finding",
		}},
		{"said to break another", "violates WorkRescuer", "violates WorkQuiet", 1, []string{"broken DN-WORK-RESCUER/sched-shipped, seen by model/finds-sched-shipped"}},
		{"another depth", "45 states", "46 states", 4, []string{"because model: model/finds-sched-shipped: not what the configuration expects: expected depth ", "error: exit 4"}},
		{"a property less", " WorkQuiet", "", 4, []string{"not what the configuration expects: expected WorkQuiet, which it asks, in its line"}},
		{"another count", "17971 distinct", "17972 distinct", 4, []string{"because model: model/sched-mended: not what the configuration expects: expected distinct states "}},
	}, 3) {
		t.Run(c.name, func(t *testing.T) {
			onlyModels(t, c.old, c.new, "sched-mended", "sched-shipped")
			code, out, errs := runSpindle(t.Context(), "check", "-seed", "1", "model")
			if code != c.code || progressLine.ReplaceAllString(errs, "") != "" {
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
	onlyModels(t, "module: MCSched; set: gate; seconds: 4", "module: SchedState; set: gate; seconds: 4", "sched-mended", "sched-shipped")
	if code, out, errs := runSpindle(t.Context(), "check", "model"); code != 0 || !strings.Contains(out, "limit: only TLC checks sched-shipped: spindle tlc") {
		t.Errorf("saw %d, %s, %s", code, out, errs)
	}
	onlyModels(t, "module: MCSched;", "module: SchedState;", "sched-mended")
	code, _, errs := runSpindle(t.Context(), "check", "model")
	if code != 2 || !strings.Contains(errs, "target model: expected models that have a machine in Go, saw none") {
		t.Errorf("saw %d, %s", code, errs)
	}
}
