package conformance

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/spindle-go/spindle/spec/record"
)

// The versions that a stream's header carries. Schema is raised when a reader
// of the stream must change, Spec when a requirement is added or changed.
const (
	SuiteVersion    = "0.1.0"
	SpecVersion     = "1"
	ProtocolVersion = 1
	SchemaVersion   = 1
)

// An EventKind names a kind of event.
type EventKind string

// The kinds, in the order in which a stream has them: one header; for each
// target a target event, its checks, each followed by its findings, and its
// requirements; the positive controls; one footer. A stream without a footer
// was cut off.
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

// An Event is one line of the stream that every report is made from.
type Event struct {
	Event       EventKind       `json:"event"`
	Target      string          `json:"target,omitempty"`
	Header      *Header         `json:"header,omitempty"`
	Description *Description    `json:"description,omitempty"`
	Check       string          `json:"check,omitempty"`
	Result      *CheckResult    `json:"result,omitempty"`
	Finding     *record.Finding `json:"finding,omitempty"`
	Requirement *RequirementRow `json:"requirement,omitempty"`
	Footer      *Footer         `json:"footer,omitempty"`
	Text        string          `json:"text,omitempty"` // progress; what a target says while it is made
}

// Header says what ran where.
type Header struct {
	Suite      string    `json:"suite"`
	Spec       string    `json:"spec"`
	Protocol   int       `json:"protocol"`
	Schema     int       `json:"schema"`
	Go         string    `json:"go"`
	OS         string    `json:"os"`
	Arch       string    `json:"arch"`
	CPUs       int       `json:"cpus"`
	GOMAXPROCS int       `json:"gomaxprocs"`
	Seed       uint64    `json:"seed"`
	Budget     string    `json:"budget"`
	Select     string    `json:"select,omitempty"`
	Strict     bool      `json:"strict,omitempty"`
	Begin      time.Time `json:"begin"`
	// RecorderNs is what recording adds to one call, in nanoseconds, measured.
	RecorderNs int64 `json:"recorder_ns"`
}

// CheckResult is how one check ended.
type CheckResult struct {
	Witness      string         `json:"witness"`
	Requirements []string       `json:"requirements"`
	Verdict      Verdict        `json:"verdict"`
	Plan         string         `json:"plan"`
	Scenarios    int            `json:"scenarios"`
	Calls        int            `json:"calls"`
	Executions   int            `json:"executions,omitempty"` // of the explorer
	States       int64          `json:"states,omitempty"`     // of a machine
	Note         string         `json:"note,omitempty"`       // what the explorer certifies
	Seen         map[string]int `json:"seen,omitempty"`       // observations
	Reason       string         `json:"reason,omitempty"`
	Complete     bool           `json:"complete,omitempty"`
	Elapsed      time.Duration  `json:"elapsed_ns"`
}

// RequirementRow is the verdict on one requirement for one target.
type RequirementRow struct {
	ID      string   `json:"id"`
	Level   string   `json:"level"`
	Verdict Verdict  `json:"verdict"`
	Checks  []string `json:"checks,omitempty"`
	Calls   int      `json:"calls,omitempty"` // judged, over all its checks
	States  int64    `json:"states,omitempty"`
	Reason  string   `json:"reason,omitempty"`
}

// Footer ends the stream with counts that add up: Requirements is the sum of
// Counts, over all targets.
type Footer struct {
	Verdict      Verdict        `json:"verdict"`
	Exit         int            `json:"exit"`
	Targets      int            `json:"targets"`
	Checks       int            `json:"checks"`
	Requirements int            `json:"requirements"`
	Counts       map[string]int `json:"counts"`
	Findings     int            `json:"findings"`
	Reasons      []string       `json:"reasons,omitempty"`
	Elapsed      time.Duration  `json:"elapsed_ns"`
}

// WriteEvents returns a sink that writes each event as a line of JSON, and a
// function that returns the first error of writing: an event that was not
// written is a report that is not whole.
func WriteEvents(w io.Writer) (sink func(Event), err func() error) {
	var failed error
	enc := json.NewEncoder(w)
	return func(e Event) {
			if failed != nil || e.Event == ProgressEvent {
				return
			}
			if err := enc.Encode(e); err != nil {
				failed = fmt.Errorf("conformance: write events: %w", err)
			}
		}, func() error {
			return failed
		}
}
