package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/conformance/scheduler/checks"
	"github.com/spindle-go/spindle/conformance/target/gosched"
	"github.com/spindle-go/spindle/conformance/target/sched"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// builtinScheduler is a scheduler that is a Go value in this program.
type builtinScheduler struct {
	name    string
	profile spec.Profile
	factory scheduler.Factory
	doc     string
}

var schedulers = []builtinScheduler{
	{"sched", sched.Profile, sched.New, "the scheduler of this repository"},
	{"go-sched", gosched.Profile, gosched.New, "the scheduler of the Go runtime that runs this command, as a black box"},
	{"control-sched", spec.Pool, checks.WrongPool(), "a pool that is wrong on purpose, to see what a failure looks like"},
}

// schedulerSource finds the scheduler that a name stands for.
func schedulerSource(name string) (s suite.Source, ok bool) {
	for _, b := range schedulers {
		if b.name == name {
			return suite.Source{Name: name, Subject: checks.Subject, Open: func(context.Context, func(string)) (suite.Target, error) {
				t, err := checks.InProcess(b.name, b.profile, b.factory)
				if err != nil {
					return nil, err
				}
				return checks.Named(t, name), nil
			}}, true
		}
	}
	return s, false
}

// schedulerUnder has a source's scheduler held to a contract in place of its own.
func schedulerUnder(text string, s suite.Source) (suite.Source, error) {
	c, err := spec.ParseSchedulerContract(text)
	var p spec.Profile
	if err == nil {
		p, err = c.Profile()
	}
	if err != nil {
		return s, fmt.Errorf("-contract: target %s is a scheduler: %w", s.Name, err)
	}
	at := slices.IndexFunc(schedulers, func(b builtinScheduler) bool { return b.name == s.Name })
	if at < 0 {
		open := s.Open
		s.Open = func(ctx context.Context, progress func(string)) (suite.Target, error) {
			t, err := open(ctx, progress)
			if err != nil {
				return nil, err
			}
			return checks.Under(t.(checks.Target), p, "-contract "+record.Quote(text)+" "+record.Quote(s.Name))
		}
		return s, nil
	}
	s.Open = func(context.Context, func(string)) (suite.Target, error) {
		t, err := checks.InProcess(s.Name, p, schedulers[at].factory)
		if err != nil {
			return nil, err
		}
		return checks.Named(t, "-contract "+record.Quote(text)+" "+s.Name), nil
	}
	return s, nil
}
