package strategy

import (
	"math/rand/v2"

	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
)

// Chance chooses by chance, Executions times.
type Chance struct {
	Executions int // left
	// Length is how many steps the longest execution yet has.
	Length int

	rand     *rand.Rand
	choose   func(r *Chance, x *order.Execution, c Choice) int
	word     uint64
	depth    int // of PCT
	priority [order.MaxThreads]int
	lowest   int   // priority that somebody has
	change   []int // steps at which PCT lowers a priority
	left     int   // steps of the turn that goes on, of Turns
	counts   [order.MaxThreads]int
}

// Uniform gives each thread that can go on the same chance at each step.
func Uniform(seed, stream uint64) *Chance {
	r := &Chance{rand: rand.New(rand.NewPCG(seed, stream)), choose: uniform}
	r.word = r.rand.Uint64()
	return r
}

// PCT is the scheduler of Burckhardt, Kothari, Musuvathi and Nagarakatte (ASPLOS
// 2010): the thread of the highest priority goes on; at depth-1 steps drawn
// beforehand the one that is running gets the lowest of all. So does one that calls
// Gosched.
func PCT(seed, stream uint64, depth int) *Chance {
	return &Chance{rand: rand.New(rand.NewPCG(seed, stream)), choose: pct, depth: depth}
}

// Walk gives each thread a chance in proportion to the steps that it probably
// has left, which makes all interleavings about equally likely (uniform random
// walk: Zhao, Wolff, Mathur and Roychoudhury, ASPLOS 2025).
func Walk(seed, stream uint64) *Chance {
	return &Chance{rand: rand.New(rand.NewPCG(seed, stream)), choose: walk}
}

// Turns has a thread go on for a while before another one has its turn. The bound of each turn is drawn from 1, 2, 4 and so on up
// to 64 steps, and its length from 1 to that bound. So several threads stand still at once, at any place, while others go far. That is
// rare with PCT, which switches seldom, and with Uniform, which may switch at each step.
func Turns(seed, stream uint64) *Chance {
	return &Chance{rand: rand.New(rand.NewPCG(seed, stream)), choose: turns}
}

// Begin is of Chooser.
func (r *Chance) Begin(x *order.Execution) {
	x.Fresh, x.Pairs = 0, false
	r.Length, r.left = max(r.Length, 1), 0
	if r.depth == 0 {
		return
	}
	for i := range r.priority {
		r.priority[i] = i + order.MaxThreads
	}
	r.rand.Shuffle(x.Width, func(i, j int) { r.priority[i], r.priority[j] = r.priority[j], r.priority[i] })
	r.lowest = 0
	r.change = r.change[:0]
	for range max(0, r.depth-1) {
		r.change = append(r.change, r.rand.IntN(r.Length))
	}
}

// Choose is of Chooser.
func (r *Chance) Choose(x *order.Execution, c Choice) (int, error) {
	if c.Of > 0 {
		return r.rand.IntN(c.Of), nil
	}
	return r.choose(r, x, c), nil
}

// End is of Chooser.
func (r *Chance) End(x *order.Execution) bool {
	r.Length = max(r.Length, len(x.Events))
	for id, t := range x.Threads[:x.Width] {
		if t != nil {
			r.counts[id] = max(r.counts[id], int(t.Count))
		}
	}
	r.Executions--
	return r.Executions > 0
}

// uniform does without rand.Rand, which would be a sixth of the time of an
// execution.
func uniform(r *Chance, _ *order.Execution, c Choice) int {
	if c.Threads&(c.Threads-1) == 0 {
		return c.Threads.First()
	}
	r.word += 0x9e3779b97f4a7c15
	return c.Threads.Nth(int(order.Mix(r.word) >> 32 * uint64(c.Threads.Size()) >> 32))
}

func pct(r *Chance, x *order.Execution, c Choice) int {
	at := len(x.Events)
	for i, change := range r.change {
		if change == at && c.Now >= 0 {
			r.priority[c.Now] = i
		}
	}
	if at > 0 {
		if e := &x.Events[at-1]; e.Kind == object.Gosched {
			r.lowest--
			r.priority[e.Thread] = r.lowest
		}
	}
	best := c.Threads.First()
	for e := c.Threads & (c.Threads - 1); e != 0; e &= e - 1 {
		if t := e.First(); r.priority[t] > r.priority[best] {
			best = t
		}
	}
	return best
}

func walk(r *Chance, x *order.Execution, c Choice) int {
	sum := 0
	var left [order.MaxThreads]int
	for e := c.Threads; e != 0; e &= e - 1 {
		t := e.First()
		left[t] = max(1, r.counts[t]-int(x.Threads[t].Count))
		sum += left[t]
	}
	k := r.rand.IntN(sum)
	for t := range left {
		if k -= left[t]; k < 0 {
			return t
		}
	}
	return c.Threads.Prefer(c.Now)
}

// longestTurn is the base-2 logarithm of the steps of the longest turn.
const longestTurn = 6

func turns(r *Chance, _ *order.Execution, c Choice) int {
	if r.left > 0 && c.Now >= 0 {
		r.left--
		return c.Now
	}
	others := c.Threads
	if c.Now >= 0 && others.Size() > 1 {
		others &^= 1 << c.Now
	}
	r.left = r.rand.IntN(1 << r.rand.IntN(longestTurn+1))
	return others.Nth(r.rand.IntN(others.Size()))
}
