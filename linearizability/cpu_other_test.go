//go:build !unix

package linearizability

import "time"

// cpuTime is not known here.
func cpuTime() time.Duration { return 0 }
