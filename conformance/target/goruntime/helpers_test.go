package goruntime

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec/record"
)

// newTarget makes a target that ends with the test.
func newTarget(t *testing.T, o Options) *Target {
	t.Helper()
	if o.Timeout == 0 {
		o.Timeout = 60 * time.Second
	}
	o.Log = t.Output()
	x, err := New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x
}

func run(t *testing.T, x *Target, s record.Scenario) *record.History {
	t.Helper()
	h, err := x.Run(t.Context(), s)
	if err != nil {
		t.Fatalf("scenario %+v: %v", s, err)
	}
	return h
}

// otherGo returns the go command of another version, which the go command at
// hand may have to download.
func otherGo(t *testing.T, v string) string {
	t.Helper()
	tier.NotShort(t)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", "env", "GOROOT")
	cmd.Dir = t.TempDir()
	cmd.Env = append(without(os.Environ(), map[string]string{"GOROOT": ""}), "GOTOOLCHAIN="+v)
	out, err := cmd.CombinedOutput()
	if err != nil {
		if tier.Required("toolchains") {
			t.Fatalf("SPINDLE_REQUIRE asks for toolchains, and %s cannot be had: %v\n%s", v, err, out)
		}
		t.Skipf("%s cannot be had here: %v: %s", v, err, firstLines(string(out), 3))
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return filepath.Join(lines[len(lines)-1], "bin", "go")
}

// conserved checks that every id that was put came out once or is still there,
// and returns how many went through the global queue.
func conserved(t *testing.T, h *record.History) int {
	t.Helper()
	s := h.Scenario
	total, global := int(s.FirstID(len(s.Threads)))-1, 0
	seen := make([]int, total+1)
	count := func(ids ...record.ID) {
		for _, id := range ids {
			if id == 0 || id > uint64(total) {
				t.Fatalf("id %d came out, of 1 to %d", id, total)
			}
			seen[id]++
		}
	}
	for _, op := range h.Ops {
		count(op.Out...)
		for _, m := range op.Moved {
			if m.To.Object == record.Global {
				global += len(m.IDs)
			}
		}
		if op.Kind == record.GlobalPut {
			global++
		}
	}
	for _, p := range h.Final.Ps {
		if p.Runnext != 0 {
			count(p.Runnext)
		}
		count(p.Ring...)
	}
	count(h.Final.Global...)
	for id, n := range seen[1:] {
		if n != 1 {
			t.Fatalf("id %d came out %d times, want once", id+1, n)
		}
	}
	return global
}

// balanced checks the moves: for each P and for the global queue, every id
// leaves as often as it came, or is there at the end. The order of the calls
// does not matter for that.
func balanced(t *testing.T, h *record.History) {
	t.Helper()
	type at struct {
		p  int
		id record.ID
	}
	in := make(map[at]int)
	add := func(p, n int, ids ...record.ID) {
		for _, id := range ids {
			if in[at{p, id}] += n; in[at{p, id}] == 0 {
				delete(in, at{p, id})
			}
		}
	}
	of := func(p record.Place) int { return p.P } // None is the global queue
	for _, op := range h.Ops {
		to := op.P
		if op.Kind == record.GlobalPut {
			to = record.None
		}
		for _, m := range op.Moved {
			if op.Kind == record.Put { // an overflow: the new G goes along
				to = record.None
			}
			if of(m.From) != of(m.To) {
				add(of(m.From), -1, m.IDs...)
				add(of(m.To), +1, m.IDs...)
			}
		}
		add(to, +1, op.In...)
		from := op.P
		if op.Kind == record.GlobalGet {
			from = record.None
		}
		add(from, -1, op.Out...)
	}
	for p, c := range h.Final.Ps {
		if c.Runnext != 0 {
			add(p, -1, c.Runnext)
		}
		add(p, -1, c.Ring...)
	}
	add(record.None, -1, h.Final.Global...)
	for k, n := range in {
		t.Fatalf("P%d (-1: the global queue), id %d: entered %+d times more often than it left (%d such)", k.p, k.id, n, len(in))
	}
}

// inOrder makes a scenario of two Ps from calls such as "0p 1s0".
func inOrder(calls string) record.Scenario {
	s := record.Scenario{Name: calls, Ps: 2, Threads: []record.Thread{{P: 0}, {P: 1}}, Snapshot: true}
	for _, c := range strings.Fields(calls) {
		var thread int
		fmt.Sscanf(c[:1], "%d", &thread)
		s.Threads[thread].Script += c[1:] + " "
		s.Order = append(s.Order, thread)
	}
	return s
}

func times(n int, call string) string { return strings.Repeat(call+" ", n) }

// ids returns from, from+1, ..., to.
func ids(from, to record.ID) (out []record.ID) {
	for id := from; id <= to; id++ {
		out = append(out, id)
	}
	return out
}
