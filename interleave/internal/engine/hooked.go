//go:build spindle_runtime

package engine

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/spindle-go/spindle/interleave/internal/certificate"
	"github.com/spindle-go/spindle/interleave/internal/object"
	"github.com/spindle-go/spindle/interleave/internal/place"
)

// What the runtime asks on behalf of threads, and of the body.

// fatalUnseen ends the execution, where the runtime would end the process.
func fatalUnseen(message string) {
	if Exploring() {
		current.fatal(message)
	}
}

// goroutines returns how many the caller sees; 0: as many as the process has.
func goroutines() int {
	defer handsBack(takesOver())
	s := current
	if !controlled || s.unwinding || s.running == nil {
		return 0
	}
	if !s.counted {
		s.counted = true
		s.beginAnew()
	}
	return int(s.count(object.Load, 0))
}

// beginAnew breaks the execution off, and has the exploration begin anew. It does not return.
func (s *scheduler) beginAnew() {
	s.recount = true
	t := s.running
	for base := s.abandon(); ; {
		s.hands(t.seat.at, base)
	}
}

// later returns what has a thread call functions that the collector would call on a goroutine of its own, nil if it is to. Code is that of the first
// function.
func later(code uintptr) func(func()) {
	defer handsBack(takesOver())
	if _, std := place.PackageAt(code); std {
		return nil // nothing of a program's: to close a file that was forgotten
	}
	return caller()
}

// caller returns what has a new thread call functions, one after the other; nil if the caller is not one that starts threads.
func caller() func(func()) {
	calls := make(chan func(), 1)
	current.house.talk.foreign(unsafe.Pointer(*(*unsafe.Pointer)(unsafe.Pointer(&calls))))
	if !spawnUnseen(func() {
		for f := range calls {
			t := current.running
			t.stranger = true // it must come back
			f()
			t.stranger = false
		}
	}, true, false, nil) {
		return nil
	}
	return func(f func()) {
		select {
		case calls <- f:
		default:
			go func() { calls <- f }()
		}
	}
}

// finalizer returns the finalizer that has a thread call f.
func finalizer(f any) any {
	defer handsBack(takesOver())
	v := reflect.ValueOf(f)
	if v.Kind() != reflect.Func || v.IsNil() {
		return f
	}
	call := later(v.Pointer())
	if call == nil {
		return f
	}
	none := make([]reflect.Value, v.Type().NumOut())
	for i := range none {
		none[i] = reflect.Zero(v.Type().Out(i))
	}
	return reflect.MakeFunc(v.Type(), func(args []reflect.Value) []reflect.Value {
		call(func() { v.Call(args) })
		return none
	}).Interface()
}

// waitsOutside is asked where a thread is about to wait for the network or a file, calls C, or is called from C. It reports whether that is refused. Then the
// exploration ends with an error, and so does the call, if it can.
func waitsOutside(what string) bool {
	defer handsBack(takesOver())
	s := current
	if !controlled || s.unwinding || s.running == nil {
		return false
	}
	if what == "calls C" {
		s.doubts.Add(certificate.NotSeen, "what C does", "")
		return false
	}
	if s.sorry == nil {
		s.sorry = fmt.Errorf("%w: thread %s %s\n%s", ErrRefused, s.running.name, what, stack())
	}
	return true
}
