//go:build linux

package act

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const ours = "spindle-go/spindle"

// A host stands for GitHub: a folder of bare repositories. Git takes from there what it is
// told to take from https://github.com.
type host struct {
	testing.TB
	dir     string   // the bare repositories, by owner and name
	env     []string // of all commands
	root    string   // this checkout
	suite   string   // a clone of spindle-go/spindle
	commit  string   // its commit: this checkout as it is now
	spindle string   // the command, built from it
}

// newHost makes a host that has spindle-go/spindle.
func newHost(t testing.TB) *host {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	tmp := t.TempDir()
	h := &host{
		TB: t, root: root,
		dir: filepath.Join(tmp, "github.com"), suite: filepath.Join(tmp, "suite"), spindle: filepath.Join(tmp, "spindle"),
	}
	config := filepath.Join(tmp, "gitconfig")
	h.write(config, "[user]\nname = a\nemail = a@example.org\n[init]\ndefaultBranch = main\n[advice]\ndetachedHead = false\n"+
		fmt.Sprintf("[url \"file://%s/\"]\ninsteadOf = https://github.com/\n", h.dir))
	h.env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+config, "GIT_CONFIG_SYSTEM="+os.DevNull,
		"GOPROXY=off", "GOWORK=off", "GOFLAGS=-buildvcs=false")
	bare := h.create(ours)
	h.sh(root, "export GIT_DIR=%q && git --work-tree=. add -A && git --work-tree=. commit -qm now", bare)
	h.sh(tmp, "git clone -q https://github.com/%s suite", ours)
	h.commit = h.sh(h.suite, "git rev-parse HEAD")
	h.sh(root, "go build -trimpath -o %q ./cmd/spindle", h.spindle) // as the action builds it
	return h
}

// create makes a repository that gives each commit by its hash, as GitHub does.
func (h *host) create(name string) (dir string) {
	h.Helper()
	dir = filepath.Join(h.dir, name+".git")
	h.sh(h.root, "git init -q --bare %q && git -C %q config uploadpack.allowAnySHA1InWant true", dir, dir)
	return dir
}

// sh runs a script and returns what it prints.
func (h *host) sh(dir, format string, args ...any) string {
	h.Helper()
	cmd := exec.CommandContext(h.Context(), "bash", "-euo", "pipefail", "-c", fmt.Sprintf(format, args...))
	cmd.Dir, cmd.Env = dir, h.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		h.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (h *host) read(name string) string {
	h.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		h.Fatal(err)
	}
	return string(text)
}

func (h *host) write(name, text string) {
	h.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		h.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		h.Fatal(err)
	}
}

var fence = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")

// page returns the blocks of ci/README.md in a language, in order.
func (h *host) page(language string) (list []string) {
	h.Helper()
	for _, m := range fence.FindAllStringSubmatch(h.read(filepath.Join(h.root, "ci/README.md")), -1) {
		if m[1] == language {
			list = append(list, m[2])
		}
	}
	return list
}

// change has a text in place of another.
func (h *host) change(text, old, new string) string {
	h.Helper()
	if !strings.Contains(text, old) {
		h.Fatalf("expected %q in\n%s", old, text)
	}
	return strings.Replace(text, old, new, 1)
}

// A pull is a pull request to main, the only branch of its repository.
type pull struct {
	*host
	name string // of the repository
	dir  string // a clone of it
	base string // the commit of main
}

// newPull makes a repository of a folder of tools/ci/testdata and a workflow. Its branch
// main has no baseline yet.
func (h *host) newPull(t testing.TB, folder, workflow string) *pull {
	t.Helper()
	own := *h
	own.TB = t
	p := &pull{host: &own, name: "example/" + filepath.Base(t.Name()), dir: filepath.Join(t.TempDir(), "clone")}
	p.create(p.name)
	p.sh(p.root, "git clone -q https://github.com/%s %q 2>&1", p.name, p.dir)
	if err := os.CopyFS(p.dir, os.DirFS(filepath.Join(p.root, "tools/ci/testdata", folder))); err != nil {
		t.Fatal(err)
	}
	mod := fmt.Sprintf("module example.com/%s\n\ngo 1.26.0\n", folder)
	if folder == "queue" {
		p.write(p.path("go.sum"), p.read(filepath.Join(p.root, "go.sum")))
		mod += fmt.Sprintf("\nrequire github.com/spindle-go/spindle v0.0.0\n\nreplace github.com/spindle-go/spindle => %q\n", p.root)
	}
	p.write(p.path("go.mod"), mod)
	p.sh(p.dir, "GOFLAGS=-mod=mod go list -deps -test ./... >/dev/null") // the other modules
	p.write(p.path(".gitignore"), "events\n")
	p.write(p.path(".github/workflows/spindle.yml"), strings.ReplaceAll(workflow, "COMMIT", p.commit))
	return p
}

func (p *pull) path(name string) string { return filepath.Join(p.dir, filepath.FromSlash(name)) }

// edit has a text in place of another in a file.
func (p *pull) edit(name, old, new string) {
	p.Helper()
	p.write(p.path(name), p.change(p.read(p.path(name)), old, new))
}

// twice has the queue give its third id twice.
func (p *pull) twice() {
	p.Helper()
	p.edit("queue.go", "\tids []uint64\n", "\tids  []uint64\n\tgets int\n")
	p.edit("queue.go", "id, q.ids = q.ids[0], q.ids[1:]", "id = q.ids[0]\n\t\tif q.gets++; q.gets != 3 {\n\t\t\tq.ids = q.ids[1:]\n\t\t}")
}

// baseline runs commands of ci/README.md that make one.
func (p *pull) baseline(commands string) {
	p.Helper()
	commands = strings.ReplaceAll(commands, "go run github.com/spindle-go/spindle/cmd/spindle@COMMIT", fmt.Sprintf("%q", p.spindle))
	// A test that fails is no reason to stop: the shell of a user goes on.
	p.sh(p.dir, "set +e\n%s\nset -e; rm -r events; [ -s .spindle/baseline.json ]", commands)
}

// main makes all there is now the branch main.
func (p *pull) main() {
	p.Helper()
	p.sh(p.dir, "git add -A && git commit -qm main && git push -q origin HEAD:main")
	p.base = p.sh(p.dir, "git rev-parse HEAD")
}

// open makes all there is now a branch and a pull request of it, with the commit that
// merges it. It returns what GitHub says of it.
func (p *pull) open() (event string) {
	p.Helper()
	p.sh(p.dir, `git add -A && git commit -qm change --allow-empty && git push -q origin HEAD:change
git checkout -q %s && git merge -q --no-ff -m merge origin/change && git push -q origin HEAD:refs/pull/1/merge`, p.base)
	text, err := json.Marshal(map[string]any{
		"action": "opened",
		"number": 1,
		"pull_request": map[string]any{
			"number": 1,
			"base":   map[string]string{"ref": "main", "sha": p.base},
			"head":   map[string]string{"ref": "change", "sha": p.sh(p.dir, "git rev-parse origin/change")},
		},
	})
	if err != nil {
		p.Fatal(err)
	}
	return string(text)
}
