package tla

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/spindle-go/spindle/tla/tlc"
	"github.com/spindle-go/spindle/tla/variant"
)

// A source is a module's text with comments and strings blanked, so that a
// pattern finds what is meant.
type source struct {
	name    string
	file    string            // as it is
	text    string            // lines and columns as in the file
	bugs    []string          // the names that it asks for
	defs    map[string]string // the text of each definition's body
	extends []string
	// requirements are the ids above each definition.
	requirements map[string][]string
	// instances are the modules behind names: "Abs" of Abs == INSTANCE M.
	instances map[string]string
}

var (
	bugName    = regexp.MustCompile(`\bBug\("([^"]*)"\)`)
	definition = regexp.MustCompile(`(?m)^([A-Za-z_][A-Za-z_0-9]*)(?:\([^)\n]*\))?\s*==`)
	instance   = regexp.MustCompile(`^\s*INSTANCE\s+(\w+)`)
	endOfDef   = regexp.MustCompile(`(?m)^(?:----|====|ASSUME|THEOREM|CONSTANT|VARIABLE|LOCAL|RECURSIVE)`)
)

func parseSource(name, file string) *source {
	s := &source{name: name, file: file, text: blank(file), defs: make(map[string]string), instances: make(map[string]string), requirements: make(map[string][]string)}
	for _, f := range bugName.FindAllStringSubmatch(blankComments(file), -1) {
		s.bugs = append(s.bugs, f[1])
	}
	at := definition.FindAllStringSubmatchIndex(s.text, -1)
	for i, a := range at {
		end := len(s.text)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		body := s.text[a[1]:end]
		if e := endOfDef.FindStringIndex(body); e != nil {
			body = body[:e[0]]
		}
		name := s.text[a[2]:a[3]]
		s.defs[name] = body
		s.requirements[name] = above(file, a[0])
		if f := instance.FindStringSubmatch(body); f != nil {
			s.instances[name] = f[1]
		}
	}
	s.extends = variant.Extends(s.text)
	return s
}

// blank replaces comments and what is in strings by blanks.
func blank(file string) string { return blanked(file, true) }

// blankComments leaves strings.
func blankComments(file string) string { return blanked(file, false) }

func blanked(file string, strs bool) string {
	b := []byte(file)
	depth, line, quoted := 0, false, false
	for i := 0; i < len(b); i++ {
		two := string(b[i:min(len(b), i+2)])
		switch {
		case b[i] == '\n':
			line, quoted = false, false
			continue
		case line:
			b[i] = ' '
		case depth > 0:
			switch two {
			case "(*":
				depth++
			case "*)":
				depth--
			default:
				b[i] = ' '
				continue
			}
			b[i], b[i+1] = ' ', ' '
			i++
		case quoted:
			switch {
			case b[i] == '\\' && i+1 < len(b):
				if strs {
					b[i], b[i+1] = '_', '_'
				}
				i++
			case b[i] == '"':
				quoted = false
			case strs:
				b[i] = '_'
			}
		case b[i] == '"':
			quoted = true
		case two == `\*`:
			line = true
			b[i] = ' '
		case two == "(*":
			depth++
			b[i], b[i+1] = ' ', ' '
			i++
		}
	}
	return string(b)
}

// sources reads the modules of dir.
func sources(dir fs.FS) (map[string]*source, error) {
	if dir == fs.FS(Files) {
		return builtIn()
	}
	return parseAll(dir)
}

// builtIn are the modules of Files, which do not change.
var builtIn = sync.OnceValues(func() (map[string]*source, error) { return parseAll(Files) })

func parseAll(dir fs.FS) (map[string]*source, error) {
	names, err := fs.Glob(dir, "*.tla")
	if err != nil {
		return nil, err
	}
	all := make(map[string]*source)
	for _, file := range names {
		text, err := fs.ReadFile(dir, file)
		if err != nil {
			return nil, err
		}
		name := strings.TrimSuffix(file, ".tla")
		all[name] = parseSource(name, string(text))
	}
	return all, nil
}

// Modules lists the modules of dir.
func Modules(dir fs.FS) []string {
	names, _ := fs.Glob(dir, "*.tla") // the pattern is good
	for i := range names {
		names[i] = strings.TrimSuffix(path.Base(names[i]), ".tla")
	}
	slices.Sort(names)
	return names
}

var (
	temporal = regexp.MustCompile(`<>|~>|\bWF_|\bSF_`)
	always   = regexp.MustCompile(`\[\]|` + temporal.String())
	word     = regexp.MustCompile(`\b[A-Za-z_][A-Za-z_0-9]*(?:![A-Za-z_][A-Za-z_0-9]*)?`)
	brackets = strings.NewReplacer("<<", "( ", ">>", " )")
)

// liveness reports whether an operator of a module says what must happen at some
// time, itself or by what it is made of.
func liveness(all map[string]*source, module, op string) bool {
	return mentions(temporal, all, module, op, make(map[string]bool))
}

// mentions reports whether a pattern is in an operator of a module, or in what that is made of.
func mentions(pattern *regexp.Regexp, all map[string]*source, module, op string, seen map[string]bool) bool {
	s := all[module]
	if s == nil || seen[module+"!"+op] {
		return false
	}
	seen[module+"!"+op] = true
	body, ok := s.defs[op]
	if !ok {
		return slices.ContainsFunc(s.extends, func(m string) bool { return mentions(pattern, all, m, op, seen) })
	}
	if pattern.MatchString(brackets.Replace(body)) {
		return true
	}
	for _, w := range word.FindAllString(body, -1) {
		inst, name, of := strings.Cut(w, "!")
		if !of {
			if mentions(pattern, all, module, w, seen) {
				return true
			}
		} else if m := instanceOf(all, module, inst); m != "" && mentions(pattern, all, m, name, seen) {
			return true
		}
	}
	return false
}

func instanceOf(all map[string]*source, module, name string) string {
	s := all[module]
	if s == nil {
		return ""
	}
	if m := s.instances[name]; m != "" {
		return m
	}
	for _, e := range s.extends {
		if m := instanceOf(all, e, name); m != "" {
			return m
		}
	}
	return ""
}

// hasLiveness reports whether a configuration asks for a property that is
// liveness. It is an error, which wraps tlc.ErrFormat, if the configuration asks nothing,
// or asks for a predicate of a state as a PROPERTY: TLC says that a model without a
// property holds, and looks at such a PROPERTY in the initial states alone.
func hasLiveness(dir fs.FS, module, config string) (bool, error) {
	cfg, err := tlc.ParseConfig(config)
	switch {
	case err != nil:
		return false, err
	case len(cfg.Invariants)+len(cfg.Properties) == 0:
		return false, fmt.Errorf("%w: expected INVARIANTS or PROPERTIES, saw none: nothing is asked", tlc.ErrFormat)
	case len(cfg.Properties) == 0: // to parse all modules takes time
		return false, nil
	}
	all, err := sources(dir)
	if err != nil {
		return false, err
	}
	if all[module] == nil {
		return false, fmt.Errorf("expected module %s.tla, saw none", module)
	}
	for _, p := range cfg.Properties {
		if definer(all, module, p) != nil && !mentions(always, all, module, p, make(map[string]bool)) {
			return false, fmt.Errorf("%w: expected %s under INVARIANTS, since it is about one state, saw it under PROPERTIES, where TLC looks at the initial states alone", tlc.ErrFormat, p)
		}
	}
	return slices.ContainsFunc(cfg.Properties, func(p string) bool { return liveness(all, module, p) }), nil
}

// overridden returns an error, which wraps tlc.ErrFormat, if a configuration gives a value to what a module
// defines: TLC would take that value in place of the definition, and so ask another question under the same name.
func overridden(dir fs.FS, module, config string) error {
	cfg, err := tlc.ParseConfig(config)
	if err != nil {
		return err
	}
	var names []string
	for name, value := range cfg.Constants {
		if name != value { // else a model value
			names = append(names, regexp.QuoteMeta(name))
		}
	}
	if len(names) == 0 {
		return nil
	}
	definition, err := regexp.Compile(`(?m)^(?:LOCAL\s+)?(` + strings.Join(names, "|") + `)\s*(?:\(.*\)\s*)?==`)
	if err != nil {
		return err
	}
	for list, i := []string{module}, 0; i < len(list); i++ {
		text, err := fs.ReadFile(dir, list[i]+".tla")
		if errors.Is(err, fs.ErrNotExist) { // one of TLC's own, or the audit says it
			continue
		}
		if err != nil {
			return err
		}
		if found := definition.FindSubmatch(text); found != nil {
			return fmt.Errorf("%w: expected values of constants, saw one of %s, which %s.tla defines", tlc.ErrFormat, found[1], list[i])
		}
		for _, e := range variant.Extends(string(text)) {
			if !slices.Contains(list, e) {
				list = append(list, e)
			}
		}
	}
	return nil
}
