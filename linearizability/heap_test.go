package linearizability

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestHeap: the least key comes first, though pushes and pops take turns.
func TestHeap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var h heap[int64]
	var in []int64 // what is in it, the least first
	for n := range 2000 {
		if len(in) == 0 || n < 1500 && r.IntN(3) > 0 {
			key := r.Int64N(500)
			h.push(key, key)
			at, _ := slices.BinarySearch(in, key)
			in = slices.Insert(in, at, key)
			continue
		}
		if got := h.pop(); got != in[0] || len(h) != len(in)-1 {
			t.Fatalf("step %d: expected %d of %d, saw %d, and %d left", n, in[0], len(in), got, len(h))
		}
		in = in[1:]
	}
}
