package interleave_test

import (
	"container/list"
	"container/ring"
	"fmt"
	"iter"
	"math/big"
	"math/rand"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/spindle-go/spindle/interleave"
)

// A world is what the rounds of a loop change.
type world struct {
	f    atomic.Bool
	n    int
	s    []int
	m    map[int]int
	set  map[int]struct{}
	str  string
	any  any
	arr  [4]int
	i    int
	b    bool
	ch   chan int
	fn   func() int
	l    *list.List
	r    *ring.Ring
	rng  *rand.Rand
	p    *int
	pp   **int
	big  *big.Int
	sb   strings.Builder
	sm   sync.Map
	av   atomic.Value
	st   struct{ a, b, c int }
	by   []byte
	f32  float32
	u8   [3]uint8
	mats map[string][]int
	cx   complex128
	mu   sync.Mutex
	rw   sync.RWMutex
	ia   [2]any
	err  error
	file *os.File
}

func newWorld() *world {
	w := &world{s: []int{1, 2, 3, 4}, m: map[int]int{0: 0, 1: 1}, set: map[int]struct{}{0: {}}, ch: make(chan int, 2), l: list.New(), r: ring.New(4), p: new(int), big: new(big.Int), by: []byte("abcd"), mats: map[string][]int{"a": {1, 2, 3}}}
	w.ch <- 0
	for i := range 4 {
		w.l.PushBack(i)
		w.r.Value = i
		w.r = w.r.Next()
	}
	w.rng = rand.New(rand.NewSource(1))
	w.fn = func() int { return 0 }
	w.pp = &w.p
	w.av.Store(0)
	w.any = 0
	w.sm.Store(0, 0)
	return w
}

// changes are what a round may do, and what comes of it. What a loop does again and again comes back to what it was.
var changes = []struct {
	name  string
	step  func(*world)
	state func(*world) int
}{
	{"reflect set", func(w *world) { reflect.ValueOf(&w.n).Elem().Set(reflect.ValueOf((w.n + 1) % 5)) }, func(w *world) int { return w.n }},
	{"reflect setint", func(w *world) { reflect.ValueOf(&w.n).Elem().SetInt(int64((w.n + 1) % 5)) }, func(w *world) int { return w.n }},
	{"reflect field", func(w *world) {
		v := reflect.ValueOf(w).Elem().FieldByName("n")
		*(*int)(unsafe.Pointer(v.UnsafeAddr())) = (w.n + 1) % 5
	}, func(w *world) int { return w.n }},
	{"reflect map", func(w *world) {
		reflect.ValueOf(w.m).SetMapIndex(reflect.ValueOf(0), reflect.ValueOf((w.m[0]+1)%5))
	}, func(w *world) int { return w.m[0] }},
	{"reflect swap", func(w *world) { reflect.Swapper(w.s)(0, 1); reflect.Swapper(w.s)(1, 2) }, func(w *world) int { return w.s[0] }},
	{"map value", func(w *world) { w.m[0] = (w.m[0] + 1) % 5 }, func(w *world) int { return w.m[0] }},
	{"map value op", func(w *world) { w.m[0]++; w.m[0] %= 5 }, func(w *world) int { return w.m[0] }},
	{"map clear", func(w *world) {
		n := len(w.set)
		_, ok := w.set[0]
		clear(w.set)
		if ok {
			w.set[1] = struct{}{}
		} else {
			w.set[0] = struct{}{}
		}
		_ = n
	}, func(w *world) int {
		_, ok := w.set[0]
		if ok {
			return 0
		}
		return 1
	}},
	{"copy", func(w *world) { copy(w.s, []int{w.s[1], w.s[2], w.s[3], w.s[0]}) }, func(w *world) int { return w.s[0] }},
	{"copy one", func(w *world) { copy(w.s, w.s[3:]); w.s[3]++; w.s[3] %= 7 }, func(w *world) int { return w.s[0] }},
	{"reverse", func(w *world) { slices.Reverse(w.s) }, func(w *world) int { return w.s[0] }},
	{"rotate", func(w *world) { w.s = append(w.s[1:], w.s[0]) }, func(w *world) int { return w.s[0] }},
	{"insert", func(w *world) { w.s = slices.Insert(w.s[:3], 0, w.s[3]) }, func(w *world) int { return w.s[0] }},
	{"string", func(w *world) { w.str = "abcdef"[:(len(w.str)+1)%5] }, func(w *world) int { return len(w.str) }},
	{"string same len", func(w *world) {
		if w.str == "ab" {
			w.str = "cd"
		} else {
			w.str = "ab"
		}
	}, func(w *world) int {
		if w.str == "cd" {
			return 2
		}
		return len(w.str) / 2
	}},
	{"any", func(w *world) { w.any = (w.any.(int) + 1) % 5 }, func(w *world) int { return w.any.(int) }},
	{"any type", func(w *world) {
		if _, ok := w.any.(int); ok {
			w.any = uint(0)
		} else {
			w.any = 0
		}
	}, func(w *world) int {
		if _, ok := w.any.(int); ok {
			return 0
		}
		return 1
	}},
	{"array", func(w *world) { w.arr[w.i]++; w.i = (w.i + 1) % 4; w.arr[0] %= 2 }, func(w *world) int { return w.arr[1]*10 + w.arr[0] }},
	{"two periods", func(w *world) { w.b = !w.b; w.i = (w.i + 1) % 3 }, func(w *world) int {
		if w.b {
			return w.i
		}
		return 3 + w.i
	}},
	{"channel", func(w *world) { v := <-w.ch; w.ch <- (v + 1) % 5 }, func(w *world) int { v := <-w.ch; return v }},
	{"closure", func(w *world) { n := w.fn(); w.fn = func() int { return (n + 1) % 5 } }, func(w *world) int { return w.fn() }},
	{"list", func(w *world) { w.l.MoveToBack(w.l.Front()) }, func(w *world) int { return w.l.Front().Value.(int) }},
	{"ring", func(w *world) { w.r = w.r.Next() }, func(w *world) int { return w.r.Value.(int) }},
	{"rand", func(w *world) { w.rng.Intn(10) }, func(w *world) int { return w.rng.Intn(1000) }},
	{"pointer", func(w *world) { *w.p = (*w.p + 1) % 5 }, func(w *world) int { return *w.p }},
	{"new pointer", func(w *world) { n := (*w.p + 1) % 5; w.p = &n }, func(w *world) int { return *w.p }},
	{"pointer pointer", func(w *world) { **w.pp = (**w.pp + 1) % 5 }, func(w *world) int { return *w.p }},
	{"big", func(w *world) { w.big.Add(w.big, big.NewInt(1)); w.big.Rem(w.big, big.NewInt(5)) }, func(w *world) int { return int(w.big.Int64()) }},
	{"builder", func(w *world) {
		w.sb.WriteByte('a')
		if w.sb.Len() > 4 {
			w.sb.Reset()
		}
	}, func(w *world) int { return w.sb.Len() }},
	{"sync map", func(w *world) { v, _ := w.sm.Load(0); w.sm.Store(0, (v.(int)+1)%5) }, func(w *world) int { v, _ := w.sm.Load(0); return v.(int) }},
	{"atomic value", func(w *world) { w.av.Store((w.av.Load().(int) + 1) % 5) }, func(w *world) int { return w.av.Load().(int) }},
	{"struct", func(w *world) { w.st = struct{ a, b, c int }{w.st.b, w.st.c, (w.st.c + 1) % 3} }, func(w *world) int { return w.st.a*9 + w.st.b*3 + w.st.c }},
	{"bytes", func(w *world) { w.by[0] = 'a' + (w.by[0]-'a'+1)%5 }, func(w *world) int { return int(w.by[0] - 'a') }},
	{"bytes append", func(w *world) { w.by = append(w.by[:0], w.by[1], w.by[2], w.by[3], w.by[0]) }, func(w *world) int { return int(w.by[0] - 'a') }},
	{"float", func(w *world) { w.f32 = -w.f32 + 1 }, func(w *world) int { return int(w.f32) }},
	{"uint8 array", func(w *world) { w.u8[1] = (w.u8[1] + 1) % 5 }, func(w *world) int { return int(w.u8[1]) }},
	{"complex", func(w *world) {
		w.cx = complex(imag(w.cx), real(w.cx)+1)
		if real(w.cx) > 3 {
			w.cx = 0
		}
	}, func(w *world) int { return int(real(w.cx)*10 + imag(w.cx)) }},
	{"map of slices", func(w *world) { w.mats["a"][0] = (w.mats["a"][0] + 1) % 5 }, func(w *world) int { return w.mats["a"][0] - 1 }},
	{"any array", func(w *world) { w.ia[0], w.ia[1] = w.ia[1], w.n; w.n = (w.n + 1) % 4 }, func(w *world) int {
		if w.ia[1] == nil {
			return 0
		}
		return w.ia[1].(int) + 1
	}},
	{"error", func(w *world) {
		if w.err == nil {
			w.err = fmt.Errorf("x")
		} else {
			w.err = nil
		}
	}, func(w *world) int {
		if w.err == nil {
			return 0
		}
		return 1
	}},
	{"locked", func(w *world) { w.mu.Lock(); w.n = (w.n + 1) % 5; w.mu.Unlock() }, func(w *world) int { return w.n }},
	{"rlocked", func(w *world) { w.rw.RLock(); w.n = (w.n + 1) % 5; w.rw.RUnlock() }, func(w *world) int { return w.n }},
	{"lock handed", func(w *world) {
		if w.i = (w.i + 1) % 2; w.i == 1 {
			w.mu.Lock()
		} else {
			w.mu.Unlock()
		}
	}, func(w *world) int { return w.i }},
	{"swap", func(w *world) { w.s[0], w.s[1], w.s[2] = w.s[1], w.s[2], w.s[0] }, func(w *world) int { return w.s[0] }},
	{"seq", func(w *world) {
		for i := range seq(w) {
			w.n = (w.n + i) % 5
		}
	}, func(w *world) int { return w.n }},
	{"sprint", func(w *world) { w.str = fmt.Sprint((len(w.str)*7 + 1) % 100) }, func(w *world) int { return len(w.str) }},
	{"unsafe", func(w *world) { q := (*int)(unsafe.Add(unsafe.Pointer(&w.arr), 8)); *q = (*q + 1) % 5 }, func(w *world) int { return w.arr[1] }},
	{"delete insert", func(w *world) {
		if _, ok := w.set[0]; ok {
			delete(w.set, 0)
			w.set[1] = struct{}{}
		} else {
			delete(w.set, 1)
			w.set[0] = struct{}{}
		}
	}, func(w *world) int {
		if _, ok := w.set[0]; ok {
			return 0
		}
		return 1
	}},
	{"read of a file", func(w *world) {
		if w.file == nil {
			w.file, _ = os.Open("rounds_change_test.go")
		}
		w.file.Read(w.by)
	}, func(w *world) int { return int(w.by[0])<<8 | int(w.by[1]) }},
	{"copy within", func(w *world) { copy(w.by[1:3], w.by[2:4]) }, func(w *world) int { return int(w.by[1]) }},
	{"rotated", func(w *world) { b := w.by[0]; copy(w.by, w.by[1:]); w.by[3] = b }, func(w *world) int { return int(w.by[0]) }},
	{"struct of three", func(w *world) { w.st = struct{ a, b, c int }{w.st.b, w.st.c, (w.st.a + 1) % 5} }, func(w *world) int { return w.st.b*5 + w.st.c }},
	{"struct of three, and a field", func(w *world) {
		w.st = struct{ a, b, c int }{w.st.a, w.st.a, w.st.c}
		w.st.b = (w.st.b + 1) % 5
		w.st.a, w.st.b = w.st.b, 0
	}, func(w *world) int { return w.st.a }},
	{"struct of three, and a field that is put back for a while", func(w *world) {
		n := w.st.c
		w.st = struct{ a, b, c int }{0, 0, n + 1}
		w.st.c = n
		w.f.Load()
		w.st = struct{ a, b, c int }{0, 0, n + 1}
	}, func(w *world) int { return w.st.c }},
	{"slice, and its length that is put back for a while", func(w *world) {
		n := len(w.s) % 3
		w.s = w.s[: n+1 : 4]
		w.s = w.s[:n]
		w.f.Load()
		w.s = w.s[: n+1 : 4]
	}, func(w *world) int { return len(w.s) }},
	{"sort", func(w *world) {
		w.s[3] = w.s[0] - 1
		slices.Sort(w.s)
		if w.s[0] < -3 {
			w.s[0] = 9
		}
	}, func(w *world) int { return w.s[0] }},
}

func seq(w *world) iter.Seq[int] { return func(yield func(int) bool) { yield(1) } }

// TestRoundsChange: a round that changes something, of whatever kind, is none in vain. The loop may end after it, and what it has changed is seen behind.
func TestRoundsChange(t *testing.T) {
	var programs []func(*interleave.Exec)
	var names []string
	for _, c := range changes {
		for rounds := 1; rounds <= 2; rounds++ {
			w := newWorld()
			for range rounds {
				c.step(w)
			}
			want := c.state(w)
			if want == c.state(newWorld()) {
				continue
			}
			names = append(names, fmt.Sprintf("%s, %d rounds", c.name, rounds))
			programs = append(programs, func(x *interleave.Exec) {
				w := newWorld()
				x.Go("goes round", func() {
					for !w.f.Load() {
						c.step(w)
					}
					if got := c.state(w); got == want {
						x.Fatalf("it has come to %d", got)
					}
				})
				x.Go("ends it", func() { w.f.Store(true) })
			})
		}
	}
	for i, r := range explored(t, programs) {
		if r.Failure == nil || !strings.HasPrefix(r.Failure.Message, "it has come to ") {
			t.Errorf("%s: expected it to be seen behind the loop, saw %s", names[i], r.Text(""))
		}
	}
}
