package drive_test

import (
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/scheduler"
	"github.com/spindle-go/spindle/conformance/scheduler/drive"
	"github.com/spindle-go/spindle/conformance/target/sched"
	"github.com/spindle-go/spindle/spec/record"
)

// shortSlices is a fair scheduler that says that a time slice is over every 10 µs.
type shortSlices struct {
	scheduler.Scheduler
	began time.Time
}

func (s shortSlices) SlicesOver() uint64 {
	return uint64(time.Since(s.began) / (10 * time.Microsecond))
}

// TestShortSlices: a task that sleeps waits for nobody, however many time slices are over. Without this rule the run would be taken for one in
// which tasks that make each other ready keep another waiting.
func TestShortSlices(t *testing.T) {
	t.Attr("req", "FA-READY")
	g := record.TaskGraph{Name: "a pair beside one that sleeps", Workers: 2, Outside: []string{"s0 s1 s2"}, Tasks: []string{"t0", "t0", "z500000 a0"}}
	p, err := g.Program()
	if err != nil {
		t.Fatal(err)
	}
	run, err := drive.Run(t.Context(), func(workers int) scheduler.Scheduler {
		return shortSlices{sched.New(workers), time.Now()}
	}, p, drive.Options{Bound: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if text := strings.Join(run.Lines(), "\n"); run.Stalls() {
		t.Errorf("expected that the pair is waited for until the third task has slept, saw\n%s", text)
	}
}
