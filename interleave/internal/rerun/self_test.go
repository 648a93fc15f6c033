package rerun_test

import (
	"reflect"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/spindle-go/spindle/interleave/internal/rerun"
	"github.com/spindle-go/spindle/internal/tier"
)

// TestSelf is a test of this very package that is run again, in a binary that explores.
func TestSelf(t *testing.T) {
	t.Parallel()
	tier.OnlyFull(t)
	var n atomic.Int32
	n.Add(1)
	path := reflect.TypeOf(&n).Elem().PkgPath()
	if !rerun.Instrumented() {
		_, file, _, _ := runtime.Caller(0)
		got, err := rerun.Run(t, rerun.Request{File: file, Args: []byte("in the child: ")})
		if want := "in the child: sync/atomic"; err != nil || string(got) != want || path != "sync/atomic" {
			t.Errorf("%q, %v, and %s here", got, err, path)
		}
		return
	}
	c, err := rerun.Child(t)
	if err != nil || !c.Asked() {
		t.Fatal(c, err)
	}
	if err := c.Send(append(c.Args, path...)); err != nil {
		t.Error(err)
	}
}
