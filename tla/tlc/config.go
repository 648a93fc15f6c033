package tlc

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Config is what a configuration file says.
type Config struct {
	Constants     map[string]string // by name; what is substituted begins with "<-"
	Specification string
	Invariants    []string
	Properties    []string
	// Other are the other sections, such as SYMMETRY, with their words.
	Other map[string][]string
}

var sections = []string{
	"CONSTANT", "CONSTANTS", "SPECIFICATION", "INVARIANT", "INVARIANTS", "PROPERTY", "PROPERTIES", "INIT", "NEXT",
	"SYMMETRY", "VIEW", "CONSTRAINT", "CONSTRAINTS", "ACTION_CONSTRAINT", "ACTION_CONSTRAINTS", "CHECK_DEADLOCK",
}

// ParseConfig reads a configuration file. It does not check that the names are
// in a module. Errors wrap ErrFormat and give the line.
func ParseConfig(text string) (*Config, error) {
	c := &Config{Constants: make(map[string]string), Other: make(map[string][]string)}
	section, constant := "", ""
	for i, line := range strings.Split(uncomment(text), "\n") {
		words := strings.Fields(line)
		if len(words) > 0 && slices.Contains(sections, words[0]) {
			section, constant = words[0], ""
			words = words[1:]
		}
		if len(words) == 0 {
			continue
		}
		switch section {
		case "":
			return nil, fmt.Errorf("configuration, line %d: expected one of %s, saw %q: %w", i+1, strings.Join(sections, " "), words[0], ErrFormat)
		case "CONSTANT", "CONSTANTS":
			rest := strings.Join(words, " ")
			name, value, ok := strings.Cut(rest, "=")
			if n, v, sub := strings.Cut(rest, "<-"); sub && (!ok || len(n) < len(name)) {
				name, value, ok = n, "<-"+v, true
			}
			switch {
			case ok:
				constant = strings.TrimSpace(name)
				if first, twice := c.Constants[constant]; twice {
					return nil, fmt.Errorf("configuration, line %d: expected constant %s once, saw %q besides %q, of which TLC takes the last: %w", i+1, constant, strings.TrimSpace(value), first, ErrFormat)
				}
				c.Constants[constant] = strings.TrimSpace(value)
			case constant != "":
				c.Constants[constant] += " " + rest
			default:
				return nil, fmt.Errorf("configuration, line %d: expected NAME = VALUE, saw %q: %w", i+1, rest, ErrFormat)
			}
		case "SPECIFICATION":
			if c.Specification != "" || len(words) > 1 {
				return nil, fmt.Errorf("configuration, line %d: expected one SPECIFICATION, saw %q: %w", i+1, strings.TrimSpace(c.Specification+" "+strings.Join(words, " ")), ErrFormat)
			}
			c.Specification = words[0]
		case "INVARIANT", "INVARIANTS", "PROPERTY", "PROPERTIES":
			to := &c.Invariants
			if strings.HasPrefix(section, "PROP") {
				to = &c.Properties
			}
			for _, name := range words { // one that is there twice may stand where another one was
				if slices.Contains(c.Invariants, name) || slices.Contains(c.Properties, name) {
					return nil, fmt.Errorf("configuration, line %d: expected %s once, saw it twice: %w", i+1, name, ErrFormat)
				}
				*to = append(*to, name)
			}
		default:
			c.Other[section] = append(c.Other[section], words...)
		}
	}
	return c, nil
}

// Asks is what the configuration asks, in the order in which it says so: invariants and properties, and
// behind them the sections that change the question, with their words. SYMMETRY changes the way alone.
func (c *Config) Asks() []string {
	list := slices.Concat(c.Invariants, c.Properties)
	for _, section := range slices.Sorted(maps.Keys(c.Other)) {
		if section != "SYMMETRY" {
			list = append(append(list, section), c.Other[section]...)
		}
	}
	return list
}

// uncomment blanks comments, so that lines keep their numbers.
func uncomment(text string) string {
	var b strings.Builder
	depth := 0
	for i := 0; i < len(text); i++ {
		switch rest := text[i:]; {
		case strings.HasPrefix(rest, "(*"):
			depth++
			i++
		case depth > 0 && strings.HasPrefix(rest, "*)"):
			depth--
			i++
		case depth > 0:
			if text[i] == '\n' {
				b.WriteByte('\n')
			}
		case strings.HasPrefix(rest, `\*`):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				return b.String()
			}
			i += end - 1
		default:
			b.WriteByte(text[i])
		}
	}
	return b.String()
}
