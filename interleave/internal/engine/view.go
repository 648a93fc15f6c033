package engine

// A View is an execution that has just ended. It is valid until the next.
type View struct{ s *scheduler }

// Failure returns what is wrong with it, or nil.
func (v *View) Failure() *Failure {
	if v.s.failure != nil {
		v.s.measure()
	}
	return v.s.failure
}

// Waits reports whether the execution ended with a thread held back in a loop that
// could go on: what it leads to is in another execution.
func (v *View) Waits() bool { return v.s.blockedNow }

// A Step is a carried-out operation.
type Step struct {
	Thread  int  // index into Threads
	Kind    Kind // what it did
	Object  int  // numbered in the order of first use, -1 for none
	Site    Site
	Read    uint64
	Wrote   uint64
	Changed bool
	Pointer bool // Read and Wrote are names of pointers, in the order of their appearance, 0 for nil
}

// Steps returns what was done, in order.
func (v *View) Steps() []Step {
	steps := make([]Step, len(v.s.events))
	names := map[uint64]uint64{0: 0}
	name := func(p uint64) uint64 {
		n, ok := names[p]
		if !ok {
			n = uint64(len(names))
			names[p] = n
		}
		return n
	}
	for i, e := range v.s.events {
		steps[i] = Step{int(e.thread), e.kind, int(e.loc), e.site, e.read, e.wrote, e.write, e.pointer}
		if e.pointer {
			steps[i].Read, steps[i].Wrote = name(e.read), name(e.wrote)
		}
	}
	return steps
}

// Threads returns the names of the threads by their numbers; "" is none.
func (v *View) Threads() []string {
	var names []string
	for _, t := range v.s.threads {
		for len(names) <= t.id {
			names = append(names, "")
		}
		names[t.id] = t.name
	}
	return names
}

// Schedule returns the schedule that replays it.
func (v *View) Schedule() string { return v.s.schedule() }

// Class returns a number that is the same for all executions of a class, and
// different, but for a chance of 2^-64, for others.
func (v *View) Class() uint64 {
	s := v.s
	// Threads by who made them: their numbers are of this exploration alone.
	var name [MaxThreads]uint64
	for _, t := range s.threads { // parents come first
		name[t.id] = mix(uint64(t.nth + 2))
		if t.owner != nil {
			name[t.id] = 1
		}
		if t.parent >= 0 {
			name[t.id] = mix(name[t.id] ^ mix(name[t.parent]))
		}
	}
	var sum uint64
	for i := range s.events {
		e := &s.events[i]
		var past uint64
		for t, n := range s.clocks[i][:s.width] {
			if n != 0 {
				past += mix(name[t]*31 + mix(uint64(n)))
			}
		}
		sum += mix(past + mix(name[e.thread]+uint64(e.kind)))
	}
	return sum
}

func mix(h uint64) uint64 {
	h ^= h >> 31
	h *= 0x9e3779b97f4a7c15
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9
	return h ^ h>>32
}
