package rerun

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// reapers are the pipes to the reapers. They are open as long as the process is.
var reapers []*os.File

// startReaper starts a process that removes the binary and its folder when this
// process is gone, however it goes: tests have no place for what is to be done
// at the end, and a killed process none at all. The reaper is the binary itself.
func startReaper(b *binary) error {
	cmd := exec.Command(b.path)
	cmd.Env = append(os.Environ(), reapVar+"="+b.temp)
	cmd.Dir = os.TempDir()
	end, in, err := os.Pipe()
	if err != nil {
		return err
	}
	defer end.Close()
	cmd.Stdin = end
	if err := cmd.Start(); err != nil {
		in.Close()
		return err
	}
	reapers = append(reapers, in)
	return nil
}

// reap is what the reaper does instead of the tests.
func reap(dir string) {
	if !strings.HasPrefix(filepath.Base(dir), tempPrefix) {
		os.Exit(1) // not by us
	}
	signal.Ignore(os.Interrupt, syscall.SIGTERM)
	untilEOF()
	// Where a running program cannot be removed, what is left is a file in the
	// folder for temporary files.
	for range 10 {
		if os.RemoveAll(dir) == nil {
			break
		}
		time.Sleep(50 * time.Millisecond) // a child that ends at this moment too
	}
	os.Exit(0)
}
