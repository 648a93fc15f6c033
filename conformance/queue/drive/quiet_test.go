package drive

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/spec/record"
)

// crowded has two owners of P0 and a thief, with calls before their scripts and after.
var crowded = record.Scenario{
	Name: "quiet", Ps: 1, Shared: true, Before: "T0:pp T2:s T1:p", After: "T1:p T0:g T2:e T0:p",
	Threads: []record.Thread{{P: 0, Script: "pg", Repeat: 40}, {P: 0, Script: "p", Repeat: 40}, {P: record.None, Script: "s", Repeat: 40}},
}

// phases holds that the quiet calls of a history come first and last, in their order, one
// after another, and each thread's Gs in the order of their numbers.
func phases(t *testing.T, h *record.History) {
	t.Helper()
	if err := h.Answers(); err != nil {
		t.Errorf("expected the calls of the scenario, saw %v", err)
	}
	var words []string
	for i := range h.Ops {
		words = append(words, fmt.Sprintf("T%d %v", h.Ops[i].Thread, h.Ops[i].Kind))
	}
	first, last := []string{"T0 put", "T0 put", "T2 steal", "T1 put"}, []string{"T1 put", "T0 get", "T2 empty", "T0 put"}
	if n := len(words); n != 168 || !slices.Equal(words[:4], first) || !slices.Equal(words[n-4:], last) {
		t.Errorf("expected %v first and %v last of 168, saw %v", first, last, words)
	}
	next := []record.ID{1, 44, 1 << 20}
	for _, op := range h.Ops {
		for _, id := range op.In {
			if id != next[op.Thread] {
				t.Errorf("%v: expected thread %d to put %d", op, op.Thread, next[op.Thread])
			}
			next[op.Thread] = id + 1
		}
	}
	if next[0] != 44 || next[1] != 86 {
		t.Errorf("expected the threads to put 1 to 43 and 44 to 85, saw the next to be %v", next[:2])
	}
}

// TestQuietCalls: quiet calls come before the threads and after them, where real threads
// run.
func TestQuietCalls(t *testing.T) {
	for range 20 {
		h, err := Run(t.Context(), plain(), crowded)
		if err != nil {
			t.Fatal(err)
		}
		phases(t, h)
	}
}

// TestQuietCallsOfAProgram: and where somebody else runs them, step by step.
func TestQuietCallsOfAProgram(t *testing.T) {
	stamp := int64(0)
	plan, err := Prepare(crowded)
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewProgram(plain(), plan, func() int64 { stamp++; return stamp })
	if err != nil {
		t.Fatal(err)
	}
	if stamp != 0 {
		t.Errorf("expected the clock to stand while nobody runs, saw %d", stamp)
	}
	for i := range crowded.Threads {
		p.Thread(i)
	}
	now := stamp
	h, err := p.History()
	if err != nil || stamp != now {
		t.Fatalf("expected the clock to stand while nobody runs, saw %d after %d, %v", stamp, now, err)
	}
	for i, op := range h.Ops {
		quiet := map[bool]string{op.Return < 0: "before", op.Call >= Later: "after"}[true]
		want := ""
		if i < 4 {
			want = "before"
		} else if i >= len(h.Ops)-4 {
			want = "after"
		}
		if quiet != want {
			t.Errorf("call %d, %v: expected it %q, saw it %q", i, op, want, quiet)
		}
		h.Ops[i].Call -= 2 * earlier // a history's stamps begin with 1
		h.Ops[i].Return -= 2 * earlier
	}
	phases(t, h)
}

// TestQuietCrash: what dies at a quiet moment is a crash, as in a thread, and nothing
// comes after it.
func TestQuietCrash(t *testing.T) {
	s := record.Scenario{Name: "crash", Ps: 1, Threads: []record.Thread{{P: 0, Script: "p"}}}
	f := queue.Single(func() queue.Queue { return &locked{hook: func() { panic("no get today") }} })
	for before, calls := range map[bool]int{true: 2, false: 3} {
		s.Before, s.After = "", "T0:pgp"
		if before {
			s.Before, s.After = "T0:pgp", "T0:p"
		}
		h, err := Run(context.Background(), f, s)
		plan, err2 := Prepare(s)
		if err2 != nil {
			t.Fatal(err2)
		}
		p, err2 := NewProgram(f, plan, func() int64 { return 1 })
		if err2 == nil {
			p.Thread(0)
			_, err2 = p.History()
		}
		for _, err := range []error{err, err2} {
			var crash *queue.CrashError
			if !errors.As(err, &crash) || crash.Op.Kind != record.Get || crash.Text != "no get today" {
				t.Errorf("before %v: expected a crash, saw %v", before, err)
			}
		}
		if h == nil || len(h.Ops) != calls {
			t.Errorf("before %v: expected %d calls, saw %+v", before, calls, h)
		}
	}
}

// TestQuietCallThatItLacks: what cannot be called is said before anything runs.
func TestQuietCallThatItLacks(t *testing.T) {
	s := record.Scenario{Name: "lacks", Ps: 1, Threads: []record.Thread{{P: 0, Script: "p"}}}
	for _, text := range []*string{&s.Before, &s.After} {
		*text = "T0:pn"
		if _, err := Run(t.Context(), plain(), s); err == nil || !strings.Contains(err.Error(), "put next needs RunNext, which the target does not offer") {
			t.Errorf("%+v: expected an error that names RunNext, saw %v", s, err)
		}
		*text = ""
	}
}
