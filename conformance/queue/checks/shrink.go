package checks

import (
	"context"
	"time"

	"github.com/spindle-go/spindle/spec/record"
)

// call is one call of a scenario in a fixed order.
type call struct {
	thread int
	in     record.Instr
}

// shrink looks for a shorter scenario in a fixed order that still breaks the same
// requirement in the same way. It leaves calls out, many at a time and then one by one.
// It returns the shortest found within two seconds; holds runs a candidate, and no
// longer than its context says.
func shrink(ctx context.Context, s record.Scenario, holds func(context.Context, record.Scenario) bool) record.Scenario {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	calls := unroll(s)
	for size := len(calls) / 2; size >= 1; size /= 2 {
		for from := 0; from < len(calls) && ctx.Err() == nil; {
			to := min(from+size, len(calls))
			shorter := append(append([]call{}, calls[:from]...), calls[to:]...)
			if len(shorter) > 0 && holds(ctx, roll(s, shorter)) {
				calls = shorter
			} else {
				from = to
			}
		}
	}
	return roll(s, calls)
}

func unroll(s record.Scenario) []call {
	scripts := make([][]record.Instr, len(s.Threads))
	at := make([]int, len(s.Threads))
	for t := range s.Threads {
		scripts[t], _ = record.ParseScript(s.Threads[t].Script)
	}
	var calls []call
	for _, t := range s.Order {
		calls = append(calls, call{t, scripts[t][at[t]%len(scripts[t])]})
		at[t]++
	}
	return calls
}

func roll(s record.Scenario, calls []call) record.Scenario {
	l := newLine(len(s.Threads))
	for _, c := range calls {
		l.do(c.thread, c.in.String())
	}
	s.Threads = append([]record.Thread{}, s.Threads...)
	s.Order = l.order
	for t := range s.Threads {
		s.Threads[t].Script = l.scripts[t].String()
		s.Threads[t].Repeat = 0
	}
	return s
}
