package recording

import (
	"slices"
	"sync"
	"testing"
	"unsafe"
)

// TestMerge runs threads that count, and finds an order in which each operation sees what the one before it on
// the same word has left.
func TestMerge(t *testing.T) {
	var words [2]Int32
	var mu Mutex
	under := 0
	threads := []*Thread{new(Thread), new(Thread), new(Thread)}
	Start()
	var all sync.WaitGroup
	for _, thread := range threads {
		all.Go(func() {
			On(thread)
			defer On(nil)
			for i := range 1000 {
				w := &words[i%2]
				if n := w.Load(); !w.CompareAndSwap(n, n+1) {
					w.Add(1)
				}
				mu.Lock()
				under++
				mu.Unlock()
			}
		})
	}
	all.Wait()
	Stop()
	if words[0].Load()+words[1].Load() != 3000 || under != 3000 {
		t.Fatalf("expected 3000 of each, saw %d and %d, and %d", words[0].Load(), words[1].Load(), under)
	}
	values := make(map[unsafe.Pointer]uint32)
	seen, perThread := 0, make([]int, len(threads))
	check := func(thread int, r *Record) error {
		if r != &threads[thread].Records[perThread[thread]] {
			t.Fatal("a thread's operations are not in their order")
		}
		perThread[thread]++
		if values[r.Object] != r.Read {
			t.Fatalf("%s: expected to see %d, saw %d", KindNames[r.Kind], values[r.Object], r.Read)
		}
		values[r.Object] = r.Wrote
		seen++
		return nil
	}
	if err := Merge(threads, check); err != nil {
		t.Fatal(err)
	}
	records := 0
	for _, thread := range threads {
		records += len(thread.Records)
	}
	if seen != records || records < 3*4000 {
		t.Errorf("expected at least 12000 operations, and all of them, saw %d of %d", seen, records)
	}
	// Without one of the writes there is no order.
	n := slices.IndexFunc(threads[0].Records, func(r Record) bool { return r.Changed })
	threads[0].Records = slices.Delete(threads[0].Records, n, n+1)
	if err := Merge(threads, func(int, *Record) error { return nil }); err == nil {
		t.Error("expected no order without a write, saw one")
	}
}

// TestNobody holds that nothing is recorded of who has no thread, or outside of Start and Stop.
func TestNobody(t *testing.T) {
	var x Uint32
	thread := new(Thread)
	On(thread)
	x.Add(1)
	Start()
	x.Store(7)
	On(nil)
	x.Store(8)
	Stop()
	if len(thread.Records) != 1 || thread.Records[0].Wrote != 7 || thread.Records[0].Version != 1 || x.Load() != 8 {
		t.Errorf("expected one record, of a 7 at version 1, saw %+v", thread.Records)
	}
}
