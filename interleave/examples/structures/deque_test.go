package structures_test

import (
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/examples/structures"
)

// deque has an owner follow a script, p to push and g to pop, against thieves of
// so many steals.
func deque(size int, grows bool, script string, steals ...int) scenario {
	return func(x *interleave.Exec, flaw structures.Flaw) {
		d := structures.NewDeque(size, grows, flaw)
		pushed := int64(0)
		got := make([][]int64, 1+len(steals))
		x.Go("owner", func() {
			for _, c := range script {
				if c == 'g' {
					take(&got[0], d.Pop)
				} else if d.Push(pushed + 1) {
					pushed++
				}
			}
		})
		for i, n := range steals {
			x.Go("", func() {
				for range n {
					take(&got[1+i], d.Steal)
				}
			})
		}
		x.Finally(func() {
			rises(x, got[1:]...)
			each(x, pushed, append(got, drain(d.Pop))...)
		})
	}
}

func TestDeque(t *testing.T) {
	right(t, []named{
		{"the last value", deque(2, false, "pg", 1)},            // 8
		{"two thieves", deque(2, false, "ppg", 1, 1)},           // 149
		{"round the ring", deque(2, false, "ppppg", 1, 1)},      // 271
		{"full and empty", deque(2, false, "pppggg", 2)},        // 194
		{"growing", deque(1, true, "ppg", 1, 1)},                // 219
		{"growing twice", deque(1, true, "pppgg", 2)},           // 276
		{"growing behind a theft", deque(2, true, "ppppgg", 2)}, // 293
		{"larger", deque(4, false, "pppgpg", 2, 1)},             // 10,138
		{"larger, growing", deque(1, true, "ppgpg", 2, 1)},      // 10,391
	})
}

func TestWrongDeque(t *testing.T) {
	wrong(t, structures.LastBySight, "assertion", deque(2, false, "pg", 1))
	wrong(t, structures.TopTooEarly, "assertion", deque(2, false, "ppg", 2))
	wrong(t, structures.SlotTooLate, "assertion", deque(2, false, "ppp", 1))
	wrong(t, structures.RingTooEarly, "assertion", deque(1, true, "pp", 1))
}
