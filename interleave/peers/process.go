package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"time"
)

// A peer runs tasks.
type peer interface {
	run(context.Context, task) (row, error)
}

// A process is a program that runs a task in a process of its own and prints a row.
type process struct {
	binary string
	args   func(task) []string
}

// ownArgs is what the instrumented copy of this command is told.
func ownArgs(t task) []string {
	text, err := json.Marshal(t)
	if err != nil {
		panic("peers: " + err.Error())
	}
	return []string{string(text)}
}

// rustArgs is what the Rust side is told.
func rustArgs(t task) []string {
	s := t.Script
	return []string{
		t.Tool, string(t.Mode), s.Owner, strconv.Itoa(s.Thieves), strconv.Itoa(s.Steals), strconv.Itoa(s.Capacity), s.Bug.String(),
		strconv.FormatFloat(t.Limit.Seconds(), 'f', -1, 64), strconv.FormatUint(t.Seed, 10),
	}
}

// Exhaustive searches are made in so many processes, whosesoever they are, and the
// one that took the least CPU time counts: others use the machine. One that takes
// longer than long is made once, for a disturbance is a small part of it then.
const (
	attempts = 5
	long     = 5 * time.Second
)

// measure runs a task as often as it is to be run.
func measure(ctx context.Context, p peer, t task) (row, error) {
	best, err := p.run(ctx, t)
	n := 1
	for ; n < attempts && t.Mode == exhaust && err == nil && !best.Earlier && best.Seconds < long.Seconds(); n++ {
		var r row
		if r, err = p.run(ctx, t); r.CPU < best.CPU {
			best = r
		}
	}
	best.Attempts = n
	return best, err
}

// grace is how much longer than its limit a run may take: the limit is looked
// at between executions.
const grace = 30 * time.Second

// run runs t in a process of its own. An explorer that keeps to no limit is
// killed.
func (p process) run(ctx context.Context, t task) (row, error) {
	ctx, cancel := context.WithTimeout(ctx, t.Limit+grace)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.binary, p.args(t)...)
	cmd.Env = os.Environ()
	if os.Getenv("GOGC") == "" {
		cmd.Env = append(cmd.Env, "GOGC=400") // as a test's instrumented binary runs
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return row{}, fmt.Errorf("%s: no end %v after its limit of %v", t.name(), grace, t.Limit)
	}
	if err != nil {
		return row{}, fmt.Errorf("%s: %w\n%s", t.name(), err, stderr.Bytes())
	}
	r, err := parseRow(bytes.TrimSpace(out), newRow(t))
	if err != nil {
		return row{}, fmt.Errorf("%s: %w", t.name(), err)
	}
	r.CPU = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds() / float64(r.Runs)
	return r, nil
}
