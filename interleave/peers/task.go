package main

import (
	"fmt"
	"time"

	"github.com/spindle-go/spindle/interleave/peers/fixture"
)

// A mode is what is asked of an explorer.
type mode string

const (
	exhaust mode = "exhaust" // every execution that it sees a need for
	random  mode = "random"  // random ones until the limit, or a finding
	hunt    mode = "bug"     // what it has for hunting bugs, until a finding
)

// The explorers.
const (
	ourselves = "spindle"
	loom      = "loom"
	shuttle   = "shuttle"
	genmc     = "GenMC"
)

// A task is one run of one explorer, on a script of the fixture or on a program of
// the literature.
type task struct {
	Tool    string
	Mode    mode
	Script  fixture.Script
	Program string // of package published; empty if there is a script
	Size    string // of a hunt, otherwise empty
	Limit   time.Duration
	Seed    uint64
}

// name is what -only looks at: "loom exhaust PPGPG 2x1", "spindle exhaust lastzero
// 15", and for a hunt "shuttle bug slots-after-cas small".
func (t task) name() string {
	what := t.Script.String()
	switch {
	case t.Size != "":
		what = t.Script.Bug.String() + " " + t.Size
	case t.Program != "":
		what = t.Program
	}
	return fmt.Sprintf("%s %s %s", t.Tool, t.Mode, what)
}

// explores says what an explorer looks at in a mode. The numbers of executions of
// two that look at different things are not to be compared.
func explores(tool string, m mode) string {
	switch {
	case tool == loom:
		return "C11, stale reads"
	case tool == genmc:
		return "SC (-sc)"
	case m == random:
		return "SC, by chance"
	case tool == shuttle && m == exhaust:
		return "SC, no reduction"
	case tool == shuttle:
		return "SC, PCT"
	case m == hunt:
		return "SC, by all means"
	}
	return "SC, races"
}
