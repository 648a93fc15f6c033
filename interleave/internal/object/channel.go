package object

import "github.com/spindle-go/spindle/interleave/internal/list"

// Channels.
//
// All channels of an execution are one object, with many parts: each channel has two, the
// side of its senders and that of its receivers. Operations conflict if they touch the
// same part. To send and to receive do not conflict, on whatever channel: the nth value
// that is sent is the nth that is received, in whatever order the two come. So an operation
// on a channel never waits: it takes its place, and its thread goes on when it has its
// partner, or a place in the buffer.
//
// A select that waits has a place at several channels. When one of its cases is taken, it
// loses the other places. So it touches both sides of all of its channels. Its partner
// touches them, too.

// A Case is what an operation does with a channel.
type Case struct {
	Chan int // its number, from 0, the same in all executions of an exploration; below 0: nil
	Send bool
	// What it was when it was first seen.
	Cap, Len int
	Closed   bool
}

// Channels are those of an operation: one, or those of a select.
type Channels struct {
	Cases   []Case
	Default bool   // it does nothing where no case is ready
	Touch   uint64 // parts, a bit each
}

var channels = map[Kind]rules{
	Send:    {name: "send", write: writes, do: onChannels},
	Receive: {name: "receive", write: writes, do: onChannels},
	Select:  {name: "select", write: writes, do: onChannels},
	Close:   {name: "close", write: writes, do: onChannels},
	Look:    {name: "len", write: writes, do: onChannels},
}

func onChannels(s *State, o *Op) { s.Communicate(o, 0) }

// A channel is one of a State. Numbers are those of events.
type channel struct {
	cap        int
	closed     bool
	closer     int32
	values     []int32 // in the buffer: by whom
	free       []int32 // places in it: who took what was there before
	sends, get []waiting
}

// waiting is a thread that has its place at a channel.
type waiting struct {
	thread uint8
	event  int32
	on     *Channels
}

// none is the number where there is no event.
const none = -1

// Communicated is what came of an operation on channels.
type Communicated struct {
	Waits   bool    // its thread does, for a partner
	Case    int     // which case was taken, -1 for none
	Touch   uint64  // the parts
	After   []int32 // events that its thread goes on after
	Partner []uint8 // threads that go on after the operation
	Several bool    // one of several did that waited at one side
}

// Twice reports whether two cases have the same channel and the same direction: the runtime
// chooses which of them comes first in a select that waits.
func (c *Channels) Twice() bool {
	for i, k := range c.Cases {
		if k.Chan >= 0 && list.ContainsFunc(c.Cases[:i], func(o Case) bool { return o.Chan == k.Chan && o.Send == k.Send }) {
			return true
		}
	}
	return false
}

// side returns the bit of one side of a channel.
func side(n int, send bool) uint64 {
	bit := uint64(1) << (2 * (n % 32))
	if send {
		return bit
	}
	return bit << 1
}

// Parts are both sides of all channels of an operation.
func (c *Channels) Parts() (all uint64) {
	for _, k := range c.Cases {
		if k.Chan >= 0 {
			all |= side(k.Chan, true) | side(k.Chan, false)
		}
	}
	return all
}

func (s *State) channel(k *Case) *channel {
	for k.Chan >= len(s.channels) {
		s.channels = append(s.channels, nil)
	}
	c := s.channels[k.Chan]
	if c == nil {
		c = &channel{cap: k.Cap, closed: k.Closed, closer: none}
		for range k.Len {
			c.values = append(c.values, none)
		}
		for range k.Cap - k.Len {
			c.free = append(c.free, none)
		}
		s.channels[k.Chan] = c
	}
	return c
}

// queue returns those that wait at one side.
func (c *channel) queue(send bool) *[]waiting {
	if send {
		return &c.sends
	}
	return &c.get
}

// ready reports whether a case could be taken at once.
func (s *State) ready(k *Case) bool {
	if k.Chan < 0 {
		return false
	}
	c := s.channel(k)
	if k.Send {
		return c.closed || len(c.get) > 0 || len(c.values) < c.cap
	}
	return c.closed || len(c.sends) > 0 || len(c.values) > 0
}

// CasesReady returns the cases of an operation that could be taken at once.
func (s *State) CasesReady(on *Channels) (all []int) {
	for i := range on.Cases {
		if s.ready(&on.Cases[i]) {
			all = append(all, i)
		}
	}
	return all
}

// Communicate carries out an operation on channels, which is event at. Of several cases
// that are ready o.Pick says which is taken, from 1.
func (s *State) Communicate(o *Op, at int32) (did Communicated) {
	on := o.On
	did.Case = -1
	switch o.Kind {
	case Look:
		did.Touch = on.Parts()
		return did
	case Close:
		did.Touch = on.Parts()
		s.close(on, at, &did)
		return did
	}
	plain := o.Kind != Select
	if plain && on.Cases[0].Chan >= 0 {
		did.Touch = side(on.Cases[0].Chan, on.Cases[0].Send)
	} else {
		did.Touch = on.Parts()
	}
	ready := s.CasesReady(on)
	switch {
	case len(ready) > 0:
		did.Case = ready[min(max(int(o.Pick)-1, 0), len(ready)-1)]
		s.take(on, did.Case, at, &did)
	case on.Default:
	default:
		did.Waits = true
		for i := range on.Cases {
			k := &on.Cases[i]
			if k.Chan < 0 {
				continue
			}
			q := s.channel(k).queue(k.Send)
			*q = append(*q, waiting{o.Thread, at, on})
		}
	}
	return did
}

// Touches says which parts an operation would touch: some for certain, and others perhaps.
func (s *State) Touches(o *Op) (must, may uint64) {
	on := o.On
	ready := s.CasesReady(on)
	if o.Kind == Select && len(ready) > 1 {
		must, may = on.Parts(), on.Parts()
		for _, i := range ready {
			k := &on.Cases[i]
			c := s.channel(k)
			if q := *c.queue(!k.Send); !c.closed && len(q) > 0 && len(q[0].on.Cases) > 1 {
				may |= q[0].on.Parts()
			}
		}
		return must, may
	}
	did := s.Communicate(o, none)
	return did.Touch, did.Touch
}

// take takes a case that is ready.
func (s *State) take(on *Channels, i int, at int32, did *Communicated) {
	k := &on.Cases[i]
	c := s.channel(k)
	did.Several = !c.closed && len(*c.queue(!k.Send)) > 1
	switch {
	case k.Send && c.closed:
		did.after(c.closer)
	case k.Send && len(c.get) > 0 && c.cap > 0: // it takes a place, which the other leaves
		w := c.get[0]
		did.after(c.free[0])
		c.free = append(c.free[1:], w.event)
		s.goesOn(w, did)
	case k.Send && len(c.get) > 0:
		did.after(c.get[0].event)
		s.goesOn(c.get[0], did)
	case k.Send:
		did.after(c.free[0])
		c.free = c.free[1:]
		c.values = append(c.values, at)
	case len(c.values) > 0:
		did.after(c.values[0])
		c.values = c.values[1:]
		if len(c.sends) > 0 {
			w := c.sends[0]
			c.values = append(c.values, w.event)
			s.goesOn(w, did)
		} else {
			c.free = append(c.free, at)
		}
	case len(c.sends) > 0:
		did.after(c.sends[0].event)
		s.goesOn(c.sends[0], did)
	default:
		did.after(c.closer)
	}
}

func (did *Communicated) after(event int32) {
	if event != none {
		did.After = append(did.After, event)
	}
}

// goesOn has a thread go on that waits, and takes it out of all of its places.
func (s *State) goesOn(w waiting, did *Communicated) {
	did.Partner = append(did.Partner, w.thread)
	if len(w.on.Cases) > 1 {
		did.Touch |= w.on.Parts()
	}
	for i := range w.on.Cases {
		k := &w.on.Cases[i]
		if k.Chan < 0 {
			continue
		}
		q := s.channel(k).queue(k.Send)
		*q = list.DeleteFunc(*q, func(o waiting) bool { return o.event == w.event && o.thread == w.thread })
	}
}

// close closes a channel: all that wait go on.
func (s *State) close(on *Channels, at int32, did *Communicated) {
	k := &on.Cases[0]
	if k.Chan < 0 {
		return
	}
	c := s.channel(k)
	if c.closed {
		did.after(c.closer)
		return
	}
	c.closed, c.closer = true, at
	for _, send := range []bool{false, true} {
		for q := c.queue(send); len(*q) > 0; {
			s.goesOn((*q)[0], did)
		}
	}
}

// Observe returns what a channel is like: how many values it has, whether it is closed, and
// whether a thread waits at it.
func (s *State) Observe(k *Case) (length int, closed, waits bool) {
	c := s.channel(k)
	return len(c.values), c.closed, len(c.sends)+len(c.get) > 0
}
