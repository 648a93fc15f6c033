package tla

import (
	"io/fs"
	"regexp"
	"strings"

	"github.com/spindle-go/spindle/tla/tlc"
)

// The requirements of a property are named in the comment that ends right above
// its definition, so that who reads the one sees the other.
var requirementID = regexp.MustCompile(`\b(?:RQ|DN|SC|SY|TM|FA)(?:-[A-Z0-9]+)+\b`)

// above returns the ids in the comment lines that end at offset.
func above(file string, offset int) []string {
	lines := strings.Split(strings.TrimSuffix(file[:offset], "\n"), "\n")
	first := len(lines)
	for first > 0 && (strings.HasPrefix(lines[first-1], `\*`) || strings.HasPrefix(lines[first-1], "(*")) {
		first--
	}
	return requirementID.FindAllString(strings.Join(lines[first:], "\n"), -1)
}

// RequirementsOf returns the ids of the catalogue that a property of a module is
// about.
func RequirementsOf(dir fs.FS, module, property string) ([]string, error) {
	all, err := sources(dir)
	if err != nil {
		return nil, err
	}
	if s := definer(all, module, property); s != nil {
		return s.requirements[property], nil
	}
	return nil, nil
}

// Checks returns what is checked of each requirement: by its id, the properties of
// configurations that are about it.
func Checks() (map[string][]string, error) {
	checks := make(map[string][]string)
	models, err := Models(Files)
	if err != nil {
		return nil, err
	}
	for _, m := range models {
		text, err := fs.ReadFile(Files, "cfg/"+m.Name+".cfg")
		if err != nil {
			return nil, err
		}
		cfg, err := tlc.ParseConfig(string(text))
		if err != nil {
			return nil, err
		}
		for _, p := range append(cfg.Invariants, cfg.Properties...) {
			ids, err := RequirementsOf(Files, m.Module, p)
			if err != nil {
				return nil, err
			}
			for _, id := range ids {
				checks[id] = append(checks[id], m.Name+" "+p)
			}
		}
	}
	return checks, nil
}

// definer returns the module that defines a name which module has, or nil.
func definer(all map[string]*source, module, name string) *source {
	for _, m := range closure(all, module) {
		if _, ok := all[m].defs[name]; ok {
			return all[m]
		}
	}
	return nil
}

// closure is a module and what it extends.
func closure(all map[string]*source, module string) []string {
	s := all[module]
	if s == nil {
		return nil
	}
	list := []string{module}
	for _, e := range s.extends {
		list = append(list, closure(all, e)...)
	}
	return list
}

// Family is the module that the steps of a configuration's module are named
// after: MCSched and what else is made of Sched make the steps of Sched.
func Family(module string) string {
	for _, name := range families {
		if strings.Contains(module, name) {
			return name
		}
	}
	return module
}

// Thread returns what stands before the number of a thread in traces.
func Thread(module string) string {
	switch Family(module) {
	case "Sched", "TwoLevel":
		return "M"
	case "RunQueue":
		return "P"
	}
	return "T"
}
