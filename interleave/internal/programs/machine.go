package programs

// The interpreter: a state machine of threads and objects, each step one that the
// documentation of sync and sync/atomic tells apart.

type status uint8

const (
	notStarted status = iota
	runs
	ended
	panicked
)

// A state is comparable, so that a map can tell which were visited.
type state struct {
	threads [mostThreads]threadState
	words   [words]uint8
	mutexes [mutexes + 1]bool // the last is that of the Once
	done    bool              // of the Once
	// The lock for readers and writers, as sync.RWMutex counts.
	writer  bool
	readers int8
	leaving int8 // readers that the writer waits for
	count   int8
	stored  [keys]uint8
	queue   list // of the condition
	pool    list

	channels [chans + timers]channel // the last are those of timers
	now      uint8
	alarms   [timers + mostThreads]alarm // of timers, and those that start threads
}

type threadState struct {
	at, stage uint8
	status    status
	signalled bool
	waits     bool  // for a partner at a channel
	way       uint8 // the one of two that are the same
	until     uint8 // when its sleep is over
	history   uint64
	buffer    list // of words
	values    list
}

type list struct {
	n    uint8
	item [8]uint8
}

func (l *list) push(x uint8) {
	l.item[l.n] = x
	l.n++
}

func (l *list) pop(at uint8) uint8 {
	x := l.item[at]
	copy(l.item[at:], l.item[at+1:])
	l.n--
	l.item[l.n] = 0
	return x
}

func (p *Program) first() state {
	var s state
	s.mutexes[0] = p.Locked
	s.writer = p.WLocked
	if p.RLocked {
		s.readers = 1
	}
	if p.Counted {
		s.count = 1
	}
	if p.Put {
		s.pool.push(9)
	}
	if p.Stored {
		s.stored[0] = 1
	}
	for range p.filled() {
		s.channels[0].values.push(2)
	}
	s.channels[1].closed = p.Shut
	for i, d := range p.Due {
		s.alarms[i] = alarm{set: d > 0, when: d}
	}
	for t := range p.Threads {
		if !p.Threads[t].Child {
			s.threads[t].status = runs
			p.settle(&s, t)
		}
	}
	return s
}

// settle does what is no step: starts threads, asks for the time, and ends the thread after its
// last line.
func (p *Program) settle(s *state, t int) {
	th := &s.threads[t]
	for code := p.Threads[t].Code; th.status == runs; {
		if int(th.at) == len(code) {
			th.status = ended
			return
		}
		switch in := code[th.at]; in.Op {
		case Go:
			th.at++
			p.begin(s, in.Obj)
		case Later:
			th.at++
			s.set(timers+in.Obj, in.B)
		case Now:
			p.read(s, t, in, s.now)
		case Sleep:
			if in.B > 0 {
				th.until = s.now + in.B
				return
			}
			p.read(s, t, in, 0)
		case TimerReset:
			th.until = s.now + in.B // before it has the lock
			return
		default:
			return
		}
	}
}

// begin starts a thread.
func (p *Program) begin(s *state, t int) {
	if s.threads[t].status == notStarted {
		s.threads[t].status = runs
		p.settle(s, t)
	}
}

// Outcomes returns what can come of p, false if there are more than limit states.
func (p *Program) Outcomes(limit int) (map[Outcome]bool, bool) {
	first := p.first()
	seen := map[state]bool{first: true}
	todo := []state{first}
	out := map[Outcome]bool{}
	for len(todo) > 0 {
		now := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		moved := false
		visit := func(s *state) {
			moved = true
			if !seen[*s] {
				seen[*s] = true
				todo = append(todo, *s)
			}
		}
		for t := range p.Threads {
			for pick := range p.picks(&now, t) {
				if s := now; p.step(&s, t, pick) {
					visit(&s)
				}
			}
			if s := now; s.flush(t) {
				visit(&s)
			}
		}
		for i := range now.alarms {
			if s := now; p.fires(&s, i) {
				visit(&s)
			}
		}
		if s := now; (p.Late || !moved) && p.passes(&s) {
			visit(&s)
		}
		if len(seen) > limit {
			return nil, false
		}
		if !moved {
			out[now.outcome()] = true
		}
	}
	return out, true
}

// An Outcome is what is left when nobody can go on.
type Outcome struct {
	Threads [mostThreads]struct {
		Status  status
		History uint64
	}
	Words [words]uint8
}

func (s *state) outcome() (o Outcome) {
	for t := range s.threads {
		o.Threads[t].Status = s.threads[t].status
		o.Threads[t].History = s.threads[t].history
	}
	o.Words = s.words
	return o
}

// flush moves the oldest store of a thread's buffer to memory.
func (s *state) flush(t int) bool {
	th := &s.threads[t]
	if th.buffer.n == 0 {
		return false
	}
	s.words[th.buffer.pop(0)] = th.values.pop(0)
	return true
}

func note(history uint64, read uint8) uint64 {
	return (history ^ uint64(read+1)) * 0x9e3779b97f4a7c15 >> 1
}
