package tla

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/tla/tlc"
	"github.com/spindle-go/spindle/tla/variant"
)

// Audit returns in what the table of mutants differs from the files of dir, and what
// these lack, without running anything: configurations that do not say what is
// expected, bugs that are in one and not in the other or change nothing, actions without a
// mutant that a property kills, properties without a requirement or that nothing kills, symmetry where liveness is checked.
func Audit(dir fs.FS) ([]string, error) {
	a := &audit{dir: dir, mutants: Mutants, families: families, unkilled: Unkilled}
	return a.run()
}

type audit struct {
	mutants  []Mutant
	families []string
	unkilled map[string]string
	variants []variant.Variant // nil: those of each family
	dir      fs.FS
	all      map[string]*source
	models   map[string]*Model
	list     []string
}

func (a *audit) problem(format string, args ...any) {
	a.list = append(a.list, fmt.Sprintf(format, args...))
}

func (a *audit) run() ([]string, error) {
	var err error
	if a.all, err = sources(a.dir); err != nil {
		return nil, err
	}
	a.list, err = Subset(a.dir)
	if err != nil {
		return nil, err
	}
	cfgs, err := a.configs()
	if err != nil {
		return nil, err
	}
	a.bugs(cfgs)
	a.properties(cfgs)
	a.actions()
	return a.list, nil
}

// configs reads the configurations, with what is expected of them.
func (a *audit) configs() (map[string]*tlc.Config, error) {
	files, err := fs.Glob(a.dir, "cfg/*.cfg")
	if err != nil {
		return nil, err
	}
	a.models = make(map[string]*Model)
	cfgs := make(map[string]*tlc.Config)
	for _, f := range files {
		text, err := fs.ReadFile(a.dir, f)
		if err != nil {
			return nil, err
		}
		m, err := parseRow(nameOf(f), string(text))
		if err != nil {
			a.problem("%v", err)
			continue
		}
		if m.Absent {
			a.problem("%s: expected lines that say what it must give, saw none: see CONTRIBUTING.md", f)
			continue
		}
		cfg, err := tlc.ParseConfig(string(text))
		if err != nil {
			a.problem("%s: %v", f, err)
			continue
		}
		a.models[m.Name], cfgs[m.Name] = m, cfg
		if a.all[m.Module] == nil {
			a.problem("model %s: expected %s.tla, saw none", m.Name, m.Module)
		}
		if !m.Counted() {
			a.problem("%s: expected its numbers of states behind expect: holds, saw none; -update writes them", f)
		}
		for _, p := range m.asked(cfg) {
			a.problem("cfg/%s", p)
		}
		if question(string(text)) == "" {
			a.problem("%s: expected a comment with the question on the first line, saw none", f)
		}
		for _, p := range cfg.Properties {
			if len(cfg.Other["SYMMETRY"]) > 0 && liveness(a.all, m.Module, p) {
				a.problem("%s: expected no SYMMETRY beside %s, which is liveness", f, p)
			}
		}
		if m.Violates != "" && slices.Contains(cfg.Properties, m.Violates) && len(cfg.Properties) > 1 {
			a.problem("%s: expected %s to be the only PROPERTY, since TLC names none; saw %v", f, m.Violates, cfg.Properties)
		}
	}
	return cfgs, nil
}

// bugs holds the names that modules ask for against the table of mutants.
func (a *audit) bugs(cfgs map[string]*tlc.Config) {
	asked := a.asked(cfgs)
	in := make(map[[2]string]bool) // by family and name
	twice := make(map[string]bool)
	for _, m := range a.mutants {
		name := m.Name()
		if twice[name] {
			a.problem("mutant %s is twice in the table", name)
		}
		twice[name] = true
		if base := a.models[m.Model]; base != nil {
			for _, b := range m.Bugs {
				bug := [2]string{Family(base.Module), b}
				in[bug] = true
				if asked[bug] == "" {
					a.problem("mutant %s: expected the bug %q of %s in tla/variant, saw none", name, b, bug[0])
				}
			}
		}
		a.reached(&m)
		cfg := cfgs[m.Model]
		switch {
		case cfg == nil:
			a.problem("mutant %s: expected a model of the table, saw %q", name, m.Model)
		case (m.Violates == "") == (m.Equivalent == ""):
			a.problem("mutant %s: expected what falls, or why nothing does", name)
		case m.Violates != "" && !slices.Contains(append(slices.Clone(cfg.Invariants), cfg.Properties...), m.Violates):
			a.problem("mutant %s: expected a property of cfg/%s.cfg, saw %q", name, m.Model, m.Violates)
		case (m.Generated == 0 || m.Distinct == 0) != (m.Equivalent == ""):
			a.problem("mutant %s: expected the numbers of states where nothing falls, and there alone, saw %d generated, %d distinct; spindle model -measure %s prints them", name, m.Generated, m.Distinct, name)
		case m.Violates != "" && m.Depth == 0:
			a.problem("mutant %s: expected a depth, saw 0", name)
		case slices.Contains(cfg.Properties, m.Violates) && len(cfg.Properties) > 1:
			a.problem("mutant %s: expected %s to be the only PROPERTY of cfg/%s.cfg, since TLC names none; saw %v", name, m.Violates, m.Model, cfg.Properties)
		}
	}
	for _, bug := range slices.SortedFunc(maps.Keys(asked), func(x, y [2]string) int { return slices.Compare(x[:], y[:]) }) {
		if !in[bug] {
			a.problem("%s has the bug %q, which is in no mutant (tla/mutants.go)", asked[bug], bug[1])
		}
	}
}

// asked returns where each bug is, by family and name: it is an edit, or a module without
// edits asks for it. Each edit must apply to the modules, and each fix be in a configuration.
func (a *audit) asked(cfgs map[string]*tlc.Config) map[[2]string]string {
	asked := make(map[[2]string]string)
	for _, s := range a.all {
		for _, b := range s.bugs {
			asked[[2]string{Family(s.name), b}] = s.name + ".tla"
		}
	}
	for _, family := range a.families {
		if a.all[family] == nil {
			continue
		}
		for _, v := range a.edits(family) {
			if v.Bug {
				asked[[2]string{family, v.Name}] = "tla/variant: " + family
			} else if !slices.ContainsFunc(slices.Collect(maps.Values(cfgs)), func(c *tlc.Config) bool {
				return strings.Contains(c.Constants["Fixes"], `"`+v.Name+`"`)
			}) {
				a.problem("tla/variant has the fix %q, which is in no configuration", v.Name)
			}
		}
		for _, err := range variant.Family(family).Check(a.dir) {
			a.problem("%v", err)
		}
	}
	return asked
}

// edits are the variants of a family.
func (a *audit) edits(family string) []variant.Variant {
	if a.variants != nil {
		return a.variants
	}
	list, err := variant.Family(family).Variants()
	if err != nil {
		a.problem("%v", err)
	}
	return list
}

// reached looks for an equivalent mutant that changes nothing: with as many states as
// without it, its step is not seen to differ, and so nothing is known of it.
func (a *audit) reached(m *Mutant) {
	base := a.models[m.Model]
	if base != nil && m.Equivalent != "" && m.Generated == base.Generated && m.Distinct == base.Distinct {
		a.problem("mutant %s: expected other numbers of states than those of its model, saw the same: what it damages makes no difference here, so that nothing is known of it", m.Name())
	}
}

// probe begins the names of states that a model must be able to reach: they are
// about no requirement.
const probe = "Never"

// properties looks for those without a requirement and those that nothing kills:
// a property that cannot fall says nothing.
func (a *audit) properties(cfgs map[string]*tlc.Config) {
	killed := make(map[string]bool)
	for _, m := range a.models {
		killed[m.Violates] = true
	}
	for _, m := range a.mutants {
		killed[m.Violates] = true
	}
	told := make(map[string]bool)
	for _, name := range slices.Sorted(maps.Keys(a.models)) {
		m, cfg := a.models[name], cfgs[name]
		for _, p := range append(slices.Clone(cfg.Invariants), cfg.Properties...) {
			if !killed[p] && !told[p] {
				a.problem("%s, of cfg/%s.cfg: no mutant kills it", p, m.Name)
			}
			s := definer(a.all, m.Module, p)
			switch {
			case told[p]:
			case s == nil:
				a.problem("%s, of cfg/%s.cfg: expected it in %s.tla or what that extends, saw none", p, m.Name, m.Module)
			case len(s.requirements[p]) == 0 && !strings.HasPrefix(p, probe) && p != enoughMs:
				a.problem("%s, of cfg/%s.cfg: expected a requirement in the comment above it in %s.tla, saw none", p, m.Name, s.name)
			}
			told[p] = true
		}
	}
}
