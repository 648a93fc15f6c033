package strategy

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
)

// play has threads with so many operations each take turns as a chooser says. Picks is how many things each operation may do. It returns who went on, and what was done, in all executions.
func play(t *testing.T, c Chooser, most, picks int, sizes ...int) (all []string) {
	t.Helper()
	x := order.New()
	word := new(int64)
	for range most {
		x.Begin()
		var threads []*order.Thread
		for i := range sizes {
			th := &order.Thread{ID: x.IDOf(-1, i), Parent: -1, Nth: i}
			x.Start(th)
			threads = append(threads, th)
		}
		c.Begin(&x)
		said := ""
		for now := -1; ; {
			choice := Choice{Now: -1}
			for i, th := range threads {
				if int(th.Count) < sizes[i] {
					choice.Threads |= th.Bit()
				}
			}
			if choice.Threads == 0 {
				break
			}
			if now >= 0 && choice.Threads.Has(now) {
				choice.Now = now
			}
			n, err := c.Choose(&x, choice)
			if err != nil || n < 0 || !choice.Threads.Has(n) {
				t.Fatalf("behind %s: thread %d of %b, %v", said, n, choice.Threads, err)
			}
			said += string(rune('a' + n))
			if picks > 1 {
				k, err := c.Choose(&x, Choice{Now: n, Of: picks})
				if err != nil || k < 0 || k >= picks {
					t.Fatalf("behind %s: %d of %d things, %v", said, k, picks, err)
				}
				said += fmt.Sprint(k)
			}
			th := threads[n]
			th.Next.Kind, th.Next.Write = object.Store, true
			th.Next.Loc, _ = x.Locate(unsafe.Pointer(word))
			x.Add(th, &object.Op{}, true)
			now = n
		}
		all = append(all, said)
		if !c.End(&x) {
			break
		}
	}
	return all
}

// different returns how often each is there.
func different(all []string) map[string]int {
	n := make(map[string]int)
	for _, s := range all {
		n[s]++
	}
	return n
}

// preemptions counts the switches away from a thread that could go on.
func preemptions(said string, sizes ...int) (n int) {
	left := append([]int(nil), sizes...)
	for i := range said {
		left[said[i]-'a']--
		if i > 0 && said[i] != said[i-1] && left[said[i-1]-'a'] > 0 {
			n++
		}
	}
	return n
}

// TestDFS: each execution is run once, and with a bound those with so many preemptions.
func TestDFS(t *testing.T) {
	for _, sizes := range [][]int{{1}, {2, 2}, {3, 2}, {2, 2, 2}, {1, 1, 1, 1}} {
		all := play(t, &DFS{Bound: -1}, math.MaxInt, 0, sizes...)
		want, left := 1, 0
		for _, n := range sizes { // a multinomial coefficient
			for i := range n {
				left++
				want = want * left / (i + 1)
			}
		}
		if n := different(all); len(n) != want || len(all) != want {
			t.Errorf("%v: %d executions, %d different, want %d", sizes, len(all), len(n), want)
		}
		for bound := range 4 {
			d := &DFS{Bound: bound}
			some := different(play(t, d, math.MaxInt, 0, sizes...))
			within := 0
			for _, s := range all {
				if preemptions(s, sizes...) <= bound {
					if within++; some[s] != 1 {
						t.Errorf("%v, bound %d: %s was run %d times", sizes, bound, s, some[s])
					}
				}
			}
			if len(some) != within || !d.Done || d.Limited != (within < len(all)) {
				t.Errorf("%v, bound %d: %d executions, want %d; done %v, limited %v", sizes, bound, len(some), within, d.Done, d.Limited)
			}
		}
	}
	if n := different(play(t, &DFS{Bound: -1}, math.MaxInt, 3, 2, 1)); len(n) != 3*27 {
		t.Errorf("of three operations that may do three things: %d executions, want 81", len(n))
	}
}

// TestCannotRepeat: a thread that was chosen and cannot go on now is an error that names it.
func TestCannotRepeat(t *testing.T) {
	x := order.New()
	_, err := Repeat(&x, 1, Choice{Threads: 0b101})
	if e, ok := errors.AsType[*CannotRepeat](err); !ok || e.Thread != 1 || e.Step != 0 {
		t.Errorf("saw %v", err)
	}
	if _, err := RepeatPick(&x, 1, 2, Choice{Of: 2}); err == nil {
		t.Error("a thing that the operation cannot do now")
	}
}

// TestChance: the same seed gives the same executions, another seed others; each can come, and by Walk about as often.
func TestChance(t *testing.T) {
	for name, makes := range map[string]func(seed uint64) *Chance{
		"uniform": func(seed uint64) *Chance { return Uniform(seed, 1) }, "PCT": func(seed uint64) *Chance { return PCT(seed, 1, 4) },
		"walk": func(seed uint64) *Chance { return Walk(seed, 1) }, "turns": func(seed uint64) *Chance { return Turns(seed, 1) },
	} {
		run := func(seed uint64) []string {
			c := makes(seed)
			c.Executions = 3000
			return play(t, c, math.MaxInt, 0, 2, 2)
		}
		all := run(1)
		n := different(all)
		if len(all) != 3000 || len(n) != 6 {
			t.Errorf("%s: %d executions, %d different, want 3000 and 6", name, len(all), len(n))
		}
		if fmt.Sprint(all) != fmt.Sprint(run(1)) {
			t.Errorf("%s: the same seed gives others", name)
		}
		if fmt.Sprint(all) == fmt.Sprint(run(2)) {
			t.Errorf("%s: another seed gives the same", name)
		}
		for s, k := range n {
			if name == "walk" && (k < 350 || k > 650) { // of 500
				t.Errorf("walk: %s came %d times of 3000, want about 500", s, k)
			}
		}
	}
}

// TestScript: a thread goes on for a gap, and then another one is chosen by the next byte; after the last pair a thread goes on as long as it can.
func TestScript(t *testing.T) {
	for _, c := range []struct {
		bytes []byte
		want  string
	}{
		{nil, "aaabbbccc"},
		{[]byte{0, 0}, "aaabbbccc"}, // where no thread is at work, one is chosen at once
		{[]byte{1, 1}, "bbbaaaccc"},
		{[]byte{0, 0, 0, 0}, "aabbbaccc"},
		{[]byte{0, 2, 1, 1, 0, 0}, "cccbbaaab"},
	} {
		if got := play(t, &Script{Bytes: c.bytes}, 1, 0, 3, 3, 3); got[0] != c.want {
			t.Errorf("%v: %s, want %s", c.bytes, got[0], c.want)
		}
	}
	if got := play(t, First{}, 5, 0, 2, 1); len(got) != 1 || got[0] != "aab" {
		t.Errorf("the first that can go on: %v", got)
	}
}
