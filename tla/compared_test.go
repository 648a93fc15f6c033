package tla

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// TestChanged: the modules are those that were held against the machines, and one that says
// something else is noticed; a comment is nothing.
func TestChanged(t *testing.T) {
	if list, err := Changed(Files); err != nil || len(list) > 0 {
		t.Errorf("%v, %v: expected that the modules are those of compared.txt, saw others: SPINDLE_LONG=1 UPDATE=1 go test -timeout 2h -p 1 ./spec/... -run TestSameGraphAsTLC compares them, and notes that", list, err)
	}
	with := func(file, old, new string) fs.FS {
		dir := make(fstest.MapFS)
		for _, name := range Modules(Files) {
			text, err := fs.ReadFile(Files, name+".tla")
			if err != nil {
				t.Fatal(err)
			}
			dir[name+".tla"] = &fstest.MapFile{Data: text}
		}
		text := string(dir[file].Data)
		if !strings.Contains(text, old) {
			t.Fatalf("%s: expected %q", file, old)
		}
		dir[file].Data = []byte(strings.Replace(text, old, new, 1))
		return dir
	}
	for _, c := range []struct{ file, old, new, want string }{
		{"Sched.tla", "StopQuiet ==", `StopQuiet == TRUE \/`, "Sched"},
		{"SchedWake.tla", "S.lock = NoM", "TRUE", "Sched"},
		{"MCTwoLevel.tla", "EXTENDS", "EXTENDS Naturals,", "TwoLevel"},
		{"RunQueue.tla", "\\* ", "\\* another word, ", ""},
		{"RunQueue.tla", "EXTENDS ", "EXTENDS  ", ""},
	} {
		before, err := Changed(Files)
		if err != nil {
			t.Fatal(err)
		}
		after, err := Changed(with(c.file, c.old, c.new))
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Contains(after, c.want) || c.want == ""; !got || len(after) != len(before) && c.want == "" {
			t.Errorf("%s with %q: expected %q, saw %v", c.file, c.new, c.want, after)
		}
	}
	if _, err := Changed(fstest.MapFS{}); err == nil {
		t.Error("no modules: expected an error")
	}
}
