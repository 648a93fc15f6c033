package sched

import "github.com/spindle-go/spindle/spec/explore"

// What a state says, for who holds code against the machine.

// Words are what a state says of the words that Ms touch without the lock. What is of P p is at p-1.
type Words struct {
	Nmspinning, Npidle, Runq int8
	Needspinning             bool
	Stopping                 bool        // whether the world is to stop
	Polls, PollsUntil        bool        // whether an M polls, and whether it has said until when
	Next                     [MaxPs]bool // whether runnext is filled
	Insyscall                [MaxPs]bool // whether the P lies with an M that is in a syscall
	Timer                    [MaxPs]bool // whether a G sleeps on the P
	Unsafe                   [MaxPs]bool // whether forEachP waits for the P
	Ring                     [MaxPs]int8 // how long the ring is
}

// Words returns what s says of the words.
func (s *State) Words() Words {
	w := Words{Nmspinning: s.nmspinning, Npidle: s.npidle, Runq: s.runq, Needspinning: s.needspinning(), Ring: s.ring,
		Polls: s.poller != 0, PollsUntil: s.pollUntil() != 0, Stopping: s.stopping() != 0}
	for p := range w.Next {
		w.Next[p] = s.next.has(uint8(p + 1))
		w.Unsafe[p] = s.safefn.has(uint8(p + 1))
		w.Timer[p] = (s.later | s.due).has(uint8(p + 1))
	}
	for i := range s.ms {
		if t := &s.ms[i]; inKernel.has(t.pc) && t.myp != 0 {
			w.Insyscall[t.myp-1] = true
		}
	}
	return w
}

// Due reports whether the G that sleeps on P p, from 1, is to wake now.
func (s *State) Due(p int) bool { return s.due.has(uint8(p)) }

// Rung reports whether who polls was told to look again.
func (s *State) Rung() bool { return s.brk() }

// Carries returns how many M i has in its hands; what that is depends on where it is.
func (s *State) Carries(i int) int { return int(s.ms[i-1].num()) }

// Locked returns the M that has the lock, from 1, or 0.
func (s *State) Locked() int { return int(s.lock) }

// Blocked returns how many Gs have ended, were not made yet, or wait for something.
func (s *State) Blocked() int { return int(s.blocked) }

// At returns where M i is, from 1: the name of the action that it takes next, or the word
// for where it rests or has a choice.
func (s *State) At(i int) string { return s.ms[i-1].pc.String() }

// Holds returns the P that M i has, from 1, and the one that it was given and has not taken yet;
// 0 is none.
func (s *State) Holds(i int) (p, given int) {
	t := &s.ms[i-1]
	return int(t.myp), int(t.nextp())
}

// Looks reports whether M i has still to look at P p; victim is the one that it is looking at.
func (s *State) Looks(i, p int) (todo bool, victim int) {
	t := &s.ms[i-1]
	return t.todo.has(uint8(p)), int(t.cand)
}

// Steps adds the steps of M i alone, from 1.
func (m *Machine) Steps(s *State, i int, out *explore.Successors[State]) {
	a := actors.Get().(*actor)
	*a = actor{Machine: m, s: s, out: out, i: uint8(i - 1), t: &s.ms[i-1]}
	a.act()
	actors.Put(a)
}

// TimedOut adds what the module lacks: M i returns from the poller because its time is over, though
// another M has run the timer, and nobody told it. With Poll alone it would wait on.
func (m *Machine) TimedOut(s *State, i int, out *explore.Successors[State]) {
	t := &s.ms[i-1]
	if t.pc != poll || t.pollUntil() == 0 || s.pollOver(t) {
		return
	}
	n := out.Add(uint8(poll-words), uint8(i-1), s)
	n.ms[i-1].pc = pollClear
}

// World adds the steps that no M takes.
func (m *Machine) World(s *State, out *explore.Successors[State]) {
	a := actors.Get().(*actor)
	*a = actor{Machine: m, s: s, out: out, i: uint8(m.ms)}
	for _, do := range taken[world] {
		do(a)
	}
	actors.Put(a)
}

// Chosen reports whether an action is taken because the program or the world, and not the
// scheduler, decides so.
func Chosen(action uint8) bool { return by(action) != nobody }

// RenameMs replaces s by the representative of all states that differ from it by the names of Ms
// alone. Ps keep theirs.
func (m *Machine) RenameMs(s *State) {
	r := &m.renaming
	for i := range r.orders {
		if o := &r.orders[i]; o.plain {
			var n renamed
			n.rename(s, o, r)
			n.store(s, r)
			return
		}
	}
}
