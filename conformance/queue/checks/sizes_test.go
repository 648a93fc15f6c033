package checks

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
)

// roomy is a queue that says that it holds so many.
type roomy struct {
	simple
	holds int
}

func (q *roomy) Cap() int { return q.holds }

// TestSizes: a factory is held to the capacities that its contract names.
func TestSizes(t *testing.T) {
	t.Attr("req", sizesID)
	power := func(n int) bool { return n > 0 && n&(n-1) == 0 }
	every := func(n int) bool { return n > 0 }
	factory := func(has func(int) bool, gives func(int) int) queue.Factory {
		return func(o queue.Options) (queue.Set, error) {
			if o.Capacity != 0 && !has(o.Capacity) {
				return nil, fmt.Errorf("no capacity %d", o.Capacity)
			}
			return queue.Single(func() *roomy { return &roomy{holds: gives(o.Capacity)} })(o)
		}
	}
	asked := func(n int) int {
		if n == 0 {
			return 256
		}
		return n
	}
	for name, c := range map[string]struct {
		sizes string
		f     queue.Factory
		want  string
	}{
		"every":                  {spec.EverySize, factory(every, asked), ""},
		"powers":                 {spec.Powers, factory(power, asked), ""},
		"from 2":                 {spec.PowersFromTwo, factory(func(n int) bool { return n > 1 && power(n) }, asked), ""},
		"not judged":             {spec.Unsaid, factory(power, func(int) int { return 256 }), ""},
		"the capacity ignored":   {spec.Powers, factory(power, func(int) int { return 256 }), "queues of capacity 1, where capacity 1 is asked for; queues of capacity 256"},
		"the smallest refused":   {spec.Powers, factory(func(n int) bool { return n > 1 && power(n) }, asked), "queues of capacity 1, where capacity 1 is asked for; an error: "},
		"one too many accepted":  {spec.PowersFromTwo, factory(power, asked), "an error, where capacity 1 is asked for; queues of capacity 1"},
		"every number accepted":  {spec.Powers, factory(every, asked), "an error, where capacity 3 is asked for; queues of capacity 3"},
		"a negative one, too":    {spec.EverySize, factory(func(int) bool { return true }, asked), "an error, where capacity -1 is asked for; queues of capacity -1"},
		"powers alone":           {spec.EverySize, factory(power, asked), "queues of capacity 3, where capacity 3 is asked for; an error: "},
		"a larger one is others": {spec.Powers, factory(power, func(n int) int { return asked(min(n, 4)) }), "queues of capacity 8, where capacity 8 is asked for; queues of capacity 4"},
	} {
		contract := spec.Contract{Order: spec.FirstIn, Sizes: c.sizes}
		profile, err := contract.Profile()
		if err != nil {
			t.Fatal(err)
		}
		target, err := InProcess("roomy", profile, c.f)
		if err != nil {
			t.Fatal(err)
		}
		var saw string
		judged := int64(0)
		err = suite.Run(t.Context(), suite.Options{Sink: func(e suite.Event) {
			switch {
			case e.Event == suite.FindingEvent:
				saw = e.Finding.Expected + "; " + e.Finding.Observed
			case e.Event == suite.CheckEvent:
				judged += e.Result.Judged[sizesID]
			}
		}}, suite.Opened(&suite.Subject{Name: "queue", Checks: []suite.Check{sizesCheck}, NotOffered: notOffered}, target))
		if err != nil {
			t.Fatal(err)
		}
		if c.want == "" && saw != "" || !strings.HasPrefix(saw, c.want) || (judged > 0) != (c.sizes != spec.Unsaid) {
			t.Errorf("%s: saw %q, want %q; %d judged", name, saw, c.want, judged)
		}
	}
}

// TestSizesOfOthers: what cannot be asked is not judged, and says why.
func TestSizesOfOthers(t *testing.T) {
	silent, err := InProcess("silent", "fifo,sizes=every", queue.Single(func() *simple { return new(simple) }))
	if err != nil {
		t.Fatal(err)
	}
	if why := notOffered(silent, sizesID); !strings.Contains(why, "does not say its capacity") {
		t.Errorf("no capacity: %q", why)
	}
	if why := notOffered(pipe{silent, queue.Capabilities{Capacity: 4}}, sizesID); why != notAsked {
		t.Errorf("a child process: %q", why)
	}
}

// TestCapacityIsNeeded: a check of what a full ring does is not carried out where the target does not say when it is full.
func TestCapacityIsNeeded(t *testing.T) {
	for capacity, want := range map[int]string{0: "the target does not say its capacity (Bounded)", 4: ""} {
		c := check{name: "sequence/sized", witness: spec.Sequence, sized: true}
		if why := c.lacks(facts{caps: queue.Capabilities{Capacity: capacity}}); why != want {
			t.Errorf("capacity %d: expected %q, saw %q", capacity, want, why)
		}
	}
}

// TestSampleOfOthers: through a pipe a sample is a third as large, rounded up, and a list is as long as ever.
func TestSampleOfOthers(t *testing.T) {
	for _, c := range []struct {
		kind     string
		complete bool
		want     int
	}{{suite.InProcess, false, 100}, {suite.Child, false, 34}, {suite.Child, true, 100}} {
		of := check{name: "stress/sample", witness: spec.Stress, complete: c.complete, scenarios: 100, each: 100}
		if got := of.forTarget(facts{kind: c.kind}).scenarios; got != c.want {
			t.Errorf("%s, complete %v: expected %d scenarios, saw %d", c.kind, c.complete, c.want, got)
		}
	}
}

// pipe is a target that is no value of this process.
type pipe struct {
	Target
	caps queue.Capabilities
}

func (p pipe) Capabilities() queue.Capabilities { return p.caps }

func (p pipe) Describe() suite.Description {
	d := p.Target.Describe()
	d.Kind = suite.Child
	return d
}
