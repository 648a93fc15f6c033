//go:build spindle_runtime

package hook

import _ "unsafe" // for go:linkname

// depth returns how deep in the stack the caller's caller has its variables.
//
//go:linkname depth runtime.spindleDepth
func depth() uintptr
