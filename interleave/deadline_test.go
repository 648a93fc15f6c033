package interleave

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/interleave/atomic"
	"github.com/spindle-go/spindle/interleave/internal/settings"
)

// late is a test whose deadline is near. It keeps how it failed.
type late struct {
	testing.TB
	failed string
}

func (*late) Deadline() (time.Time, bool) { return time.Now().Add(200 * time.Millisecond), true }

func (l *late) Fatalf(format string, args ...any) { l.failed += fmt.Sprintf(format, args...) }

// TestDeadline: an exploration that the deadline of its test ends is inconclusive, whatever
// bound it was given, and says so. It is neither a pass nor a panic.
func TestDeadline(t *testing.T) {
	body := func(x *Exec) {
		var words [3]atomic.Int64
		for i := range 3 {
			x.Go(fmt.Sprint(i), func() {
				for range 9 {
					for k := range words {
						words[k].Add(int64(i))
					}
				}
			})
		}
	}
	for name, opts := range map[string][]Option{
		"no bound": nil, "time": {Budget(time.Hour)}, "executions": {Executions(1 << 40)}, "preemptions": {Preemptions(-1)}, "by chance": {Random(), Budget(time.Hour)},
	} {
		l := &late{TB: t}
		o := settings.Of(opts)
		out := explored(l, body, o)
		out.show(l, &o, false)
		if !strings.HasPrefix(l.failed, "interleave: inconclusive: the deadline of the test, go test -timeout, was near: not complete (ended by the caller): ") {
			t.Errorf("%s: saw %q", name, l.failed)
		}
	}
}
