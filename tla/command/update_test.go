package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/tla"
	"github.com/spindle-go/spindle/tla/tlc/tlctest"
)

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const batch = "expect: holds, 57 generated, 36 distinct, depth 12"

// -update writes numbers, and nothing else: neither another byte nor another verdict.
func TestUpdate(t *testing.T) {
	for _, c := range tier.Some(t, []struct {
		name, model, args, old, new string
		code                        int
		want                        string
		file                        string // what old then is; "": all stays as it was changed
	}{
		{"a number", "runqueue-script-batch", "", batch, "expect: holds, 58 generated, 35 distinct, depth 1", 0, "      was: expect: holds, 58 generated, 35 distinct, depth 1\n      now: " + batch + "\n", batch},
		{"nothing", "runqueue-script-batch", "", batch, batch, 0, "same  runqueue-script-batch", batch},
		{"what was not there", "runqueue-script-batch", "runqueue-script-batch", `\* ` + batch + "\n", "", 0, "now: " + batch, `\* ` + batch + "\n"},
		{"a verdict without numbers", "runqueue-script-batch", "", batch, "expect: holds", 0, "      was: expect: holds\n      now: " + batch + "\n", batch},
		{"what falls is said to hold, without numbers", "sched-probe-overflow", "", "violates NeverOverflow, 15 states", "holds", 1,
			"expected that it holds, saw violates NeverOverflow; no other verdict is written: if it is right, put into cfg/sched-probe-overflow.cfg: \\* expect: violates NeverOverflow, 15 states", ""},
		{"no end, without numbers", "runqueue-script-batch", "-max-states 35", batch, "expect: holds", 3, "not ended: more than 35 states", ""},
		{"what holds is said to fall", "runqueue-script-batch", "", batch, "expect: violates Exact, 3 states", 1,
			"expected that it violates Exact, saw holds; no other verdict is written: if it is right, put into cfg/runqueue-script-batch.cfg: \\* " + batch, ""},
		{"what falls is said to hold", "sched-probe-overflow", "", "violates NeverOverflow, 15 states", "holds, 1 generated, 1 distinct, depth 1", 1,
			"expected that it holds, saw violates NeverOverflow; no other verdict is written: if it is right, put into cfg/sched-probe-overflow.cfg: \\* expect: violates NeverOverflow, 15 states", ""},
		{"what falls, and nothing is said", "sched-probe-overflow", "sched-probe-overflow", `\* expect: violates NeverOverflow, 15 states` + "\n", "", 1, "no other verdict is written", ""},
		{"a limit", "runqueue-script-batch", "-max-states 35", batch, "expect: holds, 1 generated, 1 distinct, depth 1", 3, "not ended: more than 35 states", ""},
		{"no end", "runqueue-script-batch", "-timeout 1ns", batch, "expect: holds, 1 generated, 1 distinct, depth 1", 3, "open  runqueue-script-batch", ""},
	}, 4) {
		t.Run(c.name, func(t *testing.T) {
			dir := only(t, c.old, c.new, c.model)
			file := filepath.Join(dir, "cfg", c.model+".cfg")
			want := read(t, file)
			if c.file != "" {
				want = tlaFile(t, "cfg/"+c.model+".cfg")
			}
			code, out, errs := run(t.Context(), append([]string{"model", "-dir", dir, "-update"}, strings.Fields(c.args)...)...)
			if code != c.code || !strings.Contains(out, c.want) || errs != "" {
				t.Errorf("expected exit code %d and %q, saw %d\n%s%s", c.code, c.want, code, out, errs)
			}
			if got := read(t, file); got != want {
				t.Errorf("expected the file\n%s\nsaw\n%s", want, got)
			}
		})
	}
}

// Without -update, a verdict without numbers is a difference: nothing is known to be as it was.
func TestNoNumbers(t *testing.T) {
	dir := only(t, batch, "expect: holds", "runqueue-script-batch")
	const want = "runqueue-script-batch: expected its numbers of states behind expect: holds, saw none; -update writes them\n"
	for _, args := range [][]string{nil, {"runqueue-script-batch"}, {"-workers", "2", "runqueue-script-batch"}} {
		if code, out, errs := run(t.Context(), append([]string{"model", "-dir", dir}, args...)...); code != 1 || !strings.Contains(out, want) {
			t.Errorf("%q: expected exit 1 and %q, saw %d\n%s%s", args, want, code, out, errs)
		}
	}
}

func tlaFile(t *testing.T, name string) string {
	t.Helper()
	text, err := tla.Files.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestUpdateByTLC(t *testing.T) {
	tier.OnlyFull(t)
	tlctest.Find(t)
	lockTables(t)
	dir := lockCopy(t, "lock", "53 generated, 28", "54 generated, 29")
	code, out, errs := run(t.Context(), "tlc", "-dir", dir, "-update")
	if got, want := read(t, filepath.Join(dir, "cfg", "lock.cfg")), read(t, lockDir+"/cfg/lock.cfg"); code != 0 || got != want {
		t.Errorf("saw %d\n%s%s; expected the file\n%s\nsaw\n%s", code, out, errs, want, got)
	}
}

// What is built in cannot be written.
func TestUpdateNeedsACheckout(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, command := range []string{"model", "tlc"} {
		code, out, errs := run(t.Context(), command, "-update", "runqueue-script-batch")
		if code != 2 || !strings.Contains(errs, "-update writes the cfg of a checkout, or of -dir: expected one of them, saw none") || out != "" {
			t.Errorf("%s: saw %d\n%s%s", command, code, out, errs)
		}
	}
}

// A file that somebody changes while it is explored is not written: its numbers would
// be another's.
func TestUpdateOfWhatChanges(t *testing.T) {
	dir := only(t, "holds, 57", "holds, 58", "runqueue-script-batch")
	file := filepath.Join(dir, "cfg", "runqueue-script-batch.cfg")
	old := read(t, file)
	edit(t, file, "Cap = 2", "Cap = 4")
	changed := read(t, file)
	if err := replace(file, old, "new"); err == nil || !strings.Contains(err.Error(), "saw that it was changed meanwhile; it is left as it is") {
		t.Errorf("saw %v", err)
	}
	if read(t, file) != changed {
		t.Error("expected the file as it was, saw another")
	}
	if err := replace(file, changed, "new"); err != nil || read(t, file) != "new" {
		t.Errorf("saw %v, %q", err, read(t, file))
	}
}

// A head that cannot be read ends the command before anything runs, with its line.
func TestBadHead(t *testing.T) {
	dir := only(t, "set: gate", "set: always", "runqueue-script-batch")
	for _, args := range []string{"model", "tlc", "model runqueue-script-batch", "tlc -update runqueue-script-batch"} {
		words := strings.Fields(args)
		code, out, errs := run(t.Context(), append([]string{words[0], "-dir", dir}, words[1:]...)...)
		if code != 4 || !strings.Contains(errs, `cfg/runqueue-script-batch.cfg:4: malformed: set: expected one of [gate full night], saw "always"`) || out != "" {
			t.Errorf("%s: saw %d\n%s%s", args, code, out, errs)
		}
	}
}

// What is too large for TLC is left to the Go machine, which is said.
func TestMachineAlone(t *testing.T) {
	dir := only(t, "seconds: 1", "seconds: 1; judge: machine", "runqueue-script-batch")
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"tlc -list", 0, "1, Go machine alone  The scenario b3"},
		{"tlc -list -markdown", 0, "| 1, Go machine alone | The scenario b3"},
		{"tlc runqueue-script-batch", 2, "the Go machine alone: runqueue-script-batch; spindle model explores it, and spindle tlc MODULE:NAME asks TLC all the same"},
		{"tlc -update runqueue-script-batch", 2, "the Go machine alone: runqueue-script-batch; "},
		{"model runqueue-script-batch", 0, "ok    runqueue-script-batch"},
		{"model", 1, "ok    runqueue-script-batch"}, // the other configurations are missing
	} {
		words := strings.Fields(c.args)
		code, out, errs := run(t.Context(), append([]string{words[0], "-dir", dir}, words[1:]...)...)
		if code != c.code || !strings.Contains(out+errs, c.want) {
			t.Errorf("%s: expected %d and %q, saw %d\n%s%s", c.args, c.code, c.want, code, out, errs)
		}
	}
	dir = only(t, "module: MCRunQueueScripts; set: gate; seconds: 1", "module: RunQueueAbs; set: gate; seconds: 1; judge: machine", "runqueue-script-batch")
	if code, _, errs := run(t.Context(), "model", "-dir", dir); code != 4 || !strings.Contains(errs, "cfg/runqueue-script-batch.cfg: judge: expected a machine in Go, saw that ") {
		t.Errorf("a model that nobody judges: saw %d, %s", code, errs)
	}
}

// TLC passes over them in a set, and runs one that is named with its module, also to
// see it again.
func TestMachineAloneAndTLC(t *testing.T) {
	lockTables(t)
	fakeJava(t, "17", "exit 0")
	dir := lockCopy(t, "lock", "seconds: 1", "seconds: 1; judge: machine")
	for args, want := range map[string]string{
		"":           "; 0 models,",
		"-set full":  "; 2 models,",
		"-mutants":   "; 0 models,",
		"Lock:lock":  "; 1 model,",
		"lock3":      "; 1 model,",
		"-set night": "Go machine alone: lock\n",
	} {
		code, out, errs := run(t.Context(), append([]string{"tlc", "-dir", dir}, strings.Fields(args)...)...)
		if code == 0 || !strings.Contains(out, want) {
			t.Errorf("%s: expected %q, saw %d\n%s%s", args, want, code, out, errs)
		}
	}
	row := &tla.Task{Model: tla.Model{Name: "lock", Module: "Lock", MachineAlone: true}}
	for command, want := range map[string]string{"tlc": "spindle tlc -v Lock:lock", "model": "spindle model -v lock"} {
		if got := (&options{command: command}).again(row); got != want {
			t.Errorf("expected %s, saw %s", want, got)
		}
	}
}
