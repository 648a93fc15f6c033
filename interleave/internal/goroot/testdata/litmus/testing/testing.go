// Package testing stands in for package testing in tests of the Go distribution that are explored: a failure is one of the exploration.
package testing

import (
	"fmt"
	"runtime"
	"time"

	"github.com/spindle-go/spindle/interleave"
)

// A T fails an execution of x.
type T struct {
	x               *interleave.Exec
	name            string
	failed, skipped bool
}

// New returns the T of a test in the execution x.
func New(x *interleave.Exec, name string) *T { return &T{x: x, name: name} }

func (t *T) Error(args ...any) {
	t.failed = true
	t.x.Errorf("%s", fmt.Sprint(args...))
}

func (t *T) Errorf(format string, args ...any) {
	t.failed = true
	t.x.Errorf(format, args...)
}

func (t *T) Fatal(args ...any) {
	t.failed = true
	t.x.Fatalf("%s", fmt.Sprint(args...))
}

func (t *T) Fatalf(format string, args ...any) {
	t.failed = true
	t.x.Fatalf(format, args...)
}

func (t *T) Fail()    { t.Error("Fail") }
func (t *T) FailNow() { t.Fatal("FailNow") }

func (t *T) Failed() bool  { return t.failed }
func (t *T) Skipped() bool { return t.skipped }
func (t *T) Name() string  { return t.name }

func (t *T) Helper()             {}
func (t *T) Parallel()           {}
func (t *T) Log(...any)          {}
func (t *T) Logf(string, ...any) {}

func (t *T) Skip(...any)          { t.SkipNow() }
func (t *T) Skipf(string, ...any) { t.SkipNow() }

func (t *T) SkipNow() {
	t.skipped = true
	runtime.Goexit()
}

// Deadline says that there is none.
func (t *T) Deadline() (time.Time, bool) { return time.Time{}, false }

// Run calls f in the goroutine that it is called in.
func (t *T) Run(name string, f func(*T)) bool {
	s := New(t.x, t.name+"/"+name)
	f(s)
	t.failed = t.failed || s.failed
	return !s.failed
}

// Short says that a test is to be short.
func Short() bool { return true }

// AllocsPerRun calls f, and counts nothing.
func AllocsPerRun(_ int, f func()) float64 {
	f()
	return 0
}

// Long stands in for Short in tests that would do nothing otherwise.
func Long() bool { return false }
