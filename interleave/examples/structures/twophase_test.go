package structures_test

import (
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/examples/structures"
)

// twophase is deque for a ring of two-phase steals.
func twophase(size int, script string, steals ...int) scenario {
	return func(x *interleave.Exec, flaw structures.Flaw) {
		q := structures.NewTwoPhase(size, flaw)
		pushed := int64(0)
		got := make([][]int64, 1+len(steals))
		x.Go("owner", func() {
			for _, c := range script {
				if c == 'g' {
					take(&got[0], q.Pop)
				} else if q.Push(pushed + 1) {
					pushed++
				}
			}
		})
		for i, n := range steals {
			x.Go("", func() {
				for range n {
					got[1+i] = append(got[1+i], q.Steal()...)
				}
			})
		}
		x.Finally(func() {
			rises(x, got...)
			each(x, pushed, append(got, drain(q.Pop))...)
		})
	}
}

func TestTwoPhase(t *testing.T) {
	right(t, []named{
		{"a thief", twophase(4, "ppg", 1)},              // 11
		{"two thieves", twophase(4, "ppg", 1, 1)},       // 379
		{"two steals", twophase(4, "ppgg", 2)},          // 64
		{"round the ring", twophase(2, "ppgpg", 1)},     // 47
		{"full while taken", twophase(2, "pppp", 1, 1)}, // 791
		{"larger", twophase(4, "ppgpg", 1, 1)},          // 4,941
	})
}

func TestWrongTwoPhase(t *testing.T) {
	wrong(t, structures.RoomByValues, "assertion", twophase(2, "pppp", 1))
	wrong(t, structures.ReleaseByStore, "assertion", twophase(4, "ppg", 1))
	wrong(t, structures.ClaimTwice, "assertion", twophase(2, "pppp", 1, 1))
}
