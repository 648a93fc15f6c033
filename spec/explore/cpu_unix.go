//go:build unix

package explore

import (
	"syscall"
	"time"
)

// CPUTime is what the process has used so far, or 0 where that is unknown.
func CPUTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
