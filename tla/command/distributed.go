package command

import (
	"context"
	"fmt"
	"slices"

	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/tla"
	"github.com/spindle-go/spindle/tla/tlc"
)

// serve runs TLC's server for one model. Distinct states are all that it counts
// as one machine does: what workers send twice it generates twice, and its depth
// is where the last worker happened to be.
func (r *runner) serve(t *tla.Task) (int, error) {
	server := tlc.Server{Host: r.o.host, Port: r.o.port, ListenAll: r.o.listenAll}
	job, err := t.Job(r.files, 1)
	if err != nil {
		return exit.Usage, err
	}
	job.Timeout = r.o.timeout
	fmt.Fprintf(r.std.Out, "TLC's server for %s, %s.\nA worker is, with a thread for each core:\n\n  %s\n\n",
		t.Name, server.Where(), r.tool.WorkerCommand(server, "TLA2TOOLS_JAR", 1))
	res, err := r.tool.Serve(r.ctx, job, server, func(text string) { fmt.Fprintln(r.std.Out, text) })
	switch {
	case err != nil:
		return exit.Error, err
	case res.Outcome == tlc.Interrupted:
		return exit.Interrupted, errInterrupted
	case res.Outcome == tlc.TimedOut:
		return exit.Inconclusive, fmt.Errorf("the time of %v was up", r.o.timeout)
	}
	found := *res
	found.Workers, found.Generated = 0, t.Generated // not those of one machine
	list := t.Compare(&found)
	if t.Violates != "" && res.Outcome == tlc.Violated && slices.Contains(res.Candidates, t.Violates) {
		list = nil // the server cannot say which
	}
	word := "ok"
	if len(list) > 0 {
		word = "DIFF"
	}
	r.row(word, t, res)
	if word == "ok" {
		return exit.Pass, nil
	}
	for _, d := range list {
		fmt.Fprintln(r.std.Out, "      "+d)
	}
	if len(res.Trace) > 0 {
		r.trace(t, res, false)
	}
	return exit.Fail, nil
}

// work is a worker of a server on this machine.
func (r *runner) work() (int, error) {
	ctx, cancel := context.WithTimeout(r.ctx, r.o.timeout)
	defer cancel()
	states, err := r.tool.Work(ctx, tlc.Server{Port: r.o.port}, r.o.workers, 0)
	switch {
	case r.ctx.Err() != nil:
		return exit.Interrupted, errInterrupted
	case ctx.Err() != nil:
		return exit.Inconclusive, fmt.Errorf("the time of %v was up", r.o.timeout)
	case err != nil:
		return exit.Error, err
	}
	fmt.Fprint(r.std.Out, exit.Closing("worked", exit.Pass, cli.Plural(int(states), "state")+" generated"))
	return exit.Pass, nil
}
