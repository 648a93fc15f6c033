package main

import (
	"fmt"
	"io"
	"slices"
)

// printRatios prints what the runs say of speed, beside what is wanted, as far as
// there are the rows for it.
func printRatios(w io.Writer, rows []row) {
	search := func(tool string, m mode, s string) (row, bool) {
		i := slices.IndexFunc(rows, func(r row) bool {
			return r.Tool == tool && r.Mode == m && r.Size == "" && what(r) == s
		})
		if i < 0 {
			return row{}, false
		}
		return rows[i], true
	}
	title := "\nSide by side\n\n"
	line := func(format string, args ...any) {
		fmt.Fprintf(w, title+format+"\n", args...)
		title = ""
	}
	for _, c := range compared {
		own, ok1 := search(ourselves, exhaust, c.program)
		theirs, ok2 := search(genmc, exhaust, c.program)
		if ok1 && ok2 && own.CPU > 0 && own.Complete {
			where := ""
			if theirs.Earlier {
				where = " of another machine"
			}
			line("our executions per CPU second / GenMC's%s, %s: %.1f (wanted: 1)", where, c.program, float64(own.Classes)/own.CPU/(float64(theirs.Classes)/theirs.CPU))
		}
	}
	const large = "PPGPG 2x1"
	theirs, ok1 := search(loom, exhaust, large)
	own, ok2 := search(ourselves, exhaust, large)
	if ok1 && ok2 && own.Seconds > 0 {
		cut := ""
		if !theirs.Complete {
			cut = ", when it was cut"
		}
		line("loom's wall time / ours, to exhaust %s: %.0f%s (wanted: 100)", large, theirs.Seconds/own.Seconds, cut)
	}
	for _, s := range []string{"PG 1x1", "PPG 1x1", "PPGPG 1x1"} {
		if r, ok := search(ourselves, exhaust, s); ok && r.CPU > 0 {
			line("executions per second and core, to exhaust %s: %.0f (wanted: 150000)", s, float64(r.Executions)/r.CPU)
		}
	}
	for _, r := range rows {
		if r.Tool != ourselves || r.Mode != random || r.Size != "" {
			continue
		}
		if s, ok := search(shuttle, random, script(r)); ok && r.CPU > 0 && s.Executions > 0 {
			ratio := float64(r.Executions) / r.CPU / (float64(s.Executions) / s.CPU)
			line("our random executions per CPU second / shuttle's, %s: %.1f (wanted: 5)", script(r), ratio)
		}
	}
}

// what is the script or the program of a row.
func what(r row) string {
	if r.Program != "" {
		return r.Program
	}
	return script(r)
}
