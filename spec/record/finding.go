package record

import "strings"

// A Finding is one broken requirement with its evidence, as data: no report and no
// gate has to read prose.
type Finding struct {
	Requirement string `json:"requirement"` // an id of spec.Requirements
	Witness     string `json:"witness"`     // which witness saw it
	// Fingerprint is the same whenever the same fault is seen in the same way,
	// whatever the seed: elements separated by slashes, the first of them the
	// requirement, the others from coarse to fine, such as "RQ-FIFO/get".
	Fingerprint string     `json:"fingerprint"`
	Expected    string     `json:"expected"`
	Observed    string     `json:"observed"`
	Evidence    []Evidence `json:"evidence,omitempty"`
	Again       []Again    `json:"again,omitempty"`
}

// An Evidence is one thing that shows a finding.
type Evidence struct {
	Kind EvidenceKind `json:"kind"`
	// Lines are in the text form of the subject, which its reader parses again.
	Lines []string `json:"lines,omitempty"`
	// Marks are the numbers, from 0, of the lines that show what is wrong, as far as that is known.
	Marks []int `json:"marks,omitempty"`
	// Execution is the run step by step, where the witness controls the threads.
	Execution *Execution `json:"execution,omitempty"`
}

// An EvidenceKind says what a piece of evidence is.
type EvidenceKind string

// The kinds of evidence.
const (
	// Calls are a line each, "T1 steal P0->P1 = 7 [5..8]": the thread, what was called
	// and returned, and the stamps of call and return.
	Calls EvidenceKind = "calls"
	// Sights are what was seen of the run of a task graph, a line each, in order.
	Sights EvidenceKind = "events"
	// Left is what was left at the end.
	Left EvidenceKind = "left"
	// Goroutines are those that were left, a line for all that are at one place.
	Goroutines EvidenceKind = "goroutines"
	// Steps is an Execution.
	Steps EvidenceKind = "steps"
	// Asked is the scenario that was run, in its text form.
	Asked EvidenceKind = "scenario"
)

// An Again is one way to see a finding again.
type Again struct {
	Kind    AgainKind `json:"kind"`
	Command string    `json:"command"`           // of a shell
	File    string    `json:"file,omitempty"`    // what the command reads, as it was kept
	Environ []string  `json:"environ,omitempty"` // NAME=value, to be set for it
}

// An AgainKind says what a command does.
type AgainKind string

// The ways to see a finding again.
const (
	RunAgain   AgainKind = "run"   // runs the target again
	JudgeAgain AgainKind = "judge" // judges what was recorded
)

// String returns the command with its environment in front, as a shell takes it.
func (a Again) String() string { return strings.Join(append(a.Environ, a.Command), " ") }

// Execution returns the steps that the finding carries, or nil.
func (f *Finding) Execution() *Execution {
	for _, e := range f.Evidence {
		if e.Kind == Steps {
			return e.Execution
		}
	}
	return nil
}

// Covers reports whether a fingerprint pattern, all of a fingerprint or its first
// elements, fits the finding.
func (f *Finding) Covers(pattern string) bool {
	rest, ok := strings.CutPrefix(f.Fingerprint, pattern)
	return ok && pattern != "" && (rest == "" || rest[0] == '/')
}
