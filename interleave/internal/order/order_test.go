package order

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/object"
)

// A planned operation is on a word, and writes it or not.
type planned struct {
	word   int
	writes bool
}

// run carries out the threads' operations in the order of turns.
func run(threads [][]planned, turns []int) (Execution, []*Thread) {
	x := New()
	x.Clocked, x.Pairs = true, true
	x.Begin()
	words := make([]int64, 4)
	var all []*Thread
	for i := range threads {
		t := &Thread{ID: x.IDOf(-1, i), Parent: -1, Nth: i}
		x.Start(t)
		all = append(all, t)
	}
	next := make([]int, len(threads))
	for _, i := range turns {
		p := threads[i][next[i]]
		next[i]++
		loc, _ := x.Locate(unsafe.Pointer(&words[p.word]))
		n := &all[i].Next
		n.Kind, n.Write, n.Loc = object.Load, false, loc
		if p.writes {
			n.Kind, n.Write = object.Store, true
		}
		op := object.Op{Wrote: 1}
		x.Add(all[i], &op, p.writes)
	}
	return x, all
}

// orders returns all orders in which threads with so many operations can take turns.
func orders(left []int) (all [][]int) {
	none := true
	for i := range left {
		if left[i] == 0 {
			continue
		}
		none = false
		left[i]--
		for _, rest := range orders(left) {
			all = append(all, append([]int{i}, rest...))
		}
		left[i]++
	}
	if none {
		return [][]int{nil}
	}
	return all
}

// TestOrder holds what happens before what, the races and the classes of all executions of small programs against their definitions.
func TestOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		threads := make([][]planned, 2+r.IntN(2))
		var sizes []int
		for i := range threads {
			for range 1 + r.IntN(3) {
				threads[i] = append(threads[i], planned{r.IntN(2), r.IntN(2) == 0})
			}
			sizes = append(sizes, len(threads[i]))
		}
		classes := make(map[string]uint64)
		numbers := make(map[uint64]string)
		for _, turns := range orders(sizes) {
			x, all := run(threads, turns)
			next := make([]int, len(threads))
			ops := make([]planned, len(turns))
			names := make([]string, len(turns))
			for i, th := range turns {
				ops[i], names[i] = threads[th][next[th]], fmt.Sprint(th, ".", next[th])
				next[th]++
			}
			conflict := func(a, b int) bool {
				return turns[a] == turns[b] || ops[a].word == ops[b].word && (ops[a].writes || ops[b].writes)
			}
			before := make([][]bool, len(turns))
			for b := range turns {
				before[b] = make([]bool, len(turns))
				before[b][b] = true
				for a := b - 1; a >= 0; a-- {
					for k := a; k < b; k++ {
						before[b][a] = before[b][a] || conflict(k, b) && before[k][a]
					}
				}
			}
			var pairs []string
			var races []Race
			for b := range turns {
				for a := range b {
					if got := x.Before(int32(a), int32(b)); got != before[b][a] {
						t.Fatalf("%v, %v: event %d before %d: %v, want %v", threads, turns, a, b, got, before[b][a])
					}
					if before[b][a] {
						pairs = append(pairs, names[a]+"<"+names[b])
					}
					if turns[a] == turns[b] || !conflict(a, b) {
						continue
					}
					between := false // something orders the two without their conflict
					for k := a + 1; k < b; k++ {
						between = between || before[k][a] && before[b][k]
					}
					if !between {
						races = append(races, Race{int32(a), int32(b)})
					}
				}
			}
			got := slices.Clone(x.Races)
			less := func(a, b Race) int { return int(a.Second-b.Second)*100 + int(a.First-b.First) }
			slices.SortFunc(got, less)
			slices.SortFunc(races, less)
			if !slices.Equal(got, races) {
				t.Fatalf("%v, %v: races %v, want %v", threads, turns, got, races)
			}
			slices.Sort(pairs)
			key, class := fmt.Sprint(pairs), x.Class(all)
			if was, ok := classes[key]; ok && was != class || numbers[class] != "" && numbers[class] != key {
				t.Fatalf("%v, %v: class %x of %s, saw %x and %s", threads, turns, class, key, was, numbers[class])
			}
			classes[key], numbers[class] = class, key
		}
	}
}

// TestCut: what is cut off is forgotten, and threads go on behind it.
func TestCut(t *testing.T) {
	x, _ := run([][]planned{{{0, true}, {1, true}}, {{0, true}}}, []int{0, 1, 0})
	if x.Cut(1, 0); len(x.Events) != 1 || len(x.Races) != 0 {
		t.Errorf("%d events, %d races", len(x.Events), len(x.Races))
	}
}

// TestNames: a thread has the same name, and by it the same number, however a search came to it.
func TestNames(t *testing.T) {
	x := New()
	x.Begin()
	thread := func(parent, nth int) *Thread {
		t := &Thread{ID: x.IDOf(parent, nth), Parent: parent, Nth: nth}
		x.Start(t)
		return t
	}
	a, b := thread(-1, 0), thread(-1, 1)
	a2, a1 := thread(a.ID, 1), thread(a.ID, 0)
	deep := thread(a2.ID, 2)
	buffer := &Thread{ID: x.IDOf(b.ID, -1), Parent: b.ID, Nth: -1, Owner: b}
	x.Start(buffer)
	for _, c := range []struct {
		t    *Thread
		name string
	}{{a, "a"}, {b, "b"}, {a1, "a1"}, {a2, "a2"}, {deep, "a2-3"}, {buffer, "b+"}} {
		if got := x.Lineage(c.t.ID); got != c.name || x.Named(c.name) != c.t.ID || !ValidName(c.name) {
			t.Errorf("%s: saw %s, number %d, want %d", c.name, got, x.Named(c.name), c.t.ID)
		}
	}
	for _, name := range []string{"", "+", "1", "a0", "a-1", "a1-", "a33", "a+1", "a1-+2", "é"} {
		if ValidName(name) {
			t.Errorf("%q is taken for a name", name)
		}
	}
	y := New()
	for i := range MaxThreads {
		if y.IDOf(-1, i) != i {
			t.Fatalf("thread %d: number %d", i, y.IDOf(-1, i))
		}
	}
	if y.IDOf(0, 0) != -1 || y.IDOf(-1, 3) != 3 {
		t.Error("more threads than there may be have a number, or others have lost theirs")
	}
}

// TestTable: what was put in is found, also when it has grown, until it is cleared.
func TestTable(t *testing.T) {
	var table Table
	for round := range 3 {
		table.Clear()
		for i := range 1000 {
			at := uintptr(i*8 + round)
			if _, ok := table.Find(at); ok {
				t.Fatalf("round %d: %d is there before it was put", round, at)
			}
			table.Put(at, int32(i))
		}
		for i := range 1000 {
			if n, ok := table.Find(uintptr(i*8 + round)); !ok || n != int32(i) {
				t.Fatalf("round %d: %d, %v, want %d", round, n, ok, i)
			}
		}
	}
}

// TestThreadSet holds sets of threads against slices.
func TestThreadSet(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		var s ThreadSet
		var members []int
		for i := range MaxThreads {
			if r.IntN(3) == 0 {
				s |= 1 << i
				members = append(members, i)
			}
		}
		if s.Size() != len(members) {
			t.Fatalf("%b: size %d", s, s.Size())
		}
		for k, m := range members {
			if s.Nth(k) != m || s.Prefer(m) != m || !s.Has(m) {
				t.Fatalf("%b: member %d", s, k)
			}
		}
		if len(members) > 0 {
			for i := -1; i < MaxThreads; i++ {
				if !slices.Contains(members, i) && (i >= 0 && s.Has(i) || s.Prefer(i) != members[0]) {
					t.Fatalf("%b: %d", s, i)
				}
			}
		}
	}
}
