package programs

// Channels, as the language says, and as the runtime chooses where it does not: who waits
// longest is served first.

// A channel is one of a state.
type channel struct {
	closed bool
	values list
	sends  list // threads that wait
	gets   list
}

// A way is what a line may do with a channel.
type way struct {
	obj  int
	send bool
}

// ways returns those of a line, and whether it does nothing where there is none.
func (in Instr) ways() (all []way, orElse bool) {
	switch in.Op {
	case ChanSend, ChanTrySend:
		all = []way{{in.Obj, true}}
	case ChanReceive, ChanTryReceive:
		all = []way{{in.Obj, false}}
	case ChanSelect, ChanTrySelect:
		first, second := in.Obj%ofTimer%ways, in.Obj%ofTimer/ways
		all = []way{{first % chans, first >= chans}, {second % chans, second >= chans}}
		if in.Obj&ofTimer != 0 {
			all[1] = way{chans + second%timers, false}
		}
	case TimerReceive, TimerTryReceive:
		all = []way{{chans + in.Obj, false}}
	}
	return all, in.Op == ChanTrySend || in.Op == ChanTryReceive || in.Op == ChanTrySelect || in.Op == TimerTryReceive
}

// A select's Obj says which two ways it has, each one of so many, and by a bit whether the second is to receive from a timer.
const (
	ways    = 2 * chans
	ofTimer = 64
)

// capacity is that of a channel, or of a timer's.
func (p *Program) capacity(obj int) int {
	if obj >= chans {
		return 1
	}
	return p.Caps[obj]
}

// open returns the ways that can be taken at once.
func (p *Program) open(s *state, in Instr) (ready []int) {
	all, _ := in.ways()
	for i, w := range all {
		c := &s.channels[w.obj]
		if c.closed || w.send && (c.gets.n > 0 || int(c.values.n) < p.capacity(w.obj)) || !w.send && (c.sends.n > 0 || c.values.n > 0) {
			ready = append(ready, i)
		}
	}
	return ready
}

// What a line of channels reads: what was received, or that something was sent, and of several ways which.
const (
	sent    = 4
	nothing = 7 // was ready
)

func (p *Program) stepChannel(s *state, t int, in Instr, pick int) result {
	switch in.Op {
	case ChanClose:
		c := &s.channels[in.Obj]
		if c.closed {
			return result{panics: true}
		}
		c.closed = true
		for c.gets.n > 0 {
			p.goesOn(s, int(c.gets.item[0]), in.Obj, false, 0, false)
		}
		for c.sends.n > 0 {
			p.goesOn(s, int(c.sends.item[0]), in.Obj, true, 0, true)
		}
		return result{}
	case ChanLen:
		return result{read: s.channels[in.Obj].values.n}
	}
	ready := p.open(s, in)
	all, orElse := in.ways()
	switch {
	case len(ready) > 0:
		i := ready[pick]
		v, panics := p.takes(s, all[i], in)
		return result{read: worth(in, i, v), panics: panics}
	case orElse:
		return result{read: nothing}
	}
	for _, w := range all {
		if c := &s.channels[w.obj]; w.send {
			c.sends.push(uint8(t))
		} else {
			c.gets.push(uint8(t))
		}
	}
	s.threads[t].waits, s.threads[t].way = true, uint8(pick)
	return result{parks: true}
}

// worth is what a line reads whose ith way was taken.
func worth(in Instr, i int, v uint8) uint8 {
	if in.Op == ChanSelect || in.Op == ChanTrySelect {
		return v + 8*uint8(i+1)
	}
	return v
}

// takes takes a way that is ready.
func (p *Program) takes(s *state, w way, in Instr) (read uint8, panics bool) {
	c := &s.channels[w.obj]
	switch {
	case w.send && c.closed:
		return 0, true
	case w.send && c.gets.n > 0:
		p.goesOn(s, int(c.gets.item[0]), w.obj, false, in.B, false)
		return sent, false
	case w.send:
		c.values.push(in.B)
		return sent, false
	case c.values.n > 0:
		v := c.values.pop(0)
		if c.sends.n > 0 {
			c.values.push(p.goesOn(s, int(c.sends.item[0]), w.obj, true, 0, false))
		}
		return v, false
	case c.sends.n > 0:
		return p.goesOn(s, int(c.sends.item[0]), w.obj, true, 0, false), false
	}
	return 0, false // it is closed
}

// goesOn has a thread go on that waits at a channel. It returns what that has sent.
func (p *Program) goesOn(s *state, t, obj int, send bool, v uint8, panics bool) uint8 {
	th := &s.threads[t]
	in := p.Threads[t].Code[th.at]
	all, _ := in.ways()
	way := -1
	for i, w := range all {
		c := &s.channels[w.obj]
		q := &c.gets
		if w.send {
			q = &c.sends
		}
		for k := uint8(0); k < q.n; {
			if int(q.item[k]) == t {
				q.pop(k)
			} else {
				k++
			}
		}
		if way < 0 && w.obj == obj && w.send == send {
			way = i
		}
	}
	if len(all) > 1 && all[0] == all[1] {
		way = int(th.way)
	}
	th.waits, th.way = false, 0
	if panics {
		th.status = panicked
		return 0
	}
	if send {
		v = sent
	}
	p.next(s, t, in, worth(in, way, v))
	return in.B
}
