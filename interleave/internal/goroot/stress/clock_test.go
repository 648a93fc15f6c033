package stress

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spindle-go/spindle/interleave/atomic"
	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/sync"
)

var filler []byte

// A record is what threads have done, in order. They take turns, so it needs no lock.
type record []string

// ticks are programs with timers, and what they do, in all orders.
var ticks = []struct {
	name     string
	body     func(x *engine.Exec, r *record)
	want     []string
	deadlock string // what is said of it
	doubts   bool   // it is not complete, and its loops have no end
}{
	{name: "sleeps of different length", want: []string{"short long"}, body: func(x *engine.Exec, r *record) {
		x.Go("a", func() { time.Sleep(2 * time.Hour); shared.Add(1); *r = append(*r, "long") })
		x.Go("b", func() { time.Sleep(time.Hour); shared.Add(1); *r = append(*r, "short") })
	}},
	{name: "sleeps of equal length", want: []string{"a b", "b a"}, body: func(x *engine.Exec, r *record) {
		x.Go("a", func() { time.Sleep(time.Hour); shared.Add(1); *r = append(*r, "a") })
		x.Go("b", func() { time.Sleep(time.Hour); shared.Add(1); *r = append(*r, "b") })
	}},
	{name: "one sleep after another", want: []string{"a b a"}, body: func(x *engine.Exec, r *record) {
		x.Go("a", func() {
			time.Sleep(time.Second)
			shared.Add(1)
			*r = append(*r, "a")
			time.Sleep(2 * time.Second)
			shared.Add(1)
			*r = append(*r, "a")
		})
		x.Go("b", func() { time.Sleep(2 * time.Second); shared.Add(1); *r = append(*r, "b") })
	}},
	{name: "a lock that one of two takes for good, and a sleep", want: []string{"a", "b"}, body: func(x *engine.Exec, r *record) {
		var mu sync.Mutex
		x.Daemon("a", func() { mu.Lock(); *r = append(*r, "a") })
		x.Daemon("b", func() { mu.Lock(); *r = append(*r, "b") })
		x.Go("c", func() { time.Sleep(time.Second) })
	}},
	{name: "a body that computes while a timer is set", want: []string{"b"}, body: func(x *engine.Exec, r *record) {
		tm := time.NewTimer(time.Second)
		for range 50 { // it may wait for the collector
			filler = make([]byte, 1<<16)
		}
		x.Go("a", func() {
			select {
			case <-tm.C:
				*r = append(*r, "a")
			default:
				*r = append(*r, "b")
			}
		})
	}},
	{name: "no sleep", want: []string{"a b", "b a"}, body: func(x *engine.Exec, r *record) {
		x.Go("a", func() { time.Sleep(0); shared.Add(1); *r = append(*r, "a") })
		x.Go("b", func() { time.Sleep(-time.Nanosecond); shared.Add(1); *r = append(*r, "b") })
	}},
	{name: "After, and a value that comes before", want: []string{"value"}, body: func(x *engine.Exec, r *record) {
		c := make(chan bool)
		x.Go("a", func() { c <- true })
		x.Go("b", func() {
			select {
			case <-c:
				*r = append(*r, "value")
			case <-time.After(time.Second):
				*r = append(*r, "late")
			}
		})
	}},
	{name: "After, and a value that comes at the same time", want: []string{"late", "value"}, body: func(x *engine.Exec, r *record) {
		c := make(chan bool, 1)
		x.Go("a", func() { time.Sleep(time.Second); c <- true })
		x.Go("b", func() {
			select {
			case <-c:
				*r = append(*r, "value")
			case <-time.After(time.Second):
				*r = append(*r, "late")
			}
		})
	}},
	{name: "After, and a value that comes later", want: []string{"late"}, body: func(x *engine.Exec, r *record) {
		c := make(chan bool, 1)
		x.Go("a", func() { time.Sleep(time.Minute); c <- true })
		x.Go("b", func() {
			select {
			case <-c:
				*r = append(*r, "value")
			case <-time.After(time.Second):
				*r = append(*r, "late")
			}
		})
	}},
	{name: "timers of equal time", want: []string{"a b", "b a"}, body: func(x *engine.Exec, r *record) {
		for _, name := range []string{"a", "b"} {
			x.Go(name, func() { <-time.After(time.Second); shared.Add(1); *r = append(*r, name) })
		}
	}},
	{name: "Stop before its time", want: []string{"stopped"}, body: func(x *engine.Exec, r *record) {
		tm := time.NewTimer(time.Second)
		x.Go("a", func() { r.stops(tm); r.has(tm) })
	}},
	{name: "Stop at its time, and nobody receives", want: []string{"stopped"}, body: func(x *engine.Exec, r *record) {
		x.Go("a", func() { tm := time.NewTimer(time.Second); time.Sleep(time.Second); r.stops(tm); r.has(tm) })
	}},
	{name: "Stop at its time, and somebody receives", want: []string{"received missed", "stopped"}, body: func(x *engine.Exec, r *record) {
		tm := time.NewTimer(time.Second)
		x.Go("a", func() { time.Sleep(time.Second); r.stops(tm) })
		x.Daemon("b", func() { <-tm.C; *r = append(*r, "received") })
	}},
	{name: "Reset before and after", want: []string{"pending received 2s idle received 5s"}, body: func(x *engine.Exec, r *record) {
		x.Go("a", func() {
			begin := time.Now()
			tm := time.NewTimer(time.Second)
			for _, d := range []time.Duration{2 * time.Second, 3 * time.Second} {
				if tm.Reset(d) {
					*r = append(*r, "pending")
				} else {
					*r = append(*r, "idle")
				}
				<-tm.C
				*r = append(*r, "received", time.Since(begin).String())
			}
		})
	}},
	{name: "Reset takes out what nobody has received", want: []string{"pending received 2s"}, body: func(x *engine.Exec, r *record) {
		x.Go("a", func() {
			begin := time.Now()
			tm := time.NewTimer(time.Second)
			time.Sleep(time.Second)
			if tm.Reset(time.Second) {
				*r = append(*r, "pending")
			}
			<-tm.C
			*r = append(*r, "received", time.Since(begin).String())
		})
	}},
	{name: "a timer of no time", want: []string{"empty received", "received"}, body: func(x *engine.Exec, r *record) {
		x.Go("a", func() {
			c := time.After(0)
			select {
			case <-c:
			default:
				*r = append(*r, "empty")
				<-c
			}
			*r = append(*r, "received")
		})
	}},
	{name: "three ticks", want: []string{"1s 2s 3s"}, body: func(x *engine.Exec, r *record) {
		x.Go("a", func() {
			begin := time.Now()
			tick := time.NewTicker(time.Second)
			defer tick.Stop()
			for range 3 {
				*r = append(*r, (<-tick.C).Sub(begin).String())
			}
		})
	}},
	{name: "a ticker that is set anew", want: []string{"1s 4s 7s"}, body: func(x *engine.Exec, r *record) {
		x.Go("a", func() {
			begin := time.Now()
			tick := time.NewTicker(time.Second)
			for i := range 3 {
				*r = append(*r, (<-tick.C).Sub(begin).String())
				if i == 0 {
					tick.Reset(3 * time.Second)
				}
			}
		})
	}},
	{name: "ticks that nobody receives are lost", want: []string{"1s 4s"}, body: func(x *engine.Exec, r *record) {
		x.Go("a", func() {
			begin := time.Now()
			tick := time.NewTicker(time.Second)
			time.Sleep(3500 * time.Millisecond)
			*r = append(*r, (<-tick.C).Sub(begin).String())
			*r = append(*r, (<-tick.C).Sub(begin).String())
		})
	}},
	{name: "AfterFunc", want: []string{"a f", "f a"}, body: func(x *engine.Exec, r *record) {
		x.Go("a", func() {
			time.AfterFunc(time.Second, func() { shared.Add(1); *r = append(*r, "f") })
			time.Sleep(time.Second)
			shared.Add(1)
			*r = append(*r, "a")
			time.Sleep(time.Second)
		})
	}},
	{name: "AfterFunc and Stop", want: []string{"f missed", "stopped"}, body: func(x *engine.Exec, r *record) {
		x.Go("a", func() {
			done := make(chan bool, 1)
			tm := time.AfterFunc(time.Second, func() { *r = append(*r, "f"); done <- true })
			time.Sleep(time.Second)
			if tm.Stop() {
				*r = append(*r, "stopped")
				return
			}
			<-done
			*r = append(*r, "missed")
		})
	}},
	{name: "AfterFunc of no time", want: []string{"a f", "f a"}, body: func(x *engine.Exec, r *record) {
		x.Go("a", func() {
			done := make(chan bool, 1)
			time.AfterFunc(0, func() { shared.Add(1); *r = append(*r, "f"); done <- true })
			shared.Add(1)
			*r = append(*r, "a")
			<-done
		})
	}},
	{name: "timers of the body", want: []string{"f 1s a 2s"}, body: func(x *engine.Exec, r *record) {
		begin := time.Now()
		tm := time.NewTimer(2 * time.Second)
		time.AfterFunc(time.Second, func() { *r = append(*r, "f", time.Since(begin).String()) })
		x.Go("a", func() { <-tm.C; *r = append(*r, "a", time.Since(begin).String()) })
	}},
	{name: "the body waits", want: []string{"2s 3s 6s f 8s"}, body: func(x *engine.Exec, r *record) {
		begin := time.Now()
		since := func() { *r = append(*r, time.Since(begin).String()) }
		time.Sleep(2 * time.Second)
		since()
		<-time.After(time.Second)
		since()
		c := make(chan bool)
		go func() { time.Sleep(3 * time.Second); c <- true }()
		<-c
		since()
		time.AfterFunc(time.Second, func() { *r = append(*r, "f") })
		time.Sleep(2 * time.Second)
		since()
		x.Go("a", step)
	}, doubts: true},
	{name: "the time", want: []string{"0s 1m0s 2000-01-01T00:00:00Z 2000-01-01T00:01:00Z 2m0s"}, body: func(x *engine.Exec, r *record) {
		begin := time.Now()
		x.Go("a", func() {
			step()
			*r = append(*r, time.Since(begin).String())
			time.Sleep(time.Minute)
			*r = append(*r, time.Since(begin).String(), begin.UTC().Format(time.RFC3339Nano), time.Now().UTC().Format(time.RFC3339Nano))
		})
		x.Finally(func() {
			time.Sleep(time.Minute)
			*r = append(*r, time.Since(begin).String())
		})
	}},
	{name: "a bubble in the body", want: []string{"1h0m0s 0s"}, body: func(x *engine.Exec, r *record) {
		begin := time.Now()
		synctest.Test(current, func(t *testing.T) {
			begin := time.Now()
			time.Sleep(time.Hour)
			*r = append(*r, time.Since(begin).String())
		})
		x.Go("a", func() { step(); *r = append(*r, time.Since(begin).String()) })
	}, doubts: true},
	{name: "a timer that was stopped", deadlock: "a waits at", body: func(x *engine.Exec, r *record) {
		x.Go("a", func() { tm := time.NewTimer(time.Second); tm.Stop(); <-tm.C })
	}},
	{name: "a wait beside a ticker", deadlock: "a waits at", body: func(x *engine.Exec, r *record) {
		x.Go("a", func() { time.NewTicker(time.Second); time.NewTicker(time.Minute); <-make(chan bool) })
	}},
	{name: "a wait beside somebody asleep", want: []string{"a"}, body: func(x *engine.Exec, r *record) {
		c := make(chan bool)
		x.Go("a", func() { <-c; *r = append(*r, "a") })
		x.Go("b", func() { time.Sleep(time.Hour); c <- true })
	}},
	{name: "a ticker when all others have ended", want: []string{"a"}, body: func(x *engine.Exec, r *record) {
		x.Go("a", func() { time.NewTicker(time.Second); step(); *r = append(*r, "a") })
		x.Daemon("b", func() {
			for range time.Tick(time.Second) {
				step()
			}
		})
	}},
	{name: "a loop that asks until it is time", want: []string{"a"}, body: func(x *engine.Exec, r *record) {
		var set atomic.Bool
		x.Go("a", func() {
			for !set.Load() {
				time.Sleep(time.Millisecond)
			}
			*r = append(*r, "a")
		})
		x.Go("b", func() { time.Sleep(5500 * time.Microsecond); set.Store(true) })
	}},
	{name: "a loop that asks", want: []string{"a"}, body: func(x *engine.Exec, r *record) {
		var set atomic.Bool
		x.Go("a", func() {
			for !set.Load() {
			}
			*r = append(*r, "a")
		})
		x.Go("b", func() { time.Sleep(5 * time.Second); set.Store(true) })
	}, doubts: true},
	{name: "a context that ends", want: []string{"context deadline exceeded 1s", "work 1s"}, body: func(x *engine.Exec, r *record) {
		x.Go("a", func() {
			begin := time.Now()
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			c := make(chan bool, 1)
			go func() { time.Sleep(time.Second); c <- true }()
			select {
			case <-c:
				*r = append(*r, "work")
			case <-ctx.Done():
				*r = append(*r, ctx.Err().Error())
			}
			*r = append(*r, time.Since(begin).String())
		})
	}, doubts: true},
}

var (
	shared  atomic.Int64
	current *testing.T
)

func (r *record) stops(tm *time.Timer) {
	if tm.Stop() {
		*r = append(*r, "stopped")
	} else {
		*r = append(*r, "missed")
	}
}

// has says if there is a value that is stale.
func (r *record) has(tm *time.Timer) {
	select {
	case <-tm.C:
		*r = append(*r, "stale")
	default:
	}
}

// TestClock: threads have a time of their own, which moves when nobody can go on.
func TestClock(t *testing.T) {
	if !engine.Hosted {
		return
	}
	current = t
	for _, p := range ticks {
		t.Run(p.name, func(t *testing.T) {
			for _, strategy := range []engine.Strategy{engine.Exhaustive, engine.DFS} {
				if p.doubts && strategy == engine.DFS {
					continue
				}
				saw := make(map[string]bool)
				var r record
				c, f, err := engine.Explore(engine.Options{Strategy: strategy, Bound: 2, Executions: 20_000}, func(x *engine.Exec) {
					r = nil
					shared.Store(0)
					p.body(x, &r)
					x.Finally(func() { saw[strings.Join(r, " ")] = true })
				})
				if p.deadlock != "" {
					if err != nil || f == nil || f.Kind != engine.Deadlock || !strings.Contains(f.Message, p.deadlock) || strings.Contains(f.Message, "the clock") {
						t.Errorf("%v: expected a deadlock with %q, saw %+v, %v", strategy, p.deadlock, f, err)
					}
					continue
				}
				if all := slices.Sorted(maps.Keys(saw)); err != nil || f != nil || !slices.Equal(all, p.want) {
					t.Errorf("%v: expected %q, saw %q, %+v, %v", strategy, p.want, all, f, err)
				}
				if strategy == engine.Exhaustive && !p.doubts && !c.Complete() {
					t.Errorf("expected it to be complete, saw %v", c)
				}
				said := strings.Contains(c.String(), "time goes by when no thread can go on")
				if p.name == "no sleep" && said || strings.HasPrefix(p.name, "sleeps") && !said {
					t.Errorf("expected it to say that the clock moved where it did, saw %v", c)
				}
				t.Log(strategy, c)
			}
		})
	}
}
