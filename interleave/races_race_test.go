//go:build race

package interleave_test

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestPairsUnderRaceDetector: what the tables take for a race, the race detector of
// Go takes for one. It is run by go test -race -run UnderRaceDetector.
func TestPairsUnderRaceDetector(t *testing.T) {
	const child = "SPINDLE_INTERNAL_PAIRS"
	pairs := slices.Concat(statements(), calls(), unusual(), expressions(), oldStatements())
	for _, s := range slices.Concat(loops(), oldLoops()) {
		pairs = append(pairs, pair{name: s.name, one: func(v *things) { s.do(v, hidden) }, two: func(*things) {}})
	}
	if os.Getenv(child) != "" {
		for _, p := range pairs {
			t.Log(p.name, underRaceDetector(p))
		}
		return // and fails, since races were found
	}
	cmd := exec.Command(os.Args[0], "-test.v", "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), child+"=1", "GORACE=suppress_equal_stacks=0 suppress_equal_addresses=0 log_path="+t.TempDir()+"/races")
	out, _ := cmd.CombinedOutput()
	for _, p := range pairs {
		if !strings.Contains(string(out), ": "+p.name+" true\n") && !p.undetected {
			t.Errorf("%s: expected that the race detector sees it", p.name)
		}
	}
	if t.Failed() {
		t.Logf("%s", out)
	}
}

// underRaceDetector runs a pair on two goroutines, one after the other by what the
// race detector does not see, and reports whether it sees a race.
func underRaceDetector(p pair) bool {
	before := runtime.RaceErrors()
	v := newThings()
	for _, f := range []func(*things){p.one, p.two} {
		hidden(func() { f(v) })
	}
	return runtime.RaceErrors() > before
}

// hidden runs f on a goroutine of its own, and waits for it by what the race detector
// does not see.
func hidden(f func()) {
	over := make(chan bool)
	go func() {
		f()
		runtime.RaceDisable()
		close(over)
		runtime.RaceEnable()
	}()
	runtime.RaceDisable()
	<-over
	runtime.RaceEnable()
}
