package tla

import (
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/tla/variant"
)

// TestChanged fails where the modules or the edits are not those of held.txt. Another
// definition is noticed, and another edit; a comment makes no difference. SPINDLE_UPDATE=1 notes the
// modules as they are.
func TestChanged(t *testing.T) {
	if tier.Update() {
		now, err := digests(os.DirFS("."))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("held.txt", []byte("# Written by SPINDLE_UPDATE=1 go test ./tla -run TestChanged.\n"+now), 0o666); err != nil {
			t.Fatal(err)
		}
		held = now
	}
	if list, err := Changed(Files); err != nil || len(list) > 0 {
		t.Errorf("%v, %v: expected the modules of held.txt, saw others. Hold the machine in Go against them (tla/README.md, to extend the model), and then SPINDLE_UPDATE=1 go test ./tla -run TestChanged", list, err)
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
		after, err := Changed(with(c.file, c.old, c.new))
		if got := strings.Join(after, " "); err != nil || got != c.want {
			t.Errorf("%s with %q: expected %q, saw %q, %v", c.file, c.new, c.want, got, err)
		}
	}
	for _, family := range families {
		edits, err := variant.Family(family).Variants()
		if err != nil || len(edits) == 0 {
			t.Fatalf("%s: expected edits, saw %d, %v", family, len(edits), err)
		}
		before, err := digest(Files, family, edits)
		if err != nil {
			t.Fatal(err)
		}
		edit := &edits[0].Alternatives[0][0].New
		was := *edit
		*edit += " /\\ TRUE"
		if after, err := digest(Files, family, edits); err != nil || after == before {
			t.Errorf("another edit of %s: expected another digest, saw the same, %v", edits[0].Name, err)
		}
		*edit = was
	}
	// A folder may have the modules of one family alone; of the others it has another text.
	if list, err := Changed(fstest.MapFS{}); err != nil || !slices.Equal(list, families) {
		t.Errorf("no modules: expected %q to have changed, saw %q, %v", families, list, err)
	}
}
