package runq

import "testing"

// TestTable holds that every G is found again, however many there are, from all
// Ps that share a global queue.
func TestTable(t *testing.T) {
	global := new(Global)
	p, other := NewP(global, Config{Capacity: 4}), NewP(global, Config{Capacity: 4})
	seen := make(map[uint32]*G)
	for i := range 10 * firstBlock {
		owner := p
		if i%3 == 0 {
			owner = other
		}
		g := new(G)
		owner.Put(g, i%2 == 0)
		ref := owner.ref(g)
		if old := seen[ref]; old != nil || ref == 0 {
			t.Fatalf("G %d has the reference %d, as %p has", i, ref, old)
		}
		seen[ref] = g
		if got, _ := owner.Get(); got != g {
			t.Fatalf("put %p, got %p", g, got)
		}
	}
	for ref, g := range seen {
		if p.g(ref) != g || other.g(ref) != g || p.ref(g) != ref {
			t.Errorf("reference %d of %p finds %p and %p, and it has %d now", ref, g, p.g(ref), other.g(ref), p.ref(g))
		}
	}
	if g := p.g(0); g != nil {
		t.Errorf("reference 0 finds %p, want none", g)
	}
}
