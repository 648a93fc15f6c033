package hook

import (
	"cmp"
	"iter"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/internal/list"
)

// What stands in for a few things of explored code: see package instrument.

// ByKeys is a range over m. In an exploration the keys come in their order, or
// two runs of one schedule would not do the same; or in any, under Exec.AnyChoice.
func ByKeys[M ~map[K]V, K cmp.Ordered, V any](m M) iter.Seq2[K, V] {
	if len(m) < 2 || !engine.Exploring() {
		return Turning(m)
	}
	site := engine.Here()
	return func(yield func(K, V) bool) {
		type pair struct {
			k K
			v V
		}
		var all []pair
		reads(m, site)
		for k, v := range m {
			all = append(all, pair{k, v})
		}
		list.Sort(all, func(a, b pair) int { return cmp.Compare(a.k, b.k) })
		for len(all) > 0 {
			var p pair
			p, all = engine.TakeAt(site, engine.MapOrder, all)
			if v, ok := m[p.k]; ok {
				p.v = v
			} else if p.k == p.k {
				continue // deleted meanwhile; what is not equal to itself cannot be
			}
			if !yield(p.k, p.v) {
				return
			}
			reads(m, site)
		}
	}
}

// Turning is a range over m of which nothing but the number of turns counts.
func Turning[M ~map[K]V, K comparable, V any](m M) iter.Seq2[K, V] {
	site := engine.Here()
	return func(yield func(K, V) bool) {
		reads(m, site)
		for k, v := range m {
			if !yield(k, v) {
				return
			}
			reads(m, site)
		}
	}
}

// reads is a read of a map, of any of its elements: a map is one location. It is read
// for each turn.
func reads[M ~map[K]V, K comparable, V any](m M, site engine.Site) {
	if at := *(*unsafe.Pointer)(unsafe.Pointer(&m)); at != nil {
		engine.Read(at, 1, site)
	}
}

// Wipe is clear, of a slice.
func Wipe[S ~[]E, E any](s S) {
	if len(s) > 0 && engine.Controlled() {
		engine.Write(unsafe.Pointer(&s[0]), uintptr(len(s))*unsafe.Sizeof(s[0]), engine.Here())
	}
	clear(s)
}
