package ci

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRuntime is a repository that pins a Go version and has no queue of its own: the
// runtime of that version is judged.
func TestRuntime(t *testing.T) {
	t.Parallel()
	p := &pull{repository: newRepository(t, "runtime"), action: parse[action](t, read(t, actionFile)), with: inputs(t, 1)}
	run := "^sequence/order$"
	if long() {
		run = "^(sequence|stress)/"
	}
	p.with["run"] = run
	p.base = p.follow(2, "check -json", "check -run '"+run+"' -json")
	o := p.run().want(t, 0, "pass: exit 0; 1 target")
	text, err := os.ReadFile(filepath.Join(o.out, "events", "check.ndjson"))
	version := strings.TrimSpace(p.sh(p.dir, "go env GOVERSION"))
	if err != nil || !strings.Contains(string(text), `"version":"`+version+`"`) {
		t.Errorf("expected %s to be judged, saw %v, %.500s", version, err, text)
	}
	p.reports(o, "pass")

	// Another selection than the baseline's is no comparison.
	p.run("run", "^sequence/emptiness$").want(t, 4, "expected selection of go")

	// The baseline of a target does not stand for another.
	p.run("targets", "ref").want(t, 1, "go: disappeared")

	if !long() {
		return
	}
	// A pull request that pins another version, which setup-go would install.
	const other = "go1.25.3"
	p.env = []string{"GOTOOLCHAIN=" + other}
	p.edit("go.mod", "go 1.26.0", "go 1.25.0")
	if saw := strings.TrimSpace(p.sh(p.dir, "GOTOOLCHAIN="+other+" go env GOVERSION || true")); saw != other {
		t.Skipf("expected %s in the module cache, saw %q", other, saw)
	}
	o = p.run().want(t, 0, "pass: exit 0; 1 target")
	if text, err = os.ReadFile(filepath.Join(o.out, "events", "check.ndjson")); err != nil || !strings.Contains(string(text), `"version":"`+other+`"`) {
		t.Errorf("expected %s to be judged, saw %v, %.500s", other, err, text)
	}
}

// TestCachedFolder holds that the folder in which the driver of the target go is kept
// is one of those that the action caches.
func TestCachedFolder(t *testing.T) {
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skip(err)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		t.Skip(err)
	}
	for _, s := range parse[action](t, read(t, actionFile)).Runs.Steps {
		if strings.HasPrefix(s.Uses, "actions/cache@") {
			for _, path := range strings.Fields(s.With["path"]) {
				if strings.Replace(path, "~", home, 1) == filepath.Join(cache, "spindle") {
					return
				}
			}
			t.Errorf("expected %s among\n%s", filepath.Join(cache, "spindle"), s.With["path"])
		}
	}
	t.Error("saw no step that caches it")
}
