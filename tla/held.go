package tla

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spindle-go/spindle/tla/variant"
)

// held has a line for each family of modules: a digest of the text that the tests hold the
// machine in Go against. Every run of CI compares TLC's numbers of states, and some graphs.
//
//go:embed held.txt
var held string

// digest is of the text of the modules of a family in dir, without comments and blanks, and
// of its edits, which make the text of its fixes and bugs. The modules that read
// traces have no machine. A module that is not built in counts where one of these extends it,
// since the text of that one differs then.
func digest(dir fs.FS, family string, edits []variant.Variant) (string, error) {
	h := sha256.New()
	for i := range edits {
		fmt.Fprintf(h, "%s %t %q\n", edits[i].Name, edits[i].Bug, fmt.Sprint(edits[i].Alternatives))
	}
	for _, name := range Modules(Files) {
		if Family(name) != family || strings.HasPrefix(name, "Trace") {
			continue
		}
		text, err := fs.ReadFile(dir, name+".tla")
		if errors.Is(err, fs.ErrNotExist) {
			continue // the text of the family is another one, then
		}
		if err != nil {
			return "", fmt.Errorf("tla: module %s: %w", name, err)
		}
		fmt.Fprintln(h, strings.Join(strings.Fields(blankComments(string(text))), " "))
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

// digests is the text of held.txt for dir.
func digests(dir fs.FS) (string, error) {
	var lines strings.Builder
	for _, family := range families {
		edits, err := variant.Family(family).Variants()
		if err != nil {
			return "", err
		}
		d, err := digest(dir, family, edits)
		if err != nil {
			return "", err
		}
		fmt.Fprintln(&lines, family, d)
	}
	return lines.String(), nil
}

// Changed returns the families whose modules in dir have another text than the one that the
// machine in Go is held against: what the machine finds is not known to be so of them.
func Changed(dir fs.FS) (list []string, err error) {
	now, err := digests(dir)
	for line := range strings.Lines(now) {
		if !strings.Contains(held, line) {
			family, _, _ := strings.Cut(line, " ")
			list = append(list, family)
		}
	}
	return list, err
}
