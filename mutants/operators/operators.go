// Package operators makes mutants by operator: small damages to functions of a
// package, each by a rule that knows Go and its atomics and locks, and no
// design.
//
// All mutants of a design go into one source ([Design.Source]). A function has
// a copy for each of its mutants, and its body begins with a switch over what
// package chosen says; so one binary has them all, and which one runs is chosen
// by the environment variable SPINDLE_INTERNAL_MUTANT, or by chosen.Set between two runs.
// With 0 the functions do what they did: a read of a plain variable is all that
// is new, and lines keep their numbers.
//
// The package runs nothing and judges nothing. Only [Design.Same] asks the
// compiler, which tells of some mutants that they are no other program.
package operators

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/internal/overlay"
)

// A Mutant is one damage to one function.
type Mutant struct {
	// ID names the mutant for as long as its function's text stays the same:
	// "runq.P.Get/cas-ignore/2" is the second of that operator in P.Get of
	// package runq.
	ID       string
	Number   int    // what the switch takes, from 1
	Operator string // see Operators
	File     string // slash path from the module's root
	Func     string // "P.Get", "NewP"
	Line     int
	// Old and New are the text that changed, one line each, for people.
	Old, New string
}

// An Operator is a rule by which mutants are made.
type Operator struct {
	Name, Doc string
	find      func(f *function)
}

// Operators returns all operators. Of two mutants with one text the earlier
// operator has it.
func Operators() []Operator { return slices.Clone(operators) }

var operators = []Operator{
	{"cas-store", "a swap that compares becomes a store that always succeeds", casStore},
	{"cas-ignore", "what a swap that compares says is taken for success, or for failure", casIgnore},
	{"cas-stale", "the expected value is read just before, so that it always fits; or is one off", casStale},
	{"cas-void", "the new value is the expected one, so that nothing is taken", casVoid},
	{"lock", "a lock is left out, is held for less, is given up in between, or is not given back", locks},
	{"access-omit", "a write to shared memory is left out, or a load is zero", accessOmit},
	{"access-double", "a write to shared memory is made twice", accessDouble},
	{"reread", "what was loaded once is loaded again where it is used, or what was loaded twice is loaded once", reread},
	{"load-early", "a load is made before the statement in front of its own, or before its loop", loadEarly},
	{"other-word", "an atomic operation is made on another field of the same type", otherWord},
	{"swap-neighbours", "two statements or parts of one that stand side by side change places", swapNeighbours},
	{"move-far", "a write or a call moves further than to its neighbour's place", moveFar},
	{"comparison", "a comparison is weaker, stronger, or the contrary", comparison},
	{"boolean", "and is or, one side or a not is left out, true is false", boolean},
	{"condition", "a condition always holds, or never", condition},
	{"mask", "a mask, remainder or shift is left out, or is off by a bit", mask},
	{"arithmetic", "plus is minus, or the right side is left out", arithmetic},
	{"off-by-one", "an index, an argument, a bound or a constant is one more or less", offByOne},
	{"count", "a count goes up or down by another number, or not at all", count},
	{"assign-omit", "a local variable is not assigned to", assignOmit},
	{"call-omit", "a call is left out", callOmit},
	{"exchange", "two operands of one type that stand side by side change places", exchange},
	{"return", "another value is returned, or the function goes on", returns},
	{"give-up", "a loop that tries again returns nothing instead", giveUp},
	{"loop", "a loop ends after one round, or is left out", loops},
}

// A Design is a package with mutants of functions of some of its files.
type Design struct {
	pkg     *pkg
	files   []*file
	mutants []*mutant
}

// A mutant is a Mutant with the text of its copy.
type mutant struct {
	Mutant
	file *file
	fn   *function
	text string // of the copy, from "func" on, under the function's own name
	name int    // offset of that name in text
}

// Generate makes all mutants of the functions in files of the package in dir;
// no files means all files but tests. It asks the go command what the package
// is. Functions without a body, main and init have no mutants.
func Generate(dir string, files []string) (*Design, error) { return generate(dir, nil, files) }

// GenerateOver is Generate of a package, named by its slash path from the root of base, of which base replaces or adds
// files. It need not be a package of a module: package runtime is none.
func GenerateOver(base *overlay.Set, dir string, files []string) (*Design, error) {
	return generate(filepath.Join(base.Root(), filepath.FromSlash(dir)), base, files)
}

func generate(dir string, base *overlay.Set, files []string) (*Design, error) {
	p, err := load(dir, base, files)
	if err != nil {
		return nil, err
	}
	d := &Design{pkg: p}
	for _, file := range p.files {
		if !file.chosen {
			continue
		}
		d.files = append(d.files, file)
		for _, f := range file.functions(p) {
			d.mutants = append(d.mutants, f.mutants()...)
		}
	}
	if err := d.check(); err != nil {
		return nil, err
	}
	ordinals := make(map[string]int)
	for i, m := range d.mutants {
		m.Number = i + 1
		key := p.types.Name() + "." + m.Func + "/" + m.Operator
		ordinals[key]++
		m.ID = fmt.Sprintf("%s/%d", key, ordinals[key])
	}
	return d, nil
}

// Root returns the folder of the module that the package is of.
func (d *Design) Root() string { return d.pkg.root }

// Mutants returns the mutants: by file and function as they stand in the
// source, then by operator.
func (d *Design) Mutants() []Mutant {
	out := make([]Mutant, len(d.mutants))
	for i, m := range d.mutants {
		out[i] = m.Mutant
	}
	return out
}

// mutants returns what the operators make of f, each text once.
func (f *function) mutants() []*mutant {
	for _, o := range operators {
		f.operator = o.Name
		from := len(f.found)
		o.find(f)
		slices.SortStableFunc(f.found[from:], func(a, b candidate) int { return cmp.Compare(a.pos, b.pos) })
	}
	seen := map[string]bool{f.printed(nil): true, "": true}
	var out []*mutant
	for _, c := range f.found {
		key := f.printed(c.edits)
		if seen[key] {
			continue
		}
		seen[key] = true
		text, name := f.copyWith(c.edits)
		old, new := f.lines(c)
		out = append(out, &mutant{file: f.file, fn: f, text: text, name: name, Mutant: Mutant{
			Operator: c.operator, File: f.file.path, Func: f.name, Line: f.line(c.pos), Old: old, New: new,
		}})
	}
	return out
}

// oneLine puts text on one line, without comments at line ends.
func oneLine(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if code, _, ok := strings.Cut(line, "//"); ok {
			line = code
		}
		line = strings.Join(strings.Fields(line), " ")
		if line == "" {
			continue
		}
		if s := b.String(); s != "" && !strings.HasSuffix(s, "{") && !strings.HasPrefix(line, "}") {
			b.WriteByte(';')
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(line)
	}
	return b.String()
}
