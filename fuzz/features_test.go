package fuzz

import (
	"slices"

	"github.com/spindle-go/spindle/conformance/property"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/sequential"
)

// A feature is a place in the queue's code or state that a run can reach, as
// far as it shows in the run's calls.
type feature string

const (
	ringGet         feature = "get from the ring"
	nextGet         feature = "get from runnext"
	emptyGet        feature = "get that finds nothing"
	emptyYes        feature = "empty: yes"
	emptyNo         feature = "empty: no"
	emptyNoByNext   feature = "empty: no, for runnext alone"
	emptyNoFull     feature = "empty: no, of a full ring"
	overflow        feature = "overflow: a put on a full ring"
	kick            feature = "kick of runnext into the ring"
	kickOverflow    feature = "kick of runnext that overflows"
	ringWrap        feature = "wrap-around: more Gs put in a ring than it has slots"
	indexWrap       feature = "wrap-around of the 32-bit indices"
	stealOne        feature = "steal of the only G"
	stealHalf       feature = "steal that puts loot in the thief's ring"
	stealNone       feature = "steal that finds nothing"
	stealNext       feature = "steal of runnext"
	stealLeavesNext feature = "steal that leaves runnext alone"
	ringBeforeNext  feature = "steal that may take runnext and takes from the ring"
	drainNext       feature = "drain of runnext"
	drainRing       feature = "drain of a ring"
	drainNone       feature = "drain of nothing"
	batchFits       feature = "batch put that fits"
	batchOverflow   feature = "batch put that overflows"
	globalGet       feature = "global get of one"
	globalNone      feature = "global get of none"
	globalBatch     feature = "global batch: some go to the ring"
	globalFair      feature = "global batch bounded by the fair share"
	globalHalf      feature = "global batch bounded by half a ring"
	globalAsked     feature = "global batch bounded by what was asked for"
)

var allFeatures = []feature{
	ringGet, nextGet, emptyGet, emptyYes, emptyNo, emptyNoByNext, emptyNoFull, overflow, kick, kickOverflow, ringWrap, indexWrap,
	stealOne, stealHalf, stealNone, stealNext, stealLeavesNext, ringBeforeNext, drainNext, drainRing, drainNone,
	batchFits, batchOverflow, globalGet, globalNone, globalBatch, globalFair, globalHalf, globalAsked,
}

// features derives what a run reached from its calls, by running them on the
// machine, which knows what was where before each.
func features(run *property.Sequence) map[feature]bool {
	h := run.History()
	capacity := h.Capacity
	m := sequential.NewMachine(h.Scenario.Ps, sequential.RulesOf(spec.GoRT, capacity))
	got := make(map[feature]bool)
	reach := func(when bool, f feature) { got[f] = got[f] || when }
	tails := make([]int, len(m.Ps)) // how many Gs each ring was given
	for i := range h.Ops {
		op := &h.Ops[i]
		var p sequential.PState
		if op.P != record.None {
			p = m.Ps[op.P]
		}
		n, full, global := len(p.Ring), len(p.Ring) == capacity, len(m.Global)
		switch op.Kind {
		case record.Put:
			reach(full, overflow)
		case record.PutNext:
			reach(p.Runnext != 0 && !full, kick)
			reach(p.Runnext != 0 && full, kickOverflow)
		case record.PutBatch:
			reach(n+len(op.In) <= capacity, batchFits)
			reach(n+len(op.In) > capacity, batchOverflow)
		case record.Get:
			reach(op.OK && op.FromRunnext, nextGet)
			reach(op.OK && !op.FromRunnext, ringGet)
			reach(!op.OK, emptyGet)
		case record.Steal, record.StealNext:
			reach(n == 1 && op.OK, stealOne)
			reach(n > 2 && op.OK, stealHalf)
			reach(n == 0 && p.Runnext == 0 && !op.OK, stealNone)
			reach(n == 0 && p.Runnext != 0 && op.OK, stealNext)
			reach(n == 0 && p.Runnext != 0 && !op.OK, stealLeavesNext)
			reach(n > 0 && p.Runnext != 0 && op.Kind == record.StealNext, ringBeforeNext)
		case record.Drain:
			reach(p.Runnext != 0, drainNext)
			reach(n > 0, drainRing)
			reach(len(op.Out) == 0, drainNone)
		case record.Empty:
			reach(op.OK, emptyYes)
			reach(!op.OK, emptyNo)
			reach(!op.OK && n == 0, emptyNoByNext)
			reach(!op.OK && full, emptyNoFull)
		case record.GlobalGet:
			share := global/len(m.Ps) + 1
			reach(!op.OK, globalNone)
			reach(op.OK && sequential.Share(op.Want, capacity, global, len(m.Ps)) == 1, globalGet)
			reach(share < global && share < min(op.Want, capacity/2) && share > 1, globalFair)
			reach(capacity/2 < min(op.Want, share, global), globalHalf)
			reach(op.Want < min(capacity/2, share, global), globalAsked)
		}
		before := slices.Clone(m.Ps)
		m.Apply(op)
		for q := range m.Ps {
			for _, id := range m.Ps[q].Ring {
				if !slices.Contains(before[q].Ring, id) {
					tails[q]++
					reach(op.Kind == record.GlobalGet, globalBatch)
				}
			}
			reach(tails[q] > capacity, ringWrap)
			reach(h.Scenario.Start != 0 && tails[q] > int(-h.Scenario.Start), indexWrap)
		}
	}
	return got
}
