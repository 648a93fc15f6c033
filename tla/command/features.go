package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/spec/explore"
	"github.com/spindle-go/spindle/tla/features"
	"github.com/spindle-go/spindle/tla/variant"
)

// After how many states a search ends if nobody says: of a feature, or if there are pairs.
const (
	fewAlone = 1_000_000
	few      = 3_000_000
)

// asked asks about features and pairs.
func (o *modelOptions) asked(ctx context.Context, std cli.Streams, names []string) (int, error) {
	wrong := chosen(names, o.pairs)
	switch {
	case o.shipped && !o.pairs:
		return exit.Usage, errors.New("-shipped goes with -pairs; -features asks about the shipped code anyway")
	case wrong != nil:
		return exit.Usage, wrong
	case o.markdown && len(names) > 0:
		return exit.Usage, errors.New("-markdown prints all tables of tla/FEATURES.md: expected no features")
	case o.list || o.measure || o.update || o.mutants || o.dot != "" || o.set != "":
		return exit.Usage, errors.New("-features and -pairs make their own configurations: expected no flags that choose or write models")
	case o.maxStates < 0 || o.workers < 0:
		return exit.Usage, fmt.Errorf("expected no -max-states and -workers below 0, saw %d and %d", o.maxStates, o.workers)
	}
	if !o.said("max-states") {
		o.maxStates = few
		if !o.pairs {
			o.maxStates = fewAlone
		}
	}
	cpus := o.share(1)
	live := features.Alive
	if o.maxStates > 0 {
		live = min(live, o.maxStates)
	}
	line := cli.NewProgress(std.Err)
	a := &asking{ctx: ctx, names: names, out: std.Out, markdown: o.markdown, asker: features.Asker{Limits: features.Limits{
		Workers: cpus.each, States: o.maxStates, Live: live, Memory: int(o.maxMemory), Timeout: o.timeout,
	}}}
	if line.Shown() {
		a.asker.Limits.Progress = func(p explore.Progress) {
			line.Show(fmt.Sprintf("model: %s: %.0f s, depth %d, %d distinct states, %d to go", a.what, p.Elapsed.Seconds(), p.Depth, p.Distinct, p.Waiting))
		}
	}
	a.asker.Each = func(r *features.Row) {
		line.Clear()
		if !o.markdown {
			fmt.Fprintln(std.Out, told(r))
		}
	}
	if !o.markdown {
		fmt.Fprintf(std.Out, "module Sched, its machine in Go; %s; %s\n", cpus, o.limits())
	}
	if o.markdown {
		fmt.Fprint(std.Out, features.Intro(o.asLimits()))
	}
	begin := time.Now()
	var err error
	if o.features {
		err = a.features()
	}
	if o.pairs && err == nil {
		err = a.pairs(o.shipped)
	}
	line.Clear()
	if err != nil {
		if ctx.Err() != nil {
			return exit.Interrupted, errInterrupted
		}
		return exit.Error, err
	}
	if o.markdown {
		fmt.Fprint(std.Out, features.ReasonsText())
	}
	code := exit.Gravest(a.codes...)
	if !o.markdown {
		fmt.Fprint(std.Out, exit.Footer(code, strings.Join(a.sums, "; "), fmt.Sprintf("%.0f s", time.Since(begin).Seconds())))
	}
	return code, nil
}

// chosen says why there is nothing to ask about these features, or with pairs about pairs of
// them; else it is nil.
func chosen(names []string, pairs bool) error {
	if len(names) == 0 { // all
		return nil
	}
	there := strings.Join(features.Names(), " ")
	for i, n := range names {
		if !slices.Contains(features.Names(), n) {
			return fmt.Errorf("-features and -pairs: expected features that are asked about (%s), or none, saw %q", there, n)
		}
		if slices.Contains(names[:i], n) {
			return fmt.Errorf("-features and -pairs: expected each feature once, saw %q twice", n)
		}
	}
	if !pairs {
		return nil
	}
	if len(names) == 1 {
		return fmt.Errorf("-pairs: expected two features or more (%s), or none for all pairs, saw %q alone", there, names[0])
	}
	return nil
}

// asLimits are the limits as flags. A row that another one ended says so.
func (o *modelOptions) asLimits() string {
	text := fmt.Sprintf("-max-states %d", o.maxStates)
	for _, f := range []struct{ name, value string }{{"max-memory", o.maxMemory.String()}, {"timeout", o.timeout.String()}} {
		if o.said(f.name) {
			text += " -" + f.name + " " + strings.ReplaceAll(f.value, " ", "")
		}
	}
	return text
}

// asking is one run of questions.
type asking struct {
	ctx      context.Context
	out      io.Writer
	markdown bool
	asker    features.Asker
	names    []string // of the features that are asked about; none: all
	what     string   // is asked about now
	sums     []string
	codes    exit.Codes
}

// wanted reports whether these features are asked about.
func (a *asking) wanted(of ...string) bool {
	return len(a.names) == 0 || len(of) > 0 && !slices.ContainsFunc(of, func(f string) bool { return !slices.Contains(a.names, f) })
}

// title begins a table.
func (a *asking) title(title, head string) {
	if a.markdown {
		fmt.Fprintf(a.out, "\n## %s\n\n%s\n", title, head)
		return
	}
	fmt.Fprintf(a.out, "\n%s\n", title)
}

// features asks about each feature alone, by each part of the table.
func (a *asking) features() error {
	for _, part := range features.Parts() {
		a.title(part.Title, features.AloneHeader())
		ended, all := 0, 0
		for _, of := range features.Singles() {
			if !a.wanted(of...) {
				continue
			}
			all++
			a.what = features.Name(of)
			rows, err := a.asker.Alone(a.ctx, of, part.Fixes)
			if err != nil {
				return err
			}
			done := false
			for _, r := range rows {
				if a.markdown {
					fmt.Fprintln(a.out, features.AloneRow(r))
				}
				done = done || r.Whole() && !r.OneP()
				a.codes.If(r.Unexplained(part.Mended), exit.Fail)
			}
			if done {
				ended++
			}
		}
		a.ended(part.Name, ended, all)
	}
	return a.needs()
}

// needs asks what falls with all mends but one. A cell counts if all states were visited:
// where something falls before, more may.
func (a *asking) needs() error {
	a.title(features.NeedTitle, features.NeedHeader())
	ended, all := 0, 0
	for _, of := range features.Needs() {
		if !a.wanted(of...) {
			continue
		}
		var rows []*features.Row
		for _, mend := range variant.Mended() {
			a.what = features.Name(of) + " without " + mend
			r, err := a.asker.Without(a.ctx, of, mend)
			if err != nil {
				return err
			}
			rows = append(rows, r)
			all++
			if r.Whole() {
				ended++
			}
			a.codes.If(r.Unexplained(true), exit.Fail)
		}
		if a.markdown {
			fmt.Fprintln(a.out, features.NeedRow(of, rows))
		}
	}
	a.ended("all mends but one", ended, all)
	return nil
}

// ended says how much of a table was explored to its end. A part of it is no pass.
func (a *asking) ended(table string, ended, all int) {
	a.sums = append(a.sums, fmt.Sprintf("%s: %d of %d explored to an end", table, ended, all))
	a.codes.If(all > 0 && ended == all, exit.Pass)
	a.codes.If(ended < all, exit.Inconclusive)
}

// pairs asks about each pair.
func (a *asking) pairs(shipped bool) error {
	fixes, title := variant.Mended(), features.PairTitle
	if shipped {
		fixes, title = nil, features.PairShippedTitle
	}
	a.title(title, features.PairHeader())
	met, small, held, fell, unknown, all := 0, 0, 0, 0, 0, 0
	for _, p := range features.Pairs() {
		if !a.wanted(p[:]...) {
			continue
		}
		all++
		a.what = features.Name(p[:])
		rows, err := a.asker.Pair(a.ctx, p, fixes)
		if err != nil {
			return err
		}
		broken, unexplained := false, false
		for _, r := range rows {
			if a.markdown {
				fmt.Fprintln(a.out, features.PairRow(r))
			}
			broken = broken || r.Broken()
			unexplained = unexplained || r.Unexplained(!shipped)
		}
		last := rows[len(rows)-1]
		switch {
		case last.Met() && last.OneP():
			small++
		case last.Met():
			met++
		}
		if unexplained {
			unknown++
		}
		if broken {
			fell++
		} else if last.Met() && !last.OneP() && last.Lacks == 0 {
			held++
		}
	}
	a.sums = append(a.sums, fmt.Sprintf("%d of %d pairs explored to an end with both acting, of which %d hold; %d with one P alone; %d fall, %d for no known reason", met, all, held, small, fell, unknown))
	a.codes.If(met > 0 && met == all, exit.Pass)
	a.codes.If(met < all, exit.Inconclusive)
	a.codes.If(unknown > 0, exit.Fail)
	return nil
}

// told is a line about a row.
func told(r *features.Row) string {
	name := features.Name(r.Of)
	if r.Without != "" {
		name += " without " + r.Without
	}
	text := fmt.Sprintf("%-22s %s", name, r)
	return strings.TrimRight(text, " ") + fmt.Sprintf("  %.1f s", r.Elapsed.Seconds())
}
