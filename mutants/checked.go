package mutants

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spindle-go/spindle/mutants/operators"
)

// Mutants by operator of the packages that check queues and schedulers: what they say
// rests on their tests, and these mutants say what the tests are worth.

// A Checker is a package that checks, with the packages whose tests may see a mutant.
type Checker struct {
	Package string   // "./internal/suite"
	Tests   []string // packages, its own first
	// Floor is the share of the mutants that must be killed, in percent: what was measured,
	// less three standard deviations of the sample that .ci/parts draws.
	Floor int
}

// Checkers are the packages that check.
var Checkers = []Checker{
	{"./internal/suite", []string{"./internal/suite", "./internal/suite/gate", "./internal/suite/report", "./internal/suite/merge"}, 40},
	{"./internal/suite/gate", []string{"./internal/suite/gate"}, 45},
	{"./internal/suite/report", []string{"./internal/suite/report"}, 38},
	{"./linearizability", []string{"./linearizability"}, 55},
	{"./spec/sequential", []string{"./spec/sequential"}, 45},
	{"./conformance/queue/checks", []string{"./conformance/queue/checks"}, 25},
	{"./conformance/scheduler/checks", []string{"./conformance/scheduler/checks"}, 30},
}

// CheckerOptions are the parameters of RunCheckers.
type CheckerOptions struct {
	Root     string       // the checkout
	Packages []string     // which of Checkers; none: all
	Sample   int          // how many mutants are drawn; 0: all there are, for days
	Seed     string       // of the drawing, such as a commit
	IDs      []string     // which mutants, in place of a sample; none: a sample
	Progress func(string) // gets a line now and then; nil: none is wanted

	list []Checker // in place of Checkers
}

// The verdicts on a mutant by operator that no test sees.
const (
	Alive     Verdict = "alive"       // the tests that call its function pass
	Unreached Verdict = "not reached" // no test calls its function
)

// A CheckerResult is what became of the mutants of one package.
type CheckerResult struct {
	Checker
	Places  int // mutants that there are
	Results []CheckerRow
	Ended   bool // all that was drawn has a result
}

// A CheckerRow is what became of one mutant.
type CheckerRow struct {
	operators.Mutant
	Verdict Verdict
	By      string // the test that failed
	Took    time.Duration
}

// RunCheckers draws mutants by operator, uniformly of all that the packages have, builds
// them into one source and has the tests run each: those tests that call the mutant's
// function, the quick ones first. A test that fails on the code as it is is an error.
// When ctx ends, the results until then are returned. Errors wrap ErrUsage, or are about
// the checkout or its tests.
func RunCheckers(ctx context.Context, o CheckerOptions) ([]CheckerResult, error) {
	list := slices.Clone(Checkers)
	if o.list != nil {
		list = o.list
	}
	if len(o.Packages) > 0 {
		for _, p := range o.Packages {
			if !slices.ContainsFunc(list, func(c Checker) bool { return c.Package == p }) {
				var names []string
				for _, c := range list {
					names = append(names, c.Package)
				}
				return nil, fmt.Errorf("%w: expected some of the packages %v, saw %q", ErrUsage, names, p)
			}
		}
		list = slices.DeleteFunc(list, func(c Checker) bool { return !slices.Contains(o.Packages, c.Package) })
	}
	if o.Sample < 0 {
		return nil, fmt.Errorf("%w: expected a sample of 1 or more, or 0 for all, saw %d", ErrUsage, o.Sample)
	}
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	var err error
	if o.Root, err = filepath.Abs(o.Root); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUsage, err)
	}
	dir, err := os.MkdirTemp("", "spindle-mutants-")
	if err != nil {
		return nil, fmt.Errorf("mutants: %w", err)
	}
	defer os.RemoveAll(dir)
	results, made, err := o.draw(list)
	if err != nil {
		return nil, err
	}
	for i, d := range made { // what the compiler cannot tell from the code as it was needs no run
		o.Progress(results[i].Package + ": comparing machine code")
		same, err := d.Same(ctx)
		if err != nil {
			return nil, fmt.Errorf("mutants: %s: %w", results[i].Package, err)
		}
		for _, m := range d.Mutants() {
			row := CheckerRow{Mutant: m}
			switch other, ok := same[m.Number]; {
			case ok && other == 0:
				row.Verdict = SameCode
			case ok:
				row.Verdict = Duplicate
			}
			results[i].Results = append(results[i].Results, row)
		}
	}
	o.Progress("compiling")
	b, err := newBench(ctx, o.Root, dir, made)
	if err != nil {
		return nil, err
	}
	for i := range results {
		if ctx.Err() != nil {
			break
		}
		if len(results[i].Results) > 0 {
			if err := o.run(ctx, b, &results[i], made[i]); err != nil {
				return results, err
			}
		}
		results[i].Ended = ctx.Err() == nil
	}
	return results, nil
}

// draw makes the mutants and leaves those that are drawn, numbered over all packages.
func (o *CheckerOptions) draw(list []Checker) ([]CheckerResult, []*operators.Design, error) {
	var results []CheckerResult
	var made []*operators.Design
	var ids []string
	for _, c := range list {
		o.Progress(c.Package + ": making mutants")
		d, err := operators.Generate(filepath.Join(o.Root, filepath.FromSlash(c.Package)), nil)
		if err != nil {
			return nil, nil, fmt.Errorf("mutants: %s: %w", c.Package, err)
		}
		made = append(made, d)
		results = append(results, CheckerResult{Checker: c, Places: len(d.Mutants())})
		for _, m := range d.Mutants() {
			ids = append(ids, key(c, m))
		}
	}
	drawn := make(map[string]bool)
	switch {
	case len(o.IDs) > 0:
		for _, id := range o.IDs {
			if !slices.ContainsFunc(ids, func(k string) bool { return strings.HasSuffix(k, " "+id) }) {
				return nil, nil, fmt.Errorf("%w: expected the id of a mutant of %d, saw %q", ErrUsage, len(ids), id)
			}
		}
		for _, k := range ids {
			_, id, _ := strings.Cut(k, " ")
			drawn[k] = slices.Contains(o.IDs, id)
		}
	default:
		hash := fnv.New64a()
		io.WriteString(hash, o.Seed)
		order := rand.New(rand.NewPCG(hash.Sum64(), 0)).Perm(len(ids))
		if o.Sample > 0 {
			order = order[:min(o.Sample, len(order))]
		}
		for _, i := range order {
			drawn[ids[i]] = true
		}
	}
	next := 1
	for i, d := range made {
		next = d.Only(next, func(m operators.Mutant) bool { return drawn[key(list[i], m)] })
	}
	return results, made, nil
}

// key names a mutant beside those of other packages: two packages are called checks.
func key(c Checker, m operators.Mutant) string { return c.Package + " " + m.ID }

// run gives each mutant of a package a verdict that has none.
func (o *CheckerOptions) run(ctx context.Context, b *bench, r *CheckerResult, d *operators.Design) error {
	o.Progress(r.Package + ": which tests call which functions")
	tests, err := b.reach(ctx, &r.Checker, d.Package())
	if err != nil || ctx.Err() != nil {
		return err
	}
	for _, pkg := range r.Tests {
		if err := b.prepare(ctx, pkg, ".", 10*time.Minute); err != nil {
			return err
		}
	}
	spans := d.Lines()
	begin := time.Now()
	failed := make([]error, len(r.Results))
	each(ctx, len(r.Results), func(i int) {
		row := &r.Results[i]
		if row.Verdict != "" {
			return
		}
		o.Progress(fmt.Sprintf("%s: %d of %d mutants in %v", r.Package, i+1, len(r.Results), time.Since(begin).Round(time.Second)))
		failed[i] = b.check(ctx, row, of(tests, spans[row.Number]))
	})
	for _, err := range failed {
		if err != nil && ctx.Err() == nil {
			return err
		}
	}
	r.Results = slices.DeleteFunc(r.Results, func(row CheckerRow) bool { return row.Verdict == "" })
	return nil
}

// A reached test is one with the lines of the package that it executes.
type reached struct {
	pkg, name string
	took      time.Duration
	lines     map[string][]operators.Span // by file
}

// of returns the tests that execute a line of a function.
func of(tests []reached, f operators.Span) []reached {
	return slices.DeleteFunc(slices.Clone(tests), func(t reached) bool {
		return !slices.ContainsFunc(t.lines[f.File], func(s operators.Span) bool { return s.From <= f.To && s.To >= f.From })
	})
}

// quick is how long tests may take together that are tried before the others.
const quick = 2 * time.Second

// check has tests run a mutant: a group of quick ones of each package first.
func (b *bench) check(ctx context.Context, row *CheckerRow, tests []reached) error {
	row.Verdict = Unreached
	slices.SortStableFunc(tests, func(a, b reached) int { return cmp.Compare(a.took, b.took) })
	var groups [][]reached // of one package each
	for _, fast := range []bool{true, false} {
		sum := time.Duration(0)
		in := make(map[string][]reached)
		for _, t := range tests {
			if sum += t.took; (sum <= quick) == fast {
				in[t.pkg] = append(in[t.pkg], t)
			}
		}
		for _, pkg := range slices.Sorted(maps.Keys(in)) {
			groups = append(groups, in[pkg])
		}
	}
	for _, g := range groups {
		var names []string
		budget := 20 * time.Second
		for _, t := range g {
			names = append(names, regexp.QuoteMeta(t.name))
			budget += 5 * t.took
		}
		out, err := b.run(ctx, g[0].pkg, row.Number, "^("+strings.Join(names, "|")+")$", budget)
		if row.Took += out.took; err != nil || ctx.Err() != nil {
			row.Verdict = ""
			return err
		}
		row.Verdict = Alive
		if out.failed {
			row.Verdict, row.By = Killed, g[0].pkg
			for _, t := range out.tests {
				if !t.passed && !strings.Contains(t.name, "/") {
					row.By = t.name
					break
				}
			}
			return nil
		}
	}
	return nil
}

// reach runs each test alone, on the code as it is, and returns what it executes.
func (b *bench) reach(ctx context.Context, c *Checker, importPath string) ([]reached, error) {
	type one struct{ pkg, binary, name string }
	var all []one
	for _, pkg := range c.Tests {
		binary := filepath.Join(b.dir, strings.ReplaceAll(c.Package+"_by_"+pkg, "/", "_")+".cover")
		if _, err := b.goCommand(ctx, "test", "-c", "-vet=off", "-cover", "-covermode=set", "-coverpkg="+importPath, "-o", binary, pkg); err != nil {
			return nil, err
		}
		cmd := child(ctx, filepath.Join(b.root, filepath.FromSlash(pkg)), binary, "-test.list=^(Test|Example|Fuzz)")
		var out strings.Builder
		cmd.Stdout = &out
		if err := cmd.Start(); err != nil {
			return nil, fmt.Errorf("mutants: %s: %w", pkg, err)
		}
		if err := finish(cmd); err != nil {
			return nil, fmt.Errorf("mutants: the tests of %s: %w", pkg, err)
		}
		for _, name := range strings.Fields(out.String()) {
			all = append(all, one{pkg, binary, name})
		}
	}
	tests, failed := make([]reached, len(all)), make([]error, len(all))
	each(ctx, len(all), func(i int) {
		profile := filepath.Join(b.dir, fmt.Sprintf("profile-%d", i))
		cmd := child(ctx, filepath.Join(b.root, filepath.FromSlash(all[i].pkg)), all[i].binary,
			"-test.run=^"+regexp.QuoteMeta(all[i].name)+"$", "-test.coverprofile="+profile, "-test.timeout=10m")
		var out tail
		cmd.Stdout, cmd.Stderr = &out, &out
		begin := time.Now()
		if failed[i] = cmd.Start(); failed[i] != nil {
			return
		}
		err := finish(cmd)
		tests[i] = reached{pkg: all[i].pkg, name: all[i].name, took: time.Since(begin)}
		if err != nil {
			failed[i] = fmt.Errorf("mutants: %s of %s fails alone, though nothing was changed: %w: %s", all[i].name, all[i].pkg, err, out.String())
			return
		}
		tests[i].lines, failed[i] = executed(profile, importPath)
		os.Remove(profile)
	})
	for _, err := range failed {
		if err != nil {
			return nil, err
		}
	}
	return tests, nil
}

// block is a line of a coverage profile: FILE:LINE.COLUMN,LINE.COLUMN STATEMENTS COUNT
var block = regexp.MustCompile(`^(.+):([0-9]+)\.[0-9]+,([0-9]+)\.[0-9]+ [0-9]+ ([0-9]+)$`)

// executed reads the lines of a package that a coverage profile says were executed.
func executed(profile, importPath string) (map[string][]operators.Span, error) {
	f, err := os.Open(profile)
	if err != nil {
		return nil, fmt.Errorf("mutants: %w", err)
	}
	defer f.Close()
	lines := make(map[string][]operators.Span)
	for s := bufio.NewScanner(f); s.Scan(); {
		m := block.FindStringSubmatch(s.Text())
		if m == nil || m[4] == "0" || path.Dir(m[1]) != importPath {
			continue
		}
		from, _ := strconv.Atoi(m[2])
		to, _ := strconv.Atoi(m[3])
		lines[path.Base(m[1])] = append(lines[path.Base(m[1])], operators.Span{File: path.Base(m[1]), From: from, To: to})
	}
	return lines, nil
}

// Commit returns the commit of the checkout, by which a sample is drawn.
func Commit(ctx context.Context, root string) (string, error) {
	b := bench{root: root}
	out, err := b.command(ctx, "git", "rev-parse", "HEAD")
	return strings.TrimSpace(out), err
}

// Count returns how many mutants have a verdict.
func (r *CheckerResult) Count(v ...Verdict) (n int) {
	for _, row := range r.Results {
		if slices.Contains(v, row.Verdict) {
			n++
		}
	}
	return n
}

// Share returns the percentage of the mutants that are killed, of those that are
// another program; 100 if there are none.
func (r *CheckerResult) Share() float64 {
	killed, all := r.Count(Killed), r.Count(Killed, Alive, Unreached)
	if all == 0 {
		return 100
	}
	return 100 * float64(killed) / float64(all)
}

// PrintCheckers writes each mutant that is alive, and a table of the packages. It
// reports whether no package is below its floor; one of which fewer than 20 mutants
// were run is held to none.
func PrintCheckers(w io.Writer, results []CheckerResult) (bool, error) {
	ok, n := true, 0
	for _, r := range results {
		for _, row := range r.Results {
			if row.Verdict == Alive || row.Verdict == Unreached {
				fmt.Fprintf(w, "%s  %s  %s:%d\n    - %s\n    + %s\n", row.Verdict, row.ID, row.File, row.Line, row.Old, row.New)
			}
		}
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "package\tplaces\tdrawn\tsame code\tkilled\talive\tnot reached\tkilled of those run\tat least\n")
	for _, r := range results {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%.0f %%\t%d %%\n", strings.TrimPrefix(r.Package, "./"), r.Places, len(r.Results),
			r.Count(SameCode, Duplicate), r.Count(Killed), r.Count(Alive), r.Count(Unreached), r.Share(), r.Floor)
		run := r.Count(Killed, Alive, Unreached)
		ok = ok && (run < 20 || r.Share() >= float64(r.Floor))
		n += run
	}
	return ok && n > 0, t.Flush()
}
