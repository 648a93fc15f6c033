package record

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// free is a run of free threads whose calls are those that were asked for. T1
// makes room before its steal.
const free = `scenario: free
ps: 2
thread P0 x2: pb2g
thread P1: gs0m3l0q
thread none: s0e
clock: counter

T0 put P0 1 [1..2]
T1 get P1 = none [1..2]
T2 steal P0 = none [1..2]
T0 put batch P0 [2 3] = full after 1 [3..4]
T1 get P1 = 9 [3..4]
T0 get P0 = 9 [5..6]
T1 get P1 = none [5..6]
T0 put P0 4 = full after 0 [7..8]
T1 steal P0->P1 = 9 [7..8]
T0 put batch P0 [5 6] [9..10]
T1 global get P1 asking for 3 = none [9..10]
T0 get P0 = none [11..12]
T1 len P0 = 0 [11..12]
T1 global put 7 [13..14]
T2 empty P0 = true [20..21]
final: P0, P1
`

// ordered is a run in a fixed order, of a part of the scripts.
const ordered = `scenario: ordered
ps: 2
thread P0: pppg
thread P1: s0r0
order: 0 1 0
snapshot: yes
clock: order

T0 put P0 1 [1..2]; then P0 ring 1, P1
T1 steal P0->P1 = 1 [3..4]; then P0, P1
T0 put P0 2 [5..6]; then P0 ring 2, P1
final: P0 ring 2, P1
`

// quiet is a run of two owners of P0 and a thief, with calls before and after.
const quiet = `scenario: quiet
ps: 2
thread P0: pg
thread P0: p
thread P1: s0
before: T0:pp T2:s0g T1:p
after: T2:e0 T0:g T1:b2
shared: yes
clock: counter

T0 put P0 1 [1..2]
T0 put P0 2 [3..4]
T2 get P1 = none [5..6]
T2 steal P0->P1 = 1 [7..8]
T2 get P1 = none [9..10]
T1 put P0 4 [11..12]
T0 put P0 3 [13..18]
T1 put P0 5 [14..17]
T2 steal P0->P1 = 2 [15..16]
T0 get P0 = 4 [19..20]
T2 empty P0 = false [21..22]
T0 get P0 = 3 [23..24]
T1 put batch P0 [6 7] [25..26]
final: P0 ring 5 6 7, P1
`

func answers(t *testing.T, text string) error {
	t.Helper()
	h, err := ParseHistory(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return h.Answers()
}

func TestAnswers(t *testing.T) {
	for _, text := range []string{free, ordered, quiet} {
		if err := answers(t, text); err != nil {
			t.Error(err)
		}
	}
}

// What was not asked for is told from what was, whatever the target says that it
// did.
// TestAnswersAskedAgain: where a get may find nothing although there is something, a thread that makes room asks again.
func TestAnswersAskedAgain(t *testing.T) {
	again := strings.Replace(free, "T1 get P1 = 9 [3..4]", "T1 get P1 = none [3..4]", 1)
	for from, wrong := range map[string]bool{"clock: counter": true, "get-miss: never\nclock: counter": true, "get-miss: beside\nclock: counter": false} {
		h, err := ParseHistory(strings.NewReader(strings.Replace(again, "clock: counter", from, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if err := h.Answers(); (err != nil) != wrong {
			t.Errorf("%q: expected an error: %v, saw %v", from, wrong, err)
		}
	}
}

func TestAnswersRefuses(t *testing.T) {
	for _, c := range []struct{ text, old, new, want string }{
		{free, "T2 empty P0 = true [20..21]\n", "", "expected 2 calls of thread 2, saw 1"},
		{free, "T0 put P0 1 [1..2]\n", "", "expected a put"},
		{free, "T1 get P1 = none [1..2]\nT2 steal P0 = none [1..2]", "T2 steal P0 = none [1..2]\nT2 steal P0 = none [2..2]", "expected a empty"},
		{free, "T2 empty P0 = true [20..21]", "T2 empty P0 = true [20..21]\nT2 empty P0 = true [22..23]", "expected 2 calls of thread 2"},
		{free, "T2 empty P0 = true [20..21]", "T2 empty P1 = true [20..21]", "expected P0"},
		{free, "T2 empty P0 = true [20..21]", "T2 empty P0 [20..?]", "before the final contents"},
		{free, "T1 get P1 = 9 [3..4]", "T1 get P1 = none [3..4]", "after a get that found nothing"},
		{free, "T1 steal P0->P1 = 9", "T1 steal next P0->P1 = 9", "expected a steal"},
		{free, "asking for 3", "asking for 2", "expected it to ask for 3"},
		{free, "put batch P0 [2 3] = full after 1", "put batch P0 2 = full after 0", "expected 2 Gs"},
		{free, "put batch P0 [2 3]", "put batch P0 [3 2]", "expected G 2 where it puts 3"},
		{ordered, "put P0 2", "put P0 3", "expected G 2 where it puts 3"},
		{free, "put batch P0 [2 3] = full after 1", "put batch P0 [2 3] = full after -1", "expected 0 to 2 Gs accepted, saw -1"},
		{free, "put batch P0 [2 3] = full after 1", "put batch P0 [2 3] = full after 3", "expected 0 to 2 Gs accepted, saw 3"},
		{ordered, "T0 put P0 2 [5..6]; then P0 ring 2, P1\n", "", "expected 3 calls, saw 2"},
		{ordered, "T1 steal P0->P1 = 1 [3..4]; then P0, P1\nT0 put P0 2 [5..6]", "T0 put P0 2 [3..4]; then P0, P1\nT1 steal P0->P1 = 1 [5..6]", "expected a call of thread 1"},
		{ordered, "final", "T1 steal next P0->P1 = none [7..8]; then P0 ring 2, P1\nfinal", "expected 3 calls"},
		{ordered, "[5..6]", "[3..6]", "to have returned"},
		{ordered, "T1 steal P0->P1 = 1 [3..4]; then P0, P1", "T1 steal P0->P1 = 1 [3..4]", "the contents after it"},
		{quiet, "T2 get P1 = none [5..6]", "T2 get P1 = none [3..6]", "when all calls before it had returned"}, // two before at once
		{quiet, "T1 put P0 4 [11..12]", "T1 put P0 4 [11..14]", "when all calls before it had returned"},       // a thread's, beside one before
		{quiet, "T0 put P0 3 [13..18]", "T0 put P0 3 [11..18]", "when all calls before it had returned"},
		{quiet, "T2 empty P0 = false [21..22]", "T2 empty P0 = false [19..22]", "when all calls before it had returned"}, // one after, beside a thread's
		{quiet, "T1 put batch P0 [6 7] [25..26]", "T1 put batch P0 [6 7] [23..26]", "when all calls before it had returned"},
		{quiet, "T2 get P1 = none [9..10]\nT1 put P0 4 [11..12]", "T1 put P0 4 [9..10]\nT2 get P1 = none [11..12]", "expected another thread's call at this quiet moment"}, // out of order
		{quiet, "T2 empty P0 = false [21..22]\nT0 get P0 = 3 [23..24]", "T0 get P0 = 3 [21..22]\nT2 empty P0 = false [23..24]", "expected another thread's call at this quiet moment"},
		{quiet, "T1 put P0 4 [11..12]\nT0 put P0 3 [13..18]", "T0 put P0 3 [11..12]\nT1 put P0 4 [13..14]", "expected a call of thread 1 first, before the threads run"},
		{quiet, "T1 put P0 4 [11..12]\n", "", "expected a call of thread 1 first"}, // missing
		{quiet, "T0 put P0 1 [1..2]\n", "", "expected G 1 where it puts 2"},
		{quiet, "T0 get P0 = 3 [23..24]\n", "", "expected another thread's call"},
		{quiet, "T1 put batch P0 [6 7] [25..26]\n", "", "expected 3 calls of thread 1, saw 2"},
		{quiet, "T1 put batch P0 [6 7] [25..26]", "T1 put batch P0 [6 7] [25..26]\nT1 get P0 = none [27..28]", "expected 3 calls of thread 1"}, // one too many
		{quiet, "T2 empty P0 = false", "T2 empty P1 = false", "expected P0"},
		{ordered, "T1 steal P0->P1 = 1 [3..4]; then P0, P1", "T1 get P1 = none [3..4]; then P0, P1", "expected a steal"}, // nobody makes room in a fixed order
	} {
		if !strings.Contains(c.text, c.old) {
			t.Fatalf("there is no %q", c.old)
		}
		if err := answers(t, strings.Replace(c.text, c.old, c.new, 1)); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: expected an error with %q, saw %v", c.new, c.old, c.want, err)
		}
	}
}

// A run that did not come to its end may lack its last calls, and no others.
func TestAnswersOfACutRun(t *testing.T) {
	for _, text := range []string{free, ordered, quiet} {
		head, calls, _ := strings.Cut(text, "\n\n")
		lines := strings.SplitAfter(calls, "\n")
		lines = lines[:len(lines)-2] // the last line ends; the one before it is the final contents
		for n := range lines {
			cut := head + "\n" + strings.Join(lines[:n], "") + "final: unknown\n"
			if err := answers(t, cut); err != nil {
				t.Errorf("cut after %d calls: %v", n, err)
			}
		}
		gap := head + "\n" + strings.Join(lines[1:], "") + "final: unknown\n"
		if err := answers(t, gap); !errors.Is(err, ErrFormat) {
			t.Errorf("without the first call: expected %v, saw %v", ErrFormat, err)
		}
	}
}

// Whatever a target answers to a scenario is told from an answer that lacks a
// call, has one too many, or is to another scenario.
func TestAnswersProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := drawHistory(t)
		if err := h.Answers(); err != nil {
			t.Fatalf("%v in\n%s", err, h.Text())
		}
		if !h.Ended() || len(h.Ops) == 0 {
			return
		}
		i := rapid.IntRange(0, len(h.Ops)-1).Draw(t, "call")
		damaged := *h
		switch op := h.Ops[i]; rapid.SampledFrom([]string{"none", "half", "without", "twice", "another thread"}).Draw(t, "damage") {
		case "none":
			damaged.Ops = nil
		case "half":
			damaged.Ops = h.Ops[:len(h.Ops)/2]
		case "without":
			if op.Kind == Get && h.Scenario.Order == nil {
				return // it may have been there to make room
			}
			damaged.Ops = slices.Delete(slices.Clone(h.Ops), i, i+1)
		case "twice":
			if op.Kind == Get && h.Scenario.Order == nil {
				return
			}
			damaged.Ops = slices.Insert(slices.Clone(h.Ops), i, op)
		case "another thread":
			damaged.Scenario.Threads = append(slices.Clone(h.Scenario.Threads), Thread{P: None, Script: "e"})
			damaged.Scenario.Order = append(slices.Clone(h.Scenario.Order), len(h.Scenario.Threads))
			if h.Scenario.Order == nil {
				damaged.Scenario.Order = nil
			}
		}
		if err := damaged.Answers(); !errors.Is(err, ErrFormat) {
			t.Fatalf("expected %v, saw %v for\n%s", ErrFormat, err, damaged.Text())
		}
	})
}
