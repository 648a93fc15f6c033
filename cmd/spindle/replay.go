package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/spindle-go/spindle/conformance"
	"github.com/spindle-go/spindle/conformance/report"
	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

var replayCommand = cli.Command{
	Name: "replay", Args: "FILE...", Short: "judge recorded histories again, or print recorded events again",
	Long: `
A FILE is a history, as check leaves it behind for a finding, or events, as
check -json writes them. A history is judged by every witness that can: one in a
fixed order by the sequential machine, one of threads by counting and by
linearizability. Events must be whole: their header, footer and counts are
checked; their exit code is that of the run.

Nothing is run: what happened is judged, not made to happen again. To run the
same scenarios on the same target again, use check with the same seed.`,
	Define: func(fs *flag.FlagSet) cli.Action {
		profile := fs.String("profile", string(spec.GoRT), "judge histories by the rules of profile `P`: "+cli.Join(queueProfiles(), ", "))
		verbose := fs.Bool("v", false, "show every check and every finding in full")
		return func(ctx context.Context, std cli.Streams, files []string) (int, error) {
			p, err := parseProfile(*profile)
			if err != nil {
				return conformance.ExitUsage, err
			}
			if len(files) == 0 {
				return conformance.ExitUsage, errors.New("expected files, saw none")
			}
			r := replay{std, p, *verbose}
			var codes []int
			var errs []error
			for _, name := range files {
				if ctx.Err() != nil {
					return conformance.ExitInterrupted, errors.Join(errs...)
				}
				code, err := r.file(name)
				codes = append(codes, code)
				if err != nil {
					errs = append(errs, fmt.Errorf("%s: %w", name, err))
				}
			}
			return exit.Gravest(codes...), errors.Join(errs...)
		}
	},
}

type replay struct {
	std     cli.Streams
	profile spec.Profile
	verbose bool
}

func (r *replay) file(name string) (int, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return conformance.ExitUsage, err
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return conformance.ExitError, fmt.Errorf("%w: expected a history or events, saw nothing", conformance.ErrTruncated)
	}
	text := report.NewText(r.std.Out, cli.Colored(r.std.Out), r.verbose)
	if isEvents(data) {
		footer, err := conformance.ReadEvents(bytes.NewReader(data), text.Event)
		if err != nil {
			return conformance.ExitError, err
		}
		return footer.Exit, nil
	}
	h, err := conformance.ReadHistory(bytes.NewReader(data))
	if err != nil {
		return conformance.ExitError, err
	}
	return r.history(name, h, text)
}

// isEvents tells a stream of events from a history by its first line.
func isEvents(data []byte) bool {
	line, _, _ := bytes.Cut(data, []byte("\n"))
	var e struct {
		Event    string          `json:"event"`
		Scenario json.RawMessage `json:"scenario"`
	}
	_ = json.Unmarshal(line, &e) // what is wrong with it is found by the reader
	return e.Event != "" || e.Scenario == nil && bytes.Contains(line, []byte(`"event"`))
}

func (r *replay) history(name string, h *record.History, text *report.Text) (int, error) {
	s := &h.Scenario
	how := "threads"
	witnesses := []spec.Witness{spec.Stress, spec.Linearizability}
	if s.Order != nil {
		how, witnesses = "a fixed order", []spec.Witness{spec.Sequence}
	}
	fmt.Fprintf(r.std.Out, "%s: scenario %s, %s of %s on %s, in %s, by the rules of profile %s\n\n",
		name, s.Name, cli.Plural(len(h.Ops), "call"), cli.Plural(len(s.Threads), "thread"), cli.Plural(s.Ps, "P"), how, r.profile)
	verdict := conformance.NotRun
	found := 0
	show := func(w spec.Witness, fs ...record.Finding) {
		for _, f := range fs {
			f.Replay = fmt.Sprintf("\nspindle replay -profile %s %s", r.profile, cli.Quote(name))
			text.Event(conformance.Event{Event: conformance.FindingEvent, Check: string(w), Finding: &f})
			verdict = conformance.Merge(verdict, conformance.Fail)
			found++
		}
	}
	if open := unfinished(h); len(open) > 0 || len(h.Final.Ps) == 0 {
		// Neither what is left nor these calls' results are known: no judge
		// can say more.
		show(witnesses[0], record.Finding{
			Requirement: "RQ-CRASH", Witness: string(witnesses[0]), Expected: "every call returns",
			Observed: fmt.Sprintf("the run did not come to its end; %s did not return", cli.Plural(len(open), "call")), Ops: open,
		})
		witnesses = nil
	}
	for _, w := range witnesses {
		fs, err := conformance.Judge(w, h, r.profile)
		var doubt *conformance.Doubt
		switch {
		case errors.As(err, &doubt):
			verdict = conformance.Merge(verdict, conformance.Inconclusive)
			fmt.Fprintf(r.std.Out, "  %s: %v\n", w, err)
		case err != nil:
			return conformance.ExitError, err
		default:
			verdict = conformance.Merge(verdict, conformance.Pass)
		}
		show(w, fs...)
	}
	if found > 0 {
		fmt.Fprintln(r.std.Out)
	}
	fmt.Fprintf(r.std.Out, "%v: exit %d; %s\n", verdict, verdict.Exit(false), cli.Plural(found, "finding"))
	return verdict.Exit(false), nil
}

// unfinished returns the calls that did not return, as many as can be read.
func unfinished(h *record.History) []record.Op {
	var list []record.Op
	for _, op := range h.Ops {
		if op.Return == 0 && len(list) < 24 {
			list = append(list, op)
		}
	}
	return list
}
