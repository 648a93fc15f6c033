package cli

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/exit"
)

// full is a disk that is full.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestRun(t *testing.T) {
	p := Program{Name: "prog", About: "Prog does things.", Begin: "prog say", Commands: []*Command{
		{Name: "say", Args: "[WORD...]", Short: "say words", Long: "At length.", Define: func(fs *flag.FlagSet) Action {
			n := fs.Int("n", 1, "say them `N` times")
			return func(_ context.Context, std Streams, words []string) (int, error) {
				fmt.Fprint(std.Out, *n, words)
				return exit.Pass, nil
			}
		}},
		{Name: "fail", Short: "fail", Hidden: true, Define: func(*flag.FlagSet) Action {
			return func(context.Context, Streams, []string) (int, error) { return exit.Inconclusive, errors.New("no idea") }
		}},
		{Name: "unsure", Short: "fail", Hidden: true, Define: func(*flag.FlagSet) Action {
			return func(context.Context, Streams, []string) (int, error) { return exit.Pass, errors.New("no idea") }
		}},
		{Name: "panic", Short: "panic", Define: func(*flag.FlagSet) Action {
			return func(context.Context, Streams, []string) (int, error) { panic("oh") }
		}},
	}}
	for _, c := range []struct {
		args      string
		to        io.Writer // nil: a buffer
		code      int
		out, errs string // that are part of what is printed; "" is nothing
	}{
		{"", nil, 2, "", "Usage: prog COMMAND"},
		{"say a -n 2 b", nil, 0, "2 [a b]", ""},
		{"say a -- -n 2", nil, 0, "1 [a -n 2]", ""},
		{"say -x", nil, 2, "", "prog say: flag provided but not defined: -x; see prog help say"},
		{"say a", full{}, 4, "", "prog say: what was printed is not whole: no space left"},
		{"fail", nil, 3, "", "prog fail: no idea"},
		{"unsure", nil, 4, "", "prog unsure: no idea"},
		{"panic", nil, 4, "", "prog: panic, which is a bug in prog itself: oh"},
		{"nothing", nil, 2, "", `prog: unknown command: expected one of say, panic, help, saw "nothing"`},
		{"help", nil, 0, "  say           say words\n  panic         panic\n  help          say what a command does\n\nExit codes:\n    0  pass", ""},
		{"help say", nil, 0, "Usage: prog say [FLAGS] [WORD...]\n\nSay words.\n\nFlags:\n  -n N           say them N times\n\nAt length.\n", ""},
		{"say -h", nil, 0, "Usage: prog say ", ""},
		{"help nothing", nil, 2, "", `prog help: unknown command: expected one of `},
	} {
		var out, errs bytes.Buffer
		to := c.to
		if to == nil {
			to = &out
		}
		code := p.Run(t.Context(), strings.Fields(c.args), strings.NewReader(""), to, &errs)
		has := func(text, want string) bool { return strings.Contains(text, want) && (want != "" || text == "") }
		if code != c.code || !has(out.String(), c.out) || !has(errs.String(), c.errs) {
			t.Errorf("%q: expected %d, %q and %q, saw %d, %q and %q", c.args, c.code, c.out, c.errs, code, out.String(), errs.String())
		}
	}
}
