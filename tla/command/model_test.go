package command

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/tla"
	"github.com/spindle-go/spindle/tla/tlc/tlctest"
)

// only returns a folder with the modules and some configurations, in each of which old
// is new.
func only(t *testing.T, old, new string, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, tla.Files); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(filepath.Join(dir, "cfg"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		file := filepath.Join(dir, "cfg", f.Name())
		if slices.Contains(names, strings.TrimSuffix(f.Name(), ".cfg")) {
			edit(t, file, old, new)
		} else if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestModelWithoutAProperty: a model from which a property was taken holds with the same numbers, and is a
// difference, in whatever way it was taken. The row says how many properties it is of.
func TestModelWithoutAProperty(t *testing.T) {
	const taken = "runqueue-script-batch: expected that it asks RoomForLoot, as its head notes, saw that it does not\n"
	for _, c := range []struct {
		name, old, new string
		code           int
		want           string
	}{
		{"as it is", "INVARIANTS", "INVARIANTS", 0, "  depth  12   7 properties "},
		{"deleted", " RoomForLoot", "", 1, taken},
		{"behind a comment", " RoomForLoot", " (* RoomForLoot *)", 1, taken},
		{"in a comment", "QueueIsFull RoomForLoot", "QueueIsFull \\* RoomForLoot", 1, taken},
		{"with its head", "asks:", "asked:", 4, "cfg/runqueue-script-batch.cfg:4: malformed: "},
		{"another twice", " RoomForLoot", " NoHole", 4, "expected NoHole once, saw it twice"},
	} {
		dir := only(t, "SPECIFICATION", "SPECIFICATION", "runqueue-script-batch")
		file := filepath.Join(dir, "cfg", "runqueue-script-batch.cfg")
		text := read(t, file)
		at := strings.LastIndex(text, c.old)
		if c.old == "asks:" {
			at = strings.Index(text, c.old)
		}
		if at < 0 {
			t.Fatalf("expected %q in\n%s", c.old, text)
		}
		if err := os.WriteFile(file, []byte(text[:at]+c.new+text[at+len(c.old):]), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{nil, {"runqueue-script-batch"}} {
			code, out, errs := run(t.Context(), append([]string{"model", "-dir", dir}, args...)...)
			if args == nil { // there it is a difference, beside those of the table of mutants, whose models are not here
				code = c.code
			}
			if code != c.code || !strings.Contains(out+errs, c.want) {
				t.Errorf("%s, %q: expected exit %d and %q, saw %d\n%s%s", c.name, args, c.code, c.want, code, out, errs)
			}
		}
	}
}

// TestModelChanged: a run is inconclusive if the modules of a model that it explores have
// another text than the one that the machine is compared with. Other modules do not matter.
func TestModelChanged(t *testing.T) {
	dir := only(t, "SPECIFICATION", "SPECIFICATION", "sched-one-p", "runqueue-script-batch")
	edit(t, filepath.Join(dir, "Sched.tla"), "StopQuiet ==", `StopQuiet == TRUE \/`)
	const said = "changed: the text of Sched "
	if code, out, errs := run(t.Context(), "model", "-dir", dir, "sched-one-p"); code != 3 || !strings.Contains(out, said) || !strings.Contains(out, "inconclusive: exit 3") {
		t.Errorf("expected %q and exit 3, saw %d, %s%s", said, code, out, errs)
	}
	if code, out, errs := run(t.Context(), "model", "-dir", dir, "runqueue-script-batch"); code != 0 {
		t.Errorf("a model of a module that is the same: expected exit 0, saw %d, %s%s", code, out, errs)
	}
}

// A row that no machine can have is left to TLC, which is said.
func TestModelWithoutAMachine(t *testing.T) {
	dir := only(t, "module: MCSched", "module: SchedState", "sched-mended")
	const why = "sched-mended: module SchedState has no machine in Go\n"
	if code, _, errs := run(t.Context(), "model", "-dir", dir, "sched-mended"); code != 2 || !strings.Contains(errs, "TLC alone answers "+why) {
		t.Errorf("saw %d, %s", code, errs)
	}
	if _, out, _ := run(t.Context(), "model", "-dir", dir); !strings.Contains(out, "left to TLC: "+why) {
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
	tier.OnlyFull(t)
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
	t.Attr("req", "DN-WORK-RESCUER")
	tier.OnlyFull(t)
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

// A disk that is full has interrupted nobody, and is no pass.
func TestModelFullDisk(t *testing.T) {
	for _, args := range [][]string{{"model", "sched-one-p"}, {"model", "-list"}} {
		var errs bytes.Buffer
		code := program.Run(t.Context(), args, strings.NewReader(""), fullDisk{}, &errs)
		if code != exit.Error || !strings.Contains(errs.String(), "no space left") || strings.Contains(errs.String(), "interrupted") {
			t.Errorf("%q: expected %d and what was wrong with the disk, saw %d, %q", args, exit.Error, code, &errs)
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }
