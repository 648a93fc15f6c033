package gate

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
)

// SummarySchema is raised when what a summary says has another meaning, or when a
// gate must know more of a run than the summaries of before have.
const SummarySchema = 2

// maxSummary bounds the file of a summary.
const maxSummary = 16 << 20

// A Summary is what later runs are compared with: small enough to be kept, and
// without what differs from run to run.
type Summary struct {
	Schema   int             `json:"schema"`
	Suite    string          `json:"suite"`
	Contract string          `json:"contract"`
	Go       string          `json:"go"`
	OS       string          `json:"os"`
	Arch     string          `json:"arch"`
	Targets  []TargetSummary `json:"targets"`
	Digest   string          `json:"digest"` // of the rest, against damage
}

// A TargetSummary is what a summary says of one target.
type TargetSummary struct {
	Name         string               `json:"name"`
	Version      string               `json:"version"`
	Profile      spec.Profile         `json:"profile"`
	Select       string               `json:"select,omitempty"` // of its stream
	Requirements []RequirementSummary `json:"requirements"`
	Checks       []CheckSummary       `json:"checks"`
}

// A RequirementSummary says where a requirement stands.
type RequirementSummary struct {
	ID           string         `json:"id"`
	Standing     suite.Standing `json:"standing"`
	Complete     bool           `json:"complete,omitempty"`
	Fingerprints []string       `json:"fingerprints,omitempty"`
	Known        []string       `json:"known,omitempty"` // those of them that the list had
}

// A CheckSummary says how a check ended. The counters are those of a check that is
// complete: they are the same in every run of the same code.
type CheckSummary struct {
	Name       string      `json:"name"`
	Ended      suite.Ended `json:"ended"`
	Complete   bool        `json:"complete,omitempty"`
	Executions int         `json:"executions,omitempty"`
	States     int64       `json:"states,omitempty"`
	Scenarios  int         `json:"scenarios,omitempty"`
}

// ErrNoBaseline is wrapped by the error of a run that later ones cannot be compared
// with, and of a summary that says nothing.
var ErrNoBaseline = errors.New("it cannot be a baseline")

// Summary returns the summary of a run. A stream that is not whole or was
// interrupted, one in which the suite did not work, and a part of a run have none.
func (r *Result) Summary() (*Summary, error) {
	no := func(format string, args ...any) (*Summary, error) {
		return nil, fmt.Errorf("gate: %w: %s", ErrNoBaseline, fmt.Sprintf(format, args...))
	}
	switch {
	case r.Footer == nil || r.Header == nil:
		return no("expected a header and a footer, saw a stream that is not whole")
	case r.Interrupted:
		return no("expected a run that came to its end, saw one that was interrupted")
	case r.Header.Shard != "":
		return no("expected a whole run, saw shard %s: merge first", r.Header.Shard)
	case r.Verdict == Error:
		return no("%s", r.Reasons[0])
	}
	for _, t := range r.Targets {
		if t.Description == nil {
			return no("target %s was not open: %s", t.Target, t.Error)
		}
	}
	s := r.summary()
	return s, s.says()
}

// summary returns the summary of a whole stream whose targets were open.
func (r *Result) summary() *Summary {
	h := r.Header
	s := &Summary{
		Schema: SummarySchema, Suite: h.Suite, Contract: h.Contract, Go: h.Go, OS: h.OS, Arch: h.Arch,
	}
	for _, t := range r.Targets {
		s.Targets = append(s.Targets, r.summarize(t))
	}
	s.Digest = s.digest()
	return s
}

func (r *Result) summarize(t *suite.Judged) TargetSummary {
	sum := TargetSummary{Name: t.Target, Version: t.Description.Version, Profile: t.Description.Profile, Select: t.Select}
	for _, d := range r.Decisions {
		if d.Target == t.Target {
			sum.Requirements = append(sum.Requirements, RequirementSummary{
				ID: d.Row.ID, Standing: d.Row.Standing, Complete: d.Row.Complete, Fingerprints: d.Row.Fingerprints, Known: d.known,
			})
		}
	}
	for _, name := range t.Checks {
		res := t.Results[name]
		c := CheckSummary{Name: name, Ended: res.Ended}
		if c.Complete = res.Complete && res.Ended == suite.Completed; c.Complete {
			c.Executions, c.States, c.Scenarios = res.Executions, res.States, res.Scenarios
		}
		sum.Checks = append(sum.Checks, c)
	}
	return sum
}

// says reports whether something can be compared with the summary: each target
// was judged, and is there once.
func (s *Summary) says() error {
	if len(s.Targets) == 0 {
		return fmt.Errorf("gate: %w: expected targets, saw none", ErrNoBaseline)
	}
	names := make(map[string]bool)
	for _, t := range s.Targets {
		judged := false
		for _, q := range t.Requirements {
			judged = judged || q.asked()
		}
		if !judged || len(t.Checks) == 0 {
			return fmt.Errorf("gate: %w: expected requirements of target %q that were checked, saw none", ErrNoBaseline, t.Name)
		}
		if names[t.Name] {
			return fmt.Errorf("gate: %w: target %q twice", ErrNoBaseline, t.Name)
		}
		names[t.Name] = true
	}
	return nil
}

// asked reports whether a check judged the requirement, or set out to.
func (q *RequirementSummary) asked() bool {
	return q.Standing == suite.Kept || q.Standing == suite.Broken || q.Standing == suite.Unknown
}

// target returns what the summary says of a target, or nil.
func (s *Summary) target(name string) *TargetSummary {
	for i := range s.Targets {
		if s.Targets[i].Name == name {
			return &s.Targets[i]
		}
	}
	return nil
}

// requirement returns what the summary says of a requirement of a target, or nil.
func (s *Summary) requirement(target, id string) *RequirementSummary {
	if s == nil {
		return nil
	}
	if t := s.target(target); t != nil {
		return t.requirement(id)
	}
	return nil
}

func (t *TargetSummary) requirement(id string) *RequirementSummary {
	for i := range t.Requirements {
		if t.Requirements[i].ID == id {
			return &t.Requirements[i]
		}
	}
	return nil
}

func (t *TargetSummary) check(name string) *CheckSummary {
	for i := range t.Checks {
		if t.Checks[i].Name == name {
			return &t.Checks[i]
		}
	}
	return nil
}

func (s *Summary) digest() string {
	bare := *s
	bare.Digest = ""
	text, err := json.Marshal(bare)
	if err != nil {
		panic("gate: " + err.Error()) // it has texts and numbers alone
	}
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Write writes the summary as indented JSON: a change of it is read as a diff.
func (s *Summary) Write(w io.Writer) error {
	text, err := json.MarshalIndent(s, "", "\t")
	if err == nil {
		_, err = w.Write(append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("gate: write the baseline: %w", err)
	}
	return nil
}

// ReadSummary reads what Write wrote: all of it, and nothing else. Errors wrap
// suite.ErrSchema, suite.ErrTruncated, suite.ErrDamaged, ErrNoBaseline or the
// reader's.
func ReadSummary(r io.Reader) (*Summary, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxSummary+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("gate: baseline: %w", err)
	case len(text) > maxSummary:
		return nil, fmt.Errorf("gate: baseline: %w: expected at most %d bytes, saw more", suite.ErrDamaged, maxSummary)
	case len(bytes.TrimSpace(text)) == 0:
		return nil, fmt.Errorf("gate: baseline %w: expected a summary, saw nothing", suite.ErrTruncated)
	}
	// The schema first: what another one has besides is no damage.
	var head struct {
		Schema int    `json:"schema"`
		Suite  string `json:"suite"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("gate: baseline: %w: expected JSON: %w", suite.ErrDamaged, err)
	}
	if head.Schema != SummarySchema {
		return nil, fmt.Errorf("gate: baseline: %w: expected %d, saw %d, written by suite %q", suite.ErrSchema, SummarySchema, head.Schema, head.Suite)
	}
	s := new(Summary)
	in := json.NewDecoder(bytes.NewReader(text))
	in.DisallowUnknownFields()
	if err := in.Decode(s); err != nil {
		return nil, fmt.Errorf("gate: baseline: %w: %w", suite.ErrDamaged, err)
	}
	if saw := s.digest(); s.Digest != saw {
		return nil, fmt.Errorf("gate: baseline: %w: it has digest %q, what it says has %q: write it with -update, not by hand", suite.ErrDamaged, s.Digest, saw)
	}
	return s, s.says()
}
