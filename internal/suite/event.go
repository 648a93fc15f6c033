package suite

import (
	"time"

	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// The versions that a stream's header carries. Schema is raised when a reader of
// the stream must change, Contract when a requirement is added or changed.
//
// A reader ignores fields that it does not know, at any place. A writer that
// changes what a known field means raises Schema.
const (
	Version  = "0.2.0"
	Contract = "4"
	Schema   = 3
)

// An EventKind names a kind of event.
type EventKind string

// The kinds, in the order in which a stream has them: one header, which names the
// targets; for each a target event, which names its checks, these, each behind its
// findings, and its requirements; the positive controls, which are numbered; one
// footer, which counts. A stream that lacks any of them is not whole (Stream).
const (
	HeaderEvent      EventKind = "header"
	TargetEvent      EventKind = "target"
	ProgressEvent    EventKind = "progress" // never written to a file
	FindingEvent     EventKind = "finding"
	CheckEvent       EventKind = "check"
	RequirementEvent EventKind = "requirement"
	ControlEvent     EventKind = "control"
	FooterEvent      EventKind = "footer"
)

// An Event is one line of the stream that every report, the gate and the kill
// matrix read.
type Event struct {
	Event       EventKind       `json:"event"`
	Target      string          `json:"target,omitempty"`
	Check       string          `json:"check,omitempty"`
	Checks      []string        `json:"checks,omitempty"` // of a target: all that follow, in order
	Header      *Header         `json:"header,omitempty"`
	Description *Description    `json:"description,omitempty"`
	Finding     *record.Finding `json:"finding,omitempty"`
	Result      *Result         `json:"result,omitempty"`
	Requirement *Row            `json:"requirement,omitempty"`
	Control     *Caught         `json:"control,omitempty"`
	Footer      *Footer         `json:"footer,omitempty"`
	Text        string          `json:"text,omitempty"`  // progress; why a target could not be opened
	Ended       Ended           `json:"ended,omitempty"` // of a target that could not be opened: Error or Inconclusive
}

// A Header says what ran where.
type Header struct {
	Schema     int         `json:"schema"`
	Suite      string      `json:"suite"`
	Contract   string      `json:"contract"`
	Go         string      `json:"go"`
	OS         string      `json:"os"`
	Arch       string      `json:"arch"`
	CPUs       int         `json:"cpus"`
	GOMAXPROCS int         `json:"gomaxprocs"`
	Seed       record.Seed `json:"seed"`
	Budget     string      `json:"budget"`  // of each target
	Targets    []string    `json:"targets"` // the names of all sources, in order
	Chosen     string      `json:"chosen"`  // a digest of the names of all checks chosen, those of other shards included
	Select     string      `json:"select,omitempty"`
	Shard      string      `json:"shard,omitempty"` // "2/3"
	Strict     bool        `json:"strict,omitempty"`
	Known      []Known     `json:"known,omitempty"`
	Begin      time.Time   `json:"begin"`
}

// A Result is how one check ended on one target.
type Result struct {
	Witness      spec.Witness  `json:"witness"`
	Requirements []string      `json:"requirements"` // that the target was judged by
	Plan         string        `json:"plan"`
	Elapsed      time.Duration `json:"elapsed_ns"`
	Outcome
}

// A Row is where one requirement stands for one target. It carries the sentence,
// so that a report of an old stream shows the contract of that time.
type Row struct {
	ID       string     `json:"id"`
	Level    spec.Level `json:"level"`
	Sentence string     `json:"sentence"`
	Standing Standing   `json:"standing"`
	Checks   []string   `json:"checks,omitempty"` // that judged it
	Judged   int64      `json:"judged,omitempty"` // calls or states, over all its checks
	Complete bool       `json:"complete,omitempty"`
	// Reason says why the standing is no better. Beside Broken: which check was not
	// carried out, so that there may be more to find.
	Reason string `json:"reason,omitempty"`
	// Fingerprints are those of its findings, sorted, each once.
	Fingerprints []string      `json:"fingerprints,omitempty"`
	Elapsed      time.Duration `json:"elapsed_ns,omitempty"`
}

// Caught says whether a witness saw what is wrong with its control.
type Caught struct {
	Witness spec.Witness    `json:"witness"`
	What    string          `json:"what"`
	Nth     int             `json:"nth"`               // among the subject's controls of this witness, from 1
	Of      int             `json:"of"`                // how many there are
	Finding *record.Finding `json:"finding,omitempty"` // nil: it was missed
	Reason  string          `json:"reason,omitempty"`  // why nothing was found
	Ended   Ended           `json:"ended"`
}

// A Footer ends the stream. It counts the events above, by kind.
type Footer struct {
	Events      map[EventKind]int `json:"events"`
	Interrupted bool              `json:"interrupted,omitempty"`
	Elapsed     time.Duration     `json:"elapsed_ns"`
	// Digest is "sha256:" and the hash of all lines, each with its newline; the
	// footer's own is taken with this field empty. It guards against damage, not
	// against forgery.
	Digest string `json:"digest"`
}
