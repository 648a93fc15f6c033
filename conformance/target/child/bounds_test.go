package child

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/queue/drive"
	"github.com/spindle-go/spindle/conformance/target/ref"
	"github.com/spindle-go/spindle/internal/strictjson"
	"github.com/spindle-go/spindle/spec/record"
)

// Whatever a right queue answers is within the bounds, which are not many times
// as large.
func TestBounds(t *testing.T) {
	caps, err := drive.Probe(ref.New)
	if err != nil {
		t.Fatal(err)
	}
	order := func(n int) []int { return make([]int, n) }
	for _, s := range []record.Scenario{
		{Ps: 1, Threads: []record.Thread{{P: 0, Script: "g"}}},
		{Ps: 1, Threads: []record.Thread{{P: 0, Script: "pg"}}, Order: order(2), Snapshot: true},
		{Ps: 8, Capacity: 64, Threads: []record.Thread{{P: 0, Script: "b60b60b60b60"}}, Order: order(4), Snapshot: true},
		{Ps: 2, Capacity: 8, Threads: []record.Thread{{P: 0, Script: "pppnbq", Repeat: 300}, {P: 1, Script: "srm4", Repeat: 300}}},
		{Ps: 2, Threads: []record.Thread{{P: 0, Script: "ppppd", Repeat: 1000}, {P: 1, Script: "s", Repeat: 1000}}},
		{Ps: 2, Threads: []record.Thread{{P: 0, Script: "pppp", Repeat: 300}, {P: record.None, Script: "e0", Repeat: 2000}}},
		{Ps: 1024, Threads: []record.Thread{{P: 7, Script: "pppp", Repeat: 100}}},
	} {
		h, err := drive.Run(t.Context(), ref.New, s)
		if err != nil {
			t.Fatal(err)
		}
		h.Scenario = record.Scenario{}
		line, err := json.Marshal(Answer{Seq: 1<<31 - 1, History: h})
		if err != nil {
			t.Fatal(err)
		}
		b := boundsOf(&s, caps, 32<<20)
		if err := strictjson.Decode(line, new(Answer), strictjson.Limits{Memory: b.memory}); err != nil || len(line) > b.line {
			t.Errorf("%+v: an answer of %d bytes does not fit %+v: %v", s, len(line), b, err)
		}
		if len(line) < 1000 && b.line > 1<<20 || b.memory > mostMemory || b.line > 32<<20 {
			t.Errorf("%+v: an answer of %d bytes may have %+v", s, len(line), b)
		}
	}
	// A thread that steals gets from its own queue first.
	s := record.Scenario{Ps: 2, Threads: []record.Thread{{P: 0, Script: "p", Repeat: 2000}, {P: 1, Script: "ps", Repeat: 2000}}}
	if b := boundsOf(&s, queue.Capabilities{}, 32<<20); b.line < 10_000*400 {
		t.Errorf("%+v for a scenario that may take 10,000 calls", b)
	}
}

// However large a scenario, the bounds are numbers that fit.
func TestBoundsOfTheLargest(t *testing.T) {
	s := record.Scenario{Ps: 1024, Snapshot: true, Threads: []record.Thread{{P: 0, Script: "b65536", Repeat: 1 << 10}, {P: 1, Script: "g", Repeat: 1<<26 - 1<<10}}}
	b := boundsOf(&s, queue.Capabilities{Moves: true}, 32<<20)
	if b.line != 32<<20 || b.memory != mostMemory {
		t.Errorf("got %+v", b)
	}
}

// What was asked for is what the history must have had.
func TestCapacity(t *testing.T) {
	asked := ordered
	asked.Capacity = 8
	answer := `say:{"seq":$SEQ,"history":{"clock":"order","capacity":CAP,"ops":[],"final":{"ps":[{},{}]}}}` + "\n"
	for _, c := range []struct {
		caps, says string
		s          record.Scenario
		ok         bool
	}{
		{`{"capacity":256,"resize":true}`, "8", asked, true},
		{`{"capacity":256,"resize":true}`, "256", asked, false},
		{`{"capacity":256,"resize":true}`, "256", ordered, true},
		{`{"capacity":256,"resize":true}`, "0", ordered, false},
		{`{"capacity":256}`, "256", asked, true},
		{`{"capacity":12}`, "12", ordered, true},
		{`{}`, "12", ordered, false},
		{`{}`, "524288", ordered, false},
	} {
		t.Setenv("SPINDLE_INTERNAL_CAPS", c.caps)
		client := begin(t, strings.Replace(answer, "CAP", c.says, 1), Options{})
		if _, err := client.Run(t.Context(), c.s); (err == nil) != c.ok || !c.ok && !errors.Is(err, ErrProtocol) {
			t.Errorf("hello %s, capacity %d asked for, %s in the history: got %v", c.caps, c.s.Capacity, c.says, err)
		}
	}
}

// A child that knows how questions are numbered cannot answer them beforehand.
func TestPredictable(t *testing.T) {
	for _, seq := range []string{"1", "2", "$NEXT"} {
		c := begin(t, `say:{"seq":$SEQ,"error":"first"}`+"\n$PAUSE"+`{"seq":`+seq+`,"error":"ahead"}`+"\n", Options{})
		if _, err := c.Run(t.Context(), ordered); !errors.Is(err, ErrRefused) {
			t.Errorf("got %v, want ErrRefused", err)
		}
		if _, err := c.Run(t.Context(), ordered); !errors.Is(err, ErrProtocol) {
			t.Errorf("seq %s: got %v, want ErrProtocol", seq, err)
		}
	}
}

// How a child came to its end is told from how it was ended.
func TestDeaths(t *testing.T) {
	for _, tt := range []struct {
		says, want string
		crash      bool
	}{
		{"end:3 {\"seq\":1,", `exit status 3, in the middle of a line: "{\"seq\":1,"`, true},
		{"end:3 ", "exit status 3, without an answer", true},
		{"end:0 ", "status 0, without an answer", true},
		{"end:0 {\"seq\":1,", `status 0 in the middle of a line: "{\"seq\":1,"`, false},
		{"end:-1 ", "close its output, without an answer, and live on", false},
		{"end:-1 {", `close its output, in the middle of a line: "{", and live on`, false},
	} {
		t.Run(tt.says, func(t *testing.T) {
			t.Parallel() // each waits a second or two
			c := begin(t, tt.says, Options{})
			stuck := time.AfterFunc(10*time.Second, func() { panic("a child that ended, or closed its output, is waited for") })
			_, err := c.Run(t.Context(), ordered)
			stuck.Stop()
			var crash *queue.CrashError
			if err == nil || !strings.Contains(err.Error(), tt.want) || errors.As(err, &crash) != tt.crash || errors.Is(err, ErrProtocol) == tt.crash {
				t.Errorf("%q: got %v, want %q, a crash: %v", tt.says, err, tt.want, tt.crash)
			}
		})
	}
}
