// Package child is how a target runs in a process of its own: the program under
// test serves scenarios on its standard input and output, and the suite starts
// it, asks, and survives its death.
//
// Why a process of its own. A violated rule inside the Go runtime is a throw,
// which no recover stops; a queue in another language may corrupt its memory; a
// call that spins for ever cannot be stopped from outside. Each of them is a
// finding about the target and must not take the suite along.
//
// # The protocol
//
// Lines of JSON, one object each, in UTF-8. The child speaks first:
//
//	{"hello":{"protocol":1,"name":"go","version":"go1.26.8","capabilities":{...}}}
//
// Then the suite asks and the child answers, one question at a time:
//
//	{"seq":1,"cmd":"probe"}
//	{"seq":1,"capabilities":{...}}
//	{"seq":2,"cmd":"run","scenario":{...}}
//	{"seq":2,"history":{...}}
//	{"seq":3,"cmd":"run","scenario":{...}}
//	{"seq":3,"error":"queue: scenario ... needs Drainer, which the target does not offer"}
//	{"seq":4,"cmd":"run","scenario":{...}}
//	{"seq":4,"crash":{"text":"index out of range","stack":"..."},"history":{...}}
//
// An answer carries the question's seq. A scenario is a record.Scenario and a
// history a record.History, in their JSON forms. A child ends when its input
// does. It may write what it likes to its standard error; the suite shows the
// beginning of it when the child dies. A child that dies, answers out of turn
// or is silent for too long is ended, and a new one is started for the next
// scenario.
//
// A program in Go calls Serve. The suite calls Start.
//
//interleave:off
package child

import (
	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/spec/record"
)

// Version is the version of the protocol. It grows when an old child would be
// misunderstood, or would misunderstand.
const Version = 1

// The questions.
const (
	Probe = "probe" // what can you do?
	Run   = "run"   // run this scenario
)

// A Hello is how a child introduces itself.
type Hello struct {
	Protocol     int                `json:"protocol"`
	Name         string             `json:"name"`              // of the target
	Version      string             `json:"version,omitempty"` // of the target
	Profile      string             `json:"profile,omitempty"` // which rules it claims to keep
	Capabilities queue.Capabilities `json:"capabilities"`
	// Random says that the target shuffles on purpose: order is not promised.
	Random bool     `json:"random,omitempty"`
	Notes  []string `json:"notes,omitempty"` // for people
}

// A Request is one question.
type Request struct {
	Seq      int              `json:"seq"`
	Cmd      string           `json:"cmd"`
	Scenario *record.Scenario `json:"scenario,omitempty"`
}

// An Answer is the answer to one question. Without Error and Crash the question
// was answered.
type Answer struct {
	Hello        *Hello              `json:"hello,omitempty"` // in the first line only
	Seq          int                 `json:"seq"`
	Capabilities *queue.Capabilities `json:"capabilities,omitempty"`
	History      *record.History     `json:"history,omitempty"`
	Crash        *Crash              `json:"crash,omitempty"`
	Error        string              `json:"error,omitempty"`
}

// A Crash is a call that panicked, in a child that could go on.
type Crash struct {
	Op    *record.Op `json:"op,omitempty"`
	Text  string     `json:"text"`
	Stack string     `json:"stack,omitempty"`
}
