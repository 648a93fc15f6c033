package drive

import (
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"time"

	"github.com/spindle-go/spindle/conformance/queue"
)

// ErrFactory is wrapped by errors of a factory that did not give a usable set.
var ErrFactory = errors.New("drive: factory")

// FactoryTimeout bounds the making of one set. Tests make it short.
var FactoryTimeout = 10 * time.Second

// Make calls f and checks what it gives: an error, a panic, a nil, a hang and the
// end of its goroutine each become an error that wraps ErrFactory.
func Make(f queue.Factory, o queue.Options) (queue.Set, error) {
	type made struct {
		set queue.Set
		err error
	}
	done := make(chan made, 1)
	go func() {
		m := made{err: fmt.Errorf("%w ended the goroutine that called it: it called runtime.Goexit, or Skip or Fatal of a test", ErrFactory)}
		defer func() { done <- m }()
		m.set, m.err = makeHere(f, o)
	}()
	timer := time.NewTimer(FactoryTimeout)
	defer timer.Stop()
	select {
	case m := <-done:
		return m.set, m.err
	case <-timer.C:
		return nil, fmt.Errorf("%w did not return within %v", ErrFactory, FactoryTimeout)
	}
}

// makeHere is Make on the goroutine of its caller, for whom the explorer sees that f hangs or ends it.
func makeHere(f queue.Factory, o queue.Options) (set queue.Set, err error) {
	defer func() {
		if v := recover(); v != nil {
			set, err = nil, fmt.Errorf("%w panicked: %v\n%s", ErrFactory, v, debug.Stack())
		}
	}()
	if set, err = f(o); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFactory, err)
	}
	if set == nil {
		return nil, fmt.Errorf("%w: expected a queue for each of %d Ps, saw a nil set", ErrFactory, o.Ps)
	}
	for i := range o.Ps {
		if isNil(set.P(i)) {
			return nil, fmt.Errorf("%w returned nil for the queue of P%d", ErrFactory, i)
		}
	}
	return set, nil
}

// isNil reports whether q is nil, or an interface that holds a nil pointer.
func isNil(q queue.Queue) bool {
	if q == nil {
		return true
	}
	v := reflect.ValueOf(q)
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan:
		return v.IsNil()
	}
	return false
}
