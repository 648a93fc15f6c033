package mutants

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/mutants/operators"
	"github.com/spindle-go/spindle/mutants/operators/chosen"
	"github.com/spindle-go/spindle/spec"
)

// Options are the parameters of Run.
type Options struct {
	Root      string         // the checkout
	IDs       []string       // which mutants; none: all
	Part, Of  int            // only the mutants of part Part, from 0, of Of; Of 0: all
	Witnesses []spec.Witness // which witnesses; none: all
	// OnlyNamed leaves out, mutant by mutant, the witnesses that it does not
	// name. The quick question: does everyone still see what they must?
	OnlyNamed bool
	Seeds     []uint64      // none: 1
	Budget    time.Duration // for one run of one witness; 0: DefaultBudget
	Command   string        // the package of the spindle command; empty: ./cmd/spindle
	Progress  func(string)  // gets a line now and then; nil: nobody
}

// DefaultBudget is what a witness has for one mutant and seed.
const DefaultBudget = 20 * time.Second

// ErrUsage is wrapped by errors about Options.
var ErrUsage = errors.New("mutants: usage")

// Witnesses lists those that judge code. The model does not: it has mutants of its
// own.
func Witnesses() []spec.Witness {
	return slices.DeleteFunc(spec.Witnesses(), func(w spec.Witness) bool { return w == spec.Scene || w == spec.Model })
}

// Run builds each mutant over the checkout and has the witnesses judge it. What
// goes wrong with a mutant is in its row; when ctx ends, the rows until then
// are returned with Interrupted set. Errors wrap ErrUsage, or are about the
// checkout.
func Run(ctx context.Context, o Options) (Matrix, error) {
	ms, err := Select(o.IDs...)
	if err == nil {
		ms, err = part(ms, o.Part, o.Of)
	}
	if err != nil {
		return Matrix{}, fmt.Errorf("%w: %w", ErrUsage, err)
	}
	if len(o.Witnesses) == 0 {
		o.Witnesses = Witnesses()
	}
	for _, w := range o.Witnesses {
		if w == spec.Model {
			return Matrix{}, fmt.Errorf("%w: the witness %s judges the protocol and no code; its mutants are those of spindle model -mutants", ErrUsage, w)
		}
		if !slices.Contains(Witnesses(), w) {
			return Matrix{}, fmt.Errorf("%w: unknown witness: expected some of %v, saw %q", ErrUsage, Witnesses(), w)
		}
	}
	if len(o.Seeds) == 0 {
		o.Seeds = []uint64{1}
	}
	if o.Budget == 0 {
		o.Budget = DefaultBudget
	}
	if o.Command == "" {
		o.Command = "./cmd/spindle"
	}
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	if o.Root, err = filepath.Abs(o.Root); err != nil {
		return Matrix{}, fmt.Errorf("%w: %w", ErrUsage, err)
	}
	if _, err := os.Stat(filepath.Join(o.Root, "impl", "runq")); err != nil {
		return Matrix{}, fmt.Errorf("%w: %s is no checkout of the suite: %w", ErrUsage, o.Root, err)
	}
	dir, err := os.MkdirTemp("", "spindle-mutants-")
	if err != nil {
		return Matrix{}, fmt.Errorf("mutants: %w", err)
	}
	defer os.RemoveAll(dir)

	r := &runner{Options: o, dir: dir}
	m := Matrix{Suite: suite.Version, Go: runtime.Version(), Seeds: o.Seeds, Budget: o.Budget, Witnesses: o.Witnesses}
	begin := time.Now()
	m.Baseline = r.baseline(ctx)
	sound := m.Exit() != exit.Error
	for i := range ms {
		if ctx.Err() != nil || !sound {
			break
		}
		o.Progress(fmt.Sprintf("%s (%d of %d): %s", ms[i].ID, i+1, len(ms), ms[i].Title))
		row := r.row(ctx, &ms[i])
		if ctx.Err() != nil && row.Verdict != Killed {
			break // half a row says nothing
		}
		m.Rows = append(m.Rows, row)
	}
	m.Interrupted = ctx.Err() != nil
	m.Elapsed = time.Since(begin)
	return m, nil
}

// runner is one run of a matrix.
type runner struct {
	Options
	dir string
	// whole is the checkout with all mutants, built once.
	whole *subject
}

// baseline runs the witnesses on the code as it is. What a witness sees there is
// the harness's error, as is a witness that does not work: what it would say of
// a mutant means nothing.
func (r *runner) baseline(ctx context.Context) []Cell {
	var cells []Cell
	s, err := r.subject("")
	if err == nil {
		s.builds = buildTimeout
		defer func() { s.builds = 0 }()
	}
	for _, w := range r.Witnesses {
		if ctx.Err() != nil {
			break
		}
		r.Progress("no mutant: " + string(w))
		c := Cell{Witness: w}
		if err != nil {
			c.Error = err.Error()
		} else {
			r.run(ctx, s, r.Seeds[:1], &c, nil)
		}
		if c.Kills > 0 {
			c.Error = fmt.Sprintf("%s fell though nothing was changed", c.Chief(nil))
		}
		cells = append(cells, c)
	}
	return cells
}

// row runs one mutant under all witnesses.
func (r *runner) row(ctx context.Context, m *Mutant) Row {
	row := Row{ID: m.ID, Title: m.Title, Witness: m.Witness, Requirements: m.Requirements}
	s, err := r.subject(m.ID)
	if err != nil {
		row.Verdict, row.Reason = Broken, err.Error()
		return row
	}
	for _, w := range r.Witnesses {
		c := Cell{Witness: w}
		if !r.OnlyNamed || w == m.Witness {
			r.run(ctx, s, r.Seeds, &c, m.Requirements)
		}
		row.Cells = append(row.Cells, c)
	}
	row.judge(m)
	return row
}

// run adds to c one run for each seed.
func (r *runner) run(ctx context.Context, s *subject, seeds []uint64, c *Cell, named []string) {
	c.Fell = make(map[string]int)
	if c.Witness == spec.Fuzz || c.Witness == spec.Interleave {
		seeds = seeds[:1] // the same every time
	}
	for _, seed := range seeds {
		res, err := s.probe(ctx, c.Witness, seed, r.Budget, named)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			c.Error = err.Error()
			return
		}
		c.Runs++
		c.Exhausted = res.exhausted
		if res.inconclusive {
			c.Inconclusive++
		}
		if len(res.fell) == 0 {
			continue
		}
		c.Kills++
		c.Times = append(c.Times, res.first)
		if slices.ContainsFunc(res.fell, func(id string) bool { return slices.Contains(named, id) }) {
			c.Named++
		}
		for _, id := range res.fell {
			c.Fell[id]++
		}
	}
}

// subject returns the checkout with all mutants in it, of which the one with this id is
// chosen; "" is the code as it is.
func (r *runner) subject(id string) (*subject, error) {
	if r.whole == nil {
		s := &subject{root: r.Root, command: r.Command, dir: r.dir}
		var list []operators.Written
		for i, m := range Catalogue() {
			list = append(list, operators.Written{ID: m.ID, Number: i + 1, Edits: m.Impl})
		}
		made, err := operators.WrittenIn(filepath.Join(r.Root, "impl", "runq"), list)
		if err != nil {
			return nil, fmt.Errorf("mutants: %w", err)
		}
		if s.overlay, err = overlaid(r.Root, filepath.Join(r.dir, "overlay"), made); err != nil {
			return nil, err
		}
		r.whole = s
	}
	number := 1 + slices.IndexFunc(Catalogue(), func(m Mutant) bool { return m.ID == id })
	if id != "" && number == 0 {
		return nil, fmt.Errorf("mutants: expected the id of a mutant, saw %q", id)
	}
	r.whole.env = []string{fmt.Sprintf("%s=%d", chosen.Var, number)}
	return r.whole, nil
}
