package drive

import (
	"strings"
	"testing"
)

// TestStandOf: a record of the profile of goroutines is read, the frames of the scheduler first.
func TestStandOf(t *testing.T) {
	t.Attr("req", "SC-CLOSE-WORKERS")
	const record = "2 @ 0x47 0x48\n# labels: {\"spindle-run\":\"7\"}\n" +
		"#\t0x46f3a4\tsync.runtime_notifyListWait+0x124\t\t\t/usr/lib/go/src/runtime/sema.go:606\n" +
		"#\t0x4a1000\tsync.(*Cond).Wait+0x8c\t\t\t\t/usr/lib/go/src/sync/cond.go:71\n" +
		"#\t0x4a1b2c\texample.org/pool.(*worker).run+0x8c\t\t/home/user/pool/pool.go:75\n"
	s := standOf(record)
	if got, want := s.String(), "2 goroutines, each at pool.(*worker).run (pool.go:75), sync.runtime_notifyListWait (sema.go:606), sync.(*Cond).Wait (cond.go:71)"; got != want || s.thread {
		t.Errorf("expected %q, saw %q, thread %v", want, got, s.thread)
	}
	in := standOf(strings.Replace(record, "example.org/pool.(*worker).run", "github.com/spindle-go/spindle/conformance/scheduler/drive.(*Program).task.func1", 1))
	if got, want := in.String(), "2 goroutines, each at a task of the suite, "; !strings.HasPrefix(got, want) || in.thread {
		t.Errorf("expected %q, saw %q, thread %v", want, got, in.thread)
	}
	if out := standOf(strings.Replace(record, "example.org/pool.(*worker).run", "github.com/spindle-go/spindle/conformance/scheduler/drive.(*Program).Thread", 1)); !out.thread {
		t.Error("expected that a thread outside is known")
	}
}
