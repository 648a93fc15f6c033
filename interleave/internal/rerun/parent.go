package rerun

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/awake"
)

// Run has this call of the test made in an instrumented binary and returns what
// the child sent. Errors are of type *Error.
func Run(t testing.TB, r Request) ([]byte, error) {
	start, _ := begin(t, r)
	payloads, err := start([][]byte{r.Args})
	if err != nil || payloads == nil {
		return nil, err
	}
	return payloads[0], nil
}

// begin begins to build the binary for a call, or has start do so (Request.Later). What it returns makes the call once for each of
// args, in binaries that run side by side. Its error is that of the first of them that has one.
// Built is closed when no more is built.
func begin(t testing.TB, r Request) (start func(args [][]byte) ([][]byte, error), built <-chan struct{}) {
	done := make(chan struct{})
	failed := func(err error) (func([][]byte) ([][]byte, error), <-chan struct{}) {
		close(done)
		return func([][]byte) ([][]byte, error) { return nil, err }, done
	}
	n := ordinal(t)
	switch {
	case Instrumented():
		return failed(&Error{Problem: Other, Detail: "Run in an instrumented binary"})
	case at.call != "":
		return failed(&Error{Problem: NotExplored, Detail: "the binary that was to explore does not"})
	}
	if _, ok := t.(*testing.B); ok {
		return failed(&Error{Problem: Benchmark, Do: "An exploration has no time of its own worth measuring; call it from a test."})
	}
	if _, ok := testFlag("fuzzworker"); ok {
		return failed(&Error{Problem: FuzzWorker, Detail: t.Name(),
			Do: "Under -fuzz the whole run is started anew, instrumented, if the file of the fuzz target imports interleave, or calls it before f.Fuzz.\nHere neither is so. Remove the input that this failure may have left in testdata/fuzz."})
	}
	s, err := find(r.File, "-run="+pattern(t.Name()))
	if err != nil {
		return failed(err)
	}
	ctx, cancel := awake.BeforeDeadline(t.Context(), t)
	fuzz, fuzzing := testFlag("fuzz")
	if fuzzing {
		defer cancel()
		s.fuzz = fuzz
		s.again[2] = "-fuzz=" + fuzz
		b, err := once(ctx, s)
		if err == nil {
			err = b.become()
		}
		return failed(err)
	}
	var b *binary
	ready := make(chan struct{})
	build := sync.OnceFunc(func() {
		defer close(ready)
		b, err = once(ctx, s)
	})
	if r.Later {
		close(done)
	} else {
		done = ready
		go build()
	}
	t.Cleanup(func() { // start may not have been called
		cancel()
		<-done
	})
	return func(args [][]byte) ([][]byte, error) {
		defer cancel()
		if build(); err != nil {
			return nil, err
		}
		payloads, errs := make([][]byte, len(args)), make([]error, len(args))
		var parts sync.WaitGroup
		for i := range args {
			parts.Go(func() { payloads[i], errs[i] = b.run(ctx, call{t.Name(), n, args[i]}) })
		}
		parts.Wait()
		for _, err := range errs {
			if err != nil {
				return nil, err
			}
		}
		return payloads, nil
	}, done
}

// run starts the child for one call.
func (b *binary) run(ctx context.Context, c call) ([]byte, error) {
	dir, err := os.MkdirTemp(b.temp, "call-")
	if err != nil {
		return nil, &Error{Problem: Other, Err: err}
	}
	defer os.RemoveAll(dir)
	text, err := json.Marshal(c)
	if err != nil {
		return nil, &Error{Problem: Other, Err: err}
	}
	if err := os.WriteFile(filepath.Join(dir, callFile), text, 0o600); err != nil {
		return nil, &Error{Problem: Other, Err: err}
	}
	timeout := time.Duration(0)
	if deadline, ok := ctx.Deadline(); ok {
		// Its own alarm comes first, and shows where it was.
		left := time.Until(deadline)
		if timeout = left - awake.Reserve(left); timeout <= 0 {
			return nil, b.problem(c, TimedOut, "none was left for the instrumented binary", "")
		}
	}
	cmd := exec.CommandContext(ctx, b.path, childFlags(c.Name, timeout)...)
	cmd.Dir = b.dir
	cmd.Env = b.environ(dir)
	if os.Getenv("GOGC") == "" {
		// Executions are short and leave nothing: fewer collections save a fifth.
		cmd.Env = append(cmd.Env, "GOGC=400")
	}
	cmd.WaitDelay = time.Second
	var out limited
	cmd.Stdout, cmd.Stderr = &out, &out
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, &Error{Problem: Other, Err: err}
	}
	defer in.Close()
	if err := cmd.Start(); err != nil {
		return nil, &Error{Problem: Other, Err: err}
	}
	ended := cmd.Wait()
	// A child that sent its result may do what it likes afterwards.
	if payload, err := os.ReadFile(filepath.Join(dir, payloadFile)); err == nil {
		return payload, nil
	}
	return nil, b.explain(ctx, c, cmd, ended, out.String())
}

// explain says why there is no payload.
func (b *binary) explain(ctx context.Context, c call, cmd *exec.Cmd, ended error, out string) error {
	state := "no state"
	if cmd.ProcessState != nil {
		state = cmd.ProcessState.String()
	}
	began := strings.Contains(out, "=== RUN   "+c.Name+"\n")
	switch {
	case ctx.Err() == context.DeadlineExceeded, strings.Contains(out, "panic: test timed out after"):
		return b.problem(c, TimedOut, "the instrumented binary did not finish", out)
	case ctx.Err() != nil:
		return b.problem(c, Killed, "the test was ended", out)
	case cmd.ProcessState != nil && !cmd.ProcessState.Exited():
		return b.problem(c, Killed, state, out)
	case strings.Contains(out, "panic: unexpected call to os.Exit(0)"):
		return b.problem(c, Exited, "by os.Exit(0)", out)
	case ended == nil && !began:
		return b.problem(c, NotFound, fmt.Sprintf("expected it to run %s; observed no such test", c.Name), out)
	case ended == nil, strings.Contains(out, "--- FAIL: "+c.Name) && !strings.Contains(out, "\npanic: "):
		return b.problem(c, NotReached, fmt.Sprintf("call %d of %s: expected the test to do the same in both binaries; observed %s", c.Ordinal+1, c.Name, state), out)
	case strings.Contains(out, "panic: ") || strings.Contains(out, "fatal error: "):
		return b.problem(c, Crashed, state, out)
	}
	return b.problem(c, Exited, "by os.Exit or the like, with "+state, out)
}

func (b *binary) problem(c call, p Problem, detail, out string) error {
	e := &Error{Problem: p, Detail: detail, Output: out, Command: "cd " + shell(b.dir) + " && " + shell("go", "test", "-count=1", "-v", "-run="+pattern(c.Name), ".")}
	switch p {
	case TimedOut:
		e.Command += " -timeout=30m"
		e.Do = "Give it more time, or a smaller scenario:"
	case NotFound, NotReached:
		e.Do = "A test must be the same in every run: its name, and what leads to the call. To see it again:"
	default:
		e.Do = "To see it again:"
	}
	return e
}
