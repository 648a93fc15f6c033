package trace_test

import "github.com/spindle-go/spindle/conformance/queue"

// planted are damaged copies of the reference. There are none: the test binary that
// TestMutants builds has another text in the place of this file.
var planted []damaged

// damaged is a copy of the reference with a mutant in it.
type damaged struct {
	id  string
	new queue.Factory
}
