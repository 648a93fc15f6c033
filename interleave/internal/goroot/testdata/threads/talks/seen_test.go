package talks

import (
	"bytes"
	"container/list"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"log"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"example.com/pool/hidden"
	"example.com/pool/loops"
	"example.com/pool/seen"
	"github.com/spindle-go/spindle/interleave"
)

// What a dependency and the standard library do is seen.

// Methods that come by an embedded type that is not exported.
// want FAIL: assertion in Finally: 1
func TestSeenEmbedded(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		o := seen.NewOuter()
		x.Go("a", o.Add)
		x.Go("b", o.Add)
		x.Finally(func() {
			if n := o.Get(); n != 2 {
				x.Fatalf("%d", n)
			}
		})
	})
}

// A function that is called under the lock of a dependency.
// want PASS: complete: 2 executions
func TestSeenCallback(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		o, n := seen.NewOuter(), 0
		x.Go("a", func() { o.Do(func() { n++ }) })
		x.Go("b", func() { o.Do(func() { n++ }) })
	})
}

// want PASS: chance: the order of a map (at seen.go:
func TestSeenMapOrder(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		o, first := seen.NewOuter(), ""
		x.Go("a", func() { seen.Each(func(k string) { o.Do(func() { first = k }) }) })
		x.Go("b", func() { o.Do(func() { _ = first }) })
	})
}

// want PASS: complete: 2 executions
func TestSeenCheapChance(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		s := new(seen.Striped)
		x.Go("a", func() { s.Add(); s.Sum() })
		x.Go("b", s.Add)
		x.Finally(func() {
			if s.Sum() != 2 {
				x.Fatalf("%d", s.Sum())
			}
		})
	})
}

// What package math/rand gives a dependency is the same in each execution.
// want PASS: complete: 2 executions
func TestSeenChance(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		o := seen.NewOuter()
		x.Go("a", func() { n := seen.Draw(); o.Do(func() { n++ }) })
		x.Go("b", func() { n := seen.Draw(); o.Do(func() { n++ }) })
	})
}

// want PASS: chance: what package crypto/rand gives
func TestSeenSystemChance(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		o := seen.NewOuter()
		x.Go("a", func() { o.Do(func() { rand.Text() }) })
		x.Go("b", func() { o.Do(func() {}) })
	})
}

// Each execution begins with the state of package-level variables that the first began with.
// want PASS: complete: 4 executions
func TestSeenState(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		if seen.ID() != 1 {
			x.Fatalf("it has been used")
		}
		if seen.Name("a") || !seen.Name("a") {
			x.Fatalf("a name")
		}
		x.Go("a", func() { seen.ID(); seen.Name("b") })
		x.Go("b", func() { seen.ID(); seen.Name("b") })
		x.Finally(func() {
			if n := seen.ID(); n != 4 {
				x.Fatalf("%d", n)
			}
		})
	})
}

// What is made at its first use is made in each execution.
// want PASS: complete: 4 executions
func TestSeenOnce(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		x.Go("a", func() { seen.Square(1) })
		x.Go("b", func() { seen.Square(2) })
	})
}

// want FAIL: data race in b: a writes at seen.go:
func TestSeenPlain(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		c := new(seen.Counter)
		x.Go("a", c.Add)
		x.Go("b", c.Add)
	})
}

// A generic type of a dependency, of which the instance is in the program.
// want FAIL: data race in b: a writes at seen.go:
func TestSeenGeneric(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		l := new(seen.Last[int])
		x.Go("a", func() { l.Set(1) })
		x.Go("b", func() { l.Set(2) })
	})
}

// want PASS: complete: 2 executions
func TestSeenInner(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		i := new(seen.Inner)
		for _, name := range []string{"a", "b"} {
			x.Go(name, func() { i.Mu.Lock(); i.N++; i.Mu.Unlock() })
		}
	})
}

// What the standard library reads and writes of what it is given races with what another thread does with it.
// want PASS: two reads v.s[1] at seen_test.go:
func TestSeenLibrary(t *testing.T) {
	type things struct {
		b    []byte
		s    []int
		buf  bytes.Buffer
		text strings.Builder
		at   time.Time
		list *list.List
		any  struct{ N int }
	}
	for _, c := range []struct {
		name     string
		one, two func(v *things)
	}{
		{"AppendInt", func(v *things) { strconv.AppendInt(v.b[:0], 7, 10) }, func(v *things) { _ = v.b[0] }},
		{"DecodeRune", func(v *things) { utf8.DecodeRune(v.b) }, func(v *things) { v.b[0] = 'b' }},
		{"hex.Encode", func(v *things) { hex.Encode(v.b, []byte("a")) }, func(v *things) { bytes.Equal(v.b, v.b) }},
		{"IndexByte", func(v *things) { bytes.IndexByte(v.b, 'a') }, func(v *things) { v.b[1] = 'a' }},
		{"Values", func(v *things) {
			it := slices.Values(v.s)
			for range it {
				break
			}
		}, func(v *things) { v.s[0] = 1 }},
		{"sort.Ints", func(v *things) { sort.Ints(v.s) }, func(v *things) { _ = v.s[1] }},
		{"Buffer", func(v *things) { v.buf.WriteString("a") }, func(v *things) { v.buf.Reset() }},
		{"io.Writer", func(v *things) { io.WriteString(&v.buf, "a") }, func(v *things) { v.buf.Len() }},
		{"Builder", func(v *things) { v.text.WriteByte('a') }, func(v *things) { _ = v.text.String() }},
		{"AppendTime", func(v *things) { v.at.AppendFormat(v.b[:0], time.Kitchen) }, func(v *things) { _ = v.b[0] }},
		{"Unmarshal", func(v *things) { json.Unmarshal([]byte(`{"N":1}`), &v.any) }, func(v *things) { _ = v.any.N }},
		{"Marshal", func(v *things) { json.Marshal(&v.any) }, func(v *things) { v.any.N = 1 }},
		{"list", func(v *things) { v.list.PushBack(1) }, func(v *things) { _ = v.list.Len() }},
		{"copied late", func(v *things) { _, _ = bytes.NewReader(v.b).ReadByte() }, func(v *things) { v.b[0] = 1 }},
	} {
		interleave.Test(t, func(x *interleave.Exec) {
			v := &things{b: make([]byte, 16), s: []int{3, 1, 2}, list: list.New()}
			v.buf.WriteString("b")
			x.Go("one", func() { c.one(v) })
			x.Go("two", func() { c.two(v) })
		}, interleave.MustFail(func(r interleave.Report) {
			if r.Failure.Kind != interleave.DataRace {
				t.Errorf("%s: %s", c.name, r.Text(""))
			}
		}))
	}
}

// What package log does for itself is no step, and what it guards is in order.
// want PASS: explored all orders of what was seen: 1 executions, 0 steps
func TestSeenLog(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		l := log.New(new(bytes.Buffer), "", 0)
		x.Go("a", func() { l.Print("a") })
		x.Go("b", func() { l.Print("b") })
	})
}

// A program that is ordered by the lock of package log alone: in another order it would not be.
// want PASS: not seen: whether accesses are ordered but by what a package does for itself
func TestSeenLogOrders(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		l, n := log.New(new(bytes.Buffer), "", 0), 0
		x.Go("a", func() { n = 1; l.Print("a") })
		x.Go("b", func() { l.Print("b"); _ = n })
	})
}

// What package fmt keeps in a pool orders nothing.
// want FAIL: data race in b: a writes n at seen_test.go
func TestSeenPool(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		n := 0
		x.Go("a", func() { n = 1; fmt.Sprint("a") })
		x.Go("b", func() { fmt.Sprint("b"); _ = n })
	})
}

// What package encoding/json knows of a type orders nothing but what the package does, even where one comes to know it and the other uses that.
// want FAIL: data race in b: a writes n at seen_test.go
func TestSeenTable(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		type one struct{ A, B int }
		n := 0
		x.Go("a", func() { n = 1; json.Marshal(one{}) })
		x.Go("b", func() { json.Marshal(one{}); _ = n })
	})
}

// What the runtime keeps of types that are made is guarded by its own lock.
// want PASS: explored all orders of what was seen: 1 executions, 0 steps
func TestSeenTypes(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		for i, name := range []string{"a", "b"} {
			x.Go(name, func() {
				if s := reflect.SliceOf(reflect.ArrayOf(1000+i, reflect.TypeFor[int]())).String(); !strings.HasPrefix(s, "[][100") {
					x.Fatalf("%s", s)
				}
			})
		}
	})
}

// Variables without a size have one address, and nobody accesses them.
// want PASS: explored all orders of what was seen: 1 executions, 0 steps
func TestSeenNothing(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		for _, name := range []string{"a", "b"} {
			x.Go(name, func() { reflect.New(reflect.TypeFor[struct{}]()).Elem().Set(reflect.ValueOf(struct{}{})) })
		}
	})
}

// want PASS: what package example.com/pool/seen does for itself is no step
func TestSeenOneStep(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		x.OneStep("example.com/pool/seen")
		o := seen.NewOuter()
		var mu sync.Mutex
		x.Go("a", func() { o.Add(); mu.Lock(); mu.Unlock() })
		x.Go("b", func() { o.Add(); mu.Lock(); mu.Unlock() })
	})
}

// want FAIL: OneStep of package example.com/threads/talks, which is explored itself: say //interleave:off
func TestSeenOneStepOfItself(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		x.OneStep("example.com/threads/talks")
		x.Go("a", func() {})
	})
}

// What hides accesses orders nothing.
// want FAIL: data race in b: a writes n at seen_test.go
func TestSeenBesideHidden(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		h, n := new(hidden.Counter), 0
		x.Go("a", func() { n = 1; h.Add() })
		x.Go("b", func() { h.Add(); _ = n })
	})
}

// want PASS: not seen: functions that say //go:norace of package example.com/pool/hidden
func TestSeenHidden(t *testing.T) {
	interleave.Test(t, inDoubt)
}

// A dependency that is seen calls what is not.
// want PASS: not seen: functions that say //go:norace of package example.com/pool/hidden (called at seen.go:
func TestSeenThroughHidden(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		n := 0
		var mu sync.Mutex
		x.Go("a", func() { seen.Set(&n, 1); mu.Lock(); mu.Unlock() })
		x.Go("b", func() { seen.Set(&n, 2); mu.Lock(); mu.Unlock() })
	})
}

// The frame of a function is not left when an iterator calls what is not seen, in a stack of its own.
// want PASS: not seen: functions that say //go:norace of package example.com/pool/hidden (called at seen.go:
func TestSeenAroundIterator(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		n := 0
		x.Go("a", func() { seen.SetAround(&n, func() { go func() { n = 2 }() }) })
	})
}

// A method that is embedded is called by one that the compiler has made.
// want PASS: not seen: functions that say //go:norace of package example.com/pool/hidden
func TestSeenEmbeddedHidden(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		e := seen.Embeds{Counter: new(hidden.Counter)}
		x.Go("a", func() { seen.AddBy(e) })
		x.Go("b", func() { seen.AddBy(e) })
	})
}

// bytesBeside explores a use of some bytes beside a write, which a lock orders or not.
func bytesBeside(t *testing.T, locked bool, use func([]byte)) {
	interleave.Test(t, func(x *interleave.Exec) {
		b := make([]byte, 100)
		var mu sync.Mutex
		x.Go("a", func() {
			if mu.Lock(); !locked {
				mu.Unlock()
			}
			use(b)
			if locked {
				mu.Unlock()
			}
		})
		x.Go("b", func() {
			if mu.Lock(); !locked {
				mu.Unlock()
			}
			b[50] = 1
			if locked {
				mu.Unlock()
			}
		})
	})
}

// want PASS: not seen: assembly of package example.com/pool/machine (called at seen.go:
func TestSeenAssembly(t *testing.T) {
	bytesBeside(t, false, func(b []byte) { seen.Put(b[50:], 1) })
}

// want PASS: complete
func TestSeenAssemblyLocked(t *testing.T) {
	bytesBeside(t, true, func(b []byte) { seen.Put(b[50:], 1) })
}

// want PASS: not seen: clear of a slice of package example.com/pool/seen (called at seen.go:
func TestSeenWipe(t *testing.T) { bytesBeside(t, false, seen.Wipe) }

// want PASS: complete
func TestSeenWipeLocked(t *testing.T) { bytesBeside(t, true, seen.Wipe) }

// Sums of the standard library are made without assembly.
// want FAIL: data race in b: a reads at sha256block.go:
func TestSeenSum(t *testing.T) { bytesBeside(t, false, func(b []byte) { sha256.Sum256(b) }) }

// By package internal/byteorder, of which the compiler reports nothing.
// want FAIL: data race in b: a reads at byteorder.go:
func TestSeenByteOrder(t *testing.T) { bytesBeside(t, false, func(b []byte) { crc32.ChecksumIEEE(b) }) }

// want PASS: complete
func TestSeenSumLocked(t *testing.T) {
	bytesBeside(t, true, func(b []byte) { sha256.Sum256(b); crc32.ChecksumIEEE(b) })
}

// The seeds of package hash/maphash are the runtime's, not the system's.
// want PASS: complete
func TestSeenSeed(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		var mu sync.Mutex
		seen.Seeded()
		x.Go("a", func() { mu.Lock(); seen.Seeded(); mu.Unlock() })
		x.Go("b", func() { mu.Lock(); seen.Seeded(); mu.Unlock() })
	})
}

// stopped explores a loop that ends when another thread says so.
func stopped(t *testing.T, loop func(*seen.Stop)) {
	interleave.Test(t, func(x *interleave.Exec) {
		stop := new(seen.Stop)
		x.Go("a", func() { loop(stop) })
		x.Go("b", stop.Set)
	})
}

// What assembly does in a loop is not seen, so its rounds are not compared.
// want PASS: the state of a loop that repeats
func TestSeenAssemblyLoop(t *testing.T) {
	stopped(t, func(s *seen.Stop) { s.Put(make([]byte, 1)) })
}

// want PASS: complete
func TestSeenLoopElsewhere(t *testing.T) { stopped(t, (*seen.Stop).Wait) }

// twoWait has two threads wait for what a third does in some executions.
func twoWait(t *testing.T, begin func() (wait, end func())) {
	interleave.Test(t, func(x *interleave.Exec) {
		var mu sync.Mutex
		wait, end := begin()
		x.Go("one", wait)
		x.Go("two", wait)
		x.Go("ends", func() {
			if mu.TryLock() {
				end()
			}
		})
		x.Go("does not", func() { mu.TryLock() })
	})
}

// Those that wait take a lock in each round.
// want FAIL: livelock: one repeats
func TestSeenTwoWaitLocked(t *testing.T) {
	twoWait(t, func() (wait, end func()) { g := new(seen.Gate); return g.Wait, g.Open })
}

// Those that wait change a number, and take it back.
// want FAIL: livelock: one repeats
func TestSeenTwoWaitCounted(t *testing.T) {
	twoWait(t, func() (wait, end func()) { c := new(seen.Count); return c.Take, c.Give })
}

// want FAIL: in doubt, and that is to fail
func TestSeenStrict(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		x.Strict()
		inDoubt(x)
	})
}

func inDoubt(x *interleave.Exec) {
	h := new(hidden.Counter)
	var mu sync.Mutex
	x.Go("a", func() { h.Add(); mu.Lock(); mu.Unlock() })
	x.Go("b", func() { h.Add(); mu.Lock(); mu.Unlock() })
}

// blockBeside explores a use of a block beside a write of one byte.
func blockBeside(t *testing.T, use func(*seen.Block)) {
	interleave.Test(t, func(x *interleave.Exec) {
		b := new(seen.Block)
		x.Go("a", func() { use(b) })
		x.Go("b", func() { b[9] = 1 })
	})
}

// want FAIL: data race in b: a reads at seen.go:
func TestSeenCompared(t *testing.T) { blockBeside(t, func(b *seen.Block) { b.Same(new(seen.Block)) }) }

// want FAIL: data race in b: a reads at seen.go:
func TestSeenBoxed(t *testing.T) { blockBeside(t, func(b *seen.Block) { b.Boxed() }) }

// want FAIL: data race in b: a reads at seen.go:
func TestSeenKey(t *testing.T) {
	blockBeside(t, func(b *seen.Block) { b.In(map[seen.Block]int{{}: 1}) })
}

// want FAIL: data race in b: a reads at seen.go:
func TestSeenText(t *testing.T) { blockBeside(t, func(b *seen.Block) { b.Text() }) }

// want FAIL: data race in b: a reads at seen.go:
func TestSeenSent(t *testing.T) {
	blockBeside(t, func(b *seen.Block) { b.Send(make(chan seen.Block, 1)) })
}

// want FAIL: data race in b: a writes at seen.go:
func TestSeenCleared(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		m := map[int]int{1: 1}
		x.Go("a", func() { seen.Clear(m) })
		x.Go("b", func() { _ = len(m) })
	})
}

// want FAIL: data race in b: a reads at seen.go:
func TestSeenLen(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		m := map[int]int{1: 1}
		x.Go("a", func() { seen.Len(m) })
		x.Go("b", func() { m[2] = 2 })
	})
}

// waits explores a loop of a dependency that waits for a flag, beside a thread that sets it. It fails if the loop returns n.
func waits(t *testing.T, n int, f func(*loops.Flags) int) {
	interleave.Test(t, func(x *interleave.Exec) {
		flags, got := new(loops.Flags), 0
		x.Go("a", func() { got = f(flags) })
		x.Go("b", flags.Set)
		x.Finally(func() {
			if got == n {
				x.Fatalf("%d", got)
			}
		})
	})
}

// want PASS: complete: 1 executions
func TestSeenWait(t *testing.T) { waits(t, -1, (*loops.Flags).Wait) }

// What the loop has done once is a change.
// want FAIL: assertion in Finally: 1
func TestSeenWaitOnce(t *testing.T) { waits(t, 1, (*loops.Flags).WaitOnce) }

// want FAIL: assertion in Finally: 0
func TestSeenWaitOnceNot(t *testing.T) { waits(t, 0, (*loops.Flags).WaitOnce) }

// A counter is another state each time, and has no end.
// want PASS: explored all orders of what was seen
func TestSeenWaitCounting(t *testing.T) { waits(t, -1, (*loops.Flags).WaitCounting) }

// want FAIL: assertion in Finally: 4
func TestSeenWaitCounted(t *testing.T) { waits(t, 4, (*loops.Flags).WaitCounting) }

// Its state is another one each time, and so it is no livelock.
// want PASS: explored all orders of what was seen
func TestSeenGivesUp(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		f := new(loops.Flags)
		x.Go("a", f.GivesUp)
		x.Go("b", func() { f.Left() })
	})
}

// Three tries are no loop that waits.
// want PASS: complete: 4 executions
func TestSeenThrice(t *testing.T) { waits(t, -1, (*loops.Flags).Thrice) }

// want FAIL: assertion in Finally: 3
func TestSeenThriceInVain(t *testing.T) { waits(t, 3, (*loops.Flags).Thrice) }

// want PASS: complete
func TestSeenBoth(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		f := new(loops.Flags)
		x.Go("a", f.SetA)
		x.Go("b", f.SetB)
		x.Go("c", f.Both)
	})
}

// want FAIL: livelock: one repeats
func TestSeenMutual(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		f := new(loops.Flags)
		x.Go("one", f.One)
		x.Go("other", f.Other)
	})
}

// What a round makes is another object in each. It is one round if the objects are alike.
// want PASS: complete: 2 executions
func TestSeenMaking(t *testing.T) { waits(t, -1, (*loops.Flags).WaitMaking) }

// want PASS: complete
func TestSeenCopying(t *testing.T) { waits(t, 0, (*loops.Flags).WaitCopying) }

// It is where it was every other round.
// want PASS: complete
func TestSeenTurning(t *testing.T) { waits(t, -1, (*loops.Flags).WaitTurning) }

// want FAIL: assertion in Finally: 1
func TestSeenTurned(t *testing.T) { waits(t, 1, (*loops.Flags).WaitTurning) }

// want PASS: complete
func TestSeenClimbing(t *testing.T) { waits(t, -1, (*loops.Flags).WaitClimbing) }

// want FAIL: assertion in Finally: 3
func TestSeenClimbed(t *testing.T) { waits(t, 3, (*loops.Flags).WaitClimbing) }

// want FAIL: assertion in Finally: 3
func TestSeenListing(t *testing.T) { waits(t, 3, (*loops.Flags).WaitListing) }

// want FAIL: assertion in Finally: 3
func TestSeenFilling(t *testing.T) { waits(t, 3, (*loops.Flags).WaitFilling) }

// want FAIL: assertion in Finally: 3
func TestSeenHiding(t *testing.T) { waits(t, 3, (*loops.Flags).WaitHiding) }

// want FAIL: assertion in Finally: 2
func TestSeenDeferring(t *testing.T) { waits(t, 2, (*loops.Flags).WaitDeferring) }

// want FAIL: assertion in Finally: 3
func TestSeenLeaving(t *testing.T) { waits(t, 3, (*loops.Flags).WaitLeaving) }

// want FAIL: assertion in Finally: 2
func TestSeenLeft(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		flags, got := new(loops.Flags), 0
		x.Go("a", func() { flags.WaitLeaving() })
		x.Go("b", func() { got = flags.Left(); flags.Set() })
		x.Finally(func() {
			if got == 2 {
				x.Fatalf("%d", got)
			}
		})
	})
}

// want PASS: complete
func TestSeenMarking(t *testing.T) { waits(t, -1, (*loops.Flags).WaitMarking) }

// want PASS: complete
func TestSeenToggling(t *testing.T) { waits(t, -1, (*loops.Flags).WaitToggling) }

// want FAIL: assertion in Finally: 1
func TestSeenToggled(t *testing.T) { waits(t, 1, (*loops.Flags).WaitToggling) }

// want FAIL: assertion in Finally: 3
func TestSeenAdding(t *testing.T) { waits(t, 3, (*loops.Flags).WaitAdding) }

// want FAIL: assertion in Finally: 1
func TestSeenSwapping(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		flags, got := loops.WithSet(), 0
		x.Go("a", func() { got = flags.WaitSwapping() })
		x.Go("b", flags.Set)
		x.Finally(func() {
			if got == 1 {
				x.Fatalf("%d", got)
			}
		})
	})
}

// want FAIL: assertion in Finally: 1
func TestSeenTelling(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		flags, got := new(loops.Flags), 0
		x.Go("a", func() { flags.WaitTelling() })
		x.Go("b", func() { got = flags.Told(); got += flags.Told(); flags.Set() })
		x.Finally(func() {
			if got == 1 {
				x.Fatalf("%d", got)
			}
		})
	})
}

// want FAIL: assertion in Finally: 3
func TestSeenPulling(t *testing.T) { waits(t, 3, (*loops.Flags).WaitPulling) }

// want PASS: complete: 1 executions
func TestSeenInside(t *testing.T) { waits(t, -1, (*loops.Flags).WaitInside) }

// want FAIL: assertion in Finally: 3
func TestSeenInsideCounting(t *testing.T) { waits(t, 3, (*loops.Flags).WaitInsideCounting) }

// want PASS: complete
func TestSeenThrough(t *testing.T) { waits(t, -1, (*loops.Flags).WaitThrough) }

// want PASS: complete
func TestSeenSpinLocks(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		f, n := new(loops.Flags), 0
		x.Go("a", func() { f.Locked(func() { n++ }) })
		x.Go("b", func() { f.Swapped(func() { n++ }) })
		x.Go("c", func() { f.Swapped(func() { n++ }) })
	})
}

// want PASS: complete
func TestSeenPolls(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		c, d := make(chan int, 1), make(chan int, 1)
		x.Go("a", func() { loops.Polls(c, d) })
		x.Go("b", func() { loops.PollsOne(c) })
		x.Go("c", func() { c <- 1; d <- 1; c <- 1 })
	})
}

// What is offered may be another thing each time.
// want FAIL: assertion in c: true
func TestSeenOffers(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		flags, c := new(loops.Flags), make(chan bool)
		x.Go("a", func() { flags.Offers(c) })
		x.Go("b", flags.Set)
		x.Go("c", func() {
			if <-c {
				x.Fatalf("true")
			}
		})
	})
}

// want FAIL: assertion in Finally: 3
func TestSeenChaining(t *testing.T) { waits(t, 3, (*loops.Flags).WaitChaining) }

// want FAIL: assertion in Finally: 3
func TestSeenThrowing(t *testing.T) { waits(t, 3, (*loops.Flags).WaitThrowing) }

// Loops of a dependency that wait, and give up: in each, what counts lies in another kind of slot of the stack. If one is taken for left over, giving up is not seen.
// want PASS: 10 gave up
func TestSeenTries(t *testing.T) {
	gave := 0
	for _, try := range loops.Tries {
		interleave.Test(t, func(x *interleave.Exec) {
			f := new(loops.Flags)
			x.Go("waits", func() {
				if !try.Wait(f) {
					x.Fatalf("it gave up")
				}
			})
			x.Go("sets", f.Set)
		}, interleave.MustFail(func(r interleave.Report) {
			if r.Failure.Kind != interleave.Assertion {
				t.Errorf("%s: %s", try.Name, r.Text(""))
			}
			gave++
		}))
	}
	t.Logf("%d gave up", gave)
}
