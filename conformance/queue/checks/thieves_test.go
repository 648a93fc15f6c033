package checks

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/interleave/atomic"
	"github.com/spindle-go/spindle/interleave/sync"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// TestAsManyThieves: no scenario of any check has more threads that steal at once than the
// contract allows, and where it allows none, nobody steals at quiet moments either.
func TestAsManyThieves(t *testing.T) {
	all256 := queue.Capabilities{
		RunNext: true, Batch: true, PutBatch: true, Drain: true, Len: true, Capacity: 256, Resize: true, Sizes: []int{2, 4},
		Start: true, Moves: true, Global: true, Quiet: true, Show: true,
	}
	plain := queue.Capabilities{Len: true, Capacity: 8, Resize: true, Sizes: []int{1, 2}, Start: true, Quiet: true, Moves: true}
	bare := queue.Capabilities{Quiet: true}
	allowed := map[string]int{spec.Anyone: 9, spec.One: 1, spec.None: 0}
	for _, base := range []spec.Profile{spec.Core, spec.FIFO, spec.LIFODeque, spec.Tokio, spec.GoRT, "fifo,puts=any,gets=any", "fifo,steal-miss=answered", "lifo-deque,puts=any"} {
		for steals, most := range allowed {
			p := base + ",steals=" + spec.Profile(steals)
			contract, ok := p.Contract()
			if !ok {
				t.Fatalf("%s is no contract", p)
			}
			at, n := 0, 0
			for _, caps := range []queue.Capabilities{all256, plain, bare} {
				f := facts{profile: p, contract: contract, caps: caps, kind: suite.InProcess, short: true}
				for _, c := range all {
					fitted := c.forTarget(f)
					if s := c.suite(); !s.Fits(p) || fitted.lacks(f) != "" {
						continue
					}
					for i := range min(fitted.scenarios, 200) {
						s := fitted.scenario(&gen{rand.New(rand.NewPCG(7, uint64(i))), f}, i)
						thieves, quiet := thievesOf(t, s)
						if thieves > most || most == 0 && quiet {
							t.Fatalf("%s: %s, %+v: %d threads steal at once; at a quiet moment somebody steals: %v", p, c.name, s, thieves, quiet)
						}
						if err := s.Check(); err != nil {
							t.Fatalf("%s: %s: %v", p, c.name, err)
						}
						n++
						if c.enumerates == nil { // a list, or by chance
							at = max(at, thieves)
						}
					}
				}
			}
			if at < min(most, 2) || n < 1_500 {
				t.Errorf("%s: of %d scenarios the most thieves that one of a list has are %d", p, n, at)
			}
		}
	}
}

// thievesOf returns how many threads of a scenario steal at once, and whether one steals when
// nobody else calls anything.
func thievesOf(t *testing.T, s record.Scenario) (thieves int, quiet bool) {
	t.Helper()
	for _, text := range []string{s.Before, s.After} {
		calls, err := record.ParseQuiet(text)
		if err != nil {
			t.Fatal(err)
		}
		quiet = quiet || slices.ContainsFunc(calls, func(q record.QuietCall) bool { return q.Kind.Steals() })
	}
	for _, th := range s.Threads {
		ins, err := record.ParseScript(th.Script)
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(ins, func(in record.Instr) bool { return in.Kind.Steals() }) {
			thieves++
		}
	}
	if s.Order != nil { // one call after another
		return min(thieves, 1), quiet || thieves > 0
	}
	return thieves, quiet
}

// fixed is a right ring of a fixed size, which bears so many thieves at once.
type fixed struct {
	mu      sync.Mutex
	ids     []record.ID
	size    int
	thieves atomic.Int64
	most    int64
}

func (q *fixed) Put(id record.ID) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.ids) == q.size {
		return false
	}
	q.ids = append(q.ids, id)
	return true
}

func (q *fixed) Get() (record.ID, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.ids) == 0 {
		return 0, false
	}
	id := q.ids[0]
	q.ids = q.ids[1:]
	return id, true
}

func (q *fixed) Steal() (record.ID, bool) {
	if n := q.thieves.Add(1); n > q.most {
		panic(fmt.Sprintf("%d threads steal", n))
	}
	defer q.thieves.Add(-1)
	return q.Get()
}

func (q *fixed) Empty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.ids) == 0
}

func (q *fixed) Cap() int { return q.size }

// TestFewThieves: a queue that bears one thief at a time, or none, is right where its contract
// says so, and wrong where it does not. So is one whose size cannot be changed, small or
// large: no check counts as not carried out since none of its scenarios fits such a queue.
func TestFewThieves(t *testing.T) {
	for _, c := range []struct {
		contract spec.Profile
		size     int
		most     int64
		right    bool
		threads  bool // on real threads, too
	}{
		{"fifo,bound=exact", 256, 9, true, false},
		{"fifo,bound=exact", 4, 9, true, false},
		{"fifo,bound=exact,steals=one", 4, 1, true, true},
		{"fifo,bound=exact,steals=one,gets=any,puts=any", 2, 1, true, false},
		{"fifo,bound=exact,steals=none", 256, 0, true, true},
		{"fifo,bound=exact,steals=none,puts=any", 2, 0, true, false},
		{"fifo,bound=exact", 2, 1, false, false},
		{"fifo,bound=exact,steals=one", 2, 0, false, false},
	} {
		newQueue := func() queue.Queue { return &fixed{size: c.size, most: c.most} }
		target, err := Instrumented("fixed", c.contract, queue.Single(newQueue))
		if err != nil {
			t.Fatal(err)
		}
		Short(target)
		if !c.right {
			out, err := Search(t.Context(), target, Limits{Sequences: 500, Scenarios: 500, Each: 500, Executions: 20_000})
			if err != nil || out.Hit == nil || out.Hit.Requirement != "RQ-CRASH" {
				t.Errorf("%s, a ring of %d that bears %d: expected RQ-CRASH, saw %+v, %v", c.contract, c.size, c.most, out.Hit, err)
			}
			continue
		}
		explored(t, rand.New(rand.NewPCG(7, 0)), target)
		if c.threads {
			_, events := judged(t, suite.Options{Select: "^stress/steal$|^linearizability/(ring|all)$"}, target)
			unaccused(t, factsOf(target), events)
		}
	}
}
