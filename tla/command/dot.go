package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/spec/explore"
	"github.com/spindle-go/spindle/tla"
	"github.com/spindle-go/spindle/tla/machine"
)

// drawn is how many states a graph may have that is written out.
const drawn = 1_000_000

// draw writes the graph of the one task to a file.
func (o *modelOptions) draw(ctx context.Context, tasks []*tla.Task, machines map[*tla.Task]*machine.Machine) (int, error) {
	if len(tasks) != 1 {
		return exit.Usage, fmt.Errorf("-dot draws one model, saw %d", len(tasks))
	}
	g, err := machines[tasks[0]].Graph(ctx, drawn)
	switch {
	case ctx.Err() != nil:
		return exit.Interrupted, errors.New("interrupted; nothing was written")
	case err != nil:
		return exit.Error, err
	}
	f, err := os.Create(o.dot)
	if err != nil {
		return exit.Usage, err
	}
	w := bufio.NewWriter(f)
	writeDot(w, tasks[0].Name, g, o.verbose)
	if err := errors.Join(w.Flush(), f.Close()); err != nil {
		return exit.Error, err
	}
	return exit.Pass, nil
}

// writeDot writes a graph: initial states have two rings. With states it says
// what each state is.
func writeDot(w *bufio.Writer, name string, g *explore.Graph, states bool) {
	fmt.Fprintf(w, "digraph %q {\n", name)
	for i, s := range g.States {
		shape := ""
		if i < g.Initial {
			shape = ", peripheries=2"
		}
		if !states {
			s = fmt.Sprint(i)
		}
		fmt.Fprintf(w, "  %d [label=%q%s]\n", i, s, shape)
	}
	for _, e := range g.Edges {
		fmt.Fprintf(w, "  %d -> %d [label=%q]\n", e.From, e.To, e.Action)
	}
	fmt.Fprintln(w, "}")
}
