package checks

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/sequential"
)

// How calls are judged that were made while a queue was being closed. A queue is closed at one
// moment of its first close. Puts that were accepted come before it, takes that gave none after
// it, and what is dropped is dropped at it. For each moment that there may have been, the
// history becomes one without closes, which is judged like any other: one that is right by one
// of them is right.

const (
	takeWakes  = "RQ-TAKE-WAKES"
	takeNone   = "RQ-TAKE-NONE"
	closeWakes = "RQ-CLOSE-WAKES"
	closeDrops = "RQ-CLOSE-DROPS"
	closePut   = "RQ-CLOSE-PUT"
)

// waitIDs are the requirements of takes that wait, and of closing a queue.
var waitIDs = []string{takeWakes, takeNone, closeWakes, closeDrops, closePut}

// waitsForever reports whether a requirement is broken by a call that does not return.
func waitsForever(id string) bool { return id == takeWakes || id == closeWakes }

// hasWaits reports whether a take of h waits, or a queue is closed.
func hasWaits(h *record.History) bool {
	return slices.ContainsFunc(h.Ops, func(op record.Op) bool { return op.Kind.Waits() })
}

// judgeClosings is Judge for a history with takes that wait, or with closes.
func judgeClosings(w spec.Witness, h *record.History, rules sequential.Rules) Verdict {
	c := closing{h: h, drops: rules.Closed == spec.Drops, p: record.None, first: math.MaxInt64, hi: math.MaxInt64}
	if v := c.look(rules.Contract); v != nil {
		for i := range v.Findings {
			v.Findings[i].Witness = string(w)
		}
		return *v
	}
	if c.p == record.None {
		return judge(w, h, rules)
	}
	c.gone = c.dropped()
	moments := c.moments()
	if len(moments) > mostMoments {
		return Verdict{Doubt: fmt.Sprintf("%d calls came while the queue was being closed, which are too many to judge", len(moments))}
	}
	var wrong Verdict
	for _, k := range moments {
		v := judge(w, c.at(k), rules)
		if len(v.Findings) == 0 && v.Doubt == "" {
			return v
		}
		if wrong.Findings == nil || v.Doubt != "" {
			wrong = v
		}
	}
	if wrong.Doubt == "" && !c.late && rules.ClosedPut == spec.Refuses {
		// If it is right with puts that came behind the close, these are what is wrong.
		c.late = true
		for _, k := range moments {
			if v := judge(w, c.at(k), rules); len(v.Findings) == 0 && v.Doubt == "" {
				return *broken(closePut, "the put refused, or its G given before a take finds the queue closed", "a put accepted beside the close, and then a take that found nothing", h.Ops...)
			}
		}
	}
	return wrong
}

// mostMoments bounds the moments at which a queue may have been closed.
const mostMoments = 256

// A closing is what a history says of the moment at which its queue was closed.
type closing struct {
	h     *record.History
	drops bool  // what is there then is dropped
	late  bool  // puts that were accepted may come behind it
	p     int   // whose queue it is, or record.None
	first int64 // the first call of a close
	// The queue was closed from lo to hi, in stamps: when the last call had begun that found
	// it open, and before the first had ended that found it closed.
	lo, hi int64
	shut   record.Op   // the one that ended first
	gone   []record.ID // what was dropped
}

// look finds the bounds of the moment. It returns a verdict if there can be no such moment, or
// if nothing says what a call must do.
func (c *closing) look(contract spec.Contract) *Verdict {
	ops := c.h.Ops
	for i := range ops {
		if op := &ops[i]; op.Kind == record.CloseQueue {
			if c.p != record.None && c.p != op.P {
				return &Verdict{Doubt: "two queues are closed: a history is judged in which one is"}
			}
			c.p, c.first = op.P, min(c.first, op.Call)
			c.ends(op)
		}
	}
	for i := range ops {
		if op := &ops[i]; op.Kind == record.Take && op.Return != 0 && !op.OK {
			if op.P != c.p || op.Return < c.first {
				return broken(takeNone, "a take that waits: the queue is not closed", "none", *op)
			}
			c.ends(op)
		}
	}
	if c.p == record.None {
		return nil
	}
	if contract.Closed == spec.Unsaid {
		return &Verdict{Unjudged: "a queue was closed, and the contract does not say what that does (closed)"}
	}
	c.lo = c.first
	for i := range ops {
		op := &ops[i]
		gives := c.drops && op.Kind.Takes() && len(op.Out) > 0
		accepted := op.Kind.Puts() && op.Count > 0
		switch {
		case op.P != c.p || op.Return == 0:
		case gives && op.Call > c.hi:
			return broken(closeDrops, "none: what was there is gone", fmt.Sprint(op.Out[0]), c.shut, *op)
		case op.Kind.Puts() && contract.ClosedPut == spec.Unsaid && op.Return > c.first:
			return &Verdict{Unjudged: "a put came beside a close or after it, and the contract does not say what that does (closed-put)"}
		case accepted && op.Call > c.hi:
			return broken(closePut, "the put refused: the queue is closed", "accepted", c.shut, *op)
		case gives || accepted:
			c.lo = max(c.lo, op.Call)
		}
	}
	if left := c.left(); c.drops && len(left) > 0 {
		return broken(closeDrops, "nothing left: what was there is gone", fmt.Sprintf("%d at the end", left[0]), c.shut)
	}
	return nil
}

// ends notes a call after which the queue is closed.
func (c *closing) ends(op *record.Op) {
	if op.Return != 0 && op.Return < c.hi {
		c.hi, c.shut = op.Return, *op
	}
}

// left returns what was found in the queue at the end.
func (c *closing) left() []record.ID {
	if c.p < len(c.h.Final.Ps) {
		return c.h.Final.Ps[c.p].Ring
	}
	return nil
}

// broken is the verdict on calls that break a requirement by themselves.
func broken(id, expected, observed string, ops ...record.Op) *Verdict {
	return &Verdict{
		Unjudged: "it was not checked beyond " + id,
		Findings: []record.Finding{{Requirement: id, Fingerprint: id, Expected: expected, Observed: observed, Evidence: callsOf(ops)}},
	}
}

// moments returns the stamps behind which the queue may have been closed: that of a call each,
// since a later moment, up to the next call, orders no more calls.
func (c *closing) moments() []int64 {
	list := []int64{c.lo}
	for i := range c.h.Ops {
		if call := c.h.Ops[i].Call; call > c.lo && call <= c.hi {
			list = append(list, call)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// at returns the history in which the queue is closed right behind stamp k, without its closes.
// What is dropped then is taken by calls of their own.
func (c *closing) at(k int64) *record.History {
	const scale = 8 // there is room between two stamps
	before, shut, after := scale*k+1, scale*k+2, scale*k+3
	h := *c.h
	h.Ops, h.Made = nil, c.h.Ops // which calls overlap is as it was
	for i, op := range c.h.Ops {
		op.Made = i + 1
		if op.Kind == record.CloseQueue || op.P == c.p && op.Kind.Puts() && op.Count == 0 && op.Return > k {
			continue // a put may be refused because of the close
		}
		op.Call *= scale
		if op.Return != 0 {
			op.Return = scale*op.Return + scale/2
		}
		switch {
		case op.P != c.p || op.Return == 0:
		case op.Kind.Puts() && !c.late, c.drops && len(op.Out) > 0:
			op.Return = max(op.Call, min(op.Return, before))
		case op.Kind == record.Take && !op.OK:
			op.Call = max(op.Call, after)
		}
		h.Ops = append(h.Ops, op)
	}
	for i, id := range c.gone {
		h.Ops = append(h.Ops, record.Op{
			Thread: len(h.Scenario.Threads) + i, Kind: record.CloseQueue, P: c.p, Thief: record.None,
			Out: []record.ID{id}, OK: true, Call: shut, Return: shut,
		})
	}
	slices.SortStableFunc(h.Ops, func(a, b record.Op) int {
		return cmp.Or(cmp.Compare(a.Call, b.Call), cmp.Compare(a.Thread, b.Thread))
	})
	return &h
}

// dropped returns what was accepted, and neither taken nor left.
func (c *closing) dropped() []record.ID {
	if !c.drops {
		return nil
	}
	gone := make(map[record.ID]bool)
	for i := range c.h.Ops {
		for _, id := range c.h.Ops[i].Out {
			gone[id] = true
		}
	}
	var list []record.ID
	for i := range c.h.Ops {
		if op := &c.h.Ops[i]; op.P == c.p && op.Kind.Puts() {
			for _, id := range op.In[:max(0, min(op.Count, len(op.In)))] {
				if !gone[id] {
					list = append(list, id)
				}
			}
		}
	}
	return list
}

// waiting returns what is wrong with a run in which takes wait for ever and nothing else is at
// work; nil if nothing says that they must not.
func waiting(w *queue.Waits, c spec.Contract) *record.Finding {
	f := record.Finding{Requirement: closeWakes, Expected: "no take waits: a close has returned"}
	switch {
	case w.Closed && c.Closed != spec.Unsaid:
	case w.Left > 0 && !w.Closed:
		f.Requirement, f.Expected = takeWakes, "no take waits beside a G"
	default:
		return nil
	}
	f.Fingerprint = f.Requirement
	f.Observed = fmt.Sprintf("%s for ever, and no other call is at work; %s put and not taken", amount(w.Takes, "take waits", "takes wait"), amount(w.Left, "G was", "Gs were"))
	return &f
}

func amount(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

// restsRightly is why a run in which takes wait for ever shows nothing.
const restsRightly = "a take waits for ever, and rightly: fewer Gs were accepted than there are takes (a contract that says when puts are refused, and a larger capacity, let it be judged)"
