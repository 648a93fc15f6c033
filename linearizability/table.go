package linearizability

import "github.com/spindle-go/spindle/spec/record"

// A table holds one T for each id: a slice where ids are dense, which those of
// scenarios are, else a map.
type table[T any] struct {
	dense  []T
	sparse map[record.ID]*T
}

// A span says which ids were handed in: the greatest, and how many.
type span struct {
	most record.ID
	n    int
}

func (s *span) enter(ids []record.ID) {
	for _, id := range ids {
		s.most = max(s.most, id)
		s.n++
	}
}

func newTable[T any](s span) *table[T] {
	if s.most <= record.ID(8*s.n+1024) {
		return &table[T]{dense: make([]T, s.most+1), sparse: make(map[record.ID]*T)}
	}
	return &table[T]{sparse: make(map[record.ID]*T, s.n)}
}

// at returns id's entry, made if need be.
func (t *table[T]) at(id record.ID) *T {
	if id < record.ID(len(t.dense)) {
		return &t.dense[id]
	}
	e := t.sparse[id]
	if e == nil {
		e = new(T)
		t.sparse[id] = e
	}
	return e
}
