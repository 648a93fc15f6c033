package ci

import (
	"strings"
	"testing"
)

// TestPage holds that the page for new users is short, and says what is so: its inputs
// and variables are there.
func TestPage(t *testing.T) {
	text := read(t, "ci/README.md")
	if n := strings.Count(text, "\n"); n > 120 {
		t.Errorf("expected at most 120 lines, saw %d", n)
	}
	a := parse[action](t, read(t, actionFile))
	for n := range 2 {
		in := inputs(t, n)
		if len(in) == 0 {
			t.Errorf("block %d: expected inputs, saw none", n)
		}
		for name := range in {
			if _, ok := a.Inputs[name]; !ok {
				t.Errorf("block %d: there is no input %q", n, name)
			}
		}
	}
	type caller struct {
		Jobs map[string]struct {
			Uses string            `yaml:"uses"`
			With map[string]string `yaml:"with"`
		} `yaml:"jobs"`
	}
	call := parse[caller](t, page(t, "yaml")[2]).Jobs["spindle"]
	in := parse[workflow](t, read(t, workflowFile)).On.Call.Inputs
	for name, v := range in {
		if v.Required && call.With[name] == "" {
			t.Errorf("expected the input %q", name)
		}
	}
	for name := range call.With {
		if _, ok := in[name]; !ok {
			t.Errorf("there is no input %q", name)
		}
	}
	if call.Uses != "spindle-go/spindle/"+workflowFile+"@COMMIT" {
		t.Errorf("saw %q", call.Uses)
	}
	template := (*parse[pipeline](t, read(t, gitlabFile)))[".spindle-gate"]
	for name := range variables(t, page(t, "yaml")[3]) {
		if _, ok := template.Variables[name]; !ok {
			t.Errorf("there is no variable %q", name)
		}
	}
}

// variables are those of the user's job in a pipeline of GitLab.
func variables(t *testing.T, text string) map[string]string {
	t.Helper()
	v := parse[struct {
		Job struct {
			Extends   string            `yaml:"extends"`
			Variables map[string]string `yaml:"variables"`
		} `yaml:"spindle"`
	}](t, text).Job
	if v.Extends != ".spindle-gate" || len(v.Variables) == 0 {
		t.Errorf("expected a job that extends the template, saw %+v", v)
	}
	return v.Variables
}
