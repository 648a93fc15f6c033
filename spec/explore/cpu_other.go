//go:build !unix

package explore

import "time"

// cpuTime is unknown here.
func cpuTime() time.Duration { return 0 }
