package gate

import (
	"context"

	"github.com/spindle-go/spindle/internal/suite"
)

// Run is suite.Run, and returns what the gate makes of it.
func Run(ctx context.Context, o suite.Options, sources ...suite.Source) (Result, error) {
	var g Gate
	sink := o.Sink
	o.Sink = func(e suite.Event) {
		g.Event(e)
		if sink != nil {
			sink(e)
		}
	}
	if err := suite.Run(ctx, o, sources...); err != nil {
		return Result{}, err
	}
	return g.Result(), nil
}
