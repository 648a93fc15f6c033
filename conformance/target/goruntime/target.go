package goruntime

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/target/child"
	"github.com/spindle-go/spindle/internal/cachedir"
	"github.com/spindle-go/spindle/spec/record"
)

// Options say which runtime to test and how. The zero value is the toolchain
// that "go" selects in the present folder.
type Options struct {
	Go   string // the go command; "" is the one on PATH
	Race bool   // build with the race detector, which makes the runtime shuffle
	// Backoff gives the made-up Ps the status of running ones: a thief then
	// waits 3 µs before it takes runnext, as from a P that is at work.
	Backoff bool
	// Timeout bounds each scenario; that of child.Options if zero.
	Timeout time.Duration
	// Replace gives other texts for files of src/runtime, by base name: the
	// toolchain is tested as if it had them.
	Replace map[string][]byte
	// NoCache builds anew and keeps no binary.
	NoCache bool
	// KeepWork keeps the generated module, and Log says where.
	KeepWork bool
	// Log gets a line for each thing that takes long; nil for none.
	Log io.Writer

	noise int // real goroutines that disturb the driver, for tests
}

func (o Options) logf(format string, args ...any) {
	if o.Log != nil {
		fmt.Fprintf(o.Log, "goruntime: "+format+"\n", args...)
	}
}

// A Target is the run queue of one Go runtime, ready to be driven. Its methods
// may be called by several goroutines; scenarios run one after another.
type Target struct {
	toolchain *Toolchain
	client    *child.Client
	race      bool
	dir       *cachedir.Dir // of the driver's binary
}

// A Description says what a Target is.
type Description struct {
	Name         string // "go"
	Version      string // "go1.26.8"
	GOROOT       string
	Profile      string // "gort"
	Race         bool   // it shuffles batches and sometimes leaves runnext out: no order is promised
	Capabilities queue.Capabilities
	Notes        []string // how its run queue is built, for people
}

// New finds the toolchain, builds its driver unless that is in the cache, and
// starts it. Errors wrap ErrNoGo, ErrSource, ErrVersion, ErrShape, ErrBuild,
// ErrRace, or those of child.Start.
func New(ctx context.Context, o Options) (*Target, error) {
	t, err := find(ctx, o.Go, o.Replace)
	if err != nil {
		return nil, err
	}
	open := cachedir.Open
	if o.NoCache {
		open = cachedir.Fresh
	}
	dir, err := open("spindle")
	if err != nil {
		return nil, fmt.Errorf("%w: no folder for binaries: %w", ErrBuild, err)
	}
	if dir.Why != "" && !o.NoCache {
		o.logf("the binary is not kept: %s", dir.Why)
	}
	target, err := t.open(ctx, dir, o)
	if err != nil {
		return nil, errors.Join(err, dir.Close())
	}
	target.dir = dir
	return target, nil
}

// open starts the driver, from dir or built into it.
func (t *Toolchain) open(ctx context.Context, dir *cachedir.Dir, o Options) (*Target, error) {
	path, cached, err := t.binary(ctx, dir, o)
	if err != nil {
		return nil, err
	}
	target, err := start(ctx, t, path, o)
	if err != nil && cached && ctx.Err() == nil {
		// A binary that another program broke, or that was made elsewhere.
		o.logf("the binary in the cache does not work, building anew: %v", err)
		if err := t.rebuild(ctx, path, o); err != nil {
			return nil, err
		}
		return start(ctx, t, path, o)
	}
	return target, err
}

// start starts the driver and checks that it is what it should be.
func start(ctx context.Context, t *Toolchain, path string, o Options) (*Target, error) {
	client, err := child.Start(ctx, func() *exec.Cmd {
		cmd := exec.Command(path)
		if o.Backoff {
			cmd.Args = append(cmd.Args, "-backoff")
		}
		if o.noise > 0 {
			cmd.Args = append(cmd.Args, "-noise", strconv.Itoa(o.noise))
		}
		cmd.Env = driverEnv()
		return cmd
	}, child.Options{Timeout: o.Timeout})
	if err != nil {
		return nil, fmt.Errorf("goruntime: %w", err)
	}
	if h := client.Hello(); release(h.Version) != t.Version {
		client.Close()
		return nil, fmt.Errorf("%w: expected a driver of %s, saw one of %s", ErrBuild, t.Version, h.Version)
	}
	return &Target{toolchain: t, client: client, race: o.Race}, nil
}

// driverEnv keeps the user's settings of the runtime away from the driver: some
// print, some stop the world, some follow the machine's CPU limits.
func driverEnv() []string {
	set := map[string]string{"GODEBUG": "", "GOGC": "", "GOMEMLIMIT": "", "GOMAXPROCS": "", "GOTRACEBACK": "", "GORACE": ""}
	return append(without(os.Environ(), set), "GOTRACEBACK=single", "GODEBUG=updatemaxprocs=0")
}

// Describe says what the target is.
func (t *Target) Describe() Description {
	h := t.client.Hello()
	return Description{
		Name: h.Name, Version: t.toolchain.Version, GOROOT: t.toolchain.GOROOT, Profile: h.Profile,
		Race: t.race, Capabilities: h.Capabilities,
		Notes: append(t.toolchain.Shape.Notes(), h.Notes...),
	}
}

// Run drives the runtime through s. Errors and what comes with them are those
// of child.Client's Run: a throw is a *queue.CrashError, the end of
// Options.Timeout a *queue.HangError.
func (t *Target) Run(ctx context.Context, s record.Scenario) (*record.History, error) {
	return t.client.Run(ctx, s)
}

// Close ends the driver.
func (t *Target) Close() error {
	return errors.Join(t.client.Close(), t.dir.Close())
}
