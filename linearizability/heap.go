package linearizability

// A heap is a binary heap: its first entry has the least key.
type heap[T any] []entry[T]

type entry[T any] struct {
	key  int64
	item T
}

func (h *heap[T]) push(key int64, item T) {
	*h = append(*h, entry[T]{key, item})
	a := *h
	for i := len(a) - 1; i > 0 && a[i].key < a[(i-1)/2].key; i = (i - 1) / 2 {
		a[i], a[(i-1)/2] = a[(i-1)/2], a[i]
	}
}

func (h *heap[T]) pop() T {
	a := *h
	top := a[0].item
	last := len(a) - 1
	a[0] = a[last]
	a = a[:last]
	for i, c := 0, 1; c < len(a); c = 2*i + 1 {
		if c+1 < len(a) && a[c+1].key < a[c].key {
			c++
		}
		if a[i].key <= a[c].key {
			break
		}
		a[i], a[c] = a[c], a[i]
		i = c
	}
	*h = a
	return top
}
