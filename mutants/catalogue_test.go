package mutants

import (
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/overlay"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/mutants/rows"
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
	tier.NotShort(t)
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

// TestRowsFit holds that each row fits the present source and names what there is;
// whether it compiles is seen when it is run.
func TestRowsFit(t *testing.T) {
	all, err := rows.All()
	if err != nil {
		t.Fatal(err)
	}
	ids := make(map[string]bool)
	of := make(map[string]int)
	for _, r := range all {
		of[r.Subject]++
		if ids[r.ID] {
			t.Errorf("%s is twice in mutants/rows", r.ID)
		}
		ids[r.ID] = true
		if r.Subject == "scheduler" || r.Subject == "twolevel" || r.Requirement != "" {
			if _, err := spec.Lookup(r.Requirement); err != nil {
				t.Errorf("%s: expected the requirement that falls: %v", r.ID, err)
			}
		}
		set, err := overlay.New("..")
		if err != nil {
			t.Fatal(err)
		}
		if err := set.Apply(r.Edits...); err != nil {
			t.Errorf("%s: %v", r.ID, err)
		}
	}
	if of["suite"] > 200 || of["suite"] == 0 || of["scheduler"] < 79 || of["twolevel"] < 18 {
		t.Errorf("expected 1 to 200 rows of the suite and at least 79 and 18 of the two schedulers, saw %v: what is no word of a certificate, the gate or a report is damaged by operator", of)
	}
}

func TestChooseRows(t *testing.T) {
	if list, err := (&RowOptions{Subjects: []string{"suite"}, IDs: []string{"j-320"}}).choose(); err != nil || len(list) != 1 || list[0].ID != "J-320" {
		t.Errorf("%v, %v", list, err)
	}
	all, _ := (&RowOptions{}).choose()
	n := 0
	for i := range 7 {
		part, err := (&RowOptions{Part: i, Of: 7}).choose()
		if n += len(part); err != nil {
			t.Error(err)
		}
	}
	if n != len(all) || n == 0 {
		t.Errorf("expected %d rows in seven parts, saw %d", len(all), n)
	}
	for _, o := range []RowOptions{
		{IDs: []string{"J-0"}}, {Subjects: []string{"explorer"}, IDs: []string{"J-320"}}, {Subjects: []string{"queue"}},
		{Part: 1}, {Part: 2, Of: 2}, {Part: -1, Of: 2}, {Of: -1},
	} {
		if list, err := o.choose(); !errors.Is(err, ErrUsage) {
			t.Errorf("%+v: expected ErrUsage, saw %d rows and %v", o, len(list), err)
		}
	}
}
