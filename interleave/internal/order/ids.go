package order

// IDs gives threads numbers: the same in all executions of an exploration, by who
// made them.
type IDs struct {
	Width int                   // IDs that are in use
	ids   [MaxThreads + 1][]int // by parent+1: which ID the nth thread that it made has, -1 for not known; a buffer is number -1
}

// IDOf returns the ID of the nth thread that a thread makes, -1 if there are too many.
func (x *IDs) IDOf(parent, nth int) int {
	ids := &x.ids[parent+1]
	for nth+1 >= len(*ids) {
		*ids = append(*ids, -1)
	}
	id := &(*ids)[nth+1]
	if *id < 0 {
		if x.Width == MaxThreads {
			return -1
		}
		*id = x.Width
		x.Width++
	}
	return *id
}
