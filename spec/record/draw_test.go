package record

import (
	"pgregory.net/rapid"
)

// drawScenario draws a scenario that passes its check.
func drawScenario(t *rapid.T) Scenario {
	s := Scenario{
		Name:     rapid.SampledFrom([]string{"plain", "", " blank", "a\nb", `"`, "ps: 3", "#", "é"}).Draw(t, "name"),
		Seed:     rapid.SampledFrom([]Seed{0, 1, 1<<64 - 1}).Draw(t, "seed"),
		Ps:       rapid.IntRange(1, 3).Draw(t, "ps"),
		Capacity: rapid.SampledFrom([]int{0, 2, 4}).Draw(t, "capacity"),
		Start:    rapid.SampledFrom([]uint32{0, 1<<32 - 1}).Draw(t, "start"),
	}
	for p := range s.Ps {
		s.Threads = append(s.Threads, Thread{P: p})
	}
	if rapid.Bool().Draw(t, "thief") {
		s.Threads = append(s.Threads, Thread{P: None})
	}
	var turns []int
	for i := range s.Threads {
		th := &s.Threads[i]
		th.Repeat = rapid.IntRange(0, 2).Draw(t, "repeat")
		for range rapid.IntRange(0, 4).Draw(t, "calls") {
			k := rapid.SampledFrom(Kinds()).Draw(t, "kind")
			if th.P == None && k.Owner() || th.P != None && k.Steals() && s.Ps == 1 {
				k = Empty
			}
			in := Instr{Kind: k, Arg: -1}
			if k == PutBatch || k == GlobalGet {
				in.Arg = rapid.IntRange(-1, 3).Draw(t, "arg")
			}
			th.Script += in.String() + rapid.SampledFrom([]string{"", " ", "\n"}).Draw(t, "blank")
		}
		for range s.Calls(i) {
			turns = append(turns, i)
		}
	}
	if rapid.Bool().Draw(t, "in order") {
		s.Order = rapid.Permutation(turns).Draw(t, "order")
		s.Order = append([]int{}, s.Order[:rapid.IntRange(0, len(turns)).Draw(t, "turns")]...)
		s.Snapshot = rapid.Bool().Draw(t, "snapshot")
	}
	return s
}

// drawHistory draws what a target may answer: the calls are those of the
// scenario, their results are anything.
func drawHistory(t *rapid.T) *History {
	h := &History{Scenario: drawScenario(t), Clock: ClockCounter, Moves: rapid.Bool().Draw(t, "moves"), Capacity: rapid.IntRange(0, 5).Draw(t, "ring")}
	s := &h.Scenario
	scripts := asked(s)
	open := make([]int, len(s.Threads)) // 1 + the thread's call that has not returned
	var left []int                      // threads with calls to make
	for i := range scripts {
		if scripts[i].calls > 0 {
			left = append(left, i)
		}
	}
	clock := int64(rapid.SampledFrom([]int{0, 1 << 61}).Draw(t, "clock"))
	most := rapid.SampledFrom([]int{3, 1 << 20}).Draw(t, "most") // turns: a run may be cut short
	turn := func() (int, bool) {
		if s.Order != nil {
			k := len(h.Ops)
			if k > 0 && h.Ops[k-1].Return == 0 {
				return s.Order[k-1], true
			}
			if k == len(s.Order) {
				return 0, false
			}
			return s.Order[k], true
		}
		if len(left) == 0 {
			return 0, false
		}
		return rapid.SampledFrom(left).Draw(t, "thread"), true
	}
	for range most {
		n, ok := turn()
		if !ok {
			if s.Order != nil || len(left) == 0 {
				h.Final = drawContents(t, s.Ps)
			}
			break
		}
		clock++
		if c := &scripts[n]; open[n] == 0 {
			op := c.draw(t)
			op.Call = clock
			h.Ops = append(h.Ops, op)
			open[n] = len(h.Ops)
			continue
		}
		op := &h.Ops[open[n]-1]
		open[n], op.Return = 0, clock
		op.drawResult(t, s)
		if c := &scripts[n]; c.made == c.calls {
			left = without(left, n)
		}
	}
	return h
}

func without(list []int, n int) []int {
	var rest []int
	for _, v := range list {
		if v != n {
			rest = append(rest, v)
		}
	}
	return rest
}

// draw draws the thread's next call, which may be a get that makes room.
func (c *script) draw(t *rapid.T) Op {
	in := c.instrs[c.made%len(c.instrs)]
	p := c.s.Threads[c.thread].P
	op := Op{Thread: c.thread, Kind: in.Kind, P: p, Thief: None}
	if c.mayMakeRoom(in) && !c.dry && rapid.Bool().Draw(t, "room") {
		op.Kind, c.dry = Get, true // one is enough here
		return op
	}
	c.dry = false
	c.made++
	switch {
	case in.Kind == GlobalPut:
		op.P = None
	case !in.Kind.Owner():
		op.P = c.s.Victim(c.thread, in)
	}
	if in.Kind.Steals() && rapid.Bool().Draw(t, "batch") {
		op.Thief = p
	}
	if in.Kind == GlobalGet {
		op.Want = max(1, in.Arg)
	}
	for range in.Gs() {
		op.In = append(op.In, c.id)
		c.id++
	}
	return op
}

// drawResult draws an answer, however wrong.
func (o *Op) drawResult(t *rapid.T, s *Scenario) {
	switch {
	case o.Kind == Empty:
		o.OK = rapid.Bool().Draw(t, "empty")
	case o.Kind == Len:
		o.Count, o.OK = rapid.IntRange(-2, 1<<40).Draw(t, "len"), true
	case o.Kind == GlobalPut:
		o.Count, o.OK = 1, true
	case o.Kind.Puts():
		o.Count = rapid.IntRange(0, len(o.In)).Draw(t, "accepted")
		o.OK = o.Count == len(o.In)
	case o.Kind == Drain:
		o.Out = drawIDs(t)
		o.OK = len(o.Out) > 0
	default:
		if o.OK = rapid.Bool().Draw(t, "found"); o.OK {
			o.Out = []ID{rapid.SampledFrom([]ID{0, 7, 1<<64 - 1}).Draw(t, "id")}
			o.FromRunnext = rapid.Bool().Draw(t, "next")
		}
	}
	for range rapid.IntRange(0, 2).Draw(t, "moves") {
		o.Moved = append(o.Moved, Move{drawPlace(t, s.Ps), drawPlace(t, s.Ps), append(drawIDs(t), 5)})
	}
	if s.Snapshot {
		c := drawContents(t, s.Ps)
		o.After = &c
	}
}

func drawIDs(t *rapid.T) (ids []ID) {
	for range rapid.IntRange(0, 3).Draw(t, "ids") {
		ids = append(ids, ID(rapid.IntRange(0, 20).Draw(t, "id")))
	}
	return ids
}

func drawPlace(t *rapid.T, ps int) Place {
	p := Place{rapid.SampledFrom([]Object{Ring, Runnext, Global}).Draw(t, "object"), rapid.IntRange(0, ps-1).Draw(t, "P")}
	if p.Object == Global {
		p.P = None
	}
	return p
}

func drawContents(t *rapid.T, ps int) Contents {
	c := Contents{Ps: make([]PContents, ps), Global: drawIDs(t)}
	for i := range c.Ps {
		c.Ps[i] = PContents{Runnext: ID(rapid.IntRange(0, 2).Draw(t, "runnext")), Ring: drawIDs(t)}
	}
	return c
}
