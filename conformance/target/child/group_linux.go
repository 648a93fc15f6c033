package child

import (
	"os/exec"
	"syscall"
	"unsafe"
)

// awaitEnd waits until the child has ended and leaves it to be waited for. It
// reports whether it could.
func awaitEnd(cmd *exec.Cmd) bool {
	const (
		byPID  = 1         // P_PID
		exited = 0x4       // WEXITED
		noWait = 0x1000000 // WNOWAIT
	)
	var info [128]byte
	for {
		_, _, err := syscall.Syscall6(syscall.SYS_WAITID, byPID, uintptr(cmd.Process.Pid), uintptr(unsafe.Pointer(&info)), exited|noWait, 0, 0)
		if err != syscall.EINTR {
			return err == 0
		}
	}
}
