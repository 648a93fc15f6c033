package tlc

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// The classes of errors. Every error of this package wraps one of them.
var (
	ErrNoJava  = errors.New("no Java")
	ErrOldJava = errors.New("a Java that is too old")
	// ErrNoCompiler is about a Java that runs programs and compiles none.
	ErrNoCompiler = errors.New("a Java without a compiler")
	ErrNoJar      = errors.New("no jar of TLC")
	ErrBadJar     = errors.New("not a jar of TLC")
	ErrParse      = errors.New("a module does not parse")
	ErrConfig     = errors.New("the configuration does not fit the module")
	ErrEvaluate   = errors.New("TLC could not evaluate the module")
	ErrDisk       = errors.New("the disk is full")
	ErrMemory     = errors.New("out of memory in Java")
	ErrTLC        = errors.New("TLC failed")
	ErrFormat     = errors.New("malformed")
)

// ErrNoAnswer is wrapped besides if a command was asked for something, and its time
// was up.
var ErrNoAnswer = errors.New("no answer")

// Missing reports whether err is about what has to be installed, not about a
// model: no Java, or no jar. One that is there and hangs is not missing.
func Missing(err error) bool {
	absent := errors.Is(err, ErrNoJava) || errors.Is(err, ErrOldJava) || errors.Is(err, ErrNoCompiler) || errors.Is(err, ErrNoJar)
	return absent && !errors.Is(err, ErrNoAnswer) && !errors.Is(err, context.Canceled)
}

// A Failure is a run of TLC that came to no verdict.
type Failure struct {
	Class  error
	Module string
	Code   int      // of the process
	Lines  []string // what TLC said of it, without what it always says
}

func (f *Failure) Error() string {
	text := fmt.Sprintf("module %s: %v", f.Module, f.Class)
	if f.Code != 0 {
		text += fmt.Sprintf(" (exit code %d)", f.Code)
	}
	if len(f.Lines) > 0 {
		text += "\n\t" + strings.Join(f.Lines, "\n\t")
	}
	return text
}

func (f *Failure) Unwrap() error { return f.Class }
