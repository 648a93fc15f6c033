package schedule

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/strategy"
	"github.com/spindle-go/spindle/spec/record"
)

// run has threads of so many steps each go on as a chooser says, once.
func run(x *order.Execution, steps []int, c strategy.Chooser) {
	x.Begin()
	c.Begin(x)
	var word int64
	var threads []*order.Thread
	for i := range steps {
		t := &order.Thread{ID: x.IDOf(-1, i), Parent: -1, Nth: i}
		x.Start(t)
		threads = append(threads, t)
	}
	now := -1
	for {
		var enabled order.ThreadSet
		for i, t := range threads {
			if int(t.Count) < steps[i] {
				enabled |= t.Bit()
			}
		}
		if enabled == 0 {
			return
		}
		if now >= 0 && !enabled.Has(now) {
			now = -1
		}
		now, _ = c.Choose(x, strategy.Choice{Threads: enabled, Now: now})
		loc, _ := x.Locate(unsafe.Pointer(&word))
		threads[now].Next = order.Next{Kind: object.Store, Write: true, Loc: loc}
		x.Add(threads[now], &object.Op{}, true)
	}
}

// drawn chooses at random.
type drawn struct{ r *rand.Rand }

func (d drawn) Begin(*order.Execution)    {}
func (d drawn) End(*order.Execution) bool { return false }
func (d drawn) Choose(_ *order.Execution, c strategy.Choice) (int, error) {
	for {
		if n := d.r.IntN(4); c.Threads.Has(n) {
			return n, nil
		}
	}
}

// threadsOf are the threads of the steps of an execution.
func threadsOf(x *order.Execution) (all []uint8) {
	for i := range x.Events {
		all = append(all, x.Events[i].Thread)
	}
	return all
}

// asked is a program of which no thread comes.
type asked struct{}

func (asked) Comes(int) bool    { return false }
func (asked) WhyNot(int) string { return "cannot" }

// TestRoundTrip: an execution, its schedule, and the execution that follows it.
func TestRoundTrip(t *testing.T) {
	first, err := record.SeedFromEnv(1)
	if err != nil {
		t.Fatal(err)
	}
	x := order.New()
	for n := range 500 {
		r := rand.New(rand.NewPCG(uint64(first)+uint64(n), 23))
		steps := []int{1 + r.IntN(4), r.IntN(5), r.IntN(5)}
		run(&x, steps, drawn{r})
		text, want := Of(&x), threadsOf(&x)
		turns, err := Parse(text)
		if err != nil {
			t.Fatalf("SPINDLE_SEED=%d: %v", uint64(first)+uint64(n), err)
		}
		p := &Replay{Program: asked{}, Turns: turns}
		run(&x, steps, p)
		p.End(&x)
		if saw := threadsOf(&x); !slices.Equal(saw, want) || Of(&x) != text || p.Diverged != "" {
			t.Fatalf("SPINDLE_SEED=%d: %s: expected %v, saw %v, %s %s", uint64(first)+uint64(n), text, want, saw, Of(&x), p.Diverged)
		}
	}
}

// TestParse: what is no schedule, and where a program does not follow one.
func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"x": `"x" is no switch`, "0": `"0" is no switch`, "0a.": `"" is no switch`, "0a.0b": "does not come after step 0", "3a.2b": "does not come after step 3",
		"0a=": `"0a=" is no switch`, "0a=-1": `"0a=-1" is no switch`, "0a0": `"0a0" is no switch`,
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: expected an error with %q, saw %v", text, want, err)
		}
	}
	for _, text := range []string{"", Empty} {
		if turns, err := Parse(text); len(turns) != 0 || err != nil {
			t.Errorf("%q: expected none, saw %v, %v", text, turns, err)
		}
	}
	x := order.New()
	for text, want := range map[string]string{"0a.2b": "", "0a.1c": "has thread c go on, which cannot", "0a.9b": "it has a switch at step 9, and the execution ended after 4 steps"} {
		turns, _ := Parse(text)
		r := &Replay{Program: asked{}, Turns: turns}
		run(&x, []int{2, 2}, r)
		r.End(&x)
		if want == "" && r.Diverged != "" || !strings.Contains(r.Diverged, want) {
			t.Errorf("%s: expected %q, saw %q", text, want, r.Diverged)
		}
	}
}

// TestShrinking: of executions that fail, one with as few switches as there can be is found, and it fails.
func TestShrinking(t *testing.T) {
	// A thread b goes on behind the first step of a, and before its last.
	between := func(all []uint8) bool {
		return slices.Contains(all, 0) && slices.Index(all, 1) > slices.Index(all, 0) && slices.Index(all, 1) < len(all)-1-slices.Index(reversed(all), 0)
	}
	x := order.New()
	shrunk := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 29))
		steps := []int{2 + r.IntN(4), 1 + r.IntN(4), r.IntN(5)}
		run(&x, steps, drawn{r})
		if !between(threadsOf(&x)) {
			continue
		}
		turns, _ := Parse(Of(&x))
		best := threadsOf(&x)
		h := &Shrinking{Turns: turns, Steps: len(x.Events), Worth: len(Segments(&x)) - 1}
		h.Fails = func() bool { return between(threadsOf(&x)) }
		h.Better = func() { best = threadsOf(&x) }
		for more := true; more; more = h.End(&x) {
			run(&x, steps, h)
		}
		switches := 0
		for i := range best[1:] {
			if best[i] != best[i+1] {
				switches++
			}
		}
		want := 2
		if steps[2] > 0 {
			want++ // the third thread, at the end
		}
		if !between(best) || switches > want || switches != h.Worth {
			t.Fatalf("seed %d: expected at most %d switches, saw %d, %d in %v of %v", seed, want, switches, h.Worth, best, turns)
		}
		shrunk++
	}
	if shrunk < 100 {
		t.Errorf("expected a hundred that fail, saw %d", shrunk)
	}
}

func reversed(all []uint8) []uint8 {
	all = slices.Clone(all)
	slices.Reverse(all)
	return all
}
