package source

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
)

// Result is what the explorer says of a program.
type Result struct {
	Outcomes []Final // of the executions that came to their end
	Report   interleave.Report
	Text     string // of the report
	Err      string
}

func Test(t *testing.T) {
	payload, err := harness.Remote(t, func() ([]byte, error) {
		all := make([]Result, len(bodies))
		for i, body := range bodies {
			all[i] = explore(body)
		}
		return json.Marshal(all)
	})
	if err != nil {
		t.Fatal(err)
	}
	if payload == nil {
		return
	}
	if err := os.WriteFile("results.json", payload, 0o644); err != nil {
		t.Fatal(err)
	}
}

func explore(body func(*interleave.Exec, map[Final]bool)) (r Result) {
	seen := make(map[Final]bool)
	report, err := interleave.Explore(func(x *interleave.Exec) { body(x, seen) },
		interleave.Exhaustive(), interleave.Executions(400), interleave.Steps(150))
	if err != nil {
		r.Err = err.Error()
	}
	for f := range seen {
		r.Outcomes = append(r.Outcomes, f)
	}
	r.Report = report
	r.Text = r.Report.Text("")
	r.Report.Execution = nil
	return r
}
