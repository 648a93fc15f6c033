package tla

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/tla/tlc"
)

// Audit returns in what the tables differ from the files of dir, without running
// anything: configurations and bugs that are in one and not in the other,
// properties without a requirement or that nothing kills, symmetry where liveness
// is checked.
func Audit(dir fs.FS) ([]string, error) {
	a := &audit{dir: dir, tables: tables{Models, Mutants}}
	return a.run()
}

// tables are what an audit holds the files against.
type tables struct {
	models  []Model
	mutants []Mutant
}

type audit struct {
	tables
	dir  fs.FS
	all  map[string]*source
	list []string
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
	return a.list, nil
}

// configs reads the configuration of each row, and looks for files without one.
func (a *audit) configs() (map[string]*tlc.Config, error) {
	files, err := fs.Glob(a.dir, "cfg/*.cfg")
	if err != nil {
		return nil, err
	}
	cfgs := make(map[string]*tlc.Config)
	for _, m := range a.models {
		if cfgs[m.Name] != nil {
			a.problem("model %s is twice in the table", m.Name)
		}
		text, err := fs.ReadFile(a.dir, "cfg/"+m.Name+".cfg")
		if err != nil {
			a.problem("model %s: expected cfg/%s.cfg, saw none", m.Name, m.Name)
			continue
		}
		cfg, err := tlc.ParseConfig(string(text))
		if err != nil {
			a.problem("cfg/%s.cfg: %v", m.Name, err)
			continue
		}
		cfgs[m.Name] = cfg
		if a.all[m.Module] == nil {
			a.problem("model %s: expected %s.tla, saw none", m.Name, m.Module)
		}
		if !slices.Contains(Sets(), m.Set) {
			a.problem("model %s: expected a set of %v, saw %q", m.Name, Sets(), m.Set)
		}
		if question(string(text)) == "" {
			a.problem("cfg/%s.cfg: expected a comment with the question on the first line, saw none", m.Name)
		}
		if m.Violates == "" && m.Distinct == 0 {
			a.problem("model %s: expected the number of states, saw 0", m.Name)
		}
		if m.Depth == 0 {
			a.problem("model %s: expected a depth, saw 0", m.Name)
		}
		for _, p := range cfg.Properties {
			if len(cfg.Other["SYMMETRY"]) > 0 && liveness(a.all, m.Module, p, make(map[string]bool)) {
				a.problem("cfg/%s.cfg: expected no SYMMETRY beside %s, which is liveness", m.Name, p)
			}
		}
		if m.Violates != "" && slices.Contains(cfg.Properties, m.Violates) && len(cfg.Properties) > 1 {
			a.problem("cfg/%s.cfg: expected %s to be the only PROPERTY, since TLC names none; saw %v", m.Name, m.Violates, cfg.Properties)
		}
	}
	for _, f := range files {
		if name := strings.TrimSuffix(strings.TrimPrefix(f, "cfg/"), ".cfg"); cfgs[name] == nil && !slices.ContainsFunc(a.models, func(m Model) bool { return m.Name == name }) {
			a.problem("%s is not in the table of models (tla/models.go)", f)
		}
	}
	return cfgs, nil
}

// bugs holds the names that modules ask for against the table of mutants.
func (a *audit) bugs(cfgs map[string]*tlc.Config) {
	asked := make(map[string]string)
	for _, s := range a.all {
		for _, b := range s.bugs {
			asked[b] = s.name
		}
	}
	in := make(map[string]bool)
	twice := make(map[string]bool)
	for _, m := range a.mutants {
		name := m.Name()
		if twice[name] {
			a.problem("mutant %s is twice in the table", name)
		}
		twice[name] = true
		for _, b := range m.Bugs {
			in[b] = true
			if asked[b] == "" {
				a.problem("mutant %s: no module asks for Bug(%q)", name, b)
			}
		}
		cfg := cfgs[m.Model]
		switch {
		case cfg == nil:
			a.problem("mutant %s: expected a model of the table, saw %q", name, m.Model)
		case (m.Violates == "") == (m.Equivalent == ""):
			a.problem("mutant %s: expected what falls, or why nothing does", name)
		case m.Violates != "" && !slices.Contains(append(slices.Clone(cfg.Invariants), cfg.Properties...), m.Violates):
			a.problem("mutant %s: expected a property of cfg/%s.cfg, saw %q", name, m.Model, m.Violates)
		case m.Violates != "" && m.Depth == 0:
			a.problem("mutant %s: expected a depth, saw 0", name)
		case slices.Contains(cfg.Properties, m.Violates) && len(cfg.Properties) > 1:
			a.problem("mutant %s: expected %s to be the only PROPERTY of cfg/%s.cfg, since TLC names none; saw %v", name, m.Violates, m.Model, cfg.Properties)
		}
	}
	for _, b := range slices.Sorted(maps.Keys(asked)) {
		if !in[b] {
			a.problem("%s.tla asks for Bug(%q), which is in no mutant (tla/mutants.go)", asked[b], b)
		}
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
	for _, m := range a.models {
		cfg := cfgs[m.Name]
		if cfg == nil {
			continue
		}
		for _, p := range append(slices.Clone(cfg.Invariants), cfg.Properties...) {
			if !killed[p] && !told[p] {
				a.problem("%s, of cfg/%s.cfg: no mutant kills it", p, m.Name)
			}
			s := definer(a.all, m.Module, p)
			switch {
			case told[p]:
			case s == nil:
				a.problem("%s, of cfg/%s.cfg: expected it in %s.tla or what that extends, saw none", p, m.Name, m.Module)
			case len(s.requirements[p]) == 0 && !strings.HasPrefix(p, probe):
				a.problem("%s, of cfg/%s.cfg: expected a requirement in the comment above it in %s.tla, saw none", p, m.Name, s.name)
			}
			told[p] = true
		}
	}
}
