package explore

import (
	"math/bits"
	"unsafe"
)

// A hasher turns states into fingerprints: two words of the state a
// multiplication, the 128 bits of the product folded into 64. Its keys come from
// a seed: runs with different seeds lose different states, if any.
type hasher struct{ k0, k1, k2 uint64 }

func newHasher(seed uint64) hasher {
	// splitmix64: neighbouring seeds give unrelated keys.
	next := func() uint64 {
		seed += 0x9e3779b97f4a7c15
		z := seed
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
	return hasher{next() | 1, next() | 1, next() | 1}
}

// fold multiplies and folds.
func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

// fingerprint hashes the bytes of s. It is never 0, which marks a free place of
// the table.
func fingerprint[S comparable](k hasher, s *S) uint64 {
	size := unsafe.Sizeof(*s)
	p := unsafe.Pointer(s)
	h := k.k0
	if size < 8 {
		w := uint64(0)
		for i := range size {
			w = w<<8 | uint64(*(*byte)(unsafe.Add(p, i)))
		}
		h = fold(w^k.k1, h^k.k2)
	} else {
		at := uintptr(0)
		for ; at+16 <= size; at += 16 {
			h = fold(word(p, at)^k.k1, word(p, at+8)^h)
		}
		if at+8 <= size {
			h = fold(word(p, at)^k.k2, h)
			at += 8
		}
		if at < size { // the last word overlaps the one before
			h = fold(word(p, size-8)^k.k1, h^k.k2)
		}
	}
	h = fold(h^k.k2, k.k0^uint64(size))
	return h | uint64(b2i(h == 0))
}

func word(p unsafe.Pointer, at uintptr) uint64 { return *(*uint64)(unsafe.Add(p, at)) }

func b2i(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}
