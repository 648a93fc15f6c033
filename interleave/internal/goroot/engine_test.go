package goroot

import (
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
)

// TestEngine runs the engine's own tests, and random programs, with threads that are goroutines: also where the collector runs all the time, and looks at its own work.
// The packages that have a file of ours are vetted with it.
func TestEngine(t *testing.T) {
	tier.OnlyFull(t)
	o, err := Make(root(t))
	if err != nil {
		t.Fatal(err)
	}
	file, err := o.Set.Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	run := func(name string, env []string, args ...string) {
		t.Run(name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), "go", args...)
			cmd.Env = append(append(os.Environ(), "SPINDLE_TIER="), env...)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %v\n%s", cmd, err, out)
			}
		})
	}
	packages := []string{"runtime", "sync", "sync/atomic", "internal/runtime/maps", "bytes", "hash/maphash", "strconv", "crypto/internal/sysrand"}
	run("vet", nil, slices.Concat([]string{"vet", "-overlay=" + file, "-unsafeptr=false"}, Flags(), packages)...)
	for _, env := range [][]string{nil, {"GOGC=1"}, {"GOGC=1", "GODEBUG=gccheckmark=1"}, {"GODEBUG=asyncpreemptoff=1"}, {"GOGC=2", "GODEBUG=gcstoptheworld=1"}} {
		name := "as it is"
		if env != nil {
			name = env[len(env)-1]
		}
		run(name, env, slices.Concat([]string{"test", "-count=1", "-overlay=" + file}, Flags(), []string{"../engine", "../programs", "./stress"})...)
	}
}
