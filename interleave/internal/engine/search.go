package engine

import (
	"math/rand/v2"
)

// dfs runs all executions with at most bound preemptions (switches away from a
// thread that could go on), with no reduction; a negative bound is none. With a
// small bound it finds most bugs, and finds them with the fewest switches.
type dfs struct {
	bound   int
	path    []fork
	limited bool // something was left out because of the bound
	done    bool
}

type fork struct {
	thread uint8
	left   threadSet // still to be tried
	used   int       // preemptions before this point
	now    int8
}

func (d *dfs) begin(s *scheduler) {
	s.fresh = max(0, len(d.path)-1)
	s.pairs = false
}

func (d *dfs) choose(s *scheduler, enabled threadSet, now int) int {
	at := len(s.events)
	if at < len(d.path) {
		return s.repeat(int(d.path[at].thread), enabled)
	}
	f := fork{now: int8(now)}
	if at > 0 {
		last := &d.path[at-1]
		f.used = last.used
		if last.now >= 0 && int(last.thread) != int(last.now) {
			f.used++
		}
	}
	t := prefer(enabled, now)
	f.thread = uint8(t)
	f.left = enabled &^ (1 << t)
	if d.bound >= 0 && now >= 0 && f.used >= d.bound {
		d.limited = d.limited || f.left != 0
		f.left = 0
	}
	d.path = append(d.path, f)
	return t
}

func (d *dfs) end(s *scheduler) bool {
	for len(d.path) > 0 {
		f := &d.path[len(d.path)-1]
		if f.left != 0 {
			t := f.left.first()
			f.left &^= 1 << t
			f.thread = uint8(t)
			return true
		}
		d.path = d.path[:len(d.path)-1]
	}
	d.done = true
	return false
}

// random chooses by chance.
type random struct {
	*rand.Rand
	word       uint64
	executions int // left
	walk       func(r *random, s *scheduler, enabled threadSet, now int) int
	priority   [MaxThreads]int
	change     []int // depths at which PCT lowers a priority
	length     int   // of the longest execution yet
	counts     [MaxThreads]int
	pct        int // d of PCT
}

func (r *random) begin(s *scheduler) {
	s.fresh = 0
	s.pairs = false
	r.length = max(r.length, s.longest, 1)
	if r.pct == 0 {
		return
	}
	for i := range r.priority {
		r.priority[i] = i + MaxThreads
	}
	r.Shuffle(s.width, func(i, j int) { r.priority[i], r.priority[j] = r.priority[j], r.priority[i] })
	r.change = r.change[:0]
	for range max(0, r.pct-1) {
		r.change = append(r.change, r.IntN(r.length))
	}
}

func (r *random) choose(s *scheduler, enabled threadSet, now int) int {
	return r.walk(r, s, enabled, now)
}

func (r *random) end(s *scheduler) bool {
	for _, t := range s.threads {
		r.counts[t.id] = max(r.counts[t.id], int(t.count))
	}
	r.executions--
	return r.executions > 0
}

// uniform gives each thread that can go on the same chance at each step. It does
// without Rand, which would be a sixth of the time of an execution.
func uniform(r *random, s *scheduler, enabled threadSet, now int) int {
	if enabled&(enabled-1) == 0 {
		return enabled.first()
	}
	r.word += 0x9e3779b97f4a7c15
	return enabled.nth(int(mix(r.word) >> 32 * uint64(enabled.size()) >> 32))
}

// pct is the scheduler of Burckhardt, Kothari, Musuvathi and Nagarakatte (ASPLOS
// 2010): the thread of the highest priority goes on; at d-1 steps drawn
// beforehand the one that is running gets the lowest of all.
func pct(r *random, s *scheduler, enabled threadSet, now int) int {
	for i, at := range r.change {
		if at == len(s.events) && now >= 0 {
			r.priority[now] = i
		}
	}
	best := enabled.first()
	for e := enabled & (enabled - 1); e != 0; e &= e - 1 {
		if t := e.first(); r.priority[t] > r.priority[best] {
			best = t
		}
	}
	return best
}

// walk gives each thread a chance in proportion to the steps that it probably
// has left, which makes all interleavings about equally likely (uniform random
// walk: Zhao, Wolff, Mathur and Roychoudhury, ASPLOS 2025).
func walk(r *random, s *scheduler, enabled threadSet, now int) int {
	sum := 0
	var left [MaxThreads]int
	for _, t := range s.threads {
		if enabled.has(t.id) {
			left[t.id] = max(1, r.counts[t.id]-int(t.count))
			sum += left[t.id]
		}
	}
	k := r.IntN(sum)
	for t := range MaxThreads {
		if k -= left[t]; k < 0 {
			return t
		}
	}
	return prefer(enabled, now)
}
