package frames

import (
	"regexp"
	"runtime/debug"
	"testing"
)

type ring struct{ slots []int }

func (r *ring) get(i int) int { return r.slots[i] }

// stackOf returns the stack of the panic of f.
func stackOf(f func()) (stack string) {
	defer func() {
		recover()
		stack = string(debug.Stack())
	}()
	f()
	return ""
}

// TestAtPanic: the place is where the program went wrong, be it by the runtime, or by a panic of its own.
func TestAtPanic(t *testing.T) {
	t.Attr("req", "RQ-CRASH")
	var none *ring
	for name, f := range map[string]func(){
		"an index":    func() { new(ring).get(3) },
		"a nil":       func() { none.get(3) },
		"a panic":     func() { panic("closed") },
		"a lock":      func() { close((chan int)(nil)) },
		"a recovered": func() { func() { defer func() { recover() }(); panic("first") }(); panic("second") },
	} {
		if got := AtPanic(stackOf(f)); !regexp.MustCompile(`^ at frames\.(\(\*ring\)\.get|TestAtPanic\.func[0-9]+) \(frames_test\.go:[0-9]+\)$`).MatchString(got) {
			t.Errorf("%s: saw %q", name, got)
		}
	}
	for _, other := range []string{"", "Traceback (most recent call last):", "panic(", "goroutine 1 [running]:\npanic({0x1, 0x2})\n\t/panic.go:1\n"} {
		if got := AtPanic(other); got != "" {
			t.Errorf("%q: expected nothing, saw %q", other, got)
		}
	}
	if got := AtPanic(stackOf(func() { panic("x") })); got == "" {
		t.Error("expected a place, saw none")
	}
}
