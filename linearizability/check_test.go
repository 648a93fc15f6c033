package linearizability

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/sequential"
)

func TestUntold(t *testing.T) {
	plain := func(moves bool, ops ...record.Op) *record.History {
		h := &record.History{Moves: moves, Ops: ops}
		h.Scenario.Ps = 2
		return h
	}
	for _, tt := range []struct {
		name string
		h    *record.History
		why  string
	}{
		{"put next", plain(false, record.Op{Kind: record.PutNext, In: []record.ID{1}, Count: 1, OK: true, Call: 1, Return: 2}), "does not report what else it moved"},
		{"batch steal", plain(false, record.Op{Kind: record.Steal, Thief: 1, Out: []record.ID{1}, OK: true, Call: 1, Return: 2}), "does not report what else it moved"},
		{"put before a global queue", plain(false, record.Op{Kind: record.Put, In: []record.ID{1}, Count: 1, OK: true, Call: 1, Return: 2},
			record.Op{Kind: record.GlobalPut, P: record.None, In: []record.ID{2}, Count: 1, OK: true, Call: 3, Return: 4}), "does not report what else it moved"},
		{"steal that did not return", plain(true, record.Op{Kind: record.Steal, Thief: 1, Call: 1}), "did not return"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := Check(tt.h, Options{Rules: sequential.RulesOf(spec.FIFO, 0)})
			if r.Objects[0].Verdict != Unknown || !strings.Contains(r.Objects[0].Reason, tt.why) {
				t.Errorf("%+v, want unknown: %s", r.Objects, tt.why)
			}
		})
	}
}

// Where a put may overflow, what it moved is not known, though nothing is seen on the global queue.
func TestUntoldOverflow(t *testing.T) {
	h := &record.History{Ops: []record.Op{{Kind: record.Put, Thief: record.None, In: []record.ID{1}, Count: 1, OK: true, Call: 1, Return: 2}}}
	h.Scenario.Ps = 1
	h.Final.Ps = []record.PContents{{Ring: []record.ID{1}}}
	if r := Check(h, Options{Rules: sequential.RulesOf(spec.GoRT, 4)}); r.Verdict != Unknown || !strings.Contains(r.Objects[0].Reason, "does not report what else it moved") {
		t.Errorf("%v %+v", r.Verdict, r.Objects)
	}
}

// A drain that gives all, but in another order, breaks what is said of drains.
func TestDrainOutOfOrder(t *testing.T) {
	t.Attr("req", "RQ-DRAIN")
	h := history(1).put(1, 2, 1).put(3, 4, 2).history()
	h.Ops = append(h.Ops, record.Op{Kind: record.Drain, Thief: record.None, Out: []record.ID{2, 1}, OK: true, Call: 5, Return: 6})
	if r := Check(h, Options{Rules: sequential.RulesOf(spec.FIFO, 0)}); r.Verdict != Illegal || r.Explanation().Requirement != "RQ-DRAIN" {
		t.Errorf("%v %+v", r.Verdict, r.Explanation())
	}
}

// A simple queue needs no Moves.
func TestSimple(t *testing.T) {
	t.Attr("req", "RQ-FIFO")
	h := history(1).put(1, 2, 1).put(3, 4, 2).take(0, get, 5, 6, 1).empty(1, 5, 8, false).end(2).history()
	h.Moves = false
	h.Ops = append(h.Ops, record.Op{Thread: 1, Kind: record.Steal, Thief: record.None, Call: 9, Return: 10, OK: true, Out: []record.ID{2}})
	h.Final.Ps[0].Ring = nil
	for _, p := range []spec.Profile{spec.Core, spec.FIFO} {
		if r := Check(h, Options{Rules: sequential.RulesOf(p, 0)}); r.Verdict != Ok {
			t.Errorf("%s: %v %v", p, r.Verdict, r.Explanation())
		}
	}
	h.Ops[2].Out, h.Ops[4].Out = h.Ops[4].Out, h.Ops[2].Out
	if r := Check(h, Options{Rules: sequential.RulesOf(spec.FIFO, 0)}); r.Verdict != Illegal || r.Explanation().Requirement != "RQ-FIFO" {
		t.Errorf("out of order: %v %v", r.Verdict, r.Explanation())
	}
	if r := Check(h, Options{Rules: sequential.RulesOf(spec.Core, 0)}); r.Verdict != Ok {
		t.Errorf("core knows no order: %v %v", r.Verdict, r.Explanation())
	}
}

func TestDeque(t *testing.T) {
	t.Attr("req", "RQ-LIFO")
	rules := sequential.RulesOf(spec.LIFODeque, 0)
	h := history(2).put(1, 2, 1).put(3, 4, 2).put(5, 6, 3).take(0, get, 7, 8, 3).end().history()
	h.Moves = false
	steal := record.Op{Thread: 1, Kind: record.Steal, Thief: record.None, Call: 7, Return: 9, OK: true, Out: []record.ID{1}}
	lostRace := record.Op{Thread: 2, Kind: record.Steal, Thief: record.None, Call: 8, Return: 11}
	h.Ops = append(h.Ops, steal, lostRace)
	h.Final.Ps[0].Ring = []record.ID{2}
	if r := Check(h, Options{Rules: rules}); r.Verdict != Ok {
		t.Errorf("%v %v", r.Verdict, r.Explanation())
	}
	h.Ops[3].Out, h.Ops[4].Out = h.Ops[4].Out, h.Ops[3].Out // the owner the oldest, the thief the newest
	h.Ops[4].Call = 9
	h.Ops[4].Return = 10
	r := Check(h, Options{Rules: rules})
	if r.Verdict != Illegal || r.Explanation().Requirement != "RQ-LIFO" {
		t.Errorf("%v %v", r.Verdict, r.Explanation())
	}
	none := history(2).put(1, 2, 1).take(0, get, 3, 4).end(1).history()
	if r := Check(none, Options{Rules: rules}); r.Verdict != Illegal || r.Explanation().Requirement != "RQ-GET-NONE" {
		t.Errorf("%v %v", r.Verdict, r.Explanation())
	}
}

// A call that did not return may have taken effect, or not.
func TestPending(t *testing.T) {
	t.Attr("req", "RQ-FIFO")
	rules := sequential.RulesOf(spec.FIFO, 0)
	pendingPut := func(h *record.History) *record.History {
		h.Moves = false
		h.Ops = append(h.Ops, record.Op{Kind: record.Put, In: []record.ID{3}, Call: 20})
		h.Ops = append(h.Ops, record.Op{Thread: 1, Kind: record.Steal, Thief: record.None, Call: 21})
		return h
	}
	ok := pendingPut(history(1).put(1, 2, 1).take(0, get, 3, 4, 1).history())
	if r := Check(ok, Options{Rules: rules}); r.Verdict != Ok || r.Objects[0].by != byPorcupine {
		t.Errorf("%+v", r)
	}
	took := pendingPut(history(1).put(1, 2, 1).history())
	took.Ops = append(took.Ops, record.Op{Thread: 2, Kind: record.Steal, Thief: record.None, Call: 22, Return: 23, OK: true, Out: []record.ID{3}})
	if r := Check(took, Options{Rules: rules}); r.Verdict != Ok {
		t.Errorf("the pending steal took 1, the other one the pending put's 3: %v %v", r.Verdict, r.Explanation())
	}
	bad := pendingPut(history(1).put(1, 2, 1).put(3, 4, 2).take(0, get, 5, 6, 2).history())
	if r := Check(bad, Options{Rules: rules}); r.Verdict != Illegal {
		t.Errorf("%v: the pending calls came too late for that", r.Verdict)
	}
}

// Puts of two threads at once may take effect in either order, whichever thread was called first.
func TestTwoProducers(t *testing.T) {
	t.Attr("req", "RQ-FIFO")
	for _, first := range []int{0, 1} {
		put := func(thread int, id record.ID, call, ret int64) record.Op {
			return record.Op{Thread: thread, Kind: record.Put, Thief: record.None, In: []record.ID{id}, Count: 1, OK: true, Call: call, Return: ret}
		}
		h := &record.History{Ops: []record.Op{put(first, 1, 1, 4), put(1-first, 2, 2, 3)}}
		h.Scenario.Ps = 1
		h.Final.Ps = []record.PContents{{Ring: []record.ID{2, 1}}}
		rules := sequential.RulesOf("order=fifo,puts=any,gets=any", 0)
		if r := Check(h, Options{Rules: rules}); r.Verdict != Ok {
			t.Errorf("thread %d first: %v %v", first, r.Verdict, r.Explanation())
		}
		h.Ops[1].Call, h.Ops[1].Return = 5, 6
		if r := Check(h, Options{Rules: rules}); r.Verdict != Illegal || r.Explanation().Requirement != "RQ-FIFO" {
			t.Errorf("thread %d first, one after the other: %v %v", first, r.Verdict, r.Explanation())
		}
	}
}

// An owner's get that did not return took one, the newest, and no more: a thief finds the other.
func TestPendingNewest(t *testing.T) {
	t.Attr("req", "RQ-STEAL-NONE")
	for n, want := range map[record.ID]Verdict{1: Ok, 2: Illegal} {
		h := history(1).put(1, 2, 1).history()
		if n == 2 {
			h = history(1).put(1, 2, 1).put(3, 4, 2).history()
		}
		h.Moves = false
		h.Ops = append(h.Ops, record.Op{Kind: record.Get, Thief: record.None, Call: 5}, record.Op{Thread: 1, Kind: record.Steal, Thief: record.None, Call: 7, Return: 8})
		if r := Check(h, Options{Rules: sequential.RulesOf("order=owner-lifo,steal-miss=never", 0)}); r.Verdict != want {
			t.Errorf("%d put: expected %v, saw %v: %v", n, want, r.Verdict, r.Explanation())
		}
	}
}

// A drain that did not return may have taken everything, also from a queue
// without order.
func TestPendingDrain(t *testing.T) {
	t.Attr("req", "RQ-STEAL-NONE")
	h := history(1).put(1, 2, 1).put(3, 4, 2).take(1, steal, 7, 8).history()
	h.Ops[2].Thief = record.None
	for want, at := range map[Verdict]int64{Ok: 5, Illegal: 9} {
		h := *h
		h.Ops = append(h.Ops[:3:3], record.Op{Kind: record.Drain, Thief: record.None, Call: at})
		sortOps(&h)
		for _, p := range []spec.Profile{spec.Core, spec.FIFO} {
			if r := Check(&h, Options{Rules: sequential.RulesOf(p, 0)}); r.Verdict != want {
				t.Errorf("%s: drain called at %d: expected %v, saw %v: %v", p, at, want, r.Verdict, r.Explanation())
			}
		}
	}
}

// What a steal that did not return put in its thief's ring may be taken there:
// neither the ring nor ring and runnext together can be judged.
func TestPendingLoot(t *testing.T) {
	t.Attr("req", "RQ-INVENTED")
	h := history(2).put(1, 2, 1, 2, 3, 4).history()
	h.Ops = append(h.Ops, record.Op{Thread: 1, Kind: record.Steal, Thief: 1, Call: 3},
		record.Op{Thread: 2, Kind: record.PutNext, P: 1, Thief: record.None, In: []record.ID{9}, Count: 1, OK: true, Call: 4, Return: 5},
		record.Op{Thread: 3, Kind: record.Steal, P: 1, Thief: record.None, Out: []record.ID{1}, OK: true, Call: 6, Return: 7},
		record.Op{Thread: 3, Kind: record.Empty, P: 1, Thief: record.None, Call: 8, Return: 9})
	r := Check(h, Options{Rules: sequential.RulesOf(spec.GoRT, 4)})
	if r.Verdict != Unknown {
		t.Errorf("expected unknown, saw %v: %v", r.Verdict, r.Explanation())
	}
	for _, o := range r.Objects {
		if want := o.Object == "P1.runnext"; (o.Verdict == Ok) != want {
			t.Errorf("%s: %v", o.Object, o.Verdict)
		}
	}
}

// A steal that did not return may be where an id on the global queue came from.
func TestPendingStealAndGlobal(t *testing.T) {
	t.Attr("req", "RQ-GLOBAL-FIFO")
	h := history(2).put(1, 2, 1).globalGet(0, 4, 5, 1, 1).history()
	for _, tt := range []struct {
		name string
		op   record.Op
		want Verdict
	}{
		{"returned", record.Op{Thread: 1, Kind: record.Steal, Thief: record.None, Call: 3, Return: 4}, Illegal},
		{"did not return", record.Op{Thread: 1, Kind: record.Steal, Thief: record.None, Call: 3}, Unknown},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := *h
			h.Ops = append(h.Ops[:2:2], tt.op)
			sortOps(&h)
			if r := Check(&h, Options{Rules: sequential.RulesOf(spec.FIFO, 0)}); r.Verdict != tt.want {
				t.Errorf("%v: %+v, want %v", r.Verdict, r.Objects, tt.want)
			}
		})
	}
}

// A kick takes what it kicked, for the others too: they judge runnext when too
// many calls look at once for the monitor.
func TestKickAmongLooks(t *testing.T) {
	t.Attr("req", "RQ-RUNNEXT-KICK")
	x := history(1)
	for i := range maxWatch + 1 {
		x.empty(i+1, 1, 20, true)
	}
	h := x.next(2, 3, 1, 0).next(4, 5, 2, 1).take(0, get, 6, 7, 2).take(0, get, 8, 9, 1).history()
	for _, o := range project(h, sequential.RulesOf(spec.FIFO, 0)) {
		if o.place.Object != record.Runnext {
			continue
		}
		if j := judge(o, Options{}); j.Verdict != Ok || j.by == byMonitor {
			t.Errorf("%+v %v", j, j.Explanation)
		}
	}
}

// A target may name one id twice for two that it moved.
func TestMovedTwice(t *testing.T) {
	t.Attr("req", "RQ-TWICE")
	h := history(2).put(1, 2, 1).put(3, 4, 2).put(5, 6, 3).history()
	h.Ops = append(h.Ops, record.Op{Thread: 1, Kind: record.Steal, Thief: record.None, Out: []record.ID{3}, OK: true, Call: 7, Return: 8,
		Moved: []record.Move{{From: place(record.Ring, 0), To: globalPlace, IDs: []record.ID{1, 1}}}})
	for _, o := range project(h, sequential.RulesOf(spec.FIFO, 0)) {
		if j := judge(o, Options{}); o.name == "P0.ring" && (j.Verdict != Illegal || j.Explanation.Requirement != "RQ-TWICE") {
			t.Errorf("%+v %v", j, j.Explanation)
		}
	}
}

// What comes back is not one put: the occurrences are told apart by porcupine.
func TestComesBack(t *testing.T) {
	t.Attr("req", "RQ-GLOBAL-FIFO")
	h := history(1).globalPut(0, 1, 2, 1).globalPut(0, 3, 4, 2).history()
	h.Ops = append(h.Ops, record.Op{Kind: record.GlobalGet, Want: 4, Out: []record.ID{1}, OK: true, Call: 5, Return: 6,
		Moved: []record.Move{{From: globalPlace, To: globalPlace, IDs: []record.ID{2}}}})
	h.Final = record.Contents{Ps: []record.PContents{{}}, Global: []record.ID{2}}
	r := Check(h, Options{Rules: sequential.RulesOf(spec.GoRT, 4)})
	if r.Verdict != Ok || r.Objects[1].by != bySearch {
		t.Errorf("%v %+v", r.Explanation(), r.Objects)
	}
}

func TestTimeoutIsUnknown(t *testing.T) {
	h := longHistory(400, 24)
	takes := 0
	for i := range h.Ops { // swap two late takes: porcupine then tries everything before
		if op := &h.Ops[len(h.Ops)-1-i]; len(op.Out) > 0 {
			if takes++; takes == 8 {
				op.Out = []record.ID{op.Out[0] + 3}
				break
			}
		}
	}
	r := Check(h, Options{Rules: benchRules, method: byPorcupine, Timeout: time.Millisecond})
	if j := r.Objects[0]; j.Verdict == Ok || r.Verdict == Ok {
		t.Errorf("%+v", j)
	} else if j.Verdict == Unknown && !strings.Contains(j.Reason, "1ms") {
		t.Errorf("reason %q does not name the limit", j.Reason)
	}
}

// TestReason holds that an undecided object says why the monitor did not decide.
func TestReason(t *testing.T) {
	h := wrongHistory(t, 2000, 64, "order")
	last := h.Ops[len(h.Ops)-1].Call
	h.Ops = append(h.Ops, record.Op{Thread: 65, Kind: record.Steal, Thief: record.None, Call: last + 1})
	h.Final = record.Contents{}
	r := Check(h, Options{Rules: benchRules, Timeout: time.Millisecond})
	if j := r.Objects[0]; j.Verdict != Unknown || !strings.Contains(j.Reason, "1ms") || !strings.Contains(j.Reason, "a call did not return") {
		t.Errorf("expected unknown for two reasons, saw %v: %q", j.Verdict, j.Reason)
	}
}

// TestOvertaken holds that many producers and a long history do not hide an id
// that was overtaken: porcupine alone would not come to an end.
func TestOvertaken(t *testing.T) {
	t.Attr("req", "RQ-GLOBAL-FIFO")
	const n = 300
	long := func(a, z int) *record.History {
		x := history(4)
		for i := range n {
			at := int64(10*i + 1)
			x.globalPut(1+i%3, at, at+25, record.ID(i+1))
			took := i
			if i == a || i == z {
				took = a + z - i
			}
			x.globalGet(0, at+5*n*10, at+5*n*10+5, 1, record.ID(took+1))
		}
		return x.history()
	}
	rules := sequential.RulesOf(spec.GoRT, 256)
	if r := Check(long(7, 8), Options{Rules: rules}); r.Verdict != Ok {
		t.Errorf("the two overlap, and either may be the first: %v %v", r.Verdict, r.Explanation())
	}
	r := Check(long(7, 20), Options{Rules: rules, Timeout: time.Millisecond})
	want := "id 21 was taken by T0's global get before id 8, which was put earlier and taken later by T0's global get"
	if e := r.Explanation(); e == nil || e.Requirement != "RQ-GLOBAL-FIFO" || e.Sentence != want || len(e.Ops) != 4 {
		t.Errorf("%v: expected RQ-GLOBAL-FIFO: %s; saw %v", r.Verdict, want, e)
	}
	// Here 1 and 3 must be neighbours, and 2 was put between them: no pair.
	h := history(3).globalPut(0, 1, 2, 1).globalPut(1, 4, 5, 2).globalPut(0, 10, 11, 3).globalGet(2, 30, 31, 2, 1, 3).globalGet(2, 40, 41, 1, 2).history()
	r = Check(h, Options{Rules: sequential.RulesOf(spec.FIFO, 0)})
	if e := r.Explanation(); e == nil || e.Requirement != "RQ-GLOBAL-FIFO" || !strings.Contains(e.Sentence, "exhaustive search") {
		t.Errorf("%v: expected RQ-GLOBAL-FIFO by exhaustive search, saw %v", r.Verdict, e)
	}
}

// TestOneInstant holds that an id which was there at one instant at most is not
// what two calls saw, if it was away between them.
func TestOneInstant(t *testing.T) {
	t.Attr("req", "RQ-EMPTY-FALSE")
	put := record.Op{Kind: record.Put, In: []record.ID{1}, Count: 1, OK: true, Call: 1, Return: 30}
	took := record.Op{Thread: 1, Kind: record.Steal, Thief: record.None, Out: []record.ID{1}, OK: true, Call: 1, Return: 30}
	for want, between := range map[Verdict]bool{Illegal: true, Ok: false} {
		x := history(1).empty(2, 2, 5, false).empty(2, 12, 15, between).empty(2, 22, 25, false)
		x.h.Ops, x.h.Moves = append(x.h.Ops, put, took), false
		if r := Check(x.history(), Options{Rules: sequential.RulesOf(spec.Core, 0)}); r.Verdict != want {
			t.Errorf("the queue was empty between: %v; expected %v, saw %v", between, want, r.Verdict)
		}
	}
}

// TestOtherOrders holds bounds and guesses against porcupine where the monitor
// alone does not decide: the global queue with several producers, and queues
// whose order is not judged.
func TestOtherOrders(t *testing.T) {
	t.Attr("req", "RQ-GLOBAL-FIFO")
	t.Attr("req", "RQ-GET-NONE")
	tier.OnlyFull(t)
	const histories = 12000
	var decided [3]int
	by := map[method]int{}
	for i := range histories {
		rng := rand.New(rand.NewPCG(5, uint64(i)))
		h, rules := globalHistory(rng)
		if i%4 == 3 {
			h, _ = randomHistory(rng)
			rules = sequential.RulesOf(spec.Core, 0)
		}
		spoiled := i%2 == 1 && spoil(rng, h)
		if i%3 == 0 {
			rules = sequential.RulesOf(spec.Core, 0)
		}
		for _, o := range project(h, rules) {
			if o.broken != nil || o.err != nil {
				continue
			}
			j := judge(o, Options{Rules: rules, Timeout: 10 * time.Second})
			want := askPorcupine(o, 10*time.Second)
			if (j.Verdict == Ok) != (want == porcupine.Ok) {
				t.Fatalf("history %d: %s: %v by %s, %v by porcupine: %v\n%s", i, o.name, j.Verdict, j.by, want, j.Explanation, dump(h))
			}
			if !spoiled && j.Verdict != Ok {
				t.Fatalf("history %d is correct by construction: %v\n%s", i, j.Explanation, dump(h))
			}
			if o.name == "global" {
				decided[j.Verdict]++
				by[j.by]++
			}
		}
	}
	t.Logf("global queue: %d ok, %d illegal; decided by %v", decided[Ok], decided[Illegal], by)
}

// globalHistory is a correct history of three Ps that use the global queue.
func globalHistory(rng *rand.Rand) (*record.History, sequential.Rules) {
	s := newSim(rng, 3)
	kinds := []record.Kind{record.GlobalPut, record.GlobalPut, record.GlobalGet, record.GlobalGet, record.Put, record.Get}
	pick := func(n int) []record.Kind {
		var out []record.Kind
		for range n {
			out = append(out, kinds[rng.IntN(len(kinds))])
		}
		return out
	}
	return s.run(s.thread(0, 0, pick(6)), s.thread(1, 1, pick(4)), s.thread(2, 2, pick(4))), s.rules
}
