package sequential

import (
	"fmt"
	"testing"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// The tests of the machine: for each requirement a sequence of calls that
// breaks it, and a near miss that does not.

func put(id record.ID) record.Op {
	return record.Op{Kind: record.Put, In: []record.ID{id}, Count: 1, OK: true}
}

func putNext(id record.ID) record.Op {
	return record.Op{Kind: record.PutNext, In: []record.ID{id}, Count: 1, OK: true}
}

func get(id record.ID, next bool) record.Op {
	if id == 0 {
		return record.Op{Kind: record.Get}
	}
	return record.Op{Kind: record.Get, Out: []record.ID{id}, OK: true, FromRunnext: next}
}

// steal is P1's owner stealing from P0 and publishing loot.
func steal(kind record.Kind, id record.ID, loot ...record.ID) record.Op {
	op := record.Op{Kind: kind, Thief: 1}
	if id != 0 {
		op.Out, op.OK = []record.ID{id}, true
	}
	if len(loot) > 0 {
		op.Moved = []record.Move{{From: record.Place{Object: record.Ring}, To: record.Place{Object: record.Ring, P: 1}, IDs: loot}}
	}
	return op
}

func after(op record.Op, c record.Contents) record.Op {
	op.After = &c
	return op
}

func ring(ids ...record.ID) record.Contents {
	return record.Contents{Ps: []record.PContents{{Ring: ids}, {}}}
}

func TestMachineNamesWhatBroke(t *testing.T) {
	yes := record.Op{Kind: record.Empty, OK: true}
	no := record.Op{Kind: record.Empty}
	drain := func(ids ...record.ID) record.Op {
		return record.Op{Kind: record.Drain, Out: ids, OK: len(ids) > 0}
	}
	global := func(id record.ID, ask int) record.Op {
		op := record.Op{Kind: record.GlobalGet, Want: ask}
		if id != 0 {
			op.Out, op.OK = []record.ID{id}, true
		}
		return op
	}
	globalPut := func(id record.ID) record.Op {
		return record.Op{Kind: record.GlobalPut, P: record.None, In: []record.ID{id}, Count: 1, OK: true}
	}
	batch := func(ids ...record.ID) record.Op {
		return record.Op{Kind: record.PutBatch, In: ids, Count: len(ids), OK: true}
	}
	withNext := func(next record.ID, ids ...record.ID) record.Contents {
		c := ring(ids...)
		c.Ps[0].Runnext = next
		return c
	}
	for _, c := range []struct {
		id    string
		wrong []record.Op
		right []record.Op
	}{
		{"RQ-FIFO", []record.Op{put(1), put(2), get(2, false)}, []record.Op{put(1), put(2), get(1, false), get(2, false)}},
		{"RQ-TWICE", []record.Op{put(1), put(2), get(1, false), get(1, false)}, nil},
		{"RQ-INVENTED", []record.Op{put(1), get(9, false)}, nil},
		{"RQ-LOST", []record.Op{put(1), after(put(2), ring(2))}, []record.Op{put(1), after(put(2), ring(1, 2))}},
		{"RQ-GET-NONE", []record.Op{put(1), get(0, false)}, []record.Op{get(0, false)}},
		{"RQ-STEAL-NONE", []record.Op{put(1), steal(record.Steal, 0)}, []record.Op{putNext(1), steal(record.Steal, 0)}},
		{"RQ-EMPTY-TRUE", []record.Op{putNext(1), yes}, []record.Op{yes, putNext(1), no}},
		{"RQ-EMPTY-FALSE", []record.Op{no}, []record.Op{put(1), no}},
		{"RQ-LEN", []record.Op{put(1), {Kind: record.Len, Count: 2}}, []record.Op{put(1), putNext(2), {Kind: record.Len, Count: 2}}},
		{"RQ-RUNNEXT-FIRST", []record.Op{put(1), putNext(2), get(1, false)}, []record.Op{put(1), putNext(2), get(2, true), get(1, false)}},
		{"RQ-RUNNEXT-FIRST", []record.Op{putNext(2), get(2, false)}, nil},
		{"RQ-RUNNEXT-KICK", []record.Op{putNext(1), after(putNext(2), withNext(1, 2))}, []record.Op{putNext(1), after(putNext(2), withNext(2, 1))}},
		{"RQ-RUNNEXT-OWNER", []record.Op{put(1), put(2), after(steal(record.Steal, 1), record.Contents{Ps: []record.PContents{{}, {Runnext: 2}}})},
			[]record.Op{put(1), put(2), after(steal(record.Steal, 1), ring(2))}},
		{"RQ-STEAL-HALF", []record.Op{put(1), put(2), put(3), steal(record.Steal, 1)}, []record.Op{put(1), put(2), put(3), steal(record.Steal, 2, 1)}},
		{"RQ-STEAL-ORDER", []record.Op{put(1), put(2), put(3), steal(record.Steal, 1, 2)}, nil},
		{"RQ-STEAL-RUNNEXT", []record.Op{putNext(1), steal(record.Steal, 1)}, []record.Op{putNext(1), steal(record.StealNext, 1)}},
		{"RQ-STEAL-RUNNEXT", []record.Op{put(1), putNext(2), steal(record.StealNext, 2)}, []record.Op{put(1), putNext(2), steal(record.StealNext, 1)}},
		{"RQ-INVENTED", []record.Op{putNext(1), steal(record.StealNext, 9)}, nil},
		{"RQ-CAPACITY", []record.Op{put(1), put(2), put(3), after(put(4), record.Contents{Ps: []record.PContents{{Ring: []record.ID{3}}, {}}, Global: []record.ID{1, 2, 4}})},
			[]record.Op{put(1), put(2), put(3), after(put(4), ring(1, 2, 3, 4))}},
		{"RQ-OVERFLOW", []record.Op{put(1), put(2), put(3), put(4), after(put(5), record.Contents{Ps: []record.PContents{{Ring: []record.ID{3, 4}}, {}}, Global: []record.ID{2, 1, 5}})},
			[]record.Op{put(1), put(2), put(3), put(4), after(put(5), record.Contents{Ps: []record.PContents{{Ring: []record.ID{3, 4}}, {}}, Global: []record.ID{1, 2, 5}})}},
		{"RQ-DRAIN", []record.Op{put(1), putNext(2), drain(1, 2)}, []record.Op{put(1), putNext(2), drain(2, 1), drain()}},
		{"RQ-PUT-BATCH", []record.Op{after(batch(1, 2, 3, 4, 5), record.Contents{Ps: []record.PContents{{Ring: []record.ID{1, 2, 3}}, {}}, Global: []record.ID{4, 5}})},
			[]record.Op{after(batch(1, 2, 3, 4, 5), record.Contents{Ps: []record.PContents{{Ring: []record.ID{1, 2, 3, 4}}, {}}, Global: []record.ID{5}})}},
		{"RQ-GLOBAL-FIFO", []record.Op{globalPut(1), globalPut(2), global(2, 1)}, []record.Op{globalPut(1), globalPut(2), global(1, 1), global(2, 1)}},
		{"RQ-GLOBAL-BATCH", []record.Op{globalPut(1), globalPut(2), globalPut(3), after(global(1, 1), record.Contents{Ps: []record.PContents{{}, {}}, Global: []record.ID{3, 2}})}, nil},
		{"RQ-GLOBAL-BATCH", []record.Op{globalPut(1), global(0, 1)}, []record.Op{global(0, 1), globalPut(1), global(1, 1)}},
		{"RQ-GLOBAL-BATCH", []record.Op{globalPut(1), globalPut(2), after(global(1, 2), record.Contents{Ps: []record.PContents{{}, {}}, Global: []record.ID{2}})},
			[]record.Op{globalPut(1), globalPut(2), after(global(1, 2), ring(2))}},
	} {
		m := NewMachine(2, RulesOf(spec.GoRT, 4))
		if vs := applyAll(m, c.right); vs != nil {
			t.Errorf("%s: a right sequence: %v", c.id, vs)
		}
		m = NewMachine(2, RulesOf(spec.GoRT, 4))
		vs := applyAll(m, c.wrong)
		if len(vs) == 0 || vs[0].Requirement != c.id {
			t.Errorf("%s: a wrong sequence: %v", c.id, vs)
		}
	}
}

func applyAll(m *Machine, ops []record.Op) []Violation {
	for i := range ops {
		if vs := m.Apply(&ops[i]); vs != nil {
			return vs
		}
	}
	return nil
}

// TestOrders holds what each profile lets an owner and a thief take.
func TestOrders(t *testing.T) {
	thief := func(id record.ID) record.Op {
		return record.Op{Kind: record.Steal, Thief: record.None, Out: []record.ID{id}, OK: true}
	}
	for _, c := range []struct {
		p     spec.Profile
		op    record.Op
		wants string // "" if it may
	}{
		{spec.Core, get(2, false), ""}, {spec.Core, thief(3), ""},
		{spec.FIFO, get(1, false), ""}, {spec.FIFO, get(3, false), "RQ-FIFO"}, {spec.FIFO, thief(1), ""}, {spec.FIFO, thief(2), "RQ-FIFO"},
		{spec.LIFODeque, get(3, false), ""}, {spec.LIFODeque, get(1, false), "RQ-LIFO"}, {spec.LIFODeque, thief(1), ""}, {spec.LIFODeque, thief(3), "RQ-LIFO"},
	} {
		m := NewMachine(1, RulesOf(c.p, 0))
		applyAll(m, []record.Op{put(1), put(2), put(3)})
		got := ""
		if vs := m.Apply(&c.op); vs != nil {
			got = vs[0].Requirement
		}
		if got != c.wants {
			t.Errorf("%s: %v breaks %q, want %q", c.p, c.op, got, c.wants)
		}
	}
}

// TestRefusals holds which queues may refuse a put, and how often, and that none is blamed for one that it accepts.
func TestRefusals(t *testing.T) {
	no := record.Op{Kind: record.Put, In: []record.ID{9}}
	two := record.Op{Kind: record.PutBatch, In: []record.ID{8, 9}, Count: 1}
	for _, c := range []struct {
		p     spec.Profile
		ops   []record.Op
		wants string // "" if it may
	}{
		{"fifo,bound=exact", []record.Op{no}, "RQ-CAPACITY"}, {"fifo,bound=exact", []record.Op{put(1), no}, "RQ-CAPACITY"},
		{"fifo,bound=exact", []record.Op{put(1), put(2), no}, ""}, {"fifo,bound=exact", []record.Op{put(1), put(2), put(3)}, "RQ-CAPACITY"},
		{"fifo,bound=exact", []record.Op{two}, "RQ-CAPACITY"}, {"fifo,bound=exact", []record.Op{put(1), two}, ""},
		{"fifo,bound=grows", []record.Op{no}, "RQ-CAPACITY"}, {"fifo,bound=grows", []record.Op{put(1), put(2), put(3)}, ""},
	} {
		got := ""
		if vs := applyAll(NewMachine(1, RulesOf(c.p, 2)), c.ops); vs != nil {
			got = vs[0].Requirement
		}
		if got != c.wants {
			t.Errorf("%s: %v breaks %q, want %q", c.p, c.ops, got, c.wants)
		}
	}
}

// TestStealAway: a steal for no P that says what it took besides took the oldest, whatever their order.
func TestStealAway(t *testing.T) {
	for _, c := range []struct {
		p     spec.Profile
		gave  record.ID
		also  record.ID
		wants string
	}{{spec.FIFO, 2, 1, ""}, {spec.FIFO, 1, 2, ""}, {spec.FIFO, 1, 3, "RQ-FIFO"}, {spec.FIFO, 1, 4, "RQ-FIFO"}, {spec.FIFO, 4, 1, "RQ-FIFO"}, {spec.Core, 1, 4, ""}} {
		op := record.Op{Kind: record.Steal, Thief: record.None, Out: []record.ID{c.gave}, OK: true}
		op.Moved = []record.Move{{From: record.Place{Object: record.Ring}, To: record.Place{Object: record.Global, P: record.None}, IDs: []record.ID{c.also}}}
		got := ""
		if vs := applyAll(NewMachine(1, RulesOf(c.p, 0)), []record.Op{put(1), put(2), put(3), put(4), op}); vs != nil {
			got = vs[0].Requirement
		}
		if got != c.wants {
			t.Errorf("%s: %d given, %d besides: breaks %q, want %q", c.p, c.gave, c.also, got, c.wants)
		}
	}
}

// TestViolationNamesItsGs: a wrong call is about what it gave, and about what it should have given if that is what it broke. By these a
// second fault is told from an echo of the first.
func TestViolationNamesItsGs(t *testing.T) {
	for _, c := range []struct {
		p    spec.Profile
		op   record.Op
		want string
	}{
		{spec.FIFO, get(2, false), "RQ-FIFO [2 1]"},
		{spec.FIFO, get(9, false), "RQ-INVENTED [9]"},
		{spec.FIFO, get(0, false), "RQ-GET-NONE [1 2 3]"},
		{spec.FIFO, after(put(4), ring(1, 3, 2, 4)), "RQ-FIFO [2 3 4 3 2 4]"},
		{spec.Core, after(put(4), ring(4, 3, 2, 1)), ""}, // it has no order
	} {
		m := NewMachine(2, RulesOf(c.p, 0))
		applyAll(m, []record.Op{put(1), put(2), put(3)})
		got := ""
		if vs := m.Apply(&c.op); vs != nil {
			got = fmt.Sprint(vs[0].Requirement, " ", vs[0].IDs)
		}
		if got != c.want {
			t.Errorf("%s: %v: expected %q, saw %q", c.p, c.op, c.want, got)
		}
	}
}

// TestClone holds that a copy and what it was copied from are two.
func TestClone(t *testing.T) {
	m := NewMachine(2, RulesOf(spec.GoRT, 4))
	applyAll(m, []record.Op{put(1), put(2), putNext(3), put(4)})
	m.Ps[0].Ring = append(make([]record.ID, 0, 8), m.Ps[0].Ring...) // room to write over
	before := m.Contents()
	c := m.Clone()
	if vs := applyAll(c, []record.Op{put(5), {Kind: record.GlobalPut, In: []record.ID{6}, Count: 1, OK: true}}); vs != nil {
		t.Error(vs)
	}
	if vs := applyAll(m, []record.Op{put(7), get(3, true), get(1, false), get(2, false)}); vs != nil {
		t.Errorf("what was copied was changed with the copy: %v; it held %v", vs, before)
	}
	if got := c.Ps[0].Ring; len(got) != 4 || got[3] != 5 {
		t.Errorf("the copy was changed with what was copied: %v", got)
	}
}

func TestShare(t *testing.T) {
	for _, c := range []struct{ asked, capacity, size, ps, want int }{
		{1, 256, 0, 1, 0}, {1, 256, 9, 1, 1}, {99, 256, 9, 1, 9}, {99, 256, 9, 3, 4}, {999, 256, 999, 1, 128}, {99, 4, 9, 1, 2}, {1, 256, 1, 8, 1},
	} {
		if got := Share(c.asked, c.capacity, c.size, c.ps); got != c.want {
			t.Errorf("Share(%d, %d, %d, %d) = %d, want %d", c.asked, c.capacity, c.size, c.ps, got, c.want)
		}
	}
}

func TestFinish(t *testing.T) {
	elsewhere := record.Contents{Ps: []record.PContents{{}, {Ring: []record.ID{2, 1}}}}
	for _, c := range []struct {
		p     spec.Profile
		final record.Contents
		want  string
	}{
		{spec.GoRT, ring(1, 2), ""}, {spec.GoRT, ring(2, 1), "RQ-FIFO"}, {spec.GoRT, ring(1), "RQ-LOST"}, {spec.GoRT, ring(1, 2, 2), "RQ-TWICE"}, {spec.GoRT, ring(1, 2, 3), "RQ-INVENTED"},
		{spec.FIFO, elsewhere, "RQ-FIFO"}, {spec.Core, elsewhere, ""}, {spec.Core, ring(1), "RQ-LOST"},
	} {
		m := NewMachine(2, RulesOf(c.p, 4))
		applyAll(m, []record.Op{put(1), put(2)})
		got := ""
		if vs := m.Finish(&c.final); vs != nil {
			got = vs[0].Requirement
		}
		if got != c.want {
			t.Errorf("%v: %q, want %q", c.final, got, c.want)
		}
	}
}

// TestMisses holds whose thieves may find nothing although there is something.
func TestMisses(t *testing.T) {
	for p, want := range map[spec.Profile]string{spec.Core: "RQ-STEAL-NONE", spec.LIFODeque: "RQ-STEAL-NONE", spec.GoRT: "RQ-STEAL-NONE", "fifo,steal-miss=anytime": ""} {
		got := ""
		if vs := applyAll(NewMachine(2, RulesOf(p, 4)), []record.Op{put(1), {Kind: record.Steal, Thief: record.None}}); vs != nil {
			got = vs[0].Requirement
		}
		if got != want {
			t.Errorf("%s: %q, want %q", p, got, want)
		}
		if r, err := spec.Lookup("RQ-STEAL-NONE"); err != nil || r.In(p) != (want != "") {
			t.Errorf("%s: RQ-STEAL-NONE is in the profile: %v", p, err == nil && r.In(p))
		}
	}
}
