package instrument

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
)

// TestEquivalence rewrites packages of this and the standard library in full, and runs
// their own tests: outside of an exploration nothing may be different.
func TestEquivalence(t *testing.T) {
	tier.NotShort(t)
	t.Parallel()
	names := tier.Some(t, []string{"container/list", "../impl/runq", "text/tabwriter", "encoding/csv", "regexp/syntax", "text/template/parse", "encoding/json", "bufio", "compress/bzip2", "text/scanner"}, 1)
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	goroot := strings.TrimSpace(string(out))
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			from := filepath.Join(goroot, "src", filepath.FromSlash(name))
			if rest, ok := strings.CutPrefix(name, "../"); ok {
				from = filepath.Join("../../..", rest) // of this repository
				name = "github.com/spindle-go/spindle/" + rest
			}
			if _, err := os.Stat(from); err != nil {
				t.Skip(err)
			}
			files := make(map[string]string)
			base := filepath.Base(from)
			err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				rel, _ := filepath.Rel(from, path)
				if dir := filepath.Dir(rel); strings.HasSuffix(rel, ".go") && dir != "." && !strings.Contains(dir, "testdata") {
					return nil // another package
				}
				text, err := os.ReadFile(path)
				if rel == "main_test.go" || strings.HasSuffix(rel, "_test.go") && (bytes.Contains(text, []byte("\"internal/")) || bytes.Contains(text, []byte("\"pgregory.net/"))) {
					return nil // not for other modules, or sets flags of a package that is not there
				}
				files[base+"/"+rel] = strings.ReplaceAll(string(text), `"`+name+`"`, `"example.com/m/`+base+`"`)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			files[base+"/uses_test.go"] = uses(base)
			dir := module(t, files)
			r, err := run(t, dir, "example.com/m/"+base, true)
			if err != nil {
				t.Fatal(err)
			}
			t.Log(r.Sites, "sites")
			gotest(t, dir, "./"+base, r)
		})
	}
}
