package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os/exec"

	"github.com/spindle-go/spindle/conformance"
	"github.com/spindle-go/spindle/conformance/target/child"
	"github.com/spindle-go/spindle/conformance/target/goruntime"
	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// execSource is a program of the user's as a target.
func execSource(name string, argv []string) conformance.Source {
	return conformance.Source{Name: name, Open: func(ctx context.Context, _ func(string)) (conformance.Target, error) {
		c, err := child.Start(ctx, func() *exec.Cmd { return exec.Command(argv[0], argv[1:]...) }, child.Options{})
		if err != nil {
			return nil, err
		}
		h := c.Hello()
		profile, err := parseProfile(cmp.Or(h.Profile, string(spec.Core)))
		if err != nil {
			c.Close()
			return nil, fmt.Errorf("%s: hello: %w", argv[0], err)
		}
		if h.Name == "" {
			c.Close()
			return nil, fmt.Errorf("%s: hello: expected a name, saw none", argv[0])
		}
		return described{c, conformance.Description{
			Name: h.Name, Version: h.Version, Kind: conformance.ChildKind, Profile: profile,
			Capabilities: h.Capabilities, Notes: h.Notes, Command: cli.Quote(name),
		}}, nil
	}}
}

// goSource is the runtime of a Go toolchain as a target.
func goSource(goCommand string) conformance.Source {
	command := goTarget
	if goCommand != "" {
		command = "-go " + cli.Quote(goCommand) + " " + goTarget
	}
	return conformance.Source{Name: goTarget, Open: func(ctx context.Context, progress func(string)) (conformance.Target, error) {
		t, err := goruntime.New(ctx, goruntime.Options{Go: goCommand, Log: lines(progress)})
		if err != nil {
			return nil, err
		}
		d := t.Describe()
		return described{t, conformance.Description{
			Name: d.Name, Version: d.Version, Kind: conformance.RuntimeKind, Profile: spec.Profile(d.Profile), Capabilities: d.Capabilities,
			Notes: append([]string{"GOROOT " + d.GOROOT}, d.Notes...), Command: command,
		}}, nil
	}}
}

// described is something that runs scenarios, with what is known of it.
type described struct {
	runner
	desc conformance.Description
}

type runner interface {
	Run(context.Context, record.Scenario) (*record.History, error)
	Close() error
}

func (t described) Describe() conformance.Description { return t.desc }

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
