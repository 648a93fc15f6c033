package ci

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// flow runs the reusable workflow: the jobs of the shards and the job that judges. Spoil
// may change the artifacts in between; they lie as they are downloaded.
func (p *pull) flow(with map[string]string, spoil func(artifacts string)) (shards []outcome, o outcome) {
	p.Helper()
	w := parse[workflow](p, read(p, workflowFile))
	temp := p.TempDir()
	s := scope{"github.run_id": "4711", "runner.temp": temp}
	for name, in := range w.On.Call.Inputs {
		s["inputs."+name] = in.Default
		if v, ok := with[name]; ok {
			s["inputs."+name] = v
		} else if in.Required {
			p.Fatalf("expected the input %s", name)
		}
	}
	artifacts := filepath.Join(temp, "spindle-shards")
	failed := false
	if job := w.Jobs["shard"]; s.holds(p, job.If, false) {
		var list []int
		if err := json.Unmarshal([]byte(s["inputs.shards"]), &list); err != nil {
			p.Fatal(err)
		}
		for _, n := range list {
			s["matrix.shard"] = strconv.Itoa(n) // and nothing of strategy: not all runners have that
			name, o := p.job(s, job)
			shards = append(shards, o)
			failed = failed || o.code != 0
			if err := os.CopyFS(filepath.Join(artifacts, name), os.DirFS(o.out)); err != nil {
				p.Fatal(err)
			}
		}
	}
	if spoil != nil {
		spoil(artifacts)
	}
	if job := w.Jobs["gate"]; s.holds(p, job.If, failed) {
		_, o = p.job(s, job)
	} else {
		p.Fatal("expected a job that always runs")
	}
	return shards, o
}

// job runs the steps of a job, of which one is the action.
func (p *pull) job(s scope, j job) (artifact string, o outcome) {
	p.Helper()
	acts := 0
	for i, st := range j.Steps {
		if st.Run != "" {
			var before outcome
			code, outputs := newRunner(p, p.checkout(), p.env...).step(s, st, &before, i)
			if code != 0 {
				p.Fatalf("%s: exit %d\n%s", st.Name, code, before.log)
			}
			for name, v := range outputs {
				s["steps."+st.ID+".outputs."+name] = v
			}
		}
		if st.Uses != ours {
			continue
		}
		acts++
		var in []string
		for name, text := range st.With {
			v := s.expand(p, text)
			in = append(in, name, v)
			if name == "artifact" {
				artifact = v
			}
		}
		o = p.run(in...)
	}
	if acts != 1 {
		p.Fatalf("expected one step that runs the action, saw %d", acts)
	}
	return artifact, o
}

// TestShards: two machines find what one would have found, and none may be missing.
func TestShards(t *testing.T) {
	t.Parallel()
	p := &pull{repository: newRepository(t, "runtime"), action: parse[action](t, read(t, actionFile))}
	p.base = strings.TrimSpace(p.sh(p.dir, "git rev-parse HEAD"))
	with := map[string]string{"suite": "0", "targets": "ref\n", "run": "^sequence/(order|emptiness|steal)$"}

	shards, o := p.flow(with, nil)
	o.want(t, 4, "expected a baseline, saw none")
	if len(shards) != 2 {
		t.Fatalf("expected 2 shards, saw %d", len(shards))
	}
	for i, s := range shards {
		if strings.Join(s.ran, " ") != "begin build check" || s.code != 0 {
			t.Errorf("shard %d: exit %d; ran: %q", i+1, s.code, s.ran)
		}
		text, err := os.ReadFile(filepath.Join(s.out, "events", "check.ndjson"))
		if err != nil || !strings.Contains(string(text), fmt.Sprintf(`"shard":"%d/2"`, i+1)) {
			t.Errorf("shard %d: %v, %.300s", i+1, err, text)
		}
	}
	p.sh(p.dir, "mkdir -p .spindle && %q gate -update -baseline .spindle/baseline.json %q", spindle(t), filepath.Join(o.out, "events"))
	p.base = p.push("baseline")
	_, o = p.flow(with, nil)
	o.want(t, 0, "pass: exit 0; 1 target")
	if strings.Join(o.ran, " ") != "begin build merge base gate" {
		t.Errorf("ran: %q", o.ran)
	}

	// One whole run says the same.
	p.run("targets", with["targets"], "run", with["run"]).want(t, 0, "pass: exit 0; 1 target")

	spoil := func(do string) func(string) { return func(dir string) { p.sh(dir, "%s", do) } }
	for _, c := range []struct {
		name string
		do   func(string)
		code int
		says string
	}{
		{"a shard is missing", spoil("rm -r spindle-shard-2"), 4, "expected 2 streams, saw 1"},
		{"a shard has no events", spoil("rm spindle-shard-2/events/*"), 4, "expected 2 streams, saw 1"},
		{"all are missing", spoil("rm -r *"), 2, "no such file"},
		{"a shard twice", spoil("rm -r spindle-shard-2; cp -r spindle-shard-1 spindle-shard-2"), 4, "shard 1/2 twice"},
		{"a shard was cut off", spoil("f=spindle-shard-2/events/check.ndjson; head -c 1000 $f >x; mv x $f"), 4, "expected a newline at its end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, o := p.flow(with, c.do)
			o.want(t, c.code, c.says)
			if o.failed != "merge" {
				t.Errorf("expected it of the merge, saw %q", o.failed)
			}
		})
	}
	with["shards"] = "[1, 3]"
	if _, o = p.flow(with, nil); o.code == 0 {
		t.Errorf("shards %s: saw exit 0", with["shards"])
	}
	// Nothing asked for is nothing run.
	if _, o = p.flow(map[string]string{"suite": "0"}, nil); o.code == 0 {
		t.Error("no targets and no packages: saw exit 0")
	}
	if o = p.run(); o.code == 0 {
		t.Error("no targets and no packages: saw exit 0")
	}
	p.run("targets", "ref", "run", "^nothing$").want(t, 3, "nothing ran")
	p.run("targets", "nonsense").want(t, 2, "nonsense")
	// A value that this host does not have is no shard.
	p.run("targets", "ref", "shard", "1/").want(t, 2, "expected I/N with 1 <= I <= N <= 1000, such as 2/3")
}
