//go:build linux

package act

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// required says whether SPINDLE_REQUIRE asks for act: what is missing is a failure then.
func required() bool {
	return slices.Contains(strings.Split(os.Getenv("SPINDLE_REQUIRE"), ","), "act")
}

// missing skips a test, or fails it.
func missing(t testing.TB, format string, args ...any) {
	t.Helper()
	if required() {
		t.Fatalf("SPINDLE_REQUIRE asks for act: "+format, args...)
	}
	t.Skipf("act does not run here: "+format, args...)
}

// build builds act, of the version of go.mod, and returns its path.
func build(t testing.TB) string {
	t.Helper()
	for _, program := range []string{"bash", "git"} {
		if _, err := exec.LookPath(program); err != nil {
			missing(t, "%v", err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", "tool", "-n", "act") // builds it
	cmd.WaitDelay = time.Second
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		missing(t, "%v: %v\n%s", cmd.Args, err, &stderr)
	}
	return strings.TrimSpace(string(out))
}

// A run is what came of a workflow.
type run struct {
	exit   int               // of act
	jobs   map[string]string // the result of each job: success or failure
	failed []string          // the action's steps with an id that failed, such as "shard 1: check"
	log    string            // what the steps printed, and what act says is wrong
	saved  string            // the folder of artifacts
	again  string            // the command
}

// limit is for one workflow. One takes ten to thirty seconds, and a minute more where the
// command was never built.
const limit = 8 * time.Minute

var uses = regexp.MustCompile(`uses: (actions/([a-z-]+)@[0-9a-f]{40})`)

// act runs the workflow of the pull request.
func (p *pull) act(path string, env ...string) *run {
	p.Helper()
	tmp := p.TempDir()
	r := &run{jobs: make(map[string]string), saved: filepath.Join(tmp, "artifacts")}
	event := filepath.Join(tmp, "event.json")
	p.write(event, p.open())
	p.write(filepath.Join(tmp, "config/act/actrc"), "")
	args := []string{
		"pull_request", "--workflows", ".github/workflows/spindle.yml", "--eventpath", event, "--json",
		"--platform", "ubuntu-latest=-self-hosted", // no container
		"--no-skip-checkout", // the workspace is empty, as it is on GitHub
		"--concurrent-jobs", "1", "--no-cache-server", "--action-offline-mode", "--pull=false",
		"--action-cache-path", filepath.Join(tmp, "cache"),
		"--local-repository", fmt.Sprintf("%s@%s=%s", ours, p.commit, p.suite),
	}
	stand := make(map[string]string)
	for _, name := range []string{"ci/README.md", "ci/action.yml", ".github/workflows/gate.yml"} {
		for _, m := range uses.FindAllStringSubmatch(p.read(filepath.Join(p.suite, name)), -1) {
			stand[m[1]] = filepath.Join(p.root, "tools/act/testdata/actions", m[2])
		}
	}
	for _, action := range slices.Sorted(maps.Keys(stand)) {
		args = append(args, "--local-repository", action+"="+stand[action])
	}
	ctx, cancel := context.WithTimeout(p.Context(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	r.again = fmt.Sprintf("cd %s && %s", p.dir, strings.Join(cmd.Args, " "))
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = p.dir, &stdout, &stderr, 10*time.Second
	mark := "SPINDLE_ACT=" + tmp
	cmd.Env = slices.Concat(p.env, env, []string{"TERM=dumb", "XDG_CONFIG_HOME=" + filepath.Join(tmp, "config"), "ARTIFACTS=" + r.saved, mark})
	// Asked so, act stops its steps and cleans up.
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	err := cmd.Run()
	end(p, mark)
	if ctx.Err() != nil || cmd.ProcessState == nil {
		p.Fatalf("expected act to end within %v, saw %v (%v)\nran: %s\n%s\n%s", limit, ctx.Err(), err, r.again, &stdout, &stderr)
	}
	r.exit = cmd.ProcessState.ExitCode()
	r.read(p, &stdout)
	r.log += stderr.String()
	return r
}

var number = regexp.MustCompile(`^\d+$`)

// read reads what act prints, a value of JSON a line.
func (r *run) read(t testing.TB, out *bytes.Buffer) {
	t.Helper()
	var log strings.Builder
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var v struct {
			Level, Msg, JobID, JobResult, StepResult string
			StepID                                   []string
			Matrix                                   map[string]any
			Raw                                      bool `json:"raw_output"`
		}
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			fmt.Fprintf(&log, "%s\n", lines.Bytes())
			continue
		}
		// To act the jobs of a matrix have one result, that of the first until another fails.
		if v.JobResult != "" && r.jobs[v.JobID] != "failure" {
			r.jobs[v.JobID] = v.JobResult
		}
		// Of the action's steps: a step of the workflow has one id, one of a stand-in three.
		// Those without an id of their own have a number.
		if v.StepResult == "failure" && len(v.StepID) == 2 && !number.MatchString(v.StepID[1]) {
			job := v.JobID
			for _, name := range slices.Sorted(maps.Keys(v.Matrix)) {
				job += fmt.Sprintf(" %v", v.Matrix[name])
			}
			r.failed = append(r.failed, job+": "+v.StepID[1])
		}
		if v.Raw || v.Level == "error" {
			fmt.Fprintf(&log, "%s\n", strings.TrimRight(v.Msg, "\r\n"))
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(r.failed) // jobs run side by side
	r.log = log.String()
}

// end kills what a run left, such as a step of one that took too long. Act starts each step
// in a session of its own, so the group of act is not enough: mark is in the environment.
func end(t testing.TB, mark string) {
	t.Helper()
	list, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range list {
		text, err := os.ReadFile(name)
		if err != nil || !slices.Contains(strings.Split(string(text), "\x00"), mark) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		if err != nil {
			t.Fatal(err)
		}
		if err := syscall.Kill(pid, syscall.SIGKILL); err == nil {
			t.Logf("process %d was left, and killed", pid)
		}
	}
}
