package structures_test

import (
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/examples/structures"
)

// A fifo is a queue of many producers and consumers.
type fifo interface {
	put(v int64) bool
	get() (int64, bool)
}

type linked struct{ *structures.Queue }

func (q linked) put(v int64) bool   { q.Enqueue(v); return true }
func (q linked) get() (int64, bool) { return q.Dequeue() }

type bounded struct{ *structures.Bounded }

func (q bounded) put(v int64) bool   { return q.Put(v) }
func (q bounded) get() (int64, bool) { return q.Get() }

func newLinked(flaw structures.Flaw) fifo  { return linked{structures.NewQueue(flaw)} }
func newBounded(flaw structures.Flaw) fifo { return bounded{structures.NewBounded(2, flaw)} }

// queue has threads follow scripts, p to put and g to get, on a queue in which so
// many values are already.
func queue(make func(structures.Flaw) fifo, full int64, scripts ...string) scenario {
	return func(x *interleave.Exec, flaw structures.Flaw) {
		q := make(flaw)
		for v := range full {
			q.put(v + 1)
		}
		last := full
		var got, refused [4][]int64
		for i, script := range scripts {
			value := last + 1
			for _, c := range script {
				if c == 'p' {
					last++
				}
			}
			x.Go("", func() {
				for _, c := range script {
					if c == 'g' {
						take(&got[i], q.get)
						continue
					}
					if !q.put(value) {
						refused[i] = append(refused[i], value)
					}
					value++
				}
			})
		}
		x.Finally(func() {
			if len(scripts) == 1 || full == last {
				rises(x, got[:]...)
			}
			each(x, last, append(append(got[:], refused[:]...), drain(q.get))...)
		})
	}
}

// own has one thread put and get, and another put: the first must get something.
func own(make func(structures.Flaw) fifo) scenario {
	return func(x *interleave.Exec, flaw structures.Flaw) {
		q := make(flaw)
		x.Go("slow", func() { q.put(1) })
		x.Go("fast", func() {
			q.put(2)
			if _, ok := q.get(); !ok {
				x.Fatalf("expected a value, for 2 was put and nobody else gets; observed none")
			}
		})
	}
}

func TestQueue(t *testing.T) {
	right(t, []named{
		{"two producers", queue(newLinked, 0, "p", "p")},        // 6
		{"put and get", queue(newLinked, 0, "pg", "pg")},        // 16
		{"two consumers", queue(newLinked, 2, "g", "g")},        // 2
		{"a value to each", queue(newLinked, 1, "p", "g", "g")}, // 10
		{"its own", own(newLinked)},                             // 8
		{"larger", queue(newLinked, 1, "pg", "pg", "g")},        // 80
	})
}

func TestWrongQueue(t *testing.T) {
	wrong(t, structures.LinkByStore, "assertion", queue(newLinked, 0, "p", "p"))
	wrong(t, structures.HeadByStore, "assertion", queue(newLinked, 2, "g", "g"))
	wrong(t, structures.TailFirst, "assertion", own(newLinked))
}

func TestBounded(t *testing.T) {
	right(t, []named{
		{"two producers", queue(newBounded, 0, "p", "p")},     // 2
		{"put and get", queue(newBounded, 0, "pg", "pg")},     // 6
		{"two consumers", queue(newBounded, 2, "g", "g")},     // 2
		{"full", queue(newBounded, 1, "p", "p", "g")},         // 4
		{"round and full", queue(newBounded, 2, "gp", "gp")},  // 6
		{"an empty one too", queue(newBounded, 1, "gg", "p")}, // 2
		{"larger", queue(newBounded, 1, "pg", "gp", "pg")},    // 120
	})
}

func TestWrongBounded(t *testing.T) {
	wrong(t, structures.TurnTooEarly, "data race", queue(newBounded, 0, "p", "g"))
	wrong(t, structures.BackTooEarly, "data race", queue(newBounded, 2, "g", "p"))
	wrong(t, structures.InByStore, "data race", queue(newBounded, 0, "p", "p"))
	// Known of the design, and no flaw of this code: see Get.
	wrong(t, "a claim hides what is behind it", "assertion", own(newBounded))
}
