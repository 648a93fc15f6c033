package programs

import "github.com/spindle-go/spindle/interleave/internal/object"

// announced returns what thread t does next: the kind of operation, on which object,
// -1 for none, and whether it is of a kind that may have to wait.
func (p *Program) announced(s *state, t int) (kind object.Kind, at int, waits bool) {
	th := &s.threads[t]
	in := p.Threads[t].Code[th.at]
	kind, at = announcedBy(in, th.stage)
	if in.Op == Release && p.TSO {
		at = -1
	}
	switch kind {
	case object.Lock, object.RLock, object.WLock, object.WDrain, object.Wake, object.Wait:
		waits = true
	}
	return kind, at, waits
}

func announcedBy(in Instr, stage uint8) (kind object.Kind, at int) {
	switch op := in.Op; {
	case op == Gosched:
		return object.Gosched, -1
	case op < Gosched:
		return [...]object.Kind{Load: object.Load, Store: object.Store, Release: object.Store, Swap: object.Swap, Add: object.Add, And: object.And, Or: object.Or,
			CompareAndSwap: object.CompareAndSwap, Await: object.Load}[op], firstWord + in.Obj
	case op <= TryLock:
		return [...]object.Kind{object.Lock, object.Unlock, object.TryLock}[op-Lock], firstMutex + in.Obj
	case op == WLock && stage == 1:
		return object.WDrain, rwLock
	case op <= TryWLock:
		return [...]object.Kind{object.RLock, object.RUnlock, object.TryRLock, object.WLock, object.WUnlock, object.TryWLock}[op-RLock], rwLock
	case op == Wait:
		return [...]object.Kind{object.Enqueue, object.Unlock, object.Wake, object.Lock}[stage], [...]int{condition, firstMutex, condition, firstMutex}[stage]
	case op == Signal:
		return object.Signal, condition
	case op == Broadcast:
		return object.Broadcast, condition
	case op == WaitGroup:
		return object.Wait, group
	case op <= Count:
		return object.Count, group
	case op == Once:
		return [...]object.Kind{object.Load, object.Lock, object.Load, object.Add, object.Store, object.Unlock}[stage],
			[...]int{onceWord, firstMutex + mutexes, onceWord, firstWord, onceWord, firstMutex + mutexes}[stage]
	case op == MapLoad:
		return object.MapRead, table
	case op <= MapCompareAndSwap:
		return object.MapWrite, table
	case op == PoolGet:
		return object.PoolGet, thePool
	case op >= ChanSend && op <= ChanLen:
		return [...]object.Kind{object.Send, object.Receive, object.Select, object.Select, object.Select, object.Select, object.Close, object.Look}[op-ChanSend], allChannels
	}
	return object.PoolPut, thePool
}

// did returns what the step of thread t that led from state was to state is was, and
// whether it changed something.
func (p *Program) did(was, is *state, t int) (op object.Op, changed bool) {
	th := &was.threads[t]
	in := p.Threads[t].Code[th.at]
	kind, at := announcedBy(in, th.stage)
	failed := is.threads[t].status == panicked
	set := func(before, after uint8, done bool) {
		op.Read, op.Wrote, changed = uint64(before), uint64(after), done
	}
	word := func(s *state) uint8 {
		if at == onceWord {
			return flag(s.done)
		}
		return s.words[at-firstWord]
	}
	locked := func(ok bool) { // a lock that is taken, or a try that fails
		if set(0, 1, true); !ok {
			set(1, 1, false)
		}
	}
	switch kind {
	case object.Load:
		set(word(was), 0, false)
		for i := range th.buffer.n {
			if int(th.buffer.item[i])+firstWord == at {
				set(th.values.item[i], 0, false)
				op.Own = true
			}
		}
	case object.Store:
		if set(0, in.B, false); in.Op != Release || !p.TSO {
			set(word(was), word(is), true)
		}
	case object.Swap, object.Add, object.And, object.Or:
		set(word(was), word(is), true)
	case object.CompareAndSwap:
		set(word(was), in.B, word(was) == in.A)
		if op.Expected, op.Compares = uint64(in.A), true; !changed {
			op.Wrote = op.Read
		}
	case object.Lock, object.RLock, object.WLock:
		locked(true)
	case object.TryLock:
		locked(!was.mutexes[in.Obj])
	case object.TryWLock:
		locked(!was.writer && was.readers == 0)
	case object.TryRLock:
		if set(0, 1, true); was.writer {
			set(0, 0, false)
		}
	case object.Unlock, object.WUnlock, object.RUnlock:
		if set(1, 0, true); failed {
			set(0, 0, false)
		}
	case object.WDrain:
		set(0, 0, true)
	case object.Enqueue, object.Signal, object.Broadcast:
		set(was.queue.n, is.queue.n, was.queue.n != is.queue.n)
	case object.Count:
		op.Read, op.Wrote, changed = uint64(int64(was.count)), uint64(int64(is.count)), true
	case object.MapWrite:
		changed = p.changesMap(was, in)
	case object.PoolGet:
		changed = was.pool.n > is.pool.n
	case object.PoolPut, object.Send, object.Receive, object.Select, object.Close, object.Look:
		changed = true
	}
	return op, changed
}

func (p *Program) changesMap(s *state, in Instr) bool {
	old := s.stored[in.Obj]
	switch in.Op {
	case MapLoadOrStore:
		return old == 0
	case MapLoadAndDelete:
		return old != 0
	case MapCompareAndSwap:
		return old != 0 && old == in.A
	}
	return true
}

// channelsOf returns the channels of a line, nil if it has none.
func (p *Program) channelsOf(in Instr) *object.Channels {
	if in.Op < ChanSend || in.Op > ChanLen {
		return nil
	}
	all, orElse := in.ways()
	if len(all) == 0 {
		all = []way{{in.Obj, false}}
	}
	on := &object.Channels{Default: orElse}
	for _, w := range all {
		k := object.Case{Chan: w.obj, Send: w.send, Cap: p.Caps[w.obj]}
		switch w.obj {
		case 0:
			k.Len = p.filled()
		case 1:
			k.Closed = p.Shut
		}
		on.Cases = append(on.Cases, k)
	}
	return on
}
