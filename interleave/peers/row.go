package main

import (
	"encoding/json"
	"fmt"
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
	Runs       int     `json:"runs"`       // of the search in the process, of which the times are means
	Executions int     `json:"executions"` // of one search
	Seconds    float64 `json:"seconds"`    // of wall time, without the start of the process
	Complete   bool    `json:"complete"`   // an exhaustive search came to its own end
	Found      bool    `json:"found"`
	Finding    string  `json:"finding"` // in the explorer's words

	CPU      float64 `json:"cpu"`               // seconds, of all threads, with the start of the process
	Seed     uint64  `json:"seed,omitempty"`    // of random and bug
	Size     string  `json:"size,omitempty"`    // of the script of a hunt
	Program  string  `json:"program,omitempty"` // of the literature, in place of a script
	Attempts int     `json:"attempts"`          // processes, of which the one with the least CPU is shown
	Earlier  bool    `json:"earlier,omitempty"` // measured earlier, elsewhere

	// Of ours alone.
	Classes  int     `json:"classes,omitempty"`  // executions that were not broken off
	Switches int     `json:"switches,omitempty"` // of the finding, when shrunk
	Shrink   float64 `json:"shrink,omitempty"`   // seconds of wall time for that
}

// newRow has what is known beforehand.
func newRow(t task) row {
	s := t.Script
	return row{
		Tool: t.Tool, Mode: t.Mode, Bug: s.Bug.String(), Program: t.Program, Size: t.Size, Seed: t.Seed,
		Script: s.Owner, Thieves: s.Thieves, Steals: s.Steals, Capacity: s.Capacity,
	}
}

// parseRow reads what a process has printed, and holds it against what was asked.
func parseRow(line []byte, asked row) (row, error) {
	got := asked
	if err := json.Unmarshal(line, &got); err != nil {
		return row{}, fmt.Errorf("read %q: %w", line, err)
	}
	want := got
	want.Tool, want.Mode, want.Bug, want.Program, want.Size, want.Seed = asked.Tool, asked.Mode, asked.Bug, asked.Program, asked.Size, asked.Seed
	want.Script, want.Thieves, want.Steals, want.Capacity = asked.Script, asked.Thieves, asked.Steals, asked.Capacity
	if got != want {
		return row{}, fmt.Errorf("answered about %+v, asked was %+v", got, asked)
	}
	if got.Runs < 1 {
		return row{}, fmt.Errorf("expected at least one run; observed %+v", got)
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
func (r row) starved() bool { return !r.Earlier && r.Seconds > 0.5 && r.CPU < 0.9*r.Seconds }
