package drift

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
)

// modelled is the version that the model was written from; pinned are those that CI
// tests the run queue of, and last the last patch of each series by the time of the table.
const modelled = "go1.26.8"

var (
	pinned = []string{"go1.23.5", "go1.25.3"}
	last   = []string{"go1.23.12", "go1.24.13", "go1.25.14", "go1.26.11", "go1.27.3"}
)

// gorootOf asks the go command for another version, which it may have to fetch.
func gorootOf(t *testing.T, v string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "env", "GOROOT")
	if v != "" {
		tier.NotShort(t)
		cmd.Dir = t.TempDir()
		cmd.Env = append(os.Environ(), "GOROOT=", "GOTOOLCHAIN="+v)
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		if tier.Required("toolchains") {
			t.Fatalf("SPINDLE_REQUIRE asks for toolchains, and %s cannot be had: %v\n%s", v, err, out)
		}
		t.Skipf("%s cannot be had here: %v: %.200s", v, err, out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}

func readOf(t *testing.T, v string) *runtimeSource {
	t.Helper()
	s, err := read(gorootOf(t, v))
	if err != nil {
		t.Fatal(err)
	}
	if v != "" && s.version != v {
		t.Fatalf("expected %s, saw %s in %s", v, s.version, s.root)
	}
	return s
}

// theTable is the embedded one.
func theTable(t *testing.T) *table {
	t.Helper()
	tb, err := known()
	if err != nil {
		t.Fatal(err)
	}
	return tb
}

// The table is what the sources give. With SPINDLE_UPDATE=1 it is written, from all versions;
// else all are held against it, in the full tier.
func TestDigests(t *testing.T) {
	if tier.Update() {
		var sources []*runtimeSource
		for _, v := range slices.Concat(pinned, last, []string{modelled}) {
			sources = append(sources, readOf(t, v))
		}
		tb, err := sums(modelled, sources)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("digests.txt", tb.text(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	tier.OnlyFull(t)
	tb := theTable(t)
	if tb.modelled != modelled || len(tb.versions) != len(pinned)+len(last)+1 {
		t.Fatalf("expected %s, and %d versions, saw %s, %q", modelled, len(pinned)+len(last)+1, tb.modelled, tb.versions)
	}
	for _, v := range slices.Concat(pinned, last, []string{modelled}) {
		t.Run(v, func(t *testing.T) { holds(t, tb, readOf(t, v)) })
	}
}

// holds holds a toolchain of a version in the table against it.
func holds(t *testing.T, tb *table, s *runtimeSource) {
	for _, name := range everything() {
		if strays, err := s.strays(declared(name)); err != nil || len(strays) > 0 {
			t.Errorf("%s of %s: expected none that is not compared, saw %d, %v; add a row to inFiles", name, s.version, len(strays), err)
		}
		digest, err := s.digest(name)
		if err != nil {
			t.Fatal(err)
		}
		if as := tb.functions[name].versionsWith(digest); !slices.Contains(as, s.version) {
			t.Errorf("%s: expected the digest of %s, saw %q, which is that of %q; "+
				"to write the table anew: SPINDLE_UPDATE=1 go test ./tla/drift -run TestDigests", name, s.version, digest, as)
		}
	}
}

// The toolchain that runs the tests. One whose version is in the table must be as the
// table says, and the modelled one must give the same places; of others one line is
// said, and nothing is red: who fetches a new Go is not to blame.
func TestToolchainAtHand(t *testing.T) {
	tb, s := theTable(t), readOf(t, "")
	r, err := tb.compare(s.root)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(r.String())
	switch {
	case s.version == modelled:
		places(t, tb, s)
		fallthrough
	case slices.Contains(tb.versions, s.version):
		holds(t, tb, s)
	}
}

// places holds the places of the table against the modelled version's source.
func places(t *testing.T, tb *table, s *runtimeSource) {
	for _, p := range Places {
		all, err := s.skeleton(p.Function)
		if err != nil {
			t.Fatal(err)
		}
		at, err := locate(all, p.Find)
		if stored, ok := tb.functions[p.Function].places[p.Find]; err != nil || !ok || stored != at {
			t.Errorf("%s: %q is statement %d (%v), and %d (%v) in the table; "+
				"to write it anew: SPINDLE_UPDATE=1 go test ./tla/drift -run TestDigests", p.Function, p.Find, at, err, stored, ok)
		}
	}
}

// Go 1.27 has another text in some functions, which means the same; one that is changed is named all the same.
func TestGo127(t *testing.T) {
	tier.OnlyFull(t)
	const v = "go1.27.3"
	root := gorootOf(t, v)
	r, err := Compare(root)
	if err != nil {
		t.Fatal(err)
	}
	if names := strings.Join(r.alike(), " "); r.Version != v || !r.Read || len(r.Differ) > 0 || len(r.Unread) > 0 || names != "mPark reentersyscall timer.modify" {
		t.Errorf("expected that %s was read, and differs in nothing that counts, saw %s, %v, %v, %q", v, r, r.Differ, r.Unread, names)
	}
	if differs, err := Differing(root, "reentersyscall", "mPark", "wakep"); err != nil || len(differs) > 0 {
		t.Errorf("expected that the findings rest on the same, saw %q, %v", differs, err)
	}
	tree := func(version, old, new string) string {
		to := t.TempDir()
		for _, file := range filesRead() {
			text, err := os.ReadFile(filepath.Join(root, file))
			if err != nil {
				t.Fatal(err)
			}
			write(t, to, file, strings.Replace(string(text), old, new, 1))
		}
		write(t, to, "VERSION", version)
		return to
	}
	r, err = Compare(tree(v, "\nfunc mPark() {", "\nfunc mPark() {\n\tosyield()"))
	if err != nil || len(r.Alike) != 2 || len(r.Differ) != 1 || r.Differ[0].Function != "mPark" || len(r.Unread) != 1 {
		t.Errorf("mPark with a line more: saw %v, %v", r, err)
	}
	// In a tree of another series the same text was not read.
	if r, err = Compare(tree(modelled, "", "")); err != nil || len(r.Alike) > 0 || len(r.Differ) != 3 || len(r.Unread) != 3 {
		t.Errorf("the text of %s in a tree of %s: saw %v, %v", v, modelled, r, err)
	}
}

// What means the same has another text, in a version that was read, and a reason; of which versions what
// holds is said.
func TestAlike(t *testing.T) {
	tb := theTable(t)
	for _, a := range alike {
		for _, name := range strings.Fields(a.functions) {
			f := tb.functions[name]
			if f == nil || a.why == "" {
				t.Errorf("%s of %s: expected a function of the list and a reason", name, a.version)
				continue
			}
			digest := ""
			for _, form := range f.forms {
				if slices.Contains(form.versions, a.version) {
					digest = form.digest
				}
			}
			if digest == "" || digest == f.modelled() || tb.sameAs(a.version, name, digest) != a.why {
				t.Errorf("%s of %s: expected another text than that of %s, saw %q", name, a.version, modelled, digest)
			}
			if why := tb.sameAs("go1.25.3", name, digest) + tb.sameAs("go1.99", name, digest) + tb.sameAs(a.version, "wakep", digest); why != "" {
				t.Errorf("%s: expected that it means the same in the series of %s alone, saw %q", name, a.version, why)
			}
		}
	}
	if said := strings.Join(Said(), " "); said != "go1.26.8 go1.26.11 go1.27.3" {
		t.Errorf("expected that what holds is said of 1.26 and 1.27, saw %s", said)
	}
}

// All toolchains of 1.25 differ from the modelled version; each function that does is
// named, as well as it can be known from the table alone which these are.
func TestGo125(t *testing.T) {
	const v = "go1.25.3"
	root := gorootOf(t, v)
	r, err := Compare(root)
	if err != nil {
		t.Fatal(err)
	}
	var want, saw []string
	for name, f := range theTable(t).functions {
		if !slices.Contains(f.versionsWith(f.modelled()), v) {
			want = append(want, name)
		}
	}
	slices.Sort(want)
	for _, d := range r.Differ {
		saw = append(saw, d.Function)
		if !slices.Contains(d.As, v) {
			t.Errorf("%s: expected that it is as in %s, saw %q", d.Function, v, d.As)
		}
	}
	if len(r.Unread) > 0 {
		t.Errorf("expected that %s is as it was read, saw %q", v, r.Unread)
	}
	if r.Version != v || !r.Read || !slices.Equal(saw, want) {
		t.Errorf("expected %s, read, and %q, saw %s, %v, %q", v, want, r.Version, r.Read, saw)
	}
	// What is known of these by reading.
	for name, how := range map[string]How{
		"reentersyscall": Changed, "setBlockOnExitSyscall": Missing, "exitsyscallfast": New, "entersyscallWakeSysmon": Renamed,
		"resetspinning": Changed, "procresize": Changed, "gcControllerState.assignWaitingGCWorker": Missing,
	} {
		i := slices.IndexFunc(r.Differ, func(d Difference) bool { return d.Function == name })
		if i < 0 || r.Differ[i].How != how {
			t.Errorf("%s: expected %s", name, how)
		}
	}
	for _, name := range []string{"wakep", "startm", "handoffp", "pidleput", "stopm", "runqput"} {
		differs, err := Differing(root, name)
		if err != nil || (len(differs) > 0) != (name == "handoffp") {
			t.Errorf("%s: saw %q, %v", name, differs, err)
		}
	}
}
