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

// assuming is t with other fixes and bugs in the ASSUME.
func (t texts) assuming(fixes, bugs []string) (texts, error) {
	for f, text := range t {
		if strings.Count(text, assumption) == 1 {
			n := maps.Clone(t)
			n[f] = strings.Replace(text, assumption, "ASSUME Fixes = "+set(fixes)+" /\\ Bugs = "+set(bugs), 1)
			return n, nil
		}
	}
	return nil, fmt.Errorf("expected %q once in a module, saw none", assumption)
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
