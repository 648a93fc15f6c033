package public

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// asked says that the test is one that TestExplored runs.
const asked = "SPINDLE_INTERNAL_PUBLIC_ASKED"

// exhausted is what the explorer prints when it has run every interleaving of a plan that is not empty. The counts are the plan's, and change with it.
var exhausted = []string{
	`interleave/all: all [1-9]\d* scenarios .*: complete: [1-9]\d* executions, no bound`,
	`interleave/steal: complete: [1-9]\d* executions, no bound`,
	`interleave/empty: complete: [1-9]\d* executions, no bound`,
}

// TestExplored runs the tests below: the explorer sees the modules as they lie in the module cache.
func TestExplored(t *testing.T) {
	if testing.Short() {
		t.Skip("explores all interleavings of many scenarios")
	}
	for _, c := range []struct {
		test string
		in   string   // the package
		code int      // what go test returns
		want []string // of what it prints
	}{
		{"TestXsyncMPMC", ".", 0, exhausted},
		{"TestXsyncMPMCIsOptimistic", ".", 1, []string{`RQ-CAPACITY\n`, `RQ-GET-NONE\n`}},
		{"TestXsyncSPSC", ".", 0, exhausted},
		{"TestWorkivaQueue", ".", 0, exhausted},
		// Offer, of two at once on an empty ring of two: one loses its swap, and is refused.
		{"TestWorkivaOffer", ".", 1, []string{`RQ-CAPACITY\n`, `schedule +0a\.3b\.8a\n`}},
		// Offer beside a take, which has moved its index and not yet freed the cell.
		{"TestWorkivaOfferTake", ".", 1, []string{`RQ-CAPACITY\n`, `schedule +\S+\n`}},
		// That it is refused beside another call is all that is wrong with it.
		{"TestWorkivaOfferBeside", ".", 0, []string{`p p was explored`, `pp p was explored`, `pp pp was explored`, `p p p was explored`}},
		{"TestWorkivaLen", ".", 1, []string{`len P0 = -1`, `schedule +\S+\n`}},
		// Get asks the clock in each round, so that no round is in vain.
		{"TestWorkivaRingClock", ".", 1, []string{`not decided`, `explored all orders of what was seen: [1-9]\d* executions, [1-9]\d* iterations cut`}},
		{"TestLSCQ", ".", 1, []string{`not seen: .*assembly`}},
		{"TestSync", "./sync", 0, []string{`complete: [1-9]\d* executions, no bound`}},
		{"TestRingBuffer", ".", 0, []string{`interleave/steal: complete: [1-9]\d* executions, no bound`}},
	} {
		t.Run(c.test, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-v", "-timeout=20m", "-run", "^"+c.test+"$", c.in)
			cmd.Env = append(os.Environ(), asked+"=1", "SPINDLE_KEPT=off", "SPINDLE_SEED=1")
			out, _ := cmd.CombinedOutput()
			if code := cmd.ProcessState.ExitCode(); code != c.code {
				t.Errorf("expected exit %d, saw %d\n%s", c.code, code, out)
			}
			for _, want := range c.want {
				found := regexp.MustCompile(want).Find(out)
				if found == nil {
					t.Errorf("expected %q, saw\n%s", want, out)
				} else {
					t.Logf("%s", found)
				}
			}
			t.Logf("%s", strings.Join(regexp.MustCompile(`[^ ]+: .*complete.*executions.*`).FindAllString(string(out), -1), "\n"))
		})
	}
}

// Those below are run by TestExplored.

// everything is what the explorer exhausts. interleave/random is left out: with several
// producers its scenarios may have more orders of calls than are judged.
const everything = "^interleave/(all|steal|empty)$"

func explore(t *testing.T, s Subject, only string) {
	t.Helper()
	if os.Getenv(asked) == "" {
		t.Skip("TestExplored runs this")
	}
	conformance.TestSet(t, s.Factory, conformance.Under(s.Contract), conformance.Only(only))
}

func TestXsyncMPMC(t *testing.T)        { explore(t, XsyncMPMC, everything) }
func TestXsyncSPSC(t *testing.T)        { explore(t, XsyncSPSC, everything) }
func TestWorkivaQueue(t *testing.T)     { explore(t, WorkivaQueue, everything) }
func TestWorkivaRingClock(t *testing.T) { explore(t, WorkivaRing, "^interleave/steal$") }
func TestLSCQ(t *testing.T)             { explore(t, LSCQ, "^interleave/steal$") }
func TestRingBuffer(t *testing.T)       { explore(t, RingBuffer, "^interleave/steal$") }

// interleave explores one scenario, of owners with these scripts; who asks for the length
// is none.
func interleave(t *testing.T, s Subject, c conformance.Contract, scripts ...string) {
	t.Helper()
	if os.Getenv(asked) == "" {
		t.Skip("TestExplored runs this")
	}
	p, err := c.Profile()
	if err != nil {
		t.Fatal(err)
	}
	one := record.Scenario{Name: strings.Join(scripts, " "), Ps: 1, Capacity: 2, Shared: true}
	for _, script := range scripts {
		owner := record.Thread{P: 0, Script: script}
		if script == "l0" {
			owner.P = record.None
		}
		one.Threads = append(one.Threads, owner)
	}
	conformance.Interleave(t, p, s.Factory, one)
}

// TestXsyncMPMCIsOptimistic: a stronger promise, which xsync does not make, would not hold.
func TestXsyncMPMCIsOptimistic(t *testing.T) {
	c := XsyncMPMC.Contract
	c.Refuse = spec.Never
	t.Run("put", func(t *testing.T) { interleave(t, XsyncMPMC, c, "p", "p") })
	c = XsyncMPMC.Contract
	c.GetMiss = spec.Never
	t.Run("get", func(t *testing.T) { interleave(t, XsyncMPMC, c, "ppg", "g") })
}

// withoutClock is the ring for scenarios in which consumers find something, or an empty ring: Get waits, so it
// is asked only where something is, and reads no clock.
var withoutClock = Subject{
	Module: workivaModule, Contract: WorkivaRing.Contract,
	Factory: sized(2, 256, func(c int) clockless { return clockless{newWorkivaRing(c)} }),
}

type clockless struct{ *workivaRing }

func (q clockless) Get() (record.ID, bool) {
	if q.q.Len() == 0 {
		return 0, false
	}
	id, err := q.q.Get()
	return id.(record.ID), err == nil
}

func (q clockless) Steal() (record.ID, bool) { return q.Get() }

func TestWorkivaOffer(t *testing.T) { interleave(t, withoutClock, withoutClock.Contract, "p", "p") }

// TestWorkivaOfferTake: both puts and a get of the first thread have returned when it puts again, so the ring of two holds one at
// most. The other's take has moved the index, and has not yet freed its cell.
func TestWorkivaOfferTake(t *testing.T) {
	interleave(t, withoutClock, withoutClock.Contract, "ppgp", "g")
}

func TestWorkivaOfferBeside(t *testing.T) {
	c := withoutClock.Contract
	c.Refuse = spec.Beside
	for _, scripts := range []string{"p p", "pp p", "pp pp", "p p p"} {
		t.Run(scripts, func(t *testing.T) {
			interleave(t, withoutClock, c, strings.Fields(scripts)...)
			t.Logf("%s was explored", scripts)
		})
	}
}

// TestWorkivaLen: that Len is a number of items beside other calls is not promised.
func TestWorkivaLen(t *testing.T) {
	c := withoutClock.Contract
	c.Len = spec.AtMoment
	interleave(t, withoutClock, c, "pg", "l0")
}
