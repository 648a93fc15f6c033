package child

import (
	"errors"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/conformance/queue"
)

// TestExplorationIsHeld: an answer to explore has what was asked for, and one to run nothing of it.
func TestExplorationIsHeld(t *testing.T) {
	const one = `{"clock":"counter","ops":null,"final":{"ps":null}}`
	for _, c := range []struct{ cmd, answer, want string }{
		{Explore, `"histories":[` + one + `,` + one + `],"executions":2,"complete":true`, ""},
		{Explore, `"histories":[` + one + `],"executions":100`, ""},
		{Explore, `"error":"no"`, ""},
		{Explore, `"crash":{"text":"x"}`, ""},
		{Explore, `"crash":{"text":"x"},"histories":[` + one + `],"executions":7`, ""},
		{Run, `"history":` + one, ""},
		{Explore, `"histories":[],"executions":7,"complete":true`, "expected a history, a crash or an error"},
		{Explore, `"histories":[` + one + `],"executions":0,"complete":true`, "expected 1 to 100 executions"},
		{Explore, `"histories":[` + one + `,` + one + `],"executions":1,"complete":true`, "expected 2 to 100 executions"},
		{Explore, `"histories":[` + one + `],"executions":101`, "expected 1 to 100 executions"},
		{Explore, `"histories":[` + one + `],"executions":-1`, "expected 1 to 100 executions"},
		{Explore, `"histories":[null],"executions":1`, "saw null"},
		{Explore, `"histories":[` + strings.Repeat(one+",", 1000) + one + `],"executions":100`, "expected at most 1000"},
		{Explore, `"history":` + one, "saw the history of one"},
		{Explore, `"error":"no","complete":true`, "beside an error"},
		{Explore, `"error":"no","histories":[` + one + `]`, "expected a history, a crash or an error"},
		{Explore, `"crash":{"text":"x"},"complete":true`, "beside a crash"},
		{Explore, `"histories":[{"clock":"x","ops":null,"final":{"ps":null}}],"executions":1`, "expected the clock"},
		{Explore, `"histories":[{"clock":"counter","capacity":3,"ops":null,"final":{"ps":null}}],"executions":1`, "with capacity 0"},
		{Run, `"histories":[` + one + `],"executions":1,"complete":true`, "expected the history of one execution"},
		{Run, `"history":` + one + `,"complete":true`, "expected the history of one execution"},
	} {
		q := Request{Seq: 7, Cmd: c.cmd, Scenario: &ordered, Executions: 100}
		a, err := readAnswer([]byte(`{"seq":7,`+c.answer+`}`), &q, queue.Capabilities{}, bounds{1 << 20, 1 << 24})
		switch {
		case c.want == "" && err != nil, c.want != "" && (!errors.Is(err, ErrProtocol) || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %.100s: expected %q, saw %v", c.cmd, c.answer, c.want, err)
		case err == nil:
			for _, h := range a.Histories {
				if h.Scenario.Name != ordered.Name {
					t.Errorf("%.100s: expected the scenario that was asked, saw %q", c.answer, h.Scenario.Name)
				}
			}
		}
	}
	for explores, want := range map[string]string{"loom": "", "": "", "a b": "the name of an explorer", "\\u001b[2J": "the name of an explorer"} {
		_, err := readHello([]byte(`{"hello":{"protocol":2,"name":"x","explores":"` + explores + `","capabilities":{}}}`))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("explores %q: expected %q, saw %v", explores, want, err)
		}
	}
}
