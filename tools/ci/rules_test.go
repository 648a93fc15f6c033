package ci

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/rhysd/actionlint"
	"go.yaml.in/yaml/v4"
)

// What a gate must not have, whatever it is for: each rule is about a way to be green
// without a verdict, or to run what a stranger wrote.

// pinned are the actions that may be used, at a commit.
var pinned = regexp.MustCompile(`^actions/(checkout|setup-go|cache|upload-artifact|download-artifact)@[0-9a-f]{40}$`)

// ours is this action, in a checkout beside the user's files.
const ours = "./.spindle-suite/ci"

// unless is the one way to go on after a command that failed: its code is kept, and
// looked at in the next line.
var unless = regexp.MustCompile(`\|\| code=\$\?\n\s*(\[ "\$code" -le 1 \] \|\| exit "\$code"|case \$code in 0 \| 1 \| 3 \| 4\) ;; \*\) exit "\$code" ;; esac)\n`)

// guard is a test of a word, which is no command that fails.
var guard = regexp.MustCompile(`\[ -z "\$target" \] \|\| `)

// verdict is the line whose exit code is that of its script.
var verdict = regexp.MustCompile(`(?m)^\s*"\$(WORK/bin/)?spindle" (gate|merge) .*$`)

// script returns what is wrong with a script of bash. The first part of a script of
// GitLab has the options for all.
func script(text string, first bool) (wrong []string) {
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	if first && !strings.HasPrefix(text, "set -euo pipefail\n") {
		say("expected set -euo pipefail in the first line")
	}
	if strings.Contains(text, "${{") {
		say("expected values in env, saw an expression in a script: whatever it has would be run")
	}
	bare := guard.ReplaceAllString(unless.ReplaceAllString(text, "\n"), "")
	for _, bad := range []string{"||", "set +", "trap ", "eval ", "|| true", "&\n", "curl ", "wget ", "sudo ", "apt", "npm ", "pip "} {
		if strings.Contains(bare, bad) {
			say("%q: expected a script that ends where a command fails, and that installs nothing", bad)
		}
	}
	for n, line := range strings.Split(strings.TrimRight(bare, "\n"), "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "exit ") || strings.HasSuffix(line, "; exit 0") {
			say("line %d: expected the code of what failed, saw %q", n+1, line)
		}
	}
	for _, m := range verdict.FindAllString(text, -1) {
		switch {
		case strings.ContainsAny(m, "|&;"):
			say("expected the verdict alone in its line, saw %q", m)
		case !strings.HasSuffix(strings.TrimRight(text, "\n"), m):
			say("expected the verdict last in its script, saw more behind %q", m)
		}
	}
	return wrong
}

// steps returns what is wrong with the steps of an action or of a job. A step that
// judges must run unless one before it has failed, or the caller asked for a shard.
func steps(list []step) (wrong []string) {
	judges := 0
	for i, s := range list {
		say := func(format string, args ...any) {
			wrong = append(wrong, fmt.Sprintf("step %d (%s%s): %s", i+1, s.Name, s.Uses, fmt.Sprintf(format, args...)))
		}
		if s.Continue != nil {
			say("expected no continue-on-error")
		}
		if s.Uses != "" && s.Uses != ours && !pinned.MatchString(s.Uses) {
			say("expected one of GitHub's own actions at a full commit")
		}
		if s.Run == "" {
			if strings.Contains(s.Uses, "upload-artifact") && (s.If != "${{ always() && steps.build.outcome == 'success' }}" || s.With["if-no-files-found"] != "error") {
				say("expected events that are always kept where anything could run, and an error if there are none")
			}
			judges += strings.Count(s.Uses, ours)
			continue
		}
		if s.Shell != "bash" {
			say("expected shell: bash, saw %q", s.Shell)
		}
		for _, w := range script(s.Run, true) {
			say("%s", w)
		}
		if strings.Contains(s.Run, `spindle" gate `) {
			judges++
			if s.If != "${{ inputs.shard == '' }}" {
				say("expected it to run in every run that is no shard, saw if: %s", s.If)
			}
			for _, flag := range []string{`-base "$BASE"`, `-baseline "$BASELINE"`, `${PACKAGES:+-tests "$WORK/out/tests.json"}`, `"$WORK/out/events"`} {
				if !strings.Contains(s.Run, flag) {
					say("expected %s in it", flag)
				}
			}
		}
		if strings.Contains(s.Run, "-update") {
			say("expected nobody to write the baseline here")
		}
	}
	if judges == 0 {
		wrong = append(wrong, "expected a step that judges, saw none")
	}
	return wrong
}

// lint returns what is wrong with a file, by its name.
func lint(t testing.TB, name, text string) (wrong []string) {
	t.Helper()
	if regexp.MustCompile(`\$\{\{[^}]*\bstrategy\.`).MatchString(text) {
		wrong = append(wrong, "expected no value of strategy: it is empty on runners built on act")
	}
	if strings.Contains(text, "$GITHUB_STEP_SUMMARY") {
		wrong = append(wrong, "expected a file beside GITHUB_STEP_SUMMARY: not all runners have it")
	}
	if strings.Contains(text, "pull_request_target") {
		wrong = append(wrong, "expected pull_request: the other one gives the code of a stranger the secrets")
	}
	switch name {
	case actionFile:
		a := parse[action](t, text)
		return append(append(wrong, steps(a.Runs.Steps)...), actionLint(t, asWorkflow(t, text))...)
	case workflowFile:
		w := parse[workflow](t, text)
		for id, j := range w.Jobs {
			if j.Continue != nil {
				wrong = append(wrong, id+": expected no continue-on-error")
			}
			if j.Needs != "" && j.If != "${{ always() }}" {
				wrong = append(wrong, id+": expected if: always(), since a job that is skipped counts as green")
			}
			for _, s := range steps(j.Steps) {
				wrong = append(wrong, id+": "+s)
			}
		}
		if _, ok := w.Jobs["gate"]; !ok || !strings.Contains(text, "\npermissions:\n  contents: read\n") {
			wrong = append(wrong, "expected a job gate, with no right but contents: read")
		}
		return append(wrong, actionLint(t, text)...)
	case gitlabFile:
		if strings.Contains(text, "allow_failure") || strings.Contains(text, "after_script") || !strings.Contains(text, "when: always") {
			wrong = append(wrong, "expected no allow_failure, and events that are always kept")
		}
		p := *parse[pipeline](t, text)
		for i, s := range p[".spindle-gate"].Script {
			wrong = append(wrong, script(s, i == 0)...)
		}
		if all := strings.Join(p[".spindle-gate"].Script, "\n"); len(verdict.FindAllString(all, -1)) != 1 || !strings.Contains(all, `-base "$base"`) || !verdict.MatchString(p[".spindle-gate"].Script[len(p[".spindle-gate"].Script)-1]) {
			wrong = append(wrong, "expected one verdict, in the last part, against the base")
		}
	}
	return wrong
}

// asWorkflow has the steps of an action be those of a workflow with the same inputs:
// actionlint knows the types of expressions there.
func asWorkflow(t testing.TB, text string) string {
	t.Helper()
	var a struct {
		Inputs map[string]struct {
			Default string `yaml:"default"`
		} `yaml:"inputs"`
		Runs struct {
			Steps []yaml.Node `yaml:"steps"`
		} `yaml:"runs"`
	}
	if err := yaml.Unmarshal([]byte(text), &a); err != nil {
		t.Fatal(err)
	}
	in := make(map[string]any)
	for name := range a.Inputs {
		in[name] = map[string]string{"type": "string"}
	}
	out, err := yaml.Marshal(map[string]any{
		"on":   map[string]any{"workflow_call": map[string]any{"inputs": in}},
		"jobs": map[string]any{"action": map[string]any{"runs-on": "ubuntu-latest", "steps": a.Runs.Steps}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// actionLint is what actionlint says.
func actionLint(t testing.TB, text string) (wrong []string) {
	t.Helper()
	l, err := actionlint.NewLinter(&strings.Builder{}, &actionlint.LinterOptions{Shellcheck: "", Pyflakes: ""})
	if err != nil {
		t.Fatal(err)
	}
	list, err := l.Lint("gate.yml", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		wrong = append(wrong, e.Error())
	}
	return wrong
}
