package record

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var global = Place{Global, None}

func TestOpText(t *testing.T) {
	for text, op := range map[string]Op{
		"T0 put P0 7 [1..2]":                               {Kind: Put, Thief: None, In: []ID{7}, Count: 1, OK: true, Call: 1, Return: 2},
		"T0 put P0 7":                                      {Kind: Put, Thief: None, In: []ID{7}, Count: 1, OK: true},
		"T0 put P0 7 = full after 0 [1..2]":                {Kind: Put, Thief: None, In: []ID{7}, Call: 1, Return: 2},
		"T0 put batch P0 [1 2 3] = full after 2 [1..2]":    {Kind: PutBatch, Thief: None, In: []ID{1, 2, 3}, Count: 2, Call: 1, Return: 2},
		"T0 put batch P0 3 = full after -1 [1..2]":         {Kind: PutBatch, Thief: None, In: []ID{3}, Count: -1, Call: 1, Return: 2},
		"T0 put batch P0 [1 2 3] [1..?]":                   {Kind: PutBatch, Thief: None, In: []ID{1, 2, 3}, Call: 1},
		"T0 put next P3 8 [5..6]; P3.runnext->P3.ring 7":   {Kind: PutNext, P: 3, Thief: None, In: []ID{8}, Count: 1, OK: true, Call: 5, Return: 6, Moved: []Move{{Place{Runnext, 3}, Place{Ring, 3}, []ID{7}}}},
		"T12 steal P0->P1 = 7 [5..8]; P0.ring->global 3 4": {Thread: 12, Kind: Steal, Thief: 1, Out: []ID{7}, OK: true, Call: 5, Return: 8, Moved: []Move{{Place{Ring, 0}, global, []ID{3, 4}}}},
		"T1 steal next P0 = none [5..8]":                   {Thread: 1, Kind: StealNext, Thief: None, Call: 5, Return: 8},
		"T1 get P1 = 18446744073709551615 (runnext) [5..8]": {
			Thread: 1, Kind: Get, P: 1, Thief: None, Out: []ID{1<<64 - 1}, OK: true, FromRunnext: true, Call: 5, Return: 8},
		"T1 get P1 [11..?]":                    {Thread: 1, Kind: Get, P: 1, Thief: None, Call: 11},
		"T0 drain P0 = [1 2] [3..4]; then P0":  {Kind: Drain, Thief: None, Out: []ID{1, 2}, OK: true, Call: 3, Return: 4, After: &Contents{Ps: []PContents{{}}}},
		"T0 drain P0 = 1 [3..4]":               {Kind: Drain, Thief: None, Out: []ID{1}, OK: true, Call: 3, Return: 4},
		"T0 empty P0 = true [3..4]":            {Kind: Empty, Thief: None, OK: true, Call: 3, Return: 4},
		"T0 len P0 = -3 [3..4]":                {Kind: Len, Thief: None, Count: -3, OK: true, Call: 3, Return: 4},
		"T0 global put 5 [3..4]":               {Kind: GlobalPut, P: None, Thief: None, In: []ID{5}, Count: 1, OK: true, Call: 3, Return: 4},
		"T0 global put P2 5 [3..4]":            {Kind: GlobalPut, P: 2, Thief: None, In: []ID{5}, Count: 1, OK: true, Call: 3, Return: 4},
		"T0 global get P0 asking for 3 [1..?]": {Kind: GlobalGet, Thief: None, Want: 3, Call: 1},
		"T0 global get P0 asking for 3 = 9 [1..2]; global->P0.ring 4; then P0 runnext 5 ring 1 2, P1, global 6 7": {
			Kind: GlobalGet, Thief: None, Want: 3, Out: []ID{9}, OK: true, Call: 1, Return: 2,
			Moved: []Move{{global, Place{Ring, 0}, []ID{4}}},
			After: &Contents{Ps: []PContents{{Runnext: 5, Ring: []ID{1, 2}}, {}}, Global: []ID{6, 7}}},
	} {
		if got := op.Text(); got != text {
			t.Errorf("%q, want %q", got, text)
		}
		if got, err := ParseOp(text); err != nil || !reflect.DeepEqual(got, op) {
			t.Errorf("%q reads as %+v, %v, want %+v", text, got, err, op)
		}
	}
}

// A long list is cut short for people, and for nobody else.
func TestOpTextIsWhole(t *testing.T) {
	op := Op{Kind: PutBatch, Thief: None, Call: 1, Return: 2, OK: true}
	for range 100 {
		op.In = append(op.In, ID(len(op.In)+1))
	}
	op.Count = 100
	if got, err := ParseOp(op.Text()); err != nil || !reflect.DeepEqual(got, op) {
		t.Errorf("%+v, %v, want %+v", got, err, op)
	}
	if _, err := ParseOp(op.String() + " [1..2]"); !errors.Is(err, ErrFormat) {
		t.Errorf("%q: expected an error, saw %v", op, err)
	}
}

func TestParseOpRefuses(t *testing.T) {
	for _, text := range []string{
		"", "T", "T0", "T0 ", "T0 put", "T0 put P0", "T0 put P0 [7] [1..2]", "T0 put P0 [] [1..2]", "T0 put P0 07 [1..2]", "T0 put P0 7 [1..2] ",
		"T0 put P0 7 [2]", "T0 put P0 7 [0..2]", "T0 put P0 7 [1..9223372036854775808]", "T0 put  P0 7 [1..2]", "t0 put P0 7", "T-1 put P0 7", "T0 put P-1 7",
		"T0 pop P0 7", "T0 putP0 7", "T0 put P0->P1 7", "T0 put P0 7 = 7", "T0 put P0 7 = full [1..2]", "T0 put P0 7 = full after -0", "T0 put P0 18446744073709551616",
		"T0 get P0 [1..2]", "T0 get P0", "T0 get P0 = [1..2]", "T0 get P0 = none (runnext) [1..2]", "T0 get P0 = 7 [1..?]", "T0 get P0->P1 = 7", "T0 get = 7",
		"T0 steal P0-> = 7", "T0 steal P0->1 = 7", "T0 empty P0 = yes", "T0 len P0 = none", "T0 global get P0 = 7", "T0 global get P0 asking for = 7",
		"T0 get P0 = 7 [1..2]; ", "T0 get P0 = 7 [1..2]; P0.ring->P1.ring", "T0 get P0 = 7 [1..2]; P0->P1 3", "T0 get P0 = 7 [1..2]; then ", "T0 get P0 = 7 [1..2]; then P1",
		"T0 get P0 = 7 [1..2]; then P0; global->global 3", "T0 get P0 = 7 [1..2]; then P0 runnext 0", "T0 get P0 = 7 [1..2]; then P0 ring", "T0 get P0 = 7 [1..2]; then P0 ring 1 runnext 2", "T0 get P0 = 7 [1..2]; then global 3",
		"T4294967296 get P0 = 7", "T0 len P0 = 99999999999999999999",
	} {
		if op, err := ParseOp(text); !errors.Is(err, ErrFormat) {
			t.Errorf("%q: expected %v, saw %+v, %v", text, ErrFormat, op, err)
		}
	}
}

const sample = `# A thief meets an owner.
scenario: sample
seed: 9
ps: 2
capacity asked: 4
start: 4294967295
thread P0 x2: p g
thread none: "s0 "
clock: time
capacity: 4
moves: yes

T0 put P0 1 [1..4]
T1 steal P0 = 1 [2..5]; P0.ring->global 3

T0 get P0 = none [6..7]
T0 put P0 2 [8..9]
T0 get P0 [10..?]
final: unknown
`

func TestHistoryText(t *testing.T) {
	h, err := ParseHistory(strings.NewReader(sample))
	if err != nil {
		t.Fatal(err)
	}
	want := &History{
		Scenario: Scenario{Name: "sample", Seed: 9, Ps: 2, Capacity: 4, Start: 1<<32 - 1, Threads: []Thread{{P: 0, Script: "p g", Repeat: 2}, {P: None, Script: "s0 "}}},
		Capacity: 4, Clock: ClockTime, Moves: true,
		Ops: []Op{
			{Kind: Put, Thief: None, In: []ID{1}, Count: 1, OK: true, Call: 1, Return: 4},
			{Thread: 1, Kind: Steal, Thief: None, Out: []ID{1}, OK: true, Call: 2, Return: 5, Moved: []Move{{Place{Ring, 0}, global, []ID{3}}}},
			{Kind: Get, Thief: None, Call: 6, Return: 7},
			{Kind: Put, Thief: None, In: []ID{2}, Count: 1, OK: true, Call: 8, Return: 9},
			{Kind: Get, Thief: None, Call: 10},
		},
	}
	if !reflect.DeepEqual(h, want) {
		t.Errorf("read %+v, want %+v", h, want)
	}
	bare := strings.ReplaceAll(strings.TrimPrefix(sample, "# A thief meets an owner.\n"), "3\n\n", "3\n")
	if h.Text() != bare {
		t.Errorf("printed\n%s\nwant\n%s", h.Text(), bare)
	}
}

// A damaged file is refused, with the number of the line.
func TestParseHistoryRefuses(t *testing.T) {
	for change, want := range map[[2]string]string{
		{"clock: time", "clock: time\nclock: time"}:         "line 10:",
		{"seed: 9", "seed: x"}:                              "line 3:",
		{"seed: 9", "seed:9"}:                               "line 3:",
		{"seed: 9", "salt: 9"}:                              "line 3:",
		{"seed: 9", "seed"}:                                 "line 3:",
		{"ps: 2", "ps: -2"}:                                 "line 4:",
		{"start: 4294967295", "start: 4294967296"}:          "line 6:",
		{"x2: p g", "x: p g"}:                               "line 7:",
		{"x2: p g", `x2: "p g"`}:                            "line 7:",
		{"thread none: ", "thread P9: "}:                    "saw 9",
		{`"s0 "`, `"s0 `}:                                   "line 8:",
		{`"s0 "`, "s0 "}:                                    "line 8:",
		{"clock: time", "clock: sundial"}:                   "sundial",
		{"moves: yes", "moves: no"}:                         "line 11:",
		{"moves: yes", "moves: yes\nsnapshot: yes"}:         "snapshot without order",
		{"T0 put P0 1 [1..4]", "T0 put P0 1 [1..4]x"}:       "line 13:",
		{"T0 get P0 = none", "seed: 1\nT0 get P0 = none"}:   "line 16:",
		{"final: unknown", "final: known"}:                  "line 19:",
		{"final: unknown\n", "final: unknown"}:              "line 19:",
		{"final: unknown\n", ""}:                            "line 19:",
		{"final: unknown", "final: unknown\nfinal: P0, P1"}: "line 20:",
		{"final: unknown", "final: P0"}:                     "1 Ps of 2",
	} {
		text := strings.Replace(sample, change[0], change[1], 1)
		if _, err := ParseHistory(strings.NewReader(text)); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: expected %v with %q, saw %v", change, ErrFormat, want, err)
		}
	}
}

func TestParseHistoryIsBounded(t *testing.T) {
	endless := strings.NewReader(strings.Repeat("\n", MaxText+1))
	if _, err := ParseHistory(endless); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "at most") {
		t.Errorf("expected %v, saw %v", ErrFormat, err)
	}
}

// A history that is printed reads as it was; one that was cut off anywhere does
// not read as another.
func TestHistoryTextProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := drawHistory(t)
		if err := h.Check(); err != nil {
			t.Fatal(err)
		}
		text := h.Text()
		got, err := ParseHistory(strings.NewReader(text))
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if !reflect.DeepEqual(got, h) {
			t.Fatalf("%+v\ncame back as\n%+v\nfrom\n%s", h, got, text)
		}
		cut := text[:rapid.IntRange(0, len(text)-1).Draw(t, "cut")]
		if _, err := ParseHistory(strings.NewReader(cut)); !errors.Is(err, ErrFormat) {
			t.Fatalf("cut off: expected %v, saw %v in\n%s", ErrFormat, err, cut)
		}
		for i := range h.Ops {
			if op, err := ParseOp(h.Ops[i].Text()); err != nil || !reflect.DeepEqual(op, h.Ops[i]) {
				t.Fatalf("%q came back as %+v, %v", h.Ops[i].Text(), op, err)
			}
		}
	})
}
