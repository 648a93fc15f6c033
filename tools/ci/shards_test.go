package ci

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestShards: two runs with a part of the checks each find what one run finds, and the run
// that merges them is red unless it has both. The workflow that calls the action so is run
// by tools/act.
func TestShards(t *testing.T) {
	t.Parallel()
	p := &pull{repository: newRepository(t, "runtime"), action: parse[action](t, read(t, actionFile))}
	p.with = map[string]string{"targets": "ref\n", "seed": "4711", "run": "^sequence/(order|emptiness|steal)$"}
	p.base = strings.TrimSpace(p.sh(p.dir, "git rev-parse HEAD"))

	shards := t.TempDir()
	for n := 1; n <= 2; n++ {
		o := p.run("shard", fmt.Sprintf("%d/2", n))
		if strings.Join(o.ran, " ") != "begin build check" || o.code != 0 {
			t.Errorf("shard %d: exit %d; ran: %q", n, o.code, o.ran)
		}
		text, err := os.ReadFile(filepath.Join(o.out, "events", "check.ndjson"))
		if err != nil || !strings.Contains(string(text), fmt.Sprintf(`"shard":"%d/2"`, n)) {
			t.Errorf("shard %d: %v, %.300s", n, err, text)
		}
		if err := os.CopyFS(filepath.Join(shards, fmt.Sprint("spindle-shard-", n)), os.DirFS(o.kept)); err != nil {
			t.Fatal(err)
		}
	}
	merge := func(dir string) outcome {
		t.Helper()
		return p.run("targets", "", "run", "", "shards", dir)
	}
	o := merge(shards).want(t, 4, "expected a baseline, saw none")
	p.sh(p.dir, "mkdir -p .spindle && %q gate -update -baseline .spindle/baseline.json %q", spindle(t), filepath.Join(o.out, "events"))
	p.base = p.push("baseline")
	o = merge(shards).want(t, 0, "pass: exit 0; 1 target")
	if strings.Join(o.ran, " ") != "begin build merge base gate" {
		t.Errorf("ran: %q", o.ran)
	}

	// One whole run says the same.
	p.run().want(t, 0, "pass: exit 0; 1 target")

	for _, c := range []struct {
		name, spoil string
		code        int
		says        string
	}{
		{"a shard is missing", "rm -r spindle-shard-2", 4, "expected 2 streams, saw 1"},
		{"a shard has no events", "rm spindle-shard-2/events/*", 4, "expected 2 streams, saw 1"},
		{"all are missing", "rm -r *", 2, "no such file"},
		{"a shard twice", "rm -r spindle-shard-2; cp -r spindle-shard-1 spindle-shard-2", 4, "shard 1/2 twice"},
		{"a shard was cut off", "f=spindle-shard-2/events/check.ndjson; head -c 1000 $f >x; mv x $f", 4, "expected a newline at its end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(shards)); err != nil {
				t.Fatal(err)
			}
			p.sh(dir, "%s", c.spoil)
			o := merge(dir).want(t, c.code, c.says)
			if o.failed != "merge" {
				t.Errorf("expected it of the merge, saw %q", o.failed)
			}
		})
	}
	// Nothing asked for is nothing run.
	if o = p.run("targets", "", "run", ""); o.code == 0 {
		t.Error("no targets and no packages: saw exit 0")
	}
	p.run("run", "^nothing$").want(t, 3, "nothing ran")
	p.run("targets", "nonsense").want(t, 2, "nonsense")
	// A value that this host does not have is no shard.
	p.run("shard", "1/").want(t, 2, "expected I/N with 1 <= I <= N <= 1000, such as 2/3")
}
