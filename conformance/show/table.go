package show

import (
	"fmt"
	"strings"

	"github.com/spindle-go/spindle/spec/record"
)

// Table shows calls with a column for each thread, a row for each call, by the
// time at which they were called, and below it what the call moved besides. The
// first column is nanoseconds since the first call, or the number of the call
// where the calls came in a fixed order.
func Table(ops []record.Op, margin string) string {
	if len(ops) == 0 {
		return ""
	}
	type row struct {
		when, text string
		thread     int
	}
	const head = "call..return"
	var rows []row
	first := len(head)
	var width []int // of the column of each thread
	add := func(r row) {
		for len(width) <= r.thread {
			width = append(width, len("T0"))
		}
		first = max(first, len(r.when))
		width[r.thread] = max(width[r.thread], len(r.text))
		rows = append(rows, r)
	}
	base := ops[0].Call
	for _, op := range ops {
		when := fmt.Sprintf("%d..%d", op.Call-base, op.Return-base)
		if op.Return == 0 {
			when = fmt.Sprintf("%d..?", op.Call-base)
		}
		add(row{when, strings.TrimPrefix(op.String(), fmt.Sprintf("T%d ", op.Thread)), op.Thread})
		for _, m := range op.Moved {
			add(row{"", fmt.Sprintf("  %v -> %v %s", m.From, m.To, idList(m.IDs)), op.Thread})
		}
	}
	var b strings.Builder
	line := func(s string) {
		b.WriteString(strings.TrimRight(margin+s, " ") + "\n")
	}
	threads := fmt.Sprintf("%*s", first, head)
	at := make([]int, len(width)) // where each thread's column begins
	for i, w := range width {
		if i > 0 {
			at[i] = at[i-1] + width[i-1] + 2
		}
		threads += fmt.Sprintf("  %-*s", w, fmt.Sprintf("T%d", i))
	}
	line(threads)
	for _, r := range rows {
		line(fmt.Sprintf("%*s  %*s%s", first, r.when, at[r.thread], "", r.text))
	}
	return b.String()
}

func idList(ids []record.ID) string {
	if len(ids) <= 8 {
		return fmt.Sprint(ids)
	}
	return fmt.Sprintf("[%d %d ... %d, %d ids]", ids[0], ids[1], ids[len(ids)-1], len(ids))
}
