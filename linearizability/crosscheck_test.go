package linearizability

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/sequential"
)

// seeds returns the fixed seed, or the one of SPINDLE_SEED.
func seeds(t testing.TB) []uint64 {
	seed, err := record.SeedFromEnv(1)
	if err != nil {
		t.Fatal(err)
	}
	return []uint64{uint64(seed)}
}

func dump(h *record.History) string {
	s := ""
	for _, op := range h.Ops {
		s += fmt.Sprintf("[%d, %d] %v", op.Call, op.Return, op)
		for _, m := range op.Moved {
			s += fmt.Sprintf(" (%v -> %v %v)", m.From, m.To, m.IDs)
		}
		s += "\n"
	}
	b, _ := json.Marshal(h.Final)
	return s + "at the end: " + string(b)
}

// TestCrossCheck holds the monitor and porcupine against each other, object by
// object, on small histories of which about half are wrong.
func TestCrossCheck(t *testing.T) {
	for _, id := range []string{"RQ-FIFO", "RQ-GET-NONE", "RQ-STEAL-NONE", "RQ-STEAL-HALF", "RQ-STEAL-RUNNEXT", "RQ-EMPTY-TRUE", "RQ-EMPTY-FALSE", "RQ-CAPACITY", "RQ-OVERFLOW", "RQ-DRAIN"} {
		t.Attr("req", id)
	}
	histories := tier.N(t, 20_000, 60_000)
	for _, seed := range seeds(t) {
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			t.Parallel()
			c := crossCheck(t, seed, histories)
			t.Logf("seed %d: %d histories, %d correct, %d wrong; %d objects judged by both, %d illegal, %d beyond the monitor",
				seed, histories, c.good, histories-c.good, c.both, c.illegal, c.beyond)
			t.Logf("evidence: %d by the layout, %d by states, %d by leaving out observations", c.layout, c.states, c.minimized)
			if c.good < histories/4 || c.good > 3*histories/4 {
				t.Errorf("%d of %d histories are correct, want about half", c.good, histories)
			}
		})
	}
}

// TestFewHistories is the same on as many histories as take a second.
func TestFewHistories(t *testing.T) {
	if c := crossCheck(t, 2, 3000); c.illegal == 0 || c.states == 0 || c.minimized == 0 {
		t.Errorf("%+v: expected wrong histories of each kind", c)
	}
}

type counts struct{ good, both, illegal, beyond, layout, states, minimized int }

func crossCheck(t *testing.T, seed uint64, n int) counts {
	var c counts
	for i := range n {
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		h, rules := randomHistory(rng)
		spoiled := 0
		for try := 0; i%4 != 0 && try < 40 && spoiled < 1+i%4; try++ {
			if spoil(rng, h) {
				spoiled++
			}
		}
		ok := true
		for _, o := range project(h, rules) {
			if o.broken != nil {
				ok = false
				continue
			}
			if o.err != nil {
				t.Fatalf("seed %d, history %d: %s: %v\n%s", seed, i, o.name, o.err, dump(h))
			}
			got, kind, why := monitorSays(t, o)
			if why != "" {
				c.beyond++
				if j := judge(o, Options{Rules: rules, Timeout: 10 * time.Second}); j.Verdict == Illegal {
					ok = false
				}
				continue
			}
			want := askPorcupine(o, 10*time.Second) == porcupine.Ok
			c.both++
			if got != want {
				t.Fatalf("SPINDLE_SEED=%d go test -run TestCrossCheck: history %d: %s: monitor says %v, porcupine %v (%s)\n%s", seed, i, o.name, got, want, kind, dump(h))
			}
			if !got {
				ok = false
				c.illegal++
				switch kind {
				case "layout":
					c.layout++
				case "minimized":
					c.minimized++
					if testing.Verbose() && c.minimized <= 8 {
						t.Logf("minimized: %v\n%s", judge(o, Options{Rules: rules}).Explanation, dump(h))
					}
				default:
					c.states++
				}
			}
		}
		if ok {
			c.good++
		} else if spoiled == 0 {
			t.Fatalf("SPINDLE_SEED=%d go test -run TestCrossCheck: history %d is correct by construction and judged wrong\n%v\n%s",
				seed, i, explanations(h, rules), dump(h))
		}
	}
	return c
}

// monitorSays returns the monitor's verdict, and by what the evidence was found.
func monitorSays(t *testing.T, o *object) (ok bool, kind string, why string) {
	l, why, e := layOut(o)
	switch {
	case why != "":
		return false, "", why
	case e != nil:
		return false, "layout", ""
	}
	m := newMonitor(l, nil)
	failed, why := m.run()
	switch {
	case why != "" || failed < 0:
		return true, "", why
	case l.guessed:
		return true, "", "the guess was not good"
	}
	e = explain(m, failed)
	if _, err := spec.Lookup(e.Requirement); err != nil || len(e.Ops) == 0 {
		t.Errorf("%s: expected a requirement and calls, saw %v", o.name, e)
	}
	if strings.Contains(e.Sentence, "no order of the calls") || strings.Contains(e.Sentence, "cannot be true together") {
		return false, "minimized", ""
	}
	return false, "states", ""
}

func explanations(h *record.History, rules sequential.Rules) string {
	r := Check(h, Options{Rules: rules})
	s := ""
	for _, e := range r.Explanations() {
		s += e.String() + "\n"
	}
	return s
}
