package suite

import (
	"context"
	"fmt"
	"maps"
	"math"
	"runtime/debug"
	"slices"

	"github.com/spindle-go/spindle/spec"
)

// A Check has one witness judge a target. It is a value that can carry itself out.
type Check struct {
	Name    string // "witness/what"
	Doc     string // what is run, in one sentence
	Witness spec.Witness
	// Requirements are those that the check would see broken. A target is judged
	// by those of its profile that it offers.
	Requirements []string
	// When says for which contracts the check is meant; nil: for all targets.
	When []spec.Condition
	// Sample says that the plan is a sample of what there is: it is never complete.
	Sample bool
	// Told says that the target itself explores what is judged: no check of a Go value.
	Told bool
	// Parallel says that the result does not depend on what else runs: such checks, in
	// a row, share the processors.
	Parallel bool
	// Plan says what will be done to t.
	Plan func(t Target) Plan
	// Run carries the plan out. It goes on after a finding. When ctx ends it
	// returns at once, and what it did not do is inconclusive.
	Run func(ctx context.Context, t Target, k *Task) Outcome
}

// A Plan is what a check will do to one target.
type Plan struct {
	Text string // "60 scenarios, 1000 steals"
	// Lacks says why the check cannot be carried out on the target: it is skipped.
	Lacks string
	// Elsewhere: the check is carried out by other means than this run, such as go
	// test where the source is. It is left out.
	Elsewhere bool

	panicked string // in place of all that
}

// plan is Plan. Its panic is an error of the suite, and of this check alone: carry
// tells it.
func (c *Check) plan(t Target) (p Plan) {
	defer func() {
		if v := recover(); v != nil {
			p = Plan{panicked: fmt.Sprintf("suite: the plan of check %s panicked: %v\n%s", c.Name, v, debug.Stack())}
		}
	}()
	return c.Plan(t)
}

// Fits reports whether the check is meant for targets of profile p.
func (c *Check) Fits(p spec.Profile) bool { return p.Fulfils(c.When) }

// Judges returns the check's requirements that d is judged by.
func (c *Check) Judges(d *Description) []string {
	var ids []string
	for _, id := range c.Requirements {
		if r, err := spec.Lookup(id); err == nil && r.In(d.Profile) && d.NotOffered[id] == "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// A Control is a check on something that is wrong on purpose: one of Falls must be
// found.
type Control struct {
	Check Check
	What  string // what is wrong
	Falls []string
	// With says that it is judged only where its check was carried out, and not with every
	// check of its witness.
	With bool
	Open func() (Target, error)
}

// Ended says how a check ended. What it found is another question.
type Ended string

// The ends of a check.
const (
	Completed    Ended = "completed"    // the plan was carried out
	Inconclusive Ended = "inconclusive" // it was not: budget, bound, or an observation that never came
	Skipped      Ended = "skipped"      // the target lacks what the check needs
	Error        Ended = "error"        // the suite, or the target's harness, did not work
)

// An Outcome is how one check ended.
type Outcome struct {
	Ended  Ended  `json:"ended"`
	Reason string `json:"reason,omitempty"`
	// At is the number, from 1, of the scenario at which the check ended before its plan, or 0. Processes that share a check may end at different
	// ones, for different reasons.
	At int `json:"at,omitempty"`
	// Judged counts, for each requirement, the calls or states that were judged
	// and that it is about. A requirement with none is not kept.
	Judged map[string]int64 `json:"judged,omitempty"`
	// Cut says, for requirements, why the plan was not carried out for them,
	// though the check went on to its end.
	Cut map[string]string `json:"cut,omitempty"`
	// Absent says, for requirements of which nothing was judged although the plan was carried out, why that is no fault: by its contract the
	// target need not do what they are about.
	Absent map[string]string `json:"absent,omitempty"`
	// Complete says that the plan is all there is, no sample: what the check finds
	// and counts is the same in every run.
	Complete bool `json:"complete,omitempty"`
	// Again says that the check tries what failed before, and nothing else. It can
	// break a requirement, or leave it unknown; it keeps none.
	Again      bool           `json:"again,omitempty"`
	Scenarios  int            `json:"scenarios,omitempty"`
	Calls      int            `json:"calls,omitempty"`
	Executions int            `json:"executions,omitempty"` // of the explorer
	States     int64          `json:"states,omitempty"`     // of a machine
	Seen       map[string]int `json:"seen,omitempty"`       // what had to be seen, and how often it was
	Note       string         `json:"note,omitempty"`       // what the explorer certifies
}

// Join adds what another process reports of the same check, of which each has carried out
// a part: the whole has ended as one process would have that carries out all.
func (r *Result) Join(p *Result) {
	if p.decides(r) {
		r.Ended, r.Reason, r.At = p.Ended, p.Reason, p.At
	}
	r.Complete = r.Complete && p.Complete
	r.Scenarios, r.Calls, r.Executions, r.States = r.Scenarios+p.Scenarios, r.Calls+p.Calls, r.Executions+p.Executions, r.States+p.States
	r.Elapsed = max(r.Elapsed, p.Elapsed)
	r.Judged, r.Seen = sum(r.Judged, p.Judged), sum(r.Seen, p.Seen)
	r.Cut, r.Absent = union(r.Cut, p.Cut), union(r.Absent, p.Absent)
}

// union returns what a and b say; of what both say, b's.
func union(a, b map[string]string) map[string]string {
	if len(b) == 0 {
		return a
	}
	c := make(map[string]string)
	maps.Copy(c, a)
	maps.Copy(c, b)
	return c
}

// decides reports whether a check whose parts have ended as p and r has ended as p. As a rule the worse of the two decides. But a process that
// skips, or comes to no verdict, would not have gone on to later scenarios: then the part that ended at the first scenario decides.
func (p *Result) decides(r *Result) bool {
	a, stopsA := p.stopsAt()
	if b, stopsB := r.stopsAt(); stopsA && stopsB && a != b {
		return a < b
	}
	worse := []Ended{Completed, Skipped, Inconclusive, Error}
	return slices.Index(worse, p.Ended) > slices.Index(worse, r.Ended)
}

// stopsAt is the place at which a check ended that skips, or comes to no verdict. A check that comes to no verdict as a whole ended before all
// scenarios, and one that is not offered behind them.
func (r *Result) stopsAt() (at int, stops bool) {
	switch {
	case r.Ended == Skipped && r.At == 0:
		return math.MaxInt, true
	case r.Ended == Skipped || r.Ended == Inconclusive:
		return r.At, true
	}
	return 0, false
}

func sum[N int | int64](a, b map[string]N) map[string]N {
	if len(b) == 0 {
		return a
	}
	c := maps.Clone(b)
	for k, n := range a {
		c[k] += n
	}
	return c
}
