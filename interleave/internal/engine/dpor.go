package engine

import "fmt"

// Partial-order reduction.
//
// Two executions that differ only in the order of operations that do not
// conflict are of one class (a Mazurkiewicz trace), and one of them is enough.
// This is the algorithm Optimal-DPOR of Abdulla, Aronis, Jonsson and Sagonas
// (POPL 2014; "Source Sets: A Foundation for Optimal Dynamic Partial Order
// Reduction", JACM 2017). At the end of an execution each race, a pair of
// conflicting operations with nothing in between that orders them, is reversed:
// at the point before the first of the two, the sequence of everything that does
// not come after it, with the second of the two at the end, is to be tried.
// These sequences are kept as a tree of threads, a wakeup tree. Sleep sets keep
// track of what was explored before. See reverse.go for how a sequence is
// compared with what is planned and what was explored.
//
// What all pruning rests on (Lemma 6.2 and Definition 6.1 there): a thread p is a
// weak initial of a sequence v if p's next operation could come first in v, or
// conflicts with none of it. Then an execution that begins with v and one that
// begins with p can be of one class.
//
//	When v is planned, none of the threads that are asleep at its point, or
//	planned there before it, is a weak initial of v.
//
// So at the end of v each of them has met an operation that it conflicts with,
// and is awake: the sleep set is empty there, and the search may go on freely.
// It follows that every point where the search chooses freely has an empty sleep
// set, and that no execution is begun in vain. choose holds the program to both.
//
// Whether two operations conflict is not always known when v is planned: see
// sequence. Then v is planned, and the sleep set is emptied at its end. To wake a
// sleeper never loses an execution; it may repeat one. To take a sequence for
// covered that is not loses executions, so that is never done on a guess.
//
// What is particular here:
//
//   - Objects are numbered anew in every execution, in the order in which they are
//     announced: see account.go.
//   - A CompareAndSwap that fails is a read.
//   - A race with an operation that had to wait is one only if the operation
//     could have been carried out without the first: two locks of a mutex race,
//     an unlock and the lock that it makes possible do not.
//   - All races of an execution are reversed, also those between operations that
//     were in the execution before: what comes after them is part of v, and new.

// A strategy chooses who goes on.
type strategy interface {
	// begin is called before each execution.
	begin(s *scheduler)
	// choose returns a thread of enabled, or -1 to break the execution off. Now
	// is the thread that has the turn, -1 if it cannot go on.
	choose(s *scheduler, enabled threadSet, now int) int
	// end is called after each execution and reports whether there is another.
	end(s *scheduler) bool
}

// A sleeper is a thread whose next operation has been explored at this point,
// or at one before and nothing has conflicted with it since. What it does is
// known, for it was carried out.
type sleeper struct {
	thread uint8
	write  bool
	loc    int32
}

func (q *sleeper) conflicts(ev *event) bool {
	return q.loc >= 0 && q.loc == ev.loc && (q.write || ev.write)
}

// A branch is a step of a planned sequence.
type branch struct {
	thread  uint8
	write   bool      // it will write
	unsure  bool      // it is not known whether it will
	wake    bool      // it ends a sequence that may not wake all sleepers: see sequence
	loc     int32     // on what, in the execution that it is from
	late    *late     // if that was new there
	guesses []guessed // on which rests what was left out beside it: see account.go
	sub     []*branch
}

// A node is a point of the present execution.
type node struct {
	choice  branch
	planned bool  // the choice was; nothing is known of what a free one does
	locs    int32 // objects that had been announced: their numbers stay
	sleep   []sleeper
	plan    []*branch // what is to be tried here after the choice
	settled []uint64  // events whose race with the one chosen here needs no more thought, a bit for each
}

type dpor struct {
	path  []node
	sub   []*branch // planned after the last node
	count int       // executions
	done  bool
	seq   []int32
	now   sequence
	// Of the present execution, if they were asked for: see account.go.
	shown   *account
	matched *account
	numbers []int32
	nearTo  *late // the object that is nearest to this one is near
	near    int
	guesses []guessed
	guessed bool // something rests on guesses
	careful bool // guesses are not made
	odd     bool // what was inferred was not so
}

func newDPOR(s *scheduler) *dpor { return &dpor{path: s.path, seq: make([]int32, 0, 64)} }

func (d *dpor) begin(s *scheduler) {
	s.fresh = max(0, len(d.path)-1)
	s.pairs = true
}

func (d *dpor) choose(s *scheduler, enabled threadSet, now int) int {
	at := len(s.events)
	if at < len(d.path) {
		return s.repeat(int(d.path[at].choice.thread), enabled)
	}
	if len(d.path) < cap(d.path) {
		d.path = d.path[:at+1]
	} else {
		d.path = append(d.path, node{})
	}
	n := &d.path[at]
	*n = node{sleep: n.sleep[:0], settled: n.settled[:0], locs: int32(len(s.locs))}
	if at > 0 && !d.asleep(s, at) {
		return -1
	}
	if len(d.sub) > 0 {
		for _, b := range d.sub {
			if t := s.byID[b.thread]; t != nil {
				b.loc, b.late = t.op.loc, nil // has been announced by now
			}
		}
		d.take(n, d.sub)
		return d.carryOut(s, n, enabled)
	}
	if len(n.sleep) > 0 {
		d.broken(s, "a free choice with %d threads asleep", len(n.sleep))
		return -1
	}
	chosen := prefer(enabled, now)
	n.choice.thread = uint8(chosen)
	return chosen
}

// asleep finds who is asleep at the point after the event before at.
func (d *dpor) asleep(s *scheduler, at int) bool {
	n, before := &d.path[at], &d.path[at-1]
	last := &s.events[at-1]
	if before.planned && !before.choice.unsure && before.choice.write != last.write {
		d.broken(s, "the planned step %d, %s, did not do what was foretold", at-1, s.word(last))
		return false
	}
	for _, q := range before.sleep {
		if !q.conflicts(last) && q.thread != last.thread {
			n.sleep = append(n.sleep, q)
		}
	}
	if before.planned && len(before.choice.sub) == 0 {
		if len(n.sleep) > 0 && !before.choice.wake {
			d.broken(s, "thread %s is asleep after a planned sequence of %d steps", s.name(int(n.sleep[0].thread)), at)
			return false
		}
		n.sleep = n.sleep[:0]
	}
	return true
}

// take makes the first of plan the choice of n.
func (d *dpor) take(n *node, plan []*branch) {
	n.choice, n.planned = *plan[0], true
	n.plan, d.sub = plan[1:], n.choice.sub
}

// carryOut returns the planned choice. That it can be made is a consequence of
// the plan, unless the program does not do the same twice.
func (d *dpor) carryOut(s *scheduler, n *node, enabled threadSet) int {
	if !enabled.has(int(n.choice.thread)) {
		d.broken(s, "step %d of a planned sequence, thread %s, cannot be carried out", len(s.events), s.name(int(n.choice.thread)))
		return -1
	}
	return int(n.choice.thread)
}

// broken ends the execution: what the reduction has inferred is not so. The reason
// may be a guess, and the search begins anew without; else it ends.
func (d *dpor) broken(s *scheduler, format string, args ...any) {
	if d.guessed {
		d.odd = true
	} else if s.sorry == nil {
		s.sorry = fmt.Errorf("%w: %s: behaviour differs between two runs of one schedule (time, chance, the order of a map), or the explorer is wrong", ErrUncontrolled, fmt.Sprintf(format, args...))
	}
}

// prefer returns now if it is in set, else the first.
func prefer(set threadSet, now int) int {
	if now >= 0 && set.has(now) {
		return now
	}
	return set.first()
}

func (d *dpor) end(s *scheduler) bool {
	length := len(s.events)
	d.shown, d.matched, d.nearTo = nil, nil, nil
	s.waitingRaces()
	if d.odd || d.refuted(s) {
		d.again(s)
		return true
	}
	for _, r := range s.races {
		d.reverse(s, r, int32(length))
	}
	s.events = s.events[:length]
	// Back to the deepest point where something is left to try.
	for at := len(d.path) - 1; at >= 0; at-- {
		n := &d.path[at]
		if len(n.choice.guesses) > 0 { // no execution has shown
			d.again(s)
			return true
		}
		d.path = d.path[:at+1]
		if at < length && len(n.plan) > 0 {
			ev := &s.events[at]
			n.sleep = append(n.sleep, sleeper{ev.thread, ev.write, ev.loc})
			d.take(n, n.plan)
			n.settled = n.settled[:0]
			return true
		}
	}
	d.path = d.path[:0]
	d.done = true
	return false
}
