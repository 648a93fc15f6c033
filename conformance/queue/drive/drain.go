package drive

import (
	"slices"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/linearizability/recorder"
	"github.com/spindle-go/spindle/spec/record"
)

// Drain takes out what is left and adds it to final, so that what was lost can be
// told from what was not yet taken. It is bounded by what was put, twice: a queue
// that gives ids for ever is found out by the ids. A get finds nothing so many times in a
// row, though there may be something.
func Drain(set queue.Set, ps, puts, misses int, final *record.Contents) {
	final.Ps = make([]record.PContents, ps)
	for p := range ps {
		q, c := set.P(p), &final.Ps[p]
		missed := 0
		for got := 0; got < 2*(puts+1) && missed <= misses; {
			var id record.ID
			var next, ok bool
			if rn, has := q.(queue.RunNext); has {
				id, next, ok = rn.GetNext()
			} else {
				id, ok = q.Get()
			}
			if !ok {
				missed++
				continue
			}
			got, missed = got+1, 0
			if next && c.Runnext == 0 && len(c.Ring) == 0 {
				c.Runnext = id
			} else {
				c.Ring = append(c.Ring, id)
			}
		}
	}
	if g, ok := set.(queue.GlobalQueue); ok {
		final.Global = g.GlobalContents()
	}
}

func (r *run) drain() {
	puts := 0
	for _, n := range r.puts {
		puts += n
	}
	if p, ok := r.set.(queue.Pinner); ok {
		p.Enter(0, 1)
		defer p.Leave(0)
	}
	r.threads[0].guarded(func() { Drain(r.set, r.s.Ps, puts, r.misses(), &r.final) })
}

func (r *run) contents() record.Contents {
	c := record.Contents{Ps: make([]record.PContents, r.s.Ps)}
	for p := range c.Ps {
		c.Ps[p] = r.set.P(p).(queue.Shower).Contents()
	}
	if g, ok := r.set.(queue.GlobalQueue); ok {
		c.Global = g.GlobalContents()
	}
	return c
}

func (r *run) history() *record.History {
	logs := make([]*recorder.Log, len(r.threads))
	for i, t := range r.threads {
		logs[i] = t.log
	}
	h := &record.History{Scenario: r.s, Clock: r.clock.Kind(), Final: r.final, Ops: recorder.Ops(logs...)}
	h.Capacity, h.Moves = r.capacity, r.moves && !slices.ContainsFunc(r.threads, (*thread).movesUnsaid)
	if r.s.Order != nil {
		r.number(h)
	}
	return h
}

// number puts the calls of a run in a fixed order in that order: two calls of
// one clock tick may have equal stamps.
func (r *run) number(h *record.History) {
	h.Clock = record.ClockOrder
	byThread := make([][]record.Op, len(r.threads))
	for _, op := range h.Ops {
		byThread[op.Thread] = append(byThread[op.Thread], op)
	}
	total := len(h.Ops)
	h.Ops = h.Ops[:0:0]
	for k, n := range r.s.Order {
		if len(byThread[n]) == 0 || k >= total {
			break // a crash ended the run here
		}
		op := byThread[n][0]
		byThread[n] = byThread[n][1:]
		// On a clock that counts steps 0 is a stamp, and on that of real threads it is none.
		if op.Call = int64(2*k + 1); op.Return != 0 || !r.free {
			op.Return = int64(2*k + 2)
		}
		if k < len(r.shown) {
			op.After = r.shown[k]
		}
		h.Ops = append(h.Ops, op)
	}
}
