//go:build unix

package cli

import (
	"context"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spindle-go/spindle/internal/suite"
)

// TestInterrupt holds that a file that never ends is not waited for.
func TestInterrupt(t *testing.T) {
	f := newFolder(t)
	if err := syscall.Mkfifo(f.path("fifo"), 0o600); err != nil {
		t.Skip(err)
	}
	w, err := os.OpenFile(f.path("fifo"), os.O_RDWR, 0) // somebody who writes nothing
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	f.events("head", suite.Options{})
	f.write("old", benchmarks(100, 100, 8))
	for _, line := range []string{
		"gate @fifo", "gate -known @fifo @head", "gate -baseline @fifo @head", "gate -bench @old,@fifo @head", "merge -o @out @fifo",
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		if code, _, errs := f.run(ctx, line); code != 130 || !strings.HasSuffix(errs, ": interrupted\n") {
			t.Errorf("%s: exit %d, %q", line, code, errs)
		}
		cancel()
	}
}
