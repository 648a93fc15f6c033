package mutants

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spindle-go/spindle/conformance/hunt"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/mutants/operators"
)

// OperatorOptions are the parameters of RunOperators.
type OperatorOptions struct {
	Root     string       // the checkout
	Designs  []string     // which of them; none: all
	IDs      []string     // which mutants; none: all
	Sample   int          // of the mutants of all designs together only so many, by chance; 0: all
	Seed     uint64       // of the sample
	Always   []string     // mutants that a sample has besides
	Limits   suite.Limits // what is not zero stands instead of what the design has
	Progress func(string) // gets a line now and then; nil: nobody
}

// limits are those of a design, with what the options change.
func (o *OperatorOptions) limits(d hunt.Design) suite.Limits {
	l := d.Limits
	for _, f := range []struct{ to, from *int }{
		{&l.Sequences, &o.Limits.Sequences}, {&l.Scenarios, &o.Limits.Scenarios}, {&l.Each, &o.Limits.Each}, {&l.Executions, &o.Limits.Executions},
	} {
		if *f.from > 0 {
			*f.to = *f.from
		}
	}
	l.Without = o.Limits.Without
	return l
}

// The verdicts on mutants by operator, beside Killed, and beside Unseen and Refuted, for those that argued names.
const (
	SameCode     Verdict = "same code"     // the compiler makes of it what it makes of the code as it was
	Duplicate    Verdict = "duplicate"     // the compiler makes of it what it makes of another mutant
	SameOutcomes Verdict = "same outcomes" // all that was planned was tried, and came out as with the code as it was
	Open         Verdict = "open"          // nobody saw it
)

// An OperatorRow is what was seen of one mutant.
type OperatorRow struct {
	Design   string  `json:"design"`
	ID       string  `json:"id"`
	Verdict  Verdict `json:"verdict"`
	Operator string  `json:"operator"`
	Line     int     `json:"line"`
	Old      string  `json:"old"`
	New      string  `json:"new"`
	Died     bool    `json:"died,omitempty"` // the process ended with it
	Took     float64 `json:"took,omitempty"` // seconds
	suite.Searched
}

// RunOperators makes mutants by operator of designs and hunts each. When ctx ends, the
// rows until then are returned with its error. Errors wrap ErrUsage, or are about the
// checkout; of a design that has a fault without a mutant nothing can be said, which is
// an error, too.
func RunOperators(ctx context.Context, o OperatorOptions) ([]OperatorRow, error) {
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	dir, err := os.MkdirTemp("", "spindle-operators-")
	if err != nil {
		return nil, fmt.Errorf("mutants: %w", err)
	}
	defer os.RemoveAll(dir)
	hunts, err := o.hunts(ctx)
	if err != nil {
		return nil, err
	}
	var rows []OperatorRow
	for _, h := range hunts {
		if len(h.rows) == 0 {
			continue
		}
		more, err := h.run(ctx, &o, filepath.Join(dir, h.design.Name))
		rows = append(rows, more...)
		if err != nil {
			return rows, err
		}
	}
	return rows, ctx.Err()
}

// LimitsOf returns what each mutant gets, by design.
func (o *OperatorOptions) LimitsOf() map[string]suite.Limits {
	all := make(map[string]suite.Limits)
	for _, d := range hunt.Designs() {
		all[d.Name] = o.limits(d)
	}
	return all
}

// operatorHunt is the hunt for the mutants of one design.
type operatorHunt struct {
	design  hunt.Design
	mutants *operators.Design
	rows    []OperatorRow // of the chosen mutants
	numbers []int         // of each row
	run0    []int         // numbers that have to be run
}

// hunts makes the mutants and chooses some.
func (o *OperatorOptions) hunts(ctx context.Context) ([]*operatorHunt, error) {
	all := hunt.Designs()
	for _, name := range o.Designs {
		if !slices.ContainsFunc(all, func(d hunt.Design) bool { return d.Name == name }) {
			var names []string
			for _, d := range all {
				names = append(names, d.Name)
			}
			return nil, fmt.Errorf("%w: expected some of the designs %v, saw %q", ErrUsage, names, name)
		}
	}
	var list []*operatorHunt
	type place struct {
		h *operatorHunt
		m operators.Mutant
	}
	var places []place
	for _, d := range all {
		if len(o.Designs) > 0 && !slices.Contains(o.Designs, d.Name) {
			continue
		}
		o.Progress(d.Name + ": making mutants")
		ms, err := operators.Generate(filepath.Join(o.Root, filepath.FromSlash(d.Dir)), d.Files)
		if err != nil {
			return nil, fmt.Errorf("mutants: %s: %w", d.Name, err)
		}
		h := &operatorHunt{design: d, mutants: ms}
		list = append(list, h)
		for _, m := range ms.Mutants() {
			places = append(places, place{h, m})
		}
	}
	for _, id := range o.IDs {
		if !slices.ContainsFunc(places, func(p place) bool { return p.m.ID == id }) {
			return nil, fmt.Errorf("%w: expected the id of a mutant of %d, saw %q", ErrUsage, len(places), id)
		}
	}
	if len(o.IDs) > 0 {
		places = slices.DeleteFunc(places, func(p place) bool { return !slices.Contains(o.IDs, p.m.ID) })
	}
	if o.Sample > 0 && o.Sample < len(places) {
		chosen := make(map[string]bool)
		for _, i := range rand.New(rand.NewPCG(o.Seed, 0)).Perm(len(places))[:o.Sample] {
			chosen[places[i].m.ID] = true
		}
		for _, id := range o.Always {
			chosen[id] = true
		}
		places = slices.DeleteFunc(places, func(p place) bool { return !chosen[p.m.ID] })
	}
	same := make(map[*operatorHunt]map[int]int)
	for _, p := range places {
		if same[p.h] == nil {
			o.Progress(p.h.design.Name + ": comparing machine code")
			s, err := p.h.mutants.Same(ctx)
			if err != nil {
				return nil, fmt.Errorf("mutants: %s: %w", p.h.design.Name, err)
			}
			same[p.h] = s
		}
		row := OperatorRow{Design: p.h.design.Name, ID: p.m.ID, Operator: p.m.Operator, Line: p.m.Line, Old: p.m.Old, New: p.m.New}
		switch other, ok := same[p.h][p.m.Number]; {
		case ok && other == 0:
			row.Verdict = SameCode
		case ok:
			row.Verdict = Duplicate
		default:
			p.h.run0 = append(p.h.run0, p.m.Number)
		}
		p.h.rows, p.h.numbers = append(p.h.rows, row), append(p.h.numbers, p.m.Number)
	}
	return list, nil
}

// run builds the design with its mutants and hunts those that have to be run, after the
// code as it was. The rows that it returns have a verdict.
func (h *operatorHunt) run(ctx context.Context, o *OperatorOptions, dir string) ([]OperatorRow, error) {
	var lines []hunt.Line
	var failed error
	if len(h.run0) > 0 {
		lines, failed = h.child(ctx, o, dir)
	}
	results := make(map[int]*hunt.Line)
	for i := range lines {
		if l := &lines[i]; !l.Begin {
			results[l.Number] = l
		}
	}
	was := results[0]
	switch {
	case was == nil && failed == nil && len(h.run0) > 0:
		failed = fmt.Errorf("mutants: %s: expected a result of the code as it is, saw none", h.design.Name)
	case was != nil && was.Hit != nil:
		return nil, fmt.Errorf("mutants: %s: %s fell though nothing was changed: %s: %s", h.design.Name, was.Hit.Requirement, was.Hit.Scenario, was.Hit.Observed)
	}
	var rows []OperatorRow
	for i, row := range h.rows {
		if row.Verdict == "" {
			l := results[h.numbers[i]]
			if l == nil || was == nil {
				continue // not run
			}
			row.judge(l, was)
		}
		rows = append(rows, row)
	}
	if failed == nil && len(rows) < len(h.rows) {
		failed = fmt.Errorf("mutants: %s: expected %d results, saw %d", h.design.Name, len(h.rows), len(rows))
	}
	return rows, failed
}

// judge takes over a result.
func (r *OperatorRow) judge(l, was *hunt.Line) {
	r.Searched, r.Died, r.Took = l.Searched, l.Died, l.Took
	switch {
	case l.Hit != nil && argument(r) != "":
		r.Verdict = Refuted
	case l.Hit != nil:
		r.Verdict = Killed
	case argument(r) != "":
		r.Verdict = Unseen
	case l.Digest != "" && l.Digest == was.Digest:
		r.Verdict = SameOutcomes
	default:
		r.Verdict = Open
	}
}

// child runs the test that hunts, over an overlay that has all mutants.
func (h *operatorHunt) child(ctx context.Context, o *OperatorOptions, dir string) ([]hunt.Line, error) {
	at, err := overlaid(o.Root, dir, h.mutants)
	if err != nil {
		return nil, err
	}
	job := hunt.Job{Design: h.design.Name, Numbers: append([]int{0}, h.run0...), Limits: o.limits(h.design)}
	if err := job.Save(dir); err != nil {
		return nil, err
	}
	// What an earlier run left in the cache of the go command is not this one's result.
	cmd := child(ctx, o.Root, "go", "test", "-count=1", "-timeout=0", "-run=^TestHunt$", "./conformance/hunt")
	cmd.Env = append(cmd.Env, "GOFLAGS="+os.Getenv("GOFLAGS")+" -overlay="+at, hunt.Var+"="+dir)
	var out tail
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("mutants: go test: %w", err)
	}
	done := make(chan error, 1)
	go func() { done <- finish(cmd) }()
	begin := time.Now()
	for {
		var ended error
		running := false
		select {
		case ended = <-done:
		case <-time.After(300 * time.Millisecond):
			running = true
		}
		lines, err := hunt.Lines(dir)
		if running {
			n := 0
			for _, l := range lines {
				if !l.Begin {
					n++
				}
			}
			o.Progress(fmt.Sprintf("%s: %d of %d mutants in %v", h.design.Name, max(0, n-1), len(h.run0), time.Since(begin).Round(time.Second)))
			continue
		}
		switch {
		case err != nil:
			return nil, err
		case ctx.Err() != nil:
			return lines, ctx.Err()
		case ended != nil:
			return lines, errors.Join(fmt.Errorf("mutants: %s: go test: %w: %s", h.design.Name, ended, out.String()))
		}
		return lines, nil
	}
}
