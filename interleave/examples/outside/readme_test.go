package outside_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
)

var (
	block     = regexp.MustCompile("(?s)```(\\w*)\n(.*?)```")
	reproduce = regexp.MustCompile(`(?m)^ *to reproduce: (SPINDLE_SCHEDULE=.* go test .*)$`)
	blanks    = regexp.MustCompile(`(?m) +$`)
)

// readme returns the files that the README has, by the names in their first
// lines, and the outputs that it shows, by the packages that they come from.
func readme(t *testing.T) (files, outputs map[string]string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	files, outputs = make(map[string]string), make(map[string]string)
	for _, b := range block.FindAllStringSubmatch(string(text), -1) {
		first, _, _ := strings.Cut(strings.TrimSpace(b[2]), "\n")
		switch {
		case b[1] == "go":
			name, ok := strings.CutPrefix(first, "// ")
			if !ok {
				t.Errorf("README.md has code without the name of its file: %s", first)
			}
			files[name] = b[2]
		case strings.Contains(first, "_test.go:"):
			outputs[first[:strings.Index(first, "_test.go:")]] = b[2]
		}
	}
	return files, outputs
}

// TestReadme makes the README's packages, and holds what go test says of them
// against what stands there.
func TestReadme(t *testing.T) {
	tier.OnlyFull(t)
	files, outputs := readme(t)
	m := newModule(t, files)
	out, code := m.run(".", "go vet ./... && go test -v ./...")
	if code != 1 {
		t.Fatalf("exit %d, want 1, of what is wrong:\n%s", code, out)
	}
	for _, p := range []struct {
		name, says string
		right      bool
	}{
		{"counter", "assertion in Finally: expected 2; observed 1", false},
		{"stack", "a node that somebody has is in the stack", false},
		{"cell", "complete: ", true},
		{"seqlock", "complete: ", true},
	} {
		t.Run(p.name, func(t *testing.T) {
			m := &module{t, m.dir}
			shown := outputs[p.name]
			if shown == "" || !strings.Contains(shown, p.says) {
				t.Errorf("README.md does not show %q of package %s", p.says, p.name)
			}
			if !strings.Contains(blanks.ReplaceAllString(out, ""), shown) {
				t.Errorf("README.md shows of package %s\n%s\nand it is not what is printed:\n%s", p.name, shown, out)
			}
			if strings.Contains(out, "ok  \texample.com/outside/"+p.name) != p.right {
				t.Errorf("package %s: expected that it passes: %v; observed\n%s", p.name, p.right, out)
			}
			if p.right {
				return
			}
			command := reproduce.FindStringSubmatch(shown)
			if command == nil {
				t.Fatalf("no command to see it again in\n%s", shown)
			}
			again, code := m.run(p.name, command[1])
			if code != 1 {
				t.Errorf("%s: exit %d, want 1", command[1], code)
			}
			// The last lines but one say how it was found.
			what, _, _ := strings.Cut(shown, " steps, ")
			if !strings.Contains(blanks.ReplaceAllString(again, ""), what) {
				t.Errorf("%s shows another failure:\n%s", command[1], again)
			}
		})
	}
}
