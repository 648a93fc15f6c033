package variant

import (
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/spindle-go/spindle/internal/tier"
)

var modules = os.DirFS("..")

var families = []Family{"Sched", "RunQueue", "TwoLevel", "Slices"}

// mends are the fixes with which each bug must apply, too.
func (f Family) mends() []string {
	if f == "Sched" {
		return Mended()
	}
	return nil
}

// variants are those of f.
func (f Family) variants(t *testing.T) []Variant {
	t.Helper()
	all, err := f.Variants()
	if err != nil || len(all) == 0 {
		t.Fatalf("%s: expected variants, saw %d, %v", f, len(all), err)
	}
	return all
}

// TestFamilies fails where a file of edits is none's.
func TestFamilies(t *testing.T) {
	all, err := parsed()
	if err != nil || len(all) != len(families) {
		t.Errorf("expected files for %v, saw %d, %v", families, len(all), err)
	}
}

// TestEachApplies makes each edit in the modules by itself, each bug also in the mended ones.
func TestEachApplies(t *testing.T) {
	for _, f := range families {
		for _, err := range f.Check(modules) {
			t.Error(err)
		}
		for _, v := range f.variants(t) {
			if !v.Bug {
				continue
			}
			if _, err := f.Apply(modules, f.mends(), []string{v.Name}); err != nil {
				t.Errorf("with all mends: %v", err)
			}
		}
	}
}

// TestEachChanges fails where the text of the modules is the same with a fix or a bug as
// without: then a model that names it would be another one than it says. Apart from the
// ASSUME a module must change.
func TestEachChanges(t *testing.T) {
	tier.OnlyFull(t)
	for _, f := range families {
		was, err := f.read(modules)
		if err != nil {
			t.Fatal(err)
		}
		mended, err := f.Apply(modules, f.mends(), nil)
		if err != nil {
			t.Fatal(err)
		}
		mends, err := f.read(mended)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range f.variants(t) {
			fixes, bugs := []string{v.Name}, []string(nil)
			if v.Bug {
				fixes, bugs = bugs, fixes
			}
			f.differs(t, v.Name, was, fixes, bugs)
			if v.Bug {
				f.differs(t, v.Name, mends, f.mends(), bugs)
			}
		}
	}
}

// differs fails where the modules with these fixes and bugs are those before, but for the
// ASSUME.
func (f Family) differs(t *testing.T, name string, before texts, fixes, bugs []string) {
	t.Helper()
	files, err := f.Apply(modules, fixes, bugs)
	if err != nil {
		t.Error(err)
		return
	}
	after, err := f.read(files)
	if err != nil {
		t.Fatal(err)
	}
	for f, text := range before {
		if plain(text) != plain(after[f]) {
			return
		}
	}
	t.Errorf("%s of %s changes no module", name, f)
}

// plain is a module without the line of the ASSUME.
func plain(text string) string {
	return regexp.MustCompile(`(?m)^ASSUME .*Bugs = .*$`).ReplaceAllString(text, "")
}

// TestAssumed holds that the modules say which edits were made: without them a
// configuration of a mended model stops TLC.
func TestAssumed(t *testing.T) {
	files, err := Sched.Apply(modules, []string{"undo_first"}, []string{"no_steal"})
	if err != nil {
		t.Fatal(err)
	}
	text, err := fs.ReadFile(files, "SchedState.tla")
	if want := `ASSUME Fixes = {"undo_first"} /\ Bugs = {"no_steal"}`; err != nil || !strings.Contains(string(text), want) {
		t.Errorf("expected %s, saw %v\n%s", want, err, text)
	}
	if files, err = Family("TwoLevel").Apply(modules, nil, []string{"leak_two", "leak_spin"}); err != nil {
		t.Fatal(err)
	}
	text, err = fs.ReadFile(files, "TwoLevel.tla")
	if want := `ASSUME Bugs = {"leak_two", "leak_spin"}`; err != nil || !strings.Contains(string(text), want) {
		t.Errorf("expected %s, saw %v\n%s", want, err, text)
	}
	if _, err := Family("TwoLevel").Apply(modules, nil, []string{"no_steal"}); err == nil || !strings.Contains(err.Error(), `unknown bug "no_steal" of TwoLevel`) {
		t.Errorf("a bug of Sched: expected that it is unknown, saw %v", err)
	}
	if files, err := Family("Lock").Apply(modules, nil, []string{"no_lock"}); err != nil || files != modules {
		t.Errorf("a family without edits: expected the files as they are, saw others, %v", err)
	}
	for _, names := range [][2][]string{{{"undo_frist"}, nil}, {nil, {"undo_first"}}, {{"no_steal"}, nil}} {
		if _, err := Sched.Apply(modules, names[0], names[1]); err == nil || !strings.Contains(err.Error(), "unknown") {
			t.Errorf("%q: expected that they are unknown, saw %v", names, err)
		}
	}
}

// TestParse refuses what would be a fix or a bug in name alone.
func TestParse(t *testing.T) {
	good := "fix a # why\nin X\n- old\n+ new\n"
	if list, err := parse(good); err != nil || len(list) != 1 || list[0].Alternatives[0][0] != (Edit{"X", false, "old", "new"}) {
		t.Fatalf("%+v, %v", list, err)
	}
	for _, c := range []struct{ text, want string }{
		{"fix b # why\n" + good, "expected edits of b"},
		{good + "bug c # why\n", "expected edits of c"},
		{good + "or\n", "expected edits of a"},
		{good + "or\nbug c # why\nin X\n- old\n", "expected edits of a"},
		{good + "bug c # why\nin X\n", "expected edits of c"},
		{good + good, "expected a new name"},
		{"fix a\nin X\n- old\n", "behind # what is said"},
		{"fix a # why\nin X\n- old\n+ old\n", "that changes something"},
		{"fix a # why\nbefore X\n+ \n", "that changes something"},
		{"fix a # why\n- old\n", "expected in and a definition"},
		{"fix a # why\nin X\n+ new\n", "above what comes in"},
		{"in X\n- old\n", "expected fix, bug or assume first"},
		{good + "ni X\n", "expected fix, bug, assume, in"},
	} {
		if _, err := parse(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: expected %q, saw %v", c.text, c.want, err)
		}
	}
}

// TestEditsElsewhere holds that a module whose text is another one is refused, and is not
// left as it was.
func TestEditsElsewhere(t *testing.T) {
	files := fstest.MapFS{
		"Sched.tla":      {Data: []byte("---- MODULE Sched ----\nEXTENDS Integers, SchedState,\n  SchedWake\n====\n")},
		"SchedState.tla": {Data: []byte("---- MODULE SchedState ----\nASSUME Fixes = {} /\\ Bugs = {}\n====\n")},
		"SchedWake.tla":  {Data: []byte("---- MODULE SchedWake ----\nWakepGet(m) ==\n   TRUE\n\nWakepUndo(m) ==\n   TRUE\n====\n")},
	}
	if _, err := Sched.Apply(files, []string{"undo_first"}, nil); err == nil || !strings.Contains(err.Error(), "once in WakepGet, saw it 0 times") {
		t.Errorf("saw %v", err)
	}
	all := Family("Sched").variants(t)
	if n := len(Family("Sched").Check(files)); n != len(all) {
		t.Errorf("expected that none of %d applies, saw %d that do not", len(all), n)
	}
	delete(files, "SchedState.tla")
	if _, err := Sched.Apply(files, nil, []string{"no_steal"}); err == nil {
		t.Error("expected that modules without the ASSUME are refused")
	}
}

// What is assumed about the world mends nothing: no mend is an assumption, and the
// assumptions are those that leave the shipped steps as they are.
func TestAssumptionsAreNoMends(t *testing.T) {
	all, err := Sched.Variants()
	if err != nil {
		t.Fatal(err)
	}
	var assumed []string
	for _, v := range all {
		if v.Assumed {
			assumed = append(assumed, v.Name)
		}
		if v.Assumed && v.Bug {
			t.Errorf("%s is a bug and an assumption", v.Name)
		}
		for _, e := range slices.Concat(v.Alternatives...) {
			if v.Assumed && e.Definition != "SysStep" && e.Definition != "UserStep" && e.Definition != "SysmonStep" {
				t.Errorf("%s is an assumption about who acts, and edits %s", v.Name, e.Definition)
			}
		}
	}
	if want := []string{"sleep_ends", "never_ends"}; !slices.Equal(assumed, want) {
		t.Errorf("expected the assumptions %q, saw %q", want, assumed)
	}
	for _, m := range Mended() {
		if !slices.ContainsFunc(all, func(v Variant) bool { return v.Name == m && !v.Bug && !v.Assumed }) {
			t.Errorf("expected a fix %s, saw none", m)
		}
	}
}
