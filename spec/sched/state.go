package sched

import (
	"math/bits"
	"strconv"
	"strings"
)

// A State is one state of the machine. Its bytes are its identity, so it has no
// padding. The variables have their names in the module; those that are there for
// each M are in threads. An M is numbered from 1 where 0 is none.
type State struct {
	ms         [MaxMs]thread
	ring       [MaxPs]int8 // P p's is at p-1
	runq       int8
	blocked    int8
	nmspinning int8
	npidle     int8
	netgs      int8
	netready   int8
	netwaiters int8
	lock       uint8 // an M
	poller     uint8 // an M
	sema       uint8 // stopping, foreach, of whom one is none, and pollUntil, from below
	told       uint8 // needspinning, brk, polled, sysmonwait, late and extra, from below
	pidle      pset
	procs      pset
	next       pset // the Ps whose runnext is filled
	stopped    pset
	safefn     pset
	later      pset // the Ps whose tim is 1
	due        pset // the Ps whose tim is 2
	far        pset // the Ps whose timer is for the later of the two deadlines
	seen       pset
}

func (s *State) stopping() uint8          { return s.sema & 7 }
func (s *State) putStopping(m uint8)      { s.sema = s.sema&^7 | m }
func (s *State) foreach() uint8           { return s.sema >> 3 & 7 }
func (s *State) putForeach(m uint8)       { s.sema = s.sema&^(7<<3) | m<<3 }
func (s *State) pollUntil() deadline      { return deadline(s.sema >> 6) }
func (s *State) putPollUntil(to deadline) { s.sema = s.sema&63 | uint8(to)<<6 }

func (s *State) needspinning() bool      { return s.told&1 != 0 }
func (s *State) putNeedspinning(on bool) { s.told = s.told&^1 | b2i(on) }
func (s *State) brk() bool               { return s.told&2 != 0 }
func (s *State) putBrk(on bool)          { s.told = s.told&^2 | b2i(on)<<1 }
func (s *State) polled() bool            { return s.told&4 != 0 }
func (s *State) putPolled(on bool)       { s.told = s.told&^4 | b2i(on)<<2 }

// sysmonwait is whether sysmon is in its deep sleep.
func (s *State) sysmonwait() bool      { return s.told&8 != 0 }
func (s *State) putSysmonwait(on bool) { s.told = s.told&^8 | b2i(on)<<3 }

// late is the clock of a Clock, which no other machine moves.
func (s *State) late() uint8     { return s.told >> 4 & 3 }
func (s *State) putLate(n uint8) { s.told = s.told&^(3<<4) | n<<4 }

func (s *State) extra() uint8     { return s.told >> 6 }
func (s *State) putExtra(n uint8) { s.told = s.told&63 | n<<6 }

// A thread is what there is of each M. It fits a word.
type thread struct {
	pc     place
	ret    place
	myp    uint8 // a P from 1, or 0
	cand   uint8 // a P from 1, or 0
	todo   pset
	nums   uint8 // num, which a bug makes negative, and pollUntil above it
	counts uint8 // cnt, delta above it, and lk above that
	flags  flags // nextp, a P from 1 or 0, and those that are true or false above it
}

// flags are those of a thread's variables that are true or false.
type flags uint8

const (
	spin flags = 1 << (3 + iota)
	tok        // whether it counted a spinning M that is not there yet
	sb         // whether a store is in its store buffer
	was        // whether it spun before it dropped its P

	nextpMask flags = 7
)

func (t *thread) has(f flags) bool { return t.flags&f != 0 }

// put is what f becomes in the next state.
func (t *thread) put(f flags, on bool) {
	t.flags &^= f
	if on {
		t.flags |= f
	}
}

func (t *thread) nextp() uint8     { return uint8(t.flags & nextpMask) }
func (t *thread) putNextp(p uint8) { t.flags = t.flags&^nextpMask | flags(p) }
func (t *thread) num() int8        { return int8(t.nums<<2) >> 2 }
func (t *thread) putNum(n int8)    { t.nums = t.nums&^63 | uint8(n)&63 }
func (t *thread) cnt() int8        { return int8(t.counts & 7) }
func (t *thread) putCnt(n int8)    { t.counts = t.counts&^7 | uint8(n) }
func (t *thread) delta() int8      { return int8(t.counts >> 3 & 7) }
func (t *thread) putDelta(n int8)  { t.counts = t.counts&^(7<<3) | uint8(n)<<3 }
func (t *thread) lk() locked       { return locked(t.counts >> 6) }
func (t *thread) putLk(to locked)  { t.counts = t.counts&^(3<<6) | uint8(to)<<6 }

// pollUntil is the first deadline that the M knows of.
func (t *thread) pollUntil() deadline      { return deadline(t.nums >> 6) }
func (t *thread) putPollUntil(to deadline) { t.nums = t.nums&63 | uint8(to)<<6 }

// locked is what lk is: where the G is that is locked to an M.
type locked uint8

const (
	unlocked    locked = iota // there is none
	lockedOn                  // its M runs it
	lockedWaits               // it waits for something
	lockedReady               // it is queued, or was found and its M has a P for it
)

// String returns lk's value in the module.
func (l locked) String() string { return lockedNames[l] }

var lockedNames = [...]string{unlocked: "", lockedOn: "on", lockedWaits: "wait", lockedReady: "ready"}

// leaves is what becomes of lk when the G that the M runs is queued, or waits.
func (t *thread) leaves(to locked) {
	if t.lk() != unlocked {
		t.putLk(to)
	}
}

// goOn is where an M goes after wakep, startm and the like.
func (t *thread) goOn() { t.pc, t.ret = t.ret, nowhere }

// call is where an M goes that calls wakep or the like, and goes on at ret.
func (t *thread) call(pc, ret place) { t.pc, t.ret = pc, ret }

// acquire is acquirep of the P in the M's hands.
func (t *thread) acquire() { t.myp, t.cand = t.cand, 0 }

// acquireNextp is acquirep of the P with which the M was woken.
func (t *thread) acquireNextp() {
	t.myp = t.nextp()
	t.putNextp(0)
}

// A pset is a set of Ps: bit p is P p's, and bit 0 is nobody's.
type pset uint8

func allPs(n int) pset { return 1<<(n+1) - 2 }

func setOf(list []int) (s pset) {
	for _, p := range list {
		s = s.with(uint8(p))
	}
	return s
}

func (s pset) has(p uint8) bool     { return s>>p&1 != 0 }
func (s pset) with(p uint8) pset    { return s | 1<<p }
func (s pset) without(p uint8) pset { return s &^ (1 << p) }
func (s pset) size() int8           { return int8(bits.OnesCount8(uint8(s))) }

// least is a member, and rest are the others.
func (s pset) least() uint8 { return uint8(bits.TrailingZeros8(uint8(s))) }
func (s pset) rest() pset   { return s & (s - 1) }

// An mset is a set of Ms: bit i is that of the M that is i from 0.
type mset uint8

func (s mset) size() int8 { return int8(bits.OnesCount8(uint8(s))) }

// String shows the set as TLC does.
func (s pset) String() string {
	var list []string
	for ; s != 0; s = s.rest() {
		list = append(list, strconv.Itoa(int(s.least())))
	}
	return "{" + strings.Join(list, ", ") + "}"
}

// queued is how many Gs wait in P p's ring and runnext.
func (s *State) queued(p uint8) int8 {
	return s.ring[p-1] + int8(s.next>>p&1)
}

// Procs is how many Ps there are.
func (s *State) Procs() int { return int(s.procs.size()) }
