package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/exit"
)

const page = "../../../docs/orders.md"

// TestWithoutCargo: nothing is judged, and that is said.
func TestWithoutCargo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	var out, errs bytes.Buffer
	if code := run(t.Context(), []string{"-page", page}, &out, &errs); code != exit.Inconclusive || !strings.Contains(errs.String(), "no cargo") {
		t.Errorf("expected exit %d and a line, saw %d: %s", exit.Inconclusive, code, &errs)
	}
	if code := run(t.Context(), []string{"-page", filepath.Join(t.TempDir(), "none.md")}, &out, &errs); code != exit.Usage {
		t.Errorf("no page: expected exit %d, saw %d", exit.Usage, code)
	}
}

// TestTable: the page has a place for the table, what fails is in it, and one right order
// that fails is enough.
func TestTable(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	p := parse("site\t0\tput\tCAS\tacq_rel\tacquire\nsite\t0\tput\tCAS\tacq_rel\trelease\nsite\t1\tget\tload\tacquire\trelaxed\nscenario\tone\t2\tp\tg\ts\n")
	p.complete[0] = result{scenario: "one", count: "7"}
	p.found[2] = result{scenario: "one", fails: true, what: "a G is lost"}
	if got := p.redundant(); !slices.Equal(got, []string{"0=relaxed"}) || !p.right() {
		t.Errorf("expected site 0 to be relaxed, saw %v, right: %v", got, p.right())
	}
	now, err := replace(string(text), p.String())
	if again, _ := replace(now, p.String()); err != nil || again != now || !strings.Contains(now, "| `get`: load | acquire | relaxed | one: a G is lost |\n") {
		t.Errorf("%v: saw %s", err, now)
	}
	p.complete[0].fails = true
	if p.right() {
		t.Error("a right order fails: expected that to be seen")
	}
}
