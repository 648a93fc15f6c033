package rounds

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/spec/record"

	"github.com/spindle-go/spindle/internal/tier"
)

// A move is an operation that a thread of a drawn execution makes: as it is meant, not what came of it.
type move struct {
	thread int
	kind   object.Kind
	at     int // object
	a, b   uint64
}

// A state is that of the objects: words, mutexes and RWMutexes.
type state struct {
	words   [2]uint64
	mutexes [2]bool
	writer  [2]bool
	readers [2]int
}

// can reports whether m can be made.
func (s *state) can(m move) bool {
	switch m.kind {
	case object.Lock:
		return !s.mutexes[m.at]
	case object.Unlock:
		return s.mutexes[m.at]
	case object.RLock:
		return !s.writer[m.at]
	case object.RUnlock:
		return s.readers[m.at] > 0
	case object.WLock:
		return !s.writer[m.at] && s.readers[m.at] == 0
	case object.WUnlock:
		return s.writer[m.at]
	}
	return true
}

// makes carries m out. It returns what it read and wrote, as drop-ins say it to the engine, and whether it changed anything.
func (s *state) makes(m move) (read, wrote uint64, changed bool) {
	w := &s.words[m.at]
	read = *w
	switch m.kind {
	case object.Load:
		return read, read, false
	case object.Store, object.Swap:
		*w = m.a
		return read, m.a, true
	case object.Add:
		*w += m.a
		return read, *w, true
	case object.CompareAndSwap:
		if read == m.a {
			*w = m.b
			return read, m.b, true
		}
		return read, read, false
	case object.Lock:
		s.mutexes[m.at] = true
		return 0, 1, true
	case object.TryLock:
		if s.mutexes[m.at] {
			return 1, 1, false
		}
		s.mutexes[m.at] = true
		return 0, 1, true
	case object.Unlock:
		s.mutexes[m.at] = false
		return 1, 0, true
	case object.RLock:
		s.readers[m.at]++
		return 0, 1, false
	case object.RUnlock:
		s.readers[m.at]--
		return 1, 0, false
	case object.TryRLock:
		if s.writer[m.at] {
			return 1, 1, false
		}
		s.readers[m.at]++
		return 0, 1, false
	case object.WLock:
		s.writer[m.at] = true
		return 0, 1, true
	case object.TryWLock:
		if s.writer[m.at] || s.readers[m.at] > 0 {
			return 1, 1, false
		}
		s.writer[m.at] = true
		return 0, 1, true
	case object.WUnlock:
		s.writer[m.at] = false
		return 1, 0, true
	}
	panic(m.kind)
}

// A drawn execution, with the round of a thread at its end that is asked about.
type drawn struct {
	moves []move
	x     order.Execution
	end   state
	begin int // the round of thread 0: its moves from here on
	g     Log
	l     Loops
	text  []string
}

var kinds = []object.Kind{
	object.Load, object.Load, object.Store, object.Swap, object.Add, object.Add, object.CompareAndSwap,
	object.Lock, object.TryLock, object.Unlock, object.RLock, object.RUnlock, object.TryRLock, object.WLock, object.WUnlock, object.TryWLock,
}

// draw draws an execution of three threads.
func draw(r *rand.Rand) *drawn {
	d := &drawn{x: order.New(), text: []string{""}}
	d.x.Begin()
	d.g.Begin(&d.x)
	d.g.Writes = true
	var objects [3][2]int64
	var threads []*order.Thread
	for i := range 3 {
		t := &order.Thread{ID: d.x.IDOf(-1, i), Parent: -1, Nth: i}
		d.x.Start(t)
		threads = append(threads, t)
	}
	n := 4 + r.IntN(8)
	d.begin = r.IntN(n)
	for len(d.moves) < n {
		k := kinds[r.IntN(len(kinds))]
		m := move{thread: r.IntN(3), kind: k, at: r.IntN(2), a: uint64(r.IntN(3)), b: uint64(r.IntN(3))}
		if k == object.Add {
			m.a -= 1
		}
		if r.IntN(3) > 0 { // one object is met more often
			m.at = 0
		}
		if !d.end.can(m) {
			continue
		}
		of := 0
		switch {
		case k >= object.Lock && k <= object.Unlock:
			of = 1
		case k > object.Unlock:
			of = 2
		}
		t := threads[m.thread]
		loc, _ := d.x.Locate(unsafe.Pointer(&objects[of][m.at]))
		t.Next = order.Next{Kind: k, Write: k.MayWrite(), Loc: loc}
		read, wrote, changed := d.end.makes(m)
		d.g.Event(d.x.Add(t, &object.Op{Read: read, Wrote: wrote}, changed))
		if len(d.moves) == d.begin {
			d.text = append(d.text, "the round begins")
			d.l.From = -1
			for i := range d.moves {
				if d.moves[i].thread == 0 {
					d.l.From = int32(i)
				}
			}
		}
		d.text = append(d.text, fmt.Sprintf("t%d: %v of %d, read %d, wrote %d", m.thread, k, loc, read, wrote))
		d.moves = append(d.moves, m)
	}
	d.l.To = threads[0].Last
	return d
}

// without carries the moves out again, but for those of the round. It reports whether all others can be made, and come to the same, and returns the state then.
func (d *drawn) without() (same bool, end state) {
	same = true
	for i, m := range d.moves {
		if m.thread == 0 && i >= d.begin {
			continue
		}
		if !end.can(m) {
			return false, end
		}
		read, wrote, _ := end.makes(m)
		if ev := &d.x.Events[i]; read != ev.Read || wrote != ev.Wrote {
			same = false
		}
	}
	return same, end
}

// again carries the moves of the round out once more, at the end. It reports whether they come to the same, up to one that has to wait.
func (d *drawn) again() bool {
	s := d.end
	for i, m := range d.moves {
		if m.thread != 0 || i < d.begin {
			continue
		}
		if !s.can(m) {
			return true
		}
		read, wrote, _ := s.makes(m)
		if ev := &d.x.Events[i]; read != ev.Read || wrote != ev.Wrote {
			return false
		}
	}
	return true
}

// TestByDefinition: a round in vain may be taken out of the execution: the others do the same, and what they leave is the same. And a thread that is not helped
// would do the same in its round once more.
func TestByDefinition(t *testing.T) {
	first, err := record.SeedFromEnv(1)
	if err != nil {
		t.Fatal(err)
	}
	count := make(map[string]int)
	for n := range tier.N(t, 50_000, 1_000_000) {
		seed := uint64(first) + uint64(n)
		d := draw(rand.New(rand.NewPCG(seed, 11)))
		if d.l.To <= d.l.From {
			continue // a round without an operation
		}
		of0 := d.x.Threads[0]
		why, _ := d.g.window(of0, d.l.From)
		same, left := d.without()
		fail := func(what string) {
			t.Fatalf("SPINDLE_SEED=%d: %s:%s", seed, what, strings.Join(d.text, "\n"))
		}
		switch why {
		case Vain:
			if !same || left != d.end {
				fail("expected a round that changes something, saw one in vain")
			}
			count["vain"]++
			d.l.Why = Vain
			if !d.g.Helped(&d.l, func(int32) bool { return false }) {
				if !d.again() {
					fail("expected a thread that would see something else now, saw one that would not")
				}
				count["not helped"]++
			} else if !d.again() {
				count["helped"]++
			}
		case Doubtful:
			count["doubtful"]++
		default:
			if same && left == d.end {
				count["more than need be"]++ // what is written there and back: it is not known to the one who waits
			}
			count["changes"]++
		}
	}
	t.Log(count)
	for _, kind := range []string{"vain", "not helped", "helped", "doubtful", "changes"} {
		if count[kind] < 100 {
			t.Errorf("expected 100 rounds at least of the kind %q, saw %d", kind, count[kind])
		}
	}
	if count["more than need be"] > count["vain"] {
		t.Errorf("expected most rounds that change nothing to be known, saw %d of %d", count["vain"], count["vain"]+count["more than need be"])
	}
}

// TestRestored: words that a thread has written are restored exactly if all have what they had before the round, and it has released nothing while one did not.
func TestRestored(t *testing.T) {
	first, err := record.SeedFromEnv(1)
	if err != nil {
		t.Fatal(err)
	}
	count := make(map[string]int)
	for n := range tier.N(t, 20_000, 1_000_000) {
		seed := uint64(first) + uint64(n)
		r := rand.New(rand.NewPCG(seed, 13))
		x := order.New()
		x.Begin()
		g := Log{}
		g.Begin(&x)
		of := &order.Thread{ID: x.IDOf(-1, 0), Parent: -1}
		x.Start(of)
		var lock int64
		memory := make([]uintptr, 6)
		before := append([]uintptr(nil), memory...)
		var l Loops
		l.Begin()
		tick := l.tick
		text := []string{""}
		shown := false
		for range 1 + r.IntN(4) { // between operations
			var all []Write
			for range r.IntN(4) {
				i, words := r.IntN(4), 1+r.IntN(3)
				w := Write{Addr: uintptr(unsafe.Pointer(&memory[i])), Size: uintptr(words) * 8, Last: of.Last}
				if words > 1 && r.IntN(2) == 0 {
					w.Size = 0
				}
				copy(w.Old[:], memory[i:])
				if w.Size == 0 {
					words = 1 + r.IntN(mostWords) // what is written is not said
				}
				for k := range words {
					memory[i+k] = uintptr(r.IntN(2))
				}
				text = append(text, fmt.Sprintf("writes %d words at %d, size %d: %v", words, i, w.Size, memory))
				all = append(all, w)
			}
			for i := range all {
				l.Writes(&all[i], func(uintptr) uintptr { return mostWords })
			}
			k := []object.Kind{object.Load, object.Store, object.Lock}[r.IntN(3)]
			differs := fmt.Sprint(memory) != fmt.Sprint(before)
			shown = shown || k == object.Store && differs
			text = append(text, k.String())
			loc, _ := x.Locate(unsafe.Pointer(&lock))
			of.Next = order.Next{Kind: k, Write: k.MayWrite(), Loc: loc}
			g.Event(x.Add(of, &object.Op{Wrote: 1}, k != object.Load))
		}
		want := !shown && fmt.Sprint(memory) == fmt.Sprint(before)
		saw := g.restored(&l, tick)
		if saw && !want {
			t.Fatalf("SPINDLE_SEED=%d: expected words that are not restored, saw that they are:%s", seed, strings.Join(text, "\n"))
		}
		switch {
		case saw && len(l.written) > 0:
			count["restored"]++
		case want && !saw:
			count["more than need be"]++
		case !want:
			count["changed"]++
		}
	}
	t.Log(count)
	if count["restored"] < 1000 || count["changed"] < 1000 || count["more than need be"] > count["restored"]/20 {
		t.Errorf("expected most to be known, and 1000 of each at least, saw %v", count)
	}
}
