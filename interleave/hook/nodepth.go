//go:build !spindle_runtime

package hook

// depth is not known.
func depth() uintptr { return 0 }
