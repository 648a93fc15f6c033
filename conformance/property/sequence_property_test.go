package property_test

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/property"
	"github.com/spindle-go/spindle/conformance/queue"
	"github.com/spindle-go/spindle/conformance/target/ref"
	"github.com/spindle-go/spindle/spec/record"
)

// TestScenario runs the scenario of a failure again: the failure prints it.
func TestScenario(t *testing.T) {
	text := os.Getenv(property.ScenarioVariable)
	if text == "" {
		t.Skipf("%s holds no scenario", property.ScenarioVariable)
	}
	var s record.Scenario
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatalf("%s: %v", property.ScenarioVariable, err)
	}
	if err := property.Replay(ref.New, s); err != nil {
		t.Fatal(err)
	}
}

// do makes the calls of a script as the owner of P p.
func do(t *testing.T, s *property.Sequence, p int, script string) error {
	t.Helper()
	ins, err := record.ParseScript(script)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range ins {
		if !s.Legal(p, in) {
			t.Fatalf("%q of P%d is not legal in %q", byte(in.Kind), p, script)
		}
		if err := s.Do(p, in); err != nil {
			return err
		}
	}
	return nil
}

func TestSequenceScenarioRoundTrip(t *testing.T) {
	s, err := property.New(ref.New, queue.Options{Ps: 2, Capacity: 4, Start: 1<<32 - 3})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		p      int
		script string
	}{{0, "pppppn nq"}, {1, "s0 l m9 e0"}, {0, "b7gd"}} {
		if err := do(t, s, step.p, step.script); err != nil {
			t.Fatal(err)
		}
	}
	want := s.Scenario()
	if err := s.Finish(); err != nil {
		t.Fatal(err)
	}
	if want.Threads[0].Script != "pppppnnqb7gd" || want.Threads[1].Script != "s0l1m9e0" {
		t.Errorf("scenario is %+v", want)
	}
	if err := property.Replay(ref.New, want); err != nil {
		t.Error(err)
	}
}

// stuck is a reference whose Put stops working once the indices have overflowed.
type stuck struct{ property.Set }

func (s stuck) P(i int) queue.Queue { return stuckP{s.Set.P(i).(*ref.P)} }

type stuckP struct{ *ref.P }

func (p stuckP) Put(id record.ID) bool {
	if head, tail := p.Indices(); tail < head {
		return true
	}
	return p.P.Put(id)
}

func TestFailureNamesTheWrap(t *testing.T) {
	t.Attr("req", "RQ-WRAP")
	f := func(o queue.Options) (queue.Set, error) {
		s, err := ref.New(o)
		return stuck{s.(property.Set)}, err
	}
	s, err := property.New(f, queue.Options{Ps: 1, Capacity: 8, Start: 1<<32 - 2})
	if err != nil {
		t.Fatal(err)
	}
	err = do(t, s, 0, "ppp")
	failure := new(property.Failure)
	if !errors.As(err, &failure) {
		t.Fatalf("error %v, want a *Failure", err)
	}
	if got := strings.Join(failure.Requirements(), " "); got != "RQ-WRAP RQ-LOST" {
		t.Errorf("%s broken, want RQ-WRAP first, then RQ-LOST alone", got)
	}
	for _, want := range []string{"RQ-WRAP: expected", "T0 put P0 3", property.ScenarioVariable + "='{", "'^TestScenario$'"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks %q:\n%v", want, err)
		}
	}
}
