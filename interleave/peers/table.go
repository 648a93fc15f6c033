package main

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"text/tabwriter"
)

// printTables prints what there are rows of.
func printTables(w io.Writer, rows []row) {
	fmt.Fprintf(w, "%s/%s, one explorer at a time, each on one thread; spindle is instrumented and looks for data races\n", runtime.GOOS, runtime.GOARCH)
	hunted := func(r row) bool { return r.Size != "" }
	for _, part := range []struct {
		has   func(row) bool
		title string
		print func(io.Writer, []row)
	}{
		{
			func(r row) bool { return r.Program != "" },
			"Programs of the literature, to exhaust", printPrograms,
		},
		{
			func(r row) bool { return r.Mode == exhaust && r.Program == "" },
			"To exhaust (P put, G get, N put next; thieves x steals; capacity 4)", printExhaust,
		},
		{
			func(r row) bool { return r.Mode == random && !hunted(r) },
			"Random executions", printRandom,
		},
		{
			hunted,
			"Hunts for seeded bugs, until found: means of the hunts that found it; at most so much CPU, and so many switches when shrunk, in so many ms",
			printHunts,
		},
	} {
		some := slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return !part.has(r) })
		if len(some) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n%s\n\n", part.title)
		tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		part.print(tw, some)
		tw.Flush()
	}
	if slices.ContainsFunc(rows, func(r row) bool { return r.Earlier }) {
		fmt.Fprintf(w, "\n%s\n", conditions)
	}
	starved := slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return !r.starved() })
	if len(starved) > 0 {
		fmt.Fprintf(w, "\nThe machine was busy: %d of %d runs had less than nine tenths of a core. Go by CPU.\n", len(starved), len(rows))
	}
}

func script(r row) string { return fmt.Sprintf("%s %dx%d", r.Script, r.Thieves, r.Steals) }

// printPrograms has the executions that are classes of their own, for they are
// what was published, beside all that were begun.
func printPrograms(w io.Writer, rows []row) {
	fmt.Fprint(w, "program\texplorer\t  explores\texecutions\tclasses\tCPU\tper CPU second\t  ended\t\n")
	for _, r := range rows {
		ended := r.ended()
		if r.Earlier {
			ended = "published; CPU measured earlier, elsewhere"
		}
		fmt.Fprintf(w, "%s\t%s\t  %s\t%d\t%d\t%.3f\t%s\t  %s\t\n", r.Program, r.Tool, explores(r.Tool, r.Mode), r.Executions, r.Classes, r.CPU, r.cpuRate(), ended)
	}
}

func printExhaust(w io.Writer, rows []row) {
	fmt.Fprint(w, "script\texplorer\t  explores\texecutions\tseconds\tCPU\tper second\tper CPU second\t  ended\t\n")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%s\t  %s\t%d\t%.4f\t%.4f\t%.0f\t%s\t  %s\t\n", script(r), r.Tool, explores(r.Tool, r.Mode), r.Executions, r.Seconds, r.CPU, r.rate(), r.cpuRate(), r.ended())
	}
}

// ended says how an exhaustive search came to its end.
func (r row) ended() string {
	switch {
	case r.Found:
		return "FOUND " + r.Finding // there is nothing to be found
	case r.Complete:
		return "complete"
	}
	return "cut"
}

func printRandom(w io.Writer, rows []row) {
	fmt.Fprint(w, "script\texplorer\t  explores\texecutions\tseconds\tCPU\tper second\tper CPU second\t\n")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%s\t  %s\t%d\t%.2f\t%.2f\t%.0f\t%s\t\n", script(r), r.Tool, explores(r.Tool, r.Mode), r.Executions, r.Seconds, r.CPU, r.rate(), r.cpuRate())
	}
}

func printHunts(w io.Writer, rows []row) {
	fmt.Fprint(w, "bug\tsize\tscript\tcapacity\texplorer\t  explores\tfound\texecutions\tms\tCPU ms\tswitches\tshrunk in\tgiven up after\t\n")
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && sameHunt(rows[0], rows[n]) {
			n++
		}
		printHunt(w, rows[:n])
		rows = rows[n:]
	}
}

// sameHunt reports whether rows differ in their seeds alone.
func sameHunt(a, b row) bool {
	return a.Tool == b.Tool && a.Mode == b.Mode && a.Bug == b.Bug && a.Size == b.Size
}

func printHunt(w io.Writer, rows []row) {
	var found, executions, failed, switches int
	var seconds, longest, cpu, shrink float64
	for _, r := range rows {
		if !r.Found {
			failed = max(failed, r.Executions)
			longest = max(longest, r.Seconds)
			continue
		}
		found++
		executions += r.Executions
		seconds += r.Seconds
		cpu = max(cpu, r.CPU)
		switches = max(switches, r.Switches)
		shrink = max(shrink, r.Shrink)
	}
	mean, ms, gaveUp := "-", "-", ""
	if found > 0 {
		mean = fmt.Sprintf("%.0f", float64(executions)/float64(found))
		ms = fmt.Sprintf("%.2f", 1000*seconds/float64(found))
	}
	if failed > 0 {
		gaveUp = fmt.Sprintf("%d in %.1f s", failed, longest)
	}
	r := rows[0]
	few, in := "-", "-"
	if switches > 0 {
		few = fmt.Sprint(switches)
		in = fmt.Sprintf("%.2f", 1000*shrink)
	}
	fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\t  %s\t%d of %d\t%s\t%s\t%.1f\t%s\t%s\t%s\t\n",
		r.Bug, r.Size, script(r), r.Capacity, r.Tool, explores(r.Tool, r.Mode), found, len(rows), mean, ms, 1000*cpu, few, in, gaveUp)
}
