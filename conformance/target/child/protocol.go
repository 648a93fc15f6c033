// Package child is how a target runs in a process of its own: the program under
// test serves scenarios on its standard input and output, and the suite starts
// it, asks, and survives its death.
//
// Why a process of its own. A violated rule inside the Go runtime is a throw,
// which no recover stops; a queue in another language may corrupt its memory; a
// call that spins for ever cannot be stopped from outside. Each of them is a
// finding about the target and must not take the suite along.
//
// PROTOCOL.md describes what the two say to each other, field by field, with a
// whole exchange and a child in Python; schema.json is the same for programs. A
// program in Go calls Serve. The suite calls Start.
//
// What a child says is never believed before it was checked, and never shown
// before it was escaped. Each wait for it ends with the caller's context, each
// line is bounded by what the question can need, and what it started is ended
// with it.
//
//interleave:off
package child

import (
	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/spec/record"
)

// Version is the version of the protocol. It grows when an old child would be
// misunderstood, or would misunderstand.
const Version = 2

// Queue is the subject of the children that there are so far.
const Queue = "queue"

// The questions.
const (
	Run     = "run"     // run this scenario
	Explore = "explore" // run all its executions; only for a child that explores
)

// A Hello is how a child introduces itself.
type Hello struct {
	Protocol int    `json:"protocol"`
	Subject  string `json:"subject,omitempty"` // what the target is; Queue if empty
	Name     string `json:"name"`              // of the target: letters, digits and . _ + / -
	Version  string `json:"version,omitempty"` // of the target
	Profile  string `json:"profile,omitempty"` // which rules it claims to keep
	// Contract says what the target promises where it differs from its profile: the
	// value of each choice of spec.Choices, by name.
	Contract     map[string]string  `json:"contract,omitempty"`
	Capabilities queue.Capabilities `json:"capabilities"`
	// Explores names what explores all executions of a scenario here, such as loom; empty: nothing does.
	Explores string   `json:"explores,omitempty"`
	Notes    []string `json:"notes,omitempty"` // for people
}

// A Greeting is the first line of a child.
type Greeting struct {
	Hello *Hello `json:"hello"`
}

// A Request is one question.
type Request struct {
	Seq      int              `json:"seq"` // any number from 1 to 2^31-1, another one each time
	Cmd      string           `json:"cmd"`
	Scenario *record.Scenario `json:"scenario,omitempty"`
	// Executions is how many of them are explored at most.
	Executions int `json:"executions,omitempty"`
}

// An Answer is the answer to one question: a history, or a crash with what is
// known of the history, or an error.
type Answer struct {
	Seq     int             `json:"seq"` // the question's
	History *record.History `json:"history,omitempty"`
	Crash   *Crash          `json:"crash,omitempty"`
	Error   string          `json:"error,omitempty"` // why the scenario cannot be run
	// The answer to Explore: the different histories, and the executions that gave them, all that
	// there are or not.
	Histories  []*record.History `json:"histories,omitempty"`
	Executions int               `json:"executions,omitempty"`
	Complete   bool              `json:"complete,omitempty"`
}

// A Crash is a call that panicked, in a child that could go on.
type Crash struct {
	Op    *record.Op `json:"op,omitempty"`
	Text  string     `json:"text"`
	Stack string     `json:"stack,omitempty"`
}

// The most that is shown of a text, in bytes.
const (
	mostText  = 4 << 10
	mostStack = 64 << 10
)
