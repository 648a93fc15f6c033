package rounds

import (
	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
)

// Where loops begin is not known. But a thread that comes to an operation again, and has the stack that it had then, is where it was. If it has changed nothing for good
// meanwhile, the round was in vain. All that a function goes on with is in the stack where it calls another one: no register outlives a call. What it will not
// read again does not count: see live.go.
//
// What a round has made is another object in the next. If the round has changed nothing for good, nothing else points to it: then the stack has, instead of where it lies, in which
// order it comes to such objects, and what is in them.

// A visit is an operation that a thread has come to, in a function at one depth of the stack.
type visit struct {
	where where
	came  int  // the tick at which the thread was here last
	heads bool // it was the first that the thread has come to again, of those of a loop: rounds are compared here
	// The stack, then and in some rounds before, and which of them was the last.
	last   int
	rounds [1 + MostPast]round
	words  [1 + MostPast][]uint64
}

// A where is an operation, where it is made, and how deep in the stack.
type where struct {
	site   order.Site
	depth  uintptr
	within uint64 // the operation, on which object, and the frames of package sync, or the like, that make it
}

// mostVisits is how many a thread remembers.
const mostVisits = 32

// Headed reports whether rounds are compared at such an operation: not where it has values that are not known. They may be in no frame of the caller any more.
func Headed(k object.Kind, argued bool) bool {
	switch k {
	case object.Load, object.Gosched, object.Wait:
		return true
	case object.Receive, object.Select, object.Look, object.MapRead:
		return argued
	}
	return k >= object.Lock && k <= object.WUnlock || k.Word() && argued
}

// A Slot is a word of the stack, by how far it lies behind the return address that is looked at first. Its layout is the runtime's.
type Slot struct {
	Offset uintptr
	Mask   uint64
}

// A stack is that of a thread at an operation.
type stack struct {
	at    where
	sum   func(made []Object) (sum uint64, words []uint64) // of it; objects that a round has made count by what is in them
	slots []Slot                                           // and those of its words that differ
	rest  uintptr
	// Where its frames return to, and where that lies.
	returns, frames []uintptr
}

// A Visited is what came of a visit.
type Visited struct {
	Verdict
	New bool // the thread has come to another place
}

// visit is called where a thread comes to an operation.
func (g *Log) visit(l *Loops, t *order.Thread, s *stack, looks int) (r Visited) {
	var v *visit
	compared := 0 // when rounds were compared last
	deeper := uintptr(0)
	for k := range l.visits {
		w := &l.visits[k]
		if w.where == s.at {
			v = w
		} else if w.where.site == s.at.site && w.where.within == s.at.within {
			deeper = s.at.depth - w.where.depth
		}
		if w.heads {
			compared = max(compared, w.came)
		}
	}
	switch {
	case v == nil:
		r.New = true
		if deeper != 0 {
			l.Grows = Growth{deeper: int(deeper)}
		}
		if l.Visited { // it has come further
			l.Visited, r.Further = false, true
		}
	case v.heads:
	case compared > v.came: // elsewhere
		v.came = l.tick
		return r
	default:
		v.heads = true
	}
	var made []Object
	kept := false // the last round has changed nothing
	if v != nil {
		a := &v.rounds[v.last]
		if kept = g.unchanged(l, a.tick); kept {
			if made = l.since(a.tick); len(made) > 0 {
				if w, _ := g.window(t, a.last); w == None {
					made = nil
				}
			}
		}
	}
	sum, words := s.sum(made)
	doubts, lookedAt := 0, uint64(0)
	if v != nil {
		a := &v.rounds[v.last]
		was := a.state == sum && sameWords(v.words[v.last], words)
		same := was && kept
		for k := 1; !same && k <= MostPast; k++ { // is it where it was some rounds ago?
			i := (v.last + len(v.rounds) - k) % len(v.rounds)
			if p := &v.rounds[i]; p.passed && p.state == sum && sameWords(v.words[i], words) && g.unchanged(l, p.tick) {
				p.doubts, p.looks = a.doubts, a.looks
				a, was, same = p, true, true
			}
		}
		if !was {
			l.Grows.differs(words, v.words[v.last], s.slots, s.rest, s.returns, s.frames)
		}
		if !same || !g.amid(t, a.last) {
			r.Verdict = g.judge(l, t, a, sum, same, looks)
		}
		doubts, lookedAt = a.doubts, a.looks
		if l.Pending != None {
			l.Visited = true
		} else if !same {
			l.Visited = false
		}
		v.last = (v.last + 1) % len(v.rounds)
	} else {
		v = l.newVisit(s.at)
	}
	l.tick++
	v.came = l.tick
	v.words[v.last] = append(v.words[v.last][:0], words...)
	v.rounds[v.last] = round{number: 1, passed: true, tick: l.tick, last: t.Last, state: sum, doubts: doubts, looks: lookedAt}
	return r
}

// newVisit makes one, with what others have had of memory.
func (l *Loops) newVisit(at where) *visit {
	if len(l.visits) == mostVisits { // it forgets them: a loop of more operations is not known
		l.visits = l.visits[:0]
	}
	if k := len(l.visits); k < cap(l.visits) {
		l.visits = l.visits[:k+1]
	} else {
		l.visits = append(l.visits, visit{})
	}
	v := &l.visits[len(l.visits)-1]
	v.where, v.heads, v.last = at, false, 0
	for i := range v.rounds {
		v.rounds[i].passed = false
	}
	return v
}

func sameWords(a, b []uint64) bool {
	if len(a) != len(b) {
		return false
	}
	for i, w := range a {
		if w != b[i] {
			return false
		}
	}
	return true
}
