package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/spindle-go/spindle/conformance/target/child/hostile"
	"github.com/spindle-go/spindle/internal/tier"
)

// hostileScheduler is the command hostiles: a child that is a scheduler and does not keep to the protocol, as its first argument says. The second one may say what is wrong with the scheduler.
func hostileScheduler() {
	seed, err := strconv.ParseUint(os.Args[1], 10, 64)
	if err != nil {
		panic(err)
	}
	b := hostile.OfScheduler(seed)
	if len(os.Args) > 2 {
		b.Flaw = os.Args[2]
	}
	b.Be()
}

// hostileSeeds names seeds that are run alone, to see them again: 7,12.
const hostileSeeds = "SPINDLE_INTERNAL_HOSTILE_SEEDS"

// TestHostileSchedulers is TestHostileChildren for schedulers: besides, nothing is broken but what the child, its driver or its scheduler, has done. There are five, and 500
// in the full tier.
func TestHostileSchedulers(t *testing.T) {
	tier.NotShort(t)
	seeds := make([]uint64, 500)
	for i := range seeds {
		seeds[i] = uint64(i)
	}
	seeds = tier.Some(t, seeds, 5)
	if text := os.Getenv(hostileSeeds); text != "" {
		seeds = nil
		for s := range strings.SplitSeq(text, ",") {
			seed, err := strconv.ParseUint(s, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			seeds = append(seeds, seed)
		}
	}
	var next, peak atomic.Int64
	var mu sync.Mutex
	codes := make(map[string]int)
	var group sync.WaitGroup
	for range 3 { // most wait most of the time
		group.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(seeds)); i = next.Add(1) - 1 {
				b := hostile.OfScheduler(seeds[i])
				t.Run(fmt.Sprintf("%d %s", b.Seed, b.Deed), func(t *testing.T) {
					code, memory := schedulerAttacked(t, b)
					mu.Lock()
					codes[fmt.Sprintf("%s: exit %d", harmed(b), code)]++
					mu.Unlock()
					peak.Store(max(peak.Load(), memory))
				})
			}
		})
	}
	group.Wait()
	t.Logf("%d children: %v; at most %d MiB", len(seeds), codes, peak.Load()>>20)
}

// broken finds the requirements that a report says to be broken.
var broken = regexp.MustCompile(`(?m)^  broken ([A-Z-]+)`)

// schedulerAttacked runs check on one child.
func schedulerAttacked(t *testing.T, b hostile.Behaviour) (code int, memory int64) {
	run, falls := "^stress/close$", []string{"SC-CALLS"} // since it died
	lost := []string{"SC-CALLS", "SC-WORK", "SC-LOST", "SC-CLOSE-WAITS"}
	target := fmt.Sprintf("exec:hostiles %d", b.Seed)
	switch {
	case b.Kind == hostile.OfLook, b.Kind == hostile.OfRelease: // nothing is asked so of a scheduler that does not come to a stop
		target, falls = target+" "+hostile.Loses, lost
	case strings.HasPrefix(b.Deed, "workers that spin"):
		run, falls = "^stress/idle$", []string{"SC-IDLE"}
	case strings.HasPrefix(b.Deed, "tasks that are lost"):
		falls = lost
	case strings.HasPrefix(b.Deed, "capabilities"):
		run = "^stress/block$"
	case strings.HasPrefix(b.Deed, "threads that are left"):
		falls = []string{"SC-CLOSE-WORKERS"}
	case b.Harm == hostile.Lies: // its log says that tasks run again
		falls = []string{"SC-TWICE"}
	}
	code, memory, took, out := measure(t, run, target)
	allowed := code == 1 || code == 3 || code == 4
	if b.Harm == hostile.None && b.Kind != hostile.OfLook && b.Kind != hostile.OfRelease {
		allowed = code == 0 || code == 3 // it may take longer than it has
	}
	if b.Kind == hostile.OfHello && b.Harm == hostile.Wrong {
		allowed = code == 4 || code == 2 || code == 3 && strings.Contains(b.Deed, "capabilities")
	}
	if !allowed {
		t.Errorf("%v: exit %d\n%s", b, code, out)
	}
	if os.Getenv(hostileSeeds) != "" {
		t.Logf("%v: exit %d\n%s", b, code, out)
	}
	for _, m := range broken.FindAllStringSubmatch(out, -1) {
		if !slices.Contains(falls, m[1]) {
			t.Errorf("%v: %s is said to be broken\n%s", b, m[1], out)
		}
	}
	inBounds(t, b, memory, took, out)
	return code, memory
}
