package interleave_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/internal/tier"
)

// A waits is a program.
type waits struct {
	name, says string
	body       func(*interleave.Exec)
}

// waiting are right programs that wait in ways that once looked like failures, with
// how their certificates begin.
var waiting = []waits{
	{"nine flags", "complete: ", func(x *interleave.Exec) {
		var flags [9]atomic.Bool
		x.Go("looks", func() {
			for {
				all := true
				for i := range flags {
					if !flags[i].Load() {
						all = false
					}
				}
				if all {
					return
				}
			}
		})
		x.Go("sets", func() {
			for i := range flags {
				flags[8-i].Store(true)
			}
		})
	}},
	{"threads end by runtime.Goexit", "complete: ", func(x *interleave.Exec) {
		x.Go("starts", func() {
			var wg sync.WaitGroup
			var mu sync.Mutex
			n := 0
			for range 2 {
				wg.Go(func() {
					mu.Lock()
					defer mu.Unlock()
					n++
					runtime.Goexit()
				})
			}
			wg.Wait()
			if n != 2 {
				x.Errorf("%d", n)
			}
			runtime.Goexit()
		})
	}},
	{"tries are counted, in an atomic", "complete up to repeated iterations: ", func(x *interleave.Exec) {
		var lock, tries atomic.Int32
		two(x, func() {
			for !lock.CompareAndSwap(0, 1) {
				tries.Add(1)
			}
		}, func() { lock.Store(0) })
	}},
	{"tries are counted, in a variable of their own", inDoubt, func(x *interleave.Exec) {
		var lock atomic.Int32
		var tries [2]int
		for i := range 2 {
			x.Go("", func() {
				for !lock.CompareAndSwap(0, 1) {
					tries[i]++
				}
				lock.Store(0)
			})
		}
	}},
	{"tries are counted, in a local variable", inDoubt, func(x *interleave.Exec) {
		var lock atomic.Int32
		for range 2 {
			x.Go("", func() {
				tries := 0
				for !lock.CompareAndSwap(0, 1) {
					tries++
				}
				lock.Store(0)
				if tries < 0 {
					x.Fatalf("%d tries", tries)
				}
			})
		}
	}},
	{"adds and takes back while it waits", "complete: ", func(x *interleave.Exec) {
		const bias = 1 << 20
		var lock atomic.Int32
		lock.Store(bias)
		data := 0
		x.Go("writer", func() {
			for !lock.CompareAndSwap(bias, 0) {
			}
			data++
			lock.Add(bias)
		})
		x.Go("reader", func() {
			for lock.Add(-1) < 0 {
				lock.Add(1)
			}
			_ = data
			lock.Add(1)
		})
	}},
	{"holds the lock at the head", "complete: ", func(x *interleave.Exec) {
		var mu sync.Mutex
		done := false
		x.Go("waits", func() {
			mu.Lock()
			for !done {
				mu.Unlock()
				mu.Lock()
			}
			mu.Unlock()
		})
		x.Go("does", func() {
			mu.Lock()
			done = true
			mu.Unlock()
		})
	}},
	{"spins, yields, then blocks", "complete: ", func(x *interleave.Exec) {
		var flag atomic.Bool
		var mu sync.Mutex
		mu.Lock()
		x.Go("waits", func() {
			for i := 0; i < 4; i++ {
				if flag.Load() {
					return
				}
			}
			for i := 0; i < 3; i++ {
				runtime.Gosched()
				if flag.Load() {
					return
				}
			}
			mu.Lock()
		})
		x.Go("wakes", func() { flag.Store(true); mu.Unlock() })
	}},
	{"yields until it is told", "complete: ", func(x *interleave.Exec) {
		var flag atomic.Bool
		x.Go("waits", func() {
			for !flag.Load() {
				for range 5 {
					runtime.Gosched()
				}
				flag.Load()
			}
		})
		x.Go("tells", func() { flag.Store(true) })
	}},
	{"looks under a lock", "complete: ", func(x *interleave.Exec) {
		var mu sync.Mutex
		done := false
		for _, name := range []string{"one", "two"} {
			x.Go(name, func() {
				for {
					mu.Lock()
					d := done
					mu.Unlock()
					if d {
						return
					}
				}
			})
		}
		x.Go("does", func() {
			mu.Lock()
			done = true
			mu.Unlock()
		})
	}},
	{"comes further by plain writes", "complete: ", func(x *interleave.Exec) {
		var mu sync.Mutex
		k := 0
		x.Go("counts", func() {
			for {
				mu.Lock()
				if k < 3 {
					k = k + 1
				}
				full := k == 3
				mu.Unlock()
				if full {
					return
				}
			}
		})
		x.Go("looks", func() {
			mu.Lock()
			_ = k
			mu.Unlock()
		})
	}},
	{"looks under a lock for readers", "complete: ", func(x *interleave.Exec) {
		var mu sync.RWMutex
		done := false
		for _, name := range []string{"one", "two"} {
			x.Go(name, func() {
				for {
					mu.RLock()
					d := done
					mu.RUnlock()
					if d {
						return
					}
				}
			})
		}
		x.Go("does", func() {
			mu.Lock()
			done = true
			mu.Unlock()
		})
	}},
	{"two meet under a lock", "complete: ", func(x *interleave.Exec) {
		var mu sync.Mutex
		away := 2
		both(x, func() {
			mu.Lock()
			defer mu.Unlock()
			away--
			for away > 0 {
				mu.Unlock()
				mu.Lock()
			}
		})
	}},
	{"two meet by methods", "complete: ", func(x *interleave.Exec) {
		c := &lockedCount{n: 2}
		both(x, func() {
			c.add(-1)
			for c.get() > 0 {
			}
		})
	}},
	{"two meet under a lock for readers", "complete: ", func(x *interleave.Exec) {
		var mu sync.RWMutex
		away := 2
		both(x, func() {
			mu.Lock()
			away--
			mu.Unlock()
			for {
				mu.RLock()
				n := away
				mu.RUnlock()
				if n == 0 {
					return
				}
			}
		})
	}},
	{"counts up and down, then looks", "complete: ", func(x *interleave.Exec) {
		c := new(lockedCount)
		both(x, func() {
			c.add(1)
			c.add(-1)
			for c.get() > 0 {
			}
		})
	}},
	{"takes tasks, then looks whether others work", "complete", func(x *interleave.Exec) {
		var mu sync.Mutex
		queue, active := 2, 0
		both(x, func() {
			mu.Lock()
			defer mu.Unlock()
			for {
				if queue > 0 {
					queue--
					active++
					mu.Unlock()
					mu.Lock()
					active--
					continue
				}
				if active == 0 {
					return
				}
				mu.Unlock()
				runtime.Gosched()
				mu.Lock()
			}
		})
	}},
	{"a counter of its own that it looks at now and then", inDoubt, func(x *interleave.Exec) {
		var flag, seen atomic.Int32
		n := 0
		x.Go("counts", func() {
			for flag.Load() == 0 {
				n++
				if seen.Load() == 0 && n > 3 {
					return
				}
			}
		})
		x.Go("sets", func() { seen.Store(1); flag.Store(1) })
	}},
	{"four calls of one helper", "complete: ", func(x *interleave.Exec) {
		var w atomic.Int32
		look := func() int32 { return w.Load() }
		x.Go("looks", func() {
			look()
			look()
			look()
			look()
			look()
			look()
		})
		x.Go("writes", func() { w.Store(1) })
	}},
	{"a shared pointer, a hundred times", "complete: ", func(x *interleave.Exec) {
		var p atomic.Pointer[int]
		p.Store(new(int))
		x.Go("reads", func() {
			for i := 0; i < 100; i++ {
				if p.Load() == nil {
					x.Fatalf("nil")
				}
			}
		})
		x.Go("writes", func() {
			for i := 0; i < 2; i++ {
				p.Store(new(int))
			}
		})
	}},
}

// inDoubt is said of a loop that counts its rounds: its state is another one each time.
const inDoubt = "explored all orders of what was seen: "

// TestWaiting: programs that wait are right.
func TestWaiting(t *testing.T) {
	var programs []func(*interleave.Exec)
	waiting := waiting
	if os.Getenv(unknown) != "" { // that a result is not looked at is read in the frames
		waiting = slices.DeleteFunc(slices.Clone(waiting), func(w waits) bool { return strings.HasPrefix(w.says, "complete up to") })
	}
	for _, w := range waiting {
		programs = append(programs, w.body)
	}
	for i, r := range explored(t, programs) {
		t.Logf("%s: %v", waiting[i].name, r.Certificate)
		if r.Failure != nil || !strings.HasPrefix(r.Certificate.String(), waiting[i].says) {
			t.Errorf("%s: %s", waiting[i].name, r.Text(""))
		}
	}
}

// unknown, if it is set, has nothing be known of the frames of functions.
const unknown = "SPINDLE_INTERNAL_UNKNOWN"

// TestWaitingUnknown: they are right, too, where it is not known what of a stack may still be read, as on platforms of which the machine code is not: what is left over there is cleared.
func TestWaitingUnknown(t *testing.T) {
	tier.OnlyFull(t)
	cmd := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-run=^(TestWaiting|TestRounds|TestRoundsChange)$", ".")
	cmd.Env = append(os.Environ(), unknown+"=1", "SPINDLE_TIER=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: to run it again: %s=1 go test -run '^TestWaiting$' ./interleave\n%s", err, unknown, out)
	}
}

// TestShadow: a thread that would be held back makes its round once more, alone, and comes back to where it was.
func TestShadow(t *testing.T) {
	tier.OnlyFull(t)
	counts := filepath.Join(t.TempDir(), "counts")
	cmd := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-run=^(TestWaiting|TestRoundsChange|TestRangeGoesOn)$", ".")
	cmd.Env = append(os.Environ(), "SPINDLE_INTERNAL_SHADOW="+counts, "SPINDLE_TIER=", "GODEBUG=invalidptr=0") // what is left over in stacks may look like a pointer
	out, _ := cmd.CombinedOutput()                                                                             // searches by chance are not complete
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "shadow round") {
			t.Errorf("%s", strings.TrimSpace(line))
		}
	}
	text, err := os.ReadFile(counts)
	rounds := 0
	for _, n := range strings.Fields(string(text)) {
		k, _ := strconv.Atoi(n)
		rounds += k
	}
	if t.Logf("%d shadow rounds", rounds); err != nil || rounds < 100 {
		t.Errorf("expected a hundred shadow rounds at least, saw %d, %v\n%.1000s", rounds, err, out)
	}
}

// TestShadowSees: with the writes of a program hidden from what rounds of loops are told, shadow rounds see that memory has changed.
func TestShadowSees(t *testing.T) {
	tier.OnlyFull(t)
	cmd := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-v", "-run=^TestHidden$", ".")
	cmd.Env = append(os.Environ(), "SPINDLE_INTERNAL_SHADOW="+filepath.Join(t.TempDir(), "counts"), "SPINDLE_INTERNAL_HIDE=1", "SPINDLE_TIER=", "GODEBUG=invalidptr=0")
	out, err := cmd.CombinedOutput()
	if t.Logf("%s", out); err != nil || !strings.Contains(string(out), "--- PASS: TestHidden") {
		t.Error(err)
	}
}

// TestHidden is of TestShadowSees: it explores the programs of TestRoundsChange.
func TestHidden(t *testing.T) {
	if os.Getenv("SPINDLE_INTERNAL_HIDE") == "" {
		t.Skip("it is of TestShadowSees")
	}
	payload, err := harness.Remote(t, func() ([]byte, error) {
		var all []string
		for _, c := range changes {
			_, err := interleave.Explore(func(x *interleave.Exec) {
				w := newWorld()
				x.Go("goes round", func() {
					for !w.f.Load() {
						c.step(w)
					}
				})
				x.Go("ends it", func() { w.f.Store(true) })
			})
			all = append(all, fmt.Sprint(err))
		}
		return json.Marshal(all)
	})
	if err != nil || payload == nil {
		t.Fatal(err)
	}
	var all []string
	if err := json.Unmarshal(payload, &all); err != nil {
		t.Fatal(err)
	}
	// What these change, the standard library writes, or an operation does: that is not hidden.
	others := []string{"reflect map", "channel", "rand", "builder", "sync map", "atomic value", "lock handed", "read of a file", "sort"}
	for i, text := range all {
		if want := !slices.Contains(others, changes[i].name); strings.Contains(text, "shadow round: ") != want {
			t.Errorf("%s: expected that a shadow round sees it: %v, saw %s", changes[i].name, want, text)
		}
	}
}

// both starts two threads that do the same.
func both(x *interleave.Exec, f func()) {
	x.Go("one", f)
	x.Go("two", f)
}

type lockedCount struct {
	mu sync.Mutex
	n  int
}

func (c *lockedCount) get() int  { c.mu.Lock(); defer c.mu.Unlock(); return c.n }
func (c *lockedCount) add(d int) { c.mu.Lock(); defer c.mu.Unlock(); c.n += d }

// TestOwnBound: the bound of steps keeps a thread back until others have ended. Where the
// reduction then has it go on before them, that is no difference of the program. Nor is it
// complete: what a thread that was kept back does in the end is seen in one order alone.
func TestOwnBound(t *testing.T) {
	program := func(x *interleave.Exec) {
		var mu sync.Mutex
		n := 0
		x.Go("long", func() {
			for i := 0; i < 22; i++ {
				mu.Lock()
				n += i
				mu.Unlock()
			}
		})
		x.Go("short", func() {
			mu.Lock()
			n++
			mu.Unlock()
		})
	}
	for _, r := range explored(t, []func(*interleave.Exec){program}, interleave.Steps(30)) {
		if got := r.Certificate.String(); r.Failure != nil || !strings.HasPrefix(got, "not complete (something was cut): ") || !strings.Contains(got, " cut at 30 steps") {
			t.Errorf("expected that executions were cut at 30 steps; saw %s", r.Text(""))
		}
	}
}
