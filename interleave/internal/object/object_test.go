package object

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestRules: each kind of operation has a name, and one that always writes may write.
func TestRules(t *testing.T) {
	for k := None + 1; k < kinds; k++ {
		if k.String() == "" {
			t.Errorf("kind %d has no name", k)
		}
		if k.Writes() && !k.MayWrite() {
			t.Errorf("%s writes, and may not", k)
		}
	}
}

// locks are the kinds of operations of each lock. A try that can be done is done.
var locks = map[string][]Kind{
	"Mutex":     {Lock, TryLock, Unlock},
	"RWMutex":   {RLock, TryRLock, RUnlock, WLock, WDrain, TryWLock, WUnlock},
	"WaitGroup": {Count, Wait},
}

// step carries out an operation of a thread, as package sync does, and returns it.
func step(s *State, k Kind, thread uint8) Op {
	o := Op{Thread: thread, Kind: k, Write: k.Writes(), Wrote: 1}
	switch k {
	case TryLock, TryWLock:
		if !s.Ready(map[Kind]Kind{TryLock: Lock, TryWLock: WLock}[k], thread) || k == TryWLock && s.Readers > 0 {
			o.Wrote = 0
		}
	case TryRLock:
		if !s.Ready(RLock, thread) {
			o.Wrote = 0
		}
	case Unlock, WUnlock:
		if s.Held == 0 {
			o.Wrote = 0
		}
	}
	o.Write = o.Write || k != RUnlock && k.MayWrite() && o.done()
	s.Do(&o)
	return o
}

// TestCommute: two operations of which none writes do the same in either order, and none makes the other wait. The reduction takes them for independent.
func TestCommute(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, all := range locks {
		met := 0
		for range 4000 {
			var s State
			var own [3]int // read locks: to give back another thread's is a write (package order, lends)
			can := func(k Kind, thread int) bool {
				return s.Ready(k, uint8(thread)) && (k != RUnlock || own[thread] > 0)
			}
			for range r.IntN(8) {
				thread := r.IntN(3)
				if k := all[r.IntN(len(all))]; can(k, thread) {
					switch o := step(&s, k, uint8(thread)); {
					case k == RLock, k == TryRLock && o.done():
						own[thread]++
					case k == RUnlock:
						own[thread]--
					}
				}
			}
			one, two := all[r.IntN(len(all))], all[r.IntN(len(all))]
			if !can(one, 1) || !can(two, 2) {
				continue
			}
			a, b := s, s
			first, second := step(&a, one, 1), Op{}
			if readyThen := a.Ready(two, 2); !readyThen {
				if !first.Write && !two.Writes() {
					t.Fatalf("%s: %s keeps %s waiting, and neither writes", name, one, two)
				}
				continue
			}
			second = step(&a, two, 2)
			if first.Write || second.Write {
				continue
			}
			met++
			if !b.Ready(two, 2) {
				t.Fatalf("%s: %s is ready after %s alone", name, two, one)
			}
			otherSecond := step(&b, two, 2)
			otherFirst := step(&b, one, 1)
			if fmt.Sprint(a) != fmt.Sprint(b) || fmt.Sprint(first, second) != fmt.Sprint(otherFirst, otherSecond) {
				t.Fatalf("%s: %s and %s, in either order: %v %v %v and %v %v %v", name, one, two, a, first, second, b, otherFirst, otherSecond)
			}
		}
		if name == "RWMutex" && met < 100 {
			t.Errorf("%s: only %d pairs that do not write", name, met)
		}
	}
}

// TestLocks holds who has to wait against what package sync says.
func TestLocks(t *testing.T) {
	var mutex, rw, group State
	step(&mutex, Lock, 0)
	if mutex.Ready(Lock, 1) || !mutex.Ready(Unlock, 1) || !mutex.Ready(TryLock, 1) {
		t.Errorf("a Mutex that is locked: %+v", mutex)
	}
	step(&mutex, Unlock, 1)
	if !mutex.Ready(Lock, 1) {
		t.Errorf("a Mutex that another has unlocked: %+v", mutex)
	}
	step(&rw, RLock, 0)
	step(&rw, RLock, 1)
	if !rw.Ready(WLock, 2) || !rw.Ready(RLock, 2) {
		t.Errorf("an RWMutex with readers: %+v", rw)
	}
	step(&rw, WLock, 2)
	if rw.Ready(RLock, 3) || rw.Ready(WDrain, 2) {
		t.Errorf("an RWMutex whose writer waits keeps out new readers, and waits: %+v", rw)
	}
	step(&rw, RUnlock, 0)
	step(&rw, RUnlock, 1)
	if !rw.Ready(WDrain, 2) {
		t.Errorf("an RWMutex that the readers have left: %+v", rw)
	}
	step(&rw, WUnlock, 2)
	if !rw.Ready(RLock, 3) {
		t.Errorf("an RWMutex that is free: %+v", rw)
	}
	group.Do(&Op{Kind: Count, Read: 0, Wrote: 2})
	group.Do(&Op{Kind: Count, Read: 2, Wrote: 1})
	if group.Ready(Wait, 0) {
		t.Errorf("a WaitGroup at one: %+v", group)
	}
	group.Do(&Op{Kind: Count, Read: 1, Wrote: 0})
	if !group.Ready(Wait, 0) {
		t.Errorf("a WaitGroup at zero: %+v", group)
	}
}

// TestCond: who waits longest is woken first, where no other is chosen, and a signal to nobody is lost.
func TestCond(t *testing.T) {
	var s State
	s.Do(&Op{Kind: Signal})
	for thread := range uint8(4) {
		s.Do(&Op{Kind: Enqueue, Thread: thread})
	}
	woken := func() (all []uint8) {
		for thread := range uint8(4) {
			if s.Ready(Wake, thread) {
				all = append(all, thread)
				s.Do(&Op{Kind: Wake, Thread: thread})
			}
		}
		return all
	}
	if got := woken(); got != nil {
		t.Errorf("before any signal: %v", got)
	}
	for _, c := range []struct {
		op   Op
		want string
	}{{Op{Kind: Signal}, "[0]"}, {Op{Kind: Signal, Pick: 2, Of: 3}, "[2]"}, {Op{Kind: Broadcast}, "[1 3]"}, {Op{Kind: Broadcast}, "[]"}} {
		s.Do(&c.op)
		if got := fmt.Sprint(woken()); got != c.want {
			t.Errorf("%s, pick %d: woke %s, want %s", c.op.Kind, c.op.Pick, got, c.want)
		}
	}
}

// TestForetell: of a CompareAndSwap it is known whether it would swap before what came first, by what that has read; of a try, whether the lock would be free.
func TestForetell(t *testing.T) {
	for _, c := range []struct {
		first, second       Op
		want, unsure, tries string
	}{
		{Op{Kind: Store, Read: 5}, Op{Kind: CompareAndSwap, Compares: true, Expected: 5}, "true", "false", ""},
		{Op{Kind: Store, Read: 4, Wrote: 5}, Op{Kind: CompareAndSwap, Compares: true, Expected: 5}, "false", "false", ""},
		{Op{Kind: Store, Read: 5}, Op{Kind: CompareAndSwap}, "true", "true", ""},
		{Op{Kind: Load, Read: 5, Own: true}, Op{Kind: CompareAndSwap, Compares: true, Expected: 5}, "true", "true", ""},
		{Op{Kind: Store}, Op{Kind: Load}, "false", "false", ""},
		{Op{Kind: Load}, Op{Kind: Add}, "true", "false", ""},
		{Op{Kind: Lock}, Op{Kind: TryLock}, "true", "false", "Lock"},
	} {
		write, unsure, tries := Foretell(&c.first, &c.second)
		name := ""
		if tries != None {
			name = tries.String()
		}
		if fmt.Sprint(write) != c.want || fmt.Sprint(unsure) != c.unsure || name != c.tries {
			t.Errorf("%s behind %s: %v, %v, %q, want %s, %s, %q", c.second.Kind, c.first.Kind, write, unsure, name, c.want, c.unsure, c.tries)
		}
	}
}
