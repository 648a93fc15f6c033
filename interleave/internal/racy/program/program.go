//interleave:on

// Package program is the interpreter of the programs of package racy. It is
// instrumented in an exploration, and built with the race detector elsewhere.
package program

import (
	"sync"
	"sync/atomic"

	"github.com/spindle-go/spindle/interleave/internal/racy"
)

// A State is what the threads of a program share.
type State struct {
	host  racy.Host
	vars  [racy.Vars]object
	words [racy.Words]int64
	locks [racy.Locks]sync.Mutex
	rw    [racy.Locks]sync.RWMutex
	group sync.WaitGroup
	table sync.Map
	chans [racy.Chans]chan *message
	hands [64]*object // what each thread has received last; it is its own
	sent  [64]int64   // how many messages it has sent
}

// A message gives the receiver an object. No two have one number.
type message struct {
	n      int64
	object *object
}

// What a dependency may have, and do in our place.
var (
	under     = func(l sync.Locker, f func()) { l.Lock(); f(); l.Unlock() }
	begin     func(f func())
	newOthers func() any
)

// New returns the state in which p begins.
func New(p *racy.Program, host racy.Host) *State {
	s := &State{host: host}
	for i := range s.vars {
		newObject(&s.vars[i])
	}
	s.group.Add(p.Dones)
	for i := range s.chans {
		s.chans[i] = make(chan *message, 2*i)
	}
	return s
}

// Run is thread t of a program.
func (s *State) Run(t int, ops []racy.Op) {
	defer s.host.Ended(t)
	s.all(t, ops)
}

func (s *State) all(t int, ops []racy.Op) bool {
	for i := range ops {
		if !s.do(t, &ops[i]) {
			return false
		}
	}
	return true
}

// sink keeps what is read from being optimised away. Each thread has its own.
type sink struct {
	pair
	array [3]int32
	n     int
	text  string
	bytes []byte
	any   any
	err   error
}

func (s *State) do(t int, o *racy.Op) bool {
	var k sink
	switch o.Kind {
	case racy.Read:
		k.low = s.vars[o.On].low
	case racy.Write:
		s.vars[o.On].low = int32(o.N)
	case racy.ReadHalf:
		k.high = s.vars[o.On].high
	case racy.WriteHalf:
		s.vars[o.On].high = int32(o.N)
	case racy.ReadBoth:
		k.pair = s.vars[o.On].pair
	case racy.ReadBy:
		if on := s.object(t, o); on != nil {
			groups[o.By].read[o.N](on, &k)
		}
	case racy.WriteBy:
		if on := s.object(t, o); on != nil {
			groups[o.By].write[o.N](on, int32(o.N)&1)
		}
	case racy.ReadWord:
		k.low = int32(s.words[o.On])
	case racy.WriteWord:
		s.words[o.On] = o.N
	default:
		return s.operation(t, o)
	}
	keep(&k)
	return true
}

//go:noinline
func keep(*sink) {}

func (s *State) object(t int, o *racy.Op) *object {
	if o.On == racy.InHand {
		return s.hands[t]
	}
	return &s.vars[o.On]
}

func (s *State) operation(t int, o *racy.Op) bool {
	if o.Kind == racy.Go {
		child := s.host.Spawn(t)
		if begin != nil && o.N == 1 {
			begin(func() { s.Run(child, o.In) })
		} else {
			go s.Run(child, o.In)
		}
		s.host.Spawned(t, child)
		return true
	}
	if o.Kind == racy.GoBy {
		child := s.host.Spawn(t)
		go s.vars[o.On].starts.start(s, child, o.In)
		s.host.Spawned(t, child)
		return true
	}
	if o.Kind == racy.GoLoop {
		s.loop(t, o)
		return true
	}
	if !s.host.Before(t) {
		return false
	}
	w := &s.words[o.On%racy.Words]
	result := int64(0)
	switch o.Kind {
	case racy.Load:
		result = atomic.LoadInt64(w)
	case racy.Store:
		atomic.StoreInt64(w, o.N)
	case racy.Add:
		result = atomic.AddInt64(w, o.N)
	case racy.Swap:
		result = atomic.SwapInt64(w, o.N)
	case racy.CompareAndSwap:
		if atomic.CompareAndSwapInt64(w, o.N, o.N+1) {
			result = 1
		}
	case racy.Done:
		s.group.Done()
	case racy.Wait:
		s.group.Wait()
	case racy.MapStore:
		s.table.Store(o.On, o.N)
	case racy.MapLoad:
		if v, ok := s.table.Load(o.On); ok {
			result = v.(int64) + 1
		}
	case racy.Ask:
		groups[o.By].ask[o.N](&s.vars[o.On], int32(o.N)&1)
	case racy.Hold:
		goes := true
		under(&s.locks[o.On], func() {
			s.host.Did(t, 1)
			goes = s.all(t, o.In) && s.host.Before(t)
		})
		if !goes {
			return false
		}
	case racy.Lock, racy.TryLock, racy.RLock, racy.WLock:
		return s.locked(t, o)
	case racy.Range:
		return s.receives(t, o)
	default:
		result = s.talks(t, o)
	}
	s.host.Did(t, result)
	return true
}

// talks carries out an operation on a channel. Its result is the number of the message, or less than one.
func (s *State) talks(t int, o *racy.Op) (result int64) {
	c := s.chans[o.On]
	switch o.Kind {
	case racy.Send, racy.TrySend:
		s.sent[t]++
		m := &message{n: int64(t)<<8 + s.sent[t]}
		if o.On == 0 {
			m.n += racy.Meets
		}
		switch o.N {
		case racy.New:
			m.object = new(object)
			newObject(m.object)
		case racy.OneOf:
			m.object = &s.vars[t%racy.Vars]
		default:
			m.object = s.hands[t]
			if o.N == racy.Given {
				s.hands[t] = nil
			}
		}
		defer func() {
			if recover() != nil {
				result = -2 // it is closed
			}
		}()
		n := m.n
		if o.Kind == racy.Send {
			c <- m
			return n
		}
		select {
		case c <- m:
			return n
		default:
		}
	case racy.Receive:
		m, ok := <-c
		return s.received(t, m, ok)
	case racy.TryReceive:
		select {
		case m, ok := <-c:
			return s.received(t, m, ok)
		default:
		}
	case racy.Len:
		return -int64(len(c))
	case racy.Close:
		defer func() {
			if recover() != nil {
				result = -2
			}
		}()
		close(c)
	}
	return 0
}

func (s *State) received(t int, m *message, ok bool) int64 {
	if !ok {
		return -1
	}
	s.hands[t] = m.object
	return m.n
}

func (s *State) receives(t int, o *racy.Op) bool {
	for m := range s.chans[o.On] {
		s.host.Did(t, s.received(t, m, true))
		if !s.all(t, o.In) || !s.host.Before(t) {
			return false
		}
	}
	s.host.Did(t, -1)
	return true
}

// loop has a thread share the variable of a loop, which is copied after the iteration.
func (s *State) loop(t int, o *racy.Op) {
	for i := int64(0); i < 1; i++ {
		child := s.host.Spawn(t)
		go func() {
			if o.N == 1 {
				i = 7
			}
			s.all(child, o.In)
			if o.N == 2 {
				i = 7
			}
			s.host.Ended(child)
		}()
		s.host.Spawned(t, child)
	}
}

// locked takes a lock and gives it back, and does something in between.
func (s *State) locked(t int, o *racy.Op) bool {
	got := int64(1)
	switch o.Kind {
	case racy.Lock:
		s.locks[o.On].Lock()
	case racy.TryLock:
		if !s.locks[o.On].TryLock() {
			got = 0
		}
	case racy.RLock:
		s.rw[o.On].RLock()
	case racy.WLock:
		s.rw[o.On].Lock()
	}
	s.host.Did(t, got)
	if got == 0 {
		return true
	}
	if !s.all(t, o.In) || !s.host.Before(t) {
		return false
	}
	switch o.Kind {
	case racy.Lock, racy.TryLock:
		s.locks[o.On].Unlock()
	case racy.RLock:
		s.rw[o.On].RUnlock()
	case racy.WLock:
		s.rw[o.On].Unlock()
	}
	s.host.Did(t, 0)
	return true
}
