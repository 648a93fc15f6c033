package tlc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spindle-go/spindle/internal/procgroup"
)

// A Job is a module, a configuration and what to do with them.
type Job struct {
	Files  fs.FS  // the modules, NAME.tla each, at the top
	Module string // its name, without .tla
	Config string // the text of the configuration

	Workers  int  // 0 is 1; depth and liveness are exact with 1 alone
	HeapMB   int  // 0 is DefaultHeapMB
	Deadlock bool // a state without a step is a violation
	Coverage bool // count how often each action happens
	// Short says that the job takes a few seconds. Java then spends less on compiling:
	// a job of 4 s needs half the time, but one of more than 10 s needs a little more.
	Short bool
	// Dump is a file that gets the graph of states in the form of dot.
	Dump string
	// Simulate is how many random runs are made instead of exploring all
	// states; Depth is the most states of each, 0 being 100.
	Simulate, Depth int
	Seed            int64         // of the simulation
	Timeout         time.Duration // 0 is none
	Progress        func(Progress)
}

// DefaultHeapMB is the heap that TLC gets, in MiB.
const DefaultHeapMB = 2048

// Progress is what TLC reports every minute.
type Progress struct {
	Depth                      int
	Generated, Distinct, Queue int64
	Rate, Memory               int64 // distinct states a second, and bytes; 0 where that is unknown
	Liveness                   bool  // all states are known; temporal properties are being checked
}

// Run runs TLC. What it finds is in the result, also if ctx ends or the time is
// up first. The error is a *Failure if TLC came to no verdict.
func (t *Tool) Run(ctx context.Context, job Job) (*Result, error) {
	cfg, err := ParseConfig(job.Config)
	if err != nil {
		return nil, &Failure{Class: ErrConfig, Module: job.Module, Lines: []string{err.Error()}}
	}
	if ctx.Err() != nil {
		return &Result{Outcome: Interrupted}, nil
	}
	dir, err := workDir(job)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	c := newCollector(cfg, job.Progress)
	stderr, ended, err := t.within(ctx, dir, job, append([]string{"tlc2.TLC"}, t.args(dir, job)...), job.options(), c)
	c.result.Workers = max(1, job.Workers)
	if !ended {
		return c.result, nil
	}
	r, err := c.conclude(job, err, stderr)
	if err == nil && job.Dump != "" {
		err = move(filepath.Join(dir, "graph.dot"), job.Dump)
	}
	return r, err
}

// within runs TLC for at most the job's time. Where it did not end by itself the
// outcome says why.
func (t *Tool) within(ctx context.Context, dir string, job Job, args, options []string, c *collector) (stderr string, ended bool, err error) {
	parent := ctx
	if job.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, job.Timeout)
		defer cancel()
	}
	begin := time.Now()
	stderr, err = t.exec(ctx, dir, args, job.HeapMB, options, c)
	c.result.Wall = time.Since(begin)
	switch {
	case parent.Err() != nil:
		c.result.Outcome = Interrupted
	case ctx.Err() != nil:
		c.result.Outcome = TimedOut
	default:
		return stderr, true, err
	}
	return "", false, nil
}

// workDir makes a folder with what TLC reads, and room for what it writes.
func workDir(job Job) (dir string, err error) {
	dir, err = os.MkdirTemp("", "spindle-tlc-")
	if err == nil {
		err = fillDir(dir, job)
	}
	if err != nil {
		if dir != "" {
			os.RemoveAll(dir)
		}
		class := ErrTLC
		if isFull(err.Error()) {
			class = ErrDisk
		}
		return "", &Failure{Class: class, Module: job.Module, Lines: []string{err.Error()}}
	}
	return dir, nil
}

func fillDir(dir string, job Job) error {
	for _, sub := range []string{"tmp", "meta"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o777); err != nil {
			return err
		}
	}
	names, err := fs.Glob(job.Files, "*.tla")
	if err != nil {
		return err
	}
	for _, name := range names {
		text, err := fs.ReadFile(job.Files, name)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o666)
		}
		if err != nil {
			return err
		}
	}
	// The server of the distributed mode reads a file of this name alone.
	return os.WriteFile(filepath.Join(dir, job.Module+".cfg"), []byte(job.Config), 0o666)
}

// soon are the options of Java for a short job.
var soon = []string{"-XX:TieredStopAtLevel=1"}

// options are those of Java that depend on the job.
func (j *Job) options() []string {
	if j.Short {
		return soon
	}
	return nil
}

// args are those of tlc2.TLC.
func (t *Tool) args(dir string, job Job) []string {
	args := []string{
		"-tool", "-metadir", filepath.Join(dir, "meta"), "-fp", "0", "-lncheck", "final",
		"-workers", strconv.Itoa(max(1, job.Workers)), "-checkpoint", "0",
	}
	if !job.Deadlock {
		args = append(args, "-deadlock") // which turns the check off
	}
	if job.Coverage {
		args = append(args, "-coverage", "1")
	}
	if job.Dump != "" {
		args = append(args, "-dump", "dot,actionlabels", filepath.Join(dir, "graph.dot"))
	}
	if job.Simulate > 0 {
		depth := job.Depth
		if depth == 0 {
			depth = 100
		}
		args = append(args, "-simulate", "num="+strconv.Itoa(job.Simulate), "-depth", strconv.Itoa(depth), "-seed", strconv.FormatInt(job.Seed, 10))
	}
	return append(args, job.Module)
}

// exec runs a class of the jar in dir and gives what it prints to out. It
// returns the end of what it prints on standard error.
func (t *Tool) exec(ctx context.Context, dir string, args []string, heapMB int, options []string, out io.Writer) (string, error) {
	if heapMB == 0 {
		heapMB = DefaultHeapMB
	}
	all := append([]string{
		"-XX:+UseParallelGC", fmt.Sprintf("-Xmx%dm", heapMB), "-Djava.io.tmpdir=" + filepath.Join(dir, "tmp"),
	}, options...)
	cmd := exec.CommandContext(ctx, t.Java, append(append(all, "-cp", t.Jar), args...)...)
	cmd.Dir = dir
	procgroup.Own(cmd)
	cmd.Cancel = func() error { return procgroup.Terminate(cmd) }
	cmd.WaitDelay = runGrace
	stderr := &tail{}
	cmd.Stdout, cmd.Stderr = out, stderr
	err := cmd.Run()
	_ = procgroup.Kill(cmd)
	return stderr.String(), err
}

// tail keeps the end of what is written to it.
type tail struct{ bytes.Buffer }

const tailSize = 1 << 16

func (t *tail) Write(b []byte) (int, error) {
	n, err := t.Buffer.Write(b)
	if over := t.Len() - tailSize; over > 0 {
		t.Next(over)
	}
	return n, err
}

// move puts a file elsewhere, maybe on another disk.
func move(from, to string) error {
	if os.Rename(from, to) == nil {
		return nil
	}
	r, err := os.Open(from)
	if err != nil {
		return err
	}
	defer r.Close()
	w, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, r)
	return errors.Join(err, w.Close())
}

func isFull(text string) bool {
	for _, s := range []string{"No space left on device", "no space left on device", "not enough space on the disk", "quota exceeded"} {
		if strings.Contains(text, s) {
			return true
		}
	}
	return false
}
