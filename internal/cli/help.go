package cli

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/spindle-go/spindle/internal/exit"
)

func (p *Program) help(_ context.Context, std Streams, args []string) (int, error) {
	if len(args) == 0 {
		p.usage(std.Out)
		return exit.Pass, nil
	}
	for _, name := range args {
		c, err := p.find(name)
		if err != nil {
			return exit.Usage, err
		}
		c.usage(p, std.Out)
	}
	return exit.Pass, nil
}

func (p *Program) usage(w io.Writer) {
	fmt.Fprintf(w, "%s\n\nUsage: %s COMMAND [FLAGS] [ARGUMENTS]\n\n", p.About, p.Name)
	for _, c := range p.all() {
		if !c.Hidden {
			fmt.Fprintf(w, "  %-13s %s\n", c.Name, c.Short)
		}
	}
	fmt.Fprintf(w, "\n%s\nTo begin: %s. More: %s help COMMAND.\n", exit.Help, p.Begin, p.Name)
}

func (c *Command) usage(p *Program, w io.Writer) {
	fs := flag.NewFlagSet(c.Name, flag.ContinueOnError)
	c.Define(fs)
	flags := ""
	fs.VisitAll(func(*flag.Flag) { flags = " [FLAGS]" })
	fmt.Fprintf(w, "Usage: %s\n\n%s.\n", strings.TrimSpace(p.Name+" "+c.Name+flags+" "+c.Args), strings.ToUpper(c.Short[:1])+c.Short[1:])
	if flags != "" {
		fmt.Fprint(w, "\nFlags:\n")
		fs.VisitAll(func(f *flag.Flag) {
			arg, text := flag.UnquoteUsage(f)
			fmt.Fprintf(w, "  %-14s %s\n", strings.TrimSpace("-"+f.Name+" "+arg), text)
		})
	}
	if c.Long != "" {
		fmt.Fprintf(w, "\n%s\n", strings.TrimSpace(c.Long))
	}
}
