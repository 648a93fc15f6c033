package interleave

import (
	"time"

	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/internal/settings"
)

// An Option changes how Test and Explore explore. Of two that say the same thing the last
// counts.
type Option func(*settings.Settings)

// Seed sets the seed for random choices. It is 0 if not given: two runs of
// one test then do the same.
func Seed(seed uint64) Option { return func(s *settings.Settings) { s.Seed = seed } }

// Executions bounds the number of executions. An exploration that it ends is not complete,
// and says so.
func Executions(n int) Option { return func(s *settings.Settings) { s.Executions = n } }

// Budget bounds the time of an exploration, not that of showing a failure with fewer
// switches. An exploration that it ends is not complete, and says so. The time counts in
// which the process ran: on Linux not that in which other processes had the processors.
func Budget(d time.Duration) Option { return func(s *settings.Settings) { s.Time = d } }

// Steps bounds the steps of one thread in an execution; the bound is 10,000 if none is
// given. A thread that has not ended by then, when no other can go on, is a failure.
func Steps(n int) Option { return func(s *settings.Settings) { s.Steps = n } }

// Exhaustive leaves out the search by chance and by bounds that otherwise comes
// before the exhaustive one.
func Exhaustive() Option { return func(s *settings.Settings) { s.Strategy = engine.Exhaustive } }

// Preemptions explores all executions with at most n preemptions, switches away
// from a thread that could go on, and no others. Without reduction; -1 is no
// bound. A thread that has gone round a loop in vain is held back until what it read changes: to go on
// with another thread is no preemption then.
func Preemptions(n int) Option {
	return func(s *settings.Settings) { s.Strategy, s.Bound = engine.DFS, n }
}

// Random chooses each step by chance, for as many executions as Executions says.
func Random() Option { return func(s *settings.Settings) { s.Strategy = engine.Random } }

// PCT gives threads priorities by chance and changes them at few places
// (Burckhardt and others, ASPLOS 2010), for as many executions as Executions
// says.
func PCT() Option { return func(s *settings.Settings) { s.Strategy = engine.PCT } }

// Walk chooses so that each interleaving is about equally likely (uniform random
// walk), for as many executions as Executions says.
func Walk() Option { return func(s *settings.Settings) { s.Strategy = engine.Walk } }

// Schedule runs the one execution that a failure named, and shows it.
func Schedule(schedule string) Option {
	return func(s *settings.Settings) { s.Strategy, s.Schedule = engine.Replay, schedule }
}

// Bytes runs the one execution that a fuzzer's bytes are taken for: pairs of how
// many steps a thread goes on for (1 to 32) and which of the others comes next.
// Any bytes will do.
func Bytes(b []byte) Option {
	return func(s *settings.Settings) { s.Strategy, s.Bytes = engine.Script, b }
}

// TSO lets stores by StoreRelease of interleave/atomic stay in a buffer of their
// thread for a while, as on x86 (total store order), to show which barriers a
// protocol needs. All other operations are as they were.
func TSO() Option { return func(s *settings.Settings) { s.TSO = true } }

// NoRaces leaves plain accesses as they are: no data races are looked for, and
// executions take less time.
func NoRaces() Option { return func(s *settings.Settings) { s.NoRaces = true } }

// MustFail turns Test round: it passes only if an execution is found that is wrong, and
// then calls f with the report. For tests that show that a test can fail.
func MustFail(f func(Report)) Option {
	return func(s *settings.Settings) { s.MustFail = func(r any) { f(r.(Report)) } }
}
