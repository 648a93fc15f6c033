package mutants

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spindle-go/spindle/mutants/operators"
	"github.com/spindle-go/spindle/mutants/rows"
)

// allCases is for package internal/tier: tests have all cases, in the bounds of the ordinary run.
const allCases = "SPINDLE_INTERNAL_ALL_CASES=1"

// RowOptions are the parameters of RunRows.
type RowOptions struct {
	Root     string        // the checkout
	Subjects []string      // of rows.Subjects; none: all
	IDs      []string      // which; none: all
	Part, Of int           // only the rows of part Part, from 0, of Of; Of 0: all
	Budget   time.Duration // for the tests of one; 0: DefaultRowBudget
	Progress func(string)  // gets a line now and then; nil: none is wanted
}

// DefaultRowBudget is what the tests of a row have. Tests that are not over by then
// have failed: a search that does not end is a known way to be wrong.
const DefaultRowBudget = 2 * time.Minute

// A RowResult is what became of a row.
type RowResult struct {
	rows.Row
	Verdict Verdict
	Took    time.Duration
	Reason  string
}

// choose returns the rows that the options name.
func (o *RowOptions) choose() ([]rows.Row, error) {
	all, err := rows.All(o.Subjects...)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUsage, err)
	}
	out := all
	if len(o.IDs) > 0 {
		out = nil
	}
	for _, id := range o.IDs {
		i := slices.IndexFunc(all, func(r rows.Row) bool { return strings.EqualFold(r.ID, id) })
		if i < 0 {
			return nil, fmt.Errorf("%w: expected the ids of rows of %v, such as %s, saw %q", ErrUsage, o.Subjects, all[0].ID, id)
		}
		out = append(out, all[i])
	}
	if out, err = part(out, o.Part, o.Of); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUsage, err)
	}
	return out, nil
}

// part returns each of-th of a list from at on; with of 0 all.
func part[E any](list []E, at, of int) (some []E, err error) {
	if of < 0 || at < 0 || of > 0 && at >= of || of == 0 && at > 0 {
		return nil, fmt.Errorf("expected a part from 0 to N-1 of N, saw %d of %d", at, of)
	}
	for i, e := range list {
		if of == 0 || i%of == at {
			some = append(some, e)
		}
	}
	return some, nil
}

// RunRows builds all rows into one source and has the tests of each run it. Each test
// must pass on the code as it is. When ctx ends, the results until then are returned.
// Errors wrap ErrUsage, or are about the checkout, a row that does not fit it, or its
// tests.
func RunRows(ctx context.Context, o RowOptions) ([]RowResult, error) {
	list, err := o.choose()
	if err != nil {
		return nil, err
	}
	o.Budget = cmp.Or(o.Budget, DefaultRowBudget)
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	if o.Root, err = filepath.Abs(o.Root); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUsage, err)
	}
	dir, err := os.MkdirTemp("", "spindle-mutants-")
	if err != nil {
		return nil, fmt.Errorf("mutants: %w", err)
	}
	defer os.RemoveAll(dir)
	o.Progress("making mutants")
	made, err := written(o.Root, list)
	if err != nil {
		return nil, err
	}
	b, err := newBench(ctx, o.Root, dir, made)
	if err != nil {
		return nil, err
	}
	tests := make(map[string][]string) // by package
	for _, r := range list {
		if !slices.Contains(tests[r.Package], r.Tests) {
			tests[r.Package] = append(tests[r.Package], r.Tests)
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(tests)) {
		o.Progress("no mutant: " + pkg)
		err := b.prepare(ctx, pkg, strings.Join(tests[pkg], "|"), o.Budget*time.Duration(len(tests[pkg])), allCases)
		if ctx.Err() != nil {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
	}
	results := make([]RowResult, len(list))
	each(ctx, len(list), func(i int) {
		o.Progress(fmt.Sprintf("%s (%d of %d): %s", list[i].ID, i+1, len(list), list[i].Title))
		r := RowResult{Row: list[i]}
		out, err := b.run(ctx, r.Package, i+1, r.Tests, o.Budget, allCases)
		r.Took = out.took
		if r.Verdict, r.Reason = verdict(&out, r.Requirement); err != nil {
			r.Verdict, r.Reason = Broken, err.Error()
		}
		if ctx.Err() == nil {
			results[i] = r
		}
	})
	return slices.DeleteFunc(results, func(r RowResult) bool { return r.ID == "" }), nil
}

// written makes the rows, with their places in the list as numbers, from 1.
func written(root string, list []rows.Row) (made []*operators.Design, err error) {
	in := make(map[string][]operators.Written) // by folder
	for i, r := range list {
		for _, e := range r.Edits {
			at := path.Dir(e.File)
			if n := len(in[at]); n == 0 || in[at][n-1].Number != i+1 {
				in[at] = append(in[at], operators.Written{ID: r.ID, Number: i + 1})
			}
			w := &in[at][len(in[at])-1]
			w.Edits = append(w.Edits, e)
		}
	}
	for _, at := range slices.Sorted(maps.Keys(in)) {
		d, err := operators.WrittenIn(filepath.Join(root, filepath.FromSlash(at)), in[at])
		if err != nil {
			return nil, fmt.Errorf("mutants: %w", err)
		}
		made = append(made, d)
	}
	return made, nil
}

// verdict says what the tests say of a mutant that has to break a requirement, or any.
func verdict(out *output, requirement string) (Verdict, string) {
	if !out.failed {
		return Survived, ""
	}
	if requirement == "" {
		return Killed, ""
	}
	named, text := fallen(out.tests)
	if slices.Contains(named, requirement) {
		return Killed, ""
	}
	return Misnamed, fmt.Sprintf("expected that %s falls, saw that the tests name %v: %s", requirement, named, lastLines(text))
}

// PrintRows writes the results as a table, with counts at the end. It reports whether
// all are killed.
func PrintRows(w io.Writer, results []RowResult) (bool, error) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	count := make(map[Verdict]int)
	var again []string
	fmt.Fprint(t, "mutant\tverdict\ttime\tpackage\trequirement\twhat is wrong\n")
	for _, r := range results {
		fmt.Fprintf(t, "%s\t%s\t%.1fs\t%s\t%s\t%s\n", r.ID, r.Verdict, r.Took.Seconds(), strings.TrimPrefix(r.Package, "./"), cmp.Or(r.Requirement, "-"), r.Title)
		count[r.Verdict]++
		if r.Verdict != Killed {
			again = append(again, r.ID)
		}
	}
	if err := t.Flush(); err != nil {
		return false, err
	}
	for _, r := range results {
		if r.Reason != "" {
			fmt.Fprintf(w, "%s %s: %s\n", r.ID, r.Verdict, r.Reason)
		}
	}
	_, err := fmt.Fprintf(w, "%d mutants by hand: %d killed, %d survived, %d fell by another requirement, %d not run\n",
		len(results), count[Killed], count[Survived], count[Misnamed], count[Broken])
	if len(again) > 0 && err == nil {
		// At the end: it must be seen below a long log.
		_, err = fmt.Fprintf(w, "not killed: %s; spindle mutants -rows %[1]s runs them again\n", strings.Join(again, " "))
	}
	return len(results) > 0 && len(again) == 0, err
}
