// Package bench says whether benchmarks have become slower, from two outputs of go
// test -bench. Differences of benchmarks are judged by benchmath, as benchstat
// does; the runs must have been interleaved by whoever made them, or a machine
// that was slow for a while counts as slow code.
//
//interleave:off
package bench

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
)

// Alpha is how unlikely a difference must be without a cause before it counts.
const Alpha = 0.001

// maxFile bounds an output that is read.
const maxFile = 64 << 20

// Errors of reading, and of comparing.
var (
	// ErrFormat is wrapped by the error of an output that is not whole: a run in it
	// failed, a line is malformed, or it has no results.
	ErrFormat = errors.New("bench: malformed output")
	// ErrSamples is wrapped by the error of samples too few to tell anything.
	ErrSamples = errors.New("bench: too few samples")
)

// A Set is the seconds per operation of each benchmark.
type Set struct {
	names   []string // in order
	samples map[string][]float64
}

// failure is a line that go test writes when something went wrong. What was
// measured before it may be right, but is not all.
var failure = regexp.MustCompile(`(?m)^(--- FAIL|FAIL|panic:|fatal error:).*$`)

// Read reads the output of go test -bench. The name is for errors.
func Read(name string, r io.Reader) (*Set, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("bench: %s: %w", name, err)
	}
	if len(text) > maxFile {
		return nil, fmt.Errorf("%w: %s: expected at most %d bytes, saw more", ErrFormat, name, maxFile)
	}
	if line := failure.Find(text); line != nil {
		return nil, fmt.Errorf("%w: %s: a run failed: %.200q", ErrFormat, name, line)
	}
	s := &Set{samples: make(map[string][]float64)}
	in := benchfmt.NewReader(bytes.NewReader(text), name)
	for in.Scan() {
		switch rec := in.Result().(type) {
		case *benchfmt.SyntaxError:
			return nil, fmt.Errorf("%w: %w", ErrFormat, rec)
		case *benchfmt.Result:
			seconds, ok := rec.Value("sec/op")
			if !ok || !(seconds > 0) || math.IsInf(seconds, 0) {
				return nil, fmt.Errorf("%w: %s: expected a positive number of ns/op of %.200q", ErrFormat, name, rec.Name)
			}
			// A package may have a benchmark of the same name as another's.
			of := rec.Name.String()
			if pkg := rec.GetConfig("pkg"); pkg != "" {
				of = pkg + "." + of
			}
			if s.samples[of] == nil {
				s.names = append(s.names, of)
			}
			s.samples[of] = append(s.samples[of], seconds)
		}
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("bench: %s: %w", name, err)
	}
	if len(s.names) == 0 {
		return nil, fmt.Errorf("%w: %s: expected the output of go test -bench, saw no results", ErrFormat, name)
	}
	return s, nil
}

// A Row is what became of one benchmark.
type Row struct {
	Name        string
	Old, New    float64 // medians, in seconds per operation; 0: it is not there
	Ratio       float64 // New to Old
	P           float64 // by Mann-Whitney: how likely so much is by chance
	OldN, NewN  int
	Disappeared bool
	Appeared    bool
}

// Slower reports whether the benchmark takes more than limit times as long, and
// that is not by chance.
func (r *Row) Slower(limit float64) bool {
	return r.Old > 0 && r.New > 0 && r.Ratio > limit && r.P < Alpha
}

// String returns one line.
func (r *Row) String() string {
	switch {
	case r.Disappeared:
		return fmt.Sprintf("%q disappeared", r.Name)
	case r.Appeared:
		return fmt.Sprintf("%q is new", r.Name)
	}
	return fmt.Sprintf("%q: %.3g times as long (%s to %s, p=%.4f, n=%d+%d)", r.Name, r.Ratio, unit(r.Old), unit(r.New), r.P, r.OldN, r.NewN)
}

func unit(seconds float64) string {
	for _, u := range []struct {
		name string
		of   float64
	}{{"s", 1}, {"ms", 1e-3}, {"µs", 1e-6}} {
		if seconds >= u.of {
			return fmt.Sprintf("%.4g %s", seconds/u.of, u.name)
		}
	}
	return fmt.Sprintf("%.4g ns", seconds*1e9)
}

// Compare compares the benchmarks of two outputs: those of old in their order, then
// the new ones. Its error wraps ErrSamples where samples are too few to show a
// difference at Alpha, however large.
func Compare(old, new *Set) (rows []Row, err error) {
	var few []error
	for _, name := range old.names {
		r := Row{Name: name, Old: median(old.samples[name]), OldN: len(old.samples[name])}
		r.NewN = len(new.samples[name])
		if r.Disappeared = r.NewN == 0; !r.Disappeared {
			if least(r.OldN, r.NewN) >= Alpha {
				few = append(few, fmt.Errorf("%w: %q has %d and %d, a difference at p < %v takes %s", ErrSamples, name, r.OldN, r.NewN, Alpha, need(r.OldN, r.NewN)))
			}
			r.New = median(new.samples[name])
			r.Ratio = r.New / r.Old
			r.P = benchmath.AssumeNothing.Compare(sample(old.samples[name]), sample(new.samples[name])).P
		}
		rows = append(rows, r)
	}
	for _, name := range new.names {
		if old.samples[name] == nil {
			rows = append(rows, Row{Name: name, New: median(new.samples[name]), NewN: len(new.samples[name]), Appeared: true})
		}
	}
	return rows, errors.Join(few...)
}

func sample(values []float64) *benchmath.Sample {
	// NewSample keeps and sorts what it is given.
	return benchmath.NewSample(slices.Clone(values), &benchmath.Thresholds{CompareAlpha: Alpha})
}

func median(values []float64) float64 {
	return benchmath.AssumeNothing.Summary(sample(values), 0.95).Center
}

// least is the smallest p that samples of these sizes can give, where all of one
// are less than all of the other: two orders of C(n+m, n).
func least(n, m int) float64 {
	p := 2.0
	for i := 1; i <= n; i++ {
		p *= float64(i) / float64(m+i)
	}
	return p
}

// need says how many samples are enough.
func need(n, m int) string {
	each := 1
	for least(each, each) >= Alpha {
		each++
	}
	if n >= each || m >= each {
		return fmt.Sprintf("at least %d of each, or more of the other", each)
	}
	return fmt.Sprintf("at least %d of each", each)
}
