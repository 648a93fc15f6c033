//go:build spindle_overlay && linux

package main

import (
	"syscall"
	"time"
)

// noise starts goroutines that come back from system calls all the time. When
// one does during a run there is no P for it, and it is queued on the global
// queue among the made-up Gs, where it must neither be handed out nor be lost.
func noise(n int) {
	for i := range n {
		go func() {
			pause := syscall.NsecToTimespec(int64(100*(i+1)) * int64(time.Microsecond))
			for {
				_ = syscall.Nanosleep(&pause, nil)
			}
		}()
	}
}
