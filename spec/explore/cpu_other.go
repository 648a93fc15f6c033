//go:build !unix

package explore

import "time"

// CPUTime is unknown here.
func CPUTime() time.Duration { return 0 }
