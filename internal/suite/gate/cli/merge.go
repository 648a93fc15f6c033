package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/merge"
)

// What help says of the command merge.
const (
	MergeArgs  = "SHARD..."
	MergeShort = "make one file of events of those of all shards of a run"
	MergeLong  = `
Each SHARD is a file of events that check -shard i/n wrote. All n must be there,
each once, of one run: the same seed, targets, versions, selection and known
failures, and no check in two of them. Where each requirement stands is worked out
anew from all checks. Anything else is an error, and nothing is written.

Merge does not judge: see gate. The exit code is 0 if the file was written, 2 for
wrong usage, 4 if the shards do not make one run.`
)

// DefineMerge defines the flags of the command merge and returns what to do once
// they are parsed.
func DefineMerge(fs *flag.FlagSet) func(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, args []string) (int, error) {
	out := fs.String("o", "", "write the events to `FILE`; - is standard output")
	return interruptible(func(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, args []string) (int, error) {
		switch {
		case *out == "":
			return exitUsage, errors.New("expected -o FILE: where to write")
		case len(args) == 0:
			return exitUsage, errors.New("expected files of events, saw none")
		case slices.Contains(args, *out) && *out != "-":
			return exitUsage, fmt.Errorf("%q is to be read and written", *out)
		}
		var shards []*merge.Shard
		for _, name := range args {
			var broken error
			if err := open(ctx, name, nil, func(r io.Reader) error {
				s, err := merge.Read(name, r)
				shards, broken = append(shards, s), err
				return nil
			}); err != nil {
				return exitUsage, err
			}
			if broken != nil {
				return exitError, broken
			}
		}
		checks := 0
		err := writeFile(*out, stdout, func(w io.Writer) error {
			sink, failed := suite.WriteEvents(w)
			err := merge.Streams(func(e suite.Event) {
				if e.Event == suite.CheckEvent {
					checks++
				}
				sink(e)
			}, shards...)
			return errors.Join(err, failed())
		})
		if err != nil {
			return exitError, err
		}
		_, err = fmt.Fprintf(stderr, "merged %s: %s\n", plural(len(shards), "shard"), plural(checks, "check"))
		return 0, err
	})
}

// Merge does what args say.
func Merge(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (int, error) {
	return run(ctx, "merge", MergeArgs, MergeLong, DefineMerge, args, stdin, stdout, stderr)
}
