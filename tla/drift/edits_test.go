package drift

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
)

// copied copies what is read of the runtime at hand into a folder of its own, with
// edits: pairs of texts of which the first must be in these files once.
func copied(t *testing.T, edits ...string) string {
	t.Helper()
	from := readOf(t, "")
	if from.version != modelled {
		t.Skipf("the edits are of %s, and the toolchain at hand is %s", modelled, from.version)
	}
	root := t.TempDir()
	files := map[string]string{"VERSION": ""}
	for _, file := range filesRead() {
		files[file] = ""
	}
	for name := range files {
		text, err := os.ReadFile(filepath.Join(from.root, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(text)
	}
	for e := range slices.Chunk(edits, 2) {
		n := 0
		for name, text := range files {
			n += strings.Count(text, e[0])
			files[name] = strings.Replace(text, e[0], e[1], 1)
		}
		if n != 1 {
			t.Fatalf("expected %q once in what is read, saw it %d times", e[0], n)
		}
	}
	for name, text := range files {
		write(t, root, name, text)
	}
	return root
}

// filesRead are the files that the table is about, from GOROOT.
func filesRead() (list []string) {
	for _, file := range fileOf {
		list = append(list, "src/runtime/"+file)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func write(t *testing.T, root, name, text string) {
	t.Helper()
	path := filepath.Join(root, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
		t.Fatal(err)
	}
}

// brief shows what differs without lines: "wakep changed: changed WakepGet", "near"
// before what the model has around it.
func brief(r *Report) string {
	var list []string
	actions := func(of []Place) string {
		var d Difference
		d.Changes = []Change{{Places: of}}
		return strings.ReplaceAll(strings.Join(d.Actions(), " "), "Sched!", "")
	}
	for _, d := range r.Differ {
		s := fmt.Sprintf("%s %s%s:", d.Function, d.How, d.Now)
		for _, c := range d.Changes {
			s += " " + c.How
			if len(c.Places) > 0 {
				s += " " + actions(c.Places)
			} else if len(c.Near) > 0 {
				s += " near " + actions(c.Near)
			}
		}
		list = append(list, s)
	}
	return strings.Join(list, "; ")
}

// What is named when a statement is changed, removed, added or moved, and a function
// renamed; and that nothing is for what is no change.
func TestEdits(t *testing.T) {
	tier.OnlyFull(t)
	const (
		undo    = "\"wakep: negative nmspinning\""
		ofWakep = "removed StartM WakepCAS WakepGet WakepIdle WakepLoad WakepUndo"
		ofIdle  = "ExitIdle InjectNpidle PollIdle Reacquire RecheckExtraIdle RecheckGlobIdle StopNpidle WakepIdle"
		ofGet   = "InjectIdle RecheckExtraGet RecheckGet RecheckGlob WakepGet"
	)
	tests := []struct {
		name, old, new, want string
	}{
		{"nothing", "throw(" + undo + ")", "throw(" + undo + ")", ""},
		{"a comment", "// Be conservative about spinning threads", "// XXX", ""},
		{"comments within", "throw(" + undo + ")", "/* so */ throw( // or\n" + undo + ")", ""},
		{"a directive", "func mspinning() {", "//go:nosplit\nfunc mspinning() {", ""},
		{"formatting", "throw(" + undo + ")", "throw(\n" + undo + ",\n)", ""},
		{"parentheses", "pp, _ = pidlegetSpinning(0)", "pp, _ = (pidlegetSpinning)((0))", ""},
		{"an empty statement", "throw(" + undo + ")", "throw(" + undo + ");;", ""},
		{"a function that is not modelled", "func mStackIsSystemAllocated() bool {", "func mStackIsSystemAllocated() bool {\nif true { return false }", ""},

		{"a linkname within a comment", "func mspinning() {", "/*//go:linkname mspinning x.y*/\n\t//go:linkname mspinning x.y\nfunc mspinning() {", ""},
		{"a linkname of another", "func mspinning() {", "//go:linkname hello\nfunc hello() {}\nfunc mspinning() {", ""},
		{"a linkname without a symbol", "func mspinning() {", "//go:linkname mspinning\nfunc mspinning() {", ""},
		{"a linkname", "func mspinning() {", "//go:linkname mspinning x.y\nfunc mspinning() {", "mspinning changed: added"},
		{"a linkname's symbol", "//go:linkname timeSleep time.Sleep", "//go:linkname timeSleep time.Slept", "timeSleep changed: changed near TimerSet"},
		{"no linkname", "//go:linkname timeSleep time.Sleep", "//", "timeSleep changed: removed near TimerSet"},
		{"a linkname of a variable", "type pMask ", "//go:linkname allp x.allp\ntype pMask ", "var allp changed: added"},
		{"the body for another build", "if work.spanqMask.any() {", "if !work.spanqMask.any() {", "gcMarkWorkAvailable@mgcmark_greenteagc.go changed: changed"},

		{"a changed statement", "pp, _ = pidlegetSpinning(0)", "pp, _ = pidleget(0)", "wakep changed: changed WakepGet"},
		{"a literal", "if sched.nmspinning.Add(-1) < 0 {\n\t\t\tthrow(" + undo, "if sched.nmspinning.Add(-2) < 0 {\n\t\t\tthrow(" + undo, "wakep changed: changed WakepUndo"},
		{"an operator", "if sched.nmspinning.Add(-1) < 0 {\n\t\t\tthrow(" + undo, "if sched.nmspinning.Add(-1) > 0 {\n\t\t\tthrow(" + undo, "wakep changed: changed WakepUndo"},
		{"within a statement of the model", undo, "\"\"", "wakep changed: changed near WakepUndo"},
		{"a removed statement", "\tsched.needspinning.Store(0)\n}", "}", "m.becomeSpinning changed: removed SpinClear"},
		{"an added statement", "pp, _ = pidlegetSpinning(0)", "osyield()\npp, _ = pidlegetSpinning(0)", "wakep changed: added near WakepGet"},
		{"the order", "sched.nmspinning.Add(1)\n\tsched.needspinning.Store(0)", "sched.needspinning.Store(0)\n\tsched.nmspinning.Add(1)",
			"m.becomeSpinning changed: removed SpinAdd added near SpinClear"},
		{"a statement that leaves its block", "sched.needspinning.Store(1)\n\t\treturn nil, now\n\t}", "return nil, now\n\t}\n\tsched.needspinning.Store(1)",
			"pidlegetSpinning changed: removed " + ofGet + " added near " + ofGet},
		{"a block around a statement", "\tsched.needspinning.Store(0)\n}", "\tif haveSysmon {\n\tsched.needspinning.Store(0)\n}\n}", "m.becomeSpinning changed: added near SpinAdd SpinClear added near SpinClear"},
		{"an if that becomes an else", "releasem(mp)\n\t\treturn\n\t}\n\t// Since we always have a P", "releasem(mp)\n\t\treturn\n\t} else {}\n\t// Since we always have a P", "wakep changed: added near WakepIdle WakepUndo"},
		{"within a function literal", "startm(pp, false, true)", "startm(pp, true, true)", "injectglist changed: changed InjectStart"},
		{"a brace that moves", "pp.limiterEvent.stop(limiterEventIdle, now)\n\t}", "}\n\tpp.limiterEvent.stop(limiterEventIdle, now)",
			"pidleget changed: removed near " + ofIdle + " added near " + ofIdle},
		{"a signature", "func pidleput(pp *p, now int64) int64 {", "func pidleput(pp *p, now, then int64) int64 {",
			"pidleput changed: changed near DropPut HandoffPut Resize"},
		{"a function renamed", "func wakep() {", "func wakeup() {", "wakep renamedwakeup: " + ofWakep},
		{"a function renamed and changed", "func wakep() {", "func wakeup() {\nosyield()", "wakep missing: " + ofWakep},
		{"a function of before", "func mspinning() {", "func exitsyscallfast() {}\nfunc mspinning() {", "exitsyscallfast new:"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := copied(t, tt.old, tt.new)
			r, err := Compare(root)
			if err != nil {
				t.Fatal(err)
			}
			if saw := brief(r); saw != tt.want {
				t.Errorf("expected %q, saw %q", tt.want, saw)
			}
			if r.Version != modelled || !r.Read || r.Functions != len(Functions()) {
				t.Errorf("saw %s, read %v, %d functions", r.Version, r.Read, r.Functions)
			}
			for _, d := range r.Differ {
				if len(d.As) > 0 && d.How != New && d.How != Missing && d.How != Renamed {
					t.Errorf("%s: expected no version that has it so, saw %q", d.Function, d.As)
				}
				if strings.Contains(d.Function, " ") {
					continue
				}
				if differs, err := Differing(root, "stopm", d.Function, declared(d.Function)); err != nil || !slices.Equal(slices.Compact(differs), slices.Compact([]string{d.Function, declared(d.Function)})) {
					t.Errorf("expected %s to differ alone, saw %q, %v", d.Function, differs, err)
				}
			}
		})
	}
}

// The lines are those of the toolchain at hand.
func TestLines(t *testing.T) {
	root := copied(t, "func mspinning() {", "\n\n\nfunc mspinning() {",
		"\tvar pp *p\n\tlock(&sched.lock)\n\tpp, _ = pidlegetSpinning(0)", "\tosyield()\n\tosyield()\n\tvar pp *p\n\tlock(&sched.lock)\n\tpp, _ = pidleget(0) // HERE")
	r, err := Compare(root)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "src/runtime/proc.go"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	at := slices.IndexFunc(lines, func(l string) bool { return strings.HasSuffix(l, "// HERE") }) + 1
	if len(r.Differ) != 1 || r.Differ[0].File != "src/runtime/proc.go" || len(r.Differ[0].Changes) != 2 ||
		r.Differ[0].Changes[0].Line != at-4 || r.Differ[0].Changes[1].Line != at || lines[r.Differ[0].Line-1] != "func wakep() {" {
		t.Errorf("expected wakep in proc.go and line %d, saw %+v", at, r.Differ)
	}
}

// A function in another file has moved, and is compared there.
func TestMoved(t *testing.T) {
	root := copied(t, "func mspinning() {\n\t// startm's caller incremented nmspinning. Set the new M's spinning.\n\tgetg().m.spinning = true\n}", "")
	write(t, root, "src/runtime/elsewhere.go", "package runtime\n\nfunc mspinning() {\n\tgetg().m.spinning = true\n}\n")
	r, err := Compare(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Differ) != 1 || brief(r) != "mspinning moved:" || r.Differ[0].File != "src/runtime/elsewhere.go" || r.Differ[0].Line != 3 {
		t.Errorf("saw %+v", r.Differ)
	}
	write(t, root, "src/runtime/elsewhere.go", "package runtime\n\nfunc mspinning() {\n\tgetg().m.spinning = false\n}\n")
	if r, err = Compare(root); err != nil || brief(r) != "mspinning moved: changed" {
		t.Errorf("saw %+v, %v", r, err)
	}
	// One in a test file is none.
	if err := os.Rename(filepath.Join(root, "src/runtime/elsewhere.go"), filepath.Join(root, "src/runtime/elsewhere_test.go")); err != nil {
		t.Fatal(err)
	}
	if r, err = Compare(root); err != nil || brief(r) != "mspinning missing: removed" {
		t.Errorf("saw %+v, %v", r, err)
	}
}

// What no version of the series that was read has like this: a text of another series is none of it, and
// of a series that was not read all that differs counts.
func TestUnread(t *testing.T) {
	const old, new = "pp, _ = pidlegetSpinning(0)", "pp, _ = pidleget(0)"
	names := func(list []Difference) (of []string) {
		for _, d := range list {
			of = append(of, d.Function)
		}
		return of
	}
	for _, c := range []struct {
		version        string
		edits          []string
		differ, unread []string // nil: none
		some           string   // among many that are unread
	}{
		{version: modelled},
		{version: "go1.26.99"},
		{version: "go1.99"},
		{version: "devel"},
		{version: modelled, edits: []string{old, new}, differ: []string{"wakep"}, unread: []string{"wakep"}},
		{version: "go1.99", edits: []string{old, new}, differ: []string{"wakep"}, unread: []string{"wakep"}},
		{version: "go1.25.3", some: "handoffp"},
		{version: "go1.25.3", edits: []string{old, new}, differ: []string{"wakep"}, some: "wakep"},
	} {
		root := copied(t, c.edits...)
		write(t, root, "VERSION", c.version)
		r, err := Compare(root)
		if err != nil {
			t.Fatal(err)
		}
		if differ := names(r.Differ); !slices.Equal(differ, c.differ) {
			t.Errorf("%s, %q: expected that %q differ, saw %q", c.version, c.edits, c.differ, differ)
		}
		switch unread := names(r.Unread); {
		case c.some == "" && !slices.Equal(unread, c.unread):
			t.Errorf("%s, %q: expected %q unread, saw %q", c.version, c.edits, c.unread, unread)
		case c.some != "" && (len(unread) < 30 || !slices.Contains(unread, c.some) || slices.Contains(unread, "startm")):
			t.Errorf("%s, %q: expected many that are unread, %s among them and not startm, saw %q", c.version, c.edits, c.some, unread)
		}
		for _, d := range r.Unread {
			if d.Line == 0 && d.How != Missing || !strings.Contains(d.String(), d.At()+": "+string(d.How)) {
				t.Errorf("%s: expected the place and the way, saw %q", d.Function, d)
			}
		}
	}
	// A function in another file, and one that is there twice.
	root := copied(t)
	write(t, root, "src/runtime/elsewhere.go", "package runtime\n\nfunc mspinning() {\n\tgetg().m.spinning = true\n}\n")
	if r, err := Compare(root); err != nil || !slices.Equal(names(r.Unread), []string{"mspinning"}) {
		t.Errorf("a function that is there twice: saw %v, %v", r.Unread, err)
	}
	root = copied(t, "func mspinning() {\n\t// startm's caller incremented nmspinning. Set the new M's spinning.\n\tgetg().m.spinning = true\n}", "")
	write(t, root, "src/runtime/elsewhere.go", "package runtime\n\nfunc mspinning() {\n\tgetg().m.spinning = true\n}\n")
	if r, err := Compare(root); err != nil || !slices.Equal(names(r.Unread), []string{"mspinning"}) {
		t.Errorf("a function that has moved: saw %v, %v", r.Unread, err)
	}
}

// Versions that are in no table, and trees that cannot be read.
func TestVersionsAndTrees(t *testing.T) {
	for text, want := range map[string]struct {
		version string
		read    bool
	}{
		"go1.26.8\ntime 2026\n": {modelled, true}, "go1.26.99": {"go1.26.99", true}, "go1.26rc1": {"go1.26rc1", true},
		"go1.27rc1": {"go1.27rc1", true}, "go1.28": {"go1.28", false}, "go1.22.5": {"go1.22.5", false}, "devel go1.28-abc": {"devel", false}, "": {"devel", false},
	} {
		root := copied(t)
		write(t, root, "VERSION", text)
		r, err := Compare(root)
		if err != nil || r.Version != want.version || r.Read != want.read || len(r.Differ) > 0 {
			t.Errorf("VERSION %q: expected %v, saw %+v, %v", text, want, r, err)
			continue
		}
		if not := strings.HasPrefix(r.String(), "not compared with this version"); not == want.read {
			t.Errorf("VERSION %q: saw %s", text, r)
		}
	}
	root := copied(t)
	os.Remove(filepath.Join(root, "VERSION"))
	if r, err := Compare(root); err != nil || r.Version != "devel" || r.Read {
		t.Errorf("without VERSION: saw %+v, %v", r, err)
	}
	if _, err := Compare(t.TempDir()); !errors.Is(err, ErrSource) {
		t.Errorf("an empty folder: saw %v", err)
	}
	if _, err := Compare(copied(t, "func wakep() {", "func wakep( {")); !errors.Is(err, ErrSource) || !strings.Contains(err.Error(), "proc.go:") {
		t.Errorf("a text that does not parse: saw %v", err)
	}
	empty := t.TempDir()
	write(t, empty, "src/runtime/doc.go", "package runtime\n")
	if r, err := Compare(empty); err != nil || len(r.Differ) < 100 || r.Read {
		t.Errorf("a runtime without functions: saw %v, %v", r, err)
	}
	if _, err := Differing(root, "wakep", "no such"); err == nil {
		t.Error("a function that is not in the list has no error")
	}
	if differs, err := Differing(root, slices.DeleteFunc(Functions(), func(name string) bool { return name != declared(name) })...); err != nil || len(differs) > 0 {
		t.Errorf("all functions: saw %q, %v", differs, err)
	}
	if differs, err := Differing(root, "enlistWorker", "takeP", "wakep"); err != nil || len(differs) > 0 {
		t.Errorf("saw %q, %v", differs, err)
	}
	if _, err := Differing(root, "pop"); err == nil {
		t.Error("two types have a method pop")
	}
}
