package programs

// picks returns how many things the next step of thread t may do.
func (p *Program) picks(s *state, t int) int {
	th := &s.threads[t]
	if th.status != runs {
		return 1
	}
	switch in := p.Threads[t].Code[th.at]; in.Op {
	case PoolGet:
		return int(s.pool.n) + 1
	case Signal:
		if p.Any {
			return max(1, int(s.queue.n))
		}
	case ChanSelect, ChanTrySelect:
		if !th.waits {
			ready := len(p.open(s, in))
			if all, orElse := in.ways(); ready == 0 && !orElse && all[0] == all[1] {
				return 2 // which of the two waits
			}
			return max(1, ready)
		}
	}
	return 1
}

// step carries out the next step of thread t, the pick-th of the things that it may do,
// and reports whether it can go on.
func (p *Program) step(s *state, t, pick int) bool {
	th := &s.threads[t]
	if th.status != runs || th.waits {
		return false
	}
	in := p.Threads[t].Code[th.at]
	if th.buffer.n > 0 && drains(in.Op, th.stage) {
		return false // until its stores are in memory
	}
	r := result{}
	switch {
	case in.Op <= Gosched:
		r = p.stepWord(s, th, in)
	case in.Op <= TryLock:
		r = s.stepMutex(&s.mutexes[in.Obj], in.Op)
	case in.Op <= TryWLock:
		r = s.stepRW(th, in.Op)
	case in.Op <= Broadcast:
		r = s.stepCond(th, t, in.Op, pick)
	case in.Op <= WaitGroup:
		r = s.stepGroup(in.Op)
	case in.Op == Once:
		r = s.stepOnce(th)
	case in.Op <= MapCompareAndSwap:
		r = s.stepMap(in)
	case in.Op == Sleep:
		r = result{waits: s.now < th.until}
	case in.Op == TimerReset || in.Op == TimerStop:
		r = s.stepTimer(th, in)
	case in.Op >= ChanSend:
		r = p.stepChannel(s, t, in, pick)
	default:
		r = s.stepPool(in, pick)
	}
	switch {
	case r.waits:
		return false
	case r.parks:
	case r.panics:
		th.status = panicked
	case r.more:
		th.stage++
	default:
		p.next(s, t, in, r.read)
	}
	return true
}

// next goes to the next line.
func (p *Program) next(s *state, t int, in Instr, read uint8) {
	p.read(s, t, in, read)
	p.settle(s, t)
}

// read is the end of a line.
func (p *Program) read(s *state, t int, in Instr, read uint8) {
	th := &s.threads[t]
	th.history = note(th.history, read)
	th.stage, th.until = 0, 0
	th.at++
	if in.Skip && read == in.A && int(th.at) < len(p.Threads[t].Code) && p.Threads[t].Code[th.at].Op < Go {
		th.at++
	}
}

// drains says which steps wait for the thread's buffer to be empty: those that
// may write, as on x86.
func drains(op Op, stage uint8) bool {
	switch op {
	case Load, Release, Await, Gosched, WaitGroup, MapLoad, Sleep:
		return false
	case Wait:
		return stage != 2
	case Once:
		return stage == 1 || stage >= 3
	}
	return true
}

// A result says how a step went.
type result struct {
	waits  bool
	parks  bool // it has made the step, and waits for a partner
	panics bool
	more   bool // the line has further steps
	read   uint8
}

func flag(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

func (p *Program) stepWord(s *state, th *threadState, in Instr) result {
	w := &s.words[in.Obj]
	old := *w
	switch in.Op {
	case Load, Await:
		for i := range th.buffer.n {
			if int(th.buffer.item[i]) == in.Obj {
				old = th.values.item[i]
			}
		}
		return result{read: old, waits: in.Op == Await && old == 0}
	case Release:
		if p.TSO {
			th.buffer.push(uint8(in.Obj))
			th.values.push(in.B)
		} else {
			*w = in.B
		}
		return result{}
	case Store:
		*w = in.B
		return result{}
	case Swap:
		*w = in.B
	case Add:
		*w += in.B
		return result{read: *w}
	case And:
		*w &= in.B
	case Or:
		*w |= in.B
	case CompareAndSwap:
		if old == in.A {
			*w = in.B
		}
		return result{read: flag(old == in.A)}
	case Gosched:
		return result{}
	}
	return result{read: old}
}

func (s *state) stepMutex(m *bool, op Op) result {
	was := *m
	switch op {
	case Lock:
		*m = true
		return result{waits: was}
	case Unlock:
		*m = false
		return result{panics: !was}
	}
	*m = true
	return result{read: flag(!was)}
}

func (s *state) stepRW(th *threadState, op Op) result {
	switch op {
	case RLock:
		if s.writer {
			return result{waits: true}
		}
		s.readers++
	case TryRLock:
		if !s.writer {
			s.readers++
		}
		return result{read: flag(!s.writer)}
	case RUnlock:
		if s.readers == 0 {
			return result{panics: true}
		}
		s.readers--
		if s.writer {
			s.leaving--
		}
	case WLock:
		if th.stage == 1 {
			return result{waits: s.leaving != 0}
		}
		if s.writer {
			return result{waits: true}
		}
		s.writer = true
		s.leaving += s.readers
		return result{more: s.readers != 0}
	case WUnlock:
		was := s.writer
		s.writer = false
		return result{panics: !was}
	case TryWLock:
		ok := !s.writer && s.readers == 0
		s.writer = s.writer || ok
		return result{read: flag(ok)}
	}
	return result{}
}

func (s *state) stepCond(th *threadState, t int, op Op, pick int) result {
	switch op {
	case Signal:
		if s.queue.n > 0 {
			s.threads[s.queue.pop(uint8(pick))].signalled = true
		}
		return result{}
	case Broadcast:
		for s.queue.n > 0 {
			s.threads[s.queue.pop(0)].signalled = true
		}
		return result{}
	}
	switch th.stage {
	case 0:
		s.queue.push(uint8(t))
	case 1:
		if r := s.stepMutex(&s.mutexes[0], Unlock); r.panics {
			return r
		}
	case 2:
		if !th.signalled {
			return result{waits: true}
		}
		th.signalled = false
	default:
		return s.stepMutex(&s.mutexes[0], Lock)
	}
	return result{more: true}
}

func (s *state) stepGroup(op Op) result {
	switch op {
	case Done:
		s.count--
	case Count:
		s.count++
	default:
		return result{waits: s.count != 0}
	}
	return result{panics: s.count < 0}
}

// stepOnce: the word, the lock, the word again, the function, the word, the unlock.
func (s *state) stepOnce(th *threadState) result {
	m := &s.mutexes[mutexes]
	switch th.stage {
	case 0:
		return result{more: !s.done}
	case 1:
		if *m {
			return result{waits: true}
		}
		*m = true
	case 2:
		if s.done {
			th.stage = 4 // and one more
		}
	case 3:
		s.words[0]++
	case 4:
		s.done = true
	default:
		*m = false
		return result{}
	}
	return result{more: true}
}

func (s *state) stepMap(in Instr) result {
	v := &s.stored[in.Obj]
	old := *v
	switch in.Op {
	case MapStore:
		*v = in.B
		return result{}
	case MapLoadOrStore:
		if old == 0 {
			*v = in.B
		}
		return result{read: *v + 8*flag(old != 0)}
	case MapLoadAndDelete:
		*v = 0
	case MapCompareAndSwap:
		if old != 0 && old == in.A {
			*v = in.B
		}
		return result{read: flag(old != 0 && old == in.A)}
	}
	return result{read: old}
}

func (s *state) stepPool(in Instr, pick int) result {
	if in.Op == PoolPut {
		s.pool.push(in.B)
		return result{}
	}
	if pick >= int(s.pool.n) {
		return result{} // there may be something, all the same
	}
	return result{read: s.pool.pop(s.pool.n - 1 - uint8(pick))}
}
