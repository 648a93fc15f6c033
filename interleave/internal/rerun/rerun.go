// Package rerun runs a test again in an instrumented binary.
//
// A test that asks for an exploration runs in a binary whose code knows nothing
// of it. So the first such call builds a second binary, of the same package and
// with the same flags but for -race, -cover and vet, in which the runtime has threads hand over to each other and the compiler has code
// report what it reads and writes, and has it run this very test. The
// binary serves all later calls of the process. That it is of the code of this process is
// held by the build ID, see same.go.
//
// The child runs the one test by its quoted name. A test may make several calls;
// the child is told which, by their ordinal within the test, and what it finds
// comes back in a file. It reads its standard input, a pipe from the parent: at
// its end the parent is gone, and the child goes too.
//
// Under -fuzz one input at a time is no use: the fuzzer would mutate in a binary
// that explores nothing, and every worker would build. There the first call
// re-executes the whole run, with the arguments of the process, and ends the
// process with its status; on systems that can, it becomes the process.
package rerun

import (
	"fmt"
	"os"
	"sync"
	"testing"

	_ "github.com/spindle-go/spindle/interleave/atomic" // for go mod vendor
	"github.com/spindle-go/spindle/interleave/hook"
	"github.com/spindle-go/spindle/interleave/internal/engine"
	_ "github.com/spindle-go/spindle/interleave/sync" // for go mod vendor
)

// What a child is told by its environment.
const (
	callVar = "SPINDLE_INTERNAL_CALL" // the folder of the call, or whole
	reapVar = "SPINDLE_INTERNAL_REAP" // a folder to remove when the parent is gone
	whole   = "whole"

	unsureVar = "SPINDLE_INTERNAL_UNSURE" // engine.Unsure
)

// workVar is for people: a folder in which the overlay is to be kept that the binary is built with.
const workVar = "SPINDLE_INTERLEAVE_WORK"

// A Request is a call that is to be made in the child.
type Request struct {
	File  string // where the call is, as runtime.Caller says
	Args  []byte // for the child's call, see ChildCall.Args
	Later bool   // build the binary when it is asked for, and not before: the caller measures this process
}

// Instrumented reports whether this binary is an instrumented one.
func Instrumented() bool { return hook.Registered() }

// at is where the process began.
var at = struct{ dir, call string }{}

func init() {
	if file := os.Getenv(toolVar); file != "" {
		os.Exit(tool(file, os.Args[1:]))
	}
	at.dir, _ = os.Getwd()
	if dir := os.Getenv(reapVar); dir != "" {
		reap(dir)
	}
	engine.Unsure = os.Getenv(unsureVar)
	os.Unsetenv(unsureVar)
	if at.call = os.Getenv(callVar); at.call != "" && at.call != whole {
		// What the test itself starts is no part of this.
		os.Unsetenv(callVar)
		go dieWithParent()
	}
	if at.call == "" && !Instrumented() {
		if err := fuzzing(os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
	}
}

// dieWithParent ends the process when its standard input ends.
func dieWithParent() {
	untilEOF()
	os.Exit(1)
}

func untilEOF() {
	b := make([]byte, 64)
	for {
		if _, err := os.Stdin.Read(b); err != nil {
			return
		}
	}
}

var ordinals = struct {
	sync.Mutex
	next map[string]int
}{next: make(map[string]int)}

// ordinal counts the calls within a test. The count begins anew when the test
// ends: -count and -cpu run it again.
func ordinal(t testing.TB) int {
	ordinals.Lock()
	defer ordinals.Unlock()
	name := t.Name()
	n, ok := ordinals.next[name]
	ordinals.next[name] = n + 1
	if !ok {
		t.Cleanup(func() {
			ordinals.Lock()
			defer ordinals.Unlock()
			delete(ordinals.next, name)
		})
	}
	return n
}
