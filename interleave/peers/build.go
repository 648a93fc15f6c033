package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spindle-go/spindle/interleave/internal/goroot"
	"github.com/spindle-go/spindle/interleave/internal/instrument"
)

// self is this command.
const self = "github.com/spindle-go/spindle/interleave/peers"

// buildOwn builds this command once more into dir, with the fixture and the
// published programs explored as a test's code would be, races and all.
func buildOwn(ctx context.Context, dir string) (process, error) {
	command, err := exec.LookPath("go")
	if err != nil {
		return process{}, fmt.Errorf("there is no go command on the path to build the instrumented side: %w", err)
	}
	_, file, _, _ := runtime.Caller(0)
	source := filepath.Dir(file)
	if _, err := os.Stat(file); err != nil {
		return process{}, fmt.Errorf("the source of this command is not where it was built from (%s): run it by go run, without -trimpath", source)
	}
	flags := []string{"-race=false", "-cover=false", "-buildvcs=false"}
	request := instrument.Request{Go: command, Dir: source, Flags: flags, Package: self, Temp: filepath.Join(dir, "source")}
	if err := hosts(ctx, &request); err != nil {
		return process{}, err
	}
	result, err := instrument.Run(ctx, request)
	if err != nil {
		return process{}, err
	}
	p := process{filepath.Join(dir, "own"), ownArgs}
	if runtime.GOOS == "windows" {
		p.binary += ".exe"
	}
	cmd := exec.CommandContext(ctx, command, append(append([]string{"build", "-overlay=" + result.Overlay, "-o", p.binary}, request.Flags...), self)...)
	cmd.Dir = source
	if out, err := cmd.CombinedOutput(); err != nil {
		return process{}, fmt.Errorf("go build in %s: %w\n%s", source, err, out)
	}
	return p, looksForRaces(ctx, p)
}

// hosts has threads be goroutines of an edited runtime. The go command replaces nothing in a
// toolchain that lies in the module cache, and says so.
func hosts(ctx context.Context, r *instrument.Request) error {
	if err := goroot.Supported(runtime.GOOS, runtime.GOARCH); err != nil {
		return err
	}
	root, err := exec.CommandContext(ctx, r.Go, "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("go env GOROOT: %w", err)
	}
	o, err := goroot.Make(strings.TrimSpace(string(root)))
	if err != nil {
		return err
	}
	r.Base = append(r.Base, o.Set)
	r.Flags = append(r.Flags, goroot.Flags()...)
	return nil
}

// racy names the program of the fixture that has a data race.
const racy = "a data race"

// looksForRaces holds that what is measured is what the tables say: code that is
// instrumented, with the cost of data races in it.
func looksForRaces(ctx context.Context, p process) error {
	r, err := p.run(ctx, task{Tool: ourselves, Mode: exhaust, Program: racy, Limit: time.Minute})
	if err == nil && !(r.Found && strings.Contains(r.Finding, "race")) {
		err = fmt.Errorf("expected the instrumented side to find the data race of the fixture; observed %+v", r)
	}
	return err
}
