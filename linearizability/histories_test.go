package linearizability_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/linearizability"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
	"github.com/spindle-go/spindle/spec/sequential"
)

// The histories of spec/testdata, judged by all who judge a history: the
// sequential machine, who counts, and who looks for a moment for each call. A
// file is a history in its text form, with lines of its own in its head:
//
//	profile: gort
//	expect machine: RQ-FIFO at call 2
//	expect conservation: pass
//	expect linearizability: RQ-FIFO
//
// RQ-FIFO.txt and RQ-FIFO-*.txt break RQ-FIFO first of all, by at least one of
// them; files that end in -legal break nothing. To write what is seen in place of
// what was expected, run SPINDLE_UPDATE=1 go test ./linearizability -run TestHistories.

// A sample is one file.
type sample struct {
	path   string
	lines  []string
	rules  sequential.Rules
	h      *record.History
	expect map[string]string // by judge
}

// judges are the names of who judges, in the order of the files.
var judges = []string{"machine", "conservation", "linearizability"}

func readSample(t *testing.T, path string) *sample {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := &sample{path: path, lines: strings.Split(string(text), "\n"), expect: make(map[string]string)}
	profile := spec.Profile("")
	for _, line := range s.lines {
		if v, ok := strings.CutPrefix(line, "profile: "); ok {
			if profile, err = spec.ParseProfile(v); err != nil {
				t.Fatal(err)
			}
		}
		if judge, v, ok := strings.Cut(strings.TrimPrefix(line, "expect "), ":"); ok && strings.HasPrefix(line, "expect ") {
			s.expect[judge] = strings.TrimSpace(v)
		}
	}
	s.h, err = record.ParseHistory(strings.NewReader(strings.Join(mapLines(s.lines, func(line string) string {
		if own(line) {
			return "" // an empty line: the others keep their numbers
		}
		return line
	}), "\n")))
	if err == nil {
		err = s.h.Answers()
	}
	if err != nil || profile == "" {
		t.Fatalf("profile %q: %v", profile, err)
	}
	s.rules = sequential.RulesOf(profile, s.h.Capacity)
	return s
}

func own(line string) bool {
	return strings.HasPrefix(line, "profile: ") || strings.HasPrefix(line, "expect ")
}

func mapLines(lines []string, f func(string) string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = f(line)
	}
	return out
}

// write writes what was seen to the file.
func (s *sample) write(t *testing.T, seen map[string]string) {
	t.Helper()
	lines := mapLines(s.lines, func(line string) string {
		for _, judge := range judges {
			if strings.HasPrefix(line, "expect "+judge+":") {
				return "expect " + judge + ": " + seen[judge]
			}
		}
		return line
	})
	if err := os.WriteFile(s.path, []byte(strings.Join(lines, "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
}

// judged returns the verdict of each judge, in words.
func (s *sample) judged() map[string]string {
	seen := map[string]string{"machine": "not in order"}
	if s.h.Scenario.Order != nil {
		vs, stopped := sequential.Replay(s.h, s.rules)
		seen["machine"] = words(vs, func(v sequential.Violation) string {
			if v.Call == sequential.AtEnd {
				return v.Requirement + " at the end"
			}
			return fmt.Sprintf("%s at call %d", v.Requirement, v.Call)
		})
		if stopped >= 0 {
			seen["machine"] += fmt.Sprintf("; stopped at call %d", stopped)
		}
	}
	seen["conservation"] = words(sequential.Conserve(s.h), func(v sequential.Violation) string { return v.Requirement })
	r := linearizability.Check(s.h, linearizability.Options{Rules: s.rules})
	seen["linearizability"] = words(r.Explanations(), func(e *linearizability.Explanation) string { return e.Requirement })
	if seen["linearizability"] == pass && r.Verdict != linearizability.Ok {
		seen["linearizability"] = r.Verdict.String()
	}
	return seen
}

const pass = "pass"

// words joins what each violation is, once, or says pass.
func words[V any](vs []V, is func(V) string) string {
	var list []string
	for _, v := range vs {
		if s := is(v); !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	if len(list) == 0 {
		return pass
	}
	return strings.Join(list, ", ")
}

// first returns the requirement that a verdict names first, or "".
func first(verdict string) string {
	id, _, _ := strings.Cut(strings.NewReplacer(",", " ", ";", " ").Replace(verdict), " ")
	if !strings.HasPrefix(id, "RQ-") {
		return ""
	}
	return id
}

func TestHistories(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("..", "spec", "testdata", "histories", "*.txt"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d histories: %v", len(paths), err)
	}
	seenBy := make(map[string]map[string]bool) // requirement, judge
	legal := make(map[string]bool)
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".txt")
		t.Run(name, func(t *testing.T) {
			s := readSample(t, path)
			seen := s.judged()
			if tier.Update() {
				s.write(t, seen)
			} else {
				for _, judge := range judges {
					if s.expect[judge] != seen[judge] {
						t.Errorf("%s: expected %q, saw %q", judge, s.expect[judge], seen[judge])
					}
				}
			}
			if s.h.Scenario.Name != name {
				t.Errorf("expected scenario %s, saw %s", name, s.h.Scenario.Name)
			}
			id := about(name)
			found := false
			for _, judge := range judges {
				switch got := first(seen[judge]); {
				case got == "" || id == "":
				case strings.HasSuffix(name, "-legal"):
					t.Errorf("%s: expected nothing, saw %s", judge, seen[judge])
				case got == id:
					found = true
					if seenBy[id] == nil {
						seenBy[id] = make(map[string]bool)
					}
					seenBy[id][judge] = true
				}
			}
			if strings.HasSuffix(name, "-legal") {
				legal[id] = true
			} else if !found && id != "" {
				t.Errorf("expected %s first, saw %v", id, seen)
			}
		})
	}
	for _, r := range spec.Requirements {
		if !strings.HasPrefix(r.ID, "RQ-") || noHistory[r.ID] != "" {
			continue
		}
		if !legal[r.ID] {
			t.Errorf("%s: expected a history that nearly breaks it, saw none", r.ID)
		}
		for witness, judge := range map[spec.Witness]string{spec.Sequence: "machine", spec.Stress: "conservation", spec.Linearizability: "linearizability"} {
			if slices.Contains(r.Witnesses, witness) && !seenBy[r.ID][judge] {
				t.Errorf("%s: expected a history of which the %s names it first, saw none", r.ID, judge)
			}
		}
	}
}

// noHistory are the requirements that no single history shows.
var noHistory = map[string]string{
	"RQ-CRASH":  "a call that crashed is no answer",
	"RQ-RACE":   "it is about memory",
	"RQ-WRAP":   "it takes two runs, from different indices",
	"RQ-RANDOM": "what is shuffled is judged by counting alone",

	"RQ-STEAL-SOME": "it is about all executions together",
	"RQ-SIZES":      "it is about what can be made",

	"RQ-TAKE-WAKES":  "a take that waits for ever is no answer",
	"RQ-CLOSE-WAKES": "a take that waits for ever is no answer",
	"RQ-TAKE-NONE":   "package checks takes closes apart: TestClosings",
	"RQ-CLOSE-DROPS": "package checks takes closes apart: TestClosings",
	"RQ-CLOSE-PUT":   "package checks takes closes apart: TestClosings",
}

// about returns the requirement whose id a name begins with.
func about(name string) string {
	id := ""
	for _, r := range spec.Requirements {
		if (name == r.ID || strings.HasPrefix(name, r.ID+"-")) && len(r.ID) > len(id) {
			id = r.ID
		}
	}
	return id
}
