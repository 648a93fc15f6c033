package report

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/printable/printabletest"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/suitetest"
	"github.com/spindle-go/spindle/internal/tier"
	"github.com/spindle-go/spindle/spec"
)

// evils are texts that a target could give to be taken for more than text.
var evils = []string{
	"a\n::error::pwned\npass: exit 0; 1 target, 24 checks, 0 findings",
	"::error file=x::pwned",
	"##[error]pwned",
	"\x1b[2J\x1b]0;title\a\r\x9b",
	"\xff\xfe\x00\u202e\u2028\ufffe",
	`<img src=x onerror=alert(1)> ]]> <!-- & "quoted" 'so'`,
	"@everyone [link](https://evil.example) ![image](https://evil.example/x.png) https://evil.example www.evil.example `code` ~~~ *b* _i_ | cell | #1 org/repo#2",
	"``` </details> <details open><summary>\n\n# head\n\n| a | b |\n|---|---|\n- list\n1. list\n> quote",
	"```",
	"%0A::error::pwned,title=x:y",
	strings.Repeat("word ", 19) + "::error::at the begin of a wrapped line",
	strings.Repeat("x", 1<<16),
}

// infect returns the stream with evil behind every text in it that is a name, and
// behind or in place of every other. What a reader holds against the catalogue stays,
// and the rows follow from the rest: the stream is one that is read.
func infect(t *testing.T, events []suite.Event, evil string, replace bool) []suite.Event {
	t.Helper()
	infected := copied(t, events)
	j := new(suite.Judged)
	for i := range infected {
		e := &infected[i]
		walk(reflect.ValueOf(e).Elem(), "", func(name string, v reflect.Value) {
			s := v.String()
			switch v.Interface().(type) {
			case suite.EventKind, suite.Standing, suite.Ended, spec.Witness, spec.Level, spec.Profile:
				return
			}
			switch name {
			case "Known.Fingerprint", "Finding.Requirement", "Result.Requirements", "Header.Contract":
			case "Finding.Fingerprint":
				v.SetString(s + "/" + evil)
			case "Event.Target", "Event.Check", "Event.Checks", "Description.Name", "Description.Subject", "Header.Targets", "Known.Target":
				v.SetString(strings.TrimSuffix(s+evil, "/"))
			default:
				if replace {
					s = ""
				}
				v.SetString(s + evil)
			}
		})
		switch e.Event {
		case suite.TargetEvent:
			j = &suite.Judged{Select: infected[0].Header.Select}
			j.Add(*e)
		case suite.RequirementEvent:
			*e.Requirement = j.Standings()[len(j.Rows)]
			j.Add(*e)
		default:
			j.Add(*e)
		}
	}
	if _, err := suitetest.Decode(suitetest.Encode(infected)); err != nil {
		t.Fatal(err)
	}
	return infected
}

// copied returns a deep copy.
func copied(t *testing.T, events []suite.Event) (list []suite.Event) {
	t.Helper()
	text, err := json.Marshal(events)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// walk calls f for every string in v that is not empty, with the names of its struct
// and its field.
func walk(v reflect.Value, name string, f func(name string, v reflect.Value)) {
	switch v.Kind() {
	case reflect.String:
		if v.String() != "" {
			f(name, v)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			walk(v.Elem(), name, f)
		}
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), name, f)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() {
				walk(v.Field(i), v.Type().Name()+"."+field.Name, f)
			}
		}
	}
}

// infected calls f for every evil text, behind others and in place of them.
func infected(t *testing.T, f func(t *testing.T, events []suite.Event)) {
	t.Helper()
	all := events(t)
	for _, evil := range tier.Some(t, evils, 3) {
		for _, replace := range []bool{false, true} {
			t.Run(fmt.Sprintf("%.20q replace=%v", evil, replace), func(t *testing.T) { f(t, infect(t, all, evil, replace)) })
		}
	}
}

// ownLine is how a line begins that the report itself writes: others are indented.
var ownLine = regexp.MustCompile(`^(spindle |selected: |shard: |target |positive controls?: |known failures: |because |[0-9]+ requirements?|(pass|partial|inconclusive|fail|error|interrupted): exit [0-9]+; )`)

func TestTextOfHostileTargets(t *testing.T) {
	infected(t, func(t *testing.T, events []suite.Event) {
		for _, verbose := range []bool{false, true} {
			got := render(t, events, false, verbose)
			if len(got) > 1<<20 {
				t.Errorf("expected at most 1 MiB, saw %d", len(got))
			}
			verdicts := 0
			for line := range strings.Lines(got) {
				line = strings.TrimSuffix(line, "\n")
				if err := printabletest.Harmless(line); err != nil {
					t.Error(err)
				}
				if line != "" && !strings.HasPrefix(line, "  ") && !ownLine.MatchString(line) {
					t.Errorf("expected a line of the report, saw %.100q", line)
				}
				if strings.Contains(line, ": exit ") && !strings.HasPrefix(line, " ") && ownLine.FindStringSubmatch(line)[2] != "" {
					verdicts++
				}
			}
			if verdicts != 1 || !strings.HasPrefix(lastLine(got), string(judged(events).Verdict)+": exit ") {
				t.Errorf("expected one verdict, in the last line, saw %d; the last line is %.100q", verdicts, lastLine(got))
			}
		}
	})
}
