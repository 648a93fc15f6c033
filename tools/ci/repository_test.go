package ci

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// A repository is a user's, with the remote that pull requests go to.
type repository struct {
	testing.TB
	dir    string // a clone to work in
	remote string
	clones int
}

// newRepository makes one of testdata. Its module finds the suite in this checkout.
func newRepository(t testing.TB, name string) *repository {
	t.Helper()
	for _, program := range []string{"bash", "git", "go"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	r := &repository{TB: t, dir: filepath.Join(t.TempDir(), "clone"), remote: filepath.Join(t.TempDir(), "remote.git")}
	r.sh(".", "git init -q --bare -b main %q && git -C %q config uploadpack.allowAnySHA1InWant true && git clone -q %q %q 2>&1", r.remote, r.remote, r.remote, r.dir)
	if err := os.CopyFS(r.dir, os.DirFS(filepath.Join("testdata", name))); err != nil {
		t.Fatal(err)
	}
	mod := fmt.Sprintf("module example.com/%s\n\ngo 1.26.0\n", name)
	if name == "queue" {
		mod += fmt.Sprintf("\nrequire github.com/spindle-go/spindle v0.0.0\n\nreplace github.com/spindle-go/spindle => %q\n", root(t))
		r.write("go.sum", read(t, "go.sum"))
	}
	r.write("go.mod", mod)
	r.write(".gitignore", "events\n")
	r.push("first")
	return r
}

func (r *repository) sh(dir, format string, args ...any) string {
	r.Helper()
	cmd := exec.CommandContext(r.Context(), "bash", "-euo", "pipefail", "-c", fmt.Sprintf(format, args...))
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	return string(out)
}

func (r *repository) write(name, text string) {
	r.Helper()
	path := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		r.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		r.Fatal(err)
	}
}

// edit replaces a text in a file.
func (r *repository) edit(name, old, new string) {
	r.Helper()
	text, err := os.ReadFile(filepath.Join(r.dir, name))
	if err != nil {
		r.Fatal(err)
	}
	if !strings.Contains(string(text), old) {
		r.Fatalf("%s: expected %q in it", name, old)
	}
	r.write(name, strings.Replace(string(text), old, new, 1))
}

// twice has the queue give its third id twice.
func (r *repository) twice() {
	r.Helper()
	r.edit("queue.go", "\tids []uint64\n", "\tids  []uint64\n\tgets int\n")
	r.edit("queue.go", "id, q.ids = q.ids[0], q.ids[1:]", "id = q.ids[0]\n\t\tif q.gets++; q.gets != 3 {\n\t\t\tq.ids = q.ids[1:]\n\t\t}")
}

// push commits all there is to the branch main, and returns the commit.
func (r *repository) push(message string) string {
	r.Helper()
	r.sh(r.dir, "git add -A && git commit -q --allow-empty -m %q && git push -q origin HEAD:main 2>&1", message)
	return strings.TrimSpace(r.sh(r.dir, "git rev-parse HEAD"))
}

// checkout commits all there is to a branch of its own and returns a shallow clone of
// it, as a workflow has it. The folder stays as it is.
func (r *repository) checkout() string {
	r.Helper()
	r.clones++
	branch := fmt.Sprintf("b%d", r.clones)
	r.sh(r.dir, `git add -A && commit=$(git commit-tree -p HEAD -m change $(git write-tree)) && git push -q origin $commit:refs/heads/%s 2>&1 && git reset -q`, branch)
	dir := r.TempDir()
	r.sh(".", "git clone -q --depth 1 -b %s %q %q 2>&1", branch, "file://"+r.remote, dir)
	return dir
}

// The command is built once, by the action's own step.
var command struct {
	sync.Once
	path string
}

// spindle returns the command.
func spindle(t testing.TB) string {
	t.Helper()
	command.Do(func() {
		dir, err := os.MkdirTemp("", "spindle-ci-")
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range parse[action](t, read(t, actionFile)).Runs.Steps {
			if s.ID == "build" {
				r := newRunner(t, dir)
				sc := scope{"steps.begin.outputs.work": dir}
				var o outcome
				if code, _ := r.step(sc, s, &o, 0); code != 0 {
					t.Fatalf("exit %d\n%s", code, o.log)
				}
				command.path = filepath.Join(dir, "bin", "spindle")
			}
		}
	})
	if command.path == "" {
		t.Fatal("the command was not built")
	}
	return command.path
}

func TestMain(m *testing.M) {
	// No network, and nothing of the user's own git.
	env := map[string]string{
		"GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOWORK": "off",
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_SYSTEM": os.DevNull,
		"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org",
	}
	if !long() {
		env["SPINDLE_RUN"] = "^sequence/(order|emptiness|steal)$"
	}
	for name, v := range env {
		os.Setenv(name, v)
	}
	code := m.Run()
	if command.path != "" {
		os.RemoveAll(filepath.Dir(filepath.Dir(command.path)))
	}
	os.Exit(code)
}

var block = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")

// page returns the blocks of the page for new users in a language, in order.
func page(t testing.TB, language string) (list []string) {
	t.Helper()
	for _, m := range block.FindAllStringSubmatch(read(t, "ci/README.md"), -1) {
		if m[1] == language {
			list = append(list, m[2])
		}
	}
	return list
}

// follow does what the nth block of commands of the page says, with the command of this
// checkout, and commits what comes of it to the base.
func (r *repository) follow(n int, more ...string) string {
	r.Helper()
	script := strings.ReplaceAll(page(r, "sh")[n], "go run github.com/spindle-go/spindle/cmd/spindle@COMMIT", fmt.Sprintf("%q", spindle(r)))
	for i := 0; i < len(more); i += 2 {
		if !strings.Contains(script, more[i]) {
			r.Fatalf("expected %q in\n%s", more[i], script)
		}
		script = strings.Replace(script, more[i], more[i+1], 1)
	}
	// A test that fails is no reason to stop: bash of a user goes on.
	r.sh(r.dir, "%s", "set +e\n"+script)
	base := r.push("baseline")
	r.sh(r.dir, "rm -rf events")
	return base
}
