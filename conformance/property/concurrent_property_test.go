// Concurrent programs: the calls are generated, the interleaving is the
// machine's. A failure is therefore no function of the program, and shrinking
// must live with that: a smaller program counts only if it fails within a fixed
// number of repeats.
package property_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/queue/drive"
	"github.com/spindle-go/spindle/conformance/target/ref"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/witnessed"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/linearizability"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/sequential"
)

const (
	// runsOfOne is how often a generated program is run before it passes.
	runsOfOne = 3
	// repeats is how often a smaller candidate is run before it is given up:
	// it counts only if it fails within them.
	repeats = 60
	// hang is how long one run may take.
	hang = 20 * time.Second
)

// seedOf returns the generator's seed: SPINDLE_SEED, or a new one.
func seedOf(t *testing.T) int64 {
	seed, err := record.SeedFromEnv(uint64(time.Now().UnixNano()))
	if err != nil {
		t.Fatal(err)
	}
	return int64(seed)
}

// A finding is a program that broke something, and how.
type finding struct {
	program program
	size    int // of the program that was found first
	shrinks int
	err     error
	seed    int64
	test    string
}

// tally counts the histories that were judged, and those that were not decided.
type tally struct{ runs, unknown int }

// search runs generated programs on f until one breaks a rule, which is then
// shrunk, or count programs have passed, or the time is over.
func search(t *testing.T, f queue.Factory, profile spec.Profile, count int, limit time.Duration) (*finding, tally, error) {
	c, err := drive.Probe(f)
	if err != nil {
		return nil, tally{}, err
	}
	var (
		counts tally
		last   error
		failed bool
		stop   = time.Now().Add(limit)
	)
	holds := func(p program) bool {
		runs := runsOfOne
		if failed {
			runs = repeats
		}
		for range runs {
			if time.Now().After(stop) {
				break
			}
			if err := judge(f, profile, p, &counts); err != nil {
				last, failed = err, true
				return false
			}
		}
		return true
	}
	seed := seedOf(t)
	params := gopter.DefaultTestParametersWithSeed(seed)
	params.MinSuccessfulTests = count
	result := prop.ForAll(holds, programs(c)).Check(params)
	switch result.Status {
	case gopter.TestPassed:
		return nil, counts, nil
	case gopter.TestFailed:
		arg := result.Args[0]
		orig := arg.OrigArg.(program)
		return &finding{arg.Arg.(program), orig.size(), arg.Shrinks, last, seed, t.Name()}, counts, nil
	}
	return nil, counts, fmt.Errorf("gopter: %v: %w", result.Status, result.Error)
}

// judge runs p once. The error says what it broke.
func judge(f queue.Factory, profile spec.Profile, p program, counts *tally) error {
	ctx, cancel := context.WithTimeout(context.Background(), hang)
	defer cancel()
	s := p.scenario()
	h, err := drive.Run(ctx, f, s)
	if err != nil {
		return &broke{record.Finding{Requirement: "RQ-CRASH", Fingerprint: "RQ-CRASH", Expected: "every call returns", Observed: err.Error()}, "RQ-CRASH: " + err.Error()}
	}
	if vs := sequential.Conserve(h); vs != nil {
		v := vs[0]
		return &broke{record.Finding{Requirement: v.Requirement, Fingerprint: v.Requirement, Expected: v.Expected, Observed: v.Observed, Evidence: calls(v.Ops)}, v.String()}
	}
	counts.runs++
	rules := sequential.RulesOf(profile, h.Capacity)
	result := linearizability.Check(h, linearizability.Options{Rules: rules, Timeout: 100 * time.Millisecond})
	switch result.Verdict {
	case linearizability.Illegal:
		e := result.Explanation()
		return &broke{e.Finding(), e.String()}
	case linearizability.Unknown:
		counts.unknown++
	}
	return nil
}

// broke is the error of a program that broke something.
type broke struct {
	finding record.Finding
	text    string
}

func (b *broke) Error() string { return b.text }

// calls makes evidence of the last of ops.
func calls(ops []record.Op) []record.Evidence {
	e := record.Evidence{Kind: record.Calls}
	for i := max(0, len(ops)-24); i < len(ops); i++ {
		e.Lines = append(e.Lines, ops[i].Text())
	}
	return []record.Evidence{e}
}

// TestConcurrentProperty runs generated programs on the reference.
func TestConcurrentProperty(t *testing.T) {
	tier.NotShort(t)
	t.Attr("req", "RQ-LOST")
	t.Attr("req", "RQ-TWICE")
	t.Attr("req", "RQ-INVENTED")
	t.Attr("req", "RQ-GET-NONE")
	t.Attr("req", "RQ-STEAL-NONE")
	t.Attr("req", "RQ-EMPTY-TRUE")
	t.Attr("req", "RQ-EMPTY-FALSE")
	t.Attr("req", "RQ-FIFO")
	t.Attr("req", "RQ-STEAL-HALF")
	t.Attr("req", "RQ-STEAL-RUNNEXT")
	t.Attr("req", "RQ-GLOBAL-FIFO")
	count, limit := tier.N(t, 200, 20_000), 10*time.Minute
	events := witnessed.Begin(t, spec.Property, spec.GoRT)
	found, counts, err := search(t, ref.New, spec.GoRT, count, limit)
	if err != nil {
		t.Fatal(err)
	}
	if found != nil {
		var b *broke
		if errors.As(found.err, &b) {
			events.Found(b.finding)
		}
		t.Fatal(found)
	}
	t.Logf("%d runs judged, %d of them not decided", counts.runs, counts.unknown)
	if counts.runs < 20 || counts.unknown > counts.runs/2 {
		t.Errorf("%d runs judged, %d of them not decided: too few to say anything", counts.runs, counts.unknown)
	}
	events.Ended(suite.Outcome{Ended: suite.Completed, Scenarios: counts.runs})
}

// String shows what broke, the program before and after it was shrunk, and the
// command that searches again.
func (f *finding) String() string {
	return fmt.Sprintf("%v\nby: %v\n(shrunk %d times from %d calls to %d; it failed within %d runs)\n"+
		"to search again with the same programs: SPINDLE_SEED=%v go test -run '^%s$' ./conformance/property",
		f.err, f.program, f.shrinks, f.size, f.program.size(), repeats, record.Seed(f.seed), f.test)
}
