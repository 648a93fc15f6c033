package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/queue/checks"
	ofschedulers "github.com/spindle-go/spindle/conformance/scheduler/checks"
	"github.com/spindle-go/spindle/conformance/target/child"
	"github.com/spindle-go/spindle/conformance/target/goruntime"
	"github.com/spindle-go/spindle/internal/awake"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/tla/drift"
)

// scenarioTimeout bounds one scenario of a child process: a call that takes longer
// hangs. It is not the run's budget, whose end says nothing of the child. Tests make
// it short.
var scenarioTimeout = 10 * time.Second

// startTimeout bounds the time to the hello of a child process. Tests make it short.
var startTimeout = 30 * time.Second

// execSource is a program of the user's as a target. The program is started at once, and has the time of the budget, since its hello says what it is; without one
// the error comes when the target is opened. cancel ends the program if the target is never opened.
func execSource(ctx context.Context, budget time.Duration, name string, argv []string) (s suite.Source, cancel func()) {
	limited, stop := awake.WithTimeout(ctx, budget)
	defer stop()
	q, sched, err := child.Open(limited, func() *exec.Cmd { return exec.Command(argv[0], argv[1:]...) }, child.Options{StartTimeout: startTimeout, Timeout: scenarioTimeout})
	wrong := func(err error) error { return fmt.Errorf("%s: hello: %w", argv[0], err) }
	if err != nil && limited.Err() != nil {
		err = fmt.Errorf("%w: expected a hello within the budget of %v, saw none", suite.ErrOpen, budget)
	}
	switch {
	case err != nil:
		return suite.Source{Name: name, Subject: unknownSubject, Open: func(context.Context, func(string)) (suite.Target, error) { return nil, err }}, func() {}
	case sched != nil:
		return suite.Source{Name: name, Subject: ofschedulers.Subject, Open: func(context.Context, func(string)) (suite.Target, error) {
			h := sched.Hello()
			profile, err := claimedScheduler(h)
			var t ofschedulers.Target
			if err == nil {
				t, err = ofschedulers.Outside(suite.Description{Name: h.Name, Version: h.Version, Kind: suite.Child, Profile: profile, Notes: h.Notes, Command: record.Quote(name)}, sched)
			}
			if err != nil {
				sched.Close()
				return nil, wrong(err)
			}
			return t, nil
		}}, func() { sched.Close() }
	}
	return suite.Source{Name: name, Subject: checks.Subject, Open: func(context.Context, func(string)) (suite.Target, error) {
		h := q.Hello()
		profile, err := claimed(h)
		if err == nil && h.Name == "" {
			err = fmt.Errorf("expected a name, saw none")
		}
		if err != nil {
			q.Close()
			return nil, wrong(err)
		}
		t := described{q, h.Capabilities, suite.Description{
			Name: h.Name, Version: h.Version, Kind: suite.Child, Profile: profile,
			Offers: h.Capabilities.Words(), Notes: h.Notes, Command: record.Quote(name),
		}}
		if h.Explores != "" {
			t.desc.Offers = append(t.desc.Offers, "explored by "+h.Explores)
			return explorer{t, q}, nil
		}
		return t, nil
	}}, func() { q.Close() }
}

// unknownSubject has the checks of all that a program can be: whichever of them are chosen, what is wrong with its hello is said.
var unknownSubject = &suite.Subject{Name: checks.Subject.Name, Checks: append(slices.Clone(checks.Subject.Checks), ofschedulers.Subject.Checks...)}

// claimed returns the profile that a child claims to keep: a named one, with the choices
// of its contract.
func claimed(h child.Hello) (spec.Profile, error) {
	text, err := withChoices(cmp.Or(h.Profile, string(spec.Core)), h.Contract)
	if err != nil {
		return "", err
	}
	return parseProfile(text)
}

// claimedScheduler is claimed, of a child that is a scheduler.
func claimedScheduler(h child.SchedulerHello) (spec.Profile, error) {
	text, err := withChoices(cmp.Or(h.Profile, string(spec.Pool)), h.Contract)
	if err != nil {
		return "", err
	}
	c, err := spec.ParseSchedulerContract(text)
	if err != nil {
		return "", err
	}
	return c.Profile()
}

// withChoices returns a profile with the choices of a contract. Its error says that a text has more in it than a name.
func withChoices(profile string, contract map[string]string) (string, error) {
	for _, choice := range slices.Sorted(maps.Keys(contract)) {
		value := contract[choice]
		for _, text := range []string{choice, value} {
			if strings.ContainsAny(text, ",=") || text == "" {
				return "", fmt.Errorf("contract: expected the name of a choice, and that of a value, saw %.80q and %.80q", choice, value)
			}
		}
		profile += "," + choice + "=" + value
	}
	return profile, nil
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
