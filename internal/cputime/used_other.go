//go:build !unix

package cputime

import "time"

// Used is unknown here.
func Used() time.Duration { return 0 }
