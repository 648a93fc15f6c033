package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/target/child/hostile"
	"github.com/spindle-go/spindle/internal/cputime"
	"github.com/spindle-go/spindle/internal/tier"
)

// measured is the command measured: spindle, with little time for a scenario, that
// writes down how much memory it took at most, and for how long it ran: other
// processes that had the processors are no fault of its own.
func measured() {
	begin := cputime.Read()
	scenarioTimeout, startTimeout = time.Second, hostileStart
	code := spindle(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	status, _ := os.ReadFile("/proc/self/status")
	if _, peak, ok := bytes.Cut(status, []byte("VmHWM:")); ok {
		passed, lost := cputime.Read().Since(begin)
		_ = os.WriteFile(os.Getenv("SPINDLE_INTERNAL_PEAK"), fmt.Appendf(nil, "%s %d", bytes.Fields(peak)[0], passed-lost), 0o600)
	}
	os.Exit(code)
}

// The bounds of what a child can do to the command.
const (
	hostileBudget = 4 * time.Second
	hostileStart  = 2 * time.Second // of the child
	hostileSlack  = 2 * time.Second // beyond the budget
	hostileMemory = 256 << 20       // of the command
)

// TestHostileChildren runs check on children that do not keep to the protocol. None
// passes that has not earned it, and the command ends in time and within its memory.
// There are two, and one of each deed in the full tier.
func TestHostileChildren(t *testing.T) {
	tier.NotShort(t)
	seeds := make([]uint64, max(100, hostile.Deeds()))
	for i := range seeds {
		seeds[i] = uint64(i)
	}
	seeds = tier.Some(t, seeds, 2)
	var next, peak, over atomic.Int64
	var mu sync.Mutex
	codes := make(map[string]int)
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(seeds)); i = next.Add(1) - 1 {
				b := hostile.Of(seeds[i])
				t.Run(fmt.Sprintf("%d %s", b.Seed, b.Deed), func(t *testing.T) {
					code, memory, took := attacked(t, b)
					mu.Lock()
					codes[fmt.Sprintf("%s: exit %d", harmed(b), code)]++
					mu.Unlock()
					peak.Store(max(peak.Load(), memory))
					over.Store(max(over.Load(), int64(took-hostileBudget)))
				})
			}
		})
	}
	group.Wait()
	t.Logf("%d children: %v; at most %d MiB; at most %v beyond the budget of %v", len(seeds), codes, peak.Load()>>20, time.Duration(over.Load()), hostileBudget)
}

func harmed(b hostile.Behaviour) string {
	return map[hostile.Harm]string{hostile.None: "right", hostile.Later: "right at first", hostile.Wrong: "wrong", hostile.Silent: "silent", hostile.Lies: "lies"}[b.Harm]
}

// attacked runs check on one child.
func attacked(t *testing.T, b hostile.Behaviour) (code int, memory int64, took time.Duration) {
	run := "^sequence/(order|emptiness|steal)$"
	switch {
	case b.Explores():
		run = "^interleave/explored$"
	case b.Large:
		run = "^stress/steal$" // whose answers may be long
	}
	code, memory, took, out := measure(t, run, fmt.Sprintf("exec:hostile %d", b.Seed))
	allowed := code == 1 || code == 3 || code == 4
	switch {
	case b.Harm == hostile.None && b.Chunk == 7:
		allowed = code == 0 || code == 3 // it may take longer than it has
	case b.Harm == hostile.None:
		allowed = code == 0
	case b.Deed == "no put was taken":
		// A queue that takes nothing in, and says so without contradiction, keeps what
		// it promises: nothing tells that it is a lie.
		allowed = allowed || code == 0
	}
	if !allowed {
		t.Errorf("%v: exit %d\n%s", b, code, out)
	}
	inBounds(t, b, memory, took, out)
	return code, memory, took
}

// inBounds holds the command to its bounds, and its report to what can be shown.
func inBounds(t *testing.T, b hostile.Behaviour, memory int64, took time.Duration, out string) {
	if most := hostileStart + hostileBudget + hostileSlack; took > most || memory > hostileMemory {
		t.Errorf("%v: expected at most %v and %d MiB, saw %v and %d MiB", b, most, hostileMemory>>20, took, memory>>20)
	}
	if len(out) > 1<<18 || strings.ContainsAny(out, "\x1b\x00\a") || strings.Contains(out, "\n::") {
		t.Errorf("%v: expected a report that can be shown, saw %d bytes: %.300q", b, len(out), out)
	}
}

// measure runs check on a child.
func measure(t *testing.T, run, target string) (code int, memory int64, took time.Duration, report string) {
	dir := t.TempDir()
	cmd := exec.Command("measured", "check", "-seed", "1", "-budget", hostileBudget.String(), "-run", run, "-out", dir, target)
	cmd.Env = append(os.Environ(), "SPINDLE_INTERNAL_PEAK="+filepath.Join(dir, "peak"))
	cmd.WaitDelay = time.Minute
	begin := time.Now()
	out, err := cmd.CombinedOutput()
	took, code = time.Since(begin), cmd.ProcessState.ExitCode()
	if _, ok := err.(*exec.ExitError); err != nil && !ok {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "peak")); err == nil {
		var kib int64
		if _, err := fmt.Sscan(string(text), &kib, &took); err != nil {
			t.Fatal(err)
		}
		memory = kib << 10
	}
	return code, memory, took, string(out)
}
