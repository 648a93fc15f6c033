package benchmark

import "testing"

// TestSubjects holds that what is compared is the same work: every variant takes
// half, and loses nothing. With the overlay's tag the runtime is one of them.
func TestSubjects(t *testing.T) {
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			s := v.make(2)
			s.putGet(3)
			if v.next {
				s.putGetNext(3)
			}
			if got := s.burst(8); got != 8 {
				t.Errorf("a burst of 8 got %d", got)
			}
			if got := s.rob(); got != 0 {
				t.Errorf("%d Gs stolen from an empty queue", got)
			}
			for _, n := range []int{1, 2, 7, 16, ring} {
				s.fill(n)
				if got := s.steal(); got != 2 {
					t.Errorf("with %d Gs on each owner's queue %d thieves got something, want 2", n, got)
				}
				// The last of the loot is returned and does not lie on the queue.
				if got, want := s.fill(n), 2*((n+1)/2-1); got != want {
					t.Errorf("of %d Gs each, two thieves have %d on their queues, want %d", n, got, want)
				}
				if got, want := s.rob(), (n+1)/2; got != want {
					t.Errorf("of %d Gs a thief got %d, want %d", n, got, want)
				}
				if got, want := s.burst(1), n/2+1; got != want {
					t.Errorf("of %d Gs and one more, after a theft the owner got %d, want %d", n, got, want)
				}
			}
		})
	}
}
