//go:build unix

package child

import (
	"os/exec"
	"syscall"
)

// own puts the child in a process group of its own, so that what it starts can
// be ended with it, and an interrupt at the terminal goes to the suite alone.
func own(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
}

func killOwn(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
