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
	for i := len(a) - 1; i > 0; {
		up := (i - 1) / 2
		if a[up].key <= a[i].key {
			break
		}
		a[up], a[i] = a[i], a[up]
		i = up
	}
}

func (h *heap[T]) pop() T {
	a := *h
	top := a[0].item
	last := len(a) - 1
	a[0] = a[last]
	a = a[:last]
	for i := 0; ; {
		c := 2*i + 1
		if c >= len(a) {
			break
		}
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
