package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/target/goruntime"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/report"
	"github.com/spindle-go/spindle/internal/suite/suitetest"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/tla/drift"
)

// treeWith copies what is compared of the GOROOT at hand, with edits: each is the head of a function
// of proc.go, a text in it, and what stands there instead. It skips the test where the toolchain at
// hand has no such text.
func treeWith(t *testing.T, edits ...[3]string) string {
	t.Helper()
	tc, err := goruntime.Find("")
	if err != nil {
		t.Skip(err)
	}
	root := t.TempDir()
	files, err := filepath.Glob(filepath.Join(tc.GOROOT, "src", "runtime", "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("expected the files of package runtime, saw %d, %v", len(files), err)
	}
	if err := os.MkdirAll(filepath.Join(root, "src", "runtime"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, f := range append(files, filepath.Join(tc.GOROOT, "VERSION")) {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(f) == "proc.go" {
			for _, e := range edits {
				before, after, ok := strings.Cut(string(text), "\nfunc "+e[0])
				if !ok || !strings.Contains(after, e[1]) {
					t.Skipf("%s of %s has no %q", e[0], tc.Version, e[1])
				}
				text = []byte(before + "\nfunc " + e[0] + strings.Replace(after, e[1], e[2], 1))
			}
		}
		name, err := filepath.Rel(tc.GOROOT, f)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// compared compares a tree.
func compared(t *testing.T, root string) *drift.Report {
	t.Helper()
	r, err := drift.Compare(root)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// verdict is what the gate and the report make of a target whose checks all pass, with the description
// of a runtime whose source was compared.
func verdict(t *testing.T, tree *drift.Report) (code int, text string) {
	t.Helper()
	d := describe(goruntime.Description{Name: "go", Version: tree.Version, GOROOT: tree.GOROOT, Profile: string(spec.GoRT)}, goTarget, tree)
	target := &suitetest.Target{Name: d.Name, Version: d.Version, Profile: d.Profile, Kind: d.Kind, Notes: d.Notes, Doubts: d.Doubts,
		Checks: []suitetest.Check{suitetest.Done("sequence/order", 1, "RQ-LOST", "RQ-FIFO")}}
	var out, file bytes.Buffer
	printed := report.NewText(&out, false, true)
	write, failed := suite.WriteEvents(&file)
	err := suite.Run(t.Context(), suite.Options{Seed: 1, Sink: func(e suite.Event) { printed.Event(e); write(e) }}, target.Source())
	if err != nil || failed() != nil {
		t.Fatal(err, failed())
	}
	// The stream says it, not this run alone.
	again := report.NewText(new(bytes.Buffer), false, false)
	if err := suite.ReadEvents(&file, again.Event); err != nil {
		t.Fatal(err)
	}
	if a, b := printed.Result(), again.Result(); a.Exit != b.Exit || a.Verdict != b.Verdict {
		t.Errorf("expected exit %d of the stream, as of the run, saw %d", a.Exit, b.Exit)
	}
	return printed.Result().Exit, out.String()
}

// TestChangedTree: a tree whose run queue or spin/park protocol has other lines than a version that was read does not
// pass, though each check of the ring does. The function, its lines and the actions that stand there
// are named, and what was not run.
func TestChangedTree(t *testing.T) {
	same := compared(t, treeWith(t))
	if !same.Read {
		t.Skipf("nobody has read %s", same.Version)
	}
	if code, text := verdict(t, same); code != 0 || !strings.Contains(text, "note: the source: "+same.Version+" is as it was modelled") {
		t.Errorf("a tree without a change: expected exit 0, saw %d\n%s", code, text)
	}
	root := treeWith(t,
		[3]string{"runqempty(", "if tail == atomic.Load(&pp.runqtail) {", "if true {"},
		[3]string{"findRunnable(", "sched.needspinning.Load() == 1", "false"})
	tree := compared(t, root)
	code, text := verdict(t, tree)
	text = strings.Join(strings.Fields(text), " ")
	for _, want := range []string{
		"because go: 2 functions or declarations of " + root + " are not as in a version that was read for the model",
		"its ring was run on threads, which may miss what is wrong, and its spin/park protocol (how Ms look for work, sleep and are woken) was not run at all",
		fmt.Sprintf("because go: findRunnable, src/runtime/proc.go:%d: changed; in no version that was read; :", tree.Unread[0].Line), "[Sched!DropLock]",
		"runqempty, src/runtime/proc.go:", "RunQueue!EmptyReloadTail",
		"inconclusive: exit 3",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("expected %q, saw\n%s", want, text)
		}
	}
	if code != 3 {
		t.Errorf("expected exit 3, saw %d", code)
	}
}

// TestModelBesideATree: the model says so where a tree that -go names is not the one that was modelled. Text that
// was not read is a doubt; a version that was read is noted.
func TestModelBesideATree(t *testing.T) {
	edit := [3]string{"findRunnable(", "sched.needspinning.Load() == 1", "false"}
	for _, c := range []struct {
		version      string
		edits        [][3]string
		note, doubts string
	}{
		{"", nil, suite.Limit + "what passes is said of ", ""},
		{"", [][3]string{edit}, "", "what passes is not said of "},
		{"go1.99", nil, suite.Limit + "what passes is not said of ", ""}, // by its text there is no difference
		{"go1.99", [][3]string{edit}, "", "what passes is not said of "},
	} {
		root := treeWith(t, c.edits...)
		if c.version != "" {
			if err := os.WriteFile(filepath.Join(root, "VERSION"), []byte(c.version+"\n"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		tree := compared(t, root)
		if c.version == "" && !tree.Read {
			t.Skipf("nobody has read %s", tree.Version)
		}
		d := modelBeside{&suitetest.Target{Name: "model"}, tree}.Describe()
		if notes, doubts := strings.Join(d.Notes, "\n"), strings.Join(d.Doubts, "\n"); !strings.HasPrefix(notes, c.note) || !strings.HasPrefix(doubts, c.doubts) || len(d.Notes)+len(d.Doubts) != 1 {
			t.Errorf("%s, %q: expected %q and %q, saw %q and %q", c.version, c.edits, c.note, c.doubts, notes, doubts)
		}
	}
}

// TestGoWithoutItsTargets: -go that no target listens to is wrong usage: what passes would not be what it names.
func TestGoWithoutItsTargets(t *testing.T) {
	if code, _, errs := runSpindle(t.Context(), "check", "-go", "go", "ref"); code != 2 || !strings.Contains(errs, `expected one of them, saw ["ref"]`) {
		t.Errorf("expected wrong usage, saw %d, %s", code, errs)
	}
}
