package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spindle-go/spindle/internal/suite"
	"github.com/spindle-go/spindle/internal/suite/gate"
	"github.com/spindle-go/spindle/internal/suite/gate/gotest"
)

// maxUnexplained bounds how many failures are told.
const maxUnexplained = 20

// explain holds what go test said against the events: a known failure of a queue
// turns its test red, and must hide no other test that failed.
func (o *options) explain(ctx context.Context, r *gate.Result) error {
	var failed []gotest.Failure
	var broken error
	err := open(ctx, o.tests, nil, func(f io.Reader) error { failed, broken = gotest.Read(f); return nil })
	if err != nil {
		return err
	}
	if broken != nil {
		r.Worse(gate.Error, broken.Error())
		return nil
	}
	var targets []string
	for _, d := range r.Decisions {
		if d.Row.Standing == suite.Broken || d.Row.Standing == suite.Unknown {
			targets = append(targets, d.Target)
		}
	}
	list := gotest.Unexplained(failed, targets)
	for i, f := range list {
		if i == maxUnexplained {
			r.Worse(gate.Fail, fmt.Sprintf("go test: %d more failed", len(list)-i))
			break
		}
		text := fmt.Sprintf("go test: %s", f)
		if f.Build == "" {
			text += " failed, and the events do not say why"
		}
		r.Worse(gate.Fail, text)
	}
	return nil
}
