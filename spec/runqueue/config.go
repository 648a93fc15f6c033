// Package runqueue is the machine of tla/RunQueue.tla in Go: the run queue of a P,
// one step for each atomic access, with the same variables, actions and damages.
//
// Both have the same state graph, which a test compares. The module has the
// comments on the protocol; here are those on how a state is kept small.
//
//interleave:off
package runqueue

import (
	"fmt"
	"math/bits"
)

// The largest configuration that a State has room for.
const (
	MaxPs       = 4
	MaxCapacity = 8
	MaxGs       = 15
)

const maxScript = 250 // calls of a thread

// A Config is what the constants of the module are.
type Config struct {
	Ps       int   // also the threads: thread i owns P i
	Gs       int   // numbered from 1
	Loners   []int // the threads that own no P of the set
	Capacity int   // of each ring: 2, 4 or 8
	Wrap     int   // where indices wrap: a multiple of the capacity, more Gs than are put
	Start    int   // the indices at the start
	MaxPuts  int   // how many Gs the calls at will hand in, together
	Batch    int   // how many of them a batch put brings, and a batch get asks for
	Scripts  [][]Instr
	Free     [][]Op   // of each thread the calls that it makes at will; with none they have scripts
	Bugs     []string // what is damaged, see Bugs
	Calls    bool     // with the history that the promises of answers need
	Model    bool     // threads and Gs are model values in TLA+: states show their names
}

// An Op is a kind of call.
type Op uint8

// The kinds of calls, by their names in the module.
const (
	None Op = iota
	Put
	PutNext
	PutBatch
	Get
	Steal
	StealNext
	Drain
	Empty
	Len
	GlobalPut
	GlobalGet
)

var opNames = []string{"none", "put", "putnext", "putbatch", "get", "steal", "stealnext", "drain", "empty", "len", "gput", "gget"}

// String returns the kind's name in the module.
func (o Op) String() string { return opNames[o] }

// An Instr is a call of a script.
type Instr struct {
	Op     Op
	Gs     []int // what is handed in
	Victim int   // whose queue it is about, where that is not the thread's own
	Most   int   // how many a batch get asks for
}

// check says what is wrong with c, or nil.
func (c *Config) check() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("runqueue: "+format, args...)
	}
	switch {
	case c.Ps < 1 || c.Ps > MaxPs:
		return bad("expected 1 to %d Ps, saw %d", MaxPs, c.Ps)
	case c.Gs < 1 || c.Gs > MaxGs:
		return bad("expected 1 to %d Gs, saw %d", MaxGs, c.Gs)
	case c.Capacity < 2 || c.Capacity > MaxCapacity || bits.OnesCount(uint(c.Capacity)) != 1:
		return bad("capacity: expected 2, 4 or 8, saw %d", c.Capacity)
	case c.Wrap <= c.Capacity || c.Wrap%c.Capacity != 0 || c.Wrap > 128:
		return bad("expected indices that wrap at a multiple of the capacity %d above it, at most 128, saw %d", c.Capacity, c.Wrap)
	case c.Start < 0 || c.Start >= c.Wrap:
		return bad("start: expected 0 to %d, saw %d", c.Wrap-1, c.Start)
	case c.MaxPuts < 0 || c.MaxPuts > 1<<15:
		return bad("expected 0 to 32768 puts, saw %d", c.MaxPuts)
	case c.Batch > maxList || len(c.Free) > 0 && c.Batch < 1:
		return bad("expected batches of 1 to %d, saw %d", maxList, c.Batch)
	case len(c.Free)+len(c.Scripts) != c.Ps:
		return bad("%d scripts and %d sets of calls at will for %d threads", len(c.Scripts), len(c.Free), c.Ps)
	case len(c.Free) > 0 && len(c.Scripts) > 0:
		return bad("scripts and calls at will")
	case len(c.Loners) >= c.Ps:
		return bad("no thread owns a P")
	}
	for _, p := range c.Loners {
		if p < 0 || p >= c.Ps {
			return bad("thread %d of %d owns no P", p, c.Ps)
		}
	}
	drains := false
	for t, ops := range c.Free {
		for _, op := range ops {
			if op <= None || op > GlobalGet {
				return bad("thread %d: no such kind of call: %d", t, op)
			}
			drains = drains || op == Drain
		}
	}
	for t, script := range c.Scripts {
		if len(script) > maxScript {
			return bad("thread %d: expected at most %d calls, saw %d", t, maxScript, len(script))
		}
		for _, in := range script {
			drains = drains || in.Op == Drain
			if err := c.checkInstr(t, in); err != nil {
				return err
			}
		}
	}
	if drains && c.Capacity > 4 {
		return bad("expected drains of a ring of at most 4, saw %d", c.Capacity)
	}
	return nil
}

func (c *Config) checkInstr(t int, in Instr) error {
	want := 0
	switch in.Op {
	case Put, PutNext, GlobalPut:
		want = 1
	case PutBatch:
		want = max(1, min(len(in.Gs), maxList))
	case None:
		return fmt.Errorf("runqueue: thread %d: a call of no kind", t)
	}
	if in.Op > GlobalGet || len(in.Gs) != want {
		return fmt.Errorf("runqueue: thread %d: expected %v of %d Gs, saw %d", t, in.Op, want, len(in.Gs))
	}
	for _, g := range in.Gs {
		if g < 1 || g > c.Gs {
			return fmt.Errorf("runqueue: thread %d: G %d of %d", t, g, c.Gs)
		}
	}
	if in.Victim < 0 || in.Victim >= c.Ps {
		return fmt.Errorf("runqueue: thread %d: P %d of %d", t, in.Victim, c.Ps)
	}
	return nil
}
