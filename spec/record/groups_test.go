package record

import (
	"slices"
	"strings"
	"testing"
)

// TestGroups: what comes again and again is written once, and is read as it was.
func TestGroups(t *testing.T) {
	for _, c := range []struct{ script, want string }{
		{"pgpg", "pgpg"},
		{strings.Repeat("pg", 256) + "p", "(pg)256p"},
		{"pp" + strings.Repeat("pg", 300) + "gg", "pp(pg)300gg"},
		{strings.Repeat("p", 63), strings.Repeat("p", 63)},
		{strings.Repeat("p", 64), "(p)64"},
		{strings.Repeat("ps10e2", 40), "(ps10e2)40"},
		{strings.Repeat("pg", 40) + strings.Repeat("ppg", 40), ""},
	} {
		order := make([]int, 0)
		ins, _ := ParseScript(c.script)
		for range ins {
			order = append(order, 0)
		}
		h := History{Scenario: Scenario{Name: "x", Ps: 11, Threads: []Thread{{P: 0, Script: c.script}, {P: 1, Script: "g"}}, Order: order}, Clock: ClockOrder}
		text := h.Text()
		got, err := ParseHistory(strings.NewReader(text))
		if err != nil || got.Scenario.Threads[0].Script != c.script || !slices.Equal(got.Scenario.Order, order) {
			t.Errorf("%s: read as %+v, %v", text, got, err)
		}
		if line := "thread P0: " + c.want + "\n"; c.want != "" && !strings.Contains(text, line) {
			t.Errorf("expected %q, saw\n%s", line, text)
		}
		if len(text) > 600 {
			t.Errorf("%d letters: %s", len(text), text)
		}
	}
	for _, bad := range []string{"(pg)2", "(p)", "(p)99999999", "(pg256", "()70", "(pg)256pgp", "((p)64)2"} {
		text := "scenario: x\nps: 1\nthread P0: " + bad + "\nclock: order\n\nfinal: unknown\n"
		if h, err := ParseHistory(strings.NewReader(text)); err == nil {
			t.Errorf("%s: expected an error, saw %q", bad, h.Scenario.Threads[0].Script)
		}
	}
}
