package source

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec/record"
)

// Result is that of testdata/run.go.
type Result struct {
	Outcomes []Final
	Report   interleave.Report
	Text     string
	Err      string
}

// TestNothingMissed runs random programs, written as Go source, under the exhaustive search and
// through the interpreter, and those whose outcomes were counted by hand. Where the certificate says
// "complete", the outcomes must be the same, and the program has no deadlock, no livelock and no
// data race. What is reported must be there, whatever the certificate says. What is missed
// under "complete up to repeated iterations" is counted.
//
// Program i of a seed is program 0 of seed+i. The ordinary run has 40
// of them from seed 1 on, the full tier 2,000.
func TestNothingMissed(t *testing.T) {
	tier.NotShort(t)
	n := tier.N(t, 40, 2_000)
	first, err := record.SeedFromEnv(1)
	if err != nil {
		t.Fatal(err)
	}
	all := &tally{t: t, count: make(map[string]int)}
	var some batch
	for _, c := range byHand {
		m, _ := c.p.Meaning(mostStates)
		some.add(c.name, c.p, m)
	}
	seeds := slices.Clone(foundOnce)
	for i := range n {
		seeds = append(seeds, uint64(first)+uint64(i))
	}
	for _, seed := range seeds {
		p, m := Valid(rand.New(rand.NewPCG(seed, 3)))
		if m.MayRace && !p.Exposed {
			t.Errorf("the program of seed %d may have a data race, by mistake", seed)
		}
		some.add(fmt.Sprintf("SPINDLE_SEED=%d", seed), p, m)
		if len(some.programs) >= inPackage {
			all.judge(&some)
			some = batch{}
		}
	}
	all.judge(&some)
	t.Log(all)
	if c := all.count; n >= 100 && (c["complete"] < n/3 || c["complete, of two outcomes and more"] < n/4 || c["complete, with executions blocked"] < n/10 || c["fails: data race"] == 0) {
		t.Error("the programs are no good: too few are explored to their end")
	}
}

// foundOnce are seeds of programs that once made the explorer panic, or say what was not so.
var foundOnce = []uint64{1174, 1351}

// inPackage is how many programs there are in one package: to build one takes as long as to
// explore a hundred.
const inPackage = 250

// A batch is programs of one package.
type batch struct {
	names    []string // with what to set to run it again
	programs []*Program
	meanings []*Meaning
}

func (b *batch) add(name string, p *Program, m *Meaning) {
	b.names, b.programs, b.meanings = append(b.names, name), append(b.programs, p), append(b.meanings, m)
}

// tally is what a run comes to.
type tally struct {
	t             *testing.T
	count         map[string]int
	failed, noted int
}

// judge runs and judges the programs of a batch. It shows the first that are judged wrongly.
func (c *tally) judge(b *batch) {
	for i, r := range run(c.t, b.programs) {
		v := b.meanings[i].judge(b.programs[i], &r)
		c.count["programs"]++
		for _, s := range v.classes {
			c.count[s]++
		}
		if v.note != "" {
			if c.noted++; c.noted <= 10 {
				c.t.Logf("%s: %s", b.names[i], v.note)
			}
		}
		if len(v.wrong) == 0 {
			continue
		}
		c.t.Errorf("%s: %s", b.names[i], strings.Join(v.wrong, "; "))
		if c.failed++; c.failed <= 3 {
			text, err := withImports(b.programs[i].Source(0))
			if err != nil {
				c.t.Fatal(err)
			}
			set := b.names[i][strings.Index(b.names[i], "SPINDLE_"):]
			c.t.Logf("%s\n%s\nto reproduce: %s go test -count=1 -run '^%s$' ./interleave/internal/source", text, r.Text, set, c.t.Name())
		}
	}
}

// String is how many programs there are of each class.
func (c *tally) String() string {
	var b strings.Builder
	for _, s := range slices.Sorted(maps.Keys(c.count)) {
		fmt.Fprintf(&b, "\n%6d %s", c.count[s], s)
	}
	return b.String()
}

// run has the programs explored.
func run(t *testing.T, programs []*Program) []Result {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	files, err := Module(programs, root)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-vet=off", "-timeout=1h", ".")
	cmd.Dir = dir
	flags := "GOFLAGS=-mod=mod"
	for _, f := range strings.Fields(os.Getenv("GOFLAGS")) {
		if strings.HasPrefix(f, "-overlay=") { // as a mutant's
			flags += " " + f
		}
	}
	cmd.Env = append(os.Environ(), flags, "GOPROXY=off", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go test: %v\n%s", err, out)
	}
	text, err := os.ReadFile(filepath.Join(dir, "results.json"))
	if err != nil {
		t.Fatal(err)
	}
	var results []Result
	if err := json.Unmarshal(text, &results); err != nil {
		t.Fatal(err)
	}
	if len(results) != len(programs) {
		t.Fatalf("expected results of %d programs, saw %d", len(programs), len(results))
	}
	return results
}
