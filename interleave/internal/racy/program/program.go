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
}

// New returns the state in which p begins.
func New(p *racy.Program, host racy.Host) *State {
	s := &State{host: host}
	for i := range s.vars {
		newObject(&s.vars[i])
	}
	s.group.Add(p.Dones)
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
	any   any
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
		reading[o.N](&s.vars[o.On], &k)
	case racy.WriteBy:
		writing[o.N](&s.vars[o.On], int32(o.N)&1)
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

func (s *State) operation(t int, o *racy.Op) bool {
	if o.Kind == racy.Go {
		child := s.host.Spawn(t)
		go s.Run(child, o.In)
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
	w := &s.words[o.On]
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
	default:
		return s.locked(t, o)
	}
	s.host.Did(t, result)
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
