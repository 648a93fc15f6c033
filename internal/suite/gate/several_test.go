package gate

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/suitetest"
)

// stream is what a run of the target writes, under a name.
func stream(t *testing.T, name string, o suite.Options, change func(*suitetest.Target)) []byte {
	t.Helper()
	target := ref()
	target.Name = name
	if change != nil {
		change(target)
	}
	return suitetest.Encode(suitetest.Run(t.Context(), t, o, target))
}

func together(s *Several, streams ...[]byte) Result {
	for i, text := range streams {
		s.Read(fmt.Sprintf("file%d", i+1), bytes.NewReader(text))
	}
	return s.Result()
}

func twice(t *suitetest.Target) { t.Checks[1].Findings = []string{"RQ-TWICE/steal"} }

// TestSeveralGravest holds of any two streams that the verdict is the graver one, in
// either order, and that nothing is lost that either was red for.
func TestSeveralGravest(t *testing.T) {
	all := runs()
	rng := rand.New(rand.NewPCG(1, 2))
	verdictsSeen := make(map[Verdict]int)
	for range 150 {
		var texts [2][]byte
		var alone [2]Result
		for i := range 2 {
			s := all[rng.IntN(len(all))]
			s.Interrupted = rng.IntN(8) == 0
			if rng.IntN(2) == 0 {
				s.Judged, s.Ended, s.Control, s.Findings = "some", suite.Completed, suitetest.Caught, nil
			}
			events := s.events(t)
			for k := range events {
				if e := &events[k]; e.Target == "tiny" && e.Event != suite.ControlEvent {
					e.Target = fmt.Sprint("tiny", i)
					if e.Description != nil {
						d := *e.Description
						d.Name, e.Description = e.Target, &d
					}
				}
			}
			events[0].Header.Targets = []string{fmt.Sprint("tiny", i)}
			texts[i] = suitetest.Encode(events)
			if rng.IntN(10) == 0 {
				texts[i] = texts[i][:rng.IntN(len(texts[i]))]
			}
			alone[i] = together(new(Several), texts[i])
		}
		for _, order := range [][]int{{0, 1}, {1, 0}} {
			r := together(new(Several), texts[order[0]], texts[order[1]])
			want := alone[0].Verdict
			if slices.Index(verdicts, alone[1].Verdict) > slices.Index(verdicts, want) {
				want = alone[1].Verdict
			}
			verdictsSeen[want]++
			interrupted := alone[0].Interrupted || alone[1].Interrupted
			if r.Verdict != want || r.Interrupted != interrupted || (r.Exit == 0) != (alone[0].Exit == 0 && alone[1].Exit == 0) {
				t.Fatalf("%v and %v (exits %d, %d) give %v, exit %d: %v", alone[0].Verdict, alone[1].Verdict, alone[0].Exit, alone[1].Exit, r.Verdict, r.Exit, r.Reasons)
			}
			for i := range alone {
				for _, reason := range alone[i].Reasons {
					if !slices.ContainsFunc(r.Reasons, func(s string) bool { return strings.HasSuffix(s, reason) }) {
						t.Errorf("the reason %q is lost: %q", reason, r.Reasons)
					}
				}
			}
			if len(r.Decisions) != len(alone[0].Decisions)+len(alone[1].Decisions) {
				t.Errorf("%d decisions of %d and %d", len(r.Decisions), len(alone[0].Decisions), len(alone[1].Decisions))
			}
		}
	}
	for _, v := range []Verdict{Pass, Fail, Inconclusive, Error} {
		if verdictsSeen[v] == 0 {
			t.Errorf("%v was never there: the pairs try nothing", v)
		}
	}
}

func TestSeveral(t *testing.T) {
	a, b := stream(t, "a", suite.Options{Seed: 1}, nil), stream(t, "b", suite.Options{Seed: 2, Select: "RQ-TWICE"}, nil)
	first := together(new(Several), a, b)
	if one, two := together(new(Several), a), together(new(Several), b); first.Footer.Elapsed != one.Footer.Elapsed+two.Footer.Elapsed {
		t.Errorf("expected the time of both, %v and %v, saw %v", one.Footer.Elapsed, two.Footer.Elapsed, first.Footer.Elapsed)
	}
	base, err := first.Summary()
	if err != nil || len(base.Targets) != 2 {
		t.Fatalf("%v, %v", base, err)
	}
	var text bytes.Buffer
	if err := base.Write(&text); err != nil {
		t.Fatal(err)
	}
	if base, err = ReadSummary(&text); err != nil {
		t.Fatal(err)
	}
	known := []suite.Known{{Fingerprint: "RQ-TWICE", Target: "b", URL: "https://example.org/1"}, {Fingerprint: "RQ-LEN", Target: "c", URL: "https://example.org/1"}}
	broken := stream(t, "b", suite.Options{Select: "RQ-TWICE"}, twice)
	for _, c := range []struct {
		name    string
		s       Several
		streams [][]byte
		exit    int
		says    string
		unused  int
	}{
		{name: "no stream", exit: 3, says: "nothing ran"},
		{name: "no stream, with a baseline", s: Several{Base: base}, exit: 3, says: "nothing ran"},
		{name: "the same", s: Several{Base: base}, streams: [][]byte{b, a}},
		{name: "one is missing", s: Several{Base: base}, streams: [][]byte{b}, exit: 1, says: "a: disappeared"},
		{name: "one more", s: Several{Base: base}, streams: [][]byte{b, a, stream(t, "c", suite.Options{}, nil)}},
		{name: "one more that is wrong", s: Several{Base: base}, streams: [][]byte{b, a, stream(t, "c", suite.Options{}, twice)}, exit: 1, says: "c: RQ-TWICE is newly broken"},
		{name: "worse", s: Several{Base: base}, streams: [][]byte{a, broken}, exit: 1, says: "b: RQ-TWICE is newly broken"},
		{name: "worse, as is known", s: Several{Base: base, Known: known}, streams: [][]byte{a, broken}, unused: 1},
		{name: "known, in no stream", s: Several{Known: known[1:]}, streams: [][]byte{a, b}, unused: 1},
		{name: "twice", s: Several{Base: base}, streams: [][]byte{a, b, a}, exit: 4, says: `file3: expected each target in one stream, saw "a" in two`},
		{name: "another selection", s: Several{Base: base}, streams: [][]byte{a, stream(t, "b", suite.Options{}, nil)}, exit: 4, says: "expected selection of b"},
		{name: "cut off", s: Several{Base: base}, streams: [][]byte{a, b[:len(b)-9]}, exit: 4, says: "file2: the stream is not whole"},
		{name: "empty", s: Several{Base: base}, streams: [][]byte{{}, a}, exit: 4, says: "file1: the stream is not whole"},
		{name: "another toolchain", streams: [][]byte{a, toolchain(t, b)}, exit: 4, says: `saw "go1.25.1"`},
		{name: "a shard", s: Several{Part: true}, streams: [][]byte{a, stream(t, "b", suite.Options{Shard: suite.Shard{I: 1, N: 2}}, nil)}, exit: 4, says: `expected shard ""`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := together(&c.s, c.streams...)
			if r.Exit != c.exit || !strings.Contains(strings.Join(r.Reasons, "\n"), c.says) || len(r.Unused) != c.unused || (r.Exit == 0) != (len(r.Reasons) == 0) {
				t.Errorf("expected exit %d with %q, saw %d: %q, unused %v", c.exit, c.says, r.Exit, r.Reasons, r.Unused)
			}
			if _, err := r.Summary(); (err == nil) != (r.Exit < 3) {
				t.Errorf("exit %d, summary: %v", r.Exit, err)
			}
		})
	}
}

// toolchain has a stream be that of another toolchain.
func toolchain(t *testing.T, text []byte) []byte {
	events, err := suitetest.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	events[0].Header.Go = "go1.25.1"
	return suitetest.Encode(events)
}

// TestSeveralStrict: what is strict is the stream that lacks something.
func TestSeveralStrict(t *testing.T) {
	lacks := func(t *suitetest.Target) { t.NotOffered = map[string]string{"RQ-LOST": "it has none"} }
	strict := suite.Options{Strict: true}
	for _, c := range []struct {
		a, b suite.Options
		exit int
	}{{exit: 0}, {a: strict, exit: 0}, {b: strict, exit: 3}} {
		if r := together(new(Several), stream(t, "a", c.a, nil), stream(t, "b", c.b, lacks)); r.Exit != c.exit || r.Verdict != Partial {
			t.Errorf("%v, %v: exit %d, %s", c.a.Strict, c.b.Strict, r.Exit, r.Verdict)
		}
	}
}
