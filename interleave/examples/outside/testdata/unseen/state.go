package unseen

import (
	"container/list"
	"errors"
	"regexp"
	"sync"
	"sync/atomic"
)

type registry struct {
	mu    sync.Mutex
	names []string
	by    map[string]*registry
	any   any
	n     atomic.Int32
}

func (r *registry) count() { r.mu.Lock(); defer r.mu.Unlock(); r.names[0] += "x" }

var (
	reg         = &registry{names: []string{"a"}}
	far         = []*registry{nil, {by: map[string]*registry{"x": {}}}}
	byName      = map[string]int{"x": 1}
	boxed   any = &registry{}
	head    atomic.Pointer[registry]
	table   sync.Map
	entries = list.New()
	next    = counting()
	loop    = &ring{}

	// These do not change.
	squares = make([]int, 20_000)
	errGone = errors.New("gone")
	words   = regexp.MustCompile(`\w+`)
	pool    = sync.Pool{New: func() any { return new(registry) }}
	less    = func(a, b int) bool { return a < b }
)

type ring struct {
	next *ring
	n    int
}

func init() {
	head.Store(new(registry))
	loop.next = &ring{next: loop}
	table.Store("x", 1)
}

func counting() func() int {
	n := 0
	return func() int { n++; return n }
}
