package main

import (
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"
)

var columns = []string{"row", "statement", "runtime", "sched", "ratio", "verdict", "Ms of sched", "slowest round: runtime, sched", "also", "what is counted, and from what"}

// table is what is printed, as Markdown.
func table(list []*result, rounds int, interrupted bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s, %d cores, GOMAXPROCS %d. %s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.GOMAXPROCS(0), processor())
	fmt.Fprintf(&b, "Medians of %d rounds, runtime and sched in turn. Ratio: sched to runtime; less is better.\n", rounds)
	if interrupted {
		b.WriteString("INCOMPLETE: the run was interrupted.\n")
	}
	b.WriteString("\n")
	cells := [][]string{columns, slices.Repeat([]string{"---"}, len(columns))}
	for _, r := range list {
		cells = append(cells, r.cells())
	}
	for _, row := range cells {
		for i, cell := range row {
			width := 0
			for _, other := range cells {
				width = max(width, utf8.RuneCountInString(other[i]))
			}
			if i == len(columns)-1 {
				width = 0
			}
			fmt.Fprintf(&b, "| %-*s ", width, cell)
		}
		b.WriteString("|\n")
	}
	return b.String()
}

func value(t *trial) float64 { return t.value }
func ms(t *trial) float64    { return t.ms }

// cells are a row of the table.
func (r *result) cells() []string {
	mid := func(side string) string { return withUnit(r.of(side, median, value), r.unit) }
	var slowest []string
	for _, side := range []string{onRuntime, onSched} {
		if r.trials[side] != nil {
			slowest = append(slowest, number(r.of(side, slices.Max, value)))
		}
	}
	cells := []string{r.name, r.statements, mid(onRuntime), mid(onSched), "", "", withUnit(r.of(onSched, median, ms), r.ofMs), strings.Join(slowest, ", "), strings.Join(r.also(), "; "), r.what}
	switch {
	case r.done == 0:
		cells[2], cells[3] = r.why, r.why
	case r.unwatched:
		cells[5] = fmt.Sprintf("within %v", r.limit) // else it has failed
	default:
		ratio := r.of(onSched, median, value) / r.of(onRuntime, median, value)
		if math.IsNaN(ratio) {
			ratio = 1 // 0 and 0
		}
		cells[4], cells[5] = number(ratio), "within 2x"
		if ratio > 2 {
			cells[5] = "over 2x"
		}
	}
	return cells
}

// also are the other numbers of a row: their medians, and the most if that is another.
func (r *result) also() (list []string) {
	if r.done == 0 {
		return nil
	}
	if r.why != "" {
		list = append(list, r.why)
	}
	each := make(map[string]string)
	for _, side := range r.sides() {
		for name := range r.trials[side][0].more {
			more := func(t *trial) float64 { return t.more[name] }
			text := side + " " + number(r.of(side, median, more))
			if most := number(r.of(side, slices.Max, more)); !strings.HasSuffix(text, " "+most) {
				text += " (most " + most + ")"
			}
			each[name] = strings.TrimPrefix(each[name]+", "+text, ", ")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(each)) {
		list = append(list, name+": "+each[name])
	}
	if r.pools {
		pond := r.of(onPond, median, value)
		list = append(list, fmt.Sprintf("pond %s, sched to pond %s", withUnit(pond, r.unit), number(r.of(onSched, median, value)/pond)))
	}
	return list
}

// of sums up a number of all rounds of a side; NaN if there are none.
func (r *result) of(side string, sum func([]float64) float64, number func(*trial) float64) float64 {
	var list []float64
	for _, t := range r.trials[side] {
		list = append(list, number(t))
	}
	if len(list) == 0 {
		return math.NaN()
	}
	return sum(list)
}

func withUnit(v float64, unit string) string {
	if math.IsNaN(v) {
		return ""
	}
	return strings.TrimSpace(number(v) + " " + unit)
}

// number writes three digits, or all of a whole number.
func number(v float64) string {
	if v == math.Trunc(v) || math.Abs(v) >= 100 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}
