package ci

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A runner is a machine of GitHub, as far as the scripts of an action can tell. Steps
// that use other actions do nothing.
type runner struct {
	testing.TB
	workspace string
	temp      string            // RUNNER_TEMP
	env       []string          // of the job
	done      map[string]string // what stands for a step that is not run again, by id; "": nothing
	work      string            // what such a step has found: the folder of an earlier run
}

// newRunner is a machine with a clone in its workspace and no network.
func newRunner(t testing.TB, workspace string, env ...string) *runner {
	return &runner{TB: t, workspace: workspace, temp: t.TempDir(), env: env}
}

// outcome is what came of the steps of an action.
type outcome struct {
	code    int // of the first step that failed
	failed  string
	log     string // what was printed
	summary string
	out     string // the folder of events and reports
	kept    string // the folder that becomes the artifact, if one does
	ran     []string
}

// act runs an action's steps with these inputs.
func (r *runner) act(a *action, inputs map[string]string) (o outcome) {
	r.Helper()
	s := scope{"github.sha": "HEAD", "runner.os": "Linux", "runner.arch": "X64"}
	for name, in := range a.Inputs {
		s["inputs."+name] = s.expand(r, in.Default)
	}
	for name, v := range inputs {
		if _, ok := a.Inputs[name]; !ok {
			r.Fatalf("there is no input %q", name)
		}
		s["inputs."+name] = v
	}
	for i, st := range a.Runs.Steps {
		s["steps."+st.ID+".outcome"] = "skipped"
		if !s.holds(r, st.If, o.code != 0) {
			continue
		}
		if st.Uses != "" {
			if strings.Contains(st.Uses, "upload-artifact") {
				o.kept = s.expand(r, st.With["path"])
			}
			continue
		}
		o.ran = append(o.ran, st.ID)
		code, outputs := r.step(s, st, &o, i)
		s["steps."+st.ID+".outcome"] = "success"
		if code != 0 {
			s["steps."+st.ID+".outcome"] = "failure"
		}
		if st.Continue == nil && o.code == 0 && code != 0 {
			o.code, o.failed = code, st.ID
		}
		for name, v := range outputs {
			s["steps."+st.ID+".outputs."+name] = v
		}
	}
	o.out = filepath.Join(s["steps.begin.outputs.work"], "out")
	return o
}

// stepLimit is how long one step may take.
const stepLimit = 5 * time.Minute

// step runs one script, as "shell: bash" says.
func (r *runner) step(s scope, st step, o *outcome, i int) (code int, outputs map[string]string) {
	r.Helper()
	script := s.expand(r, st.Run)
	if text, ok := r.done[st.ID]; ok {
		if script = text; script == "" {
			return 0, map[string]string{"work": r.work}
		}
	}
	files := filepath.Join(r.temp, fmt.Sprintf("_runner_%d_%d", i, len(o.ran)))
	if err := os.MkdirAll(files, 0o777); err != nil {
		r.Fatal(err)
	}
	file := func(name, text string) string {
		name = filepath.Join(files, name)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			r.Fatal(err)
		}
		return name
	}
	env := append(os.Environ(), r.env...)
	for name, v := range st.Env {
		env = append(env, name+"="+s.expand(r, v))
	}
	output, summary := file("output", ""), file("summary", "")
	env = append(env, "CI=true", "GITHUB_ACTIONS=true", "RUNNER_TEMP="+r.temp, "GITHUB_WORKSPACE="+r.workspace,
		"GITHUB_ACTION_PATH="+filepath.Join(root(r), "ci"), "GITHUB_OUTPUT="+output, "GITHUB_STEP_SUMMARY="+summary, "GITHUB_ENV="+file("env", ""))
	ctx, cancel := context.WithTimeout(r.Context(), stepLimit)
	defer cancel()
	args := []string{"--noprofile", "--norc", "-eo", "pipefail", file("script.sh", script)}
	var log bytes.Buffer
	cmd := exec.CommandContext(ctx, "bash", args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = filepath.Join(r.workspace, s.expand(r, st.Dir)), env, &log, &log, time.Second
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		r.Fatalf("%s: %v\n%s", st.ID, err, &log)
	}
	o.log += log.String()
	text, err := os.ReadFile(summary)
	if err != nil {
		r.Fatal(err)
	}
	o.summary += string(text)
	if text, err = os.ReadFile(output); err != nil {
		r.Fatal(err)
	}
	outputs = make(map[string]string)
	for line := range strings.Lines(string(text)) {
		name, v, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		outputs[name] = v
	}
	return cmd.ProcessState.ExitCode(), outputs
}
