package table

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/spec/record"
)

func written(t *testing.T, x *record.Execution) string {
	t.Helper()
	var b strings.Builder
	if err := Write(&b, x); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestSuiteLeftOut: steps of the suite are no rows. What threads have come to is, and why threads were switched is said where a reader sees that they
// were.
func TestSuiteLeftOut(t *testing.T) {
	step := func(thread int, text, why string) record.Step {
		return record.Step{Thread: thread, Text: text, Switch: why}
	}
	suite := func(thread int, why string) record.Step {
		return record.Step{Thread: thread, Text: "#1.Add", Switch: why, Suite: true}
	}
	x := &record.Execution{
		Threads: []string{"T0", "T1", "T2"},
		Steps: []record.Step{
			suite(0, ""), step(0, "a.Lock", ""), suite(1, "T0 could go on"), step(1, "b.Lock", ""), suite(2, "T1 has to wait"), step(1, "b.Unlock", "T2 has ended"),
			step(1, "c.Lock", ""), step(0, "a.Unlock", "T1 has ended"), step(0, "d.Lock", "a word of its own"),
		},
		Notes: []record.Note{{Behind: -1, Thread: 0, Text: "submits task 0"}, {Behind: 2, Thread: 1, Text: "task 0 begins"}},
	}
	want := `step  T0              T1
      submits task 0
   1  a.Lock
      -- T0 could go on
                      task 0 begins
   3                  b.Lock
   5                  b.Unlock
   6                  c.Lock
      -- T1 has ended
   7  a.Unlock
      -- a word of its own
   8  d.Lock
`
	if got := written(t, x); got != want {
		t.Errorf("expected\n%s\nsaw\n%s", want, got)
	}
}

// TestRounds: what comes again and again is shown once, and how often it comes; the last row always.
func TestRounds(t *testing.T) {
	x := &record.Execution{Threads: []string{"T0", "T1"}, Steps: []record.Step{{Text: "x.Load = 0"}}}
	for i := range 100 {
		x.Steps = append(x.Steps, record.Step{Thread: 1, Text: "p.mu.Lock", Line: 5}, record.Step{Thread: 1, Text: fmt.Sprintf("p.looks.Add %d -> %d", i, i+1), Line: 6}, record.Step{Thread: 1, Text: "p.mu.Unlock", Line: 7})
	}
	want := `step  T0          T1
   0  x.Load = 0
   1              p.mu.Lock            .:5
   2              p.looks.Add 0 -> 1   .:6
   3              p.mu.Unlock          .:7
      ... these 3 rows come 98 times more
 298              p.mu.Lock            .:5
 299              p.looks.Add 99 -> 100  .:6
 300              p.mu.Unlock          .:7
`
	want = strings.NewReplacer("p.looks.Add 0 -> 1   .", "p.looks.Add 0 -> 1     .", "p.mu.Lock            .", "p.mu.Lock              .", "p.mu.Unlock          .", "p.mu.Unlock            .").Replace(want)
	if got := written(t, x); got != want {
		t.Errorf("expected\n%s\nsaw\n%s", want, got)
	}
	// Three rows that are alike are no round: less than that would not be shorter.
	few := &record.Execution{Threads: []string{"T0"}, Steps: []record.Step{{Text: "a"}, {Text: "a"}, {Text: "a"}, {Text: "b"}}}
	if got := written(t, few); strings.Contains(got, "more") || strings.Count(got, "\n") != 5 {
		t.Errorf("expected all rows, saw\n%s", got)
	}
	// Rows that differ in more than numbers, or in their place, are not alike.
	apart := &record.Execution{Threads: []string{"T0", "T1"}}
	for i := range 40 {
		apart.Steps = append(apart.Steps, record.Step{Thread: i / 7 % 2, Text: string(rune('a' + i%26)), Line: 1 + i%3})
	}
	if got := written(t, apart); strings.Contains(got, "more") {
		t.Errorf("expected all rows, saw\n%s", got)
	}
}
