//go:build !unix

package cachedir

import "io/fs"

// Where there are no owners and modes of this kind, the user's cache folder and the
// temporary one are the user's by the system's own rules.
const hasModes = false

func mine(fs.FileInfo) bool { return true }
