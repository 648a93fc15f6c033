package main

import (
	"fmt"
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
)

// An interval is a median and its 95% confidence interval.
type interval struct{ mid, lo, hi float64 }

// known reports whether there were samples enough for an interval.
func (i interval) known() bool {
	return i.mid > 0 && !math.IsInf(i.lo, 0) && !math.IsInf(i.hi, 0)
}

func median(values []float64) interval {
	// NewSample keeps and sorts what it is given.
	s := benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds)
	m := benchmath.AssumeNothing.Summary(s, 0.95)
	return interval{m.Center, m.Lo, m.Hi}
}

// compare works out the medians and the ratios to the first of bases that a
// benchmark has.
func (r *results) compare(bases []string) {
	for _, b := range r.benchmarks {
		base := b.base(bases)
		for _, v := range b.variants {
			v.summary = median(v.seconds)
			switch {
			case base == nil:
				v.why = "no base"
			case len(base.seconds) != len(v.seconds):
				v.why = fmt.Sprintf("n is not that of %s", base.name)
			case base != v:
				v.ratio = ratio(v, base)
			}
		}
	}
}

func (b *benchmark) base(bases []string) *variant {
	for _, name := range bases {
		if v := b.variant(name); v != nil {
			return v
		}
	}
	return nil
}

// ratio is the median of the ratios, sample by sample.
func ratio(v, base *variant) interval {
	values := make([]float64, len(v.seconds))
	for i := range values {
		values[i] = v.seconds[i] / base.seconds[i]
	}
	return median(values)
}

// judge holds the ratios of the variant of to the variant base against limits.
// It returns the limits that are missed and those that cannot be told, in words.
func (r *results) judge(limits limits, of, base string) (missed, unknown []string) {
	for _, name := range sorted(limits) {
		found := false
		for _, b := range r.benchmarks {
			if b.name != name {
				continue
			}
			found = true
			v, against := b.variant(of), b.variant(base)
			switch {
			case v == nil:
				unknown = append(unknown, fmt.Sprintf("UNKNOWN %s: no variant %s", name, of))
			case against == nil:
				unknown = append(unknown, fmt.Sprintf("UNKNOWN %s: no variant %s to compare with", name, base))
			case v == against:
				unknown = append(unknown, fmt.Sprintf("UNKNOWN %s: %s compared with itself", name, of))
			case v.why != "":
				unknown = append(unknown, fmt.Sprintf("UNKNOWN %s: %s", name, v.why))
			case !v.ratio.known():
				unknown = append(unknown, fmt.Sprintf("UNKNOWN %s: %d samples, too few for a confidence interval", name, len(v.seconds)))
			case v.ratio.lo > limits[name]:
				missed = append(missed, fmt.Sprintf("MISSED %s: expected at most %.2f, saw %.2f [%.2f, %.2f]",
					name, limits[name], v.ratio.mid, v.ratio.lo, v.ratio.hi))
			}
		}
		if !found {
			unknown = append(unknown, fmt.Sprintf("UNKNOWN %s: no such benchmark in the input", name))
		}
	}
	return missed, unknown
}

func sorted(l limits) []string {
	var names []string
	for name := range l {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
