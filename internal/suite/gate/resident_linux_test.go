package gate

import (
	"os"
	"syscall"
)

// resident returns the MiB that a process took at most.
func resident(p *os.ProcessState) int64 { return p.SysUsage().(*syscall.Rusage).Maxrss >> 10 }
