package engine

import (
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/place"
)

// How many goroutines there are.
//
// A thread that calls runtime.NumGoroutine sees which others have begun and ended. In an exploration where one does, to begin and to
// end are operations on that number, and to ask for it is another; the first call has the exploration begin anew. They order no plain
// accesses: in Go they do not, either.

// population is how many threads have begun and not ended.
func (s *scheduler) population() uint64 {
	n := uint64(0)
	for _, t := range s.threads {
		if !t.done && t.Owner == nil {
			n++
		}
	}
	return n
}

// born is the operation before the running thread starts another one, and died the one before it ends.
func (s *scheduler) born() { s.count(object.Add, 1) }
func (s *scheduler) died() { s.count(object.Add, ^uint64(0)) }

// count carries out an operation on the number of threads, in an exploration where it counts.
func (s *scheduler) count(k object.Kind, delta uint64) uint64 {
	if !s.counted || s.unwinding {
		return 0
	}
	begin(unsafe.Pointer(&s.counted), k, place.Goroutines, nil, nil)
	n := s.population()
	end(n, n+delta, delta != 0, false)
	return n
}
