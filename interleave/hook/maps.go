package hook

import (
	"iter"

	"github.com/spindle-go/spindle/interleave/internal/engine"
)

// MapR is a read of a map, of any of its elements: a map is one location.
func MapR[M ~map[K]V, K comparable, V any](site Site, m M) M {
	if p := word(m); p != nil {
		engine.Read(p, 1, site)
	}
	return m
}

// MapW is a write of a map.
func MapW[M ~map[K]V, K comparable, V any](site Site, m M) M {
	if p := word(m); p != nil {
		engine.Write(p, 1, site)
	}
	return m
}

// MapRW is a read and a write of a map.
func MapRW[M ~map[K]V, K comparable, V any](site Site, m M) M {
	if p := word(m); p != nil {
		engine.Read(p, 1, site)
		engine.Write(p, 1, site)
	}
	return m
}

// Element is m[key], where the key is computed by operations, which come first:
// m[k.Load()] becomes hook.Element(17, m)(k.Load()).
func Element[M ~map[K]V, K comparable, V any](site Site, m M) func(K) V {
	return func(key K) V { return MapR(site, m)[key] }
}

// ElementOK is Element with a second result.
func ElementOK[M ~map[K]V, K comparable, V any](site Site, m M) func(K) (V, bool) {
	return func(key K) (V, bool) {
		v, ok := MapR(site, m)[key]
		return v, ok
	}
}

// Pairs is a range over m that reads it for each element, when its turn comes.
func Pairs[M ~map[K]V, K comparable, V any](site Site, m M) iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for k, v := range MapR(site, m) {
			if !yield(k, v) {
				return
			}
			MapR(site, m)
		}
	}
}

// Delete is delete(m, key): it becomes hook.Delete(17, m)(key).
func Delete[M ~map[K]V, K comparable, V any](site Site, m M) func(K) {
	return func(key K) { delete(MapW(site, m), key) }
}

// ClearMap is clear, of a map.
func ClearMap[M ~map[K]V, K comparable, V any](site Site, m M) { clear(MapW(site, m)) }
