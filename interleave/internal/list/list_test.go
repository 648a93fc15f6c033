package list

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestLikeSlices: each function does what that of package slices does.
func TestLikeSlices(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	even := func(n int) bool { return n%2 == 0 }
	for n := range 200 {
		s := make([]int, n)
		for i := range s {
			s[i] = r.IntN(20)
		}
		v := r.IntN(20)
		if Index(s, v) != slices.Index(s, v) || Contains(s, v) != slices.Contains(s, v) || IndexFunc(s, even) != slices.IndexFunc(s, even) || ContainsFunc(s, even) != slices.ContainsFunc(s, even) {
			t.Fatalf("%v: where %d is, or an even number", s, v)
		}
		if o := Clone(s); n > 0 && Compare(s, o[:n/2]) != slices.Compare(s, o[:n/2]) || Compare(s, o) != 0 {
			t.Fatalf("%v: compared", s)
		}
		if n > 0 {
			if i := r.IntN(n); !slices.Equal(Delete(Clone(s), i), slices.Delete(slices.Clone(s), i, i+1)) {
				t.Fatalf("%v: without element %d", s, i)
			}
		}
		if !slices.Equal(DeleteFunc(Clone(s), even), slices.DeleteFunc(slices.Clone(s), even)) {
			t.Fatalf("%v: without even numbers", s)
		}
		var back []int
		for _, v := range Backward(s) {
			back = append(back, v)
		}
		slices.Reverse(back)
		if !slices.Equal(back, s) {
			t.Fatalf("%v: from the end", s)
		}
		type pair struct{ key, at int }
		pairs := make([]pair, n)
		for i := range s {
			pairs[i] = pair{s[i], i}
		}
		byKey := func(a, b pair) int { return cmp.Compare(a.key, b.key) }
		sorted := slices.Clone(pairs)
		slices.SortStableFunc(sorted, byKey)
		if Sort(pairs, byKey); !slices.Equal(pairs, sorted) {
			t.Fatalf("%v: sorted, %v", s, pairs)
		}
	}
}
