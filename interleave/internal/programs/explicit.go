package programs

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/interleave/internal/strategy"
)

// An explicit is a program whose threads are carried out by the interpreter, a step
// at a time as a chooser says: the reduction and what it goes by, without coroutines
// and drop-ins, and many times as fast. It has no Await, which is a loop.
type explicit struct {
	p       *Program
	x       order.Execution
	s       state
	threads [mostThreads]order.Thread
	buffers [mostThreads]order.Thread
	started []*order.Thread
	before  [mostThreads][]follows // by thread: of the stores in its buffer
	shared  object.State           // of the channels
	memory  [objectsInAll]byte     // objects have addresses
}

// follows is what happens before a store in a buffer, and the last event of that.
type follows struct {
	clock order.Clock
	past  int32
}

// Objects by number: addresses of explicit.memory.
const (
	firstWord    = 0
	firstMutex   = firstWord + words
	onceWord     = firstMutex + mutexes + 1
	rwLock       = onceWord + 1
	condition    = rwLock + 1
	group        = condition + 1
	table        = group + 1
	thePool      = table + 1
	allChannels  = thePool + 1
	objectsInAll = allChannels + 1
)

// run carries out executions until ch says that there are no more, or there were
// limit, and calls each after every one. It returns how many there were.
func (e *explicit) run(ch strategy.Chooser, limit int, each func()) (n int, err error) {
	for more := true; more && n < limit; n++ {
		if err := e.once(ch); err != nil {
			return n, err
		}
		each()
		more = ch.End(&e.x)
	}
	return n, nil
}

// once carries out one execution.
func (e *explicit) once(ch strategy.Chooser) error {
	x := &e.x
	x.Begin()
	ch.Begin(x)
	x.Clocked = true
	e.started = e.started[:0]
	e.s = e.p.first()
	if e.p.hasChannels() {
		e.shared = object.State{}
		x.Locate(unsafe.Pointer(&e.memory[allChannels]))
	}
	nth := 0
	for t := range e.p.Threads {
		if !e.p.Threads[t].Child {
			e.start(t, -1, nth)
			nth++
		}
	}
	now := -1
	for {
		enabled := e.enabled()
		if enabled == 0 {
			break
		}
		if now >= 0 && !enabled.Has(now) {
			now = -1
		}
		id, err := ch.Choose(x, strategy.Choice{Threads: enabled, Now: now})
		if err != nil {
			return err
		}
		if id < 0 {
			return fmt.Errorf("the execution is broken off after %d steps", len(x.Events))
		}
		now = id
		if err := e.carryOut(id, ch); err != nil {
			return err
		}
	}
	if x.Pairs {
		for t := range e.p.Threads {
			if th := &e.threads[t]; e.s.threads[t].status == runs && th.Next.Waits {
				x.NoteWaiter(th, e.drains(t))
			}
		}
	}
	return nil
}

// start makes thread t, and has it come to its first operation.
func (e *explicit) start(t, parent, nth int) {
	th := &e.threads[t]
	*th = order.Thread{ID: e.x.IDOf(parent, nth), Parent: parent, Nth: nth}
	e.x.Start(th)
	e.started = append(e.started, th)
	e.before[t] = e.before[t][:0]
	e.comeTo(t, 0)
}

// comeTo says what t has done since line from without an operation, and announces
// its next. Like the engine, it has the threads that t starts come to theirs first.
func (e *explicit) comeTo(t int, from uint8) {
	s, th, nth := &e.s.threads[t], &e.threads[t], 0
	for i, in := range e.p.Threads[t].Code[:s.at] {
		if in.Op != Go {
			continue
		}
		if i >= int(from) {
			e.start(in.Obj, th.ID, nth)
		}
		nth++
	}
	if s.status != runs {
		return
	}
	kind, at, waits := e.p.announced(&e.s, t)
	th.Next = order.Next{Kind: kind, Write: kind.MayWrite(), Waits: waits, Loc: -1}
	if at >= 0 {
		e.locate(&th.Next, at)
	}
}

func (e *explicit) locate(n *order.Next, at int) {
	var fresh bool
	if n.Loc, fresh = e.x.Locate(unsafe.Pointer(&e.memory[at])); !fresh {
		return
	}
	first := &e.x.Objects[n.Loc].First
	switch {
	case at == firstMutex && e.p.Locked, at == rwLock && e.p.WLocked:
		first.Held = 1
	case at == rwLock && e.p.RLocked:
		first.Readers = 1
	case at == group && e.p.Counted:
		first.Count = 1
	}
}

// drains reports whether what t has announced waits for its buffer to be empty.
func (e *explicit) drains(t int) bool {
	n := &e.threads[t].Next
	return e.p.TSO && n.Kind.Drains() && !(n.Kind == object.Store && n.Loc < 0)
}

// enabled returns the threads that can go on, by ID.
func (e *explicit) enabled() (set order.ThreadSet) {
	for t := range e.p.Threads {
		if s := e.s; e.p.step(&s, t, 0) {
			set |= e.threads[t].Bit()
		}
		if e.s.threads[t].buffer.n > 0 {
			set |= e.buffers[t].Bit()
		}
	}
	return set
}

// carryOut carries out what the thread with an ID has announced. Ch chooses what that
// does, if there are several things.
func (e *explicit) carryOut(id int, ch strategy.Chooser) error {
	x := &e.x
	for t := range e.p.Threads {
		th, s := &e.threads[t], &e.s.threads[t]
		switch {
		case s.buffer.n > 0 && e.buffers[t].ID == id:
			e.flush(t)
			return nil
		case s.status != runs || th.ID != id:
			continue
		}
		if e.drains(t) && th.Buffer != nil {
			x.Follow(th, &th.Buffer.Clock, th.Buffer.Past)
		}
		from, was, pick := s.at, e.s, 0
		n := e.p.picks(&e.s, t)
		if n > 1 {
			var err error
			if pick, err = ch.Choose(x, strategy.Choice{Now: id, Of: n}); err != nil {
				return err
			}
		}
		e.p.step(&e.s, t, pick)
		op, changed := e.p.did(&was, &e.s, t)
		if n > 1 {
			op.Pick = uint16(pick) + 1
		}
		var talked object.Communicated
		if op.On = e.p.channelsOf(e.p.Threads[t].Code[from]); op.On != nil {
			op.Kind, op.Thread = th.Next.Kind, uint8(th.ID)
			talked = e.shared.Communicate(&op, int32(len(x.Events)))
			op.On.Touch = talked.Touch
		}
		x.Add(th, &op, changed)
		if e.p.Threads[t].Code[from].Op == Release && e.p.TSO {
			e.before[t] = append(e.before[t], follows{th.Clock, th.Past})
			e.show(t)
		}
		if op.On != nil {
			return e.communicated(t, from, &was, pick, &talked)
		}
		e.comeTo(t, from)
		return nil
	}
	return fmt.Errorf("there is no thread %d", id)
}

// show announces what empties t's buffer.
func (e *explicit) show(t int) {
	th, b := &e.threads[t], &e.buffers[t]
	if th.Buffer == nil {
		*b = order.Thread{ID: e.x.IDOf(th.ID, -1), Parent: th.ID, Nth: -1, Owner: th}
		e.x.Start(b)
		e.started = append(e.started, b)
		th.Buffer = b
	}
	if s := &e.s.threads[t]; s.buffer.n > 0 {
		b.Next = order.Next{Kind: object.Store, Write: true, Loc: -1}
		e.locate(&b.Next, firstWord+int(s.buffer.item[0]))
	}
}

func (e *explicit) flush(t int) {
	s, b := &e.s.threads[t], &e.buffers[t]
	first := e.before[t][0]
	e.x.Follow(b, &first.clock, first.past)
	e.before[t] = append(e.before[t][:0], e.before[t][1:]...)
	old, value := e.s.words[s.buffer.item[0]], s.values.item[0]
	e.s.flush(t)
	e.x.Add(b, &object.Op{Read: uint64(old), Wrote: uint64(value)}, true)
	e.show(t)
}

// communicated has threads go on after an operation of t on channels. It is an error if the
// interpreter knows of other partners than package object, or has taken another case.
func (e *explicit) communicated(t int, from uint8, was *state, pick int, did *object.Communicated) error {
	x, th := &e.x, &e.threads[t]
	taken := -1
	if ready := e.p.open(was, e.p.Threads[t].Code[from]); len(ready) > 0 {
		taken = ready[pick]
	}
	at := int32(len(x.Events)) - 1
	for _, a := range did.After {
		x.Follow(th, &x.Clocks[a], a)
	}
	if !did.Waits {
		e.comeTo(t, from)
	}
	partners := did.Partner
	for u := range e.p.Threads {
		other := &e.threads[u]
		if !was.threads[u].waits || e.s.threads[u].waits {
			continue
		}
		i := slices.IndexFunc(partners, func(p uint8) bool { return int(p) == other.ID })
		if i < 0 {
			return fmt.Errorf("thread %c goes on after an operation of %c, and package object does not know it", 'a'+u, 'a'+t)
		}
		partners = slices.Delete(slices.Clone(partners), i, i+1)
		x.Follow(other, &x.Clocks[at], at)
		e.comeTo(u, was.threads[u].at)
	}
	if len(partners) > 0 || did.Waits != e.s.threads[t].waits || did.Case != taken {
		return fmt.Errorf("after an operation of %c: expected as the interpreter case %d and no other partners, saw %+v", 'a'+t, taken, *did)
	}
	return nil
}
