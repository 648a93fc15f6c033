package checks

import "os"

// isLong reports whether SPINDLE_LONG=1 asks for more of what is enumerated.
func isLong() bool { return os.Getenv("SPINDLE_LONG") == "1" }
