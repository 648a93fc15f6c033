package ci

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

func TestLint(t *testing.T) {
	for _, name := range []string{actionFile, workflowFile, gitlabFile} {
		for _, w := range lint(t, name, read(t, name)) {
			t.Errorf("%s: %s", name, w)
		}
	}
	// The workflows of the page, with a commit in place of COMMIT.
	for _, text := range page(t, "yaml") {
		if !strings.HasPrefix(text, "name:") {
			continue // a part of one
		}
		for _, w := range actionLint(t, strings.ReplaceAll(text, "COMMIT", strings.Repeat("0", 40))) {
			t.Errorf("ci/README.md: %s", w)
		}
	}
}

// TestPins holds that all files name an action by the same commit, with its version.
func TestPins(t *testing.T) {
	commits := make(map[string]string)
	for _, name := range []string{actionFile, workflowFile, "ci/README.md"} {
		for _, m := range regexp.MustCompile(`uses: (actions/\S+)@(.*)`).FindAllStringSubmatch(read(t, name), -1) {
			if was, ok := commits[m[1]]; ok && was != m[2] || !regexp.MustCompile(`^[0-9a-f]{40} # v\d+\.\d+\.\d+$`).MatchString(m[2]) {
				t.Errorf("%s: %s: expected %q everywhere, a commit with its version, saw %q", name, m[1], was, m[2])
			}
			commits[m[1]] = m[2]
		}
	}
	if len(commits) != 5 {
		t.Errorf("saw %v", commits)
	}
}

func TestScriptsParse(t *testing.T) {
	var scripts []string
	for _, s := range parse[action](t, read(t, actionFile)).Runs.Steps {
		scripts = append(scripts, s.Run)
	}
	for _, j := range parse[workflow](t, read(t, workflowFile)).Jobs {
		for _, s := range j.Steps {
			scripts = append(scripts, s.Run)
		}
	}
	scripts = append(scripts, strings.Join((*parse[pipeline](t, read(t, gitlabFile)))[".spindle-gate"].Script, "\n"))
	for _, text := range scripts {
		cmd := exec.Command("bash", "-n")
		cmd.Stdin = strings.NewReader(text)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %s\n%s", err, out, text)
		}
	}
}

// Edits by which the gate would be green without a verdict, or run a stranger's text.
var edits = []struct{ file, what, old, new string }{
	{actionFile, "|| true after the gate", `"$WORK/out/events"` + "\n\n    - uses", `"$WORK/out/events" || true` + "\n\n    - uses"},
	{actionFile, "|| : after the gate", `"$WORK/out/events"` + "\n\n    - uses", `"$WORK/out/events" || :` + "\n\n    - uses"},
	{actionFile, "a pipe after the gate", `"$WORK/out/events"` + "\n\n    - uses", `"$WORK/out/events" | cat` + "\n\n    - uses"},
	{actionFile, "the gate in the background", `"$WORK/out/events"` + "\n\n    - uses", `"$WORK/out/events" &` + "\n\n    - uses"},
	{actionFile, "a command after the gate", `"$WORK/out/events"` + "\n\n    - uses", `"$WORK/out/events"` + "\n        echo done\n\n    - uses"},
	{actionFile, "exit 0 after the gate", `"$WORK/out/events"` + "\n\n    - uses", `"$WORK/out/events"; exit 0` + "\n\n    - uses"},
	{actionFile, "continue-on-error of the gate", "      id: gate\n", "      id: gate\n      continue-on-error: true\n"},
	{actionFile, "continue-on-error of the build", "      id: build\n", "      id: build\n      continue-on-error: true\n"},
	{actionFile, "the gate only sometimes", "      id: gate\n      if: ${{ inputs.shard == '' }}\n", "      id: gate\n      if: ${{ inputs.shard == '' && inputs.packages != '' }}\n"},
	{actionFile, "no gate", "      id: gate\n      if: ${{ inputs.shard == '' }}\n", "      id: gate\n      if: ${{ false }}\n"},
	{actionFile, "no set -e in the gate", "        set -euo pipefail\n        case $NO_BASELINE", "        case $NO_BASELINE"},
	{actionFile, "no pipefail in the checks", "        set -euo pipefail\n        targets=()", "        set -eu\n        targets=()"},
	{actionFile, "set +e", "        targets=()\n", "        set +e\n        targets=()\n"},
	{actionFile, "any code of go test", `        [ "$code" -le 1 ] || exit "$code"` + "\n", ""},
	{actionFile, "any code of check", `        case $code in 0 | 1 | 3 | 4) ;; *) exit "$code" ;; esac` + "\n", ""},
	{actionFile, "|| true after the merge", `"$SHARDS"/*/events/check.ndjson` + "\n", `"$SHARDS"/*/events/check.ndjson || true` + "\n"},
	{actionFile, "an input in a script", `-base "$BASE" -b`, `-base "${{ inputs.base }}" -b`},
	{actionFile, "a title in a script", "        targets=()\n", "        targets=()\n        echo ${{ github.event.pull_request.title }}\n"},
	{actionFile, "the baseline of the pull request", `-base "$BASE" -b`, `-b`},
	{actionFile, "no baseline", `-baseline "$BASELINE"`, ``},
	{actionFile, "tests that failed passed over", ` ${PACKAGES:+-tests "$WORK/out/tests.json"}`, ``},
	{actionFile, "the baseline written anew", `gate -annotations`, `gate -update -annotations`},
	{actionFile, "an action at a branch", "actions/cache@0057852bfaa89a56745cba8c7296529d2fc39830", "actions/cache@main"},
	{actionFile, "an action at a tag", "actions/cache@0057852bfaa89a56745cba8c7296529d2fc39830", "actions/cache@v4"},
	{actionFile, "another's action", "actions/cache@0057852bfaa89a56745cba8c7296529d2fc39830", "somebody/cache@0057852bfaa89a56745cba8c7296529d2fc39830"},
	{actionFile, "another shell", "      id: gate\n      if: ${{ inputs.shard == '' }}\n      shell: bash", "      id: gate\n      if: ${{ inputs.shard == '' }}\n      shell: sh"},
	{actionFile, "events kept if green", "always() && steps.build", "steps.build"},
	{actionFile, "a folder of the machine kept", "always() && steps.build.outcome == 'success'", "always()"},
	{actionFile, "a file that one host names", "${GITHUB_STEP_SUMMARY:-$WORK/out/summary.md}", "$GITHUB_STEP_SUMMARY"},
	{actionFile, "no events, no error", "if-no-files-found: error", "if-no-files-found: ignore"},
	{actionFile, "an input that is not there", "inputs.packages", "inputs.package"},
	{actionFile, "a step that is not there", "steps.begin.outputs.work", "steps.start.outputs.work"},
	{actionFile, "something installed", "        targets=()\n", "        targets=()\n        curl -s https://example.org/x -o x\n"},
	{workflowFile, "a value that one host fills in", "${{ steps.count.outputs.of }}", "${{ strategy.job-total }}"},
	{workflowFile, "a gate that may be skipped", "    if: ${{ always() }}\n", ""},
	{workflowFile, "continue-on-error of a job", "    needs: shard\n", "    needs: shard\n    continue-on-error: true\n"},
	{workflowFile, "continue-on-error of the action", "        with:\n          packages:", "        continue-on-error: true\n        with:\n          packages:"},
	{workflowFile, "more rights", "  contents: read", "  contents: write"},
	{workflowFile, "no rights said", "permissions:\n  contents: read\n", ""},
	{workflowFile, "an input that is not there", "inputs.known", "inputs.knows"},
	{workflowFile, "another's action", "uses: ./.spindle-suite/ci\n        with:\n          packages", "uses: somebody/ci@v1\n        with:\n          packages"},
	{workflowFile, "pull_request_target", "on:\n", "on:\n  pull_request_target:\n"},
	{gitlabFile, "allow_failure", "  script:\n", "  allow_failure: true\n  script:\n"},
	{gitlabFile, "|| true after the gate", `"$out/events"` + "\n  artifacts", `"$out/events" || true` + "\n  artifacts"},
	{gitlabFile, "a command after the gate", `"$out/events"` + "\n  artifacts", `"$out/events"` + "\n    - echo done\n  artifacts"},
	{gitlabFile, "no set -e", "      set -euo pipefail\n", ""},
	{gitlabFile, "any code of go test", `        [ "$code" -le 1 ] || exit "$code"` + "\n", ""},
	{gitlabFile, "the baseline of the merge request", `-base "$base"`, ``},
	{gitlabFile, "events kept if green", "when: always", "when: on_success"},
}

// TestLintSeesEdits: each of the edits is refused.
func TestLintSeesEdits(t *testing.T) {
	for _, e := range edits {
		text := read(t, e.file)
		edited := strings.Replace(text, e.old, e.new, 1)
		if edited == text {
			t.Errorf("%s: %s: expected %q in it", e.file, e.what, e.old)
			continue
		}
		wrong := lint(t, e.file, edited)
		if len(wrong) == 0 {
			t.Errorf("%s: %s: saw nothing wrong", e.file, e.what)
		} else if testing.Verbose() {
			t.Logf("%s: %s", e.what, wrong[0])
		}
	}
}
