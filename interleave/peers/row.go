package main

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/spindle-go/spindle/interleave/peers/fixture"
)

// A mode is what is asked of an explorer.
type mode string

const (
	exhaust   mode = "exhaust" // every execution that it sees a need for
	random    mode = "random"  // random ones until the limit, or a finding
	hunt      mode = "bug"     // what it has for hunting bugs, until a finding
	ourselves      = "spindle"
)

// A row is what came out of one run of one explorer. Up to the empty line it is
// what the Rust side prints.
type row struct {
	Tool       string  `json:"tool"`
	Mode       mode    `json:"mode"`
	Script     string  `json:"script"`
	Thieves    int     `json:"thieves"`
	Steals     int     `json:"steals"`
	Capacity   int     `json:"capacity"`
	Bug        string  `json:"bug"`
	Executions int     `json:"executions"`
	Seconds    float64 `json:"seconds"`  // of wall time, without the start of the process
	Complete   bool    `json:"complete"` // an exhaustive search came to its own end
	Found      bool    `json:"found"`
	Finding    string  `json:"finding"` // in the explorer's words

	CPU  float64 `json:"cpu"`            // seconds, of all threads, with the start of the process
	Seed uint64  `json:"seed,omitempty"` // of random and bug
	Size string  `json:"size,omitempty"` // of the script of a hunt

	// Of ours alone.
	Runs     int     `json:"runs,omitempty"`     // of which the times are means
	Switches int     `json:"switches,omitempty"` // of the finding, when shrunk
	Shrink   float64 `json:"shrink,omitempty"`   // seconds of wall time for that
}

// newRow has what is known beforehand.
func newRow(tool string, m mode, s fixture.Script) row {
	return row{
		Tool: tool, Mode: m, Bug: s.Bug.String(),
		Script: s.Owner, Thieves: s.Thieves, Steals: s.Steals, Capacity: s.Capacity,
	}
}

// parseRow reads a line of the Rust side, and holds it against what was asked.
func parseRow(line []byte, asked row) (row, error) {
	got := asked
	if err := json.Unmarshal(line, &got); err != nil {
		return row{}, fmt.Errorf("read %q: %w", line, err)
	}
	want := asked
	want.Executions, want.Seconds, want.CPU = got.Executions, got.Seconds, got.CPU
	want.Complete, want.Found, want.Finding = got.Complete, got.Found, got.Finding
	if got != want {
		return row{}, fmt.Errorf("answered about %+v, asked was %+v", got, asked)
	}
	return got, nil
}

// rate is executions per second of wall time.
func (r row) rate() float64 {
	if r.Seconds == 0 {
		return 0
	}
	return float64(r.Executions) / r.Seconds
}

// cpuRate is executions per second of CPU time, as text: of a run too short to
// tell, there is none.
func (r row) cpuRate() string {
	if r.CPU*float64(max(1, r.Runs)) < 0.04 {
		return "-"
	}
	return fmt.Sprintf("%.0f", float64(r.Executions)/r.CPU)
}

// starved reports whether others had the core for much of the run.
func (r row) starved() bool { return r.Seconds > 0.5 && r.CPU < 0.9*r.Seconds }

// name is what -only looks at: "loom exhaust PPGPG 2x1", and for a hunt
// "shuttle bug slots-after-cas small".
func (t task) name() string {
	if t.size != "" {
		return fmt.Sprintf("%s %s %v %s", t.tool, t.mode, t.script.Bug, t.size)
	}
	return fmt.Sprintf("%s %s %v", t.tool, t.mode, t.script)
}

// A task is one run of one explorer.
type task struct {
	tool   string
	mode   mode
	script fixture.Script
	size   string // of a hunt, otherwise empty
	limit  time.Duration
	seed   uint64
}
