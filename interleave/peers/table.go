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
	fmt.Fprintf(w, "%s/%s, one explorer at a time, each on one thread\n", runtime.GOOS, runtime.GOARCH)
	hunted := func(r row) bool { return r.Size != "" }
	for _, part := range []struct {
		has   func(row) bool
		title string
		print func(io.Writer, []row)
	}{
		{
			func(r row) bool { return r.Mode == exhaust && !hunted(r) },
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
	starved := slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return !r.starved() })
	if len(starved) > 0 {
		fmt.Fprintf(w, "\nThe machine was busy: %d of %d runs had less than nine tenths of a core. Go by CPU.\n", len(starved), len(rows))
	}
}

func script(r row) string { return fmt.Sprintf("%s %dx%d", r.Script, r.Thieves, r.Steals) }

func printExhaust(w io.Writer, rows []row) {
	fmt.Fprint(w, "script\texplorer\texecutions\tseconds\tCPU\tper second\tper CPU second\t  ended\t\n")
	for _, r := range rows {
		ended := "cut"
		switch {
		case r.Found:
			ended = "FOUND " + r.Finding // there is nothing to be found
		case r.Complete:
			ended = "complete"
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%.4f\t%.2f\t%.0f\t%s\t  %s\t\n", script(r), r.Tool, r.Executions, r.Seconds, r.CPU, r.rate(), r.cpuRate(), ended)
	}
}

func printRandom(w io.Writer, rows []row) {
	fmt.Fprint(w, "script\texplorer\texecutions\tseconds\tCPU\tper second\tper CPU second\t\n")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%s\t%d\t%.2f\t%.2f\t%.0f\t%s\t\n", script(r), r.Tool, r.Executions, r.Seconds, r.CPU, r.rate(), r.cpuRate())
	}
}

func printHunts(w io.Writer, rows []row) {
	fmt.Fprint(w, "bug\tsize\tscript\tcapacity\texplorer\tfound\texecutions\tms\tCPU ms\tswitches\tshrunk in\tgiven up after\t\n")
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
	by := r.Tool
	if r.Tool == "shuttle" {
		by += map[mode]string{hunt: " PCT", random: " random"}[r.Mode]
	}
	few, in := "-", "-"
	if switches > 0 {
		few = fmt.Sprint(switches)
		in = fmt.Sprintf("%.2f", 1000*shrink)
	}
	fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\t%d of %d\t%s\t%s\t%.1f\t%s\t%s\t%s\t\n",
		r.Bug, r.Size, script(r), r.Capacity, by, found, len(rows), mean, ms, 1000*cpu, few, in, gaveUp)
}
