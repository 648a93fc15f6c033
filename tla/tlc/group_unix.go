//go:build unix

package tlc

import (
	"os/exec"
	"syscall"
	"time"
)

// group puts cmd in a process group of its own, so that what it starts ends with
// it, and so that an interrupt at the terminal is told to it by us alone.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = 5 * time.Second
}

// endGroup ends what is left of the group.
func endGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}
