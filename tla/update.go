package tla

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spindle-go/spindle/tla/tlc"
)

// Line returns the line of a configuration's head that says what r found, or "" if r
// is no such answer: it did not end, does not say which property falls, or does not
// say exactly how deep the search went.
func (t *Task) Line(r *tlc.Result) string {
	m := t.Model
	m.Violates, m.Generated, m.Distinct = r.Property, r.Generated, r.Distinct
	if r.Workers == 1 {
		m.Depth = Depth(r)
	}
	if verdict(r) != m.Expected() || r.Workers != 1 && (!t.Counted() || verdict(r) != t.Expected()) {
		return ""
	}
	return m.expect()
}

// Update returns the configuration of t with the numbers of r, and with what it asks; all else
// stays as it is. The verdict is never changed: that what held falls, or the reverse, somebody has
// to write by hand. A configuration that says nothing yet is expected to hold.
func (t *Task) Update(r *tlc.Result) (string, error) {
	line := t.Line(r)
	if seen := verdict(r); seen != t.Expected() || line == "" {
		err := fmt.Errorf("%s: expected that it %s, saw %s; no other verdict is written", t.Name, t.Expected(), seen)
		if line != "" {
			err = fmt.Errorf("%w: if it is right, put into cfg/%s.cfg: %s", err, t.Name, line)
		}
		return "", err
	}
	lines := strings.SplitAfter(t.Config, "\n")
	if question(t.Config) == "" || len(lines) < 3 || t.Absent && !strings.HasPrefix(lines[min(1, len(t.Asks))+1], moduleMark) {
		return "", fmt.Errorf("%s: expected the question on the first line of cfg/%s.cfg and on the second %#q, saw %q", t.Name, t.Name,
			moduleMark+t.Module+"; set: SET; seconds: N", strings.Join(lines[:min(2, len(lines))], ""))
	}
	end := lines[0][len(strings.TrimRight(lines[0], "\r\n")):]
	cfg, err := tlc.ParseConfig(t.Config)
	if err != nil {
		return "", err
	}
	if !t.Absent {
		lines = slices.Delete(lines, 1, 2)
	}
	if t.Asks != "" {
		lines = slices.Delete(lines, 1, 2)
	}
	asks := t.Asks // what is asked in another order is the same
	if len(t.asked(cfg)) > 0 {
		asks = strings.Join(cfg.Asks(), " ")
	}
	return strings.Join(slices.Insert(lines, 1, line+end, asksMark+asks+end), ""), nil
}
