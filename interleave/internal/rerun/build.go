package rerun

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/spindle-go/spindle/interleave/internal/goroot"
	"github.com/spindle-go/spindle/interleave/internal/instrument"
	"github.com/spindle-go/spindle/interleave/internal/variables"
	"github.com/spindle-go/spindle/internal/overlay"
)

// tempPrefix begins the name of the folder of a process.
const tempPrefix = "spindle-interleave-"

// A binary is the instrumented binary of this process.
type binary struct {
	path string
	temp string // for the folders of calls; goes away after the process
	dir  string // the package's

	unsure string // why it is not known whether it has the code of this process, or ""
}

// environ returns the environment of the binary for a call.
func (b *binary) environ(call string) []string {
	env := append(os.Environ(), callVar+"="+call, variables.FileVar+"="+stateFile(b.path))
	if b.unsure != "" {
		env = append(env, unsureVar+"="+b.unsure)
	}
	return env
}

var builds = struct {
	sync.Mutex
	done *built
}{}

type built struct {
	b   *binary
	err error
}

// once builds the binary at the first call, and gives later ones the same or
// the same error.
func once(ctx context.Context, s *subject) (*binary, error) {
	builds.Lock()
	defer builds.Unlock()
	done := builds.done
	if done == nil {
		done = new(built)
		done.b, done.err = s.build(ctx)
		if ctx.Err() == nil { // or the next may have more time
			builds.done = done
		}
	}
	return done.b, done.err
}

// build makes the instrumented binary.
func (s *subject) build(ctx context.Context) (_ *binary, err error) {
	temp, err := os.MkdirTemp("", tempPrefix)
	if err != nil {
		return nil, &Error{Problem: Other, Err: err}
	}
	ctx, done := interruptible(ctx, temp)
	defer done()
	defer func() {
		if err != nil {
			os.RemoveAll(temp)
		}
	}()
	here, err := s.goEnv(ctx)
	if err != nil {
		return nil, &Error{Problem: BuildFailed, Err: err}
	}
	unsure, before := "", *s
	var sure sync.WaitGroup
	var differ error
	sure.Go(func() { unsure, differ = before.sure(ctx, here) })
	stop := says(os.Stderr, slow, s.path)
	path, err := s.compile(ctx, here, temp)
	stop()
	if sure.Wait(); differ != nil && ctx.Err() == nil {
		return nil, differ
	}
	if err != nil {
		return nil, err
	}
	b := &binary{path: path, temp: temp, dir: s.dir, unsure: unsure}
	if err := startReaper(b); err != nil {
		return nil, &Error{Problem: Other, Err: err}
	}
	return b, nil
}

// compile makes the instrumented binary in temp, and returns where it is.
func (s *subject) compile(ctx context.Context, here goEnv, temp string) (string, error) {
	source := filepath.Join(temp, "source")
	if keep := os.Getenv(workVar); keep != "" {
		source = filepath.Join(keep, filepath.Base(temp))
	}
	base, err := s.overlaid(ctx, here)
	if err != nil {
		e := &Error{Problem: BuildFailed, Err: err}
		switch {
		case errors.Is(err, goroot.ErrPlatform):
			e.Problem, e.Do = NoReports, "Run the test on one of these platforms. An emulator of one will do."
		case errors.Is(err, overlay.ErrForm), errors.Is(err, goroot.ErrSelfTest):
			e.Do = "The edits of package runtime know " + goroot.Releases() + ". This one is known:"
			e.Command = "cd " + shell(s.dir) + " && GOTOOLCHAIN=go1.26.8 " + shell(s.again...)
		}
		return "", e
	}
	user, flags := s.compilerFlags(here)
	flags = append(flags, user.reporting()...)
	result, err := instrument.Run(ctx, instrument.Request{Go: s.command, Dir: s.dir, Env: s.env, Flags: flags, Package: s.path, Temp: source, Base: base})
	if err != nil {
		return "", s.failed(ctx, err)
	}
	consult(result.GoMods)
	path := filepath.Join(temp, "interleave.test")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	args := append([]string{"test", "-c", "-o", path, "-overlay=" + result.Overlay, "-vet=off"}, flags...)
	if s.fuzz != "" {
		args = append(args, "-fuzz="+s.fuzz) // for the counters that guide the fuzzer
	}
	cmd := exec.CommandContext(ctx, s.command, append(args, s.path)...)
	cmd.Dir, cmd.Env = s.dir, s.env
	if out, err := cmd.CombinedOutput(); err != nil {
		if ctx.Err() != nil {
			return "", s.failed(ctx, err)
		}
		return "", &Error{Problem: BuildFailed, Err: err, Detail: "cd " + shell(s.dir) + " && " + shell(cmd.Args...),
			Do: "What it is built with is kept by:", Command: "cd " + shell(s.dir) + " && " + workVar + "=/tmp/work " + shell(s.again...),
			Output: string(out)}
	}
	kept := make(map[string]bool)
	for _, path := range result.Kept {
		kept[path] = true
	}
	if err := writeVariables(path, stateFile(path), kept); err != nil {
		return "", &Error{Problem: BuildFailed, Err: err}
	}
	return path, nil
}

// slow is how long a build takes without a word.
const slow = 2 * time.Second

// says writes what is going on, if that takes longer than after. The caller calls stop at its end.
func says(w io.Writer, after time.Duration, path string) (stop func()) {
	said := make(chan struct{})
	timer := time.AfterFunc(after, func() {
		defer close(said)
		fmt.Fprintf(w, "interleave: building the binary that explores the tests of %s; the first time for a release of Go this compiles the standard library\n", path)
	})
	return func() {
		if !timer.Stop() {
			<-said
		}
	}
}

// consult opens files that decide what is explored, but leave the binary that asks
// as it was. The go command notes what a test opens, and gives no result from its
// cache if one of them has changed, as far as they lie in the module under test.
func consult(files []string) {
	for _, name := range files {
		if f, err := os.Open(name); err == nil {
			f.Close()
		}
	}
}

// failed turns an error of instrumentation into one that says what to do.
func (s *subject) failed(ctx context.Context, err error) error {
	command := s.byHand(s.dir)
	if ctx.Err() != nil {
		return &Error{Problem: TimedOut, Detail: "while building the instrumented binary", Err: ctx.Err(), Do: "Give it more time:", Command: command + " -timeout=10m"}
	}
	if e, ok := errors.AsType[*instrument.ListError](err); ok {
		return &Error{Problem: BuildFailed, Err: fmt.Errorf("go list: %w", e.Err), Output: e.Output, Command: command,
			Do: "The go command does not find or build the package as it was when this binary was built.\nFlags such as -mod, -modfile and -overlay reach this build by GOFLAGS only: GOFLAGS=-mod=mod go test ...\nThis must work:"}
	}
	if e, ok := errors.AsType[*instrument.NothingError](err); ok {
		return &Error{Problem: NotExplored, Err: e, Do: "Put the test into an external test package, or remove //interleave:off."}
	}
	return &Error{Problem: BuildFailed, Err: err, Do: "This must work:", Command: command}
}

// interruptible removes dir if the process is interrupted before done, when the
// reaper does not watch yet, and lets the interrupt do then what it would have
// done.
func interruptible(ctx context.Context, dir string) (_ context.Context, done func()) {
	ctx, cancel := context.WithCancel(ctx)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	ended := make(chan struct{})
	go func() {
		select {
		case s := <-signals:
			cancel()
			os.RemoveAll(dir)
			signal.Stop(signals)
			raise(s)
		case <-ended:
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(ended)
		cancel()
	}
}

// raise gives the process a signal again, now that nobody catches it, or ends
// it where that is not possible.
func raise(s os.Signal) {
	if p, err := os.FindProcess(os.Getpid()); err == nil && p.Signal(s) == nil {
		return
	}
	os.Exit(130)
}
