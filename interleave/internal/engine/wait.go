package engine

import (
	"fmt"
	"strings"

	"github.com/spindle-go/spindle/interleave/internal/certificate"
	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/place"
	"github.com/spindle-go/spindle/interleave/internal/rounds"
)

// What becomes of threads that are held back.
//
// When nobody else can go on, there are three cases. If something that a held
// thread looked at is different by now, it could go on. Under the reduction the
// execution ends quietly, and is counted as blocked: the execution in which the
// thread looked later is another class. If nothing is different, nobody seems to
// be left who could help. To be certain, the threads are let go, one after the
// other, each for one more iteration, and whoever else can go on meanwhile goes
// first: this is the coda. If all come back with nothing changed, it is a livelock.
// The coda is not shown: all that happens in it is what happened before.

// moreRounds is how many iterations more each held thread has before it is said that it
// will never go on.
const moreRounds = 4

// hold holds t back.
func (s *scheduler) hold(t *thread, why rounds.Reason) {
	l := &t.loop
	l.Held, l.Why, l.Pending = true, why, rounds.None
	s.waits |= t.Bit()
	s.coda.holds++
	if why == rounds.Vain && l.Roused == l.At && l.At > 0 {
		l.Idle += t.Count - l.RousedAt
	}
	l.Roused = 0
	switch {
	case why == rounds.Exhausted:
		s.exhausted |= t.Bit()
	case why == rounds.Repeated && exhausts(s.strategy) && len(s.threads) > 1:
		s.doubtLoop(t)
	}
	if why == rounds.Vain || why == rounds.Doubtful {
		s.rounds.InVain(l)
	}
	if why != rounds.Vain && why != rounds.Exhausted && !s.coda.on {
		s.cut++
	}
}

// doubtLoop notes that t is held back in a loop of which it is not known what its
// iterations change: what it does behind the loop is then seen only after others.
func (s *scheduler) doubtLoop(t *thread) {
	p := place.Of(t.Next.Site)
	what, at := t.Next.Kind.String(), ""
	if p.Expr != "" {
		what = p.Expr + "." + what
	}
	if p.Line > 0 {
		at = p.String()
	}
	s.repeats = true
	s.doubts.Add(certificate.NotSeen, "the state of a loop that repeats "+what+t.loop.Grows.String(), at)
}

// letGo lets t go on.
func (s *scheduler) letGo(t *thread) {
	t.loop.Held, t.loop.Why = false, rounds.None
	s.exhausted &^= t.Bit()
}

// stalled is called when nobody can go on. It returns who can after all.
func (s *scheduler) stalled(alive bool) order.ThreadSet {
	if s.coda.moved && !s.forGood {
		s.coda.on = false // it was none
	}
	held, spent, could := 0, false, false
	for _, t := range s.threads {
		if l := &t.loop; l.Held && !t.done && !t.frozen {
			held++
			if l.Why == rounds.Repeated {
				return s.release()
			}
			spent = spent || l.Why == rounds.Exhausted && (alive || !t.daemon) // others may wait for a daemon
			could = could || s.helped(t)
		}
	}
	switch {
	case s.coda.on && s.forGood && (s.coda.moved || held == 0 || spent && !s.coda.toEnd):
		s.Blocked = true // they could go on
		if s.coda.toEnd {
			s.unfinished++ // and no other execution shows how
		}
		return 0
	case held == 0:
		if alive && s.failure == nil {
			s.deadlock()
		}
		return 0
	case could && s.forGood:
		s.Blocked = true
		return 0
	case spent && s.extendAll():
		set, _ := s.enabled()
		if set == 0 {
			s.deadlock()
		}
		return set
	case spent:
		s.unfinished++
		s.fail(&Failure{Kind: StepBound, Message: fmt.Sprintf("no end after %d steps%s", s.maxSteps, s.meanwhile())})
		return 0
	case !alive:
		return 0
	}
	c := &s.coda
	if !c.on {
		s.beginCoda(codaSteps)
	}
	c.turns++
	spun := c.turns // in a search by chance a thread may be held back often inside another's turn
	if s.forGood {
		spun = c.holds
	}
	if spun > moreRounds*held*max(1, 8*c.of) {
		s.livelock()
		return 0
	}
	for t := s.nextHeld(); t != nil; t = s.nextHeld() {
		s.letGo(t)
		if set, _ := s.enabled(); set != 0 {
			return set
		}
	}
	s.deadlock() // they wait for locks, or for somebody who does
	return 0
}

// beginCoda begins to see who can go on after all.
func (s *scheduler) beginCoda(steps int) {
	s.noteWaiters()
	s.coda = coda{on: true, noted: true, at: len(s.Events), races: len(s.Races), left: steps, turn: s.coda.turn}
	for _, t := range s.threads {
		if l := &t.loop; !l.Held && l.Marked() {
			l.At = l.Outermost()
		}
	}
}

// extend lets a thread that has made too many steps make as many again, once.
func (s *scheduler) extend(t *thread) bool {
	l := &t.loop
	if !l.Held || l.Why != rounds.Exhausted || l.Again {
		return false
	}
	l.Again, l.Spent = true, int(t.Count)
	s.letGo(t)
	return true
}

// extendAll is extend of all threads, if there are others that may have changed what they
// look at meanwhile.
func (s *scheduler) extendAll() (any bool) {
	for i, t := range s.threads {
		if len(s.Events) > int(t.Count) && s.extend(t) {
			s.coda.turn, any = i, true
		}
	}
	if any && s.forGood && !s.coda.on {
		s.beginCoda(s.maxSteps * len(s.threads))
		s.coda.toEnd = true
	}
	return any
}

// coda is what is done when nobody can go on, to see whether that is so.
type coda struct {
	on    bool
	moved bool // somebody has come further
	toEnd bool // to come further is to end
	noted bool // who waited
	races int  // how many there were when it began
	at    int  // how many events there were when it began
	left  int  // steps
	holds int  // how often a thread was held back
	turn  int  // of threads: the one that was let go
	turns int  // how often one was let go, and all came back
	last  int  // the thread that went on last
	of    int  // an operation could do so many things, or none could do several
	picks uint64
}

// codaSteps bounds the steps of a coda. Whoever needs more is not where they were.
const codaSteps = 2000

// nextHeld returns the held thread that follows the one that was let go last.
func (s *scheduler) nextHeld() *thread {
	c := &s.coda
	for range s.threads {
		c.turn = (c.turn + 1) % len(s.threads)
		if t := s.threads[c.turn]; t.loop.Held && !t.done && !t.frozen && t.loop.Why != rounds.Exhausted {
			return t
		}
	}
	return nil
}

// inCoda returns who goes on in the coda: in turn, but the one that was let go
// after the others. It is 0 if the coda is over.
func (s *scheduler) inCoda(enabled order.ThreadSet) order.ThreadSet {
	c := &s.coda
	if c.left--; c.left < 0 || c.moved {
		c.on = false
		return 0
	}
	if others := enabled &^ s.threads[c.turn].Bit(); others != 0 {
		enabled = others
	}
	if later := enabled &^ (2<<(c.last&31) - 1); later != 0 {
		enabled = later
	}
	c.last = enabled.First()
	return 1 << c.last
}

// livelock is what the threads that are held back have come to. A daemon may spin for ever, but those who
// wait meanwhile will not go on: that is a deadlock.
func (s *scheduler) livelock() {
	var who []string
	for _, t := range s.threads {
		switch {
		case t.done || t.daemon:
		case t.loop.Held:
			who = append(who, fmt.Sprintf("%s repeats %s", t.name, s.announced(t)))
		}
	}
	if len(who) == 0 {
		if s.coda.on {
			s.endCoda()
		}
		if s.live&^s.daemons != 0 {
			s.deadlock()
		}
		return
	}
	for _, t := range s.threads {
		if !t.done && !t.daemon && !t.loop.Held {
			who = append(who, fmt.Sprintf("%s waits at %s", t.name, s.announced(t)))
		}
	}
	s.noteBlocked()
	if s.coda.on {
		s.endCoda()
	}
	s.fail(&Failure{Kind: Livelock, Message: strings.Join(who, ", ") + ", and nobody is left who could change what is read"})
}

// endCoda forgets what happened in the coda.
func (s *scheduler) endCoda() {
	if s.coda.at > 0 {
		s.Cut(s.coda.at, s.coda.races)
	}
	s.coda.on, s.coda.at = false, 0
}

// pick chooses one of n things that an operation does in the coda, where no strategy is
// asked: any of them, so that a loop that one of them ends has an end.
func (c *coda) pick(n int) int {
	c.of = max(c.of, n)
	c.picks++
	return int(order.Mix(c.picks) % uint64(n))
}

// turnOf returns whose turn it is among those that can go on, -1 if nobody's: the
// running thread's, or if it has called Gosched, the next one's.
func (s *scheduler) turnOf(enabled order.ThreadSet) int {
	r := s.running
	if r == nil || !enabled.Has(r.ID) {
		return -1
	}
	if !s.forGood && r.Last >= 0 && int(r.Last) == len(s.Events)-1 && s.Events[r.Last].Kind == object.Gosched {
		if later := enabled &^ (2<<(r.ID&31) - 1); later != 0 {
			return later.First()
		}
		return enabled.First()
	}
	return r.ID
}
