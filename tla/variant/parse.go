package variant

import (
	"fmt"
	"strings"
)

// parse reads a file of edits; its head says what may be in it.
func parse(text string) ([]Variant, error) {
	var list []Variant
	var now *[]Edit // the alternative that is read
	var e Edit
	var old, add []string
	definition, before := "", false
	flush := func() {
		if len(old)+len(add) == 0 {
			return
		}
		e = Edit{Definition: definition, Before: before, Old: strings.Join(old, "\n"), New: strings.Join(add, "\n")}
		*now = append(*now, e)
		old, add = nil, nil
	}
	for i, line := range strings.Split(text, "\n") {
		bad := func(what string) ([]Variant, error) {
			return nil, fmt.Errorf("tla: edits, line %d: expected %s, saw %q", i+1, what, line)
		}
		word, rest, _ := strings.Cut(line, " ")
		if strings.TrimSpace(line) == "" || word == "#" {
			continue
		}
		if (word == "-" || word == "+") && (now == nil || definition == "") {
			return bad("fix, bug or in before an edit")
		}
		switch word {
		case "fix", "bug":
			if now != nil {
				flush()
			}
			name, about, ok := strings.Cut(rest, " # ")
			if !ok {
				return bad("a name and behind # what is said of it")
			}
			list = append(list, Variant{Name: name, About: about, Bug: word == "bug", Alternatives: make([][]Edit, 1)})
			now, definition = &list[len(list)-1].Alternatives[0], ""
		case "or":
			if now == nil {
				return bad("fix or bug first")
			}
			flush()
			v := &list[len(list)-1]
			v.Alternatives = append(v.Alternatives, nil)
			now, definition = &v.Alternatives[len(v.Alternatives)-1], ""
		case "in", "before":
			if now == nil {
				return bad("fix or bug first")
			}
			flush()
			definition, before = rest, word == "before"
		case "-":
			if before {
				return bad("text to add")
			}
			if len(add) > 0 {
				flush()
			}
			old = append(old, rest)
		case "+":
			if len(old) == 0 && !before {
				return bad("what is taken away first")
			}
			add = append(add, rest)
		default:
			return bad("fix, bug, in, before, or, - or +")
		}
	}
	if now != nil {
		flush()
	}
	return list, nil
}
