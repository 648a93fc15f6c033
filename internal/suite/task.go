package suite

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spindle-go/spindle/internal/awake"
	"github.com/spindle-go/spindle/spec/record"
)

// A Task is what a check has of the engine while it is carried out on one target.
type Task struct {
	Check        *Check
	Requirements []string // by which the target is judged
	Seed         record.Seed
	Budget       time.Duration // of the target, for messages

	emit     func(record.Finding)
	progress func(text string)
	keep     func(name string, data []byte) (path string)
	found    map[string]bool // fingerprints
	broken   map[string]bool // requirements
	shown    time.Time
	beside   func() bool // something else of the suite takes memory of this process; nil: nothing does
}

// Long reports whether SPINDLE_LONG=1 asks for more than fits an ordinary run.
func Long() bool { return os.Getenv("SPINDLE_LONG") == "1" }

// maxFindings bounds the findings of one check on one target.
const maxFindings = 32

// Find sends a finding out and reports whether it was sent. A fingerprint that the
// check has found already is left out. Behind the 32nd finding one more is sent for
// each requirement, "RQ-X/more": what is left out is no known failure, unless all
// failures of the requirement are.
func (r *Task) Find(f record.Finding) bool {
	if !f.Covers(f.Requirement) {
		f.Fingerprint = strings.TrimSuffix(f.Requirement+"/"+f.Fingerprint, "/")
	}
	r.broken[f.Requirement] = true
	if r.found[f.Fingerprint] {
		return false
	}
	if len(r.found) >= maxFindings {
		f.Observed = fmt.Sprintf("more than %d findings; one more is %s: %s", maxFindings, f.Fingerprint, f.Observed)
		if f.Fingerprint = f.Requirement + "/more"; r.found[f.Fingerprint] {
			return false
		}
	}
	r.found[f.Fingerprint] = true
	f.Witness = string(r.Check.Witness)
	r.emit(f)
	return true
}

// Found reports whether the check has a finding of this fingerprint already, so
// that nobody need look for better evidence of it.
func (r *Task) Found(fingerprint string) bool { return r.found[fingerprint] }

// Broken reports whether the check has a finding of the requirement.
func (r *Task) Broken(requirement string) bool { return r.broken[requirement] }

// Progress tells people how far the check is, at most five times a second.
func (r *Task) Progress(format string, args ...any) {
	if now := time.Now(); now.Sub(r.shown) >= 200*time.Millisecond {
		r.shown = now
		r.progress(fmt.Sprintf(format, args...))
	}
}

// Keep puts data in a file of that name among the run's and returns its path, or "".
func (r *Task) Keep(name string, data []byte) string {
	if r.keep == nil {
		return ""
	}
	return r.keep(name, data)
}

// Rand returns the source of the check's i-th random choices: the same for the same
// seed, whatever was run before.
func (r *Task) Rand(i int) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(r.Check.Name))
	return rand.New(rand.NewPCG(uint64(r.Seed), h.Sum64()+uint64(i)))
}

// Stopped returns the outcome of a check that the end of ctx kept from its plan:
// done is what it did of it.
func (r *Task) Stopped(ctx context.Context, done string) Outcome {
	cause := context.Cause(ctx)
	why := fmt.Sprintf("%s when %v", done, cause)
	if over := (*awake.Over)(nil); errors.As(cause, &over) {
		why = fmt.Sprintf("%s when the budget of %v ended", done, r.Budget)
	} else if errors.Is(cause, context.Canceled) {
		why = "interrupted after " + done
	}
	return Outcome{Ended: Inconclusive, Reason: why}
}

// carry carries a check out and returns its result. A panic of a check is an error
// of the suite, and of that check alone.
func carry(ctx context.Context, c *Check, t Target, r *Task, plan Plan) (res *Result) {
	begin := time.Now()
	res = &Result{Witness: c.Witness, Requirements: r.Requirements, Plan: plan.Text}
	defer func() {
		if v := recover(); v != nil {
			res.Outcome = Outcome{Ended: Error, Reason: fmt.Sprintf("suite: check %s panicked: %v\n%s", c.Name, v, debug.Stack())}
		}
		res.Elapsed = time.Since(begin)
	}()
	if plan.panicked != "" {
		res.Outcome = Outcome{Ended: Error, Reason: plan.panicked}
		return res
	}
	if plan.Lacks != "" {
		res.Outcome = Outcome{Ended: Skipped, Reason: plan.Lacks}
		return res
	}
	if ctx.Err() != nil {
		res.Outcome = r.Stopped(ctx, "nothing was done")
		return res
	}
	watch := startWatch(c.Name, t, r.beside)
	defer watch.stop()
	res.Outcome = c.Run(ctx, t, r)
	switch res.Ended {
	case Completed, Inconclusive, Skipped, Error:
	default:
		res.Outcome = Outcome{Ended: Error, Reason: fmt.Sprintf("suite: check %s: expected an outcome, saw %q", c.Name, res.Ended)}
	}
	res.judges(r.Requirements)
	return res
}

// judges says by which requirements the target was judged: what the check was not
// asked to judge it may not claim, nor say why nothing came about of it.
func (r *Result) judges(ids []string) {
	r.Requirements = ids
	maps.DeleteFunc(r.Absent, func(id, _ string) bool { return !slices.Contains(ids, id) })
	for id := range r.Judged {
		if !slices.Contains(ids, id) {
			delete(r.Judged, id)
		}
	}
}
