//go:build unix

package findings

import (
	"os/exec"
	"syscall"
)

// unix says whether the reproducers run here.
const unix = true

// group puts cmd in a process group of its own: what it starts ends with it, and an
// interrupt at the terminal is told to us alone.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
