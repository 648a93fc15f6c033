package findings

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spindle-go/spindle/internal/exit"
)

// A Summary is a distribution of waits.
type Summary struct{ Min, Median, P90, Max time.Duration }

// Summarize returns the distribution: of n values in order, the median is the one at
// n/2 and the 90 % the one at 9n/10, both counted from 0. ok is false without values.
func Summarize(waits []time.Duration) (s Summary, ok bool) {
	n := len(waits)
	if n == 0 {
		return s, false
	}
	sorted := slices.Sorted(slices.Values(waits))
	return Summary{sorted[0], sorted[n/2], sorted[n*9/10], sorted[n-1]}, true
}

// enough is how many tries must show nothing before a mend has mended. Where a flaw must be
// shown, it is in three of four tries or more (the tables of the pages), so that five without it
// come by chance in 1 of 1000. In the time that is the default the slowest mend has 9.
const enough = 5

// few reports whether too few tries showed nothing for a variant that must show nothing.
func (r *Result) few() bool { return r.Variant.Expect == Never && r.Shown == 0 && r.Tries < enough }

// seldom reports whether a variant that must show nothing has shown something in fewer than half of
// its tries. A flaw that the gates force is shown in three of four or more, so this is none that was left: an M that
// a busy operating system has taken off its core between two steps looks like one that does not come. It is no
// proof of the mend either.
func (r *Result) seldom() bool {
	return r.Variant.Expect == Never && r.Shown > 0 && 2*r.Shown < r.Tries
}

// Code is the exit code for what a variant has shown.
func (r *Result) Code() int {
	switch {
	case r.Tries == 0:
		return exit.Inconclusive
	case r.few(), r.seldom():
		return exit.Inconclusive
	case r.Variant.Expect == Never && r.Shown > 0:
		return exit.Fail
	case r.Variant.Expect == Shown && r.Shown == 0:
		return exit.Inconclusive
	}
	return exit.Pass
}

// verdict says what the counts mean.
func (r *Result) verdict() string {
	switch {
	case r.Tries == 0:
		return "nothing was tried"
	case r.few() && r.Tries == 1:
		return fmt.Sprintf("1 try, expected at least %d", enough)
	case r.few():
		return fmt.Sprintf("%d tries, expected at least %d", r.Tries, enough)
	case r.seldom():
		return "seldom: a busy machine?"
	case r.Variant.Expect == Never && r.Shown > 0:
		return "NOT MENDED"
	case r.Shown > 0:
		return "shown"
	case r.Variant.Expect == Shown:
		return "not shown"
	}
	return "none"
}

// A Line is a result as JSON has it; times are in ns.
type Line struct {
	Finding, Variant, Runtime, Verdict string
	Tries, Missed, Shown               int
	Waits                              *Summary `json:",omitempty"` // none without tries
}

// Line returns the result as a line.
func (r *Result) Line() Line {
	l := Line{Finding: r.Finding.Name, Variant: r.Variant.Name, Runtime: r.Variant.Runtime(), Verdict: r.verdict(), Tries: r.Tries, Missed: r.Missed, Shown: r.Shown}
	if s, ok := Summarize(r.Waits); ok {
		l.Waits = &s
	}
	return l
}

// Load returns how busy the machine is, "load 2.1", or "" where that is not known.
func Load() string {
	text, err := os.ReadFile("/proc/loadavg")
	first, _, ok := strings.Cut(string(text), " ")
	if err != nil || !ok {
		return ""
	}
	return "load " + first
}

// Print prints the results of one finding as a table; load is that of the beginning.
func Print(w io.Writer, f *Finding, all []*Result, load string) error {
	if load != "" {
		load = " (" + load + ")"
	}
	fmt.Fprintf(w, "%s: %s%s\n  waits:  %s\n  shown:  %s\n  mended: %s\n", f.Name, f.Short, load, f.Waits, f.Shows, f.Mend)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "  VARIANT\tRUNTIME\tTRIES\tMISSED\tSHOWN\tMIN\tMEDIAN\t90 %\tMAX\t")
	for _, r := range all {
		waits := "-\t-\t-\t-"
		if s, ok := Summarize(r.Waits); ok {
			waits = fmt.Sprintf("%s\t%s\t%s\t%s", short(s.Min), short(s.Median), short(s.P90), short(s.Max))
		}
		fmt.Fprintf(t, "  %s\t%s\t%d\t%d\t%d\t%s\t%s\n", r.Variant.Name, r.Variant.Runtime(), r.Tries, r.Missed, r.Shown, waits, r.verdict())
	}
	return t.Flush()
}

// short prints a time with three digits or so.
func short(d time.Duration) string {
	switch {
	case d >= time.Second:
		return fmt.Sprintf("%.2f s", d.Seconds())
	case d >= time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
	}
	return fmt.Sprintf("%.1f µs", float64(d)/float64(time.Microsecond))
}
