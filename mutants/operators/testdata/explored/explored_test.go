package explored_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/spindle-go/spindle/conformance/designs"
	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/impl/runq"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
	"github.com/spindle-go/spindle/mutants/operators/chosen"
)

// A taker is what the designs have in common.
type taker interface {
	Put(id uint64) bool
	Get() (uint64, bool)
	Steal() (uint64, bool)
	Empty() bool
}

// explore explores an owner with one thief and one who looks.
func explore(t *testing.T, queue func() taker) {
	interleave.Test(t, body(queue), interleave.Exhaustive())
}

// body holds that nothing is lost or there twice.
func body(queue func() taker) func(x *interleave.Exec) {
	return func(x *interleave.Exec) {
		q := queue()
		var seen [3]int
		x.Go("owner", func() {
			q.Put(1)
			q.Put(2)
			for i := range 2 {
				if id, ok := q.Get(); ok {
					seen[i] = int(id)
				}
			}
		})
		x.Go("thief", func() {
			if id, ok := q.Steal(); ok {
				seen[2] = int(id)
			}
		})
		x.Go("observer", func() { q.Empty() })
		x.Finally(func() {
			times := make(map[int]int)
			for _, id := range seen {
				times[id]++
			}
			for range 3 {
				id, _ := q.Get()
				times[int(id)]++
			}
			if times[1] != 1 || times[2] != 1 {
				x.Errorf("expected each once, saw %v and then %v", seen, times)
			}
		})
	}
}

func TestDeque(t *testing.T) { explore(t, func() taker { return designs.NewDeque() }) }

func TestLocked(t *testing.T) { explore(t, func() taker { return new(designs.Locked) }) }

func TestTwoPhase(t *testing.T) {
	explore(t, func() taker {
		s, err := designs.NewTwoPhase(queue.Options{Ps: 1, Capacity: 4})
		if err != nil {
			panic(err)
		}
		return s.P(0).(taker)
	})
}

func TestRunq(t *testing.T) {
	interleave.Test(t, func(x *interleave.Exec) {
		g := new(runq.Global)
		p, q := runq.NewP(g, runq.Config{Capacity: 2}), runq.NewP(g, runq.Config{Capacity: 2})
		x.Go("owner", func() {
			for id := range uint64(3) {
				p.Put(&runq.G{ID: id}, id == 1)
			}
			p.Get()
		})
		x.Go("thief", func() { q.Steal(p, true) })
		x.Go("observer", func() { p.Empty() })
	}, interleave.Exhaustive())
}

// TestSet explores the deque again and again in one process: as it was, with the
// mutant that EXPLORED_MUTANT names, and as it was.
func TestSet(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("EXPLORED_MUTANT"))
	if err != nil {
		t.Skip("no mutant is named")
	}
	payload, err := harness.Remote(t, func() ([]byte, error) {
		var said []string
		for _, n := range []int{0, n, 0} {
			chosen.Set(n)
			r, err := interleave.Explore(body(func() taker { return designs.NewDeque() }), interleave.Exhaustive())
			if err != nil {
				return nil, err
			}
			if r.Failure != nil {
				said = append(said, "a failure: "+string(r.Failure.Kind))
			} else {
				said = append(said, fmt.Sprint(r.Certificate))
			}
		}
		return json.Marshal(said)
	})
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	if err := json.Unmarshal(payload, &said); err != nil {
		t.Fatal(err)
	}
	if len(said) != 3 || said[0] != said[2] || said[1] != "a failure: assertion" {
		t.Fatalf("expected one failure between two that are complete, saw %q", said)
	}
	t.Logf("%q", said)
}
