package witnessed

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/spec"
	"github.com/spindle-go/spindle/spec/record"
)

// fake is a test that is over when end is called.
type fake struct {
	testing.TB
	failed, skipped bool
	errors          []any
	cleanup         func()
}

func (f *fake) Failed() bool      { return f.failed }
func (f *fake) Skipped() bool     { return f.skipped }
func (f *fake) Name() string      { return "TestX/y" }
func (f *fake) Cleanup(do func()) { f.cleanup = do }
func (f *fake) Error(args ...any) { f.errors = append(f.errors, args...) }

func TestStreams(t *testing.T) {
	lost, late := record.Finding{Requirement: "RQ-LOST"}, record.Finding{Requirement: "RQ-FIFO"}
	completed := suite.Outcome{Ended: suite.Completed}
	for name, c := range map[string]struct {
		do    func(f *fake, x *Test)
		ended suite.Ended // "": there is no stream
		found string
	}{
		"passes":                  {func(f *fake, x *Test) { x.Ended(completed) }, suite.Completed, ""},
		"panics":                  {func(f *fake, x *Test) {}, "", ""},
		"panics after a finding":  {func(f *fake, x *Test) { x.Found(lost) }, "", ""},
		"fails":                   {func(f *fake, x *Test) { f.failed = true }, suite.Error, ""},
		"ends, and fails":         {func(f *fake, x *Test) { x.Ended(completed); f.failed = true }, suite.Error, ""},
		"fails with a finding":    {func(f *fake, x *Test) { x.Found(lost); f.failed = true }, suite.Inconclusive, "RQ-LOST"},
		"shrinks":                 {func(f *fake, x *Test) { x.Found(lost); x.Found(late); f.failed = true }, suite.Inconclusive, "RQ-FIFO"},
		"finds two":               {func(f *fake, x *Test) { x.Also(lost); x.Also(late); x.Ended(completed) }, suite.Completed, "RQ-LOST RQ-FIFO"},
		"is skipped":              {func(f *fake, x *Test) { f.skipped = true }, suite.Skipped, ""},
		"says it is inconclusive": {func(f *fake, x *Test) { x.Ended(suite.Outcome{Ended: suite.Inconclusive, Reason: "late"}) }, suite.Inconclusive, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			t.Setenv(suite.EventsVar, dir)
			f := &fake{TB: t}
			c.do(f, Begin(f, spec.Fuzz, spec.GoRT))
			f.cleanup()
			if len(f.errors) > 0 {
				t.Fatal(f.errors...)
			}
			whole, _ := filepath.Glob(filepath.Join(dir, "*.ndjson"))
			begun, _ := filepath.Glob(filepath.Join(dir, ".spindle-*"))
			if c.ended == "" {
				if len(whole) != 0 || len(begun) != 1 {
					t.Errorf("expected a stream without an end, saw %v and %v", whole, begun)
				}
				return
			}
			if len(whole) != 1 || len(begun) != 0 {
				t.Fatalf("expected one whole stream, saw %v and %v", whole, begun)
			}
			file, err := os.Open(whole[0])
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			var found []string
			var ended suite.Ended
			if err := suite.ReadEvents(file, func(e suite.Event) {
				switch {
				case e.Finding != nil:
					found = append(found, e.Finding.Requirement)
				case e.Result != nil:
					ended = e.Result.Ended
				case e.Requirement != nil && e.Requirement.Standing == suite.Kept:
					t.Errorf("%s is kept", e.Requirement.ID)
				}
			}); err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(found, " "); got != c.found || ended != c.ended {
				t.Errorf("expected it %s with %q, saw it %s with %q", c.ended, c.found, ended, got)
			}
		})
	}
}
