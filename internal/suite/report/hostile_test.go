package report

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spindle-go/spindle/internal/suite"
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

// infect returns the stream with evil behind every text in it, or in place of it. The
// kinds of events, and what the gate goes by, stay.
func infect(t *testing.T, events []suite.Event, evil string, replace bool) []suite.Event {
	t.Helper()
	text, err := json.Marshal(events)
	if err != nil {
		t.Fatal(err)
	}
	var copied []suite.Event
	if err := json.Unmarshal(text, &copied); err != nil {
		t.Fatal(err)
	}
	for i := range copied {
		walk(reflect.ValueOf(&copied[i]).Elem(), func(v reflect.Value) {
			switch v.Interface().(type) {
			case suite.EventKind, suite.Standing, suite.Ended:
				return
			}
			if s := v.String(); s != "" {
				if replace {
					s = ""
				}
				v.SetString(s + evil)
			}
		})
	}
	return copied
}

// walk calls f for every string in v.
func walk(v reflect.Value, f func(reflect.Value)) {
	switch v.Kind() {
	case reflect.String:
		f(v)
	case reflect.Pointer:
		if !v.IsNil() {
			walk(v.Elem(), f)
		}
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), f)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				walk(v.Field(i), f)
			}
		}
	}
}

// infected calls f for every evil text, behind others and in place of them.
func infected(t *testing.T, f func(t *testing.T, events []suite.Event)) {
	t.Helper()
	all := events(t)
	for i, evil := range evils {
		for _, replace := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d replace=%v", i, replace), func(t *testing.T) { f(t, infect(t, all, evil, replace)) })
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
				if err := harmless(line); err != nil {
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

// harmless reports why a line of a log could do more than be read.
func harmless(line string) error {
	for _, r := range line {
		if r == utf8.RuneError || !strconv.IsPrint(r) {
			return fmt.Errorf("expected what prints, saw %q in %.100q", r, line)
		}
	}
	if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##") {
		return fmt.Errorf("expected no command of a CI system, saw %.100q", line)
	}
	return nil
}
