package goroot

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"testing"

	"github.com/spindle-go/spindle/internal/overlay"
	"github.com/spindle-go/spindle/internal/tier"
)

// built builds the tests of a package, with threads that are goroutines of the runtime in set, and returns the binary.
func built(t *testing.T, set *overlay.Set, pkg string) string {
	t.Helper()
	dir := t.TempDir()
	file, err := set.Write(dir)
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, filepath.Base(pkg)+".test")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	if out, err := exec.CommandContext(t.Context(), "go", slices.Concat([]string{"test", "-c", "-o", binary, "-overlay=" + file}, Flags(), []string{pkg})...).CombinedOutput(); err != nil {
		t.Fatalf("go test -c %s: %v\n%s", pkg, err, out)
	}
	return binary
}

// TestStress: in each setting of the collector and of the stacks, operations are made in the same order, and see the same. Two
// million each; SPINDLE_INTERNAL_OPERATIONS=100000000 takes some ten minutes more. And each schedule gives the same execution a
// thousand times.
func TestStress(t *testing.T) {
	tier.OnlyFull(t)
	o, err := Make(root(t))
	if err != nil {
		t.Fatal(err)
	}
	binary := built(t, o.Set, "./stress")
	run := func(t *testing.T, test string, env ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), binary, "-test.v", "-test.timeout=0", "-test.run=^"+test+"$")
		cmd.Env = append(os.Environ(), env...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v %s: %v\n%s", env, test, err, out)
		}
		return string(out)
	}
	t.Run("replays", func(t *testing.T) { run(t, "TestReplays") })
	said := regexp.MustCompile(`operations: (\d+ in \d+ executions, \d+ after a switch, digest [0-9a-f]+); (\d+) collections`)
	operations := os.Getenv("SPINDLE_INTERNAL_OPERATIONS")
	if operations == "" {
		operations = "2000000"
	}
	want, fewest := "", 0
	for _, env := range [][]string{
		{"GOGC=100"}, // what the others are compared with
		{"GOGC=1"},
		{"GOGC=1", "GODEBUG=gccheckmark=1"},
		{"GODEBUG=adaptivestackstart=0", "SPINDLE_INTERNAL_COLLECT=1"},
		{"SPINDLE_INTERNAL_BESIDE=1"},
		{"GOGC=2", "GODEBUG=gcstoptheworld=1"},
		{"GOGC=1", "GODEBUG=asyncpreemptoff=1"},
	} {
		t.Run(env[len(env)-1], func(t *testing.T) {
			m := said.FindStringSubmatch(run(t, "TestOperations", append(env, "SPINDLE_INTERNAL_OPERATIONS="+operations)...))
			if m == nil {
				t.Fatal("expected a line that says what was seen, saw none")
			}
			collections, _ := strconv.Atoi(m[2])
			t.Log(m[0])
			if want == "" {
				want, fewest = m[1], collections
				return
			}
			if m[1] != want {
				t.Errorf("expected %s, saw %s", want, m[1])
			}
			if collections <= fewest && env[0] != "SPINDLE_INTERNAL_BESIDE=1" { // how much it allocates depends on the machine
				t.Errorf("expected more than %d collections, or the setting tells nothing; saw %d", fewest, collections)
			}
		})
	}
}
