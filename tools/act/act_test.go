//go:build linux

package act

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// checks are those that run: calls in a fixed order, which come out the same every time.
const checks = "^sequence/(order|emptiness|steal)$"

// want holds a run to its outcome, and to a line that the gate prints.
func (r *run) want(t testing.TB, jobs map[string]string, failed []string, line string) {
	t.Helper()
	exit := 0
	if len(failed) > 0 {
		exit = 1 // whatever the step's code was
	}
	var wrong []string
	if r.exit != exit {
		wrong = append(wrong, "the exit code")
	}
	for name, result := range jobs {
		if r.jobs[name] != result {
			wrong = append(wrong, "the result of "+name)
		}
	}
	if len(r.jobs) != len(jobs) {
		wrong = append(wrong, "the jobs")
	}
	if !slices.Equal(r.failed, failed) {
		wrong = append(wrong, "the step that failed")
	}
	if !regexp.MustCompile("(?m)^" + line + "$").MatchString(r.log) {
		wrong = append(wrong, "the line")
	}
	if wrong != nil {
		name, _, _ := strings.Cut(t.Name(), "/")
		t.Errorf("%s: expected exit %d, jobs %v, failed steps %q and a line %q, saw exit %d, jobs %v, failed steps %q and\n%s\nsee again: go -C tools/act test -count=1 -run '^%s$/^%s$' .\nwhich ran: %s",
			strings.Join(wrong, ", "), exit, jobs, failed, line, r.exit, r.jobs, r.failed, r.log, name, filepath.Base(t.Name()), r.again)
	}
}

const events = "events/check.ndjson"

// saves holds that there are these artifacts and no others, and these files in them.
func (r *run) saves(t testing.TB, want map[string][]string) {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(r.saved, "*"))
	if err != nil || len(list) != len(want) {
		t.Errorf("expected %d artifacts, saw %q (%v)", len(want), list, err)
	}
	for artifact, files := range want {
		for _, name := range files {
			if found, err := filepath.Glob(filepath.Join(r.saved, artifact, name)); err != nil || len(found) == 0 {
				t.Errorf("expected %s in the artifact %s, saw none (%v)", name, artifact, err)
			}
		}
	}
}

// TestPullRequests: the workflow that ci/README.md gives to a repository with a queue.
func TestPullRequests(t *testing.T) {
	path := build(t)
	h := newHost(t)
	h.env = append(h.env, "SPINDLE_RUN="+checks)
	commands := h.page("sh")[0]
	for _, c := range []struct {
		name   string
		change func(p *pull)
		red    bool
		line   string
	}{
		{"changes-nothing", func(p *pull) { p.write(p.path("NEWS"), "nothing\n") }, false, `pass: exit 0; 1 target: .*`},
		{"breaks-the-queue", (*pull).twice, true, `TestQueue: RQ-TWICE is newly broken: RQ-TWICE, seen by sequence/order: expected every G taken once, saw .*`},
		{"takes-the-test-away", func(p *pull) {
			p.write(p.path("queue_test.go"), "package queue\n\nimport \"testing\"\n\nfunc TestOther(t *testing.T) {}\n")
		}, true, `nothing ran: .*`},
		{"edits-the-baseline", func(p *pull) {
			p.twice()
			p.baseline(commands)
			// Its own baseline would let it pass.
			p.sh(p.dir, "SPINDLE_EVENTS=$PWD/events go test -count=1 ./... >/dev/null || [ $? = 1 ]\n%q gate -baseline .spindle/baseline.json events; rm -r events", p.spindle)
		}, true, `TestQueue: RQ-TWICE is newly broken: RQ-TWICE, seen by sequence/order: expected every G taken once, saw .*`},
		{"does-not-build", func(p *pull) { p.write(p.path("other_test.go"), "package queue\n\nfunc none() { nothing() }\n") },
			true, `go test: package example.com/queue: \./other_test\.go:3:15: undefined: nothing`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := h.newPull(t, "queue", h.page("yaml")[0])
			p.baseline(commands)
			p.main()
			c.change(p)
			r := p.act(path)
			if c.red {
				r.want(t, map[string]string{"gate": "failure"}, []string{"gate: gate"}, c.line)
			} else {
				r.want(t, map[string]string{"gate": "success"}, nil, c.line)
			}
			r.saves(t, map[string][]string{"spindle": {"events", "junit.xml", "tests.json"}})
		})
	}
}

// TestShards: the reusable workflow, called as ci/README.md says, on two machines that
// check the runtime.
func TestShards(t *testing.T) {
	path := build(t)
	h := newHost(t)
	page := h.page("yaml")
	head, _, _ := strings.Cut(page[0], "jobs:\n")
	const missing = "spindle merge: merge: the shards do not make one run: .* is shard 1/2: expected 2 streams, saw 1"
	for _, c := range []struct {
		name   string
		shards string
		env    []string
		jobs   map[string]string
		failed []string
		line   string
		saved  map[string][]string
	}{
		{"two-are-merged", "[1, 2]", nil,
			map[string]string{"shard": "success", "gate": "success"}, nil, "pass: exit 0; 1 target: .*",
			map[string][]string{"spindle-shard-1": {events}, "spindle-shard-2": {events}, "spindle": {events, "junit.xml"}}},
		{"one-is-missing", "[1, 2]", []string{"LOSE=spindle-shard-2"},
			map[string]string{"shard": "success", "gate": "failure"}, []string{"gate: merge"}, missing,
			map[string][]string{"spindle-shard-1": {events}}},
		{"one-fails", "[1, 3]", nil, // this is shard 3 of 2
			map[string]string{"shard": "failure", "gate": "failure"}, []string{"gate: merge", "shard 3: check"}, missing,
			map[string][]string{"spindle-shard-1": {events}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			call := h.change(page[2], "shards: '[1, 2, 3]'\n", "shards: '"+c.shards+"'\n      run: "+checks+"\n")
			p := h.newPull(t, "runtime", head+call)
			p.baseline(p.change(p.page("sh")[1], "check -json", "check -run '"+checks+"' -json"))
			p.main()
			p.write(p.path("NEWS"), "nothing\n")
			r := p.act(path, c.env...)
			r.want(t, c.jobs, c.failed, c.line)
			r.saves(t, c.saved)
		})
	}
}
