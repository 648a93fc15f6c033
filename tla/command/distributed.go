package command

import (
	"fmt"
	"slices"

	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/tla"
	"github.com/spindle-go/spindle/tla/tlc"
)

// serve runs TLC's server for one model. Distinct states are all that it counts
// as one machine does: what workers send twice it generates twice, and its depth
// is where the last worker happened to be.
func (r *runner) serve(t *tla.Task) (int, error) {
	server := tlc.Server{Host: r.o.host, Port: r.o.port}
	job := t.Job(r.files, 1)
	job.Timeout = r.o.timeout
	fmt.Fprintf(r.std.Out, "TLC's server for %s, at %s:%d. A worker is, with a thread for each core:\n\n  %s\n\n",
		t.Name, r.o.host, r.o.port, r.tool.WorkerCommand(server, "TLA2TOOLS_JAR", 1))
	res, err := r.tool.Serve(r.ctx, job, server, func(text string) { fmt.Fprintln(r.std.Out, text) })
	if err != nil {
		return exit.Error, err
	}
	switch res.Outcome {
	case tlc.Interrupted:
		return exit.Interrupted, errInterrupted
	case tlc.TimedOut:
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
