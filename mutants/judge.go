package mutants

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/spindle-go/spindle/internal/overlay"
)

// What judges is code, too: the engine, the checks, the monitor, the explorer, the
// reports. A Judge is a known-bad variant of one of these. The witness is the fast
// tests of its own room: they must fail.
type Judge struct {
	ID      string // J-1, J-800, ...; for ever, as all ids
	Title   string
	Subject Subject // by its list, in judges.go
	Edits   []overlay.Edit
	Room    string // the package whose tests must fail, "./interleave/internal/engine"
	Tests   string // which of them: go test's -run
	// Requirement must be named by what fails; "": whatever fails is enough.
	Requirement string
	// Equivalent says why nothing can see it. It is not run.
	Equivalent string
}

// JudgeOptions are the parameters of RunJudges.
type JudgeOptions struct {
	Root     string    // the checkout
	Subjects []Subject // of which; none: all
	IDs      []string  // which; none: all
	// Sample and Changed narrow them to so many, drawn by Seed, and to those that
	// differ from the commit Changed: they, the code, or the tests. With both, what
	// either names is run.
	Sample   int
	Seed     uint64
	Changed  string
	Budget   time.Duration // for the tests of one; 0: DefaultJudgeBudget
	Progress func(string)  // gets a line now and then; nil: nobody
	Say      func(string)  // gets what is to stand in the report; nil: nobody
}

// DefaultJudgeBudget is what the tests of a room have. One that is not over by then
// has failed: a search that does not end is a known way to be wrong.
const DefaultJudgeBudget = 2 * time.Minute

// A JudgeRow is what became of one.
type JudgeRow struct {
	ID          string        `json:"id"`
	Title       string        `json:"title"`
	Room        string        `json:"room"`
	Requirement string        `json:"requirement,omitempty"`
	Verdict     Verdict       `json:"verdict"`
	Took        time.Duration `json:"took_ns"`
	Reason      string        `json:"reason,omitempty"`
}

// RunJudges builds each over the checkout and runs the tests of its room. The
// tests must pass on the code as it is; those of a room are run on that first. When ctx ends,
// the rows that there are by then are returned. Errors wrap ErrUsage, or are about the
// checkout or its tests.
func RunJudges(ctx context.Context, o JudgeOptions) ([]JudgeRow, error) {
	all, err := selectJudges(o.Subjects, o.IDs)
	if err == nil && (o.Sample < 0 || o.Sample > len(all)) {
		err = fmt.Errorf("mutants: expected a sample of 1 to %d, or 0 for all, saw %d", len(all), o.Sample)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUsage, err)
	}
	if o.Budget == 0 {
		o.Budget = DefaultJudgeBudget
	}
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	if o.Say == nil {
		o.Say = func(string) {}
	}
	if o.Root, err = filepath.Abs(o.Root); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUsage, err)
	}
	if all = o.narrow(ctx, all); len(all) == 0 {
		return nil, nil
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
	if err := whole.pass(ctx, all, o); err != nil || ctx.Err() != nil {
		return nil, err
	}
	return r.judgeAll(ctx, all, o), nil
}

// narrow returns those of all that are drawn, or concerned by what changed; beside a
// sample at most twice as many of the latter. If git
// cannot tell what changed, no mutant is left out for that: a sample is what it is,
// and without one all are run.
func (o *JudgeOptions) narrow(ctx context.Context, all []Judge) []Judge {
	if o.Sample == 0 && o.Changed == "" {
		return all
	}
	drawn := make([]bool, len(all))
	for _, at := range rand.New(rand.NewPCG(o.Seed, 0)).Perm(len(all))[:o.Sample] {
		drawn[at] = true
	}
	whole := false
	var since change
	if o.Changed != "" {
		var err error
		if since, err = changedSince(ctx, o.Root, o.Changed); err != nil {
			o.Say(fmt.Sprintf("what changed since %s is not known: %v", o.Changed, err))
			whole = o.Sample == 0
		}
	}
	var concerned []int
	for i := range all {
		if since.concerns(&all[i]) {
			concerned = append(concerned, i)
		}
	}
	said := ""
	if most := 2 * o.Sample; o.Sample > 0 && len(concerned) > most {
		// Beside a sample the change is sampled, too: a large one concerns nearly all.
		said = fmt.Sprintf(", of which %d are drawn", most)
		rand.New(rand.NewPCG(o.Seed, 1)).Shuffle(len(concerned), func(i, j int) { concerned[i], concerned[j] = concerned[j], concerned[i] })
		for _, i := range concerned[:most] {
			drawn[i] = true
		}
	} else {
		for _, i := range concerned {
			drawn[i] = true
		}
	}
	var list []Judge
	for i := range all {
		if whole || drawn[i] {
			list = append(list, all[i])
		}
	}
	o.Say(fmt.Sprintf("%d of %d mutants, %d of them drawn, %d concerned by what changed%s", len(list), len(all), o.Sample, len(concerned), said))
	return list
}

// pass holds that the tests of all rooms pass as long as nothing is changed.
func (s *subject) pass(ctx context.Context, all []Judge, o JudgeOptions) error {
	passed := make(map[string]bool)
	for _, j := range all {
		if j.Equivalent != "" || passed[j.Room] || ctx.Err() != nil {
			continue
		}
		passed[j.Room] = true
		o.Progress("no mutant: " + j.Room)
		out, err := s.judgeTests(ctx, o.Budget, testsOf(all, j.Room), j.Room)
		if ctx.Err() != nil {
			return nil
		}
		if err == nil && out.failed {
			err = fmt.Errorf("mutants: %s: its tests fail though nothing was changed: %s", j.Room, lastLines(out.text))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// judgeAll judges several at a time: half of what one takes is the go command's, and
// keeps one processor busy. It returns the rows in order, as far as there are any.
func (r *runner) judgeAll(ctx context.Context, all []Judge, o JudgeOptions) []JudgeRow {
	rows := make([]JudgeRow, len(all))
	var group sync.WaitGroup
	var mu sync.Mutex // of the progress and of next
	next := 0
	for range min(runtime.GOMAXPROCS(0), len(all), 4) {
		group.Go(func() {
			for ctx.Err() == nil {
				mu.Lock()
				i := next
				next++
				if i < len(all) {
					o.Progress(fmt.Sprintf("%s (%d of %d): %s", all[i].ID, i+1, len(all), all[i].Title))
				}
				mu.Unlock()
				if i >= len(all) {
					return
				}
				if row := r.judge(ctx, &all[i], o.Budget); ctx.Err() == nil {
					rows[i] = row
				}
			}
		})
	}
	group.Wait()
	return slices.DeleteFunc(rows, func(row JudgeRow) bool { return row.ID == "" })
}

// testsOf returns the expression for -run that selects the tests of all mutants of a
// room: what they are without a mutant is seen in one run.
func testsOf(all []Judge, room string) string {
	var tests []string
	for _, j := range all {
		if j.Room == room && j.Equivalent == "" && !slices.Contains(tests, j.Tests) {
			tests = append(tests, j.Tests)
		}
	}
	return strings.Join(tests, "|")
}

// judgeTests runs tests of a room. Go vet is left out, and what a debugger wants: they
// have no say in what a mutant does, and take longer than most of the tests.
func (s *subject) judgeTests(ctx context.Context, budget time.Duration, tests, room string) (output, error) {
	return s.goTest(ctx, budget, "", "-vet=off", "-failfast", "-ldflags=-w", "-run", tests, room)
}

func (r *runner) judge(ctx context.Context, j *Judge, budget time.Duration) JudgeRow {
	row := JudgeRow{ID: j.ID, Title: j.Title, Room: j.Room, Requirement: j.Requirement, Verdict: Broken}
	if j.Equivalent != "" {
		row.Verdict, row.Reason = Unseen, j.Equivalent
		return row
	}
	s, err := r.subject(j.Edits...)
	if err == nil {
		defer os.RemoveAll(s.dir)
		var out output
		out, err = s.judgeTests(ctx, budget, j.Tests, j.Room)
		row.Took = out.took
		row.Verdict, row.Reason = out.verdict(j)
	}
	if err != nil {
		row.Verdict, row.Reason = Broken, err.Error()
	}
	return row
}

// verdict says what the tests say of a mutant.
func (out *output) verdict(j *Judge) (Verdict, string) {
	if !out.failed {
		return Survived, ""
	}
	if j.Requirement == "" {
		return Killed, ""
	}
	named, text := fallen(out.tests)
	if slices.Contains(named, j.Requirement) {
		return Killed, ""
	}
	return Misnamed, fmt.Sprintf("expected that %s falls, saw that the tests name %v: %s", j.Requirement, named, lastLines(text))
}

// PrintJudges writes the rows as a table, what is wrong with them, and counts. It
// reports whether all is right.
func PrintJudges(w io.Writer, rows []JudgeRow) (bool, error) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	count := make(map[Verdict]int)
	var again []string
	fmt.Fprint(t, "mutant\tverdict\ttime\troom\trequirement\twhat is wrong\n")
	for _, r := range rows {
		fmt.Fprintf(t, "%s\t%s\t%.1fs\t%s\t%s\t%s\n", r.ID, r.Verdict, r.Took.Seconds(), strings.TrimPrefix(r.Room, "./"), cmp.Or(r.Requirement, "-"), r.Title)
		count[r.Verdict]++
		if r.Verdict != Killed && r.Verdict != Unseen {
			again = append(again, r.ID)
		}
	}
	if err := t.Flush(); err != nil {
		return false, err
	}
	for _, r := range rows {
		if r.Reason != "" {
			fmt.Fprintf(w, "%s %s: %s\n", r.ID, r.Verdict, r.Reason)
		}
	}
	_, err := fmt.Fprintf(w, "%d mutants of what judges: %d killed, %d survived, %d fell by another requirement, %d equivalent, %d not built or run\n",
		len(rows), count[Killed], count[Survived], count[Misnamed], count[Unseen], count[Broken])
	if len(again) > 0 && err == nil {
		// At the end: of a long log nobody sees more.
		_, err = fmt.Fprintf(w, "not killed: %s; spindle mutants -judges %[1]s runs them again\n", strings.Join(again, " "))
	}
	return len(rows) > 0 && len(again) == 0, err
}
