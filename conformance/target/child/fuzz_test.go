package child

import (
	"errors"
	"strings"
	"testing"
	"unicode"

	"github.com/spindle-go/spindle/conformance/queue"
)

// FuzzLine: whatever a child says, it is read without a panic; what is taken
// answers the question, and what is shown of it can be seen.
func FuzzLine(f *testing.F) {
	_, questions, answers := page(f)
	for _, line := range append(answers, questions...) {
		f.Add([]byte(line))
	}
	f.Add([]byte(hello))
	f.Add([]byte(`{"hello":{"protocol":2,"name":"x","subject":"queue","contract":{},"notes":["\u001b"],"capabilities":{"capacity":4,"resize":true}}}`))
	f.Add([]byte(`{"seq":77245,"crash":{"op":{"t":0,"k":"g","p":0,"c":1},"text":"\n","stack":"\u202e\n::x"}}`))
	f.Add([]byte(`{"seq":77245,"error":"::x"}`))
	f.Add([]byte(`{"seq":77245,"histories":[{"clock":"counter","ops":[{"t":0,"k":"p","p":0,"c":1}],"final":{"ps":[]}}],"executions":7,"complete":true}`))
	q := Request{Seq: 77245, Cmd: Run, Scenario: &ordered}
	x := Request{Seq: 77245, Cmd: Explore, Scenario: &ordered, Executions: 9}
	shown := func(t *testing.T, texts ...string) {
		for _, s := range texts {
			if strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) || len(s) > 100_000 {
				t.Errorf("shows %.200q", s)
			}
		}
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if h, err := readHello(line); err == nil {
			shown(t, append(h.Notes, h.Name, h.Version, h.Profile, h.Subject)...)
		} else if !errors.Is(err, ErrProtocol) {
			t.Errorf("hello: %v, want ErrProtocol", err)
		} else {
			shown(t, err.Error())
		}
		if a, err := readAnswer(line, &x, queue.Capabilities{}, bounds{1 << 20, 1 << 20}); err != nil && !errors.Is(err, ErrProtocol) {
			t.Errorf("exploration: %v, want ErrProtocol", err)
		} else if err == nil && a.Crash == nil && a.Error == "" && (len(a.Histories) == 0 || a.Executions < len(a.Histories) || a.Executions > 9) {
			t.Errorf("took %+v", a)
		}
		a, err := readAnswer(line, &q, queue.Capabilities{}, bounds{1 << 20, 1 << 20})
		if err != nil {
			if !errors.Is(err, ErrProtocol) {
				t.Errorf("answer: %v, want ErrProtocol", err)
			}
			shown(t, err.Error())
			return
		}
		h, err := a.result()
		var crash *queue.CrashError
		if a.Seq != q.Seq || h == nil && err == nil || h != nil && h.Scenario.Name != ordered.Name {
			t.Errorf("took %+v", a)
		}
		if errors.As(err, &crash) {
			shown(t, crash.Text, strings.NewReplacer("\n", "", "\t", "").Replace(crash.Stack))
		} else if err != nil {
			shown(t, err.Error())
		}
	})
}
