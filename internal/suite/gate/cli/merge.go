package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"

	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/merge"
)

// Merge is the command merge.
var Merge = cli.Command{
	Name: "merge", Args: "SHARD...", Short: "make one file of events of those of all shards of a run",
	Long: `
Each SHARD is a file of events that check -shard i/n wrote. All n must be there,
each once, of one run: the same seed, targets, versions, selection and known
failures, and no check in two of them. The status of each requirement is worked out
anew from all checks. Anything else is an error, and nothing is written.

Merge gives no verdict: see gate. The exit code is 0 if the file was written, 2 for
wrong usage, 4 if the shards do not make one run.`,
	Define: func(fs *flag.FlagSet) cli.Action {
		out := fs.String("o", "", "write the events to `FILE`; - is standard output")
		return interruptible(func(ctx context.Context, std cli.Streams, args []string) (int, error) {
			return mergeShards(ctx, std, *out, args)
		})
	},
}

func mergeShards(ctx context.Context, std cli.Streams, out string, args []string) (int, error) {
	switch {
	case out == "":
		return exit.Usage, errors.New("expected -o FILE: where to write")
	case len(args) == 0:
		return exit.Usage, errors.New("expected files of events, saw none")
	case slices.Contains(args, out) && out != "-":
		return exit.Usage, fmt.Errorf("%q is to be read and written", out)
	}
	var shards []*merge.Shard
	for _, name := range args {
		var broken error
		if err := open(ctx, name, nil, func(r io.Reader) error {
			s, err := merge.Read(name, r)
			shards, broken = append(shards, s), err
			return nil
		}); err != nil {
			return exit.Usage, err
		}
		if broken != nil {
			return exit.Error, broken
		}
	}
	checks := 0
	err := writeFile(out, std.Out, func(w io.Writer) error {
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
		return exit.Error, err
	}
	_, err = fmt.Fprintf(std.Err, "merged %s: %s\n", cli.Plural(len(shards), "shard"), cli.Plural(checks, "check"))
	return exit.Pass, err
}
