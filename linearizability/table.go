package linearizability

import "github.com/spindle-go/spindle/spec/record"

// A table holds one T for each id: a slice where ids are dense, which those of
// scenarios are, else a map.
type table[T any] struct {
	dense  []T
	sparse map[record.ID]*T
}

// newTable makes a table for ids up to most, of which there are about n.
func newTable[T any](most record.ID, n int) *table[T] {
	if most <= record.ID(8*n+1024) {
		return &table[T]{dense: make([]T, most+1)}
	}
	return &table[T]{sparse: make(map[record.ID]*T, n)}
}

// at returns id's entry, made if need be.
func (t *table[T]) at(id record.ID) *T {
	if id < record.ID(len(t.dense)) {
		return &t.dense[id]
	}
	e := t.sparse[id]
	if e == nil {
		if t.sparse == nil {
			t.sparse = make(map[record.ID]*T)
		}
		e = new(T)
		t.sparse[id] = e
	}
	return e
}

// mostID returns the greatest id that was handed in, and how many were.
func mostID(ops []record.Op) (most record.ID, n int) {
	for i := range ops {
		for _, id := range ops[i].In {
			most = max(most, id)
			n++
		}
	}
	return most, n
}
