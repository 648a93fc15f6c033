package tla

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/spindle-go/spindle/tla/tlc"
	"github.com/spindle-go/spindle/tla/variant"
)

// The tables and the files fit, without running anything.
func TestAudit(t *testing.T) {
	problems, err := Audit(Files)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Error(p)
	}
	if len(problems) > 0 {
		t.Log("to see it again: go run ./cmd/spindle tlc")
	}
}

const goodModule = `---- MODULE Good ----
EXTENDS Integers
CONSTANT Bugs
ASSUME Bugs = {}
VARIABLE x
\* A comment with ENABLED and LAMBDA, and a list == /\ x' = 1
Init ==
  x = [i \in 1..2 |-> 0]
Inc(i) ==
  /\ x[i] < 2
  /\ x' = [x EXCEPT ![i] = @ + 1]
Idle ==
  /\ x[1] = 7
  /\ UNCHANGED x
Next == Idle \/ \E i \in 1..2 : Inc(i)
Fair == WF_x(Next)
\* RQ-LOST
Spec == Init /\ [][Next]_x /\ Fair
\* RQ-LOST
Small == x[1] < 5
\* RQ-LOST, and a second line
\* with RQ-TWICE
Ends == <>(x[1] = 2)
\* RQ-LOST
Grows == [][x[1]' >= x[1]]_<<x>>
====
`

const goodHead = "\\* expect: holds, 9 generated, 9 distinct, depth 5\n\\* asks: Small\n\\* module: Good; set: gate; seconds: 1\n"

const goodConfig = "\\* Does it stay small?\n" + goodHead + "CONSTANT\n  Bugs = {}\nSPECIFICATION Spec\nINVARIANT Small\n"

func goodTables() (fstest.MapFS, *audit) {
	files := fstest.MapFS{"Good.tla": {Data: []byte(goodModule)}, "cfg/good.cfg": {Data: []byte(goodConfig)}}
	return files, &audit{dir: files, mutants: []Mutant{{Bugs: []string{"far"}, Model: "good", Violates: "Small", Depth: 2}},
		families: []string{"Good"}, unkilled: map[string]string{"Good!Idle": "it never happens"},
		variants: []variant.Variant{bug("far", "Inc")}}
}

// bug is one that damages a definition.
func bug(name, definition string) variant.Variant {
	return variant.Variant{Name: name, Bug: true, Alternatives: [][]variant.Edit{{{Definition: definition, Old: "@ + 1", New: "9"}}}}
}

// TestAuditCanFail changes one thing at a time.
func TestAuditCanFail(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(files fstest.MapFS, a *audit)
		want   string // "" is nothing
	}{
		{"as it is", func(fstest.MapFS, *audit) {}, ""},
		{"nothing is expected", func(f fstest.MapFS, a *audit) {
			f["cfg/new.cfg"] = &fstest.MapFile{Data: []byte("\\* Is it new?\nSPECIFICATION Spec\n")}
		}, "cfg/new.cfg: expected lines that say what it must give, saw none"},
		{"nothing is understood", func(f fstest.MapFS, a *audit) { head(f, "holds, 9 generated", "holds, 9 states") }, "cfg/good.cfg:2: malformed: expected"},
		{"no numbers", func(f fstest.MapFS, a *audit) {
			head(f, "holds, 9 generated, 9 distinct, depth 5", "holds")
		}, "cfg/good.cfg: expected its numbers of states behind expect: holds, saw none"},
		{"no such module", func(f fstest.MapFS, a *audit) { head(f, "module: Good", "module: Bad") }, "expected Bad.tla"},
		{"no question", func(f fstest.MapFS, a *audit) {
			head(f, "\\* Does it", "\\*Does it")
		}, "expected a comment with the question"},
		{"a bug in no mutant", func(f fstest.MapFS, a *audit) { a.variants = append(a.variants, bug("near", "Inc")) }, `has the bug "near", which is in no mutant`},
		{"a bug that is no edit", func(f fstest.MapFS, a *audit) { a.variants[0].Name = "near" }, `expected the bug "far" of Good in tla/variant, saw none`},
		{"a mutant of no model", func(f fstest.MapFS, a *audit) { a.mutants[0].Model = "none" }, `expected a model of the table, saw "none"`},
		{"a mutant that kills what is not there", func(f fstest.MapFS, a *audit) { a.mutants[0].Violates = "Tiny" }, `expected a property of cfg/good.cfg, saw "Tiny"`},
		{"a mutant twice", func(f fstest.MapFS, a *audit) { a.mutants = append(a.mutants, a.mutants[0]) }, "mutant good+far is twice"},
		{"equivalent without a reason", func(f fstest.MapFS, a *audit) { a.mutants[0].Violates = "" }, "or why nothing does"},
		{"equivalent", func(f fstest.MapFS, a *audit) { equivalent(f, a, 10, 9) }, ""},
		{"equivalent with fewer states", func(f fstest.MapFS, a *audit) { equivalent(f, a, 9, 8) }, ""},
		{"equivalent without counts", func(f fstest.MapFS, a *audit) { equivalent(f, a, 0, 9) }, "good+far: expected the numbers of states where nothing falls, and there alone, saw 0 generated, 9 distinct"},
		{"counts of what falls", func(f fstest.MapFS, a *audit) { a.mutants[0].Generated, a.mutants[0].Distinct = 3, 2 }, "and there alone, saw 3 generated, 2 distinct"},
		{"equivalent and not reached", func(f fstest.MapFS, a *audit) { equivalent(f, a, 9, 9) }, "good+far: expected other numbers of states than those of its model, saw the same"},
		{"an action without a row", func(f fstest.MapFS, a *audit) { a.mutants = nil }, "Good!Inc: expected a mutant of this action that a property kills, saw none"},
		{"an action whose row has two bugs", func(f fstest.MapFS, a *audit) { a.mutants[0].Bugs = []string{"far", "farther"} }, "Good!Inc: expected a mutant"},
		{"an action whose mutant is equivalent", func(f fstest.MapFS, a *audit) {
			equivalent(f, a, 10, 9)
			delete(a.unkilled, "Good!Inc")
		}, "Good!Inc: expected a mutant"},
		{"an edit that only adds", func(f fstest.MapFS, a *audit) { a.variants[0].Alternatives[0][0].New = "@ + 1 + 1" }, "Good!Inc: expected a mutant"},
		{"a fix in no configuration", func(f fstest.MapFS, a *audit) { a.variants = append(a.variants, variant.Variant{Name: "mend"}) }, `has the fix "mend", which is in no configuration`},
		{"an action without a mutant", func(f fstest.MapFS, a *audit) { a.unkilled = nil }, "Good!Idle: expected a mutant"},
		{"a mutant of what an action is made of", func(f fstest.MapFS, a *audit) {
			edit(f, "Inc(i) ==\n  /\\ x[i] < 2\n  /\\ x' = [x EXCEPT ![i] = @ + 1]",
				"To(n) == n + 1\nInc(i) ==\n  /\\ x[i] < 2\n  /\\ x' = [x EXCEPT ![i] = To(@)]")
			a.variants[0] = bug("far", "To")
		}, ""},
		{"an action that is killed and listed", func(f fstest.MapFS, a *audit) { a.unkilled["Good!Inc"] = "why" }, "Good!Inc: expected no mutant that a property kills"},
		{"what is listed and no action", func(f fstest.MapFS, a *audit) { a.unkilled["Good!Gone"] = "why" }, "expected Good!Gone, which is in tla.Unkilled, to be an action"},
		{"a property that nothing kills", func(f fstest.MapFS, a *audit) { config(f, "INVARIANT Other\n") }, "Other, of cfg/good.cfg: no mutant kills it"},
		{"a property about nothing", func(f fstest.MapFS, a *audit) {
			edit(f, "\\* RQ-LOST\nSmall", "\nSmall")
		}, "Small, of cfg/good.cfg: expected a requirement in the comment above it in Good.tla"},
		{"a property that is not there", func(f fstest.MapFS, a *audit) {
			killed(f, a, "Absent")
			config(f, "INVARIANT Absent\n")
		}, "Absent, of cfg/good.cfg: expected it in Good.tla"},
		{"liveness under symmetry", func(f fstest.MapFS, a *audit) {
			killed(f, a, "Ends")
			config(f, "PROPERTY Ends\nSYMMETRY S\n")
		}, "expected no SYMMETRY beside Ends"},
		{"fairness under symmetry", func(f fstest.MapFS, a *audit) {
			killed(f, a, "Spec")
			config(f, "PROPERTY Spec\nSYMMETRY S\n")
		}, "expected no SYMMETRY beside Spec"},
		{"safety under symmetry", func(f fstest.MapFS, a *audit) {
			killed(f, a, "Grows")
			config(f, "PROPERTY Grows\nSYMMETRY S\n")
		}, ""},
		{"two temporal properties", func(f fstest.MapFS, a *audit) {
			killed(f, a, "Ends")
			config(f, "PROPERTIES Ends Grows\n")
		}, "expected Ends to be the only PROPERTY"},
		{"ENABLED", func(f fstest.MapFS, a *audit) { edit(f, "x[1] < 5", "ENABLED Next") }, "Good.tla:20: expected no ENABLED"},
		{"LAMBDA", func(f fstest.MapFS, a *audit) { edit(f, "x[1] < 5", "LAMBDA y : y") }, "expected no LAMBDA"},
		{"a primed argument", func(f fstest.MapFS, a *audit) { edit(f, "x[1] = 7", "Max(1, x'[1])") }, "expected no primed variable in an argument"},
		{"a primed argument with a reason", func(f fstest.MapFS, a *audit) {
			edit(f, "x[1] = 7", `Max(1, x'[1]) \* primed: assigned above`)
		}, ""},
		{"a function over functions", func(f fstest.MapFS, a *audit) {
			edit(f, "[i \\in 1..2 |-> 0]", "[i \\in [1..2 -> 1..2] |-> 0]")
		}, "expected a function over numbers"},
		{"a function over pairs", func(f fstest.MapFS, a *audit) { edit(f, "[i \\in 1..2 |-> 0]", "[i \\in A \\X B |-> 0]") }, "expected a function over numbers"},
		{"a list behind ==", func(f fstest.MapFS, a *audit) { edit(f, "Inc(i) ==\n  /\\", "Inc(i) == /\\") }, "expected the list to begin on the line after =="},
		{"a list too far left", func(f fstest.MapFS, a *audit) { edit(f, "Inc(i) ==\n  /\\", "Inc(i) ==\n /\\") }, "expected the list at column 3"},
	} {
		files, a := goodTables()
		c.change(files, a)
		got, err := a.run()
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if c.want == "" && len(got) > 0 || c.want != "" && !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, c.want) }) {
			t.Errorf("%s: expected %q, saw %q", c.name, c.want, got)
		}
	}
}

// TestActionsNeedRows takes the mutants of one bug after another away, of those that are there
// for an action alone: each must be missed.
func TestActionsNeedRows(t *testing.T) {
	all, err := sources(Files)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range schedActionMutants {
		a := &audit{all: all, families: families, unkilled: Unkilled}
		a.mutants = slices.DeleteFunc(slices.Clone(Mutants), func(m Mutant) bool { return slices.Equal(m.Bugs, row.Bugs) })
		if a.actions(); len(a.list) != 1 || !strings.Contains(a.list[0], "expected a mutant of this action") {
			t.Errorf("without %v: expected an action without a mutant, saw %q", row.Bugs, a.list)
		}
	}
}

// TestGuardsDoNotCount: an edit that only makes an action wait for something does not damage
// it, nor does one that puts a definition in front of it.
func TestGuardsDoNotCount(t *testing.T) {
	all, err := sources(Files)
	if err != nil {
		t.Fatal(err)
	}
	damaged := (&audit{all: all}).damaged("Sched", map[string]bool{"no_storeload": true})
	if damaged["Block"] || damaged["Overflow"] || !damaged["Kick"] {
		t.Errorf("no_storeload: expected Kick, not Block, and not Overflow, saw %v", damaged)
	}
}

// head changes the first lines of the configuration.
func head(f fstest.MapFS, old, new string) {
	f["cfg/good.cfg"] = &fstest.MapFile{Data: []byte(strings.Replace(goodConfig, old, new, 1))}
}

// equivalent makes the mutant one that nothing kills, with these numbers of states; the
// property falls in a model of its own.
func equivalent(f fstest.MapFS, a *audit, generated, distinct int64) {
	a.mutants[0] = Mutant{Bugs: []string{"far"}, Model: "good", Equivalent: "why", Generated: generated, Distinct: distinct}
	text := strings.Replace(goodConfig, "holds, 9 generated, 9 distinct, depth 5", "violates Small, 2 states", 1)
	a.unkilled["Good!Inc"] = "nothing falls"
	f["cfg/falls.cfg"] = &fstest.MapFile{Data: []byte(text)}
}

func killed(f fstest.MapFS, a *audit, property string) {
	a.mutants[0].Violates = property
}

func edit(f fstest.MapFS, old, new string) {
	f["Good.tla"] = &fstest.MapFile{Data: []byte(strings.Replace(goodModule, old, new, 1))}
}

func config(f fstest.MapFS, properties string) {
	text := "\\* Is it so?\n" + goodHead + "CONSTANT\n  Bugs = {}\nSPECIFICATION Spec\n" + properties
	if cfg, err := tlc.ParseConfig(text); err == nil && len(cfg.Asks()) > 0 {
		text = strings.Replace(text, "asks: Small", "asks: "+strings.Join(cfg.Asks(), " "), 1)
	}
	f["cfg/good.cfg"] = &fstest.MapFile{Data: []byte(text)}
}

// A configuration that gives a value to a property, or to what one is made of, asks another question under
// the same name: TLC would take the value.
func TestOverridden(t *testing.T) {
	for constants, want := range map[string]string{
		"":                     "",
		"  Small = Small\n":    "",
		"  Small <- Grows\n":   "saw one of Small, which Good.tla defines",
		"  Small = TRUE\n":     "saw one of Small, which Good.tla defines",
		"  Inc <- Idle\n":      "saw one of Inc, which Good.tla defines",
		"  Smaller <- Grows\n": "",
	} {
		f, _ := goodTables()
		config(f, "INVARIANT Small\nCONSTANTS\n  None = 0\n"+constants)
		m, err := Find(f, "good")
		if err != nil {
			t.Fatal(err)
		}
		_, err = m.Task(f)
		if want == "" && err != nil || want != "" && (!errors.Is(err, tlc.ErrFormat) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: expected %q, saw %v", constants, want, err)
		}
	}
}

// A configuration that asks nothing, or of one state as if it were a behaviour, has no
// task: TLC would say that it holds.
func TestNothingAsked(t *testing.T) {
	for properties, want := range map[string]string{
		"INVARIANT Small\n":                 "",
		"PROPERTY Grows\n":                  "",
		"PROPERTY Ends\n":                   "",
		"":                                  "expected INVARIANTS or PROPERTIES, saw none",
		"INVARIANTS\nPROPERTIES\n":          "expected INVARIANTS or PROPERTIES, saw none",
		"\\* INVARIANT Small\n":             "expected INVARIANTS or PROPERTIES, saw none",
		"PROPERTY Small\n":                  "expected Small under INVARIANTS",
		"INVARIANT Small\nPROPERTY Small\n": "expected Small once, saw it twice",
		"PROPERTIES Ends Small\n":           "expected Small under INVARIANTS",
	} {
		f, _ := goodTables()
		config(f, properties)
		m, err := Find(f, "good")
		if err != nil {
			t.Fatal(err)
		}
		_, err = m.Task(f)
		if want == "" && err != nil || want != "" && (!errors.Is(err, tlc.ErrFormat) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: expected %q, saw %v", properties, want, err)
		}
	}
}
