//go:build unix

package cputime

import (
	"syscall"
	"time"
)

// Used is what the process has used so far, user and system, or 0 where that is unknown.
func Used() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
