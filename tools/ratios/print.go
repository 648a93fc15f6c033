package main

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// print writes the table.
func (r *results) print(out io.Writer) {
	for _, m := range r.machine {
		fmt.Fprintln(out, m)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "benchmark\tvariant\tns/op\t95%\tratio\t95%\tn")
	for _, b := range r.benchmarks {
		for i, v := range b.variants {
			name := ""
			if i == 0 {
				name = b.name + b.procs
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\n", name, v.name,
				cells(v.summary, 1e9, 1), v.ratioCells(), len(v.seconds))
		}
	}
	w.Flush()
}

func (v *variant) ratioCells() string {
	switch {
	case v.why != "":
		return "-\t" + v.why
	case v.ratio == interval{}:
		return "1\tthe base"
	}
	return cells(v.ratio, 1, 2)
}

// cells are a median and its interval.
func cells(i interval, scale float64, decimals int) string {
	if !i.known() {
		return fmt.Sprintf("%.*f\t?", decimals, i.mid*scale)
	}
	return fmt.Sprintf("%.*f\t[%.*f, %.*f]", decimals, i.mid*scale, decimals, i.lo*scale, decimals, i.hi*scale)
}
