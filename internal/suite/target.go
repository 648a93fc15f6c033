package suite

import (
	"context"

	"github.com/spindle-go/spindle/spec"
)

// A Target is something to be judged. How it is driven is its subject's business:
// a check asserts the type that it needs.
type Target interface {
	Describe() Description
	// Close ends what the target started.
	Close() error
}

// A Description says what a target is and what it claims.
type Description struct {
	Name    string       `json:"name"`
	Version string       `json:"version"`
	Kind    string       `json:"kind"` // InProcess, Child, Runtime, Machine
	Subject string       `json:"subject"`
	Profile spec.Profile `json:"profile"`
	Offers  []string     `json:"offers,omitempty"` // what it can do, in its subject's words
	// Notes are for people. One that begins with Limit is part of every report.
	Notes []string `json:"notes,omitempty"`
	// Doubts say what of the target no check looks at, and is not known to be right: with any, no
	// verdict on the target is a pass.
	Doubts []string `json:"doubts,omitempty"`
	// Command names the target on the command line, for the commands that show a
	// finding again. Empty: it cannot be named there.
	Command string `json:"command,omitempty"`
	// NotOffered says, by requirement, why the target cannot be judged by it. The
	// engine fills it in.
	NotOffered map[string]string `json:"not_offered,omitempty"`
}

// asked reports whether the target is held to a requirement: it belongs to its profile,
// and what it is about is offered, or must be.
func (d *Description) asked(q *spec.Requirement) bool {
	return q.In(d.Profile) && (d.NotOffered[q.ID] == "" || !q.Optional(d.Profile))
}

// Limit begins a note that says what a pass of the target does not cover.
const Limit = "limit: "

// The kinds of targets.
const (
	InProcess = "in process"
	Child     = "child process"
	Runtime   = "runtime"
	Machine   = "state machines"
)

// A Subject is a kind of thing that can be judged, such as a run queue.
type Subject struct {
	Name     string
	Checks   []Check
	Controls []Control
	// NotOffered says why t cannot be judged by a requirement, or "". Nil: every
	// target can be judged by all of its profile.
	NotOffered func(t Target, requirement string) string
	// Notes says what else people should know of how t is judged. It may be nil.
	Notes func(t Target) []string
}

// A Source is a target still to be opened.
type Source struct {
	Name    string
	Subject *Subject
	// Open may take long. It gives progress a line now and then.
	Open func(ctx context.Context, progress func(string)) (Target, error)
	// Known are the failures that whoever wrote the target knows of.
	Known []Known
}

// Opened is the source of a target that exists already.
func Opened(s *Subject, t Target) Source {
	return Source{Name: t.Describe().Name, Subject: s, Open: func(context.Context, func(string)) (Target, error) { return t, nil }}
}

// A Known failure is a requirement that a target is known to break, with the place
// where that is written down.
type Known struct {
	// Fingerprint is that of the findings: all of it, or its first elements:
	// "RQ-FIFO" covers every finding of that requirement, "RQ-FIFO/get" some.
	Fingerprint string `json:"fingerprint"`
	Target      string `json:"target"`
	From        string `json:"from,omitempty"` // the first version, as go1.23; empty: any
	To          string `json:"to,omitempty"`   // the last version; empty: any
	URL         string `json:"url"`            // an https URL, or a page of the repository
	Reason      string `json:"reason"`
	// Check is the one check that sees it, if there is but one: where that was not
	// carried out, nobody expects to see it.
	Check string `json:"check,omitempty"`
}
