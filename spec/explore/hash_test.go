package explore

import (
	"math"
	"math/bits"
	"slices"
	"testing"
	"unsafe"
)

// TestEveryBitCounts flips one and two bits of states of many sizes: no two of
// them have the same fingerprint, nor half of one.
func TestEveryBitCounts(t *testing.T) {
	everyBit[[1]uint8](t)
	everyBit[[2]uint8](t)
	everyBit[[3]uint8](t)
	everyBit[[7]uint8](t)
	everyBit[[8]uint8](t)
	everyBit[[9]uint8](t)
	everyBit[[12]uint8](t)
	everyBit[[15]uint8](t)
	everyBit[[16]uint8](t)
	everyBit[[17]uint8](t)
	everyBit[[23]uint8](t)
	everyBit[[24]uint8](t)
	everyBit[[31]uint8](t)
	everyBit[[33]uint8](t)
	everyBit[[40]uint8](t)
}

func everyBit[S comparable](t *testing.T) {
	t.Helper()
	for seed := range uint64(2) {
		k := newHasher(seed)
		n := 8 * int(unsafe.Sizeof(*new(S)))
		seen := make(map[uint64]bool)
		var high, low [256]int // of the bits that tables use
		count := 0
		for i := range n {
			for j := i; j < n; j++ {
				var s S
				b := unsafe.Slice((*byte)(unsafe.Pointer(&s)), n/8)
				b[i/8] ^= 1 << (i % 8)
				if j != i {
					b[j/8] ^= 1 << (j % 8)
				}
				f := fingerprint(k, &s)
				if f == 0 || seen[f] {
					t.Errorf("%T, seed %d: bits %d and %d give fingerprint %#x, as others do", s, seed, i, j, f)
					return
				}
				seen[f] = true
				high[f>>56]++
				low[f&255]++
				count++
			}
		}
		for name, buckets := range map[string][256]int{"high": high, "low": low} {
			if most, mean := slices.Max(buckets[:]), float64(count)/256; float64(most) > mean+8*math.Sqrt(mean)+8 {
				t.Errorf("%d bytes, seed %d: %d of %d fingerprints have the same %s byte", n/8, seed, most, count, name)
			}
		}
	}
}

// TestSeedsAreUnrelated counts the bits in which the fingerprints of one state
// differ for two seeds.
func TestSeedsAreUnrelated(t *testing.T) {
	s := ringState{Head: 1}
	for seed := range uint64(200) {
		a, b := fingerprint(newHasher(seed), &s), fingerprint(newHasher(seed+1), &s)
		if n := bits.OnesCount64(a ^ b); n < 8 || n > 56 {
			t.Errorf("seeds %d and %d: %#x and %#x differ in %d bits", seed, seed+1, a, b, n)
		}
	}
}
