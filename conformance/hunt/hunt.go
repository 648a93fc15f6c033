// Package hunt looks for the first fault of many mutants of one design, a queue or a scheduler, one after the
// other in one process, which must be an instrumented one that has the mutants in its
// code (package mutants/operators). Jobs and results are files, so that nothing is lost
// when a mutant takes the process with it: whoever started it notes that, and starts
// another, which goes on behind it.
//
//interleave:off
package hunt

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/mutants/operators/chosen"
	"github.com/spindle-go/spindle/spec"
)

// Var is the environment variable that names the folder of a job.
const Var = "SPINDLE_INTERNAL_HUNT"

// What the folder of a job has.
const (
	jobFile = "job.json"
	// Results has a line of JSON for each beginning and each result: see Line.
	Results = "results.ndjson"
)

// A Job is a hunt.
type Job struct {
	Design  string       `json:"design"`
	Numbers []int        `json:"numbers"` // of the mutants, in order; 0 is the code as it was
	Limits  suite.Limits `json:"limits"`
	Alone   Alone        `json:"alone"`

	dir string
}

// Alone bounds what no count of executions bounds: one execution.
type Alone struct {
	Time   time.Duration `json:"time_ns"` // in which this process was awake; 0: 3 seconds
	Memory uint64        `json:"memory"`  // bytes of the heap; 0: a gibibyte
}

// A Line is one line of the results.
type Line struct {
	Number int  `json:"number"`
	Begin  bool `json:"begin,omitempty"` // the mutant's turn begins; else it is over
	// Died says that the process ended in this mutant's turn.
	Died bool `json:"died,omitempty"`
	// Took is the time of the search, in seconds.
	Took float64 `json:"took,omitempty"`
	suite.Searched
}

// Save writes the job to a folder for Load. The folder has no results then.
func (j *Job) Save(dir string) error {
	text, err := json.MarshalIndent(j, "", "  ")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, jobFile), append(text, '\n'), 0o666)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, Results), nil, 0o666)
	}
	if err != nil {
		return fmt.Errorf("hunt: %w", err)
	}
	return nil
}

// Load reads the job of a folder.
func Load(dir string) (*Job, error) {
	text, err := os.ReadFile(filepath.Join(dir, jobFile))
	if err != nil {
		return nil, fmt.Errorf("hunt: %w", err)
	}
	j := &Job{dir: dir}
	if err := json.Unmarshal(text, j); err != nil {
		return nil, fmt.Errorf("hunt: %s: %w", jobFile, err)
	}
	return j, nil
}

// Lines reads the results of a folder. A last line without its end is left out: it is
// being written.
func Lines(dir string) ([]Line, error) {
	text, err := os.ReadFile(filepath.Join(dir, Results))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("hunt: %w", err)
	}
	var list []Line
	r := bufio.NewReader(bytes.NewReader(text))
	for {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return list, nil
		}
		var l Line
		if err := json.Unmarshal(line, &l); err != nil {
			return nil, fmt.Errorf("hunt: %s: line %d: %w", Results, len(list)+1, err)
		}
		list = append(list, l)
	}
}

// design returns the job's design, one of list.
func (j *Job) design(list []Design) (*Design, error) {
	at := slices.IndexFunc(list, func(d Design) bool { return d.Name == j.Design })
	if at < 0 {
		return nil, fmt.Errorf("hunt: expected one of %d designs, saw %q", len(list), j.Design)
	}
	return &list[at], nil
}

// Run hunts the mutants of the job's design, one of list, that have no result yet. It
// returns when all have one.
func (j *Job) Run(ctx context.Context, list []Design) error {
	d, err := j.design(list)
	if err != nil {
		return err
	}
	lines, err := Lines(j.dir)
	if err != nil {
		return err
	}
	done := make(map[int]bool)
	for _, l := range lines {
		done[l.Number] = done[l.Number] || !l.Begin
	}
	out, err := os.OpenFile(filepath.Join(j.dir, Results), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return fmt.Errorf("hunt: %w", err)
	}
	defer out.Close()
	g := newGuard(out, j.Alone, d.Crash)
	defer chosen.Set(0)
	search, err := d.open(j.Limits, g.executes)
	if err != nil {
		return err
	}
	for _, n := range j.Numbers {
		if done[n] {
			continue
		}
		if err := g.begin(n); err != nil {
			return err
		}
		chosen.Set(n)
		begin := time.Now()
		l := Line{Number: n}
		limits := j.Limits
		limits.Watch = g.watch
		l.Searched, err = search(ctx, limits)
		if errors.Is(err, suite.ErrHangs) { // and would be taken for a fault of the next one
			g.die(strings.SplitN(err.Error(), "\n", 2)[0])
		}
		chosen.Set(0)
		if err != nil {
			return err
		}
		l.Took = time.Since(begin).Seconds()
		if err := g.end(l); err != nil {
			return err
		}
	}
	return nil
}

// crashed is a result that no requirement but that of crashes speaks of.
func crashed(requirement, scenario, observed string) suite.Searched {
	return suite.Searched{Hit: &suite.Hit{Requirement: requirement, Witness: string(spec.Interleave), Scenario: scenario, Observed: observed}}
}

// Died notes that the process that ran the job has died, and why: whose turn it was has a
// fault. Its error says that it was nobody's turn.
func (j *Job) Died(list []Design, why error) error {
	d, err := j.design(list)
	if err != nil {
		return err
	}
	lines, err := Lines(j.dir)
	if err != nil {
		return err
	}
	if len(lines) == 0 || !lines[len(lines)-1].Begin && !lines[len(lines)-1].Died {
		return fmt.Errorf("hunt: expected a mutant whose turn it was, saw none: %w", why)
	}
	last := lines[len(lines)-1]
	if last.Died {
		return nil // it has said so itself
	}
	out, err := os.OpenFile(filepath.Join(j.dir, Results), os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return fmt.Errorf("hunt: %w", err)
	}
	defer out.Close()
	return write(out, Line{Number: last.Number, Died: true, Searched: crashed(d.Crash, "", "the process died: "+why.Error())})
}

// write writes one line, in one piece.
func write(out *os.File, l Line) error {
	text, err := json.Marshal(l)
	if err == nil {
		_, err = out.Write(append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("hunt: %w", err)
	}
	return nil
}
