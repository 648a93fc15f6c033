package main

import (
	"errors"
	"time"

	"github.com/spindle-go/spindle/interleave/peers/fixture"
)

// errNotThere says that an explorer cannot be asked.
var errNotThere = errors.New("not there yet")

// explore runs a script under the explorer of this repository: what
// fixture.Script.Program returns, once for each execution. It is to stop soon
// after limit of wall time, and in mode hunt at the first finding. The row is
// to have everything of newRow, and CPU.
func explore(s fixture.Script, m mode, bug fixture.Bug, limit time.Duration, seed uint64) (row, error) {
	_, _ = limit, seed
	return newRow(ourselves, m, s.With(bug)), errNotThere
}
