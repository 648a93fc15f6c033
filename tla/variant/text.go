package variant

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"strings"
)

// texts are the modules that edits are made in, by the names of their files.
type texts map[string]string

func read(files fs.FS) (texts, error) {
	names, err := fs.Glob(files, "Sched*.tla")
	if err != nil {
		return nil, err
	}
	t := make(texts)
	for _, name := range names {
		if path.Base(name) == "SchedAbs.tla" {
			continue
		}
		b, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		t[name] = string(b)
	}
	return t, nil
}

// definition is the line that begins one.
var definition = regexp.MustCompile(`(?m)^([A-Za-z_][A-Za-z_0-9]*)(?:\([^)\n]*\))?[ \t]*==`)

// place is where a definition is: from its first line to the next definition's comment or
// the next rule, or with no name the whole of the module that has the assumption.
func (t texts) place(name string) (file string, from, to int, err error) {
	found := 0
	for f, text := range t {
		if name == "" {
			if strings.Contains(text, assumption) {
				file, from, to = f, 0, len(text)
				found++
			}
			continue
		}
		if !strings.Contains(text, "\n"+name) {
			continue
		}
		for _, at := range definition.FindAllStringSubmatchIndex(text, -1) {
			if text[at[2]:at[3]] == name {
				file, from = f, at[0]
				to = from + end(text[from:])
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

// edited is t with one edit.
func (t texts) edited(e Edit) (texts, error) {
	file, from, to, err := t.place(e.Definition)
	if err != nil {
		return nil, err
	}
	text := t[file]
	n := maps.Clone(t)
	if e.Before {
		lines := strings.SplitAfter(text[:from], "\n")
		for len(lines) > 1 && strings.HasPrefix(lines[len(lines)-2], `\*`) { // the last is empty
			from -= len(lines[len(lines)-2])
			lines = lines[:len(lines)-1]
			lines[len(lines)-1] = ""
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
