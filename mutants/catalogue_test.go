package mutants

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/overlay"
	"github.com/spindle-go/spindle/spec"
)

func TestCatalogue(t *testing.T) {
	ids := make(map[string]bool)
	real := 0
	for _, m := range Catalogue() {
		t.Run(m.ID, func(t *testing.T) {
			if !regexp.MustCompile(`^(G|RQ|OV|Q|E)-[0-9]+[a-z]?$`).MatchString(m.ID) {
				t.Errorf("id %q", m.ID)
			}
			if ids[m.ID] {
				t.Error("the id is taken")
			}
			ids[m.ID] = true
			if m.Title == "" || m.Source == "" || len(m.Impl) == 0 || len(m.Requirements) == 0 {
				t.Error("expected a title, a source, edits and requirements")
			}
			if !slices.Contains(spec.Witnesses(), m.Witness) {
				t.Errorf("unknown witness %q", m.Witness)
			}
			for i, id := range m.Requirements {
				r, err := spec.Lookup(id)
				if err != nil {
					t.Error(err)
				} else if i == 0 && !slices.Contains(r.Witnesses, m.Witness) {
					t.Errorf("%s is named first, but %s does not check it", id, m.Witness)
				}
			}
			if m.Equivalent != "" && m.Witness != spec.Interleave {
				t.Errorf("equivalent by %s, which exhausts nothing", m.Witness)
			}
		})
		if m.Equivalent == "" {
			real++
		}
	}
	if real < 16 {
		t.Errorf("%d mutants that are not equivalent, want at least 16", real)
	}
}

// TestEditsFit applies every mutant to the present source and type-checks the
// result.
func TestEditsFit(t *testing.T) {
	fset := token.NewFileSet()
	std := importer.ForCompiler(fset, "source", nil)
	for _, m := range append(Catalogue(), Mutant{ID: "none"}) {
		set, err := overlay.New("..")
		if err != nil {
			t.Fatal(err)
		}
		if err := set.Apply(m.Impl...); err != nil {
			t.Errorf("%s: %v", m.ID, err)
			continue
		}
		if err := typeCheck(fset, std, set); err != nil {
			t.Errorf("%s does not compile: %v", m.ID, err)
		}
	}
}

func typeCheck(fset *token.FileSet, std types.Importer, set *overlay.Set) error {
	names := set.Files()
	found, err := filepath.Glob("../impl/runq/*.go")
	if err != nil {
		return err
	}
	for _, f := range found {
		if name := "impl/runq/" + filepath.Base(f); !strings.HasSuffix(f, "_test.go") && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	var files []*ast.File
	for _, name := range names {
		text, err := set.Text(name)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	_, err = (&types.Config{Importer: std}).Check("runq", fset, files, nil)
	return err
}

func TestSelect(t *testing.T) {
	ms, err := Select("rq-1", "G-1")
	if err != nil || len(ms) != 2 || ms[0].ID != "RQ-1" || ms[1].ID != "G-1" {
		t.Errorf("%v, %v", ms, err)
	}
	if ms, err := Select(); err != nil || len(ms) != len(Catalogue()) {
		t.Errorf("%d mutants, %v", len(ms), err)
	}
	if _, err := Select("G-1", "G-99"); err == nil || !strings.Contains(err.Error(), `"G-99"`) || !strings.Contains(err.Error(), "OV-1") {
		t.Errorf("error %v, want one that names G-99 and the ids there are", err)
	}
}

// TestJudgeEditsFit holds that each mutant of what judges fits the present source;
// whether it compiles is seen when it is run.
func TestJudgeEditsFit(t *testing.T) {
	for _, j := range Judges() {
		if j.Title == "" || len(j.Edits) == 0 || j.Equivalent == "" && (j.Room == "" || j.Tests == "") {
			t.Errorf("%s: expected a title, edits, a room and its tests", j.ID)
		}
		if !slices.Contains(JudgeSubjects, j.Subject) {
			t.Errorf("%s: expected a subject of %v, saw %q", j.ID, JudgeSubjects, j.Subject)
		}
		if j.Subject == Scheduler || j.Requirement != "" {
			if _, err := spec.Lookup(j.Requirement); err != nil {
				t.Errorf("%s: expected the requirement that falls: %v", j.ID, err)
			}
		}
		set, err := overlay.New("..")
		if err != nil {
			t.Fatal(err)
		}
		if err := set.Apply(j.Edits...); err != nil {
			t.Errorf("%s: %v", j.ID, err)
		}
	}
}

// TestJudgeIDs holds that each id is written out, once, in a list of the catalogue:
// one that is counted out would be another's when a line moves, and a list that is
// not in the catalogue would be judged by nobody.
func TestJudgeIDs(t *testing.T) {
	files, err := filepath.Glob("judge_*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	written := make(map[string]string)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range judgeID.FindAllStringSubmatch(string(text), -1) {
			if was := written[m[1]]; was != "" {
				t.Errorf("%s is in %s and in %s", m[1], was, file)
			}
			written[m[1]] = file
		}
	}
	for _, j := range Judges() {
		if written[j.ID] == "" {
			t.Errorf("expected the id %q once in judge_*.go, saw it elsewhere, or twice in the catalogue", j.ID)
		}
		delete(written, j.ID)
	}
	for id, file := range written {
		t.Errorf("%s of %s is in no list of judgeLists", id, file)
	}
}

func TestSelectJudges(t *testing.T) {
	if js, err := selectJudges([]Subject{Suite}, []string{"j-800"}); err != nil || len(js) != 1 || js[0].ID != "J-800" {
		t.Errorf("%v, %v", js, err)
	}
	for _, c := range []struct {
		subjects []Subject
		ids      []string
	}{{nil, []string{"J-0"}}, {[]Subject{Explorer}, []string{"J-800"}}, {[]Subject{"queue"}, nil}} {
		if js, err := selectJudges(c.subjects, c.ids); err == nil {
			t.Errorf("%v: expected an error, saw %d mutants", c, len(js))
		}
	}
	if n := len(Judges(Suite)); n < 66 {
		t.Errorf("expected at least 66 mutants of what judges histories and runs, saw %d", n)
	}
}
