//go:build spindle_runtime

package engine

import (
	"sync"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/certificate"
	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/place"
	"github.com/spindle-go/spindle/interleave/internal/race"
)

// Channels of the runtime.
//
// A thread announces what it does with a channel, as any operation. When it has its turn, package object says what comes of it: whether it waits for a
// partner, and who goes on that has waited for it. Then the runtime carries it out, and must come to the same. A thread that
// has found its partner comes to its next operation before it is decided who goes on.
//
// What goroutines outside do with a channel is not known. Where it shows, it is a doubt, and nothing is reduced.

//go:linkname spindleCaseAt runtime.spindleCaseAt
func spindleCaseAt(i int) (c unsafe.Pointer, send bool)

//go:linkname spindleChannel runtime.spindleChannel
func spindleChannel(c unsafe.Pointer) (capacity, length int, closed, waits bool)

// kinds are the operations on channels, as the runtime counts them.
var kinds = [...]object.Kind{object.Send, object.Receive, object.Select, object.Close, object.Look}

// accessOf returns which access to a channel an operation is, as the race detector has it: what closes a channel races with what sends to it. A select of several
// cases is none, and to close what is closed.
func accessOf(kind int, on *object.Channels, at []unsafe.Pointer) race.Role {
	if len(at) != 1 || at[0] == nil {
		return race.Read
	}
	switch {
	case kinds[kind] == object.Close:
		if _, _, closed, _ := spindleChannel(at[0]); !closed {
			return race.Close
		}
	case on.Cases[0].Send:
		return race.Send
	}
	return race.Read
}

// outside is what the runtime counts after them: the channel is that of a timer that goes by the real clock.
const outside = 5

// A talk is what is known of the channels of an execution.
type talk struct {
	sync.Mutex // of ids and made, since goroutines may run beside the body
	state      object.State
	cases      map[unsafe.Pointer]object.Case // by channel: as it was when it was seen first
	ids        map[unsafe.Pointer]channelID
	made       map[channelID]int32 // by who makes them, and where: how many
	others     map[unsafe.Pointer]bool
	woken      []int // threads
	clocks     map[int32]race.Past
	// Of all executions.
	numbers map[channelID]int
	names   []channelID // by number
	called  []string    // by number: as the source calls it at an operation
}

// A channelID is the same in all executions that have come to the make of a channel in the same way.
type channelID struct {
	thread, count, nth int32
	by                 *place.Call // where it is made
	whose              *place.Call // for whom, if that is in the standard library: the first caller outside of it, or nil
	addr               uintptr     // of one that was there before
}

func (s *scheduler) forgetChannels() {
	k := &s.house.talk
	k.state = object.State{}
	k.woken = k.woken[:0]
	clear(k.cases)
	clear(k.ids)
	clear(k.made)
	clear(k.others)
	clear(k.clocks)
}

// foreign says that goroutines outside use a channel.
func (k *talk) foreign(c unsafe.Pointer) {
	if k.others == nil {
		k.others = make(map[unsafe.Pointer]bool)
	}
	k.others[c] = true
}

// madeChannel is asked where a thread, or the body, makes a channel.
func madeChannel(c unsafe.Pointer) {
	defer handsBack(takesOver())
	s := current
	if !s.takesPart() || !s.channels {
		return
	}
	k := &s.house.talk
	if !onThread() {
		k.Lock()
		defer k.Unlock()
		if controlled {
			return
		}
	}
	if k.ids == nil {
		k.ids, k.made = make(map[unsafe.Pointer]channelID), make(map[channelID]int32)
	}
	id := channelID{thread: -1, by: called(place.Reflect | place.Timers)}
	if id.by != nil && id.by.Std {
		id.whose = beyond()
	}
	if t := s.running; onThread() {
		id.thread, id.count = int32(t.ID), t.Count
	}
	k.made[id]++
	id.nth = k.made[id]
	k.ids[c] = id
}

// caseOf returns what an operation does with a channel, but for the direction.
func (k *talk) caseOf(c unsafe.Pointer) object.Case {
	if c == nil {
		return object.Case{Chan: -1}
	}
	if known, ok := k.cases[c]; ok {
		return known
	}
	id, ok := k.ids[c]
	if !ok {
		id.addr = uintptr(c)
	}
	if k.numbers == nil {
		k.numbers = make(map[channelID]int)
	}
	n, ok := k.numbers[id]
	if !ok {
		n = len(k.numbers)
		k.numbers[id] = n
		k.names = append(k.names, id)
		k.called = append(k.called, "")
	}
	known := object.Case{Chan: n}
	known.Cap, known.Len, known.Closed, _ = spindleChannel(c)
	if k.cases == nil {
		k.cases = make(map[unsafe.Pointer]object.Case)
	}
	k.cases[c] = known
	return known
}

// talks is asked where a thread is about to make an operation on channels. It returns the case that a select is to take, or -1.
func talks(kind, n int, orElse bool) int {
	defer handsBack(takesOver())
	s := current
	if !onThread() || !s.takesPart() {
		return -1
	}
	site, _ := siteOfCall(place.Reflect)
	if kind == outside {
		s.unseen, s.unordered = true, true
		s.doubts.Add(certificate.NotSeen, "a timer that was set outside of the exploration", place.Where(site))
		return -1
	}
	t := s.running
	k := &s.house.talk
	on := &object.Channels{Default: orElse}
	at := make([]unsafe.Pointer, n)
	for i := range at {
		c, send := spindleCaseAt(i)
		if k.others[c] {
			return -1
		}
		at[i] = c
		on.Cases = append(on.Cases, object.Case{Send: send})
	}
	if !s.channels {
		s.channels = true
		s.beginAnew()
	}
	s.with = given{a: spindleArgumentOf(), known: true}
	begin(unsafe.Pointer(&s.channels), kinds[kind], site, nil, nil)
	if r := accessOf(kind, on, at); r != race.Read && PlainAccesses {
		s.races.Access(at[0], 1, t.ID, r, site)
	}
	for i, c := range at {
		_, seen := k.cases[c]
		known := k.caseOf(c)
		on.Cases[i].Chan, on.Cases[i].Cap, on.Cases[i].Len, on.Cases[i].Closed = known.Chan, known.Cap, known.Len, known.Closed
		if c == nil {
			continue
		}
		_, length, closed, waits := spindleChannel(c)
		if l, shut, waiting := k.state.Observe(&on.Cases[i]); l != length || shut != closed || !seen && waits || waits && !waiting {
			s.strange(c)
			end(0, 0, true, false)
			return -1
		}
	}
	if len(at) == 1 {
		if n := on.Cases[0].Chan; n >= 0 && k.called[n] == "" {
			k.called[n] = place.Of(site).Expr
		}
	}
	first := -1
	op := object.Op{Thread: uint8(t.ID), Kind: t.Next.Kind, On: on}
	var ready []int
	if op.Kind == object.Select {
		ready = k.state.CasesReady(on)
		switch {
		case len(ready) > 1:
			s.pick(len(ready))
		case len(ready) == 0 && !orElse && on.Twice():
			first = s.pick(n)
			if n > 2 {
				s.doubts.Add(certificate.NotSeen, "in which order a select waits at a channel that it names more than once", "")
			}
		}
		op.Pick = s.op.Pick
	}
	event := int32(len(s.Events))
	did := k.state.Communicate(&op, event)
	if on.Touch = did.Touch; did.Several {
		s.goesBy("a channel serves the thread that has waited longest")
	}
	if on.Touch != 0 {
		s.op.On = on
	} else {
		t.Next.Loc = -1 // a channel that is nil
	}
	if op.Kind == object.Look {
		_, n, _, _ := spindleChannel(at[0])
		end(uint64(n), uint64(n), false, false)
		if s.told != nil {
			s.tell(event, &op, &did, nil)
		}
		return -1
	}
	end(uint64(did.Case+1), 0, true, false)
	if s.told != nil {
		s.tell(event, &op, &did, ready)
	}
	t.seat.partner, t.seat.on = did.Waits, on
	if PlainAccesses {
		if k.clocks == nil {
			k.clocks = make(map[int32]race.Past)
		}
		k.clocks[event] = *s.races.Now(t.ID)
		s.races.Next(t.ID)
	}
	panics := false // and acquires nothing
	if c := max(did.Case, 0); (op.Kind == object.Close || did.Case == c && on.Cases[c].Send) && at[c] != nil {
		_, _, panics, _ = spindleChannel(at[c])
	}
	follow := func(w *thread, a int32, acquires bool) {
		if s.Clocked {
			s.Follow(&w.Thread, &s.Clocks[a], a)
		}
		if PlainAccesses && acquires {
			then := k.clocks[a]
			s.races.Now(w.ID).Join(&then, s.Width)
		}
	}
	for _, a := range did.After {
		follow(t, a, !panics)
	}
	for _, p := range did.Partner {
		follow(s.byID[p], event, true)
		k.woken = append(k.woken, int(p))
	}
	return max(did.Case, first)
}
