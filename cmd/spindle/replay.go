package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/spindle-go/spindle/conformance/queue/checks"
	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/internal/printable"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/report"
	"github.com/spindle-go/spindle/internal/suite/show"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

var replayCommand = cli.Command{
	Name: "replay", Args: "FILE...", Short: "check recorded histories again, or print recorded events again",
	Long: `
A FILE is a history, as check saves it for a finding, in JSON or in its
text form; or events, as check -json writes them; - is standard input. Every
checker that can looks at a history: one in a fixed order is checked by the sequential
machine, one of threads by counting and by linearizability. Events must be whole:
their header, footer, counts and digest are checked. The status of each
requirement, the verdict and the exit code are computed again.

Nothing is run: what happened is checked, not made to happen again. To run the
same scenarios on the same target again, use check with the same seed.`,
	Define: func(fs *flag.FlagSet) cli.Action {
		profile := fs.String("profile", string(spec.GoRT), "check histories by the rules of profile `P`: "+cli.Join(queueProfiles(), ", "))
		verbose := fs.Bool("v", false, "also show the contract, a line for each requirement, every check, and every finding in full")
		return func(ctx context.Context, std cli.Streams, files []string) (int, error) {
			p, err := parseProfile(*profile)
			if err != nil {
				return exit.Usage, err
			}
			if len(files) == 0 {
				return exit.Usage, errors.New("expected files, saw none")
			}
			r := replay{std, p, *verbose}
			var codes []int
			var errs []error
			for _, name := range files {
				code, err := r.within(ctx, name)
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

// within replays a file and gives up when ctx ends: a pipe may never have an end.
func (r *replay) within(ctx context.Context, name string) (int, error) {
	type done struct {
		code int
		err  error
	}
	c := make(chan done, 1)
	go func() {
		code, err := r.file(name)
		c <- done{code, err}
	}()
	select {
	case d := <-c:
		return d.code, d.err
	case <-ctx.Done():
		return exit.Interrupted, nil
	}
}

// maxHistory bounds the JSON of a history that is read, in bytes.
const maxHistory = 256 << 20

func (r *replay) file(name string) (int, error) {
	in := r.std.In
	if name != "-" {
		info, err := os.Stat(name)
		if err == nil && info.IsDir() {
			err = errors.New("expected a file, saw a folder")
		}
		if err != nil {
			return exit.Usage, err
		}
		f, err := os.Open(name)
		if err != nil {
			return exit.Usage, err
		}
		defer f.Close()
		in = f
	}
	// The beginning tells what it is.
	head := make([]byte, 512)
	n, err := io.ReadFull(in, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return exit.Error, err
	}
	head = head[:n]
	text := report.NewText(r.std.Out, cli.Colored(r.std.Out), r.verbose)
	rest := io.MultiReader(bytes.NewReader(head), in)
	switch begin := bytes.TrimSpace(head); {
	case len(begin) == 0:
		return exit.Error, fmt.Errorf("%w: expected a history or events, saw nothing", suite.ErrTruncated)
	case begin[0] != '{':
		h, err := record.ParseHistory(rest)
		if err != nil {
			return exit.Error, err
		}
		return r.history(name, h)
	case bytes.HasPrefix(begin, []byte(`{"event"`)):
		if err := suite.ReadEvents(rest, text.Event); err != nil {
			return exit.Error, err
		}
		result := text.Result()
		return result.Exit, text.Err()
	}
	h, err := readHistory(rest)
	if err != nil {
		return exit.Error, err
	}
	return r.history(name, h)
}

// readHistory reads one history in JSON.
func readHistory(in io.Reader) (*record.History, error) {
	data, err := io.ReadAll(io.LimitReader(in, maxHistory+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxHistory {
		return nil, fmt.Errorf("%w: expected at most %d bytes, saw more", record.ErrFormat, maxHistory)
	}
	h := new(record.History)
	if err := json.Unmarshal(data, h); err != nil {
		if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) && syntax.Offset >= int64(len(data)) {
			return nil, fmt.Errorf("%w: expected JSON, saw the end of the file", suite.ErrTruncated)
		}
		return nil, fmt.Errorf("%w: %w", record.ErrFormat, err)
	}
	if err := h.Check(); err != nil {
		return nil, err
	}
	return h, nil
}

func (r *replay) history(name string, h *record.History) (int, error) {
	s := &h.Scenario
	how := "threads"
	witnesses := []spec.Witness{spec.Stress, spec.Linearizability}
	if s.Order != nil {
		how, witnesses = "a fixed order", []spec.Witness{spec.Sequence}
	}
	fmt.Fprintf(r.std.Out, "%s: scenario %s, %s of %s on %s, in %s, by the rules of profile %s\n\n",
		name, printable.Line(s.Name, 100), cli.Plural(len(h.Ops), "call"), cli.Plural(len(s.Threads), "thread"), cli.Plural(s.Ps, "P"), how, r.profile)
	codes := []int{exit.Pass}
	found, table := 0, ""
	tell := func(fs ...record.Finding) {
		for _, f := range fs {
			f.Again = []record.Again{{Kind: record.JudgeAgain, Command: fmt.Sprintf("spindle replay -profile %s %s", r.profile, record.Quote(name))}}
			var text string
			text, table = show.Finding(&f, false, table)
			fmt.Fprintf(r.std.Out, "%s %s, seen by %s\n%s\n", suite.Broken, f.Fingerprint, f.Witness, text)
			codes = append(codes, exit.Fail)
			found++
		}
	}
	open := unfinished(h)
	switch {
	case len(h.Ops) == 0 && h.Ended():
		fmt.Fprintf(r.std.Out, "no call was made: there is nothing to check\n")
		codes = append(codes, exit.Inconclusive)
	case len(open) > 0 || !h.Ended():
		// Neither what is left nor these calls' results are known: no checker can say
		// more.
		f := record.Finding{
			Requirement: "RQ-CRASH", Witness: string(witnesses[0]), Fingerprint: "RQ-CRASH", Expected: "every call returns",
			Observed: fmt.Sprintf("the run did not come to its end; %s did not return", cli.Plural(len(open), "call")),
		}
		if len(open) > 0 {
			f.Evidence = []record.Evidence{{Kind: record.Calls, Lines: open}}
		}
		tell(f)
	default:
		for _, w := range witnesses {
			v := checks.Judge(w, h, r.profile)
			if v.Doubt != "" || len(v.Findings) == 0 && v.Unjudged != "" {
				codes = append(codes, exit.Inconclusive)
				fmt.Fprintf(r.std.Out, "%s came to no verdict: %s%s\n", w, v.Doubt, v.Unjudged)
			}
			tell(v.Findings...)
		}
	}
	code := exit.Gravest(codes...)
	fmt.Fprint(r.std.Out, exit.Footer(code, cli.Plural(found, "finding")))
	return code, nil
}

// unfinished returns the calls that did not return, as many as can be read.
func unfinished(h *record.History) []string {
	var list []string
	for i := range h.Ops {
		if h.Ops[i].Return == 0 && len(list) < 24 {
			list = append(list, h.Ops[i].Text())
		}
	}
	return list
}
