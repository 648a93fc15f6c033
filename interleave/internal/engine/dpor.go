package engine

// Partial-order reduction.
//
// Two executions that differ only in the order of operations that do not
// conflict are of one class (a Mazurkiewicz trace), and one of them is enough.
// This is the algorithm Optimal-DPOR of Abdulla, Aronis, Jonsson and Sagonas
// (POPL 2014; JACM 2017, with locks): at the end of an execution each race, a
// pair of conflicting operations that are next to each other but for what is
// independent of them, is turned round: at the point before the first of the
// two, the sequence of everything that does not come after it, with the second
// of the two at the end, is to be tried. Those sequences are kept as a tree of
// threads (a wakeup tree), in which a sequence that begins a class already
// planned is not entered. Sleep sets keep track of what was explored before.
//
// What is particular here:
//
//   - A tree holds threads only, never objects: what a thread does next is known
//     from the execution at hand whenever two sequences have to be compared. So
//     objects may be numbered anew in every execution.
//   - A CompareAndSwap that failed is a read. What has been carried out counts
//     as what it did, what has only been announced as what it may do.
//   - A race with an operation that had to wait is one only if the operation
//     could have been carried out without the first: two locks of a mutex race,
//     an unlock and the lock that it makes possible do not.
//   - Only races whose second operation is new in this execution are looked at;
//     the others were in an execution before.
//
// Source-DPOR, which keeps single threads in place of trees, is simpler and a
// little faster per execution, and runs into executions that turn out to be
// known half-way. The tests hold the number of executions against the number of
// classes.

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
// or at one before and nothing has conflicted with it since.
type sleeper struct {
	thread uint8
	write  bool
	loc    int32
}

func (q *sleeper) conflicts(ev *event) bool {
	return q.loc >= 0 && q.loc == ev.loc && (q.write || ev.write)
}

// independent reports whether q's operation conflicts with none of v. The last
// of v is there before its time: what it did says nothing of what it will do.
func (q *sleeper) independent(s *scheduler, v []int32, last int32) bool {
	for _, x := range v {
		ev := &s.events[x]
		if q.conflicts(ev) || x == last && q.loc >= 0 && q.loc == ev.loc && mayWrite[ev.kind] {
			return false
		}
	}
	return true
}

// A branch is a step of a planned sequence. Whether it writes is known from the
// execution that it comes from; of the last step of a sequence, which will come
// before what it came after, only whether it may.
type branch struct {
	thread uint8
	write  bool
	sub    []*branch
}

// A node is a point of the present execution.
type node struct {
	thread  uint8 // who was chosen
	enabled threadSet
	sleep   []sleeper
	plan    []*branch // what is still to be tried here
}

type dpor struct {
	path      []node
	sub       []*branch // planned after the last node
	count     int       // executions
	redundant int       // of them, those that turned out to be of a known class
	done      bool
	length    int32 // of the execution
	seq       []int32
}

func newDPOR(s *scheduler) *dpor { return &dpor{path: s.path, seq: make([]int32, 0, 64)} }

func (d *dpor) begin(s *scheduler) {
	s.fresh = max(0, len(d.path)-1)
	s.pairs = true
}

func (d *dpor) choose(s *scheduler, enabled threadSet, now int) int {
	at := len(s.events)
	if at < len(d.path) {
		return s.repeat(int(d.path[at].thread), enabled)
	}
	var n node
	if len(d.path) < cap(d.path) {
		n = d.path[:len(d.path)+1][len(d.path)]
	}
	n.sleep, n.plan = n.sleep[:0], nil
	if at > 0 {
		last := &s.events[at-1]
		for _, q := range d.path[at-1].sleep {
			if !q.conflicts(last) && q.thread != last.thread {
				n.sleep = append(n.sleep, q)
			}
		}
	}
	chosen := -1
	plan := d.sub
	d.sub = nil
	for len(plan) > 0 {
		b := plan[0]
		if enabled.has(int(b.thread)) {
			chosen = int(b.thread)
			n.plan = plan[1:]
			d.sub = b.sub
			break
		}
		plan = plan[1:]
	}
	if chosen < 0 {
		awake := enabled
		for _, q := range n.sleep {
			awake &^= 1 << q.thread
		}
		if awake == 0 {
			d.redundant++
			return -1
		}
		chosen = prefer(awake, now)
	}
	n.thread, n.enabled = uint8(chosen), enabled
	d.path = append(d.path, n)
	return chosen
}

// prefer returns now if it is in set, else the first.
func prefer(set threadSet, now int) int {
	if now >= 0 && set.has(now) {
		return now
	}
	return set.first()
}

func (d *dpor) end(s *scheduler) bool {
	if !s.abandoned {
		d.length = int32(len(s.events))
		s.waitingRaces()
		for _, r := range s.races {
			d.reverse(s, r)
		}
		s.events = s.events[:d.length]
	}
	// Back to the deepest point where something is left to try.
	for len(d.path) > 0 {
		at := len(d.path) - 1
		n := &d.path[at]
		if at < len(s.events) {
			ev := &s.events[at]
			n.sleep = append(n.sleep, sleeper{ev.thread, ev.write, ev.loc})
			for len(n.plan) > 0 {
				b := n.plan[0]
				n.plan = n.plan[1:]
				if !n.enabled.has(int(b.thread)) {
					continue
				}
				n.thread = b.thread
				d.sub = b.sub
				return true
			}
		}
		d.path = d.path[:at]
	}
	d.done = true
	return false
}

// reverse plans an execution in which the second operation of r comes before
// the first, unless one is planned or explored.
func (d *dpor) reverse(s *scheduler, r race) {
	n := &d.path[r.first]
	first := &s.events[r.first]
	v := d.seq[:0]
	for i := r.first + 1; i < d.length; i++ {
		if s.clocks[i][first.thread] < first.ord {
			v = append(v, i)
		}
	}
	v = append(v, r.second)
	d.seq = v
	for i := range n.sleep {
		if weakInitial(s, &n.sleep[i], v, r.second) {
			return
		}
	}
	plan := &n.plan
search:
	for {
		for _, b := range *plan {
			at, ok := d.follows(s, b, v, r)
			if !ok {
				continue
			}
			if len(b.sub) == 0 {
				return // all that begins so will be explored
			}
			if at >= 0 {
				v = append(v[:at], v[at+1:]...)
			}
			plan = &b.sub
			continue search
		}
		break
	}
	// Not planned yet: a branch of its own.
	for _, i := range v {
		ev := &s.events[i]
		b := &branch{thread: ev.thread, write: ev.write || i == r.second && mayWrite[ev.kind]}
		*plan = append(*plan, b)
		plan = &b.sub
	}
}

// weakInitial reports whether q could go first in v without changing its class,
// or is independent of all of it.
func weakInitial(s *scheduler, q *sleeper, v []int32, last int32) bool {
	at := -1
	for i, x := range v {
		if s.events[x].thread == q.thread {
			at = i
			break
		}
	}
	if at < 0 {
		return q.independent(s, v, last)
	}
	return initial(s, v, at)
}

// initial reports whether nothing in v before position at happens before it.
func initial(s *scheduler, v []int32, at int) bool {
	for _, x := range v[:at] {
		if s.before(x, v[at]) {
			return false
		}
	}
	return true
}

// follows is weakInitial for a planned step of a thread, and returns where in v
// the step is, or -1. Where v lacks it, what the thread does next is looked up
// in the present execution.
func (d *dpor) follows(s *scheduler, b *branch, v []int32, r race) (at int, ok bool) {
	thread := b.thread
	for i, x := range v {
		if s.events[x].thread == thread {
			return i, initial(s, v, i)
		}
	}
	// The thread's next operation after those that were in v.
	t := s.byID[thread]
	if t == nil {
		return -1, false
	}
	q := sleeper{thread, b.write, -1}
	if next := d.nextOf(s, thread, r); next >= 0 {
		q.loc = s.events[next].loc
	} else if !t.done {
		q.loc = t.op.loc
	} else {
		return -1, false
	}
	return -1, q.independent(s, v, r.second)
}

// nextOf returns the first event of a thread that the sequence of r leaves out,
// or -1.
func (d *dpor) nextOf(s *scheduler, thread uint8, r race) int32 {
	first := &s.events[r.first]
	for i := r.first; i < d.length; i++ {
		if s.events[i].thread == thread && (i == r.first || s.clocks[i][first.thread] >= first.ord) && i != r.second {
			return i
		}
	}
	return -1
}
