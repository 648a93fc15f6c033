package tla

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// compared has a line for each family of modules: a digest of the text that was last held
// against the machine in Go, state by state and edge by edge (TestSameGraphAsTLC).
//
//go:embed compared.txt
var compared string

// digest is of the text of the modules of a family in dir, without comments and blanks. Those
// that read traces are none of the machine's, and a user's own count where one of these
// extends them.
func digest(dir fs.FS, family string) (string, error) {
	h := sha256.New()
	for _, name := range Modules(Files) {
		if Family(name) != family || strings.HasPrefix(name, "Trace") {
			continue
		}
		text, err := fs.ReadFile(dir, name+".tla")
		if err != nil {
			return "", fmt.Errorf("tla: module %s: %w", name, err)
		}
		fmt.Fprintln(h, strings.Join(strings.Fields(blankComments(string(text))), " "))
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

// Changed returns the families whose modules in dir have another text than the one that was
// held against the machine in Go: what that one finds then is not known to be so of them.
func Changed(dir fs.FS) ([]string, error) {
	var list []string
	for _, family := range families {
		now, err := digest(dir, family)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(strings.Split(compared, "\n"), family+" "+now) {
			list = append(list, family)
		}
	}
	return list, nil
}

// Compared returns the text of compared.txt in dir after family was compared.
func Compared(dir fs.FS, family string) (string, error) {
	now, err := digest(dir, family)
	if err != nil {
		return "", err
	}
	was, err := fs.ReadFile(dir, "compared.txt")
	if err != nil {
		return "", err
	}
	lines := []string{family + " " + now}
	for line := range strings.Lines(string(was)) {
		if !strings.HasPrefix(line, family+" ") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n") + "\n", nil
}
