//go:build unix

package rerun

import (
	"os"
	"syscall"
)

// become makes this process the instrumented one, with the same arguments. The
// time that a test may take does not matter then: the fuzzer has its own.
func (b *binary) become() error {
	// The reaper watches a pipe that must stay open.
	for _, f := range reapers {
		if _, err := syscall.Dup(int(f.Fd())); err != nil {
			return &Error{Problem: Other, Err: err}
		}
	}
	args := append([]string{b.path}, os.Args[1:]...)
	err := syscall.Exec(b.path, args, b.environ(whole))
	return &Error{Problem: Other, Err: err}
}
