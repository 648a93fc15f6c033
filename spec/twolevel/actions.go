package twolevel

import (
	"math/bits"

	"github.com/spindle-go/spindle/spec/explore"
)

// An action is a step, by its place in the list of their names.
type action uint8

const (
	doSpawn action = iota
	doBlock
	doEnterSyscall
	doExitSyscall
	doEnsureSpin
	doEnsureFree
	doEnsureCAS
	doEnsureWake
	doGet
	doBusy
	doTestTwo
	doDrop
	doJoinLoad
	doJoinCAS
	doTwoAdd
	doTwoTake
	doTwoSub
	doDecrement
	doRecheckQueue
	doRecheckFree
	doPark
	doExitTake
	doExitPut

	actions
)

var actionNames = [actions]string{
	"Spawn", "Block", "EnterSyscall", "ExitSyscall", "EnsureSpin", "EnsureFree", "EnsureCAS", "EnsureWake", "Get", "Busy",
	"TestTwo", "Drop", "JoinLoad", "JoinCAS", "TwoAdd", "TwoTake", "TwoSub", "Decrement", "RecheckQueue", "RecheckFree",
	"Park", "ExitTake", "ExitPut",
}

// user reports whether the program chooses to take the step: UserStep in the module.
func user(do uint8) bool { return action(do) <= doExitSyscall }

// An actor is an M that takes its steps from a state. What a step looks at is in s and
// t, and what it changes in what step returns.
type actor struct {
	*Machine
	s   *State
	out *explore.Successors[State]
	t   *thread // of s
	i   uint8   // which it is, from 0
}

// step adds a step that leads to a copy of the state. It returns the copy, and what
// there is of the M.
func (a *actor) step(do action) (*State, *thread) {
	n := a.out.Add(uint8(do), a.i, a.s)
	return n, &n.ms[a.i]
}

// ensure is where an M goes that ensures that somebody spins, and goes on at ret.
func (a *actor) ensure(t *thread, without bug, ret place) {
	if a.bug(without) {
		t.pc = ret
	} else {
		t.pc, t.ret = ensurespin, ret
	}
}

// act takes the steps that the M can take where it is.
func (a *actor) act() {
	switch a.t.pc {
	case run:
		a.running()
	case syscall: // exitsyscall
		_, t := a.step(doExitSyscall)
		switch {
		case t.myp != 0:
			t.pc = run
		case a.bug(exitDrops):
			t.pc = joinload
		default:
			t.pc = exittake
		}
	case ensurespin, ensurefree, ensurecas, ensurewake:
		a.ensuring()
	case get, busy, testtwo, drop:
		a.searching()
	case joinload, joincas:
		a.joining()
	case twoadd, twotake, twosub:
		a.waiting()
	case decr, requeue, refree, park:
		a.stopping()
	case exittake, exitput:
		a.returning()
	}
}

// running are Spawn, Block and EnterSyscall.
func (a *actor) running() {
	if a.s.blocked > 0 {
		n, t := a.step(doSpawn)
		n.blocked--
		n.queue++
		a.ensure(t, spawnNoEnsure, run)
	}
	n, t := a.step(doBlock)
	if !a.bug(blockForgets) {
		n.blocked++
	}
	t.pc = get

	n, t = a.step(doEnterSyscall) // the P is free at once, and somebody must be there to use it
	if !a.bug(syscallKeeps) {
		n.free |= 1 << t.myp
		if !a.bug(syscallShares) {
			t.myp = 0
		}
	}
	a.ensure(t, syscallNoEnsure, syscall)
}

// ensuring are EnsureSpin, EnsureFree, EnsureCAS and EnsureWake: to ensure that somebody
// spins, or that all Ps are busy.
func (a *actor) ensuring() {
	switch a.t.pc {
	case ensurespin:
		_, t := a.step(doEnsureSpin)
		if (a.s.nspin == 0) != a.bug(ensureIfSpins) {
			t.pc = ensurefree
		} else {
			t.goOn()
		}
	case ensurefree:
		_, t := a.step(doEnsureFree)
		if (a.s.free != 0) != a.bug(ensureIfBusy) {
			t.pc = ensurecas
		} else {
			t.goOn()
		}
	case ensurecas:
		n, t := a.step(doEnsureCAS)
		if a.s.nspin == 0 {
			if !a.bug(ensureUncounted) {
				n.nspin = 1
			}
			t.tok = 1
			t.pc = ensurewake
		} else {
			t.goOn()
		}
	case ensurewake: // whoever sleeps; it has no P, and is of kind 2
		for i := range a.ms {
			if a.s.ms[i].pc != parked {
				continue
			}
			n, t := a.step(doEnsureWake)
			n.ms[i].spin, n.ms[i].pc = 2, twoadd
			if !a.bug(ensureKeeps) {
				t.tok = 0
			}
			t.goOn()
		}
	}
}

// searching are Get, Busy, TestTwo and Drop, of an M with a P and without a G.
func (a *actor) searching() {
	switch spins := a.t.spin != 0; a.t.pc {
	case get:
		n, t := a.step(doGet)
		if a.s.queue > 0 && !a.bug(getKeeps) {
			n.queue--
		}
		switch {
		case a.s.queue > 0 && spins:
			t.pc = busy
		case a.s.queue > 0:
			t.pc = run
		case !spins:
			t.pc = joinload
		case a.bug(oneBlocksEarly):
			t.pc = drop
		default:
			t.pc = testtwo
		}
	case busy: // it spins no more, and ensures that another does
		n, t := a.step(doBusy)
		if !a.bug(leakSpin) {
			n.nspin--
		}
		t.spin = 0
		a.ensure(t, busyNoEnsure, run)
	case testtwo: // kind 1 does not block while there is one of kind 2
		_, t := a.step(doTestTwo)
		switch {
		case a.s.ntwo > 0:
			t.pc = get
		case a.bug(twoBusy):
			t.pc = busy
		default:
			t.pc = drop
		}
	case drop:
		n, t := a.step(doDrop)
		n.free |= 1 << t.myp
		t.myp = 0
		switch {
		case !spins:
			t.pc = park
		case a.bug(recheckFirst):
			t.pc = requeue
		default:
			t.pc = decr
		}
	}
}

// joining are JoinLoad and JoinCAS: to spin, as kind 1 with a P, as kind 2 without, if
// fewer than GOMAXPROCS do.
func (a *actor) joining() {
	if a.t.pc == joinload {
		_, t := a.step(doJoinLoad)
		switch {
		case a.s.nspin < a.procs || a.bug(joinNoLimit):
			t.num = a.s.nspin
			t.pc = joincas
		case t.myp == 0:
			t.pc = park
		case a.bug(oneBlocksAtLimit):
			t.pc = drop
		default:
			t.pc = get
		}
		return
	}
	n, t := a.step(doJoinCAS)
	loaded := t.num
	t.num = 0
	if a.s.nspin != loaded {
		t.pc = joinload
		return
	}
	if !a.bug(joinUncounted) {
		n.nspin++
	}
	if t.spin, t.pc = 1, get; t.myp == 0 {
		t.spin, t.pc = 2, twoadd
	}
}

// waiting are TwoAdd, TwoTake and TwoSub, of an M without a P: it takes a free one, or
// gives up.
func (a *actor) waiting() {
	switch a.t.pc {
	case twoadd:
		n, t := a.step(doTwoAdd)
		if !a.bug(twoUncounted) {
			n.ntwo++
		}
		t.pc = twotake
	case twotake:
		if a.takes(doTwoTake, twosub, takeKeeps) {
			return
		}
		_, t := a.step(doTwoTake)
		t.pc = twosub
	case twosub: // with a P it is of kind 1 now
		n, t := a.step(doTwoSub)
		if !a.bug(leakTwo) {
			n.ntwo--
		}
		if t.pc = decr; t.myp != 0 {
			t.spin, t.pc = 1, get
		}
	}
}

// takes takes a free P, if there is one, and goes on there. With the bug keeps it stays free.
func (a *actor) takes(do action, at place, keeps bug) bool {
	for free := a.s.free; free != 0; free &= free - 1 {
		n, t := a.step(do)
		t.myp = uint8(bits.TrailingZeros8(free))
		if !a.bug(keeps) {
			n.free &^= 1 << t.myp
		}
		t.pc = at
	}
	return a.s.free != 0
}

// stopping are Decrement, RecheckQueue, RecheckFree and Park: to stop spinning, count
// down, and look again at what it was waiting for.
func (a *actor) stopping() {
	switch a.t.pc {
	case decr:
		n, t := a.step(doDecrement)
		n.nspin--
		if a.bug(decrementTwice) {
			n.nspin--
		}
		switch {
		case t.spin == 1 && !a.bug(noRecheckQueue) && !a.bug(recheckFirst):
			t.pc = requeue
		case t.spin != 1 && !a.bug(noRecheckFree):
			t.pc = refree
		default:
			t.pc = park
		}
		t.spin = 0
	case requeue:
		_, t := a.step(doRecheckQueue)
		switch some := a.s.queue > 0; {
		case a.bug(recheckFirst) && some:
			t.spin, t.pc = 2, twoadd
		case a.bug(recheckFirst):
			t.pc = decr
		case some:
			t.pc = joinload
		case a.bug(recheckBoth):
			t.pc = refree
		default:
			t.pc = park
		}
	case refree:
		_, t := a.step(doRecheckFree)
		if t.pc = park; a.s.free != 0 && !a.bug(refreeNever) {
			t.pc = joinload
		}
	case park:
		n, t := a.step(doPark)
		if a.bug(parkCounts) {
			n.nspin--
		}
		t.pc = parked
	}
}

// returning are ExitTake and ExitPut, of an M that comes back from a syscall: a free P,
// or its G goes to the queue and it waits for a P as others do.
func (a *actor) returning() {
	if a.t.pc == exittake {
		if !a.takes(doExitTake, run, exitKeeps) {
			_, t := a.step(doExitTake)
			t.pc = exitput
		}
		return
	}
	n, t := a.step(doExitPut)
	if !a.bug(exitForgets) {
		n.queue++
	}
	if t.pc = joinload; a.bug(exitNoSpin) {
		t.pc = park
	}
}
