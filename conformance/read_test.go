package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// stream returns the events of a short run.
func stream(t *testing.T) []byte {
	t.Helper()
	target, err := InProcess("control", spec.FIFO, WrongRing())
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	sink, failed := WriteEvents(&b)
	if _, err := Run(t.Context(), Options{Seed: 1, Select: "^sequence/order$", Sink: sink}, Opened(target)); err != nil {
		t.Fatal(err)
	}
	if err := failed(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestReadEventsGivesBackWhatWasWritten(t *testing.T) {
	written := stream(t)
	var b bytes.Buffer
	sink, _ := WriteEvents(&b)
	f, err := ReadEvents(bytes.NewReader(written), sink)
	if err != nil {
		t.Fatal(err)
	}
	if f.Exit != ExitFail || f.Findings == 0 {
		t.Errorf("expected a footer with findings and exit %d, saw %+v", ExitFail, f)
	}
	if !bytes.Equal(b.Bytes(), written) {
		t.Errorf("expected the same events, saw\n%s\ninstead of\n%s", b.Bytes(), written)
	}
}

// However a stream is cut off, it does not read as a whole one.
func TestReadEventsAnyPrefixIsAnError(t *testing.T) {
	written := stream(t)
	for n := range len(written) - 1 {
		_, err := ReadEvents(bytes.NewReader(written[:n]), func(Event) {})
		if !errors.Is(err, ErrTruncated) {
			t.Fatalf("the first %d bytes of %d: expected %v, saw %v", n, len(written), ErrTruncated, err)
		}
	}
}

func TestReadEventsAnyLineMissingIsAnError(t *testing.T) {
	lines := strings.SplitAfter(string(stream(t)), "\n")
	for i, line := range lines {
		if line == "" || strings.Contains(line, `"event":"control"`) {
			continue // the footer does not count controls
		}
		without := strings.Join(lines[:i], "") + strings.Join(lines[i+1:], "")
		if _, err := ReadEvents(strings.NewReader(without), func(Event) {}); !errors.Is(err, ErrTruncated) && !errors.Is(err, record.ErrFormat) {
			t.Errorf("without %.60q: expected an error, saw %v", line, err)
		}
	}
}

func history(t testing.TB, s record.Scenario) []byte {
	t.Helper()
	h, err := queue.Run(context.Background(), wrong(emptyLies), s)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// What no target can have answered, and what was not asked, is refused before it is
// judged; package record has the cases.
func TestReadHistoryRefusesTheImpossible(t *testing.T) {
	const call = `{"t":0,"k":"g","p":0,"to":-1,"c":1,"ret":2}`
	for text, ok := range map[string]bool{call: true, `{"t":0,"k":"g","p":0,"to":-1,"c":3,"ret":2}`: false, ``: false, call + `,` + call: false} {
		_, err := ReadHistory(strings.NewReader(`{"scenario":{"ps":1,"threads":[{"p":0,"script":"g"}]},"clock":"counter","ops":[` + text + `],"final":{"ps":[{}]}}`))
		if ok != (err == nil) || err != nil && !errors.Is(err, record.ErrFormat) {
			t.Errorf("%s: expected an error: %v, saw %v", text, !ok, err)
		}
	}
}

// FuzzReadHistory holds that no file makes a judge fall over.
func FuzzReadHistory(f *testing.F) {
	f.Add(history(f, record.Scenario{Name: "order", Ps: 1, Threads: []record.Thread{{Script: "pppgge"}}, Order: []int{0, 0, 0, 0, 0, 0}}))
	f.Add(history(f, record.Scenario{Name: "threads", Ps: 1, Threads: []record.Thread{{Script: "ppgpg"}, {P: record.None, Script: "se0"}}}))
	f.Add([]byte(`{"scenario":{"name":"all","ps":2,"capacity":2,"threads":[{"p":0,"script":"b3nm2dlq"},{"p":1,"script":"r0"}]},"capacity":2,"moves":true,"clock":"time","ops":[
{"t":0,"k":"b","p":0,"to":-1,"in":[1,2,3],"n":3,"ok":true,"c":1,"ret":2,"mv":[{"from":{"o":114,"p":0},"to":{"o":103,"p":-1},"ids":[3]}]},
{"t":0,"k":"n","p":0,"to":-1,"in":[4],"n":1,"ok":true,"c":3,"ret":4},
{"t":1,"k":"r","p":0,"to":1,"out":[1],"ok":true,"c":3,"ret":9},
{"t":0,"k":"m","p":0,"to":-1,"arg":2,"out":[3],"ok":true,"c":5,"ret":6},
{"t":0,"k":"d","p":0,"to":-1,"out":[4,2],"ok":true,"c":7,"ret":8},
{"t":0,"k":"l","p":0,"to":-1,"ok":true,"c":9,"ret":10},
{"t":0,"k":"q","p":-1,"to":-1,"in":[5],"n":1,"ok":true,"c":11,"ret":12}],"final":{"ps":[{},{}],"global":[5]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		h, err := ReadHistory(bytes.NewReader(text))
		if err != nil || len(h.Final.Ps) == 0 {
			return
		}
		begin := time.Now()
		for _, p := range spec.Profiles() {
			for _, w := range []spec.Witness{spec.Sequence, spec.Stress, spec.Linearizability} {
				_, _ = Judge(w, h, p)
			}
		}
		if d := time.Since(begin); d > 20*time.Second {
			t.Errorf("judging took %v", d)
		}
	})
}
