package interleave_test

import (
	"sync/atomic"

	"github.com/spindle-go/spindle/interleave"
)

// awaits are programs in which threads wait in loops, with the executions that GenMC
// completes under sequential consistency. They say the same as those of its tests.
var awaits = []struct {
	name  string
	genmc int
	body  func(*interleave.Exec)

	livelock bool // some executions end in one
}{
	{"spin lock", 4, func(x *interleave.Exec) {
		var lock atomic.Int32
		two(x, func() {
			for {
				for lock.Load() != 0 {
				}
				if lock.CompareAndSwap(0, 1) {
					break
				}
			}
		}, func() { lock.Store(0) })
	}, false},
	{"test and test-and-set", 4, func(x *interleave.Exec) {
		var lock atomic.Int32
		two(x, func() {
			for {
				for lock.Load() != 0 {
				}
				if lock.Swap(1) == 0 {
					return
				}
			}
		}, func() { lock.Store(0) })
	}, false},
	{"ticket lock", 2, func(x *interleave.Exec) {
		var next, owner atomic.Int32
		two(x, func() {
			ticket := next.Add(1) - 1
			for owner.Load() != ticket {
			}
		}, func() { owner.Store(owner.Load() + 1) })
	}, false},
	{"Peterson", 4, func(x *interleave.Exec) {
		var flags [2]atomic.Bool
		var turn, last atomic.Int32
		for i := range int32(2) {
			x.Go("", func() {
				flags[i].Store(true)
				turn.Store(1 - i)
				for flags[1-i].Load() && turn.Load() == 1-i {
				}
				last.Store(i)
				if last.Load() != i {
					x.Fatalf("two are inside")
				}
				flags[i].Store(false)
			})
		}
	}, false},
	{"Lamport", 16, func(x *interleave.Exec) {
		var b [3]atomic.Bool
		var first, second atomic.Int32
		for i := range int32(2) {
			me := i + 1
			x.Go("", func() {
				for {
					b[me].Store(true)
					first.Store(me)
					if second.Load() != 0 {
						b[me].Store(false)
						for second.Load() != 0 {
						}
						continue
					}
					second.Store(me)
					if first.Load() != me {
						b[me].Store(false)
						for j := 1; j <= 2; j++ {
							for b[j].Load() {
							}
						}
						if second.Load() != me {
							for second.Load() != 0 {
							}
							continue
						}
					}
					break
				}
				second.Store(0)
				b[me].Store(false)
			})
		}
	}, false},
	{"Szymanski", 6, func(x *interleave.Exec) {
		var flags [2]atomic.Int32
		var last atomic.Int32
		for i := range int32(2) {
			mine, other := &flags[i], &flags[1-i]
			x.Go("", func() {
				mine.Store(1)
				for other.Load() >= 3 {
				}
				mine.Store(3)
				if other.Load() == 1 {
					mine.Store(2)
					for other.Load() != 4 {
					}
				}
				mine.Store(4)
				for other.Load() >= 2 {
				}
				last.Store(i)
				last.Load()
				if last.Load() != i {
					x.Fatalf("two are inside")
				}
				for {
					if v := other.Load(); v < 2 || v > 3 {
						break
					}
				}
				mine.Store(0)
			})
		}
	}, true}, // both threads do the same: each may wait for the other at the second door
	{"Linux's lock for readers and writers", 14, func(x *interleave.Exec) {
		const bias = 1 << 20
		var lock atomic.Int32
		lock.Store(bias)
		data := 0
		for range 2 {
			x.Go("", func() {
				for lock.Add(-1) < 0 {
					lock.Add(1)
					for lock.Load() <= 0 {
					}
				}
				_ = data
				lock.Add(1)
				for lock.Add(-bias) != 0 {
					lock.Add(bias)
					for lock.Load() != bias {
					}
				}
				data++
				lock.Add(bias)
			})
		}
	}, false},
	{"sequence lock", 2, func(x *interleave.Exec) {
		var seq, data atomic.Int32
		x.Go("writer", func() {
			seq.Add(1)
			data.Store(42)
			seq.Add(1)
		})
		x.Go("reader", func() {
			for {
				var begin int32
				for {
					if begin = seq.Load(); begin%2 == 0 {
						break
					}
				}
				data.Load()
				if seq.Load() == begin {
					break
				}
			}
		})
	}, false},
	{"bounded queue of many producers and consumers", 3, func(x *interleave.Exec) {
		const size = 4
		var items [size]int
		var started, read, written atomic.Uint32
		prepare := func() *int {
			var rd, wr uint32
			for {
				at := started.Load()
				rd, wr = at>>16, at&0xffff
				if wr == (rd+size)&0xffff {
					return nil
				}
				if started.CompareAndSwap(at, rd<<16|(wr+1)&0xffff) {
					break
				}
			}
			for read.Load()&0xffff != rd {
			}
			return &items[wr%size]
		}
		fetch := func() *int {
			var rd, wr uint32
			for {
				at := started.Load()
				rd, wr = at>>16, at&0xffff
				if rd == wr {
					return nil
				}
				if started.CompareAndSwap(at, at+1<<16) {
					break
				}
			}
			for written.Load()&0xffff != wr {
			}
			return &items[rd%size]
		}
		*prepare() = 1
		written.Add(1)
		x.Go("writer", func() {
			*prepare() = 1
			written.Add(1)
		})
		x.Go("reader", func() {
			for fetch() != nil {
				read.Add(1)
			}
		})
	}, false},
	{"two ways to be told", 4, func(x *interleave.Exec) {
		var a, b atomic.Int32
		x.Go("waits", func() {
			for {
				if a.Load() != 0 {
					break
				}
				if b.Load() != 0 {
					break
				}
			}
		})
		x.Go("b", func() {
			if a.Load() == 0 {
				b.Store(1)
			}
		})
		x.Go("a", func() {
			if b.Load() == 0 {
				a.Store(1)
			}
		})
	}, false},
	{"three writes and four reads, in a for", 210, func(x *interleave.Exec) {
		var w atomic.Int32
		for i := range int32(3) {
			x.Go("", func() { w.Store(i + 1) })
		}
		x.Go("reader", func() {
			for i := 0; i < 4; i++ {
				w.Load()
			}
		})
	}, false},
	{"three writes and four reads, in a range", 210, func(x *interleave.Exec) {
		var w atomic.Int32
		for i := range int32(3) {
			x.Go("", func() { w.Store(i + 1) })
		}
		x.Go("reader", func() {
			for range 4 {
				w.Load()
			}
		})
	}, false},
	{"publish", 42, func(x *interleave.Exec) {
		var data, flag atomic.Int32
		x.Go("writer", func() { data.Store(42); flag.Store(1) })
		x.Go("reader", func() {
			count := 0
			for told := flag.Load(); told != 1; told = flag.Load() {
				if count++; count > 40 {
					return
				}
			}
			if data.Load() != 42 {
				x.Fatalf("told too early")
			}
		})
	}, false},
	{"a pointer to one of two words that are read a hundred times", 410, func(x *interleave.Exec) {
		var a, b atomic.Int32
		var p atomic.Pointer[atomic.Int32]
		for _, w := range [][2]*atomic.Int32{{&a, &b}, {&b, &a}} {
			x.Go("", func() {
				sum := int32(0)
				p.Store(w[1])
				for i := 0; i < 100; i++ {
					sum += w[0].Load()
				}
				to := p.Load()
				to.Store(to.Load() + 3)
				_ = sum
			})
		}
	}, false},
	{"a counter on the heap, which ends a loop", 6, func(x *interleave.Exec) {
		var w atomic.Int32
		x.Go("looks", func() {
			i, n := new(int), new(int)
			*n = 4
			for *i = 0; *i < *n; *i++ {
				if w.Load() == 42 {
					break
				}
			}
			w.Load()
		})
		x.Go("writes", func() { w.Store(17) })
	}, false},
	{"a counter that is looked at four times", 6, func(x *interleave.Exec) {
		var n atomic.Int32
		x.Go("adds", func() { n.Add(1) })
		x.Go("looks", func() {
			for looks := 0; n.Load() == 0; looks++ {
				if looks == 4 {
					return
				}
			}
		})
	}, false},
}
