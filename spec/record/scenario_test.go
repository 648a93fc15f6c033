package record

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestParseScript(t *testing.T) {
	ins, err := ParseScript("p n b3 g\ts0r e l2 d m16 q")
	if err != nil {
		t.Fatal(err)
	}
	var back strings.Builder
	for _, in := range ins {
		back.WriteString(in.String())
	}
	if want := "pnb3gs0rel2dm16q"; back.String() != want {
		t.Errorf("%q, want %q", back.String(), want)
	}
	for _, bad := range []string{"x", "p1", "g0", "s99999999", "b65537", "ß", "3"} {
		if _, err := ParseScript(bad); !errors.Is(err, ErrFormat) {
			t.Errorf("%q: %v, want an error that wraps ErrFormat", bad, err)
		}
	}
}

func TestScenarioCheck(t *testing.T) {
	good := Scenario{Name: "good", Ps: 2, Capacity: 4, Threads: []Thread{{P: 0, Script: "pg"}, {P: 1, Script: "s0"}, {P: None, Script: "se"}}, Order: []int{0, 1, 0, 2}, Snapshot: true}
	if err := good.Check(); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*Scenario){
		"saw 0":                               func(s *Scenario) { s.Ps = 0 },
		"saw -1":                              func(s *Scenario) { s.Capacity = -1 },
		"saw 65537":                           func(s *Scenario) { s.Capacity = 65537 },
		"no threads":                          func(s *Scenario) { s.Threads = nil },
		"both own P0":                         func(s *Scenario) { s.Threads[1].P = 0 },
		"saw 7":                               func(s *Scenario) { s.Threads[1].P = 7 },
		"owns no P":                           func(s *Scenario) { s.Threads[2].Script = "p" },
		"its own P1":                          func(s *Scenario) { s.Threads[1].Script = "s1" },
		"P2 does not exist":                   func(s *Scenario) { s.Threads[1].Script = "s2" },
		"the letters pnbgsrdelqmtc, saw 'z':": func(s *Scenario) { s.Threads[0].Script = "z" },
		"names thread 3":                      func(s *Scenario) { s.Order = []int{3} },
		"more calls than its script":          func(s *Scenario) { s.Order = []int{1, 1} },
		"snapshot without order":              func(s *Scenario) { s.Order = nil },
		"repeat is -1":                        func(s *Scenario) { s.Threads[0].Repeat = -1 },
		"Gs put":                              func(s *Scenario) { s.Threads[0] = Thread{Script: "b65536", Repeat: 1025} },
		"T0:SCRIPT, saw \"0:p\"":              func(s *Scenario) { s.Order, s.Snapshot, s.Before = nil, false, "0:p" },
		"T0:SCRIPT, saw \"T01:p\"":            func(s *Scenario) { s.Order, s.Snapshot, s.Before = nil, false, "T0:p T01:p" },
		"T0:SCRIPT, saw \"T-1:p\"":            func(s *Scenario) { s.Order, s.Snapshot, s.After = nil, false, "T-1:p" },
		"T0:SCRIPT, saw \"T0\"":               func(s *Scenario) { s.Order, s.Snapshot, s.After = nil, false, "T0" },
		"after: record: script offset 1":      func(s *Scenario) { s.Order, s.Snapshot, s.After = nil, false, "T0:px" },
		"names thread 4 of 3":                 func(s *Scenario) { s.Order, s.Snapshot, s.Before = nil, false, "T4:e" },
		"quiet calls beside an order":         func(s *Scenario) { s.Before = "T0:p" },
		"but its script has":                  func(s *Scenario) { s.Order, s.Snapshot, s.After = nil, false, "T2:g" },
		"P9 does not exist":                   func(s *Scenario) { s.Order, s.Snapshot, s.After = nil, false, "T2:e9" },
		"steals from its own P1":              func(s *Scenario) { s.Order, s.Snapshot, s.Before = nil, false, "T1:s1" },
		`get-miss: expected a value of that choice, saw "Beside!"`: func(s *Scenario) { s.GetMiss = "Beside!" },
		"more than": func(s *Scenario) { s.Threads[0].Repeat = maxCalls },
	} {
		s := good
		s.Threads = append([]Thread{}, good.Threads...)
		change(&s)
		if err := s.Check(); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// Several threads may own a P only where the scenario says so.
func TestShared(t *testing.T) {
	s := Scenario{Name: "shared", Ps: 1, Threads: []Thread{{P: 0, Script: "p"}, {P: None, Script: "s"}, {P: 0, Script: "g"}}}
	if err := s.Check(); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "threads 0 and 2 both own P0") {
		t.Errorf("expected that two owners are refused, saw %v", err)
	}
	s.Shared = true
	if err := s.Check(); err != nil {
		t.Errorf("expected that two owners are allowed, saw %v", err)
	}
}

// The calls at quiescent moments are the thread's: they count, and their Gs are its own.
func TestQuietCallsCount(t *testing.T) {
	s := Scenario{Ps: 1, Threads: []Thread{{P: 0, Script: "pg", Repeat: 3}, {P: None, Script: "s"}, {P: None, Script: ""}}, Before: "T0:pb2 T1:s T0:g", After: "T0:p T2:qq"}
	for i, want := range []struct{ calls, puts, first int }{{10, 7, 1}, {2, 0, 8}, {2, 2, 8}} {
		if s.Calls(i) != want.calls || s.Puts(i) != want.puts || s.FirstID(i) != ID(want.first) {
			t.Errorf("thread %d: expected %+v, saw %d calls, %d puts, from %d", i, want, s.Calls(i), s.Puts(i), s.FirstID(i))
		}
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	s.Before = "T0:b65536"
	s.Threads[0] = Thread{P: 0, Script: "b65536", Repeat: 1023}
	if err := s.Check(); err == nil || !strings.Contains(err.Error(), "Gs put") {
		t.Errorf("expected too many Gs, saw %v", err)
	}
}

func TestParseQuiet(t *testing.T) {
	list, err := ParseQuiet(" T0:pb3  T12:s0\tT0: T0:g ")
	want := []QuietCall{{0, Instr{Put, -1}}, {0, Instr{PutBatch, 3}}, {12, Instr{Steal, 0}}, {0, Instr{Get, -1}}}
	if err != nil || !reflect.DeepEqual(list, want) {
		t.Errorf("expected %v, saw %v, %v", want, list, err)
	}
	if list, err := ParseQuiet(" "); err != nil || list != nil {
		t.Errorf("expected nothing, saw %v, %v", list, err)
	}
}

func TestIDsAreDense(t *testing.T) {
	s := Scenario{Ps: 2, Threads: []Thread{{P: 0, Script: "pnb3g", Repeat: 2}, {P: 1, Script: "qb"}}}
	if s.Puts(0) != 10 || s.Puts(1) != 2 || s.FirstID(0) != 1 || s.FirstID(1) != 11 || s.Calls(0) != 8 {
		t.Errorf("puts %d and %d, first ids %d and %d, calls %d", s.Puts(0), s.Puts(1), s.FirstID(0), s.FirstID(1), s.Calls(0))
	}
}

func TestHistoryThroughJSON(t *testing.T) {
	h := History{
		Scenario: Scenario{Name: "x", Ps: 2, Start: 1<<32 - 1, Threads: []Thread{{P: 0, Script: "p"}, {P: None, Script: "s", Repeat: 3}}},
		Capacity: 4, Clock: ClockTime, Moves: true,
		Ops: []Op{
			{Kind: PutBatch, In: []ID{1, 2}, Count: 2, OK: true, Call: 1, Return: 2},
			{Thread: 1, Kind: Steal, Thief: None, Out: []ID{1}, OK: true, Call: 1, Return: 5, Moved: []Move{{Place{Ring, 0}, Place{Global, None}, []ID{2}}}},
			{Kind: Get, FromRunnext: true, Out: []ID{1 << 60}, OK: true, Call: 9, After: &Contents{Ps: []PContents{{Runnext: 3, Ring: []ID{4}}}, Global: []ID{5}}},
		},
		Final: Contents{Ps: []PContents{{}, {Ring: []ID{7}}}},
	}
	data, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	var back History
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(h, back) {
		t.Errorf("%+v\ncame back as\n%+v", h, back)
	}
}

func TestOpString(t *testing.T) {
	for want, op := range map[string]Op{
		"T0 put P0 7":                            {Kind: Put, In: []ID{7}, Count: 1, OK: true},
		"T0 put P0 7 = full after 0":             {Kind: Put, In: []ID{7}},
		"T1 steal P0->P1 = 7":                    {Thread: 1, Kind: Steal, Thief: 1, Out: []ID{7}, OK: true},
		"T1 steal P0 = none":                     {Thread: 1, Kind: Steal, Thief: None},
		"T0 get P0 = 7 (runnext)":                {Kind: Get, FromRunnext: true, Out: []ID{7}, OK: true},
		"T0 empty P2 = true":                     {Kind: Empty, P: 2, OK: true},
		"T0 len P0 = 3":                          {Kind: Len, Count: 3},
		"T0 drain P0 = [1 2]":                    {Kind: Drain, Out: []ID{1, 2}, OK: true},
		"T0 get P0 (did not return)":             {Kind: Get, Call: 5},
		"T0 put batch P0 [1 2 3 ... 13, 13 ids]": {Kind: PutBatch, In: []ID{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}, Count: 13, OK: true},
	} {
		if got := op.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
