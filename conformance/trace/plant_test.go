package trace_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/overlay"
	"github.com/spindle-go/spindle/mutants"
)

// root is the repository's root.
const root = "../.."

// withPlanted runs the test once more, in a binary in which planted has a copy of the
// reference for each mutant, all beside each other. It returns what was printed, and
// whether the test failed.
func withPlanted(t *testing.T, ms []mutants.Mutant) (out string, failed bool) {
	t.Helper()
	set, err := overlay.New(root)
	if err != nil {
		t.Fatal(err)
	}
	const at = "conformance/trace/planted_test.go"
	text, err := set.Text(at)
	if err != nil {
		t.Fatal(err)
	}
	var imports, list strings.Builder
	for _, m := range ms {
		name := strings.ToLower(strings.ReplaceAll(m.ID, "-", ""))
		plant(t, set, m, "conformance/trace/planted/"+name)
		fmt.Fprintf(&imports, "import %s %q\n", name, "github.com/spindle-go/spindle/conformance/trace/planted/"+name+"/ref")
		fmt.Fprintf(&list, "\t{%q, %s.New},\n", m.ID, name)
	}
	text = bytes.Replace(text, []byte("\n// planted"), []byte("\n"+imports.String()+"\n// planted"), 1)
	text = bytes.Replace(text, []byte("planted []damaged\n"), []byte("planted = []damaged{\n"+list.String()+"}\n"), 1)
	if err := set.Put(at, text); err != nil {
		t.Fatal(err)
	}
	file, err := set.Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-v", "-vet=off", "-run", "^"+t.Name()+"$", "./conformance/trace")
	cmd.Dir = root
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, harness.ScheduleVar) })
	cmd.Env = append(cmd.Env, "GOFLAGS="+os.Getenv("GOFLAGS")+" -overlay="+file)
	printed, err := cmd.CombinedOutput()
	if err != nil && !bytes.Contains(printed, []byte("--- FAIL: ")) {
		t.Fatalf("%v: %v\n%s", cmd, err, printed)
	}
	return string(printed), err != nil
}

// plant adds a copy of the reference to set, with a mutant in it.
func plant(t *testing.T, set *overlay.Set, m mutants.Mutant, dir string) {
	t.Helper()
	damaged, err := overlay.New(root)
	if err == nil {
		err = damaged.Apply(m.Impl...)
	}
	if err != nil {
		t.Fatalf("%s: %v", m.ID, err)
	}
	const module = "github.com/spindle-go/spindle/"
	for _, from := range []string{"impl/runq", "conformance/target/ref"} {
		files, _ := filepath.Glob(filepath.Join(root, from, "*.go"))
		for _, f := range files {
			if strings.HasSuffix(f, "_test.go") {
				continue
			}
			text, err := damaged.Text(from + "/" + filepath.Base(f))
			if err == nil {
				text = bytes.Replace(text, []byte(module+"impl/runq"), []byte(module+dir+"/runq"), 1)
				err = set.Put(dir+"/"+filepath.Base(from)+"/"+filepath.Base(f), text)
			}
			if err != nil {
				t.Fatalf("%s: %v", m.ID, err)
			}
		}
	}
}
