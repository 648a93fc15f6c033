package interleave

import (
	"time"

	"github.com/spindle-go/spindle/interleave/internal/engine"
)

// An Option changes how Test and Explore explore.
type Option func(*options)

type options struct {
	engine.Options
	noRaces bool
	unasked bool // the bound is not the caller's
	skip    int  // callers between Test and the test
	must    func(Report)
}

func newOptions(opts []Option) options {
	var o options
	o.Bound = -1
	for _, opt := range opts {
		opt(&o)
	}
	return o
}

// Seed sets the seed of what goes by chance. It is 0 if not given: two runs of
// one test then do the same.
func Seed(seed uint64) Option { return func(o *options) { o.Seed = seed } }

// Executions bounds the number of executions.
func Executions(n int) Option { return func(o *options) { o.Executions = n } }

// Budget bounds the time. An exploration that it ends is not complete, and says
// so.
func Budget(d time.Duration) Option { return func(o *options) { o.Time = d } }

// Steps bounds the steps of one thread in an execution, which are otherwise
// [engine.DefaultSteps]. One that has not ended by then, when no other thread can go
// on, is a failure.
func Steps(n int) Option { return func(o *options) { o.Options.Steps = n } }

// Exhaustive leaves out the search by chance and by bounds that otherwise comes
// before the exhaustive one.
func Exhaustive() Option { return func(o *options) { o.Strategy = engine.Exhaustive } }

// Preemptions explores all executions with at most n preemptions, switches away
// from a thread that could go on, and no others. Without reduction; -1 is no
// bound.
func Preemptions(n int) Option {
	return func(o *options) { o.Strategy, o.Bound = engine.DFS, n }
}

// Random chooses each step by chance, for as many executions as Executions says.
func Random() Option { return func(o *options) { o.Strategy = engine.Random } }

// PCT gives threads priorities by chance and changes them at few places
// (Burckhardt and others, ASPLOS 2010), for as many executions as Executions
// says.
func PCT() Option { return func(o *options) { o.Strategy = engine.PCT } }

// Walk chooses so that each interleaving is about equally likely (uniform random
// walk), for as many executions as Executions says.
func Walk() Option { return func(o *options) { o.Strategy = engine.Walk } }

// Schedule runs the one execution that a failure named, and shows it.
func Schedule(s string) Option {
	return func(o *options) { o.Strategy, o.Options.Schedule = engine.Replay, s }
}

// Bytes runs the one execution that a fuzzer's bytes are taken for: pairs of how
// many steps a thread goes on for (1 to 32) and which of the others comes next.
// Any bytes will do.
func Bytes(b []byte) Option {
	return func(o *options) { o.Strategy, o.Options.Bytes = engine.Script, b }
}

// TSO lets stores by StoreRelease of interleave/atomic stay in a buffer of their
// thread for a while, as on x86 (total store order), to show which barriers a
// protocol needs. All other operations are as they were.
func TSO() Option { return func(o *options) { o.Options.TSO = true } }

// NoRaces leaves plain accesses as they are: no data races are looked for, and
// executions take less time.
func NoRaces() Option { return func(o *options) { o.noRaces = true } }

// Retries says that a thread which goes round a loop has not done so in vain if it
// read something else than in the round before: for those who look at the steps of
// executions, and not only at what they lead to. It takes more executions.
func Retries() Option { return func(o *options) { o.Options.Retries = true } }

// Skip says that Test is called by a helper, n callers deep, of the test.
func Skip(n int) Option { return func(o *options) { o.skip = n } }

// MustFail turns Test round: it passes only if an execution is found that is
// wrong, and then calls f with the report. For tests that show that a test can
// fail.
func MustFail(f func(Report)) Option { return func(o *options) { o.must = f } }
