package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/cli"
)

// What became of the models gives one exit code, and the last line says it.
func TestEnd(t *testing.T) {
	broken, differs, open := []error{errors.New("no verdict")}, []string{"a count"}, []string{"lock"}
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name  string
		r     *runner
		total int
		code  int
		want  string
	}{
		{"all as expected", &runner{o: new(options), done: 2}, 2, 0, "pass: exit 0; 2 of 2 models ended, 0 differences, 0 without a verdict, 0 without an end; "},
		{"nothing ran", &runner{o: new(options)}, 0, 3, "inconclusive: exit 3; 0 of 0 models ended"},
		{"nothing ran, and the tables differ", &runner{o: new(options), differs: differs}, 0, 1, "fail: exit 1; "},
		{"a difference", &runner{o: new(options), done: 1, differs: differs}, 1, 1, "fail: exit 1; 1 of 1 model ended, 1 difference,"},
		{"one without an end", &runner{o: new(options), done: 1, open: open}, 2, 3, "inconclusive: exit 3; "},
		{"a difference, and one without an end", &runner{o: new(options), done: 1, open: open, differs: differs}, 2, 1, "fail: exit 1; "},
		{"one without a verdict", &runner{o: new(options), done: 1, broken: broken, differs: differs, open: open}, 3, 4, "error: exit 4; "},
		{"interrupted", &runner{o: new(options), done: 1, differs: differs, ctx: interrupted}, 2, 130, "interrupted: exit 130; 1 of 2 models ended, 1 difference,"},
		{"interrupted, and one without a verdict", &runner{o: new(options), broken: broken, ctx: interrupted}, 2, 4, "error: exit 4; "},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			r := c.r
			r.std, r.begin = cli.Streams{Out: &out}, time.Now()
			if r.ctx == nil {
				r.ctx = t.Context()
			}
			code, err := r.end(c.total)
			if code != c.code || !strings.HasPrefix(out.String(), "\n"+c.want) {
				t.Errorf("expected %d and %q, saw %d and %q", c.code, c.want, code, out.String())
			}
			if fmt.Sprint(err) != map[bool]string{true: errInterrupted.Error(), false: "<nil>"}[r.ctx.Err() != nil] {
				t.Errorf("saw error %v", err)
			}
		})
	}
}
