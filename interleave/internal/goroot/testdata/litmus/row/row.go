// Package row explores a program of the Go distribution, and says in a line what came of it.
package row

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	dist "example.com/litmus/testing"
	"github.com/spindle-go/spindle/interleave"
	"github.com/spindle-go/spindle/interleave/harness"
)

// Main explores a program that has ended when main has: goroutines that are left may be where they are.
// Reset is called when an execution is over.
func Main(t *testing.T, name string, main, reset func()) {
	explore(t, name, func(x *interleave.Exec) {
		ends(x, "main", main)
		x.Finally(reset)
	})
}

// Test explores a test.
func Test(t *testing.T, name string, f func(*dist.T)) {
	explore(t, name, func(x *interleave.Exec) {
		d := dist.New(x, name)
		ends(x, "test", func() { f(d) })
		x.Finally(func() {
			if d.Skipped() {
				x.Fatalf(skipped)
			}
		})
	})
}

// ends has f run, which must end, and what it starts need not.
func ends(x *interleave.Exec, name string, f func()) {
	ended := make(chan struct{}, 1)
	x.Daemon(name, func() {
		defer func() { ended <- struct{}{} }()
		f()
	})
	x.Go("end", func() { <-ended })
}

// Body explores a body.
func Body(t *testing.T, name string, body func(*interleave.Exec)) { explore(t, name, body) }

// A row is what came of it.
type row struct {
	Name, Says string
	CPU        time.Duration
}

// Steps is how many steps an exploration is to take in all, about; Budget is a bound for those that are slow.
const (
	Steps  = 50_000
	Budget = 2 * time.Second
)

// explore logs the row of body. It explores the less the longer the first executions are.
func explore(t *testing.T, name string, body func(*interleave.Exec)) {
	payload, err := harness.Remote(t, func() ([]byte, error) {
		begin := time.Now()
		r, err := interleave.Explore(body, interleave.Executions(2), interleave.Budget(Budget))
		if c := &r.Certificate; err == nil && r.Failure == nil && c.Ended == "executions" && c.Steps < Steps {
			r, err = interleave.Explore(body, interleave.Executions(max(3, 2*Steps/c.Steps)), interleave.Budget(Budget))
		}
		return json.Marshal(row{name, says(&r, err), time.Since(begin)})
	})
	var r row
	if err == nil {
		err = json.Unmarshal(payload, &r)
	}
	if err != nil {
		r = row{name, "crashes: " + err.Error(), 0}
	}
	text, _ := json.Marshal(r)
	t.Logf("row %s", text)
}

// says words what came of an exploration: complete, doubt, in part, refused or fails.
func says(r *interleave.Report, err error) string {
	c := &r.Certificate
	text := c.String()
	switch {
	case harness.Refused(err), err != nil && strings.HasSuffix(err.Error(), "more than 32 threads"):
		return "refused: " + err.Error()
	case err != nil:
		return "crashes: " + err.Error()
	case r.Failure != nil && strings.HasSuffix(r.Failure.Message, skipped):
		return "skips"
	case r.Failure != nil:
		return "fails: " + r.Text("")
	case c.Complete():
		return text
	case strings.HasPrefix(text, "explored all orders"):
		return "doubt: " + text
	}
	return "in part: " + text
}

const skipped = "the test was skipped"
