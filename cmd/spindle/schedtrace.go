package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/internal/schedtrace"
)

var schedtraceCommand = cli.Command{
	Name: "schedtrace", Args: "FILE...", Short: "judge what a Go program prints with GODEBUG=schedtrace=X,scheddetail=1",
	Long: `
A FILE is what a program has printed to standard error; - is standard input. Lines of
other kinds are passed over. Each moment is judged: idleprocs is the number of idle Ps
(DN-IDLE-COUNT), and the queue of an idle P is empty (DN-IDLE-EMPTY). Without
scheddetail=1 there are no lines of Ps, and the second cannot be judged.`,
	Define: func(*flag.FlagSet) cli.Action { return readTraces },
}

func readTraces(_ context.Context, std cli.Streams, files []string) (int, error) {
	if len(files) == 0 {
		return exit.Usage, errors.New("expected files, saw none")
	}
	var codes []int
	var errs []error
	for _, name := range files {
		code, err := readTrace(std, name)
		codes = append(codes, code)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
		}
	}
	return exit.Gravest(codes...), errors.Join(errs...)
}

func readTrace(std cli.Streams, name string) (int, error) {
	var in io.Reader = std.In
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return exit.Usage, err
		}
		defer f.Close()
		in = f
	}
	list, err := schedtrace.Read(in)
	if err != nil {
		return exit.Error, err
	}
	if len(list) == 0 {
		return exit.Inconclusive, errors.New("expected lines that begin with SCHED, saw none")
	}
	threads, detailed, cut, found := 0, 0, 0, 0
	for i := range list {
		m := &list[i]
		threads = max(threads, m.Threads)
		switch {
		case m.Whole():
			detailed++
		case i < len(list)-1: // the program may have ended while it printed the last
			cut++
		}
		for _, f := range m.Judge() {
			found++
			fmt.Fprintf(std.Out, "%s:%d: %s: expected %s, saw %s\n", name, f.Line, f.Requirement, f.Expected, f.Observed)
		}
	}
	fmt.Fprintf(std.Out, "%s: %d moments, %d of them with the Ps; at most %d threads; %d findings\n", name, len(list), detailed, threads, found)
	switch {
	case found > 0:
		return exit.Fail, nil
	case cut > 0 && detailed > 0:
		return exit.Inconclusive, fmt.Errorf("the queues of idle Ps cannot be judged in %d moments: expected a line for each P, saw fewer", cut)
	case detailed == 0:
		return exit.Inconclusive, errors.New("the queues of idle Ps cannot be judged: expected GODEBUG=...,scheddetail=1, saw no moment with a line for each P")
	}
	return exit.Pass, nil
}
