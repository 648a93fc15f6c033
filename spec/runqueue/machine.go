package runqueue

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/spindle-go/spindle/spec/explore"
)

// An action is a step, by its place in the list of their names, from 1.
type action uint8

const (
	idle action = iota
	putLoadNext
	putCASNext
	putLoadHead
	putWriteSlot
	putStoreTail
	putSlowCopy
	putSlowCASHead
	putSlowGlobal
	putBatchLoadHead
	putBatchWriteSlots
	putBatchStoreTail
	putRestGlobal
	globalPut
	globalGetBatch
	getLoadNext
	getCASNext
	getLoadHead
	getCASHead
	drainLoadNext
	drainCASNext
	drainLoadHead
	drainCASHead
	drainReadSlots
	grabLoadHead
	grabLoadTail
	grabCopySlot
	grabCASHead
	grabLoadNext
	grabCASNext
	stealLoadHead
	stealStoreTail
	emptyLoadHead
	emptyLoadTail
	emptyLoadNext
	emptyReloadTail
	lenLoadHead
	lenLoadTail
	lenLoadNext
)

var actionNames = []string{
	"PutLoadNext", "PutCASNext", "PutLoadHead", "PutWriteSlot", "PutStoreTail",
	"PutSlowCopy", "PutSlowCASHead", "PutSlowGlobal",
	"PutBatchLoadHead", "PutBatchWriteSlots", "PutBatchStoreTail", "PutRestGlobal",
	"GlobalPut", "GlobalGetBatch",
	"GetLoadNext", "GetCASNext", "GetLoadHead", "GetCASHead",
	"DrainLoadNext", "DrainCASNext", "DrainLoadHead", "DrainCASHead", "DrainReadSlots",
	"GrabLoadHead", "GrabLoadTail", "GrabCopySlot", "GrabCASHead", "GrabLoadNext", "GrabCASNext",
	"StealLoadHead", "StealStoreTail",
	"EmptyLoadHead", "EmptyLoadTail", "EmptyLoadNext", "EmptyReloadTail",
	"LenLoadHead", "LenLoadTail", "LenLoadNext",
}

// firstOf is the first step of each kind of call.
var firstOf = [...]action{
	None: idle, Put: putLoadHead, PutNext: putLoadNext, PutBatch: putBatchLoadHead, Get: getLoadNext,
	Steal: grabLoadHead, StealNext: grabLoadHead, Drain: drainLoadNext, Empty: emptyLoadHead,
	Len: lenLoadHead, GlobalPut: globalPut, GlobalGet: globalGetBatch,
}

// A Machine is the transition system of one configuration.
type Machine struct {
	config    Config
	ps        int
	cap, wrap uint8
	shares    int // gomaxprocs
	loner     [MaxPs]bool
	bugs      uint64
	scripts   [MaxPs][]call
	actors    []string
}

// A call is an Instr made ready.
type call struct {
	first action
	th    thread
	gs    uint16
}

var _ explore.Machine[State] = (*Machine)(nil)

// New returns the machine of c, or says what is wrong with c.
func New(c Config) (*Machine, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	set, err := bugSet(c.Bugs)
	if err != nil {
		return nil, err
	}
	m := &Machine{config: c, ps: c.Ps, cap: uint8(c.Capacity), wrap: uint8(c.Wrap), bugs: set}
	for _, p := range c.Loners {
		m.loner[p] = true
	}
	for p := range c.Ps {
		if !m.loner[p] {
			m.shares++
		}
		m.actors = append(m.actors, m.nameP(p))
	}
	for p, script := range c.Scripts {
		for _, in := range script {
			m.scripts[p] = append(m.scripts[p], m.ready(p, in))
		}
	}
	return m, nil
}

// ready is the call that p's thread makes of in. Whoever owns a P looks for work only
// when its own queue is empty, and gets until it is.
func (m *Machine) ready(p int, in Instr) call {
	k := call{first: firstOf[in.Op], th: thread{op: in.Op}}
	switch in.Op {
	case Steal, StealNext, Empty, Len:
		k.th.v = uint8(in.Victim + 1)
	}
	switch in.Op {
	case Steal, StealNext, GlobalGet:
		if !m.loner[p] && !m.bug(stealFull) {
			k.first = getLoadNext
		}
	}
	if in.Op == GlobalGet {
		k.th.n = uint8(min(in.Most, 255))
	}
	for _, g := range in.Gs {
		k.th.hand = k.th.hand.add(uint8(g))
	}
	k.gs = k.th.hand.set()
	return k
}

func (m *Machine) bug(b bug) bool { return m.bugs>>b&1 != 0 }

// Actions implements [explore.Machine].
func (m *Machine) Actions() []string { return actionNames }

// Actors implements [explore.Machine].
func (m *Machine) Actors() []string { return m.actors }

// Init implements [explore.Machine].
func (m *Machine) Init(out *explore.Successors[State]) {
	var s State
	for p := range m.ps {
		if !m.loner[p] {
			s.head[p], s.tail[p] = uint8(m.config.Start), uint8(m.config.Start)
		}
	}
	s.out = 1<<m.config.Gs - 1
	out.Add(0, 0, &s)
}

// Next implements [explore.Machine].
func (m *Machine) Next(s *State, out *explore.Successors[State]) {
	from := len(out.Edges())
	for p := range m.ps {
		switch c := &s.th[p]; {
		case c.pc != idle:
			m.step(out.Add(uint8(c.pc-1), uint8(p), s), p)
		case len(m.config.Free) > 0:
			for _, op := range m.config.Free[p] {
				m.atWill(s, p, op, out)
			}
		case int(c.at) < len(m.scripts[p]):
			k := &m.scripts[p][c.at]
			n := out.Add(uint8(k.first-1), uint8(p), s)
			at := c.at
			n.th[p] = k.th
			n.th[p].at, n.th[p].pc = at+1, k.first
			n.out &^= k.gs
			m.step(n, p)
		}
	}
	if m.config.Calls {
		for i := range out.Edges()[from:] {
			e := &out.Edges()[from+i]
			m.remember(s, &e.To, int(e.Step.Actor))
		}
	}
}

// atWill adds the calls of kind op that p's thread may begin.
func (m *Machine) atWill(s *State, p int, op Op, out *explore.Successors[State]) {
	begin := func(c thread, puts uint16) {
		first := firstOf[op]
		c.op, c.pc = op, first
		n := out.Add(uint8(first-1), uint8(p), s)
		n.th[p] = c
		n.out &^= c.hand.set()
		n.puts += puts
		m.step(n, p)
	}
	switch op {
	case Put, PutNext, GlobalPut:
		if int(s.puts) < m.config.MaxPuts {
			for rest := s.out; rest != 0; rest &= rest - 1 {
				begin(thread{hand: list(0).add(uint8(bits.TrailingZeros16(rest) + 1))}, 1)
			}
		}
	case PutBatch:
		if int(s.puts)+m.config.Batch <= m.config.MaxPuts {
			batches(s.out, m.config.Batch, 0, func(l list) { begin(thread{hand: l}, uint16(m.config.Batch)) })
		}
	case GlobalGet:
		begin(thread{n: uint8(m.config.Batch)}, 0)
	case Steal, StealNext, Empty, Len:
		if (op == Steal || op == StealNext) && s.head[p] != s.tail[p] && !m.bug(stealFull) {
			return // a thief's own ring is empty
		}
		for v := range m.ps {
			if v != p && !m.loner[v] {
				begin(thread{v: uint8(v + 1)}, 0)
			}
		}
	default:
		begin(thread{}, 0)
	}
}

// batches calls yield for each sequence of n different Gs of the set, behind l.
func batches(set uint16, n int, l list, yield func(list)) {
	if n == 0 {
		yield(l)
		return
	}
	for rest := set; rest != 0; rest &= rest - 1 {
		g := uint8(bits.TrailingZeros16(rest) + 1)
		batches(set&^bit(g), n-1, l.add(g), yield)
	}
}

// step makes the step of s that p's thread has come to.
func (m *Machine) step(s *State, p int) {
	c := &s.th[p]
	switch c.pc {
	case putLoadNext, putCASNext, putLoadHead, putWriteSlot, putStoreTail, putSlowCopy, putSlowCASHead, putSlowGlobal:
		m.put(s, c, p)
	case putBatchLoadHead, putBatchWriteSlots, putBatchStoreTail, putRestGlobal, globalPut, globalGetBatch:
		m.batch(s, c, p)
	case getLoadNext, getCASNext, getLoadHead, getCASHead:
		m.get(s, c, p)
	case drainLoadNext, drainCASNext, drainLoadHead, drainCASHead, drainReadSlots:
		m.drain(s, c, p)
	case grabLoadHead, grabLoadTail, grabCopySlot, grabCASHead, grabLoadNext, grabCASNext, stealLoadHead, stealStoreTail:
		m.steal(s, c, p)
	default:
		m.look(s, c)
	}
}

// done is what a thread knows when its call has returned.
func (c *thread) done() { *c = thread{at: c.at} }

func (m *Machine) nameP(p int) string {
	if m.config.Model {
		return fmt.Sprintf("p%d", p+1)
	}
	return fmt.Sprint(p + 1)
}

// String says which machine this is, for messages.
func (m *Machine) String() string {
	s := fmt.Sprintf("%d Ps, rings of %d, %d Gs", m.ps, m.cap, m.config.Gs)
	if len(m.config.Bugs) > 0 {
		s += ", " + strings.Join(m.config.Bugs, " and ")
	}
	return s
}
