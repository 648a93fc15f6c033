package engine_test

import (
	"fmt"
	"slices"
	"testing"
	"unsafe"

	. "github.com/spindle-go/spindle/interleave/internal/engine"
	. "github.com/spindle-go/spindle/interleave/internal/object"
)

// scene is what the threads of TestRaces share.
type scene struct {
	x, y  [2]uint32 // plain
	far   [4096]uint64
	u, v  word
	w     word
	m     mutex
	rw    rwmutex
	g     group
	cells [2]byte
}

func get[T any](p *T) { Read(unsafe.Pointer(p), unsafe.Sizeof(*p), 0) }
func set[T any](p *T) { Write(unsafe.Pointer(p), unsafe.Sizeof(*p), 0) }

// part is an operation on w that is ordered by a cell alone.
func (s *scene) part(do func()) {
	Begin(unsafe.Pointer(&s.w), MapWrite, 0)
	do()
	End(0, 1, true)
}

// A racePair is a pair of programs: what orders two accesses in one is not there, or
// comes from elsewhere, in the other.
type racePair struct {
	name         string
	right, wrong []func(s *scene)
}

type threads = []func(s *scene)

// TestRaces: the right programs are silent, and in the wrong ones there is a race.
func TestRaces(t *testing.T) {
	PlainAccesses = true
	defer func() { PlainAccesses = false }()
	for _, c := range slices.Concat(wordRaces(), lockRaces(), threadRaces(), memoryRaces()) {
		for _, st := range []Strategy{Exhaustive, DFS} {
			for _, wrong := range []bool{false, true} {
				all := c.right
				if wrong {
					all = c.wrong
				}
				cert, f, err := Explore(Options{Strategy: st, Bound: -1}, func(x *Exec) {
					s := new(scene)
					s.g.n = 2
					for i, th := range all {
						x.Go(fmt.Sprint("t", i), func() { th(s) })
					}
				})
				switch {
				case err != nil:
					t.Errorf("%s, wrong %v, %v: %v", c.name, wrong, st, err)
				case wrong && (f == nil || f.Kind != DataRace):
					t.Errorf("%s, %v: %v, %v, expected a data race", c.name, st, cert, f)
				case !wrong && (f != nil || cert.Steps > 0 && !cert.Complete()):
					t.Errorf("%s, %v: %v, %v, expected no failure", c.name, st, cert, f)
				}
			}
		}
	}
}
