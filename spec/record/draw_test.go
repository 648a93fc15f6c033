package record

import (
	"fmt"
	"strings"

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
		GetMiss:  rapid.SampledFrom([]string{"", "beside-put"}).Draw(t, "get-miss"),
	}
	for p := range s.Ps {
		s.Threads = append(s.Threads, Thread{P: p})
	}
	if rapid.Bool().Draw(t, "thief") {
		s.Threads = append(s.Threads, Thread{P: None})
	}
	if s.Shared = rapid.Bool().Draw(t, "shared"); s.Shared && rapid.Bool().Draw(t, "owner") {
		s.Threads = append(s.Threads, Thread{P: 0})
	}
	ordered := rapid.Bool().Draw(t, "in order")
	if !ordered {
		s.Before, s.After = drawQuiet(t, &s), drawQuiet(t, &s)
	}
	var turns []int
	for i := range s.Threads {
		th := &s.Threads[i]
		th.Repeat = rapid.IntRange(0, 2).Draw(t, "repeat")
		for range rapid.IntRange(0, 4).Draw(t, "calls") {
			th.Script += drawInstr(t, &s, th.P).String() + rapid.SampledFrom([]string{"", " ", "\n"}).Draw(t, "blank")
		}
		for range s.Calls(i) {
			turns = append(turns, i)
		}
	}
	if ordered {
		s.Order = rapid.Permutation(turns).Draw(t, "order")
		s.Order = append([]int{}, s.Order[:rapid.IntRange(0, len(turns)).Draw(t, "turns")]...)
		s.Snapshot = rapid.Bool().Draw(t, "snapshot")
	}
	return s
}

// drawInstr draws a call of a thread that owns P p.
func drawInstr(t *rapid.T, s *Scenario, p int) Instr {
	k := rapid.SampledFrom(Kinds()).Draw(t, "kind")
	if p == None && k.Owner() || p != None && k.Steals() && s.Ps == 1 {
		k = Empty
	}
	in := Instr{Kind: k, Arg: -1}
	if k == PutBatch || k == GlobalGet {
		in.Arg = rapid.IntRange(-1, 3).Draw(t, "arg")
	}
	return in
}

// drawQuiet draws calls at a quiet moment.
func drawQuiet(t *rapid.T, s *Scenario) string {
	var parts []string
	for range rapid.IntRange(0, 3).Draw(t, "quiet") {
		n := rapid.IntRange(0, len(s.Threads)-1).Draw(t, "thread")
		part := fmt.Sprintf("T%d:", n)
		for range rapid.IntRange(1, 2).Draw(t, "calls") {
			part += drawInstr(t, s, s.Threads[n].P).String()
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " ")
}

// drawHistory draws what a target may answer: the calls are those of the
// scenario, their results are anything.
func drawHistory(t *rapid.T) *History {
	h := &History{Scenario: drawScenario(t), Clock: ClockCounter, Moves: rapid.Bool().Draw(t, "moves"), Capacity: rapid.IntRange(0, 5).Draw(t, "ring")}
	s := &h.Scenario
	scripts := asked(s)
	quiet := s.quietOrder()
	open := make([]int, len(s.Threads)) // 1 + the thread's call that has not returned
	last := make([]int, len(s.Threads)) // the part of its last call
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
		if len(quiet[0]) > 0 {
			return quiet[0][0], true
		}
		var able []int // threads whose script has not ended
		for _, n := range left {
			if c := &scripts[n]; open[n] > 0 || c.made < c.calls-len(c.parts[2]) {
				able = append(able, n)
			}
		}
		if len(able) == 0 {
			return quiet[1][0], true
		}
		return rapid.SampledFrom(able).Draw(t, "thread"), true
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
			made := c.made
			op := c.draw(t)
			op.Call = clock
			h.Ops = append(h.Ops, op)
			open[n] = len(h.Ops)
			last[n] = 1 // it may make room: the call itself is still to come
			if c.made > made {
				last[n] = c.partOf(made)
			}
			continue
		}
		op := &h.Ops[open[n]-1]
		open[n], op.Return = 0, clock
		if part := last[n]; part != 1 {
			quiet[part/2] = quiet[part/2][1:]
		}
		op.drawResult(t, s)
		if c := &scripts[n]; c.made == c.calls {
			left = without(left, n)
		}
	}
	return h
}

// partOf returns the part of the thread's n-th call.
func (c *script) partOf(n int) int {
	switch {
	case n < len(c.parts[0]):
		return 0
	case n < c.calls-len(c.parts[2]):
		return 1
	}
	return 2
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
	in := c.instr()
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
	case o.Kind == CloseQueue:
		o.OK = true
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
