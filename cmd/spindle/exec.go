package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/queue/checks"
	"github.com/spindle-go/spindle/conformance/target/child"
	"github.com/spindle-go/spindle/conformance/target/goruntime"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/tla/drift"
)

// scenarioTimeout bounds one scenario of a child process: a call that takes longer
// hangs. It is not the run's budget, whose end says nothing of the child. Tests make
// it short.
var scenarioTimeout = 10 * time.Second

// execSource is a program of the user's as a target.
func execSource(name string, argv []string) suite.Source {
	return suite.Source{Name: name, Subject: checks.Subject, Open: func(ctx context.Context, _ func(string)) (suite.Target, error) {
		c, err := child.Start(ctx, func() *exec.Cmd { return exec.Command(argv[0], argv[1:]...) }, child.Options{Timeout: scenarioTimeout})
		if err != nil {
			return nil, err
		}
		h := c.Hello()
		profile, err := claimed(h)
		if err == nil && h.Name == "" {
			err = fmt.Errorf("expected a name, saw none")
		}
		if err != nil {
			c.Close()
			return nil, fmt.Errorf("%s: hello: %w", argv[0], err)
		}
		t := described{c, h.Capabilities, suite.Description{
			Name: h.Name, Version: h.Version, Kind: suite.Child, Profile: profile,
			Offers: h.Capabilities.Words(), Notes: h.Notes, Command: record.Quote(name),
		}}
		if h.Explores != "" {
			t.desc.Offers = append(t.desc.Offers, "explored by "+h.Explores)
			return explorer{t, c}, nil
		}
		return t, nil
	}}
}

// claimed returns the profile that a child claims to keep: a named one, with the choices
// of its contract.
func claimed(h child.Hello) (spec.Profile, error) {
	text := cmp.Or(h.Profile, string(spec.Core))
	for _, choice := range slices.Sorted(maps.Keys(h.Contract)) {
		text += "," + choice + "=" + h.Contract[choice]
	}
	return parseProfile(text)
}

// goSource is the runtime of a Go toolchain as a target.
func goSource(goCommand string) suite.Source {
	command := goTarget
	if goCommand != "" {
		command = "-go " + record.Quote(goCommand) + " " + goTarget
	}
	return suite.Source{Name: goTarget, Subject: checks.Subject, Open: func(ctx context.Context, progress func(string)) (suite.Target, error) {
		tree, err := treeOf(goCommand)
		if err != nil {
			return nil, err
		}
		progress(tree.String())
		t, err := goruntime.New(ctx, goruntime.Options{Go: goCommand, Timeout: scenarioTimeout, Log: lines(progress)})
		if err != nil {
			return nil, err
		}
		d := t.Describe()
		return described{t, d.Capabilities, describe(d, command, tree)}, nil
	}}
}

// describe is what the suite is told of a runtime, whose source was compared with the model's.
func describe(d goruntime.Description, command string, tree *drift.Report) suite.Description {
	return suite.Description{
		Name: d.Name, Version: d.Version, Kind: suite.Runtime, Profile: spec.Profile(d.Profile), Offers: d.Capabilities.Words(),
		Notes:  append([]string{"GOROOT " + d.GOROOT, "the source: " + tree.String()}, d.Notes...),
		Doubts: doubts(tree), Command: command,
	}
}

// described is something that runs scenarios, with what is known of it.
type described struct {
	runner
	caps queue.Capabilities
	desc suite.Description
}

type runner interface {
	Run(context.Context, record.Scenario) (*record.History, error)
	Close() error
}

func (t described) Describe() suite.Description      { return t.desc }
func (t described) Capabilities() queue.Capabilities { return t.caps }

// explorer is a child that explores its executions itself.
type explorer struct {
	described
	c *child.Client
}

func (t explorer) Explores() string { return t.c.Hello().Explores }

func (t explorer) Explore(ctx context.Context, s record.Scenario, executions int) (*queue.Exploration, error) {
	return t.c.Explore(ctx, s, executions)
}

// lines calls itself with each line that is written.
type lines func(string)

func (f lines) Write(b []byte) (int, error) {
	for line := range bytes.Lines(b) {
		_, text, ok := bytes.Cut(bytes.TrimSpace(line), []byte("goruntime: "))
		if !ok {
			text = bytes.TrimSpace(line)
		}
		f(string(text))
	}
	return len(b), nil
}
