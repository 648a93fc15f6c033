package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/queue/checks"
	ofschedulers "github.com/spindle-go/spindle/conformance/scheduler/checks"
	"github.com/spindle-go/spindle/internal/cli"
	"github.com/spindle-go/spindle/internal/exit"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

var contractCommand = cli.Command{
	Name: "contract", Args: "[CONTRACT | queues | schedulers]", Short: "list the choices of a contract, or say what one promises",
	Long: `
A contract is what a run queue promises, or a scheduler: an answer to each of a few questions.
CONTRACT is the name of a profile, choices as CHOICE=VALUE, or both, joined by
commas: fifo,steal-miss=beside. What is not said is as in the profile core. That of a
scheduler begins with its profile: pool,panics=isolated. What is not said is as in that profile.
Without a contract the choices are listed, of queues, of schedulers, or of both.`,
	Define: func(fs *flag.FlagSet) cli.Action {
		return func(_ context.Context, std cli.Streams, args []string) (int, error) {
			switch len(args) {
			case 0:
				listChoices(std, "")
				return exit.Pass, nil
			case 1:
				if args[0] == queueChoices || args[0] == schedulerChoices {
					listChoices(std, args[0])
					return exit.Pass, nil
				}
				if err := explainContract(std, args[0]); err != nil {
					return exit.Usage, err
				}
				return exit.Pass, nil
			}
			return exit.Usage, fmt.Errorf("expected one contract, its parts joined by commas, saw %q", args)
		}
	},
}

// The subjects whose choices can be listed alone.
const (
	queueChoices     = "queues"
	schedulerChoices = "schedulers"
)

// listChoices lists the choices of a subject, or of both if it is "".
func listChoices(std cli.Streams, subject string) {
	w := tabwriter.NewWriter(std.Out, 0, 0, 2, ' ', 0)
	defer w.Flush()
	list := func(name, about string, values []spec.Value, profiles []spec.Profile, has func(p spec.Profile, value string) bool) {
		fmt.Fprintf(w, "%s: %s\n", name, about)
		for _, v := range values {
			var names []string
			for _, p := range profiles {
				if has(p, v.Name) {
					names = append(names, string(p))
				}
			}
			fmt.Fprintf(w, "  %s\t%s\t%s\n", v.Name, v.Sentence, strings.Join(names, " "))
		}
	}
	if subject != schedulerChoices {
		fmt.Fprint(w, "of queues:\n  VALUE\tWHAT IT SAYS\tIN THE PROFILES\n")
		for i := range spec.Choices {
			q := &spec.Choices[i]
			list(q.Name, q.About, q.Values, queueProfiles(), func(p spec.Profile, value string) bool {
				c, _ := p.Contract()
				return q.Of(c).Name == value
			})
		}
	}
	if subject != queueChoices {
		fmt.Fprint(w, "of schedulers:\n  VALUE\tWHAT IT SAYS\tIN THE PROFILES\n")
		for _, q := range spec.SchedulerChoices {
			list(q.Name, q.About, q.Values, spec.SchedulerProfiles(), func(p spec.Profile, value string) bool {
				c, _ := p.Scheduler()
				return c.Is(q.Name, value)
			})
		}
	}
}

func explainContract(std cli.Streams, text string) error {
	if p, err := spec.ParseProfile(text); err == nil {
		if c, ok := p.Scheduler(); ok {
			explainScheduler(std, p, c)
			return nil
		}
	}
	p, err := parseProfile(text)
	if name, _, _ := strings.Cut(text, ","); err != nil && !strings.Contains(name, "=") {
		if _, known := spec.ParseProfile(name); known != nil {
			return fmt.Errorf("expected a profile, one of %s of queues, or %s of schedulers, and then CHOICE=VALUE, joined by commas, saw %q", cli.Join(queueProfiles(), ", "), cli.Join(spec.SchedulerProfiles(), ", "), name)
		}
	}
	if err != nil {
		return err
	}
	c, _ := p.Contract()
	fmt.Fprintf(std.Out, "%s\n", p)
	w := tabwriter.NewWriter(std.Out, 0, 0, 2, ' ', 0)
	for i := range spec.Choices {
		q := &spec.Choices[i]
		fmt.Fprintf(w, "  %s=%s\t%s\n", q.Name, q.Of(c).Name, q.Of(c).Sentence)
	}
	w.Flush()
	listRequirements(std, p)
	return nil
}

func explainScheduler(std cli.Streams, p spec.Profile, c spec.SchedulerContract) {
	fmt.Fprintf(std.Out, "%s\n", p)
	w := tabwriter.NewWriter(std.Out, 0, 0, 2, ' ', 0)
	for _, q := range spec.SchedulerChoices {
		fmt.Fprintf(w, "  %s=%s\t%s\n", q.Name, c.Of(q.Name).Name, c.Of(q.Name).Sentence)
	}
	w.Flush()
	listRequirements(std, p)
}

// listRequirements lists those of a profile.
func listRequirements(std cli.Streams, p spec.Profile) {
	fmt.Fprintln(std.Out, "requirements, where the target offers what they are about:")
	for i := range spec.Requirements {
		if q := &spec.Requirements[i]; q.In(p) {
			fmt.Fprintf(std.Out, "  %s\n", q.ID)
		}
	}
}

// under has a source's target held to a contract in place of its own.
func under(text string, s suite.Source) (suite.Source, error) {
	if s.Subject == ofschedulers.Subject {
		return schedulerUnder(text, s)
	}
	if s.Subject != checks.Subject {
		return s, fmt.Errorf("-contract: target %s is no queue, and has no contract", s.Name)
	}
	p, err := parseProfile(text)
	if err != nil {
		return s, fmt.Errorf("-contract: %w", err)
	}
	open := s.Open
	s.Open = func(ctx context.Context, progress func(string)) (suite.Target, error) {
		t, err := open(ctx, progress)
		if err != nil {
			return nil, err
		}
		q, ok := t.(checks.Target)
		if !ok {
			return nil, errors.New("-contract: the target is no queue")
		}
		if x, ok := t.(checks.Explorer); ok {
			return heldExplorer{held{x, text, p}, x}, nil
		}
		return held{q, text, p}, nil
	}
	return s, nil
}

// held is a target under a contract that the command line names.
type held struct {
	checks.Target
	text    string
	profile spec.Profile
}

func (t held) Describe() suite.Description {
	d := t.Target.Describe()
	d.Profile = t.profile
	if d.Command != "" {
		d.Command = "-contract " + record.Quote(t.text) + " " + d.Command
	}
	return d
}

// heldExplorer is held for a target that explores its executions itself.
type heldExplorer struct {
	held
	x checks.Explorer
}

func (t heldExplorer) Explores() string { return t.x.Explores() }

func (t heldExplorer) Explore(ctx context.Context, s record.Scenario, executions int) (*queue.Exploration, error) {
	return t.x.Explore(ctx, s, executions)
}
