package benchmark

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spindle-go/spindle/linearizability/recorder"
	"github.com/spindle-go/spindle/spec/record"
)

// ring is the number of slots of a P's ring, in all variants.
const ring = 256

// A subject is one kind of run queue: pairs of an owner's queue and a thief's.
// Its methods hold the loops, so that a call through this interface is paid once
// for many operations, and the operations themselves are called directly.
type subject interface {
	// putGet puts a G on the first owner's queue, which is empty, and gets it,
	// n times.
	putGet(n int)
	// putGetNext does the same through runnext.
	putGetNext(n int)
	// fill empties all queues and puts n Gs on each owner's. It returns how many
	// there were on the thieves' queues.
	fill(n int) (loot int)
	// steal has each thief steal from its owner, once, and returns how many of
	// them got something.
	steal() (successes int)
	// burst puts n Gs on the first owner's queue and gets until there is none.
	burst(n int) (got int)
	// rob has the first thief steal once, and get what it put on its own queue.
	// It returns how many Gs that were.
	rob() int
}

// A variant makes subjects.
type variant struct {
	name string
	make func(pairs int) subject
	next bool // it has runnext
}

var variants = []variant{
	{"impl", newImpl, true},
	{"mutex", newMutex, true},
	{"channel", newChannel, false},
}

// TestMain turns the collector off: the loops allocate nothing, and a cycle that
// began in one of them would turn write barriers on for one variant alone. Before
// benchmarks it keeps a processor busy for a while, whose clock is slow when it
// comes from idling; the variant that is first would pay for that.
func TestMain(m *testing.M) {
	flag.Parse()
	debug.SetGCPercent(-1)
	if flag.Lookup("test.bench").Value.String() != "" {
		for begin := time.Now(); time.Since(begin) < 200*time.Millisecond; {
		}
	}
	os.Exit(m.Run())
}

// batch is how many operations are done per call of a subject.
const batch = 256

func BenchmarkPutGet(b *testing.B) {
	for _, v := range variants {
		b.Run(v.name, func(b *testing.B) {
			s := v.make(1)
			for b.Loop() {
				s.putGet(batch)
			}
			report(b, b.Elapsed(), batch)
		})
	}
}

func BenchmarkPutGetNext(b *testing.B) {
	for _, v := range variants {
		if !v.next {
			continue
		}
		b.Run(v.name, func(b *testing.B) {
			s := v.make(1)
			for b.Loop() {
				s.putGetNext(batch)
			}
			report(b, b.Elapsed(), batch)
		})
	}
}

// pairs is how many thieves steal one after the other, under one reading of the
// clock. What they touch lies in the first-level cache.
const pairs = 16

// start is the first index of a queue of pair i. Rings are some KB apart, and
// their first slots would all fall in the same few sets of that cache.
func start(i int) uint32 { return uint32(i) * 16 }

// BenchmarkSteal measures one steal that takes so many Gs, by one thread: what
// a thief pays that nobody disturbs. Filling the victims takes longer than
// stealing and is left out; reading the clock adds 2 ns to each steal.
func BenchmarkSteal(b *testing.B) {
	for _, taken := range []int{1, 8, 128} {
		b.Run(fmt.Sprint(taken), func(b *testing.B) {
			for _, v := range variants {
				b.Run(v.name, func(b *testing.B) {
					s := v.make(pairs)
					var elapsed time.Duration
					for b.Loop() {
						s.fill(2 * taken)
						begin := time.Now()
						successes := s.steal()
						elapsed += time.Since(begin)
						if successes != pairs {
							b.Fatalf("%d thieves got something, want all %d", successes, pairs)
						}
					}
					ns := report(b, elapsed, pairs)
					b.ReportMetric(ns/float64(taken), "ns/G")
				})
			}
		})
	}
}

// BenchmarkOwnerWithThief measures what an owner pays for a put and a get while
// a thief on another thread steals without a pause, which is the worst that one
// thief can do. stolen/op is the part of the Gs that the thief got: variants
// whose thief is slower let the owner off lightly.
func BenchmarkOwnerWithThief(b *testing.B) {
	if runtime.GOMAXPROCS(0) < 2 {
		b.Skip("wants two processors")
	}
	const puts = 8
	for _, v := range variants {
		b.Run(v.name, func(b *testing.B) {
			s := v.make(1)
			var stop atomic.Bool
			var stolen, got int
			var wg sync.WaitGroup
			started := make(chan struct{})
			wg.Go(func() {
				runtime.LockOSThread()
				close(started)
				for !stop.Load() {
					stolen += s.rob()
				}
			})
			<-started
			for b.Loop() {
				got += s.burst(puts)
			}
			stop.Store(true)
			wg.Wait()
			if want := puts * b.N; got+stolen != want {
				b.Fatalf("%d Gs were got and %d stolen, want %d in all", got, stolen, want)
			}
			report(b, b.Elapsed(), puts)
			b.ReportMetric(float64(stolen)/float64(puts*b.N), "stolen/op")
		})
	}
}

// BenchmarkRecorder measures what it costs to write down one call, by either
// clock, on a thread alone.
func BenchmarkRecorder(b *testing.B) {
	for _, kind := range []string{record.ClockTime, record.ClockCounter} {
		b.Run(kind, func(b *testing.B) {
			defer debug.SetGCPercent(debug.SetGCPercent(100)) // each round has its own log
			clock := recorder.NewClock(kind)
			var elapsed time.Duration
			for b.Loop() {
				l := recorder.NewLog(clock, 0, batch, batch)
				begin := time.Now()
				for range batch {
					l.Call(record.Put, 0, record.None, 0, 1)
					l.Return()
					l.Result(true, 1, false)
				}
				elapsed += time.Since(begin)
			}
			report(b, elapsed, batch)
		})
	}
}

// report says what one operation took, where each round of b.Loop does several.
func report(b *testing.B, elapsed time.Duration, operations int) (ns float64) {
	ns = float64(elapsed.Nanoseconds()) / float64(operations*b.N)
	b.ReportMetric(ns, "ns/op")
	return ns
}
