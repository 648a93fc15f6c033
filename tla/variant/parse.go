package variant

import (
	"fmt"
	"slices"
	"strings"
)

// parse reads a file of edits; its head says what may be in it. A name stands there once,
// and an alternative without edits is an error: it would be made in silence.
func parse(text string) ([]Variant, error) {
	var r reader
	for i, line := range strings.Split(text, "\n") {
		if err := r.line(line); err != nil {
			return nil, fmt.Errorf("tla: edits, line %d: %w, saw %q", i+1, err, line)
		}
	}
	if err := r.ended(); err != nil {
		return nil, fmt.Errorf("tla: edits, at the end: %w", err)
	}
	return r.list, nil
}

// A reader has read some lines.
type reader struct {
	list       []Variant
	definition string // that edits are about, "" before the first
	before     bool
	old, add   []string // of the edit that is read
}

func (r *reader) line(line string) error {
	word, rest, _ := strings.Cut(line, " ")
	if strings.TrimSpace(line) == "" || word == "#" {
		return nil
	}
	switch word {
	case "fix", "bug", "assume":
		if err := r.ended(); err != nil {
			return err
		}
		name, about, ok := strings.Cut(rest, " # ")
		if !ok || slices.ContainsFunc(r.list, func(v Variant) bool { return v.Name == name }) {
			return fmt.Errorf("expected a new name and behind # what is said of it")
		}
		r.list = append(r.list, Variant{Name: name, About: about, Bug: word == "bug", Assumed: word == "assume", Alternatives: make([][]Edit, 1)})
		return nil
	case "or", "in", "before", "-", "+":
		if len(r.list) == 0 {
			return fmt.Errorf("expected fix, bug or assume first")
		}
	}
	switch word {
	case "or":
		if err := r.ended(); err != nil {
			return err
		}
		v := &r.list[len(r.list)-1]
		v.Alternatives = append(v.Alternatives, nil)
	case "in", "before":
		if err := r.flush(); err != nil {
			return err
		}
		r.definition, r.before = rest, word == "before"
	case "-":
		if r.definition == "" || r.before {
			return fmt.Errorf("expected in and a definition above what is taken away")
		}
		if len(r.add) > 0 {
			if err := r.flush(); err != nil {
				return err
			}
		}
		r.old = append(r.old, rest)
	case "+":
		if r.definition == "" || len(r.old) == 0 && !r.before {
			return fmt.Errorf("expected before and a definition, or what is taken away, above what comes in")
		}
		r.add = append(r.add, rest)
	default:
		return fmt.Errorf("expected fix, bug, assume, in, before, or, - or +")
	}
	return nil
}

// flush ends the edit that is read.
func (r *reader) flush() error {
	if len(r.old)+len(r.add) == 0 {
		return nil
	}
	e := Edit{Definition: r.definition, Before: r.before, Old: strings.Join(r.old, "\n"), New: strings.Join(r.add, "\n")}
	if e.Old == e.New || e.Before && strings.TrimSpace(e.New) == "" {
		return fmt.Errorf("expected an edit of %s that changes something", e.Definition)
	}
	v := &r.list[len(r.list)-1]
	last := &v.Alternatives[len(v.Alternatives)-1]
	*last = append(*last, e)
	r.old, r.add = nil, nil
	return nil
}

// ended ends the alternative that is read.
func (r *reader) ended() error {
	if err := r.flush(); err != nil || len(r.list) == 0 {
		return err
	}
	r.definition = ""
	v := &r.list[len(r.list)-1]
	if len(v.Alternatives[len(v.Alternatives)-1]) == 0 {
		return fmt.Errorf("expected edits of %s", v.Name)
	}
	return nil
}
