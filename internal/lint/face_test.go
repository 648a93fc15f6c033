package lint

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// faces are the packages whose go doc is read on a screen, and how many lines it has.
var faces = []struct {
	dir   string
	lines int
	shows string
}{
	{"conformance", 30, "func TestQueue["},
	{"interleave", 40, "func Test("},
}

// columns is the width of the screen.
const columns = 100

func TestFaces(t *testing.T) {
	for _, f := range faces {
		cmd := exec.Command("go", "doc", ".")
		cmd.Dir = filepath.Join(root, f.dir)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v: %s", f.dir, err, out)
		}
		for _, wrong := range face(string(out), f.lines, f.shows) {
			t.Errorf("%s: %s in\n%s", f.dir, wrong, out)
		}
	}
}

// face says what keeps a text from a screen of so many lines that shows what it must.
func face(text string, lines int, shows string) (wrong []string) {
	if !strings.Contains(text, shows) {
		wrong = append(wrong, fmt.Sprintf("expected %q, saw none", shows))
	}
	list := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(list) > lines {
		wrong = append(wrong, fmt.Sprintf("expected at most %d lines, saw %d", lines, len(list)))
	}
	for _, line := range list {
		if width := len(strings.ReplaceAll(line, "\t", "        ")); width > columns {
			wrong = append(wrong, fmt.Sprintf("expected at most %d columns, saw %d", columns, width))
		}
	}
	return wrong
}

func TestFacesCanFail(t *testing.T) {
	for text, want := range map[string]string{
		"a\nfunc X\n":                          "[]",
		"a\nb\n":                               `[expected "func X", saw none]`,
		"a\nb\nfunc X\n":                       "[expected at most 2 lines, saw 3]",
		"func X\n\t" + strings.Repeat("x", 92): "[]",
		"func X\n\t" + strings.Repeat("x", 93): "[expected at most 100 columns, saw 101]",
	} {
		if got := fmt.Sprint(face(text, 2, "func X")); got != want {
			t.Errorf("%q: expected %s, saw %s", text, want, got)
		}
	}
}
