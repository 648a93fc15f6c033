// Package chosen holds the number of the mutant that a process runs. The code
// that package operators generates asks for it.
//
// It is a plain variable on purpose. Under the explorer an atomic would be one
// more step of each function; a plain read is none, and races with nothing as
// long as nobody calls [Set] beside it. The package is explored as any other:
// one that is left out would be in doubt for its variable.
package chosen

import (
	"fmt"
	"os"
	"strconv"
)

// Var is the environment variable that names the mutant, read once when the
// process starts. Unset and 0 are the code as it was. A test's result in the
// cache of the go command does not depend on it: run tests with -count=1, or a
// binary.
const Var = "SPINDLE_INTERNAL_MUTANT"

var number = first(os.Getenv(Var))

func first(text string) int {
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		panic(fmt.Sprintf("chosen: %s: expected a number from 0, saw %q", Var, text))
	}
	return n
}

// Number returns the number of the mutant, 0 for none.
func Number() int { return number }

// Set chooses another. No code that has mutants may be running; of the explorer,
// it is to be called between explorations, not in the body of one.
func Set(n int) {
	if n < 0 {
		panic(fmt.Sprintf("chosen: Set: expected a number from 0, saw %d", n))
	}
	number = n
}
