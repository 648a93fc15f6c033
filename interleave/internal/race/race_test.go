package race

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/order"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec/record"
)

// A node is an access, an operation, or a go statement, by the definition: the sets of nodes that happen before it, by all that is known, by operations of the program and of
// code that does something for itself, and by operations of the program alone. A set has a bit for each.
type node struct {
	program, inside, any mask
}

// mask is a set of nodes.
type mask [4]uint64

func (m *mask) add(o mask) {
	for i := range m {
		m[i] |= o[i]
	}
}
func (m *mask) put(n int)      { m[n/64] |= 1 << (n % 64) }
func (m *mask) has(n int) bool { return m[n/64]>>(n%64)&1 != 0 }

// A seenAccess is an access of a history.
type seenAccess struct {
	node        int
	thread      int
	role        Role
	first, last int // bytes
}

// A history is an execution that is made at random, held against the definition.
type history struct {
	t        *testing.T
	r        *rand.Rand
	x        order.Execution
	d        Detector
	memory   []byte
	threads  []*order.Thread
	at       []int // of each thread, its last node
	nodes    []node
	accesses []seenAccess
	found    map[Finding]bool // in the access under way
	text     []string
	races    int
	// State, and by object who released to it: nodes.
	values   map[int]uint64
	locked   map[int]bool
	readers  map[int]int
	released map[int][]int
	byReader map[int][]int
	ofCell   map[int]int
	guarded  map[int]int // word of an operation of code for itself: the node that released last
}

// Where objects lie: none over another.
const (
	words   = 0   // 4 of 8 bytes
	mutexes = 32  // 2 of 8
	rws     = 48  // 2 of 24
	groups  = 96  // 2 of 16
	cells   = 128 // 4 of 8
	guards  = 160 // 4 of 8
	data    = 192 // 64 bytes
	much    = 256 // more than has cells
	size    = much + 2*8*mostWords
)

func (h *history) Found(then, now *Access, f Finding) bool {
	h.found[f] = true
	return false
}

func (h *history) Hidden(*Hidden, *Access) {}

// next makes a node of a thread, behind its last one.
func (h *history) next(thread int) int {
	n := len(h.nodes)
	h.nodes = append(h.nodes, node{})
	if h.at[thread] >= 0 {
		h.after(n, h.at[thread], 0)
	}
	h.at[thread] = n
	return n
}

// after says that one node happens before another; by: 0 in the program, 1 by code for itself, 2 by a table.
func (h *history) after(n, before int, by int) {
	b := h.nodes[before]
	b.program.put(before)
	b.inside.put(before)
	b.any.put(before)
	h.nodes[n].any.add(b.any)
	if by < 2 {
		h.nodes[n].inside.add(b.inside)
	}
	if by < 1 {
		h.nodes[n].program.add(b.program)
	}
}

// check holds what was found in an access against the definition.
func (h *history) check(a seenAccess) {
	want := make(map[Finding]bool)
	n := &h.nodes[a.node]
	for _, b := range h.accesses {
		plain := a.role.Plain() || b.role.Plain()
		writes := func(r Role) bool { return r == Write || r == AtomicWrite || r == GroupAdd || r == GroupWait }
		conflict := plain && (writes(a.role) || writes(b.role)) || a.role == GroupAdd && b.role == GroupWait || a.role == GroupWait && b.role == GroupAdd
		switch {
		case a.thread == b.thread, a.last < b.first, b.last < a.first, !conflict, n.program.has(b.node):
		case n.inside.has(b.node):
			want[Inside] = true
		case n.any.has(b.node):
			want[ByTables] = true
		default:
			want[Race] = true
		}
	}
	h.races += len(want)
	if w, f := worst(want), worst(h.found); w != f {
		h.t.Fatalf("expected %s, saw %s, in the last of\n%s", w, f, strings.Join(h.text, "\n"))
	}
	h.accesses = append(h.accesses, a)
	clear(h.found)
}

// worst returns the worst of all findings. An access that another of its thread covers is forgotten, and with it what is better.
func worst(all map[Finding]bool) string {
	switch {
	case all[Overlap] || all[Ranging]:
		return "what is not there"
	case all[Race]:
		return "a race"
	case all[ByTables]:
		return "accesses that a table's guard orders"
	case all[Inside]:
		return "accesses that code orders for itself"
	}
	return "none"
}

// access is a plain access of a thread.
func (h *history) access(thread, at, n int, r Role) {
	h.text = append(h.text, fmt.Sprintf("t%d: role %d of %d bytes at %d", thread, r, n, at))
	a := seenAccess{h.next(thread), thread, r, at, at + n - 1}
	h.d.Access(unsafe.Pointer(&h.memory[at]), uintptr(n), thread, r, 0)
	h.check(a)
}

// operation is one of a thread on an object: what it read, wrote and changed. From are nodes that happen before it.
func (h *history) operation(thread int, k object.Kind, at, n int, read, wrote uint64, changed bool, from ...int) int {
	h.text = append(h.text, fmt.Sprintf("t%d: %v at %d, read %d, wrote %d, changed %v", thread, k, at, read, wrote, changed))
	t := h.threads[thread]
	addr := unsafe.Pointer(&h.memory[at])
	loc, _ := h.x.Locate(addr)
	t.Next = order.Next{Kind: k, Write: k.MayWrite(), Loc: loc}
	op := object.Op{Read: read, Wrote: wrote}
	ev := &h.x.Events[h.x.Add(t, &op, changed)]
	h.d.Touches(addr, uintptr(n))
	h.d.Operation(t, ev, true, true)
	role := AtomicWrite
	switch {
	case k == object.Load:
		role = AtomicRead
	case k == object.Wait:
		role = GroupWait
	case k == object.Count && read == 0 && int64(wrote) > 0:
		role = GroupAdd
	}
	access := h.next(thread)
	if k == object.Load { // it is checked when it has acquired
		for _, b := range from {
			h.after(access, b, 0)
		}
	}
	h.check(seenAccess{access, thread, role, at, at + n - 1})
	does := h.next(thread)
	for _, b := range from {
		h.after(does, b, 0)
	}
	return does
}

// step makes something at random.
func (h *history) step() {
	thread := h.r.IntN(len(h.threads))
	i := h.r.IntN(2)
	switch h.r.IntN(12) {
	case 0, 1, 2:
		at := data + h.r.IntN(24)
		if h.r.IntN(6) == 0 {
			at = h.r.IntN(data) // over an object
		}
		h.access(thread, at, 1+h.r.IntN(16), []Role{Read, Write}[h.r.IntN(2)])
	case 3:
		if h.r.IntN(4) == 0 {
			h.access(thread, h.r.IntN(much), 8*mostWords+h.r.IntN(100), []Role{Read, Write}[h.r.IntN(2)])
		}
	case 4, 5:
		h.word(thread, words+8*h.r.IntN(4))
	case 6:
		h.mutex(thread, mutexes+8*i)
	case 7:
		h.rwmutex(thread, rws+24*i)
	case 8:
		h.group(thread, groups+16*i)
	case 9:
		h.cell(thread, cells+8*h.r.IntN(4))
	case 10:
		h.guard(thread, guards+8*h.r.IntN(4))
	case 11:
		if len(h.threads) < 5 {
			h.start(thread)
		}
	}
}

// start is a go statement of a thread, or a thread that is there from the beginning.
func (h *history) start(parent int) {
	nth := 0
	for _, t := range h.threads {
		if t.Parent == parent {
			nth++
		}
	}
	t := &order.Thread{ID: h.x.IDOf(parent, nth), Parent: parent, Nth: nth}
	h.x.Start(t)
	h.d.Start(t.ID, parent)
	h.threads = append(h.threads, t)
	h.at = append(h.at, -1)
	if parent >= 0 {
		h.text = append(h.text, fmt.Sprintf("t%d: go t%d", parent, t.ID))
		h.at[t.ID] = h.at[parent]
	}
}

// before returns the nodes that released to an object.
func before(m map[int][]int, at int) []int { return append([]int(nil), m[at]...) }

func (h *history) word(thread, at int) {
	was, set := h.values[at], uint64(h.r.IntN(3))
	switch h.r.IntN(5) {
	case 0:
		h.operation(thread, object.Load, at, 8, was, was, false, before(h.released, at)...)
	case 1:
		h.released[at] = []int{h.operation(thread, object.Store, at, 8, was, set, true)}
		h.values[at] = set
	case 2, 3:
		k := []object.Kind{object.Swap, object.Add, object.And, object.Or}[h.r.IntN(4)]
		h.released[at] = []int{h.operation(thread, k, at, 8, was, set, true, before(h.released, at)...)}
		h.values[at] = set
	case 4:
		swaps := h.r.IntN(2) == 0
		wrote := was
		if swaps {
			wrote = set
		}
		n := h.operation(thread, object.CompareAndSwap, at, 8, was, wrote, swaps, before(h.released, at)...)
		if swaps {
			h.released[at], h.values[at] = []int{n}, set
		}
	}
}

func (h *history) mutex(thread, at int) {
	switch {
	case h.locked[at] && h.r.IntN(3) == 0:
		h.operation(thread, object.TryLock, at, 8, 1, 1, false)
	case h.locked[at]:
		h.released[at] = append(h.released[at], h.operation(thread, object.Unlock, at, 8, 1, 0, true))
		h.locked[at] = false
	default:
		h.operation(thread, []object.Kind{object.Lock, object.TryLock}[h.r.IntN(2)], at, 8, 0, 1, true, before(h.released, at)...)
		h.locked[at] = true
	}
}

func (h *history) rwmutex(thread, at int) {
	all := append(before(h.released, at), h.byReader[at]...)
	switch {
	case h.locked[at] && h.r.IntN(3) == 0:
		h.operation(thread, []object.Kind{object.TryRLock, object.TryWLock}[h.r.IntN(2)], at, 24, 1, 1, false)
	case h.locked[at]:
		h.released[at] = append(h.released[at], h.operation(thread, object.WUnlock, at, 24, 1, 0, true))
		h.locked[at] = false
	case h.readers[at] > 0 && h.r.IntN(2) == 0:
		h.byReader[at] = append(h.byReader[at], h.operation(thread, object.RUnlock, at, 24, 1, 0, true))
		h.readers[at]--
	case h.readers[at] == 0 && h.r.IntN(2) == 0:
		if h.r.IntN(2) == 0 {
			h.operation(thread, object.TryWLock, at, 24, 0, 1, true, all...)
		} else {
			h.operation(thread, object.WLock, at, 24, 0, 1, true, all...)
			h.operation(thread, object.WDrain, at, 24, 0, 0, false, all...)
		}
		h.locked[at] = true
	default:
		h.operation(thread, []object.Kind{object.RLock, object.TryRLock}[h.r.IntN(2)], at, 24, 0, 1, true, before(h.released, at)...)
		h.readers[at]++
	}
}

func (h *history) group(thread, at int) {
	n := h.values[at]
	switch {
	case n == 0 && h.r.IntN(2) == 0:
		h.operation(thread, object.Wait, at, 16, 0, 0, false, before(h.released, at)...)
	case n > 0 && h.r.IntN(2) == 0:
		h.released[at] = append(h.released[at], h.operation(thread, object.Count, at, 16, n, n-1, true))
		h.values[at]--
	default:
		h.operation(thread, object.Count, at, 16, n, n+1, true)
		h.values[at]++
	}
}

func (h *history) cell(thread, at int) {
	addr := unsafe.Pointer(&h.memory[at])
	n := h.next(thread)
	if by, ok := h.ofCell[at]; ok && h.r.IntN(2) == 0 {
		h.text = append(h.text, fmt.Sprintf("t%d: acquires %d", thread, at))
		h.d.Acquire(thread, addr)
		h.after(n, by, 0)
		return
	}
	h.text = append(h.text, fmt.Sprintf("t%d: releases %d", thread, at))
	h.d.Release(thread, addr)
	h.ofCell[at] = n
}

// guard is an operation of code for itself.
func (h *history) guard(thread, at int) {
	releases, table := h.r.IntN(2) == 0, at%16 == 0
	h.text = append(h.text, fmt.Sprintf("t%d: inside, at %d, table %v, releases %v", thread, at, table, releases))
	n := h.next(thread)
	h.d.Inside(thread, unsafe.Pointer(&h.memory[at]), table, releases)
	by := 1
	if table {
		by = 2
	}
	if from, ok := h.guarded[at]; ok {
		h.after(n, from, by)
	}
	if releases {
		h.guarded[at] = n
	}
}

// TestByDefinition: in executions that are drawn, each access has exactly the findings of the definition: which others it conflicts with that do not happen before it, where
// what happens before what is a set of nodes, and no clock is kept.
func TestByDefinition(t *testing.T) {
	first, err := record.SeedFromEnv(1)
	if err != nil {
		t.Fatal(err)
	}
	races := 0
	h := &history{t: t, memory: make([]byte, size)}
	for n := range tier.N(t, 3_000, 300_000) {
		seed := uint64(first) + uint64(n)
		*h = history{t: t, memory: h.memory, x: h.x.Kept(), d: h.d, r: rand.New(rand.NewPCG(seed, 7)), found: make(map[Finding]bool),
			values: make(map[int]uint64), locked: make(map[int]bool), readers: make(map[int]int), released: make(map[int][]int), byReader: make(map[int][]int),
			ofCell: make(map[int]int), guarded: make(map[int]int), text: []string{fmt.Sprintf("SPINDLE_SEED=%d:", seed)}}
		h.x.Clocked = n%2 == 0
		h.x.Begin()
		h.d.Begin(&h.x, h)
		for range 2 + h.r.IntN(2) {
			h.start(-1)
		}
		for range 40 {
			h.step()
		}
		races += h.races
	}
	if races < 1000 {
		t.Errorf("expected accesses with findings, 1000 at least, saw %d", races)
	}
}
