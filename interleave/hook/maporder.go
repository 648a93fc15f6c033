package hook

import (
	"cmp"
	"iter"
	"slices"

	"github.com/spindle-go/spindle/interleave/internal/engine"
)

// InOrder is a range over m. In an exploration the keys come in their order, or
// two runs of one schedule would not do the same.
func InOrder[M ~map[K]V, K cmp.Ordered, V any](m M) iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		if len(m) < 2 || !engine.Exploring() {
			for k, v := range m {
				if !yield(k, v) {
					return
				}
			}
			return
		}
		type pair struct {
			k K
			v V
		}
		var all []pair
		for k, v := range m {
			all = append(all, pair{k, v})
		}
		slices.SortStableFunc(all, func(a, b pair) int { return cmp.Compare(a.k, b.k) })
		for _, p := range all {
			if v, ok := m[p.k]; ok {
				p.v = v
			} else if p.k == p.k {
				continue // deleted meanwhile; what is not equal to itself cannot be
			}
			if !yield(p.k, p.v) {
				return
			}
		}
	}
}

// MapOrder is a map that is ranged over and whose keys have no order of their own.
func MapOrder[M ~map[K]V, K comparable, V any](site Site, m M) M {
	if len(m) > 1 {
		engine.Chanced(site, "the order of a map")
	}
	return m
}
