package tlc

import (
	"fmt"
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
			c.Specification = words[0]
		case "INVARIANT", "INVARIANTS":
			c.Invariants = append(c.Invariants, words...)
		case "PROPERTY", "PROPERTIES":
			c.Properties = append(c.Properties, words...)
		default:
			c.Other[section] = append(c.Other[section], words...)
		}
	}
	return c, nil
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
