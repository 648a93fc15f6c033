package checks

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// indicesCheck makes so many calls in a fixed order that indices of 8 bits go past their end, and,
// where calls are cheap, those of 16 bits: no queue needs to offer anything for that.
var indicesCheck = check{
	name: "sequence/indices", witness: spec.Sequence, complete: true, enumerates: indices,
	doc: "so many puts and takes, one after another, that indices of 8 bits go past their end, and those of 16 bits where calls are cheap; the queue nearly empty, half full or full",
	requirements: []string{
		"RQ-FIFO", "RQ-LIFO", "RQ-LOST", "RQ-TWICE", "RQ-INVENTED", "RQ-CRASH", "RQ-GET-NONE", "RQ-STEAL-NONE", "RQ-CAPACITY", "RQ-EMPTY-TRUE", "RQ-EMPTY-FALSE", "RQ-LEN",
	},
}

// How often a queue is put into and taken from, to pass the end of indices of 8 and of 16 bits.
const laps8, laps16 = 300, 1<<16 + 100

// indices lists its scenarios: rounds of puts and takes, at each filling.
func indices(f facts) ([]record.Scenario, string) {
	var list []record.Scenario
	add := func(c, fill, laps int, round func(l *line), thief int) {
		l := newLine(2).times(fill, 0, "p").look(f)
		for range laps {
			round(l)
		}
		l.look(f)
		s := record.Scenario{Name: fmt.Sprintf("indices-%d", len(list)+1), Ps: max(1, thief+1), Capacity: c, Order: l.order}
		for t, p := range []int{0, thief} {
			s.Threads = append(s.Threads, record.Thread{P: p, Script: l.scripts[t].String()})
		}
		list = append(list, s)
	}
	get := func(l *line) { l.do(0, "p").do(0, "g") }
	full := func(l *line) { l.do(0, "g").do(0, "p").do(0, "p") } // one more than there is room for
	steal := func(l *line) { l.do(0, "p").do(1, "s0") }
	batch := func(l *line) { l.times(2, 0, "p").do(1, "s0").times(2, 1, "g").times(2, 0, "g") }
	steals := f.allowed(record.Steal)
	capacities := []int{0}
	if f.caps.Resize {
		capacities = slices.Compact([]int{append(f.caps.Sizes, 4)[0], 64})
	}
	for _, c := range capacities {
		holds := cmp.Or(c, f.caps.Capacity)
		fills := []int{0, 3}
		if holds > 0 {
			fills = slices.Compact([]int{0, min(holds/2, 128)})
		}
		for _, fill := range fills {
			add(c, fill, laps8, get, record.None)
			if steals {
				add(c, fill, laps8, steal, record.None)
			}
		}
		if holds > 0 && holds <= 256 && !f.grows() {
			add(c, holds, laps8, full, record.None)
		}
		if f.half() && holds != 1 && f.getsAtRest() {
			add(c, 0, laps8, batch, 1)
		}
	}
	if f.kind == suite.InProcess && !f.short {
		c := 0
		if n := len(f.caps.Sizes); f.caps.Resize && n > 0 {
			c = f.caps.Sizes[n-1]
		}
		fill := 2 // some lie across the end
		if holds := cmp.Or(c, f.caps.Capacity); holds > 0 && holds <= 256 {
			fill = holds - 1
		}
		if steals {
			add(c, fill, laps16/2, func(l *line) { get(l); steal(l) }, record.None)
		} else {
			add(c, fill, laps16, get, record.None)
		}
	}
	return list, fmt.Sprintf("all %d sequences in which indices of 8 bits go past their end, or of 16", len(list))
}
