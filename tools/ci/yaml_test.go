package ci

import (
	"os"
	"path/filepath"
	"testing"

	"go.yaml.in/yaml/v4"
)

// root is the repository's root.
func root(t testing.TB) string {
	t.Helper()
	dir, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// The files that users run.
const (
	actionFile   = "ci/action.yml"
	workflowFile = ".github/workflows/gate.yml"
	gitlabFile   = "ci/gitlab.yml"
)

// A step of an action or of a job.
type step struct {
	ID       string            `yaml:"id"`
	Name     string            `yaml:"name"`
	If       string            `yaml:"if"`
	Uses     string            `yaml:"uses"`
	Run      string            `yaml:"run"`
	Shell    string            `yaml:"shell"`
	Dir      string            `yaml:"working-directory"`
	With     map[string]string `yaml:"with"`
	Env      map[string]string `yaml:"env"`
	Continue any               `yaml:"continue-on-error"`
}

type input struct {
	Default  string `yaml:"default"`
	Required bool   `yaml:"required"`
}

// An action is action.yml.
type action struct {
	Inputs map[string]input `yaml:"inputs"`
	Runs   struct {
		Steps []step `yaml:"steps"`
	} `yaml:"runs"`
}

// A workflow is the reusable workflow.
type workflow struct {
	On struct {
		Call struct {
			Inputs map[string]input `yaml:"inputs"`
		} `yaml:"workflow_call"`
	} `yaml:"on"`
	Jobs map[string]job `yaml:"jobs"`
}

type job struct {
	If       string         `yaml:"if"`
	Needs    string         `yaml:"needs"`
	Env      map[string]any `yaml:"env"`
	Continue any            `yaml:"continue-on-error"`
	Steps    []step         `yaml:"steps"`
}

// A pipeline is the template of GitLab: its jobs by name.
type pipeline map[string]struct {
	Variables map[string]string `yaml:"variables"`
	Script    []string          `yaml:"script"`
}

func read(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root(t), name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// parse parses a file; what it has besides is the linter's business.
func parse[T any](t testing.TB, text string) *T {
	t.Helper()
	v := new(T)
	if err := yaml.Unmarshal([]byte(text), v); err != nil {
		t.Fatal(err)
	}
	return v
}
