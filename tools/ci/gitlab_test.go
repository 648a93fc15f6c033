package ci

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestGitLab runs the script of the template, as a runner of GitLab does: all parts in
// one shell. What it installs is the command of this checkout.
func TestGitLab(t *testing.T) {
	p := newQueue(t)
	job := (*parse[pipeline](t, read(t, gitlabFile)))[".spindle-gate"]
	p.base = p.follow(0)
	bin := t.TempDir()
	// go install is a module of the proxy's; there is none here.
	shim := "#!/bin/bash\nif [ \"$1\" = install ]; then\n\tmkdir -p \"$GOBIN\" && ln -sf " + spindle(t) + " \"$GOBIN/spindle\"\n\texit\nfi\nexec " + strings.TrimSpace(p.sh(".", "command -v go")) + " \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "go"), []byte(shim), 0o777); err != nil {
		t.Fatal(err)
	}
	run := func(more ...string) (o outcome) {
		t.Helper()
		dir := p.checkout()
		r := newRunner(t, dir, append(p.env, "PATH="+bin+":"+os.Getenv("PATH"), "CI_PROJECT_DIR="+dir, "CI_MERGE_REQUEST_DIFF_BASE_SHA="+p.base)...)
		st := step{ID: "gitlab", Run: strings.Join(job.Script, "\n"), Env: make(map[string]string)}
		for name, v := range job.Variables {
			if name != "GOMODCACHE" && name != "XDG_CACHE_HOME" { // there is no network to fill them
				st.Env[name] = strings.ReplaceAll(v, "$CI_PROJECT_DIR", dir)
			}
		}
		for i := 0; i < len(more); i += 2 {
			if _, ok := st.Env[more[i]]; !ok {
				t.Fatalf("there is no variable %q", more[i])
			}
			st.Env[more[i]] = more[i+1]
		}
		o.code, _ = r.step(scope{}, st, &o, 0)
		o.out = filepath.Join(dir, "spindle-out")
		return o
	}
	o := run("SPINDLE_PACKAGES", "./...").want(t, 0, "pass: exit 0; 1 target")
	summary, err := os.ReadFile(filepath.Join(o.out, "summary.md"))
	if err != nil {
		t.Fatal(err)
	}
	o.summary = string(summary)
	p.reports(o, "pass")
	run().want(t, 3, "nothing ran")
	run("SPINDLE_TARGETS", "nonsense").want(t, 2, "nonsense")
	run("SPINDLE_TARGETS", "ref", "SPINDLE_RUN_CHECKS", "^sequence/order$", "SPINDLE_BASELINE", "nothing").want(t, 4, "expected a baseline, saw none")
	run("SPINDLE_TARGETS", "ref control", "SPINDLE_RUN_CHECKS", "^sequence/order$", "SPINDLE_BASELINE", "nothing", "SPINDLE_NO_BASELINE", "allow").want(t, 1, "control: RQ-LOST is broken")
	run("SPINDLE_TARGETS", "ref", "SPINDLE_RUN_CHECKS", "^sequence/order$", "SPINDLE_BASELINE", "nothing", "SPINDLE_NO_BASELINE", "allow").want(t, 0, "no baseline yet")
	p.twice()
	run("SPINDLE_PACKAGES", "./...").want(t, 1, "TestQueue: RQ-TWICE is newly broken")
	p.write("other_test.go", "package queue\n\nfunc none() { nothing() }\n")
	run("SPINDLE_PACKAGES", "./...").want(t, 1, "go test: package example.com/queue: ./other_test.go:3:15: undefined: nothing")
}
