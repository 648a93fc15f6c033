package stress

import (
	"maps"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spindle-go/spindle/interleave/internal/engine"
)

// full returns a channel with a value, and room for no other.
func full() chan int {
	c := make(chan int, 1)
	c <- 0
	return c
}

// picks returns what a select of some channels, which are ready, or nil, takes: it has a case for each, and default.
func picks(channels []chan int) string {
	var cases []reflect.SelectCase
	for _, c := range channels {
		cases = append(cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(c)})
	}
	i, _, _ := reflect.Select(append(cases, reflect.SelectCase{Dir: reflect.SelectDefault}))
	return strconv.Itoa(i)
}

// both reports whether a select of two channels that are ready takes each of them at times.
func both() bool {
	a, b := make(chan int, 200), make(chan int, 200)
	for range 200 {
		select {
		case a <- 1:
		case b <- 1:
		}
	}
	return len(a) > 0 && len(b) > 0
}

// asks are programs whose threads come to what the runtime asks the engine about, and what they do, in all orders.
var asks = []struct {
	name string
	body func(x *engine.Exec, r *record)
	want []string
}{
	{name: "three that are ready", want: []string{"a", "b", "c"}, body: func(x *engine.Exec, r *record) {
		a, b, c := full(), full(), full()
		x.Go("a", func() {
			select {
			case <-a:
				*r = append(*r, "a")
			case <-b:
				*r = append(*r, "b")
			case <-c:
				*r = append(*r, "c")
			}
		})
	}},
	{name: "sends, receives, and nil", want: []string{"receive b", "receive c", "send a", "send d"}, body: func(x *engine.Exec, r *record) {
		a, b, c, d := make(chan int, 1), full(), full(), make(chan int, 1)
		var none chan int
		x.Go("a", func() {
			select {
			case none <- 0:
			case a <- 0:
				*r = append(*r, "send a")
			case <-none:
			case <-b:
				*r = append(*r, "receive b")
			case <-c:
				*r = append(*r, "receive c")
			case d <- 0:
				*r = append(*r, "send d")
			}
		})
	}},
	{name: "sends that wait", want: []string{"a", "b", "c"}, body: func(x *engine.Exec, r *record) {
		a, b, c := make(chan int), make(chan int), make(chan int)
		x.Go("a", func() {
			select {
			case a <- 1:
				*r = append(*r, "a")
			case b <- 1:
				*r = append(*r, "b")
			case c <- 1:
				*r = append(*r, "c")
			}
		})
		for _, c := range []chan int{a, b, c} {
			x.Daemon("", func() { <-c })
		}
	}},
	{name: "a select that need not wait", want: []string{"none", "value"}, body: func(x *engine.Exec, r *record) {
		a, b := make(chan int, 1), make(chan int)
		x.Go("a", func() { a <- 1 })
		x.Go("b", func() {
			select {
			case <-a:
				*r = append(*r, "value")
			case <-b:
			default:
				*r = append(*r, "none")
			}
		})
	}},
	{name: "one case that need not wait", want: []string{"full", "sent"}, body: func(x *engine.Exec, r *record) {
		a := full()
		x.Go("a", func() { <-a })
		x.Go("b", func() {
			select {
			case a <- 1:
				*r = append(*r, "sent")
			default:
				*r = append(*r, "full")
			}
		})
	}},
	{name: "lengths", want: []string{"0 0 2 2 1"}, body: func(x *engine.Exec, r *record) {
		x.Go("a", func() {
			var none chan int
			c := make(chan int, 3)
			*r = append(*r, strconv.Itoa(len(none)), strconv.Itoa(len(c)))
			c <- 1
			c <- 2
			*r = append(*r, strconv.Itoa(len(c)))
			close(c)
			*r = append(*r, strconv.Itoa(len(c)))
			<-c
			*r = append(*r, strconv.Itoa(len(c)))
		})
	}},
	{name: "a length that changes", want: []string{"0", "1", "2"}, body: func(x *engine.Exec, r *record) {
		c := make(chan int, 2)
		x.Go("a", func() { c <- 1; c <- 2 })
		x.Go("b", func() { *r = append(*r, strconv.Itoa(len(c))) })
	}},
	{name: "as many cases as can be", want: []string{"0", "40", "63"}, body: func(x *engine.Exec, r *record) {
		all := make([]chan int, 64)
		all[0], all[40], all[63] = full(), full(), full()
		x.Go("a", func() { *r = append(*r, picks(all)) })
	}},
	{name: "more cases than can be", want: []string{"64"}, body: func(x *engine.Exec, r *record) {
		all := make([]chan int, 65)
		all[64] = full()
		x.Go("a", func() { step(); *r = append(*r, picks(all)) })
	}},
	{name: "more cases than can be, in their order", want: []string{"send"}, body: func(x *engine.Exec, r *record) {
		cases := []reflect.SelectCase{{Dir: reflect.SelectSend, Chan: reflect.ValueOf(make(chan int, 1)), Send: reflect.ValueOf(1)}}
		for range 65 {
			cases = append(cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(full())})
		}
		x.Go("a", func() {
			step()
			if i, _, _ := reflect.Select(cases); i == 0 {
				*r = append(*r, "send")
			}
		})
	}},
	{name: "beside a timer of others", want: []string{"a"}, body: func(x *engine.Exec, r *record) {
		a, b, c := make(chan int, 1), make(chan int, 1), full()
		x.Go("a", func() {
			step()
			select {
			case a <- 1:
				*r = append(*r, "a")
			case b <- 1:
				*r = append(*r, "b")
			case <-c:
				*r = append(*r, "c")
			case <-due.C:
				*r = append(*r, "due")
			}
		})
	}},
	{name: "a select of the body", want: []string{"both"}, body: func(x *engine.Exec, r *record) {
		if both() {
			*r = append(*r, "both")
		}
		x.Go("a", step)
	}},
	{name: "random numbers beside a goroutine that does not wait", want: []string{"same"}, body: func(x *engine.Exec, r *record) {
		begun, over := make(chan bool), make(chan bool)
		go func() {
			for begun <- true; ; {
				rand.Uint64()
				select {
				case <-over:
					return
				default:
				}
			}
		}()
		<-begun
		var drawn []uint64
		x.Go("a", func() {
			step()
			for range 1000 {
				drawn = append(drawn, rand.Uint64())
			}
		})
		x.Go("b", step)
		x.Finally(func() {
			close(over)
			if numbers == nil {
				numbers = drawn
			}
			if slices.Equal(numbers, drawn) {
				*r = append(*r, "same")
			} else {
				*r = append(*r, "others")
			}
		})
	}},
	{name: "random numbers", want: []string{"same"}, body: func(x *engine.Exec, r *record) {
		drawn := []uint64{rand.Uint64()}
		for _, name := range []string{"a", "b"} {
			x.Go(name, func() {
				first, second := rand.Uint64(), rand.Uint64()
				shared.Add(1)
				drawn = append(drawn, first, second)
			})
		}
		x.Finally(func() {
			slices.Sort(drawn)
			if numbers == nil {
				numbers = drawn
			}
			if slices.Equal(numbers, drawn) && len(slices.Compact(drawn)) == 5 && drawn[0] > 1 {
				*r = append(*r, "same")
			} else {
				*r = append(*r, "other")
			}
		})
	}},
	{name: "a map of a key", want: []string{"1"}, body: func(x *engine.Exec, r *record) {
		m := map[string]int{"1": 1}
		x.Go("a", func() {
			step()
			for k := range m {
				*r = append(*r, k)
			}
		})
	}},
	{name: "a map of the body", want: []string{"3"}, body: func(x *engine.Exec, r *record) {
		n := 0
		for _, v := range map[string]int{"1": 1, "2": 2} {
			n += v
		}
		x.Go("a", func() { step(); *r = append(*r, strconv.Itoa(n)) })
	}},
	{name: "Gosched", want: []string{"a b", "b a"}, body: func(x *engine.Exec, r *record) {
		for _, name := range []string{"a", "b"} {
			x.Go(name, func() { runtime.Gosched(); shared.Add(1); *r = append(*r, name) })
		}
	}},
	{name: "timers of others", want: []string{"true false false"}, body: func(x *engine.Exec, r *record) {
		tm := others
		x.Go("a", func() {
			step()
			tm.Reset(time.Hour)
			*r = append(*r, strconv.FormatBool(tm.Stop()), strconv.FormatBool(tm.Stop()), strconv.FormatBool(tm.Reset(time.Hour)))
		})
	}},
	{name: "a nanosecond", want: []string{"1ns"}, body: func(x *engine.Exec, r *record) {
		x.Go("a", func() { begin := time.Now(); time.Sleep(time.Nanosecond); *r = append(*r, time.Since(begin).String()) })
	}},
	{name: "readings", want: []string{"946684800 0 0s true"}, body: func(x *engine.Exec, r *record) {
		now := time.Now()
		since := now.Sub(early).Abs() < time.Hour // of the clock that goes on evenly
		*r = append(*r, strconv.FormatInt(now.Unix(), 10), strconv.Itoa(now.Nanosecond()), time.Since(now).String(), strconv.FormatBool(since))
		x.Go("a", step)
	}},
	{name: "readings that move", want: []string{"946684801 500000000 1.5s 1.5s"}, body: func(x *engine.Exec, r *record) {
		begin := time.Now()
		x.Go("a", func() {
			time.Sleep(1500 * time.Millisecond)
			now := time.Now()
			*r = append(*r, strconv.FormatInt(now.Unix(), 10), strconv.Itoa(now.Nanosecond()), now.Sub(begin).String(), time.Since(begin).String())
		})
	}},
}

var (
	numbers []uint64 // those of the first execution
	early   = time.Now()
	others  = time.NewTimer(time.Hour)
	due     = time.NewTimer(0)
)

// TestHooks: what the runtime asks the engine about comes to the same as in the runtime itself, in all orders.
func TestHooks(t *testing.T) {
	if !engine.Hosted {
		return
	}
	for _, p := range asks {
		t.Run(p.name, func(t *testing.T) {
			saw := make(map[string]bool)
			var r record
			numbers = nil
			c, f, err := engine.Explore(engine.Options{Strategy: engine.Exhaustive, Executions: 20_000}, func(x *engine.Exec) {
				r = nil
				shared.Store(0)
				p.body(x, &r)
				x.Finally(func() { saw[strings.Join(r, " ")] = true })
			})
			if all := slices.Sorted(maps.Keys(saw)); err != nil || f != nil || !slices.Equal(all, p.want) {
				t.Errorf("expected %q, saw %q, %+v, %v", p.want, all, f, err)
			}
			t.Log(c)
			if outside := strings.Contains(p.name, "beside"); c.Complete() == outside { // then it is in doubt
				t.Errorf("expected it to be complete: %v, saw %v", !outside, c)
			}
		})
	}
}

// TestHooksOfOthers: who is none of the exploration has the runtime's own, and so has a bubble.
func TestHooksOfOthers(t *testing.T) {
	tm := time.NewTimer(time.Hour)
	if !tm.Stop() || tm.Stop() || tm.Reset(time.Hour) || !tm.Reset(0) {
		t.Error("expected a timer that was set to be stopped, and to be set again, once each; saw another")
	}
	<-tm.C
	if !both() {
		t.Error("expected a select to take a case by chance, saw one that did not")
	}
	if !engine.Hosted {
		return
	}
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		time.Sleep(time.Minute)
		saw := make(map[string]bool)
		_, f, err := engine.Explore(engine.Options{Strategy: engine.Exhaustive, Executions: 100}, func(x *engine.Exec) {
			x.Go("a", func() {
				a, b, c := make(chan int, 1), make(chan int, 1), make(chan int, 1)
				step()
				select {
				case a <- 1:
					saw["a"] = true
				case b <- 1:
					saw["b"] = true
				case c <- 1:
					saw["c"] = true
				}
				if time.Since(begin) != time.Minute {
					saw["another time"] = true
				}
				tm := time.NewTimer(time.Hour)
				if !tm.Stop() || tm.Reset(time.Hour) {
					saw["not set"] = true
				}
			})
		})
		if f != nil || err != nil || len(saw) != 1 || !saw["a"] {
			t.Errorf("expected a select of a bubble to be in the order of its cases, saw %v, %v, %v", saw, f, err)
		}
	})
}
