package variant

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"strings"
)

// texts are the modules that edits are made in, by the names of their files.
type texts map[string]string

var extending = regexp.MustCompile(`(?m)^EXTENDS\s+((?:\w+\s*,\s*)*\w+)`)

// Extends returns the modules that one of this text extends.
func Extends(text string) []string {
	found := extending.FindStringSubmatch(text)
	if found == nil {
		return nil
	}
	return strings.FieldsFunc(found[1], func(r rune) bool { return strings.ContainsRune(", \t\r\n", r) })
}

// read reads the module that bears the family's name and those of files that it extends.
func (f Family) read(files fs.FS) (texts, error) {
	t := make(texts)
	for todo := []string{string(f)}; len(todo) > 0; todo = todo[1:] {
		name := todo[0] + ".tla"
		if _, ok := t[name]; ok {
			continue
		}
		b, err := fs.ReadFile(files, name)
		if errors.Is(err, fs.ErrNotExist) { // one of TLC's own
			continue
		}
		if err != nil {
			return nil, err
		}
		t[name] = string(b)
		todo = append(todo, Extends(t[name])...)
	}
	return t, nil
}

// definition is the line that begins one.
var definition = regexp.MustCompile(`^([A-Za-z_][A-Za-z_0-9]*)(?:\([^)\n]*\))?[ \t]*==`)

// place is where a definition is: from its first line to the next definition's comment or
// the next rule.
func (t texts) place(name string) (file string, from, to int, err error) {
	found := 0
	for f, text := range t {
		for at := 0; ; {
			k := strings.Index(text[at:], "\n"+name)
			if k < 0 {
				break
			}
			at += k + 1
			if d := definition.FindStringSubmatch(text[at:]); d != nil && d[1] == name {
				file, from, to = f, at, at+end(text[at:])
				found++
			}
		}
	}
	if found != 1 {
		return "", 0, 0, fmt.Errorf("expected one definition of %q, saw %d", name, found)
	}
	return file, from, to, nil
}

// end is where the first definition of a text ends.
func end(text string) int {
	at := 0
	for i, line := range strings.SplitAfter(text, "\n") {
		begins := definition.MatchString(line) || strings.HasPrefix(line, `\*`) || strings.HasPrefix(line, "(*") ||
			strings.HasPrefix(line, "---") || strings.HasPrefix(line, "===")
		if i > 0 && begins {
			break
		}
		at += len(line)
	}
	return at
}

// assumption is what a shipped module holds of the constants; not each has Fixes.
var assumption = regexp.MustCompile(`(?m)^ASSUME (?:Fixes = {} /\\ )?Bugs = {}$`)

// assuming is t with other fixes and bugs in the ASSUME.
func (t texts) assuming(fixes, bugs []string) (texts, error) {
	for f, text := range t {
		if at := assumption.FindStringIndex(text); at != nil {
			line := strings.Replace(text[at[0]:at[1]], "Fixes = {}", "Fixes = "+set(fixes), 1)
			line = strings.Replace(line, "Bugs = {}", "Bugs = "+set(bugs), 1)
			n := maps.Clone(t)
			n[f] = text[:at[0]] + line + text[at[1]:]
			return n, nil
		}
	}
	return nil, fmt.Errorf("expected a line that matches %s in a module, saw none", assumption)
}

// edited is t with one edit.
func (t texts) edited(e Edit) (texts, error) {
	file, from, to, err := t.place(e.Definition)
	if err != nil {
		return nil, err
	}
	text := t[file]
	n := maps.Clone(t)
	if e.Before {
		for {
			line := strings.LastIndexByte(text[:from-1], '\n') + 1
			if !strings.HasPrefix(text[line:], `\*`) {
				break
			}
			from = line
		}
		n[file] = text[:from] + e.New + "\n\n" + text[from:]
		return n, nil
	}
	if k := strings.Count(text[from:to], e.Old); k != 1 {
		return nil, fmt.Errorf("expected %q once in %s, saw it %d times", e.Old, e.Definition, k)
	}
	n[file] = text[:from] + strings.Replace(text[from:to], e.Old, e.New, 1) + text[to:]
	return n, nil
}
