package sequential

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// TestSoundComparison holds that looking first whether all is as it should be changes
// nothing of what is said.
func TestSoundComparison(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	right, wrong, unsound := 0, 0, 0
	for range 300 {
		m := NewMachine(2, RulesOf([]spec.Profile{spec.Core, spec.FIFO, spec.GoRT, spec.LIFODeque}[r.IntN(4)], 4))
		for id := record.ID(1); id < 30; id++ {
			p := &m.Ps[0]
			var op record.Op
			switch {
			case r.IntN(3) > 0:
				op = put(max(1, id-record.ID(r.IntN(20)/19))) // now and then one that was put before
			case p.Runnext != 0:
				op = get(p.Runnext, true)
			case len(p.Ring) > 0:
				op = get(p.Ring[m.index(p, true)], false)
			default:
				op = get(0, false)
			}
			if vs := m.call(&op); vs != nil {
				t.Fatalf("%v: expected a right call, saw %v", op, vs)
			}
			shown := m.Clone().Contents()
			if r.IntN(4) == 0 {
				damage(r, &shown)
			}
			op.After = &shown
			var got, want violations
			m.compare(&op, &got)
			m.comparePlaces(&op, &want)
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%v shows %v of %v: expected %v, saw %v", op, shown, m.Contents(), want, got)
			}
			switch {
			case !m.sound:
				unsound++
			case len(want) == 0:
				right++
			default:
				wrong++
			}
		}
	}
	if right < 1000 || wrong < 500 || unsound < 500 {
		t.Errorf("expected some of each, saw %d right, %d wrong, %d unsound", right, wrong, unsound)
	}
}

// damage changes one place.
func damage(r *rand.Rand, c *record.Contents) {
	list := &c.Ps[0].Ring
	if r.IntN(4) == 0 {
		list = &c.Global
	}
	n := len(*list)
	switch k := r.IntN(5); {
	case k == 0:
		c.Ps[r.IntN(2)].Runnext = record.ID(r.IntN(30))
	case n == 0 || k == 1:
		*list = append(*list, record.ID(1+r.IntN(40)))
	case k == 2:
		*list = (*list)[:n-1]
	case k == 3:
		slices.Reverse(*list)
	default:
		(*list)[r.IntN(n)] = record.ID(1 + r.IntN(40))
	}
}

// TestWrongAnswerHasNoEffect holds that a machine is as it was after a call that it finds
// wrong. Replay goes on with it, and if it were sound in name alone, what the target shows
// later would pass unseen.
func TestWrongAnswerHasNoEffect(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	kinds := record.Kinds()
	wrong := make(map[record.Kind]int)
	for range 2000 {
		m := NewMachine(2, RulesOf([]spec.Profile{spec.Core, spec.FIFO, spec.GoRT, spec.LIFODeque, spec.Tokio}[r.IntN(5)], 4))
		next := record.ID(1)
		for range r.IntN(12) {
			op := put(next)
			if r.IntN(4) == 0 && m.Rules.Slotted() {
				op = putNext(next)
			}
			next++
			applyAll(m, []record.Op{op})
		}
		for range 20 {
			op := record.Op{Kind: kinds[r.IntN(len(kinds))], Thief: []int{1, record.None}[r.IntN(2)], OK: r.IntN(2) == 0, FromRunnext: r.IntN(3) == 0, Want: 1 + r.IntN(5)}
			ids := []record.ID{record.ID(1 + r.IntN(14)), record.ID(1 + r.IntN(14))}[:1+r.IntN(2)]
			switch {
			case op.Kind.Puts():
				op.In = []record.ID{next}
				if next++; op.Kind == record.PutBatch {
					op.In = append(op.In, next)
					next++
				}
				if op.Count = r.IntN(len(op.In) + 1); op.Kind == record.GlobalPut {
					op.P, op.Count = record.None, 1
				}
				op.OK = op.Count == len(op.In)
			case op.Kind.Takes() && op.OK:
				if op.Out = ids; op.Kind != record.Drain {
					op.Out = ids[:1]
				}
				if op.Kind.Steals() && op.Thief != record.None && r.IntN(2) == 0 {
					op.Moved = []record.Move{{From: record.Place{Object: record.Ring}, To: record.Place{Object: record.Ring, P: 1}, IDs: ids}}
				}
			case op.Kind == record.Len:
				op.Count = r.IntN(6)
			}
			before := m.Clone()
			if len(m.call(&op)) == 0 {
				continue
			}
			wrong[op.Kind]++
			if m.overflowed = before.overflowed; !reflect.DeepEqual(m, before) {
				t.Fatalf("%v: expected %+v as before, saw %+v", op, before, m)
			}
		}
	}
	for _, k := range kinds {
		if k != record.GlobalPut && k != record.CloseQueue && wrong[k] < 10 { // a put on the global queue cannot be refused, and a close answers nothing
			t.Errorf("%v: expected wrong answers, saw %d", k, wrong[k])
		}
	}
}
