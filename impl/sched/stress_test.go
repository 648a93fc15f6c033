package sched

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/tier"
	seeds "github.com/spindle-go/spindle/spec/record"
)

// TestStress has everything that a scheduler offers done at once, by chance, and closes it at any point: each task
// runs once, each timer that was not stopped does so once, panics and deadlocks are reported if there are some,
// and no goroutine is left. A run takes some 100 ms, and there are eight. The seed of a run, which is printed if it
// fails, decides what each task does; SPINDLE_SEED has that one run alone. Which thread does it is left to
// the machine. The full tier has 1,000 runs, and prints how many passed and which took longest:
//
//	SPINDLE_TIER=full go test -count=1 -v -run '^TestStress$' ./impl/sched | grep -v '^ *---\|^==='
func TestStress(t *testing.T) {
	t.Attr("req", "DN-ONE-PLACE")
	times := tier.N(t, 8, 1000)
	if os.Getenv(seeds.SeedVar) != "" {
		times = 1
	}
	first, err := seeds.SeedFromEnv(rand.Uint64())
	if err != nil {
		t.Fatal(err)
	}
	passed, saw := 0, make(map[string]int64)
	var slowest time.Duration
	var slowestSeed seeds.Seed
	for i := range times {
		seed := first + seeds.Seed(i)
		began := time.Now()
		if t.Run(fmt.Sprint(i), func(t *testing.T) { // not the seed: the same command has the same subtests
			t.Logf("SPINDLE_SEED=%v", seed)
			leaks(t)
			stressed(t, uint64(seed), saw)
		}) {
			passed++
		}
		if took := time.Since(began); took > slowest {
			slowest, slowestSeed = took, seed
		}
	}
	t.Logf("%d of %d runs passed; the slowest took %v, that of SPINDLE_SEED=%v. In all: %v", passed, times, slowest.Round(time.Millisecond), slowestSeed, saw)
	for _, what := range []string{"tasks", "runs that were over before Close", "deadlocks", "tasks refused after Close", "CloseWithin too short"} {
		if times >= 100 && saw[what] == 0 {
			t.Errorf("expected %s in %d runs, saw none", what, times)
		}
	}
}

// A stress is a run of TestStress.
type stress struct {
	t     *testing.T
	s     *Scheduler
	seed  uint64
	tasks []stressTask
	next  atomic.Int64 // the number of the next task
	ended atomic.Int64 // how many tasks have ended, but for those that Close ends
	ops   []stressOp
	did   []atomic.Int64 // how often each of ops

	outside sync.WaitGroup // goroutines that call Ready
	closed  atomic.Bool
	refused atomic.Int64 // tasks that came after Close
	panics  atomic.Int64
	forever atomic.Int64 // Gs that wait for ever

	locks [3]lock
	held  [3]int       // by these
	took  atomic.Int64 // how often in all

	mu     sync.Mutex
	timers []*stressTimer
	stuck  []string // for what Gs waited that Close has ended
}

type stressTask struct {
	ran   atomic.Int32
	waits atomic.Bool // in Park
}

type stressTimer struct {
	ran     atomic.Int32
	stopped bool
}

// A stressOp is what tasks do.
type stressOp struct {
	name  string
	share int // in thousandths
	do    func(x *stress, g *G, n int64, r *rand.Rand)
}

func stressOps() []stressOp {
	return []stressOp{
		{"Go", 194, func(x *stress, g *G, n int64, r *rand.Rand) { x.starts(g, nil) }},
		{"Go, and wait", 150, (*stress).joins},
		{"Yield", 130, func(x *stress, g *G, n int64, r *rand.Rand) { g.Yield() }},
		{"YieldHere", 80, func(x *stress, g *G, n int64, r *rand.Rand) { g.YieldHere() }},
		{"Ready from outside", 80, (*stress).waitsForOutside},
		{"Block", 80, func(x *stress, g *G, n int64, r *rand.Rand) { g.Block(blocksFor(r)) }},
		{"BlockLong", 40, func(x *stress, g *G, n int64, r *rand.Rand) { g.BlockLong(blocksFor(r)) }},
		{"Sleep", 60, func(x *stress, g *G, n int64, r *rand.Rand) { g.Sleep(time.Duration(r.IntN(200)) * time.Microsecond) }},
		{"AfterFunc", 60, (*stress).setsTimer},
		{"lock", 60, (*stress).takesLock},
		{"Park that is refused", 20, func(x *stress, g *G, n int64, r *rand.Rand) { g.Park("refused", func() bool { return false }) }},
		{"pipe", 8, (*stress).pipes},
		{"GoLocked", 6, func(x *stress, g *G, n int64, r *rand.Rand) { x.startsBy(g.GoLocked, nil) }},
		{"SetProcs", 6, func(x *stress, g *G, n int64, r *rand.Rand) {
			if err := g.SetProcs(1 + r.IntN(4)); err != nil {
				x.t.Error(err)
			}
		}},
		{"ForEachP", 6, (*stress).callsEachP},
		{"Goexit", 5, func(x *stress, g *G, n int64, r *rand.Rand) { g.Goexit() }},
		{"panic", 5, func(x *stress, g *G, n int64, r *rand.Rand) { x.panics.Add(1); panic("burst") }},
		{"unlock that panics", 5, func(x *stress, g *G, n int64, r *rand.Rand) {
			x.panics.Add(1)
			g.Park("refused", func() bool { panic("burst") })
		}},
		{"Checkpoint", 5, func(x *stress, g *G, n int64, r *rand.Rand) { g.Checkpoint() }},
	}
}

// stressed is a run. It counts what was seen in it.
func stressed(t *testing.T, seed uint64, saw map[string]int64) {
	r := rand.New(rand.NewPCG(seed, 1<<63))
	c := Config{Procs: 1 + r.IntN(4), Ring: 1 << (1 + r.IntN(8)), Randomised: r.IntN(4) == 0, Unwatched: r.IntN(4) == 0}
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	x := &stress{t: t, s: s, seed: seed, tasks: make([]stressTask, 5000), ops: stressOps()}
	x.did = make([]atomic.Int64, len(x.ops))
	whole, within := r.IntN(3) == 0, r.IntN(2) == 0 // whether all tasks end before Close
	goal := int64(len(x.tasks))                     // so many
	if !whole {
		goal = r.Int64N(goal)
	}
	if r.IntN(3) == 0 {
		x.forever.Store(1 + r.Int64N(4))
		start(t, s, func(g *G) {
			for i := range x.forever.Load() {
				g.Go(func(g *G) {
					reason := fmt.Sprintf("for ever %d", i)
					defer x.ends(reason)
					g.Park(reason, nil)
				})
			}
		})
	}
	var submitters sync.WaitGroup
	for range 3 {
		submitters.Go(x.submits)
	}
	for began := time.Now(); x.ended.Load() < goal; time.Sleep(50 * time.Microsecond) {
		if c := s.Snapshot(); time.Since(began) > 20*time.Second {
			t.Fatalf("%d of %d tasks have ended after 20 seconds: %v, %v", x.ended.Load(), goal, c, c.Gs)
		}
	}
	if within {
		err = s.CloseWithin(time.Duration(r.IntN(3000)) * time.Microsecond)
	} else {
		err = end(t, s)
	}
	x.closed.Store(true)
	submitters.Wait()
	unfinished := errors.As(err, new(*UnfinishedError))
	if unfinished {
		x.drains()
	}
	x.outside.Wait()
	x.judge(err, c, whole, unfinished)
	saw["tasks"] += x.begun() - x.refused.Load()
	saw["tasks refused after Close"] += x.refused.Load()
	for what, is := range map[string]bool{"runs that were over before Close": whole, "CloseWithin too short": unfinished, "deadlocks": len(x.stuck) > 0} {
		if is {
			saw[what]++
		}
	}
}

// submits starts tasks from outside until there are enough, or the scheduler has closed. While many are at work
// it waits, so that tasks may come at any time.
func (x *stress) submits() {
	for {
		if x.begun()-x.ended.Load() > 200 && !x.closed.Load() {
			time.Sleep(20 * time.Microsecond)
			continue
		}
		n, ok := x.task()
		if !ok {
			return
		}
		if err := x.s.Go(x.does(n, nil)); err != nil {
			if err != ErrClosed {
				x.t.Error(err)
			}
			x.refused.Add(1)
			x.tasks[n].ran.Add(1) // nobody else may run it
			x.ended.Add(1)
			return
		}
	}
}

// task takes the number of a new task.
func (x *stress) task() (n int64, ok bool) {
	n = x.next.Add(1) - 1
	if n >= int64(len(x.tasks)) {
		return 0, false
	}
	return n, true
}

// begun is how many numbers of tasks were taken.
func (x *stress) begun() int64 { return min(x.next.Load(), int64(len(x.tasks))) }

// starts starts a task. It reports false if there are enough.
func (x *stress) starts(g *G, then func(*G)) bool { return x.startsBy(g.Go, then) }

func (x *stress) startsBy(by func(func(*G)) *G, then func(*G)) bool {
	n, ok := x.task()
	if ok {
		by(x.does(n, then))
	}
	return ok
}

// does is task n, and then what is to follow its end.
func (x *stress) does(n int64, then func(*G)) func(*G) {
	return func(g *G) {
		task := &x.tasks[n]
		task.ran.Add(1)
		defer func() {
			if !task.waits.Load() { // else Close has ended it
				if then != nil {
					then(g)
				}
				x.ended.Add(1)
			}
		}()
		r := rand.New(rand.NewPCG(x.seed, uint64(n)))
		for range 1 + r.IntN(3) {
			at := r.IntN(1000)
			for i := range x.ops {
				if at -= x.ops[i].share; at < 0 {
					x.did[i].Add(1)
					x.ops[i].do(x, g, n, r)
					break
				}
			}
		}
	}
}

// parks is Park of task n.
func (x *stress) parks(g *G, n int64, what string, unlock func() bool) {
	reason := fmt.Sprintf("%s %d", what, n)
	x.tasks[n].waits.Store(true)
	goesOn := false
	defer func() {
		if !goesOn {
			x.ends(reason)
		}
	}()
	g.Park(reason, unlock)
	goesOn = true
	x.tasks[n].waits.Store(false)
}

// ends notes that Close has ended a G that waited.
func (x *stress) ends(reason string) {
	x.mu.Lock()
	x.stuck = append(x.stuck, reason)
	x.mu.Unlock()
}

// joins starts tasks and waits for them.
func (x *stress) joins(g *G, n int64, r *rand.Rand) {
	var left atomic.Int32
	left.Store(1)
	for range r.IntN(8) {
		left.Add(1)
		if !x.starts(g, func(c *G) {
			if left.Add(-1) == 0 {
				c.Ready(g)
			}
		}) {
			left.Add(-1)
			break
		}
	}
	x.parks(g, n, "join", func() bool { return left.Add(-1) > 0 })
}

// waitsForOutside parks until a goroutine that is no G calls Ready, which it may not do after Close.
func (x *stress) waitsForOutside(g *G, n int64, r *rand.Rand) {
	wait := time.Duration(r.IntN(3)*r.IntN(100)) * time.Microsecond
	x.parks(g, n, "outside", func() bool {
		x.outside.Go(func() {
			time.Sleep(wait)
			if err := x.s.Ready(g); err != nil && err != ErrClosed {
				x.t.Error(err)
			}
		})
		return true
	})
}

func blocksFor(r *rand.Rand) func() {
	if d := time.Duration(r.IntN(3)*r.IntN(100)) * time.Microsecond; d > 0 {
		return func() { time.Sleep(d) }
	}
	return runtime.Gosched
}

// setsTimer sets a timer, and stops it by chance.
func (x *stress) setsTimer(g *G, n int64, r *rand.Rand) {
	timer := new(stressTimer)
	x.mu.Lock()
	x.timers = append(x.timers, timer)
	x.mu.Unlock()
	is := g.AfterFunc(time.Duration(r.IntN(200))*time.Microsecond, func(*G) { timer.ran.Add(1) })
	switch r.IntN(3) {
	case 0:
		return
	case 1:
		g.Sleep(time.Duration(r.IntN(200)) * time.Microsecond)
	}
	timer.stopped = is.Stop()
	if is.Stop() {
		x.t.Error("a timer was stopped twice")
	}
}

// callsEachP has each P call a function, while others change how many there are.
func (x *stress) callsEachP(g *G, n int64, r *rand.Rand) {
	var calls [4]atomic.Int32
	g.ForEachP(func(p int) { calls[p].Add(1) })
	var saw [4]int32
	procs := 0
	for p := range calls {
		if saw[p] = calls[p].Load(); saw[p] == 1 && p == procs {
			procs++
		}
	}
	for p, n := range saw {
		if n != 0 && p >= procs || procs == 0 {
			x.t.Errorf("ForEachP: expected one call by each P from 0, saw %v", saw)
			break
		}
	}
}

// takesLock changes what a lock protects.
func (x *stress) takesLock(g *G, n int64, r *rand.Rand) {
	i := r.IntN(len(x.locks))
	x.locks[i].lock(g)
	x.held[i]++
	if r.IntN(4) == 0 {
		g.Yield()
	}
	x.locks[i].unlock(g)
	x.took.Add(1)
}

// pipes has another G write what this one reads. It waits for a time first, and then for as long as it takes.
func (x *stress) pipes(g *G, n int64, r *rand.Rand) {
	in, out, err := os.Pipe()
	if err != nil {
		x.t.Error(err)
		return
	}
	defer in.Close()
	from, err := x.s.Open(in)
	if err != nil {
		x.t.Error(err)
		return
	}
	wait := time.Duration(r.IntN(200)) * time.Microsecond
	g.Go(func(g *G) {
		defer out.Close()
		to, err := x.s.Open(out)
		if err != nil {
			x.t.Error(err)
			return
		}
		g.Sleep(wait)
		if err := writeAll(g, to, []byte("x")); err != nil {
			x.t.Error(err)
		}
		to.Close(g)
	})
	var b [2]byte
	by := time.Now().Add(100 * time.Microsecond)
	for range 2 {
		count, err := read(g, from, b[:], by)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			by = time.Time{}
			continue
		}
		if count != 1 || err != nil || b[0] != 'x' {
			x.t.Errorf("expected the byte that was written, saw %d bytes %q, %v", count, b[:count], err)
		}
		break
	}
	from.Close(g)
}

// drains waits until all has ended after CloseWithin.
func (x *stress) drains() {
	ended := make(chan struct{})
	go func() {
		x.s.ms.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		x.t.Fatalf("the Ms have not ended 20 seconds after Close: %v", x.s.Snapshot().Gs)
	}
	for began := time.Now(); ; time.Sleep(100 * time.Microsecond) {
		x.mu.Lock()
		stuck := int64(len(x.stuck))
		x.mu.Unlock()
		if x.ended.Load()+stuck == x.begun()+x.forever.Load() {
			return
		}
		if time.Since(began) > 10*time.Second {
			x.t.Fatalf("%d tasks have ended, and %d Gs that waited: %v", x.ended.Load(), stuck, x.s.Snapshot().Gs)
		}
	}
}

// judge looks at what came of it.
func (x *stress) judge(err error, c Config, whole, unfinished bool) {
	t := x.t
	begun := x.begun()
	for i := range begun {
		if n := x.tasks[i].ran.Load(); n != 1 {
			t.Errorf("task %d: expected it to run once, saw %d times", i, n)
		}
	}
	if begun == 0 {
		t.Error("expected tasks, saw none")
	}
	ended := x.ended.Load() + int64(len(x.stuck)) - x.forever.Load()
	if ended != begun {
		t.Errorf("expected %d tasks to end, saw %d", begun, ended)
	}
	for i, timer := range x.timers {
		if n := timer.ran.Load(); n == 1 == timer.stopped || n > 1 {
			t.Errorf("timer %d: stopped: %v, and has run %d times", i, timer.stopped, n)
		}
	}
	sum := 0
	for _, n := range x.held {
		sum += n
	}
	if int64(sum) != x.took.Load() {
		t.Errorf("locks were taken %d times, and %d were seen", x.took.Load(), sum)
	}
	if whole {
		for i := range x.did {
			if x.did[i].Load() == 0 {
				t.Errorf("nobody did %s", x.ops[i].name)
			}
		}
		if len(x.stuck) != int(x.forever.Load()) {
			t.Errorf("expected %d Gs to wait for ever, saw %q", x.forever.Load(), x.stuck)
		}
	}
	if !unfinished {
		x.judgeClose(err)
	}
	if err := x.s.Close(); err != ErrClosed {
		t.Errorf("second Close: expected ErrClosed, saw %v", err)
	}
	s := x.s
	if idle, spin, queued := int(s.npidle.Load()), s.nmspinning.Load(), s.global.Len(); idle != len(s.allp) || spin != 0 || queued != 0 || s.nmidle != 0 {
		t.Errorf("at the end %d of %d Ps are idle, %d Ms spin, %d sleep, %d Gs are queued", idle, len(s.allp), spin, s.nmidle, queued)
	}
	if t.Failed() {
		t.Logf("%+v; all ended before Close: %v; CloseWithin was too short: %v", c, whole, unfinished)
	}
}

// judgeClose holds what Close has returned against what happened: panics, and who waits for ever.
func (x *stress) judgeClose(err error) {
	var panics int64
	var waiting []string
	if all, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range all.Unwrap() {
			switch err := err.(type) {
			case *PanicError:
				panics++
			case *DeadlockError:
				for _, w := range err.Waiting {
					waiting = append(waiting, w.Reason)
				}
			default:
				x.t.Errorf("Close: %v", err)
			}
		}
	} else if err != nil {
		x.t.Errorf("Close: %v", err)
	}
	if expected := min(x.panics.Load(), mostErrors); panics != expected {
		x.t.Errorf("expected Close to report %d panics, saw %d", expected, panics)
	}
	slices.Sort(waiting)
	slices.Sort(x.stuck)
	if !slices.Equal(waiting, x.stuck) {
		x.t.Errorf("expected Close to report a deadlock of %q, saw %q", x.stuck, waiting)
	}
}
