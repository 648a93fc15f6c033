package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/printable/printabletest"
	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
)

func annotations(t *testing.T, r *gate.Result) string {
	t.Helper()
	var b bytes.Buffer
	if err := Annotations(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestAnnotationsGolden(t *testing.T) {
	golden(t, "annotations.golden", annotations(t, judged(events(t))))
	if got := annotations(t, judged(clean(t))); got != "" {
		t.Errorf("expected nothing of a run that passes, saw %q", got)
	}
}

// A command is one line as GitHub's runner takes it apart.
type command struct {
	name       string
	properties map[string]string
	text       string
}

// parseCommand does as the runner does: the name ends at a blank, properties are
// separated by commas, and what was escaped is put back, the percent sign last.
func parseCommand(line string) (c command, err error) {
	line, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), "::")
	head, text, ok2 := strings.Cut(line, "::")
	name, list, _ := strings.Cut(head, " ")
	if !ok || !ok2 || name != "error" && name != "warning" {
		return c, fmt.Errorf("expected an error or a warning, saw %.200q", line)
	}
	back := strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",")
	c = command{name: name, properties: make(map[string]string), text: strings.ReplaceAll(back.Replace(text), "%25", "%")}
	for property := range strings.SplitSeq(list, ",") {
		key, value, ok := strings.Cut(property, "=")
		if !ok || c.properties[key] != "" {
			return c, fmt.Errorf("expected key=value, each key once, saw %.200q", property)
		}
		c.properties[key] = strings.ReplaceAll(back.Replace(value), "%25", "%")
	}
	return c, nil
}

func parseCommands(t *testing.T, text string) (list []command) {
	t.Helper()
	for line := range strings.Lines(text) {
		c, err := parseCommand(strings.TrimSuffix(line, "\n"))
		if err != nil {
			t.Error(err)
		}
		list = append(list, c)
	}
	return list
}

// What is wrong is an error at the place of its last step, what is unknown a warning.
func TestAnnotations(t *testing.T) {
	list := parseCommands(t, annotations(t, judged(events(t))))
	byTitle := make(map[string]command)
	levels := make(map[string]int)
	for _, c := range list {
		byTitle[c.properties["title"]] = c
		levels[c.name]++
	}
	if levels["error"] != 6 || levels["warning"] != 4 {
		t.Errorf("expected the verdict, 5 errors and 4 warnings, saw %v", levels)
	}
	if c := list[0]; c.properties["title"] != "spindle: error, exit 4" || !strings.Contains(c.text, "\nmine: RQ-LOST is broken: ") {
		t.Errorf("expected the verdict and its reasons first, saw %+v", c)
	}
	if c := byTitle["mine: RQ-TWICE: broken"]; c.name != "error" || c.properties["file"] != "impl/runq/get.go" || c.properties["line"] != "35" ||
		!strings.Contains(c.text, "\nsaw 1 G of 17 [14], ") || !strings.Contains(c.text, "\nsee again: spindle check -run ") {
		t.Errorf("expected the place of the last step, what was observed and how to see it again, saw %+v", c)
	}
	if c := byTitle["control: RQ-TWICE: broken"]; c.name != "error" || c.properties["file"] != "" || c.properties["line"] != "" {
		t.Errorf("expected no place where there are no steps, saw %+v", c)
	}
	if c := byTitle["mine: RQ-LEN: unknown"]; c.name != "warning" || !strings.Contains(c.text, "linearizability/len: seen after 600 scenarios") {
		t.Errorf("expected a warning with the reason, saw %+v", c)
	}
}

// No text of a target begins a command, ends one early, or adds a property.
func TestAnnotationsOfHostileTargets(t *testing.T) {
	infected(t, func(t *testing.T, events []suite.Event) {
		r := judged(events)
		got := annotations(t, r)
		if len(got) > 1<<18 || strings.Contains(got, "##") {
			t.Errorf("expected at most 256 KiB without ##, saw %d", len(got))
		}
		list := parseCommands(t, got)
		if want := 1 + len(objections(r)); len(list) != want || want < 5 {
			t.Errorf("expected the verdict and %d more, saw %d", want-1, len(list))
		}
		for _, c := range list {
			for key, value := range c.properties {
				if key != "title" && key != "file" && key != "line" {
					t.Errorf("unexpected property %q", key)
				}
				if err := printabletest.Harmless(value); err != nil {
					t.Errorf("%s: %v", key, err)
				}
			}
			for line := range strings.SplitSeq(c.text, "\n") {
				if err := printabletest.Harmless(line); err != nil {
					t.Error(err)
				}
			}
		}
	})
}

func TestAnnotationsEscape(t *testing.T) {
	r := judged(events(t))
	for i := range r.Decisions {
		if d := &r.Decisions[i]; d.Ruling == gate.Unexpected {
			d.Target, d.Text = "50%, file=x.go,line=1::%0A", "a 100% %0A sure, b: c"
		}
	}
	for _, c := range parseCommands(t, annotations(t, r)) {
		if c.properties["title"] == "50%, file=x.go,line=1::%0A: RQ-CRASH: unexpected pass" {
			if !strings.HasSuffix(c.text, "\na 100% %0A sure, b: c") || c.properties["file"] != "" {
				t.Errorf("expected the text as it was, saw %+v", c)
			}
			return
		}
	}
	t.Errorf("expected the title as it was, saw\n%s", annotations(t, r))
}

func TestAnnotationsAreBounded(t *testing.T) {
	r := judged(events(t))
	for range 6 {
		r.Decisions = append(r.Decisions, r.Decisions...)
	}
	levels := make(map[string]int)
	for _, c := range parseCommands(t, annotations(t, r)) {
		levels[c.name]++
	}
	if levels["error"] != maxAnnotations || levels["warning"] != maxAnnotations {
		t.Errorf("expected %d of each, saw %v", maxAnnotations, levels)
	}
}
