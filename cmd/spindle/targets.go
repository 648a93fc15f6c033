package main

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spindle-go/spindle/conformance/model"
	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/queue/checks"
	"github.com/spindle-go/spindle/conformance/target/goruntime"
	"github.com/spindle-go/spindle/conformance/target/ref"
	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
)

// builtin is a target that is a Go value in this program.
type builtin struct {
	name    string
	profile spec.Profile
	factory queue.Factory
	doc     string
}

var builtins = []builtin{
	{"ref", spec.GoRT, ref.New, "the reference ring of this repository"},
	{"control", spec.FIFO, checks.WrongRing(), "a ring that is wrong on purpose, to see what a failure looks like"},
}

func findBuiltin(name string) *builtin {
	for i := range builtins {
		if builtins[i].name == name {
			return &builtins[i]
		}
	}
	return nil
}

// goTarget and execPrefix are the other names that a target may have.
const (
	goTarget   = "go"
	execPrefix = "exec:"
)

const targetNames = "ref, go, model, sched, go-sched, control, control-sched, exec:COMMAND"

// source finds what a name on the command line stands for. cancel lets go of what it has started, if it is never opened.
func source(ctx context.Context, budget time.Duration, name, goCommand string) (s suite.Source, cancel func(), err error) {
	if command, ok := strings.CutPrefix(name, execPrefix); ok && strings.TrimSpace(command) != "" {
		s, cancel = execSource(ctx, budget, name, strings.Fields(command))
		return s, cancel, nil
	}
	s, err = builtinSource(name, goCommand)
	return s, func() {}, err
}

// builtinSource is source, of targets that are no program of the user's.
func builtinSource(name, goCommand string) (suite.Source, error) {
	if b := findBuiltin(name); b != nil {
		return suite.Source{Name: name, Subject: checks.Subject, Open: func(context.Context, func(string)) (suite.Target, error) {
			t, err := checks.InProcess(b.name, b.profile, b.factory)
			if err != nil {
				return nil, err
			}
			return named{t, name}, nil
		}}, nil
	}
	if s, ok := schedulerSource(name); ok {
		return s, nil
	}
	if name == goTarget {
		return goSource(goCommand), nil
	}
	if name == model.Target {
		s, err := model.Source()
		if err == nil && goCommand != "" {
			s = beside(goCommand, s)
		}
		return s, err
	}
	return suite.Source{}, fmt.Errorf("unknown target: expected one of %s, saw %q", targetNames, name)
}

// queueProfiles are those that a target may declare: not that of the model.
func queueProfiles() []spec.Profile {
	return slices.DeleteFunc(spec.Profiles(), func(p spec.Profile) bool { return p == spec.Protocol })
}

// parseProfile returns the profile of that name, if queues are judged by it.
func parseProfile(name string) (spec.Profile, error) {
	p, err := spec.ParseProfile(name)
	other := ""
	if _, ok := p.Scheduler(); ok {
		other = "a scheduler's"
	} else if p == spec.Protocol {
		other = "the model's"
	}
	if other != "" {
		return "", fmt.Errorf("expected a profile of queues, one of %s, saw %q, which is %s", cli.Join(queueProfiles(), ", "), name, other)
	}
	return p, err
}

// named is a target that can be named on the command line.
type named struct {
	checks.Target
	command string
}

func (t named) Describe() suite.Description {
	d := t.Target.Describe()
	d.Command = t.command
	return d
}

var targetsCommand = cli.Command{
	Name: "targets", Short: "list what can be checked, and what each needs",
	Long: "The toolchain of the target go is looked for, not built.",
	Define: func(fs *flag.FlagSet) cli.Action {
		goCommand := fs.String("go", "", "the go `PATH` of the target go; the default is go on PATH")
		return func(_ context.Context, std cli.Streams, args []string) (int, error) {
			if len(args) > 0 {
				return exit.Usage, fmt.Errorf("expected no arguments, saw %q", args)
			}
			listTargets(std, *goCommand)
			return exit.Pass, nil
		}
	},
}

func listTargets(std cli.Streams, goCommand string) {
	w := tabwriter.NewWriter(std.Out, 0, 0, 2, ' ', 0)
	defer w.Flush()
	row := func(cells ...string) { fmt.Fprintln(w, strings.Join(cells, "\t")) }
	row("TARGET", "KIND", "PROFILE", "WHAT", "NEEDS")
	for _, b := range builtins {
		row(b.name, "in process", string(b.profile), b.doc, "nothing")
	}
	row(model.Target, suite.Machine, string(spec.Protocol), model.Doc, "nothing")
	for _, b := range schedulers {
		row(b.name, "in process", string(b.profile), b.doc, "nothing")
	}
	row(goTarget, "runtime", string(spec.GoRT), "the run queue of a Go toolchain's runtime", goState(goCommand))
	row("exec:COMMAND", "child process", "its own", "a program that speaks the protocol of package child", "COMMAND, split at blanks")
}

// goState says which toolchain the target go would use, or why it has none.
func goState(goCommand string) string {
	t, err := goruntime.Find(goCommand)
	if err != nil {
		return fmt.Sprintf("Go %s or later; cannot be used: %v", goruntime.Oldest[2:], err)
	}
	return fmt.Sprintf("Go %s or later; found %s in %s", goruntime.Oldest[2:], t.Version, t.GOROOT)
}
