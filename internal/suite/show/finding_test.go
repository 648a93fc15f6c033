package show

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/printable/printabletest"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec/record"
)

// finding reads testdata/finding.json, which has one of everything.
func finding(t *testing.T) *record.Finding {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "finding.json"))
	if err != nil {
		t.Fatal(err)
	}
	f := new(record.Finding)
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(f); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestFinding(t *testing.T) {
	f := finding(t)
	text, calls := Finding(f, false, "")
	if calls == "" || !strings.Contains(strings.ReplaceAll(text, mark, ""), calls) || strings.Count(text, mark) != 2 {
		t.Errorf("expected the table of calls in the text, with two marks, saw\n%s", text)
	}
	brief, kept := Finding(f, true, calls)
	if kept != calls {
		t.Errorf("brief: expected the table above to be handed on, saw\n%s", kept)
	}
	again, same := Finding(f, false, calls)
	if same != calls {
		t.Errorf("a table as above: expected it to be handed on, saw\n%s", same)
	}
	got := text + "\nin brief\n" + brief + "\nwith the same calls above\n" + again
	golden := filepath.Join("testdata", "finding.golden")
	if tier.Update() {
		if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("expected what is in %s, saw\n%s\nto accept it, run SPINDLE_UPDATE=1 go test ./internal/suite/show", golden, got)
	}
}

// An unknown requirement, no evidence, a damaged execution: shown as far as it goes.
func TestFindingOfAnotherContract(t *testing.T) {
	for name, test := range map[string]struct {
		finding record.Finding
		want    string
	}{
		"bare":       {record.Finding{Requirement: "ZZ-NEW", Expected: "a", Observed: "b"}, "  expected     a\n  observed     b\n"},
		"other kind": {record.Finding{Evidence: []record.Evidence{{Kind: "pic\nture", Lines: []string{"x", "y"}}}}, "  pic\\nture\n    x\n    y\n"},
		"no steps":   {record.Finding{Evidence: []record.Evidence{{Kind: record.Steps}}}, "  steps\n"},
		"a thread that does not exist": {steps1(record.Execution{Threads: []string{"main"}, Steps: []record.Step{{Thread: 1}}}),
			"    expected a thread below 1 in step 0, saw 1\n"},
		"a thread below zero": {steps1(record.Execution{Steps: []record.Step{{Thread: -1}}}),
			"    expected a thread below 0 in step 0, saw -1\n"},
	} {
		got, _ := Finding(&test.finding, false, "")
		if !strings.Contains(got, test.want) {
			t.Errorf("%s: expected %q, saw\n%s", name, test.want, got)
		}
	}
}

func steps1(e record.Execution) record.Finding {
	return record.Finding{Evidence: []record.Evidence{{Kind: record.Steps, Execution: &e}}}
}

// Whatever text is in a finding, no line of it does more than be read.
func TestFindingOfHostileText(t *testing.T) {
	for _, evil := range []string{
		"a\n::error::pwned\npass: exit 0; 1 target", "\x1b[2J\x1b]0;title\a", "##[error]x", "::error::x", "\xff\xfe", "\u202e",
		strings.Repeat("word ", 21) + "::error::at the begin of a wrapped line", strings.Repeat("x", 5<<20),
	} {
		f := record.Finding{
			Requirement: evil, Expected: evil, Observed: evil,
			Evidence: []record.Evidence{
				{Kind: record.Calls, Lines: []string{evil, "T0 " + evil, "T1 x [1..2]; " + evil}},
				{Kind: record.Left, Lines: []string{evil}},
				{Kind: record.EvidenceKind(evil), Lines: []string{evil}},
				{Kind: record.Steps, Execution: &record.Execution{
					Schedule: evil, Threads: []string{evil},
					Steps: []record.Step{{Text: evil, Action: evil, File: evil, Line: 1, Switch: evil}},
				}},
			},
			Again: []record.Again{{Kind: record.RunAgain, Command: evil, Environ: []string{evil}}},
		}
		text, _ := Finding(&f, false, "")
		if len(text) > 64<<10 {
			t.Errorf("%.20q: expected at most 64 KiB, saw %d", evil, len(text))
		}
		for line := range strings.Lines(text) {
			if err := printabletest.Harmless(strings.TrimSuffix(line, "\n")); err != nil {
				t.Errorf("%.20q: %v", evil, err)
			}
			if !strings.HasPrefix(line, "  ") {
				t.Errorf("%.20q: expected every line to be indented, saw %.100q", evil, line)
			}
		}
	}
}
