package tlc

import (
	"errors"
	"fmt"
	"strings"
)

// The classes of errors. Every error of this package wraps one of them.
var (
	ErrNoJava   = errors.New("no Java")
	ErrOldJava  = errors.New("a Java that is too old")
	ErrNoJar    = errors.New("no jar of TLC")
	ErrBadJar   = errors.New("not a jar of TLC")
	ErrParse    = errors.New("a module does not parse")
	ErrConfig   = errors.New("the configuration does not fit the module")
	ErrEvaluate = errors.New("TLC could not evaluate the module")
	ErrDisk     = errors.New("the disk is full")
	ErrMemory   = errors.New("out of memory in Java")
	ErrTLC      = errors.New("TLC failed")
	ErrFormat   = errors.New("malformed")
)

// Missing reports whether err is about what has to be installed, not about a
// model: no Java, or no jar.
func Missing(err error) bool {
	return errors.Is(err, ErrNoJava) || errors.Is(err, ErrOldJava) || errors.Is(err, ErrNoJar)
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
