package hook

import (
	"cmp"
	"iter"

	"github.com/spindle-go/spindle/interleave/internal/engine"
	"github.com/spindle-go/spindle/interleave/internal/list"
)

// InOrder is a range over m that reads it for each element, as Pairs is. In an exploration the keys come in their order, or
// two runs of one schedule would not do the same; or in any, under Exec.AnyChoice.
func InOrder[M ~map[K]V, K cmp.Ordered, V any](site Site, m M) iter.Seq2[K, V] {
	if len(m) < 2 || !engine.Exploring() {
		return Pairs(site, m)
	}
	return func(yield func(K, V) bool) {
		type pair struct {
			k K
			v V
		}
		var all []pair
		for k, v := range MapR(site, m) {
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
			MapR(site, m)
		}
	}
}

// ByKeys is InOrder in code that is explored as it is.
func ByKeys[M ~map[K]V, K cmp.Ordered, V any](m M) iter.Seq2[K, V] {
	return InOrder(engine.Here(), m)
}

// Turning is Pairs in code that is explored as it is: nothing but the number of turns counts.
func Turning[M ~map[K]V, K comparable, V any](m M) iter.Seq2[K, V] {
	return Pairs(engine.Here(), m)
}

// Wipe is Clear in code that is explored as it is.
func Wipe[S ~[]E, E any](s S) { Clear(engine.Here(), s) }

// MapOrder is a map that is ranged over and whose keys have no order of their own.
func MapOrder[M ~map[K]V, K comparable, V any](site Site, m M) M {
	if len(m) > 1 {
		engine.Chanced(site, "the order of a map")
	}
	return m
}
