package programs

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/spindle-go/spindle/interleave/atomic"
	"github.com/spindle-go/spindle/interleave/hook"
	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/sync"
)

// objects are what the threads share.
type objects struct {
	words [words]*atomic.Uint32
	mu    [mutexes]sync.Mutex
	rw    sync.RWMutex
	cond  *sync.Cond
	wg    sync.WaitGroup
	once  sync.Once
	all   sync.Map
	pool  sync.Pool
	chans [chans]chan uint8

	begun  time.Time
	timers [timers]*time.Timer
}

// running is one execution of a program.
type running struct {
	p *Program
	x *engine.Exec
	o *objects
	Outcome
	ids [mostThreads]int // the engine's numbers, from 1; 0: it has not begun
}

// Body makes a test of p on the drop-ins. What it returns gives the outcome of the
// latest execution.
func (p *Program) Body() (body func(*engine.Exec), outcome func() Outcome) {
	var r *running
	body = func(x *engine.Exec) {
		r = &running{p: p, x: x, o: new(objects)}
		if r.prepare(); p.Any {
			x.AnyChoice()
		}
		for t, th := range p.Threads {
			if th.Child {
				continue
			}
			start := x.Go
			if th.Daemon {
				start = x.Daemon
			}
			start(string(rune('a'+t)), func() { r.thread(t) })
			r.Threads[t].Status = runs
		}
	}
	return body, func() Outcome {
		for i := range r.o.words {
			r.Words[i] = uint8(r.o.words[i].Load())
		}
		for t, id := range r.ids {
			if id > 0 && r.x.Stopped(id-1) { // no recover sees it
				r.Threads[t].Status = panicked
			}
		}
		return r.Outcome
	}
}

func (r *running) prepare() {
	o, p := r.o, r.p
	o.cond = sync.NewCond(&o.mu[0])
	array := new([2 * words]atomic.Uint32)
	for i := range o.words {
		o.words[i] = &array[i]
		if p.Scattered {
			n := int(engine.Execution())
			o.words[i] = &array[([4]int{1, 5, 7, 11}[n%4]*i+n)%len(array)]
		}
	}
	for i := range o.chans {
		o.chans[i] = make(chan uint8, p.Caps[i])
	}
	if p.hasTime() {
		r.prepareTimers()
	}
	for range p.filled() {
		o.chans[0] <- 2
	}
	if p.Shut {
		close(o.chans[1])
	}
	if p.Locked {
		o.mu[0].Lock()
	}
	if p.RLocked {
		o.rw.RLock()
	}
	if p.WLocked {
		o.rw.Lock()
	}
	if p.Counted {
		o.wg.Add(1)
	}
	if p.Put {
		o.pool.Put(9)
	}
	if p.Stored {
		o.all.Store(0, 1)
	}
}

func (r *running) thread(t int) {
	self := &r.Threads[t]
	self.Status = runs
	id, _ := r.x.Here()
	r.ids[t] = id + 1
	defer func() {
		v := recover()
		switch err, _ := v.(error); {
		case v == nil:
			self.Status = ended
			return
		case err == nil || !strings.HasPrefix(err.Error(), "interleave: "):
			self.Status = panicked
		}
		panic(v)
	}()
	code := r.p.Threads[t].Code
	for i := 0; i < len(code); i++ {
		in := code[i]
		switch in.Op {
		case Go:
			hook.Go(func() { r.thread(in.Obj) })
			continue
		case Later:
			time.AfterFunc(time.Duration(in.B)*unit, func() { r.thread(in.Obj) })
			continue
		}
		read := r.do(in, engine.Site(1+8*t+i))
		self.History = note(self.History, read)
		if in.Skip && read == in.A && i+1 < len(code) && code[i+1].Op < Go {
			i++
		}
	}
}

// do carries out a line and returns what was read.
func (r *running) do(in Instr, site engine.Site) uint8 {
	o := r.o
	w := o.words[min(in.Obj, words-1)]
	m := &o.mu[min(in.Obj, mutexes-1)]
	b := uint32(in.B)
	switch in.Op {
	case Load:
		return uint8(w.Load())
	case Store:
		w.Store(b)
	case Release:
		atomic.StoreRelease(w, b)
	case Swap:
		return uint8(w.Swap(b))
	case Add:
		return uint8(w.Add(b))
	case And:
		return uint8(w.And(b))
	case Or:
		return uint8(w.Or(b))
	case CompareAndSwap:
		return flag(w.CompareAndSwap(uint32(in.A), b))
	case Await:
		for {
			if v := w.Load(); v != 0 {
				return uint8(v)
			}
		}
	case Gosched:
		engine.Begin(nil, object.Gosched, site)
		engine.End(0, 0, false)
	case Lock:
		m.LockAt(site)
	case Unlock:
		m.UnlockAt(site)
	case TryLock:
		return flag(m.TryLockAt(site))
	case RLock:
		o.rw.RLockAt(site)
	case RUnlock:
		o.rw.RUnlockAt(site)
	case TryRLock:
		return flag(o.rw.TryRLockAt(site))
	case WLock:
		o.rw.LockAt(site)
	case WUnlock:
		o.rw.UnlockAt(site)
	case TryWLock:
		return flag(o.rw.TryLockAt(site))
	case Wait:
		o.cond.WaitAt(site)
	case Signal:
		o.cond.SignalAt(site)
	case Broadcast:
		o.cond.BroadcastAt(site)
	case Done:
		o.wg.DoneAt(site)
	case Count:
		o.wg.AddAt(site, 1)
	case WaitGroup:
		o.wg.WaitAt(site)
	case Once:
		o.once.DoAt(site, func() { o.words[0].Add(1) })
	case ChanSend, ChanReceive, ChanTrySend, ChanTryReceive, ChanSelect, ChanTrySelect, ChanClose:
		return r.communicate(in)
	case ChanLen:
		return uint8(len(r.o.chans[in.Obj]))
	case Sleep, Now, TimerReset, TimerStop, TimerReceive, TimerTryReceive:
		return r.times(in)
	default:
		return r.container(in, site)
	}
	return 0
}

// communicate is do of channels: the runtime's own, which ask the engine.
func (r *running) communicate(in Instr) uint8 {
	c := r.o.chans[in.Obj%chans]
	switch in.Op {
	case ChanSend:
		c <- in.B
		return sent
	case ChanReceive:
		return <-c
	case ChanTrySend:
		select {
		case c <- in.B:
			return sent
		default:
			return nothing
		}
	case ChanTryReceive:
		select {
		case v := <-c:
			return v
		default:
			return nothing
		}
	case ChanClose:
		close(c)
		return 0
	}
	all, orElse := in.ways()
	var cases []reflect.SelectCase
	for _, w := range all {
		k := reflect.SelectCase{Dir: reflect.SelectRecv}
		if w.obj < chans {
			k.Chan = reflect.ValueOf(r.o.chans[w.obj])
		} else {
			k.Chan = reflect.ValueOf(r.o.timers[w.obj-chans].C)
		}
		if w.send {
			k.Dir, k.Send = reflect.SelectSend, reflect.ValueOf(in.B)
		}
		cases = append(cases, k)
	}
	if orElse {
		cases = append(cases, reflect.SelectCase{Dir: reflect.SelectDefault})
	}
	i, v, _ := reflect.Select(cases)
	switch {
	case i == len(all):
		return nothing
	case all[i].send:
		return worth(in, i, sent)
	}
	if at, is := v.Interface().(time.Time); is {
		return worth(in, i, r.units(at))
	}
	return worth(in, i, uint8(v.Uint()))
}

// prepareTimers is prepare, of the clock.
func (r *running) prepareTimers() {
	if r.p.Late {
		r.x.LateClock()
	}
	r.o.begun = time.Now()
	for i, d := range r.p.Due {
		t := time.NewTimer(max(1, time.Duration(d)) * unit)
		if d == 0 {
			t.Stop()
		}
		r.o.timers[i] = t
	}
}

// units is how long after the begin a moment is.
func (r *running) units(at time.Time) uint8 { return uint8(at.Sub(r.o.begun) / unit) }

// times is do of the clock and of timers.
func (r *running) times(in Instr) uint8 {
	t, d := r.o.timers[in.Obj], time.Duration(in.B)*unit
	switch in.Op {
	case Now:
		return r.units(time.Now())
	case TimerReset:
		return flag(t.Reset(d))
	case TimerStop:
		return flag(t.Stop())
	case TimerReceive:
		return r.units(<-t.C)
	case TimerTryReceive:
		select {
		case at := <-t.C:
			return r.units(at)
		default:
			return nothing
		}
	}
	time.Sleep(d)
	return 0
}

// container is do of a Map or Pool.
func (r *running) container(in Instr, site engine.Site) uint8 {
	o, b := r.o, int(in.B)
	number := func(v any, _ bool) uint8 {
		n, _ := v.(int)
		return uint8(n)
	}
	switch in.Op {
	case MapLoad:
		return number(o.all.LoadAt(site, in.Obj))
	case MapStore:
		o.all.StoreAt(site, in.Obj, b)
	case MapLoadOrStore:
		v, loaded := o.all.LoadOrStoreAt(site, in.Obj, b)
		return number(v, true) + 8*flag(loaded)
	case MapLoadAndDelete:
		return number(o.all.LoadAndDeleteAt(site, in.Obj))
	case MapCompareAndSwap:
		return flag(o.all.CompareAndSwapAt(site, in.Obj, int(in.A), b))
	case PoolGet:
		return number(o.pool.GetAt(site), true)
	case PoolPut:
		o.pool.PutAt(site, b)
	default:
		panic(fmt.Sprintf("programs: no operation %d", in.Op))
	}
	return 0
}
