package mutants

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spindle-go/spindle/internal/overlay"
)

// What judges is code, too: the explorer, what instruments, the drop-ins, the
// detection of races, the tie. A Judge is a known-bad variant of one of these. The
// witness is the fast tests of its own room: they must fail.
type Judge struct {
	ID    string // J-1, J-2, ...; for ever, as all ids
	Title string
	Edits []overlay.Edit
	Room  string // the package whose tests must fail, "./interleave/internal/engine"
	Tests string // which of them: go test's -run
	// Equivalent says why nothing can see it. It is not run.
	Equivalent string
}

// JudgeOptions are the parameters of RunJudges.
type JudgeOptions struct {
	Root     string        // the checkout
	IDs      []string      // which; none: all
	Budget   time.Duration // for the tests of one; 0: DefaultJudgeBudget
	Progress func(string)  // gets a line now and then; nil: nobody
}

// DefaultJudgeBudget is what the tests of a room have. One that is not over by then
// has failed: a search that does not end is a known way to be wrong.
const DefaultJudgeBudget = 2 * time.Minute

// A JudgeRow is what became of one.
type JudgeRow struct {
	ID      string        `json:"id"`
	Title   string        `json:"title"`
	Room    string        `json:"room"`
	Verdict Verdict       `json:"verdict"`
	Took    time.Duration `json:"took_ns"`
	Reason  string        `json:"reason,omitempty"`
}

// Judges returns the catalogue.
func Judges() []Judge { return slices.Concat(reduction, waits, certificate, tied) }

// RunJudges builds each over the checkout and runs the tests of its room. The
// tests must pass on the code as it is; they are run on that first. When ctx ends,
// the rows until then are returned. Errors wrap ErrUsage, or are about the
// checkout or its tests.
func RunJudges(ctx context.Context, o JudgeOptions) ([]JudgeRow, error) {
	all, err := selectJudges(o.IDs)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUsage, err)
	}
	if o.Budget == 0 {
		o.Budget = DefaultJudgeBudget
	}
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
	r := &runner{Options: Options{Root: o.Root}, dir: dir}
	whole, err := r.subject()
	if err != nil {
		return nil, err
	}
	passes := make(map[string]bool)
	var rows []JudgeRow
	for i := range all {
		j := &all[i]
		o.Progress(fmt.Sprintf("%s (%d of %d): %s", j.ID, i+1, len(all), j.Title))
		if j.Equivalent == "" && !passes[j.Room+j.Tests] {
			out, err := whole.goTest(ctx, o.Budget, "-run", j.Tests, j.Room)
			if ctx.Err() == nil && err == nil && out.failed {
				err = fmt.Errorf("mutants: %s: its tests fail though nothing was changed: %s", j.Room, lastLines(out.text))
			}
			if err != nil {
				return rows, err
			}
			passes[j.Room+j.Tests] = true
		}
		row := r.judge(ctx, j, o.Budget)
		if ctx.Err() != nil {
			break
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func (r *runner) judge(ctx context.Context, j *Judge, budget time.Duration) JudgeRow {
	row := JudgeRow{ID: j.ID, Title: j.Title, Room: j.Room, Verdict: Broken}
	if j.Equivalent != "" {
		row.Verdict, row.Reason = Unseen, j.Equivalent
		return row
	}
	s, err := r.subject(j.Edits...)
	if err == nil {
		defer os.RemoveAll(s.dir)
		var out output
		out, err = s.goTest(ctx, budget, "-run", j.Tests, j.Room)
		row.Took = out.took
		row.Verdict = Survived
		if out.failed {
			row.Verdict = Killed
		}
	}
	if err != nil {
		row.Verdict, row.Reason = Broken, err.Error()
	}
	return row
}

func selectJudges(ids []string) ([]Judge, error) {
	all := Judges()
	if len(ids) == 0 {
		return all, nil
	}
	var out []Judge
	for _, id := range ids {
		i := slices.IndexFunc(all, func(j Judge) bool { return strings.EqualFold(j.ID, id) })
		if i < 0 {
			return nil, fmt.Errorf("mutants: unknown mutant %q of what judges, want J-1 to %s", id, all[len(all)-1].ID)
		}
		out = append(out, all[i])
	}
	return out, nil
}

// PrintJudges writes the rows as a table, what is wrong with them, and counts. It
// reports whether all is right.
func PrintJudges(w io.Writer, rows []JudgeRow) (bool, error) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	count := make(map[Verdict]int)
	fmt.Fprint(t, "mutant\tverdict\ttime\troom\twhat is wrong\n")
	for _, r := range rows {
		fmt.Fprintf(t, "%s\t%s\t%.1fs\t%s\t%s\n", r.ID, r.Verdict, r.Took.Seconds(), strings.TrimPrefix(r.Room, "./"), r.Title)
		count[r.Verdict]++
	}
	if err := t.Flush(); err != nil {
		return false, err
	}
	for _, r := range rows {
		if r.Reason != "" {
			fmt.Fprintf(w, "%s %s: %s\n", r.ID, r.Verdict, r.Reason)
		}
	}
	_, err := fmt.Fprintf(w, "%d mutants of what judges: %d killed, %d survived, %d equivalent, %d not built or run\n",
		len(rows), count[Killed], count[Survived], count[Unseen], count[Broken])
	return len(rows) > 0 && count[Survived]+count[Broken] == 0, err
}
