//go:build unix

package main

import (
	"syscall"
	"time"
)

// cpuTime returns the CPU time of this process, user and system, of all threads.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
